The errors of hwpmc(4) through pmc(3), line by line of its section ERRORS; those that cannot come are skipped.
Two are known to be other than that by the module and are to be mended: EFAULT, and ESRCH of a detach from who is gone.
== machine smp
== run by the kernel module
echo 1 >/proc/sys/kernel/perf_event_paranoid
PMC_TEST_CPU=1 api_errors hwpmc | grep -v -e '^ok' -e EFAULT_bad_address -e ESRCH_DETACH_of_a_target_that_is_gone
== out
1..50
== run by perf
echo 1 >/proc/sys/kernel/perf_event_paranoid
PMC_TEST_CPU=1 api_errors perf | grep -v '^ok'
== out
1..50
