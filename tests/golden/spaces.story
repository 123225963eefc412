A sample is resolved by the maps of its own time: over exec, fork, munmap, a pid used again, and after
the process's exit.
== elf old
type exec
text 0x401000 0x1000
symbol old_fn 0x401000 0x1000
== elf new
type exec
text 0x401000 0x1000
symbol new_fn 0x401000 0x1000
== elf lib
type dyn
text 0x1000 0x1000
symbol lib_fn 0x1000 0x1000
== log exec.log
pmc 1 cpu-clock
exec 10 old
map 10 0x401000 0x1000 old off=0x1000
sample 10 0x401010
exec 10 new
map 10 0x401000 0x1000 new off=0x1000
sample 10 0x401010 x2
== run exec replaces every map
pmcstat -q -R exec.log --folded
== out
new;new_fn 2
old;old_fn 1
== log fork.log
pmc 1 cpu-clock
exec 10 old
map 10 0x401000 0x1000 old off=0x1000
fork 10 11
sample 11 0x401010 x2
map 11 0x7f0000001000 0x1000 lib off=0x1000
sample 11 0x7f0000001010 x3
sample 10 0x7f0000001010 x5
== run a forked child keeps its parent's maps, the parent does not get the child's
pmcstat -q -R fork.log --folded
== out
old;[unknown] 5
old;lib_fn 3
old;old_fn 2
== log unmap.log
pmc 1 cpu-clock
exec 10 old
map 10 0x7f0000001000 0x1000 lib off=0x1000
sample 10 0x7f0000001010 x2
unmap 10 0x7f0000001000 0x7f0000002000
sample 10 0x7f0000001010 x3
map 10 0x7f0000001000 0x1000 new off=0x1000
sample 10 0x7f0000001010 x4
== run an address means what was mapped there at the time
pmcstat -q -R unmap.log --flat | sed '$d'
== out
@ cpu-clock [9 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  44.44          4   44.44          4  new_fn  new
  33.33          3   33.33          3  [unknown]  [unknown]
  22.22          2   22.22          2  lib_fn  lib

== log reuse.log
pmc 1 cpu-clock
exec 10 old
map 10 0x401000 0x1000 old off=0x1000
sample 10 0x401010
exit 10
sample 10 0x401010 x2
fork 1 10
sample 10 0x401010 x4
proc 10 fresh
exec 10 new
map 10 0x401000 0x1000 new off=0x1000
sample 10 0x401010 x8
== run late samples belong to the process that exited, later ones to the new one
pmcstat -q -R reuse.log --folded
== out
new;new_fn 8
old;old_fn 3
pid-1;[unknown] 4
