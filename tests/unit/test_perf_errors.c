// SPDX-License-Identifier: BSD-2-Clause
/* Who forbids profiling, in words, with the command that allows it. */
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "pmc/events/event_missing.h"
#include "pmc/perf/perf_attr.h"
#include "pmc/perf/perf_errors.h"
#include "pmc/perf/perf_rings.h"
#include "tree.h"
#include "unit.h"

static const struct perf_settings ordinary_user = {
	.paranoid = 2, .owns_target = true, .lockdown = "none"};

static void check(const struct perf_settings *st, bool system, bool kernel, const char *msg,
		  const char *hint)
{
	struct err err = {0};

	CHECK(perf_errors_denied(&err, st, 13, "cpu-clock", system, kernel) == -1);
	CHECK_U64(err.code, EX_NOPERM);
	if (!strstr(err.msg, msg))
		CHECK_STR(err.msg, msg);
	if (!strstr(err.hint, hint))
		CHECK_STR(err.hint, hint);
}

UNIT(paranoid_names_the_value_that_is_needed)
{
	check(&ordinary_user, true, true, "kernel.perf_event_paranoid is 2",
	      "sysctl kernel.perf_event_paranoid=0");
	check(&ordinary_user, false, true, "without CAP_PERFMON",
	      "sysctl kernel.perf_event_paranoid=1");
}

UNIT(a_setting_above_two_forbids_even_user_code)
{
	struct perf_settings st = ordinary_user;

	st.paranoid = 3;
	check(&st, false, false, "kernel.perf_event_paranoid is 3",
	      "sysctl kernel.perf_event_paranoid=2");
}

UNIT(root_without_the_capability_is_told_of_the_container)
{
	struct perf_settings st = ordinary_user;

	st.root = true;
	check(&st, true, true, "to a process without CAP_PERFMON", "--cap-add PERFMON");
}

UNIT(another_users_process_needs_ptrace)
{
	struct perf_settings st = ordinary_user;

	st.owns_target = false;
	check(&st, false, false, "the target belongs to another user", "cap_sys_ptrace");
}

/* A program that opens events itself can tell "busy" from "not there" and from "offline". */
UNIT(failures_of_perf_event_open_keep_their_errno_value)
{
	static const int same[] = {EBUSY, ENFILE, ENOMEM, ESRCH, ENOSYS, EMFILE, E2BIG};
	const struct perf_failure offline = {.error = ENODEV, .pid = -1, .cpu = 1};
	struct perf_machine machine = {0};
	struct perf_pmcs none = {0};
	struct err err = {0};
	size_t i;

	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		const struct perf_failure failure = {.error = same[i]};

		CHECK(perf_errors_open(&machine, &none, &failure, &err) == -1);
		CHECK_U64(err.error, same[i]);
	}
	CHECK(perf_errors_open(&machine, &none, &offline, &err) == -1);
	CHECK_STR(err.msg, "following processes and their maps on CPU 1: CPU 1 is offline");
	CHECK_U64(err.error, ENXIO);
}

UNIT(a_frequency_above_the_kernels_limit_is_told)
{
	struct pmc pmc = {.flags = PMC_F_FREQUENCY, .rate = INT64_MAX};
	struct perf_pmc p = {.pmc = &pmc};
	const struct perf_failure failure = {.error = EINVAL, .pmc = &p, .cpu = -1};
	struct perf_machine machine = {0};
	struct perf_pmcs none = {0};
	struct err err = {0};

	CHECK(perf_errors_open(&machine, &none, &failure, &err) == -1);
	CHECK(strstr(err.msg, " samples a second is above the kernel's limit of "));
	CHECK_STR(err.hint, "sysctl kernel.perf_event_max_sample_rate=9223372036854775807");
}

/* Rings tell the errno value and the CPU alone. */
UNIT(a_ring_that_may_not_be_locked_is_told_from_an_event_that_may_not_be_opened)
{
	const struct perf_failure ring = {.error = EPERM, .cpu = 3, .mapping = true};
	const struct perf_failure other = {.error = EINVAL, .cpu = 3, .mapping = true};
	struct perf_machine machine = {.page_size = 4096};
	struct perf_pmcs none = {0};
	struct err err = {0};

	CHECK(perf_errors_open(&machine, &none, &ring, &err) == -1);
	CHECK(strstr(err.msg, "no ring buffer on CPU 3, not even of 8 KiB: "));
	CHECK(strstr(err.hint, "sysctl kernel.perf_event_mlock_kb="));
	CHECK(perf_errors_open(&machine, &none, &other, &err) == -1);
	CHECK_STR(err.msg, "cannot map a ring buffer on CPU 3: Invalid argument");
	CHECK_U64(err.error, EINVAL);
}

UNIT(rings_say_that_mapping_failed_and_not_the_event)
{
	struct perf_rings *r = calloc(1, sizeof(*r));
	struct perf_failure failure;
	struct pmc_log_stats stats = {0};
	struct perf_event_attr attr;
	int fd;

	r->machine.page_size = sysconf(_SC_PAGESIZE);
	/* Which no kernel maps, with whatever rights. */
	r->machine.ring_pages = 3;
	CHECK(!perf_rings_init(r, &stats, NULL));
	CHECK(!vec_push(&r->machine.online.cpus, sched_getcpu()));
	perf_attr_of_nothing(&r->machine, &attr);
	fd = perf_open(&attr, 0, -1);
	if (fd < 0) {
		printf("# not looked at here: perf_event_open(2): %s\n", strerror(-fd));
	} else {
		close(fd);
		CHECK(perf_rings_open(r, &failure) == -1);
		CHECK(failure.mapping);
		CHECK_U64(failure.error, EINVAL);
		CHECK_U64(r->v.n, 0);
	}
	perf_rings_fini(r);
	free(r);
}

/* Has the tracepoint of exec(2), as it is seen from here. */
static bool has_tracepoint(void)
{
	return !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("none", "/sys/kernel/tracing", "tmpfs", 0, NULL) &&
	       !system("d=/sys/kernel/tracing/events/sched/sched_process_exec && mkdir -p $d && "
		       "echo 1 >$d/id");
}

UNIT(where_no_ring_of_execs_can_be_nothing_is_kept_for_them)
{
	struct perf_rings *r = calloc(1, sizeof(*r));
	struct pmc_log_stats stats = {0};
	int i;

	r->machine.page_size = sysconf(_SC_PAGESIZE);
	CHECK(!perf_rings_init(r, &stats, NULL));
	if (!has_tracepoint())
		printf("# not looked at here: mount(2): %s\n", strerror(errno));
	/* Which no machine has. */
	CHECK(!vec_push(&r->machine.online.cpus, 1 << 20));
	/* For every PMC that asks for them. */
	for (i = 0; i < 2; i++) {
		perf_rings_open_execs(r);
		CHECK_U64(r->records.execs.rings.n, 0);
		CHECK(!r->records.execs.merge.heap);
	}
	perf_rings_fini(r);
	free(r);
}

UNIT(a_process_with_more_capabilities_needs_ptrace)
{
	struct perf_settings st = ordinary_user;

	st.root = st.outranked = true;
	check(&st, false, false, "the target has more capabilities", "cap_sys_ptrace");
}

UNIT(settings_are_read_of_this_process_and_the_target)
{
	struct tree t = tree_new();
	struct perf_settings st;

	tree_file(&t, "proc/sys/kernel/perf_event_paranoid", "-1\n");
	tree_file(&t, "proc/self/status",
		  "CapPrm:\t0000004400080000\nCapEff:\t0000004000000000\nSeccomp:\t0\n");
	tree_file(&t, "proc/7/status", "CapPrm:\t0000000400080000\n");
	tree_file(&t, "proc/8/status", "CapPrm:\t0000000400200000\n");
	tree_file(&t, "sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	perf_settings_read(&st, t.root, 7);
	CHECK(st.paranoid == -1);
	CHECK(st.has_perfmon && !st.has_ptrace && !st.has_syslog && !st.has_ipc_lock);
	CHECK(!st.seccomp);
	CHECK(st.owns_target && !st.outranked);
	CHECK_STR(st.lockdown, "confidentiality");
	perf_settings_read(&st, t.root, 8);
	CHECK(st.outranked);
	tree_file(&t, "proc/self/uid_map", "         0          0 4294967295\n");
	perf_settings_read(&st, t.root, 0);
	CHECK(st.has_perfmon && !st.user_namespace);
	tree_free(&t);
}

UNIT(a_capability_counts_that_is_in_effect)
{
	struct tree t = tree_new();
	struct perf_settings st;

	perf_settings_read(&st, t.root, 0);
	CHECK(!st.has_perfmon && !st.has_ptrace && !st.has_syslog && !st.has_ipc_lock);
	tree_file(&t, "proc/self/status", "CapEff:\t0000000000004000\n");
	perf_settings_read(&st, t.root, 0);
	CHECK(!st.has_perfmon && !st.has_ptrace && !st.has_syslog && st.has_ipc_lock);
	tree_file(&t, "proc/self/status", "CapEff:\t0000000400080000\n");
	perf_settings_read(&st, t.root, 0);
	CHECK(!st.has_perfmon && st.has_ptrace && st.has_syslog && !st.has_ipc_lock);
	tree_free(&t);
}

UNIT(capabilities_of_a_user_namespace_do_not_count)
{
	struct tree t = tree_new();
	struct perf_settings st;

	tree_file(&t, "proc/sys/kernel/perf_event_paranoid", "2\n");
	tree_file(&t, "proc/self/status", "CapPrm:\t000001ffffffffff\nCapEff:\t000001ffffffffff\n");
	tree_file(&t, "proc/self/uid_map", "         0       1000          1\n");
	perf_settings_read(&st, t.root, 0);
	CHECK(st.user_namespace && !st.has_perfmon && !st.has_ptrace && !st.has_syslog);
	CHECK(!st.has_ipc_lock);
	check(&st, false, true, "kernel.perf_event_paranoid is 2",
	      "as root of the machine: sysctl kernel.perf_event_paranoid=1");
	tree_free(&t);
}

UNIT(where_nothing_else_forbids_it_seccomp_does)
{
	struct perf_settings st = {.paranoid = -1,
				   .has_perfmon = true,
				   .root = true,
				   .seccomp = true,
				   .owns_target = true};

	check(&st, false, false, "a seccomp filter denies perf_event_open(2)",
	      "--security-opt seccomp=");
}

UNIT(lockdown_forbids_the_kernel_even_to_root)
{
	struct perf_settings st = {.paranoid = 2,
				   .has_perfmon = true,
				   .root = true,
				   .owns_target = true,
				   .lockdown = "confidentiality"};

	check(&st, true, true, "lockdown in \"confidentiality\" mode", "lockdown=integrity");
}

UNIT(what_is_left_is_a_security_module)
{
	struct perf_settings st = {.paranoid = -1, .has_perfmon = true, .owns_target = true};

	check(&st, false, false, "perf_event_open(2) is not permitted", "audit log");
}

/* ---- What a machine lacks ---- */

/* A PMU and its kernel, as perf_event_open(2) shows them to the user at hand. */
static struct {
	bool has_pmu, has_bus_cycles, has_caches, interrupts, modes, paranoid, forbidden;
	struct perf_event_attr lacks; /* what it cannot leave out */
	int refusal;		      /* of modes */
	unsigned int max_precise;
} pmu;

static void pmu_is_good(void)
{
	memset(&pmu, 0, sizeof(pmu));
	pmu.has_pmu = pmu.interrupts = pmu.modes = true;
	pmu.refusal = -EINVAL;
}

static bool is_refused_mode(const struct perf_event_attr *a)
{
	if (!pmu.modes && (a->exclude_user || a->exclude_kernel || a->exclude_hv))
		return true;
	return (pmu.lacks.exclude_hv && a->exclude_hv) ||
	       (pmu.lacks.exclude_host && a->exclude_host) ||
	       (pmu.lacks.exclude_guest && a->exclude_guest) ||
	       (pmu.lacks.exclude_idle && a->exclude_idle) ||
	       (pmu.lacks.exclude_user && a->exclude_user && a->exclude_guest);
}

static int play_pmu(const struct perf_event_attr *a)
{
	if (!pmu.has_pmu)
		return -ENOENT;
	if (a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_BUS_CYCLES &&
	    !pmu.has_bus_cycles)
		return -ENOENT;
	if (a->type == PERF_TYPE_HW_CACHE && !pmu.has_caches)
		return -EINVAL;
	if (is_refused_mode(a))
		return pmu.refusal;
	if (a->precise_ip > pmu.max_precise)
		return -EOPNOTSUPP;
	if (a->precise_ip && !a->sample_period)
		return -EINVAL;
	return a->sample_period && !pmu.interrupts ? -EOPNOTSUPP : 0;
}

static int play(struct perf_event_attr *a, pid_t pid, int cpu)
{
	(void)cpu;
	if (pmu.forbidden || (pmu.paranoid && (pid < 0 || !a->exclude_kernel)))
		return -EACCES;
	return a->type == PERF_TYPE_SOFTWARE ? 0 : play_pmu(a);
}

/* pmcint_event_missing() of spec where max_precise is in t's files ("": is not there). */
static bool missing(const char *spec, bool sampling, const char *max_precise, struct err *err)
{
	struct tree t = tree_new();
	struct pmc_eventspec event;
	struct perf_event_attr attr = {.size = sizeof(attr)};
	const struct event_refusal r = {t.root, play, &event, &attr, EINVAL};
	bool is_missing;

	tree_file(&t, "sys/bus/event_source/devices/cpu/type", "4\n");
	if (max_precise[0])
		tree_file(&t, "sys/bus/event_source/devices/cpu/caps/max_precise", max_precise);
	CHECK(!pmcint_event_parse_at(t.root, spec, &event, NULL));
	attr.type = event.type;
	attr.config = event.config;
	attr.precise_ip = event.precise & 3;
	attr.exclude_kernel = event.exclude_kernel;
	attr.exclude_user = event.exclude_user;
	attr.exclude_hv = !event.hypervisor;
	attr.exclude_guest = !event.guest;
	attr.exclude_host = event.guest && !event.host;
	attr.exclude_idle = event.not_idle;
	attr.sample_period = sampling ? 100000 : 0;
	is_missing = pmcint_event_missing(&r, err);
	tree_free(&t);
	return is_missing;
}

static void check_missing(const char *spec, bool sampling, const char *max_precise, const char *msg,
			  const char *hint)
{
	struct err err = {0};

	CHECK(missing(spec, sampling, max_precise, &err));
	CHECK_STR(err.msg, msg);
	CHECK_STR(err.hint, hint);
	CHECK_U64(err.code, EX_UNAVAILABLE);
}

UNIT(without_a_pmu_there_are_no_counters)
{
	pmu_is_good();
	pmu.has_pmu = false;
	check_missing("cycles", false, "",
		      "this machine has no counters for cycles (a virtual machine without a PMU?)",
		      "these work: cpu-clock, task-clock, page-faults, context-switches, "
		      "cpu-migrations");
}

UNIT(an_event_that_the_pmu_lacks_is_named_and_those_of_the_cpu_that_work)
{
	static const char working[] =
		"these work: cycles, instructions, branches, branch-misses, cache-references, "
		"cache-misses, cpu-clock, task-clock, page-faults, context-switches, "
		"cpu-migrations";

	pmu_is_good();
	check_missing("bus-cycles", false, "",
		      "the PMU of this machine's CPUs cannot count bus-cycles", working);
	check_missing("LLC-loads", true, "",
		      "the PMU of this machine's CPUs cannot count LLC-loads", working);
	pmu.has_caches = true;
	CHECK(!missing("LLC-loads", true, "", NULL));
}

UNIT(precise_sampling_is_told_from_the_event)
{
	static const char late[] = "leave it out: samples are then of a few instructions later";

	pmu_is_good();
	check_missing("cycles:p", true, "0\n",
		      "cycles:p: this machine has no precise sampling: "
		      "/sys/bus/event_source/devices/cpu/caps/max_precise is 0",
		      late);
	check_missing("cycles:p", true, "",
		      "cycles:p: this machine has no precise sampling: "
		      "/sys/bus/event_source/devices/cpu/caps/max_precise is not there",
		      late);
	pmu.max_precise = 2;
	CHECK(!missing("cycles:pp", true, "2\n", NULL));
	check_missing("cycles:ppp", true, "2\n",
		      "cycles:ppp: precise sampling of level 3 is above 2, the highest of this "
		      "machine (/sys/bus/event_source/devices/cpu/caps/max_precise)",
		      "precise=2");
	check_missing("cycles:p", false, "2\n",
		      "cycles:p: precision is of samples, and this PMC counts", "leave it out");
	pmu.max_precise = 0;
	check_missing("cycles:p", true, "2\n",
		      "cycles:p: the PMU cannot sample this event precisely, as it can others",
		      late);
}

UNIT(a_pmu_without_interrupts_counts_only)
{
	pmu_is_good();
	pmu.interrupts = false;
	check_missing("cycles", true, "",
		      "cycles can be counted, but its PMU has no interrupt to sample by",
		      "count it with -p or -s, or sample cpu-clock");
	CHECK(!missing("cycles", false, "", NULL));
}

UNIT(a_pmu_that_knows_no_modes_is_told_by_the_modifier)
{
	pmu_is_good();
	pmu.modes = false;
	check_missing("cycles:u", false, "", "cycles:u: its PMU cannot count user mode alone",
		      "leave out the modifier u");
	check_missing("cycles:k", false, "", "cycles:k: its PMU cannot count kernel mode alone",
		      "leave out the modifier k");
	check_missing("cycles:h", false, "",
		      "cycles:h: its PMU cannot count the mode of a hypervisor alone",
		      "leave out the modifier h");
	/* As those of old ARM CPUs say it. */
	pmu.refusal = -EOPNOTSUPP;
	check_missing("cycles,usr", true, "", "cycles,usr: its PMU cannot count user mode alone",
		      "leave out the modifier u");
}

UNIT(what_a_pmu_cannot_leave_out_is_named_though_nobody_asked_for_it)
{
	static const char guests[] = "write the modifiers GH, which count guests too";

	pmu_is_good();
	pmu.lacks.exclude_guest = 1;
	check_missing("cycles", false, "", "cycles: its PMU cannot leave out guests", guests);
	check_missing("cycles:u", true, "", "cycles:u: its PMU cannot leave out guests", guests);
	check_missing("cycles:H", false, "", "cycles:H: its PMU cannot leave out guests",
		      "leave out the modifier H");
	CHECK(!missing("cycles:GH", false, "", NULL));
	/* An ordinary user may not try it in all modes. */
	pmu.paranoid = true;
	check_missing("cycles:u", false, "", "cycles:u: its PMU cannot leave out guests", guests);
	pmu_is_good();
	pmu.lacks.exclude_hv = 1;
	check_missing("cycles", false, "",
		      "cycles: its PMU cannot leave out the mode of a hypervisor",
		      "write the modifiers ukh, which count it too");
	check_missing("cycles:u", false, "",
		      "cycles:u: its PMU cannot leave out the mode of a hypervisor",
		      "leave out the modifiers");
}

UNIT(modifiers_that_a_pmu_refuses_are_named)
{
	pmu_is_good();
	pmu.lacks.exclude_host = pmu.lacks.exclude_idle = 1;
	check_missing("cycles:uG", false, "", "cycles:uG: its PMU cannot count guests alone",
		      "leave out the modifier G");
	check_missing("cycles:uI", false, "", "cycles:uI: its PMU cannot leave out the idle task",
		      "leave out the modifier I");
	CHECK(!missing("cycles:uGH", false, "", NULL));
	pmu_is_good();
	pmu.lacks.exclude_user = 1;
	check_missing("cycles:k", false, "", "cycles:k: its PMU cannot count these modes together",
		      "leave out the modifiers");
}

UNIT(what_is_lacking_is_found_without_rights_too)
{
	pmu_is_good();
	pmu.paranoid = true;
	check_missing("bus-cycles:k", false, "",
		      "the PMU of this machine's CPUs cannot count bus-cycles:k",
		      "these work: cycles, instructions, branches, branch-misses, "
		      "cache-references, cache-misses, cpu-clock, task-clock, page-faults");
	CHECK(!missing("cycles:k", false, "", NULL));
	CHECK(!missing("cycles", true, "", NULL));
	pmu.forbidden = true;
	CHECK(!missing("bus-cycles", false, "", NULL));
}

UNIT_MAIN(UNIT_ENTRY(without_a_pmu_there_are_no_counters),
	  UNIT_ENTRY(an_event_that_the_pmu_lacks_is_named_and_those_of_the_cpu_that_work),
	  UNIT_ENTRY(precise_sampling_is_told_from_the_event),
	  UNIT_ENTRY(a_pmu_without_interrupts_counts_only),
	  UNIT_ENTRY(a_pmu_that_knows_no_modes_is_told_by_the_modifier),
	  UNIT_ENTRY(what_a_pmu_cannot_leave_out_is_named_though_nobody_asked_for_it),
	  UNIT_ENTRY(modifiers_that_a_pmu_refuses_are_named),
	  UNIT_ENTRY(what_is_lacking_is_found_without_rights_too),
	  UNIT_ENTRY(paranoid_names_the_value_that_is_needed),
	  UNIT_ENTRY(a_setting_above_two_forbids_even_user_code),
	  UNIT_ENTRY(root_without_the_capability_is_told_of_the_container),
	  UNIT_ENTRY(another_users_process_needs_ptrace),
	  UNIT_ENTRY(failures_of_perf_event_open_keep_their_errno_value),
	  UNIT_ENTRY(a_frequency_above_the_kernels_limit_is_told),
	  UNIT_ENTRY(a_ring_that_may_not_be_locked_is_told_from_an_event_that_may_not_be_opened),
	  UNIT_ENTRY(rings_say_that_mapping_failed_and_not_the_event),
	  UNIT_ENTRY(where_no_ring_of_execs_can_be_nothing_is_kept_for_them),
	  UNIT_ENTRY(a_process_with_more_capabilities_needs_ptrace),
	  UNIT_ENTRY(settings_are_read_of_this_process_and_the_target),
	  UNIT_ENTRY(a_capability_counts_that_is_in_effect),
	  UNIT_ENTRY(capabilities_of_a_user_namespace_do_not_count),
	  UNIT_ENTRY(where_nothing_else_forbids_it_seccomp_does),
	  UNIT_ENTRY(lockdown_forbids_the_kernel_even_to_root),
	  UNIT_ENTRY(what_is_left_is_a_security_module))
