Counts of processes by an event on each CPU, which goes with its CPU and is made anew when that comes back.  Not
with the PMU of pmutest.ko, whose interrupts a CPU that comes back does not have.
== machine a61 a612
== run a CPU goes and comes back
# The process is on CPU 1 at the end.
targets -c hotplug | tail -n 1
== out
the process: counts
