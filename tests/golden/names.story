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
== elf cxx
type exec
text 0x401000 0x1000
symbol _ZN3foo3barEiPKc 0x401000 0x100
symbol _ZN1A3barIiEEvT_ 0x401100 0x100
symbol _ZN12_GLOBAL__N_13fooEPFivE 0x401200 0x100
symbol _ZNK1FclEi 0x401300 0x100
symbol _ZN1F1gEv.isra.0 0x401400 0x100
symbol _ZN1FlsEi 0x401500 0x100
symbol _Znwm 0x401600 0x100
== log cxx.log
pmc 1 cpu-clock
exec 10 cxx
map 10 0x401000 0x1000 cxx off=0x1000
sample 10 0x401010 x1
sample 10 0x401110 x2
sample 10 0x401210 x3
sample 10 0x401310 x4
sample 10 0x401410 x5
sample 10 0x401510 x6
sample 10 0x401610 x7
== run a function of C++ is known without its parameters and what it returns
for f in foo::bar 'A::bar<int>' '(anonymous namespace)::foo' 'F::operator()' F::g 'F::operator<<' 'operator new'; do pmcstat -q -R cxx.log --callers "$f" | sed -n 3p; done
== out
foo::bar(int, char const*) @ cxx: 1 samples (3.57%), 1 of them its own
void A::bar<int>(int) @ cxx: 2 samples (7.14%), 2 of them its own
(anonymous namespace)::foo(int (*)()) @ cxx: 3 samples (10.71%), 3 of them its own
F::operator()(int) const @ cxx: 4 samples (14.29%), 4 of them its own
F::g() [clone .isra.0] @ cxx: 5 samples (17.86%), 5 of them its own
F::operator<<(int) @ cxx: 6 samples (21.43%), 6 of them its own
operator new(unsigned long) @ cxx: 7 samples (25.00%), 7 of them its own
== run 65 but not without its class, nor by a part of it
for f in bar new foo; do pmcstat -q -R cxx.log --callers "$f" 2>&1 | sed -n 1p; done; pmcstat -q -R cxx.log --callers g 2>/dev/null
== out
pmcstat: no function in the samples is called "bar"
pmcstat: no function in the samples is called "new"
pmcstat: no function in the samples is called "foo"
== run 65 nor where nothing is selected, which is told
pmcstat -q -R cxx.log --comm other --callers foo::bar
== err
pmcstat: no function in the samples is called "foo::bar"
pmcstat: hint: of the log's 28 samples none is selected
