// SPDX-License-Identifier: BSD-2-Clause
/* The pmc(3) API over the fake collector: states, errors, and the log it writes. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "fake.h"
#include "pmclog/reader.h"

static int open_log(const char *name)
{
	char path[PATH_MAX];

	return open(tree_path(&room, name, path), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

#define CHECK_FAILS(call, want_errno, want_msg)   \
	do {                                      \
		errno = 0;                        \
		CHECK((call) == -1);              \
		CHECK_U64(errno, want_errno);     \
		CHECK_STR(pmc_error(), want_msg); \
	} while (0)

/* One record in a few words. */
static void describe(const struct pmclog_record *r, char *text, size_t size)
{
	switch (r->type) {
	case PMCLOG_WIRE_INITIALIZE:
		snprintf(text, size, "init %s %s %s", r->u.init.host.s, r->u.init.collector.s,
			 r->u.init.command.len ? r->u.init.command.s : "-");
		break;
	case PMCLOG_WIRE_PMCALLOCATEDYN:
		snprintf(text, size, "alloc %x %s flags %x rate %llu%s depth %u", r->u.alloc.pmcid,
			 r->u.alloc.name.s, r->u.alloc.flags, (unsigned long long)r->u.alloc.rate,
			 r->u.alloc.frequency ? " hz" : "", r->u.alloc.max_depth);
		break;
	case PMCLOG_WIRE_PMCATTACH:
		snprintf(text, size, "attach %x %s", r->u.attach.pmcid,
			 r->u.attach.pid == (uint32_t)getpid() ? "me" : "other");
		break;
	case PMCLOG_WIRE_PMCDETACH: snprintf(text, size, "detach %x", r->u.attach.pmcid); break;
	case PMCLOG_WIRE_PROCEXEC:
		snprintf(text, size, "exec %u %x %s", r->u.exec.pid, r->u.exec.pmcid,
			 r->u.exec.path.s);
		break;
	case PMCLOG_WIRE_CALLCHAIN:
		snprintf(text, size, "sample %u/%u %x cpu %u %c x%u", r->u.chain.pid,
			 r->u.chain.tid, r->u.chain.pmcid, r->u.chain.cpu,
			 r->u.chain.usermode ? 'u' : 's', r->u.chain.npcs);
		break;
	case PMCLOG_WIRE_USERDATA: snprintf(text, size, "user %x", r->u.user.userdata); break;
	case PMCLOG_WIRE_DROPNOTIFY:
		snprintf(text, size, "drop %llu cause %u", (unsigned long long)r->u.drop.count,
			 r->u.drop.cause);
		break;
	case PMCLOG_WIRE_CLOSELOG: snprintf(text, size, "close"); break;
	default: snprintf(text, size, "type %d", (int)r->type); break;
	}
}

/* Checks that the log open at fd holds these records and no others; closes it. */
static void check_log(int fd, const char *want)
{
	char got[4096] = "", line[256];
	struct pmclog_reader *r;
	struct pmclog_record rec;
	struct err err = {0};
	enum pmclog_result result;

	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	r = pmclog_reader_open_fd(fd, "log", &err);
	CHECK(r != NULL);
	while ((result = pmclog_reader_next(r, &rec, &err)) == PMCLOG_RESULT_OK) {
		describe(&rec, line, sizeof(line));
		if (strlen(got) + strlen(line) + 2 < sizeof(got))
			strcat(strcat(got, line), "\n");
	}
	CHECK_U64(result, PMCLOG_RESULT_EOF);
	CHECK_STR(err.msg, "");
	CHECK_STR(got, want);
	pmclog_reader_close(r);
	close(fd);
}

UNIT(nothing_works_before_init)
{
	pmc_id_t id;

	CHECK_FAILS(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), ENXIO,
		    "no collector is open: pmc_init() comes first");
	CHECK_FAILS(pmc_start(0), ENXIO, "no collector is open: pmc_init() comes first");
	CHECK_FAILS(pmc_configure_logfile(1), ENXIO,
		    "no collector is open: pmc_init() comes first");
	CHECK(!pmc_finished());
}

UNIT(a_collector_that_cannot_open_says_why)
{
	char spec[PATH_MAX + 5] = "fake:";
	char want[PATH_MAX + 64];

	CHECK_FAILS(pmc_set_collector("oprofile"), EINVAL, "unknown collector \"oprofile\"");
	CHECK_STR(pmc_error_hint(), "collectors: auto, hwpmc, perf, fake:FILE");
	CHECK(pmc_set_collector("fake") == 0);
	CHECK_FAILS(pmc_init(), EINVAL, "the fake collector needs a script");
	CHECK(pmc_set_collector("fake:/nonexistent") == 0);
	CHECK_FAILS(pmc_init(), ENOENT, "/nonexistent: No such file or directory");
	CHECK_U64(pmc_error_code(), EX_NOINPUT);

	room = tree_new();
	tree_file(&room, "script", "# fine\nexec 10 /bin/app\nsampel 10 0x1\n");
	tree_path(&room, "script", spec + 5);
	CHECK(pmc_set_collector(spec) == 0);
	snprintf(want, sizeof(want), "%s: line 3, column 1: unknown statement \"sampel\"",
		 spec + 5);
	CHECK_FAILS(pmc_init(), EINVAL, want);
	CHECK_U64(pmc_error_code(), EX_DATAERR);
	fake_end();
}

/* The lowest number that no descriptor has. */
static int free_descriptor(void)
{
	int fd = dup(STDOUT_FILENO);

	close(fd);
	return fd;
}

UNIT(a_script_does_not_stay_open)
{
	int was = free_descriptor();

	fake_begin("exec 10 /bin/app\n");
	fake_end();
	CHECK_U64(free_descriptor(), was);
}

UNIT(allocation_checks_its_arguments)
{
	const char *hard = "CLOCK.HARD";
	pmc_id_t id = 7;

	fake_begin("");
	CHECK_FAILS(pmc_allocate(hard, (enum pmc_mode)4, 0, 0, &id, 0), EINVAL,
		    "mode 4 is none of SS, SC, TS and TC");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_INVALID, 0, 0, &id, 0), EINVAL,
		    "mode -1 is none of SS, SC, TS and TC");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_SS, 0x8000, 0, &id, 0), EINVAL,
		    "the flags 0x8000 are not known");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_SS, PMC_F_DESCENDANTS, 0, &id, 0), EINVAL,
		    "the flags 0x2 need process scope");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_TS, PMC_F_LOG_PROCCSW, PMC_CPU_ANY, &id, 0), EINVAL,
		    "counts at switches and exits need counting mode");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_TC, PMC_F_FREQUENCY, PMC_CPU_ANY, &id, 9), EINVAL,
		    "a frequency needs sampling mode");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_TS, PMC_F_FREQUENCY, PMC_CPU_ANY, &id, 0), EINVAL,
		    "CLOCK.HARD: a frequency of 0 samples a second");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_TS, PMC_F_USERCALLCHAIN, PMC_CPU_ANY, &id, 0),
		    EINVAL, "user call chains need PMC_F_CALLCHAIN");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_SC, PMC_F_KGMON, 0, &id, 0), EINVAL,
		    "PMC_F_KGMON is for system-scope sampling without call chains");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_SS, PMC_F_KGMON, 0, &id, 0), EOPNOTSUPP,
		    "the collector fake cannot count samples into a histogram");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_TS, 0, 0, &id, 0), EINVAL,
		    "process scope takes PMC_CPU_ANY, not CPU 0");
	CHECK_FAILS(pmc_allocate(hard, PMC_MODE_SS, 0, PMC_CPU_ANY, &id, 0), EINVAL,
		    "system scope takes a CPU from 0 to 4094, not -1");
	CHECK_FAILS(pmc_allocate("cylces", PMC_MODE_SS, 0, 0, &id, 0), EINVAL,
		    "unknown event \"cylces\"");
	CHECK_U64(pmc_error_code(), EX_USAGE);
	CHECK_FAILS(
		pmc_allocate("interrupts", PMC_MODE_SS, 0, 0, &id, 0), EINVAL,
		"interrupts: no event of Linux sees all interrupts, use irq:irq_handler_entry for "
		"devices");
	CHECK_U64(pmc_error_code(), EX_UNAVAILABLE);
	CHECK_U64(id, 7);
	fake_end();
}

UNIT(pmcids_hold_cpu_mode_class_and_a_row_of_the_class)
{
	pmc_id_t a, b, c, d, e;

	fake_begin("");
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &a, 0) == 0);
	CHECK(pmc_allocate("instructions", PMC_MODE_TC, 0, PMC_CPU_ANY, &b, 0) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_SS, 0, 0, &c, 0) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_SS, 0, 3, &d, 0) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_SC, 0, 3, &e, 0) == 0);
	CHECK_U64(a, 0xfff02f00);
	CHECK_U64(b, 0xfff03111);
	CHECK_U64(c, 0x00000f01);
	CHECK_U64(d, 0x00300f01);
	CHECK_U64(e, 0x00301f02);
	CHECK_U64(PMC_ID_TO_CPU(e), 3);
	CHECK_U64(PMC_ID_TO_MODE(e), PMC_MODE_SC);
	CHECK_U64(PMC_ID_TO_CLASS(e), PMC_CLASS_SOFT);
	CHECK_U64(PMC_ID_TO_ROWINDEX(e), 2);
	CHECK(pmc_release(a) == 0);
	CHECK(pmc_allocate("page-faults", PMC_MODE_TC, 0, PMC_CPU_ANY, &a, 0) == 0);
	CHECK_U64(a, 0xfff03f00);
	CHECK_FAILS(pmc_set_collector("auto"), EBUSY,
		    "the collector cannot change while PMCs or a log exist");
	CHECK(!pmc_release(a) && !pmc_release(b) && !pmc_release(c) && !pmc_release(d) &&
	      !pmc_release(e));
	fake_end();
}

/* "DISPOSITION owner mode event reload" of a row. */
static const char *row_text(int cpu, uint32_t row, char *text, size_t size)
{
	struct pmc_pmcinfo *info;
	struct pmc_info *r;

	snprintf(text, size, "?");
	CHECK(pmc_pmcinfo(cpu, &info) == 0);
	r = &info->pm_pmcs[row];
	CHECK_U64(info->pm_cpu, cpu);
	if (r->pm_ownerpid == getpid())
		snprintf(text, size, "%s %s mine %s %s %llu", r->pm_name,
			 pmc_name_of_disposition(r->pm_rowdisp), pmc_name_of_mode(r->pm_mode),
			 pmc_name_of_event(r->pm_event), (unsigned long long)r->pm_reloadcount);
	else if (r->pm_ownerpid == -1)
		snprintf(text, size, "%s %s", r->pm_name, pmc_name_of_disposition(r->pm_rowdisp));
	free(info);
	return text;
}

UNIT(a_row_is_used_in_one_scope)
{
	const struct pmc_cpuinfo *info;
	pmc_id_t process, system, other;
	char text[128];
	int other_cpu = pmc_cpu_is_online(1) ? 1 : 0;

	fake_begin("");
	CHECK(pmc_cpuinfo(&info) == 0);
	CHECK(info->pm_nclass == 3 && info->pm_npmc == 21 && pmc_npmc(0) == 21);
	CHECK_STR(row_text(0, 0, text, sizeof(text)), "SOFT-0 FREE");
	CHECK_STR(row_text(0, 16, text, sizeof(text)), "TSC-0 FREE");
	CHECK_STR(row_text(0, 20, text, sizeof(text)), "CPU-3 FREE");
	CHECK(!pmc_allocate("page-faults", PMC_MODE_TS, 0, PMC_CPU_ANY, &process, 70));
	CHECK(!pmc_allocate("cpu-clock", PMC_MODE_SC, 0, 0, &system, 0));
	CHECK(!pmc_allocate("instructions:u", PMC_MODE_SC, 0, 0, &other, 0));
	CHECK_STR(row_text(0, 0, text, sizeof(text)), "SOFT-0 THREAD mine TS page-faults 70");
	CHECK_STR(row_text(other_cpu, 0, text, sizeof(text)),
		  "SOFT-0 THREAD mine TS page-faults 70");
	CHECK_STR(row_text(0, 1, text, sizeof(text)), "SOFT-1 STANDALONE mine SC cpu-clock 0");
	CHECK_STR(row_text(0, 17, text, sizeof(text)), "CPU-0 STANDALONE mine SC instructions:u 0");
	if (other_cpu)
		CHECK_STR(row_text(1, 1, text, sizeof(text)), "SOFT-1 STANDALONE");
	CHECK(!pmc_release(process) && !pmc_release(system) && !pmc_release(other));
	CHECK_STR(row_text(0, 0, text, sizeof(text)), "SOFT-0 FREE");
	fake_end();
}

UNIT(counters_are_shared_behind_the_last_row)
{
	pmc_id_t ids[6];
	size_t i;

	fake_begin("");
	for (i = 0; i < 6; i++) {
		CHECK(!pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &ids[i], 0));
		CHECK_U64(PMC_ID_TO_ROWINDEX(ids[i]), 17 + i);
	}
	for (i = 0; i < 6; i++)
		CHECK(!pmc_release(ids[i]));
	fake_end();
}

/* FreeBSD refuses the seventeenth; and 256 rows are all that a pmcid has room for. */
UNIT(rows_of_software_are_not_exhausted)
{
	const uint32_t nsoft = 16;
	const struct pmc_cpuinfo *info;
	pmc_id_t ids[256], last;
	uint32_t i, n;

	fake_begin("");
	CHECK(!pmc_cpuinfo(&info));
	n = nsoft + 256 - info->pm_npmc;
	for (i = 0; i < n; i++) {
		CHECK(!pmc_allocate("page-faults", PMC_MODE_TC, 0, PMC_CPU_ANY, &ids[i], 0));
		CHECK_U64(PMC_ID_TO_ROWINDEX(ids[i]), i < nsoft ? i : info->pm_npmc + i - nsoft);
	}
	CHECK_FAILS(pmc_allocate("page-faults", PMC_MODE_TC, 0, PMC_CPU_ANY, &last, 0), EINVAL,
		    "all 256 rows of a CPU are in use");
	for (i = 0; i < n; i++)
		CHECK(!pmc_release(ids[i]));
	fake_end();
}

UNIT(classes_say_what_their_counters_can_do)
{
	pmc_id_t soft, cpu;
	uint32_t word;

	fake_begin("");
	CHECK(!pmc_allocate("page-faults", PMC_MODE_TC, 0, PMC_CPU_ANY, &soft, 0));
	CHECK(!pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &cpu, 0));
	CHECK(!pmc_width(soft, &word) && word == 64);
	CHECK(!pmc_width(cpu, &word) && word == 48);
	CHECK(!pmc_capabilities(soft, &word));
	CHECK((word & PMC_CAP_INTERRUPT) && !(word & PMC_CAP_THRESHOLD));
	CHECK(!pmc_capabilities(cpu, &word));
	CHECK((word & PMC_CAP_THRESHOLD) && !(word & PMC_CAP_CASCADE));
	CHECK(!pmc_release(soft) && !pmc_release(cpu));
	fake_end();
}

UNIT(the_library_counts_its_calls)
{
	struct pmc_driverstats before, after;

	fake_begin("");
	CHECK(!pmc_get_driver_stats(&before));
	CHECK(pmc_start(1) == -1);
	CHECK(!pmc_get_driver_stats(&after));
	CHECK_U64(after.pm_syscalls, before.pm_syscalls + 2);
	CHECK_U64(after.pm_syscall_errors, before.pm_syscall_errors + 1);
	fake_end();
}

UNIT(constants_have_names)
{
	const char **names;
	int n, i, found = 0;

	CHECK_STR(pmc_name_of_capability(PMC_CAP_QUALIFIER), "QUALIFIER");
	CHECK_STR(pmc_name_of_class(PMC_CLASS_SOFT), "SOFT");
	CHECK_STR(pmc_name_of_class(PMC_CLASS_CPU), "CPU");
	CHECK_STR(pmc_name_of_class(PMC_CLASS_IAP), "IAP");
	CHECK_STR(pmc_name_of_class(PMC_CLASS_LAST), "CMN600_PMU");
	CHECK_STR(pmc_name_of_cputype((enum pmc_cputype)0x400), "GENERIC");
	CHECK_STR(pmc_name_of_cputype(PMC_CPU_INTEL_SKYLAKE_XEON), "INTEL_SKYLAKE_XEON");
	CHECK_STR(pmc_name_of_cputype(PMC_CPU_LAST), "ARMV8_CORTEX_A76");
	CHECK_STR(pmc_name_of_state(PMC_STATE_DELETED), "DELETED");
	CHECK_STR(pmc_name_of_event(PMC_EV_TSC_TSC), "TSC");
	CHECK_STR(pmc_name_of_event(PMC_EV_SOFT_FIRST), "cpu-clock");
	errno = 0;
	CHECK(!pmc_name_of_capability((enum pmc_caps)3) && errno == EINVAL);
	errno = 0;
	CHECK(!pmc_name_of_disposition(PMC_DISP_UNKNOWN) && errno == EINVAL);
	CHECK(!pmc_name_of_class((enum pmc_class)0x14) && !pmc_name_of_mode(PMC_MODE_INVALID));
	CHECK(!pmc_name_of_state((enum pmc_state)6) && !pmc_name_of_event(PMC_EV_CPU_FIRST));
	CHECK(!pmc_name_of_cputype((enum pmc_cputype)2));
	CHECK(!pmc_event_names_of_class(PMC_CLASS_CPU, &names, &n));
	for (i = 0; i < n; i++)
		found += !strcmp(names[i], "cycles") - !strcmp(names[i], "cpu-clock");
	CHECK_U64(found, 1);
	free(names);
	CHECK_FAILS(pmc_event_names_of_class(PMC_CLASS_IAP, &names, &n), EINVAL,
		    "class 7 is none of TSC, CPU and SOFT");
}

UNIT(freebsds_programs_ask_for_the_tables_of_events)
{
	struct pmc_op_pmcallocate op = {.pm_caps = PMC_CAP_INTERRUPT};
	int clock = pmc_pmu_idx_get_by_event("GenuineIntel-6-55-4", "task-clock");
	uint64_t rate;

	CHECK_U64(pmc_pmu_enabled(), 1);
	CHECK_STR(pmc_pmu_event_get_by_idx(NULL, clock), "task-clock");
	CHECK(!pmc_pmu_event_get_by_idx(NULL, 0) && !pmc_pmu_event_get_by_idx(NULL, -1));
	CHECK_U64(pmc_pmu_idx_get_by_event(NULL, "cpu-cycles"),
		  pmc_pmu_idx_get_by_event(NULL, "cycles"));
	CHECK_U64(pmc_pmu_idx_get_by_event(NULL, "nonsense"), -1);
	CHECK_U64(pmc_pmu_idx_get_by_event(NULL, NULL), -1);
	CHECK(!pmc_default_rate("branch-misses", &rate));
	CHECK_U64(pmc_pmu_sample_rate_get("branch-misses"), rate);
	CHECK_U64(pmc_pmu_sample_rate_get("nonsense"), 65536);
	CHECK_U64(pmc_pmu_sample_rate_get(NULL), 65536);
	CHECK_U64(pmc_pmu_pmcallocate("instructions:u", &op), 0);
	CHECK_U64(op.pm_class, PMC_CLASS_CPU);
	CHECK_U64(op.pm_ev, pmc_pmu_idx_get_by_event(NULL, "instructions"));
	CHECK_U64(op.pm_flags, PMC_F_EV_PMU);
	CHECK_U64(op.pm_caps, PMC_CAP_INTERRUPT | PMC_CAP_READ | PMC_CAP_WRITE | PMC_CAP_USER);
	CHECK_U64(op.pm_md.pm_perf.pm_perf_type, 0);
	CHECK_U64(op.pm_md.pm_perf.pm_perf_config, 1);
	CHECK_U64(pmc_pmu_pmcallocate("nonsense", &op), ENOENT);
	CHECK_STR(pmc_error(), "unknown event \"nonsense\"");
	CHECK_U64(pmc_pmu_pmcallocate(NULL, &op), EFAULT);
	CHECK_U64(pmc_pmu_pmcallocate("cycles", NULL), EFAULT);
}

/* Either it counts cycles, or perf does not either. */
UNIT(counts_at_a_glance_are_there_where_cycles_are)
{
	const char **names = NULL;
	int error = pmc_pmu_stat_mode(&names);
	pmc_id_t id = PMC_ID_INVALID;

	CHECK(!pmc_set_collector("perf"));
	if (!pmc_init())
		pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0);
	CHECK_U64(error, id == PMC_ID_INVALID ? EOPNOTSUPP : 0);
	CHECK(!error == !!names);
	if (names) {
		CHECK_STR(names[0], "cycles");
		CHECK_STR(names[5], "cache-misses");
	}
	CHECK(id == PMC_ID_INVALID || !pmc_release(id));
	CHECK_U64(pmc_pmu_stat_mode(NULL), EFAULT);
	CHECK(!pmc_set_collector("auto"));
}

UNIT(handles_are_checked)
{
	pmc_id_t id;

	fake_begin("");
	CHECK_FAILS(pmc_release(0x2f00), ESRCH, "PMC 0x2f00: this process has allocated no PMC");
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0) == 0);
	CHECK_FAILS(pmc_start(id + 1), EINVAL,
		    "PMC 0xfff03f01 is not one that this process has allocated");
	CHECK_FAILS(pmc_stop(id), EINVAL, "PMC 0xfff03f00 was never started");
	CHECK(pmc_release(id) == 0);
	fake_end();
}

static void *attach_to_this_thread(void *id)
{
	char message[96];

	snprintf(message, sizeof(message), "%d is not a process but a thread of process %d",
		 (int)gettid(), (int)getpid());
	CHECK_FAILS(pmc_attach(*(pmc_id_t *)id, gettid()), EINVAL, message);
	return NULL;
}

UNIT(a_thread_is_no_target)
{
	pthread_t thread;
	pmc_id_t id;

	fake_begin("");
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0) == 0);
	CHECK(pthread_create(&thread, NULL, attach_to_this_thread, &id) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK(!pmc_release(id));
	fake_end();
}

UNIT(targets_come_and_go)
{
	pid_t dead = fork();
	pmc_id_t id, sys, other;
	char not_attached[64];

	if (dead == 0)
		_exit(0);
	waitpid(dead, NULL, 0);
	fake_begin("");
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_SC, 0, 0, &sys, 0) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TC, 0, PMC_CPU_ANY, &other, 0) == 0);
	snprintf(not_attached, sizeof(not_attached), "PMC 0xfff03f02 is not attached to process %d",
		 (int)getpid());
	CHECK_FAILS(pmc_attach(sys, getpid()), EINVAL,
		    "PMC 0x1f01 has system scope: it has no targets");
	CHECK_FAILS(pmc_attach(id, -2), EINVAL, "PMC 0xfff03f00: -2 is not a process");
	CHECK(pmc_attach(id, dead) == -1);
	CHECK_U64(errno, ESRCH);
	CHECK(pmc_attach(id, 0) == 0);
	CHECK(pmc_attach(id, getpid()) == -1);
	CHECK_U64(errno, EEXIST);
	CHECK_FAILS(pmc_detach(other, getpid()), EINVAL, not_attached);
	CHECK(pmc_detach(id, getppid()) == -1);
	CHECK_U64(errno, ESRCH);
	CHECK(pmc_detach(id, dead) == -1);
	CHECK_U64(errno, ESRCH);
	CHECK(pmc_start(id) == 0);
	CHECK_FAILS(pmc_attach(id, getppid()), EBUSY,
		    "PMC 0xfff03f00 is running: stop it to attach it");
	CHECK(pmc_stop(id) == 0);
	CHECK(pmc_stop(id) == 0);
	CHECK(pmc_detach(id, 0) == 0);
	CHECK_FAILS(pmc_start(id), ESRCH, "PMC 0xfff03f00 is detached from all its targets");
	CHECK(!pmc_release(id) && !pmc_release(sys) && !pmc_release(other));
	fake_end();
}

UNIT(counts_come_with_the_time_that_they_took)
{
	struct pmc_count count;
	pmc_id_t id, samples;

	fake_begin("count 5 enabled=40 running=30\ntick\ncount 6 enabled=2 running=1\n");
	CHECK(pmc_allocate("page-faults", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 100) == 0);
	CHECK(pmc_allocate("page-faults", PMC_MODE_TS, 0, PMC_CPU_ANY, &samples, 100) == 0);
	CHECK(pmc_read_count(id, &count) == 0);
	CHECK(count.value == 100 && !count.enabled && !count.running);
	CHECK(pmc_start(id) == 0);
	CHECK(!pmc_finished());
	CHECK(pmc_read_count(id, &count) == 0);
	CHECK(count.value == 105 && count.enabled == 40 && count.running == 30);
	CHECK_STR(count.event, "page-faults");
	CHECK(pmc_finished());
	CHECK(pmc_read_count(id, &count) == 0);
	CHECK(count.value == 111 && count.enabled == 42 && count.running == 31);
	CHECK_FAILS(pmc_read_count(samples, &count), EINVAL,
		    "PMC 0xfff02f01 samples: it has no count");
	CHECK_FAILS(pmc_read_count(id, NULL), EFAULT, "the place for the count is NULL");
	CHECK(!pmc_release(id) && !pmc_release(samples));
	fake_end();
}

UNIT(counting_pmcs_are_read_and_written)
{
	pmc_value_t value = 0;
	pmc_id_t id, samples;

	fake_begin("sample 10 0x1000 x25\nsample 10 0x2000\n");
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 100) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &samples, 100) == 0);
	CHECK(pmc_read(id, &value) == 0);
	CHECK_U64(value, 100);
	CHECK(!pmc_finished());
	CHECK(pmc_start(id) == 0);
	CHECK(pmc_finished());
	CHECK_FAILS(pmc_write(id, 1), EBUSY, "PMC 0xfff03f00 is running");
	CHECK(pmc_read(id, &value) == 0);
	CHECK_U64(value, 126);
	CHECK(pmc_stop(id) == 0);
	CHECK(pmc_rw(id, 7, &value) == 0);
	CHECK_U64(value, 126);
	CHECK(pmc_read(id, &value) == 0);
	CHECK_U64(value, 7);
	CHECK(pmc_set(id, 5) == 0);
	CHECK(pmc_read(id, &value) == 0);
	CHECK_U64(value, 5);
	CHECK_FAILS(pmc_write(samples, 1), EINVAL,
		    "PMC 0xfff02f01 samples: its rate is set by pmc_set()");
	CHECK_FAILS(pmc_read(id, NULL), EFAULT, "the place for the value is NULL");
	CHECK(!pmc_release(id) && !pmc_release(samples));
	fake_end();
}

UNIT(sampling_needs_a_log)
{
	pmc_id_t id, csw, own;

	fake_begin("");
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_SS, 0, 0, &id, 0) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TC, PMC_F_LOG_PROCCSW, PMC_CPU_ANY, &csw, 0) == 0);
	CHECK_FAILS(pmc_start(id), EDOOFUS,
		    "PMC 0xf00 needs a log: pmc_configure_logfile() comes first");
	CHECK_FAILS(pmc_start(csw), EDOOFUS,
		    "PMC 0xfff03f01 needs a log: pmc_configure_logfile() comes first");
	/* FreeBSD samples its owner into nothing. */
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &own, 0) == 0);
	CHECK(pmc_attach(own, 0) == 0);
	CHECK(pmc_start(own) == -1 && errno == EDOOFUS && pmc_release(own) == 0);
	CHECK_FAILS(pmc_writelog(1), EINVAL, "no log is configured");
	CHECK_FAILS(pmc_flush_logfile(), EINVAL, "no log is configured");
	CHECK_FAILS(pmc_close_logfile(), EINVAL, "no log is configured");
	CHECK_FAILS(pmc_configure_logfile(-1), EINVAL, "no log is configured");
	CHECK_FAILS(pmc_configure_logfile(999), EBADF, "descriptor 999 is not open");
	CHECK(!pmc_release(id) && !pmc_release(csw));
	fake_end();
}

UNIT(a_script_becomes_a_log)
{
	struct pmc_driverstats driver;
	struct pmc_log_stats stats;
	pmc_id_t clock, faults;
	int fd;

	fake_begin("origin host=box\n"
		   "pmc 1 page-faults\n"
		   "pmc 2 cpu-clock\n"
		   "exec 10 /bin/app pmc=2\n"
		   "sample 10 0x1000,0x2000,0x3000 pmc=2 x2\n"
		   "sample 10/11 0x1000,0x2000 pmc=1 k cpu=1\n"
		   "drop 5\n"
		   "drop 2 throttle\n"
		   "close\n");
	fd = open_log("log");
	CHECK(pmc_set_command("pmcstat -P cpu-clock") == 0);
	CHECK(pmc_set_callchain_depth(2) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TS, PMC_F_CALLCHAIN | PMC_F_START_ON_EXEC,
			   PMC_CPU_ANY, &clock, 0) == 0);
	CHECK(pmc_attach(clock, 0) == 0);
	CHECK(pmc_configure_logfile(fd) == 0);
	CHECK_FAILS(pmc_configure_logfile(fd), EBUSY, "a log is configured already");
	CHECK(pmc_allocate("page-faults", PMC_MODE_TS, PMC_F_FREQUENCY, PMC_CPU_ANY, &faults, 99) ==
	      0);
	CHECK(pmc_start(faults) == 0);
	CHECK(pmc_start(clock) == 0);
	CHECK(pmc_start(clock) == 0);
	CHECK(pmc_finished());
	CHECK(pmc_writelog(0xabc) == 0);
	CHECK(pmc_stop(clock) == 0);
	CHECK(pmc_set(clock, 5000) == 0);
	CHECK(pmc_detach(clock, 0) == 0);
	CHECK(pmc_flush_logfile() == 0);
	CHECK(pmc_close_logfile() == 0);
	check_log(fd, "init box fake pmcstat -P cpu-clock\n"
		      "alloc fff02f00 cpu-clock flags 80 rate 1000000 depth 2\n"
		      "attach fff02f00 me\n"
		      "alloc fff02f01 page-faults flags 0 rate 99 hz depth 0\n"
		      "attach fff02f01 me\n"
		      "exec 10 fff02f00 /bin/app\n"
		      "sample 10/10 fff02f00 cpu 0 u x2\n"
		      "sample 10/10 fff02f00 cpu 0 u x2\n"
		      "sample 10/11 fff02f01 cpu 1 s x1\n"
		      "drop 5 cause 0\n"
		      "drop 2 cause 1\n"
		      "user abc\n"
		      "alloc fff02f00 cpu-clock flags 80 rate 5000 depth 2\n"
		      "detach fff02f00\n"
		      "close\n");
	CHECK(pmc_get_log_stats(&stats) == 0);
	CHECK_U64(stats.samples, 3);
	CHECK_U64(stats.truncated, 2);
	CHECK_U64(stats.drops[PMCLOG_DROP_RING], 5);
	CHECK_U64(stats.drops[PMCLOG_DROP_THROTTLE], 2);
	CHECK(pmc_get_driver_stats(&driver) == 0);
	CHECK_U64(driver.pm_throttled, 2);
	CHECK_U64(stats.error, 0);
	CHECK(stats.bytes > 0);
	CHECK(!pmc_release(clock) && !pmc_release(faults));
	fake_end();
}

UNIT(a_log_goes_on_in_another_file)
{
	struct pmc_log_stats stats;
	pmc_id_t clock;
	int one, two;

	fake_begin("exec 10 /bin/app\nproc 11 other\nexit 11\nsample 10 0x1 x3\n");
	one = open_log("one");
	two = open_log("two");
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &clock, 10) == 0);
	CHECK_FAILS(pmc_rotate_logfile(two), EINVAL, "no log is configured");
	CHECK(pmc_configure_logfile(one) == 0);
	/* What is said now is of the next log. */
	CHECK(pmc_set_rotation(true) == 0);
	CHECK_FAILS(pmc_rotate_logfile(two), EINVAL,
		    "the log was begun without pmc_set_rotation()");
	CHECK(pmc_close_logfile() == 0);
	CHECK(ftruncate(one, 0) == 0 && lseek(one, 0, SEEK_SET) == 0);
	CHECK(pmc_attach(clock, 0) == 0);
	CHECK(pmc_configure_logfile(one) == 0);
	CHECK(pmc_start(clock) == 0);
	CHECK_FAILS(pmc_rotate_logfile(999), EBADF, "descriptor 999 is not open");
	CHECK(pmc_rotate_logfile(two) == 0);
	CHECK(pmc_writelog(0xabc) == 0);
	CHECK(pmc_close_logfile() == 0);
	CHECK(pmc_get_log_stats(&stats) == 0);
	CHECK_U64(stats.samples, 3);
	check_log(one, "init fake fake -\n"
		       "alloc fff02f00 cpu-clock flags 0 rate 10 depth 0\n"
		       "attach fff02f00 me\n"
		       "exec 10 fff02f00 /bin/app\n"
		       "type 20\n"
		       "type 12\n"
		       "sample 10/10 fff02f00 cpu 0 u x1\n"
		       "sample 10/10 fff02f00 cpu 0 u x1\n"
		       "sample 10/10 fff02f00 cpu 0 u x1\n"
		       "close\n");
	check_log(two, "init fake fake -\n"
		       "alloc fff02f00 cpu-clock flags 0 rate 10 depth 0\n"
		       "attach fff02f00 me\n"
		       "exec 10 fff02f00 /bin/app\n"
		       "user abc\n"
		       "close\n");
	CHECK(!pmc_release(clock));
	CHECK(pmc_set_rotation(false) == 0);
	fake_end();
}

UNIT(system_samples_go_to_the_pmc_of_their_cpu)
{
	pmc_id_t zero, one;
	int fd;

	fake_begin("exec 10 /bin/app\nsample 10 0x1 cpu=1\nsample 10 0x1\nsample 10 0x1 cpu=7\n");
	fd = open_log("log");
	CHECK(pmc_configure_logfile(fd) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_SS, 0, 0, &zero, 10) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_SS, 0, 1, &one, 10) == 0);
	CHECK(pmc_start(zero) == 0);
	CHECK(pmc_start(one) == 0);
	CHECK(pmc_configure_logfile(-1) == 0);
	check_log(fd, "init fake fake -\n"
		      "alloc f00 cpu-clock flags 0 rate 10 depth 0\n"
		      "alloc 100f00 cpu-clock flags 0 rate 10 depth 0\n"
		      "exec 10 ffffffff /bin/app\n"
		      "sample 10/10 100f00 cpu 1 u x1\n"
		      "sample 10/10 f00 cpu 0 u x1\n"
		      "sample 10/10 f00 cpu 7 u x1\n"
		      "close\n");
	CHECK(!pmc_release(zero) && !pmc_release(one));
	fake_end();
}

UNIT(the_log_outlives_its_descriptor)
{
	int fd, own, other, log;
	char path[PATH_MAX];
	struct stat st;
	pmc_id_t id;

	fake_begin("sample 10 0x1 x20000\n");
	fd = open_log("log");
	own = dup(fd);
	close(own);
	CHECK(pmc_configure_logfile(fd) == 0);
	CHECK_U64(fcntl(own, F_GETFD), FD_CLOEXEC);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &id, 0) == 0);
	close(fd);
	other = open_log("other");
	CHECK_U64(other, fd);
	CHECK(pmc_start(id) == 0);
	CHECK(pmc_flush_logfile() == 0 && pmc_release(id) == 0 && pmc_close_logfile() == 0);
	CHECK(fcntl(own, F_GETFD) == -1);
	CHECK(fstat(other, &st) == 0);
	CHECK_U64(st.st_size, 0);
	log = open(tree_path(&room, "log", path), O_RDONLY | O_CLOEXEC);
	CHECK(fstat(log, &st) == 0);
	CHECK(st.st_size > 20000 * 40);
	close(log);
	close(other);
	fake_end();
}

UNIT(a_full_disk_is_told_at_once)
{
	struct pmc_log_stats stats;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	fake_begin("");
	errno = 0;
	CHECK(pmc_configure_logfile(fd) == -1);
	CHECK_U64(errno, ENOSPC);
	CHECK_U64(pmc_error_code(), EX_IOERR);
	CHECK(strstr(pmc_error(), "/dev/full: cannot write: No space left on device") != NULL);
	CHECK(pmc_get_log_stats(&stats) == 0);
	CHECK_U64(stats.error, ENOSPC);
	CHECK_FAILS(pmc_flush_logfile(), EINVAL, "no log is configured");
	close(fd);
	fake_end();
}

UNIT(a_closed_pipe_is_told_by_flush_and_close)
{
	struct pmc_log_stats stats;
	pmc_id_t id;
	int fd[2];

	signal(SIGPIPE, SIG_IGN);
	fake_begin("sample 10 0x1 x20000\n");
	CHECK(pipe(fd) == 0);
	CHECK(pmc_configure_logfile(fd[1]) == 0);
	CHECK(pmc_allocate("cpu-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &id, 0) == 0);
	close(fd[0]);
	CHECK(pmc_start(id) == 0);
	errno = 0;
	CHECK(pmc_flush_logfile() == -1);
	CHECK_U64(errno, EPIPE);
	errno = 0;
	CHECK(pmc_close_logfile() == -1);
	CHECK_U64(errno, EPIPE);
	CHECK(pmc_get_log_stats(&stats) == 0);
	CHECK_U64(stats.error, EPIPE);
	CHECK_U64(stats.samples, 20000);
	CHECK(stats.dropped > 0 && stats.dropped <= 20000);
	CHECK(pmc_release(id) == 0);
	close(fd[1]);
	fake_end();
}

UNIT(rates_and_depths_have_limits)
{
	uint64_t rate = 0;

	CHECK(pmc_default_rate("cpu.clock", &rate) == 0);
	CHECK_U64(rate, 1000000);
	CHECK_FAILS(pmc_default_rate("nope", &rate), EINVAL, "unknown event \"nope\"");
	CHECK_FAILS(pmc_set_callchain_depth(0), EINVAL, "a call chain has 1 to 4096 frames, not 0");
	CHECK_FAILS(pmc_set_unwind((enum pmc_unwind)4), EINVAL,
		    "no way to unwind has the number 4");
	CHECK_FAILS(pmc_set_callchain_depth(4097), EINVAL,
		    "a call chain has 1 to 4096 frames, not 4097");
}

UNIT_MAIN(UNIT_ENTRY(nothing_works_before_init), UNIT_ENTRY(a_collector_that_cannot_open_says_why),
	  UNIT_ENTRY(a_script_does_not_stay_open), UNIT_ENTRY(allocation_checks_its_arguments),
	  UNIT_ENTRY(pmcids_hold_cpu_mode_class_and_a_row_of_the_class),
	  UNIT_ENTRY(a_row_is_used_in_one_scope),
	  UNIT_ENTRY(counters_are_shared_behind_the_last_row),
	  UNIT_ENTRY(rows_of_software_are_not_exhausted),
	  UNIT_ENTRY(classes_say_what_their_counters_can_do),
	  UNIT_ENTRY(the_library_counts_its_calls), UNIT_ENTRY(constants_have_names),
	  UNIT_ENTRY(freebsds_programs_ask_for_the_tables_of_events),
	  UNIT_ENTRY(counts_at_a_glance_are_there_where_cycles_are),
	  UNIT_ENTRY(handles_are_checked), UNIT_ENTRY(a_thread_is_no_target),
	  UNIT_ENTRY(targets_come_and_go), UNIT_ENTRY(counts_come_with_the_time_that_they_took),
	  UNIT_ENTRY(counting_pmcs_are_read_and_written), UNIT_ENTRY(sampling_needs_a_log),
	  UNIT_ENTRY(a_script_becomes_a_log), UNIT_ENTRY(a_log_goes_on_in_another_file),
	  UNIT_ENTRY(system_samples_go_to_the_pmc_of_their_cpu),
	  UNIT_ENTRY(the_log_outlives_its_descriptor), UNIT_ENTRY(a_full_disk_is_told_at_once),
	  UNIT_ENTRY(a_closed_pipe_is_told_by_flush_and_close),
	  UNIT_ENTRY(rates_and_depths_have_limits))
