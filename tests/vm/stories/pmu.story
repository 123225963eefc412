What tests/system/pmu.sh asks of a CPU's counters, of those that an emulated CPU of arm64 has.
== machine a61-exact
== run loops of known instructions, by the module
cat >checks <<'END'
srcdir=/pmc/bin builddir=/pmc/bin LOOP=/pmc/bin/loop LONGEST=100000000 sh /pmc/bin/tests/system/pmu.sh >said
# Interrupts of these counters come at ticks alone.
grep -v samples said | sed -n '/^not ok/,/^ok/p; s/^ok [0-9]* - \([^#]*\)$/\1/p'
END
sh checks
== out
a loop of 2000 instructions
a loop of 200000 instructions
a loop of 20000000 instructions
a loop of 200000000 instructions
user and kernel mode make both
what -w shows adds up to what -C shows
and that is all
== run by perf, more PMCs than counters too
rmmod hwpmc
sh checks
insmod /pmc/hwpmc.ko
== out
a loop of 2000 instructions
a loop of 200000 instructions
a loop of 20000000 instructions
a loop of 200000000 instructions
user and kernel mode make both
what -w shows adds up to what -C shows
and that is all
7 PMCs, each told the share of time that it counted
9 PMCs, each told the share of time that it counted
12 PMCs, each told the share of time that it counted
