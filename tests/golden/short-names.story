Reports for people show names without long template arguments, objects by the last part of their
paths, and no rows of nothing; what becomes the same that way stays in full.  Outputs for programs
have all of it.
== elf bin/app
type exec
text 0x401000 0x1000
symbol _ZN1A4sortISt4pairIilEEEvT_ 0x401000 0x100
symbol _ZN1A4findISt6vectorISt4pairIicEEEEvT_ 0x401100 0x100
symbol _ZN1A4findISt6vectorISt4pairIihEEEEvT_ 0x401200 0x100
symbol _ZN1B3runESt8functionIFvSt6vectorIiSaIiEEEE 0x401300 0x100
symbol main 0x401400 0x100
symbol rare_caller 0x401500 0x100
== elf a/lib.so
text 0x1000 0x1000
symbol of_a 0x1000 0x100
== elf b/lib.so
text 0x1000 0x1000
symbol of_b 0x1000 0x100
== log out.log
pmc 1 cpu-clock
exec 10 bin/app
map 10 0x401000 0x1000 bin/app off=0x1000
map 10 0x7f0000001000 0x1000 a/lib.so off=0x1000
map 10 0x7f0000101000 0x1000 b/lib.so off=0x1000
sample 10 0x401010,0x401310,0x401410 x10
sample 10 0x401110,0x401310,0x401410 x6
sample 10 0x401210,0x401510,0x401410 x2
sample 10 0x7f0000001010,0x401510,0x401410
sample 10 0x7f0000101010,0x401510,0x401410
== run functions with samples of their own, and the hottest path
pmcstat -q -R out.log --flat | head -n -2
== out
@ cpu-clock [20 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  50.00         10   50.00         10  void A::sort<..>(std::pair<int, long>)  app
  30.00          6   30.00          6  void A::find<std::vector<std::pair<int, char> > >(std::vector<std::pair<int, char> >)  app
  10.00          2   10.00          2  void A::find<std::vector<std::pair<int, unsigned char> > >(std::vector<std::pair<int, unsigned char> >)  app
   5.00          1    5.00          1  of_a  a/lib.so
   5.00          1    5.00          1  of_b  b/lib.so
   0.00          0  100.00         20  main  app
   0.00          0   80.00         16  B::run(std::function<..>)  app
(functions that show 0.00 by themselves, not on the hottest path: 1; -f threshold=0 shows them)
== run a threshold is for what functions called too
pmcstat -q -R out.log --flat -f threshold=20 --rows 3 | head -n -2
== out
@ cpu-clock [20 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  50.00         10   50.00         10  void A::sort<..>(std::pair<int, long>)  app
  30.00          6   30.00          6  void A::find<std::vector<std::pair<int, char> > >(std::vector<std::pair<int, char> >)  app
   0.00          0  100.00         20  main  app
(functions below 20 %: 3)
(functions behind these: 2)
== run --full-names with all rows
pmcstat -q -R out.log --flat --full-names -f threshold=0 | head -n -2 | sed 's/.*[0-9]  //'
== out
@ cpu-clock [20 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
void A::sort<std::pair<int, long> >(std::pair<int, long>)  bin/app
void A::find<std::vector<std::pair<int, char> > >(std::vector<std::pair<int, char> >)  bin/app
void A::find<std::vector<std::pair<int, unsigned char> > >(std::vector<std::pair<int, unsigned char> >)  bin/app
of_a  a/lib.so
of_b  b/lib.so
main  bin/app
B::run(std::function<void (std::vector<int, std::allocator<int> >)>)  bin/app
rare_caller  bin/app
== run the tree
pmcstat -q -R out.log --tree | sed '1,2d;/^$/,$d;s/^.\{25\} *//'
== out
main @ app
B::run(std::function<..>)
void A::sort<..>(std::pair<int, long>)
void A::find<std::vector<std::pair<int, char> > >(std::vector<std::pair<int, char> >)
rare_caller
void A::find<std::vector<std::pair<int, unsigned char> > >(std::vector<std::pair<int, unsigned char> >)
of_a @ a/lib.so
of_b @ b/lib.so
== run a name is taken as it is shown
pmcstat -q -R out.log --callers 'B::run(std::function<..>)' | sed -n 3p
== out
B::run(std::function<..>) @ app: 16 samples (80.00%), 0 of them its own
== run a table of three functions
pmcstat -q -R out.log --rows 3 | sed -n '/FUNCTION/,/more/p'
== out
 SELF%  TOTAL%  FUNCTION  OBJECT
 50.00   50.00  void A::sort<..>(std::pair<int, long>)  app
 30.00   30.00  void A::find<std::vector<std::pair<int, char> > >(std::vector<std::pair<int, char> >)  app
 10.00   10.00  void A::find<std::vector<std::pair<int, unsigned char> > >(std::vector<std::pair<int, unsigned char> >)  app
                2 more
== run outputs that programs read have names in full
for output in folded json addresses=- graph=- speedscope=- callgrind=-; do
	echo "$output $(pmcstat -q -R out.log --$output | grep -c 'function<void.*std::allocator<int>') $(pmcstat -q -R out.log --$output | grep -c 'sort<\.\.>')"
done
== out
folded 2 0
json 1 0
addresses=- 16 0
graph=- 2 0
speedscope=- 1 0
callgrind=- 1 0
== log base.log
pmc 1 cpu-clock
exec 10 bin/app
map 10 0x401000 0x1000 bin/app off=0x1000
sample 10 0x401010,0x401310,0x401410 x400
sample 10 0x401210,0x401410 x300
sample 10 0x401410 x300
== log now.log
pmc 1 cpu-clock
exec 10 bin/app
map 10 0x401000 0x1000 bin/app off=0x1000
sample 10 0x401010,0x401310,0x401410 x100
sample 10 0x401110,0x401410 x300
sample 10 0x401410 x600
== run what changed from one log to another: names that would become the same in the two stay in full
pmcstat -q -R now.log --diff base.log | sed '1d;/^Functions by the samples/,$d'
echo FULL NAMES
pmcstat -q -R now.log --diff base.log --full-names | sed '1d;/^Functions by the samples/,$d;s/.*[0-9]  //'
== out

Functions by their own samples
 CHANGE    +-  SURE    BASE%    NOW%       BASE        NOW  FUNCTION  OBJECT
 -30.00  1.82  real    40.00   10.00        400        100  void A::sort<..>(std::pair<int, long>)  app
 +30.00  2.12  real    30.00   60.00        300        600  main  app
 +30.00  1.45  real     0.00   30.00          0        300  void A::find<std::vector<std::pair<int, char> > >(std::vector<std::pair<int, char> >)  app
 -30.00  1.45  real    30.00    0.00        300          0  void A::find<std::vector<std::pair<int, unsigned char> > >(std::vector<std::pair<int, unsigned char> >)  app

FULL NAMES

Functions by their own samples
 CHANGE    +-  SURE    BASE%    NOW%       BASE        NOW  FUNCTION  OBJECT
void A::sort<std::pair<int, long> >(std::pair<int, long>)  bin/app
main  bin/app
void A::find<std::vector<std::pair<int, char> > >(std::vector<std::pair<int, char> >)  bin/app
void A::find<std::vector<std::pair<int, unsigned char> > >(std::vector<std::pair<int, unsigned char> >)  bin/app

