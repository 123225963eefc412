The readers of call graphs and folded stacks end a name at a blank; demangled names have none there.
== elf app
type exec
text 0x401000 0x1000
symbol _ZN3foo3barEiPKc 0x401000 0x100
symbol _Znwm 0x401100 0x100
symbol _RNvC4rust4main 0x401200 0x100
== log out.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401110,0x401010,0x401210
== run blanks become underscores
pmcstat -q -R out.log --folded
== out
app;rust::main;foo::bar(int,_char_const*);operator_new(unsigned_long) 1
== run the flat profile keeps names as they are
pmcstat -q -R out.log --flat | sed -n 3p
== out
 100.00          1  100.00          1  operator new(unsigned long)  app
== run --no-demangle
pmcstat -q -R out.log --no-demangle --folded
== out
app;_RNvC4rust4main;_ZN3foo3barEiPKc;_Znwm 1
