The errors of hwpmc(4) through pmc(3), line by line of its section ERRORS; those that cannot come are skipped.
== machine smp
== run by the kernel module
echo 1 >/proc/sys/kernel/perf_event_paranoid
PMC_TEST_CPU=1 api_errors hwpmc | grep -v '^ok'
== out
1..51
== run by perf
echo 1 >/proc/sys/kernel/perf_event_paranoid
PMC_TEST_CPU=1 api_errors perf | grep -v '^ok'
== out
1..51
