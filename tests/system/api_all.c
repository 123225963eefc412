// SPDX-License-Identifier: BSD-2-Clause
/*
 * As a user of FreeBSD writes it from pmc(3) and pmclog(3): lists, counts, samples through a pipe
 * and shows logs, with every function that there is.  What is wrong ends it with a message.
 */
#define _GNU_SOURCE /* pipe2(), which FreeBSD has without */
#include <sys/param.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include <sys/pmc.h>
#include <sys/pmclog.h>

#include <pmc.h>
#include <pmclog.h>

/* The call must fail with that errno value. */
#define FAILS(call, error)                                            \
	do {                                                          \
		errno = 0;                                            \
		if ((call) != -1 || errno != (error))                 \
			errx(EX_SOFTWARE, #call ": errno %d", errno); \
	} while (0)

/* ... and this must not. */
#define CHECKED(call)                                                                            \
	do {                                                                                     \
		if ((call) < 0)                                                                  \
			errx(pmc_error_code(), #call ": %s. %s", pmc_error(), pmc_error_hint()); \
	} while (0)

static void list_class(enum pmc_class pm_class)
{
	const char **names, *name = pmc_name_of_class(pm_class);
	int n, i;

	if (pmc_event_names_of_class(pm_class, &names, &n) < 0)
		return;
	for (i = 0; i < n; i++)
		printf("%s-%s\n", name, names[i]);
	free(names);
}

static int list_event(const struct pmc_event_info *info, void *arg)
{
	uint64_t rate;

	if (pmc_default_rate(info->name, &rate) == 0 && rate != info->default_rate &&
	    strcmp(info->name, "cpu-clock") == 0)
		errx(EX_SOFTWARE, "%s has two rates", info->name);
	++*(int *)arg;
	return 0;
}

static void list(const char *text)
{
	struct pmc_op_pmcallocate op;
	const char **names;
	enum pmc_class c;
	int n = 0, idx;

	for (c = PMC_CLASS_FIRST; c <= PMC_CLASS_LAST; c++)
		list_class(c);
	if (pmc_each_event(false, list_event, &n) || !n || !pmc_pmu_enabled())
		errx(EX_SOFTWARE, "there are no events");
	printf("counters\n");
	pmc_pmu_print_counters(text);
	printf("desc\n");
	pmc_pmu_print_counter_desc(text);
	printf("long\n");
	pmc_pmu_print_counter_desc_long(text);
	printf("full\n");
	pmc_pmu_print_counter_full(text);
	memset(&op, 0, sizeof(op));
	if (pmc_pmu_pmcallocate(text, &op) != 0)
		errx(EX_SOFTWARE, "%s is no event", text);
	idx = pmc_pmu_idx_get_by_event(NULL, text);
	printf("%s is %s of the class %s, rate %ju, capabilities 0x%x\n", text,
	       pmc_pmu_event_get_by_idx(NULL, idx), pmc_name_of_class(op.pm_class),
	       (uintmax_t)pmc_pmu_sample_rate_get(text), op.pm_caps);
	if ((enum pmc_event)idx != op.pm_ev)
		errx(EX_SOFTWARE, "%s has two numbers", text);
	if (pmc_pmu_stat_mode(&names) != 0)
		printf("no counts at a glance\n");
	else
		printf("counts at a glance: %s to %s\n", names[0], names[5]);
}

static void print_rows(int cpu)
{
	struct pmc_pmcinfo *pi;
	int row, n = pmc_npmc(cpu);

	CHECKED(n);
	CHECKED(pmc_pmcinfo(cpu, &pi));
	for (row = 0; row < n; row++) {
		const struct pmc_info *p = &pi->pm_pmcs[row];

		if (!p->pm_enabled || p->pm_ownerpid != getpid())
			continue;
		printf("row %s %s %s %s 0x%x\n", p->pm_name, pmc_name_of_class(p->pm_class),
		       pmc_name_of_disposition(p->pm_rowdisp), pmc_name_of_event(p->pm_event),
		       p->pm_flags);
	}
	free(pi);
}

static void machine(void)
{
	const struct pmc_cpuinfo *ci;
	struct pmc_driverstats before, after;
	pmc_id_t id;
	int online = 0, cpu;

	CHECKED(pmc_get_driver_stats(&before));
	CHECKED(pmc_cpuinfo(&ci));
	if (ci->pm_ncpu != (uint32_t)pmc_ncpu() || ci->pm_npmc != (uint32_t)pmc_npmc(0))
		errx(EX_SOFTWARE, "pmc_cpuinfo() says something else");
	for (cpu = 0; cpu < pmc_ncpu(); cpu++)
		online += pmc_cpu_is_online(cpu);
	printf("cpus %s %s\n", pmc_name_of_cputype(ci->pm_cputype), online ? "online" : "offline");
	CHECKED(pmc_allocate("SOFT-CLOCK.HARD", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0));
	print_rows(0);
	printf("state %s mode %s\n", pmc_name_of_state(PMC_STATE_RUNNING),
	       pmc_name_of_mode(PMC_ID_TO_MODE(id)));
	/* Its row is in use, and rows are on. */
	FAILS(pmc_disable(0, (int)PMC_ID_TO_ROWINDEX(id)), EBUSY);
	CHECKED(pmc_enable(0, (int)PMC_ID_TO_ROWINDEX(id)));
	FAILS(pmc_set_collector("fake:/nowhere"), EBUSY);
	CHECKED(pmc_release(id));
	CHECKED(pmc_get_driver_stats(&after));
	printf("calls %s failures %u\n", after.pm_syscalls > before.pm_syscalls ? "more" : "none",
	       after.pm_syscall_errors - before.pm_syscall_errors);
}

/* A child that execs the command when a byte comes; its end of the pipe is closed on exec. */
static pid_t prepare(char **argv, int *go)
{
	int ready[2];
	pid_t pid;
	char c;

	if (pipe2(ready, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		err(EX_OSERR, "fork");
	if (pid == 0) {
		if (read(ready[0], &c, 1) == 1)
			execvp(argv[0], argv);
		_exit(EX_NOINPUT);
	}
	close(ready[0]);
	*go = ready[1];
	return pid;
}

static void print_class(pmc_id_t id)
{
	uint32_t caps, width;
	enum pmc_caps c;

	CHECKED(pmc_capabilities(id, &caps));
	CHECKED(pmc_width(id, &width));
	printf("width %u", width);
	for (c = PMC_CAP_FIRST; c <= PMC_CAP_LAST; c = (enum pmc_caps)(c << 1))
		if (caps & c)
			printf(" %s", pmc_name_of_capability(c));
	printf("\n");
}

static int count(char **argv)
{
	struct pmc_count counted, times;
	struct pmc_kgmon *histogram;
	pmc_value_t value, old;
	int go, status;
	uint32_t msr;
	pid_t pid = prepare(argv, &go);
	pmc_id_t id, member;

	CHECKED(pmc_allocate("task-clock", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0));
	CHECKED(pmc_allocate_member(id, "page-faults", &member, 0));
	print_class(id);
	FAILS(pmc_start(member), EINVAL);
	FAILS(pmc_get_msr(id, &msr), EINVAL);
	FAILS(pmc_get_kgmon(id, &histogram), EINVAL);
	FAILS(pmc_stop(id), EINVAL);
	CHECKED(pmc_set(id, 1000));
	CHECKED(pmc_attach(id, pid));
	FAILS(pmc_attach(id, pid), EEXIST);
	CHECKED(pmc_start(id));
	FAILS(pmc_attach(id, 0), EBUSY);
	CHECKED(pmc_attach_running(id, 0));
	CHECKED(pmc_detach(id, 0));
	FAILS(pmc_write(id, 0), EBUSY);
	if (write(go, "", 1) != 1 || waitpid(pid, &status, 0) < 0)
		err(EX_OSERR, "wait");
	CHECKED(pmc_stop(id));
	FAILS(pmc_detach(id, pid), ESRCH);
	CHECKED(pmc_read_count(id, &counted));
	CHECKED(pmc_read_times(id, &times));
	if (times.value || times.enabled != counted.enabled || times.running != counted.running)
		errx(EX_SOFTWARE, "pmc_read_times() says something else");
	CHECKED(pmc_read(id, &value));
	printf("%s counted %s\n", counted.event,
	       value > 1000 && value == counted.value ? "something" : "nothing");
	CHECKED(pmc_rw(id, 5, &old));
	CHECKED(pmc_write(id, old - value + 7));
	CHECKED(pmc_read(id, &value));
	printf("then %ju\n", (uintmax_t)value);
	CHECKED(pmc_release(id));
	return WEXITSTATUS(status);
}

/*
 * How the user frames end is in bits 2 to 5 of the record's cpuflags: pmclog(5).  Records are where
 * the log has them, at any multiple of four.
 */
static void print_end(const void *record)
{
	static const char *const ends[] = {
		"unsaid", "complete", "window",	  "no-data", "bad-return",
		"depth",  "stale",    "overload", "no-stack",
	};
	uint32_t end;

	memcpy(&end, (const char *)record + offsetof(struct pmclog_callchain, pl_cpuflags),
	       sizeof(end));
	end = end >> 2 & 0xf;
	if (end >= sizeof(ends) / sizeof(ends[0]))
		printf(" end=%u", end);
	else if (end)
		printf(" end=%s", ends[end]);
	printf("\n");
}

static void print_chain(const struct pmclog_ev_callchain *cc, const void *record)
{
	uint32_t i;

	printf("%-9s %d 0x%x %d %d %c", "callchain", (int)cc->pl_pid, cc->pl_pmcid,
	       PMC_CALLCHAIN_CPUFLAGS_TO_CPU(cc->pl_cpuflags), (int)cc->pl_npc,
	       PMC_CALLCHAIN_CPUFLAGS_TO_USERMODE(cc->pl_cpuflags) ? 'u' : 's');
	print_end(record);
	for (i = 0; i < cc->pl_npc; i++)
		printf("%-9s 0x%jx\n", "...", (uintmax_t)cc->pl_pc[i]);
}

static uint32_t version; /* of the log that is shown */

static void print_process(const struct pmclog_ev *ev)
{
	switch (ev->pl_type) {
	case PMCLOG_TYPE_PROCEXEC:
		printf("%-9s 0x%x %d", "exec", ev->pl_u.pl_x.pl_pmcid, ev->pl_u.pl_x.pl_pid);
		if (version == 10)
			printf(" 0x%jx 0x%jx", (uintmax_t)ev->pl_u.pl_x.pl_baseaddr,
			       (uintmax_t)ev->pl_u.pl_x.pl_dynaddr);
		else
			printf(" 0x%jx", (uintmax_t)ev->pl_u.pl_x.pl_entryaddr);
		printf(" \"%s\"\n", ev->pl_u.pl_x.pl_pathname);
		break;
	case PMCLOG_TYPE_PROCFORK:
		printf("%-9s %d %d\n", "fork", ev->pl_u.pl_f.pl_oldpid, ev->pl_u.pl_f.pl_newpid);
		break;
	case PMCLOG_TYPE_SYSEXIT: printf("%-9s %d\n", "exit", ev->pl_u.pl_se.pl_pid); break;
	case PMCLOG_TYPE_PROC_CREATE:
		printf("%-9s %d %x \"%s\"\n", "create", ev->pl_u.pl_pc.pl_pid,
		       ev->pl_u.pl_pc.pl_flags, ev->pl_u.pl_pc.pl_pcomm);
		break;
	case PMCLOG_TYPE_THR_CREATE:
		printf("%-9s %d %d %x \"%s\"\n", "thr-create", ev->pl_u.pl_tc.pl_tid,
		       ev->pl_u.pl_tc.pl_pid, ev->pl_u.pl_tc.pl_flags, ev->pl_u.pl_tc.pl_tdname);
		break;
	case PMCLOG_TYPE_THR_EXIT: printf("%-9s %d\n", "thr-exit", ev->pl_u.pl_te.pl_tid); break;
	case PMCLOG_TYPE_MAP_IN:
		printf("%-9s %d 0x%jx \"%s\"\n", "map-in", ev->pl_u.pl_mi.pl_pid,
		       (uintmax_t)ev->pl_u.pl_mi.pl_start, ev->pl_u.pl_mi.pl_pathname);
		break;
	case PMCLOG_TYPE_MAP_OUT:
		printf("%-9s %d 0x%jx 0x%jx\n", "map-out", ev->pl_u.pl_mo.pl_pid,
		       (uintmax_t)ev->pl_u.pl_mo.pl_start, (uintmax_t)ev->pl_u.pl_mo.pl_end);
		break;
	default: errx(EX_DATAERR, "record %zu has the type %d", ev->pl_count, (int)ev->pl_type);
	}
}

static void print_pmc(const struct pmclog_ev *ev)
{
	switch (ev->pl_type) {
	case PMCLOG_TYPE_PMCALLOCATE:
		printf("%-9s 0x%x \"%s\" 0x%x\n", "allocate", ev->pl_u.pl_a.pl_pmcid,
		       ev->pl_u.pl_a.pl_evname, ev->pl_u.pl_a.pl_flags);
		break;
	case PMCLOG_TYPE_PMCALLOCATEDYN:
		printf("%-9s 0x%x \"%s\" 0x%x\n", "allocatedyn", ev->pl_u.pl_ad.pl_pmcid,
		       ev->pl_u.pl_ad.pl_evname, ev->pl_u.pl_ad.pl_flags);
		break;
	case PMCLOG_TYPE_PMCATTACH:
		printf("%-9s 0x%x %d \"%s\"\n", "attach", ev->pl_u.pl_t.pl_pmcid,
		       ev->pl_u.pl_t.pl_pid, ev->pl_u.pl_t.pl_pathname);
		break;
	case PMCLOG_TYPE_PMCDETACH:
		printf("%-9s 0x%x %d\n", "detach", ev->pl_u.pl_d.pl_pmcid, ev->pl_u.pl_d.pl_pid);
		break;
	case PMCLOG_TYPE_PROCCSW:
		printf("%-9s 0x%x %d %jd\n", "cswval", ev->pl_u.pl_c.pl_pmcid, ev->pl_u.pl_c.pl_pid,
		       (intmax_t)ev->pl_u.pl_c.pl_value);
		break;
	case PMCLOG_TYPE_PROCEXIT:
		printf("%-9s 0x%x %d %jd\n", "exitval", ev->pl_u.pl_e.pl_pmcid,
		       (int)ev->pl_u.pl_e.pl_pid, (intmax_t)ev->pl_u.pl_e.pl_value);
		break;
	default: print_process(ev);
	}
}

static void print_record(const struct pmclog_ev *ev)
{
	uint32_t header;

	memcpy(&header, ev->pl_data, sizeof(header));
	if (!PMCLOG_HEADER_CHECK_MAGIC(header) ||
	    PMCLOG_HEADER_TO_LENGTH(header) != (uint32_t)ev->pl_len ||
	    PMCLOG_HEADER_TO_TYPE(header) != (uint32_t)ev->pl_type)
		errx(EX_DATAERR, "record %zu is not what its header says", ev->pl_count);
	switch (ev->pl_type) {
	case PMCLOG_TYPE_INITIALIZE:
		version = ev->pl_u.pl_i.pl_version >> 24;
		if (version != PMC_VERSION_MAJOR && version != 10)
			errx(EX_DATAERR, "version 0x%x", ev->pl_u.pl_i.pl_version);
		printf("%-9s 0x%x \"%s\"\n", "initlog", ev->pl_u.pl_i.pl_version,
		       pmc_name_of_cputype((enum pmc_cputype)ev->pl_u.pl_i.pl_arch));
		break;
	case PMCLOG_TYPE_CALLCHAIN:
		if ((size_t)ev->pl_len < offsetof(struct pmclog_callchain, pl_pc))
			errx(EX_DATAERR, "a call chain of %d bytes", ev->pl_len);
		print_chain(&ev->pl_u.pl_cc, ev->pl_data);
		break;
	case PMCLOG_TYPE_USERDATA:
		printf("%-9s 0x%x\n", "userdata", ev->pl_u.pl_u.pl_userdata);
		break;
	case PMCLOG_TYPE_DROPNOTIFY:
		printf("%-9s %ju %d\n", "drop", (uintmax_t)ev->pl_u.pl_dn.pl_count,
		       (int)ev->pl_u.pl_dn.pl_cpu);
		break;
	default: print_pmc(ev);
	}
}

static void text(const char *path)
{
	static struct pmclog_ev ev;
	int fd = open(path, O_RDONLY);
	void *log;

	if (fd < 0 || !(log = pmclog_open(fd)))
		err(EX_NOINPUT, "%s", path);
	while (pmclog_read(log, &ev) == 0)
		print_record(&ev);
	if (ev.pl_state != PMCLOG_EOF || *pmclog_error(log))
		errx(EX_DATAERR, "%s", pmclog_error(log));
	pmclog_close(log);
	close(fd);
}

/* Prints what is in the pipe, and keeps it in the file. */
static enum pmclog_state drain(int fd, void *log, int copy)
{
	static struct pmclog_ev ev;
	char bytes[777];
	ssize_t n = read(fd, bytes, sizeof(bytes));

	if (n < 0 && errno == EAGAIN)
		return PMCLOG_REQUIRE_DATA;
	if (n < 0 || write(copy, bytes, (size_t)n) != n)
		err(EX_IOERR, "pipe");
	if (n == 0)
		return PMCLOG_EOF;
	if (pmclog_feed(log, bytes, (int)n) < 0)
		errx(EX_SOFTWARE, "feed: %s", pmclog_error(log));
	while (pmclog_read(log, &ev) == 0)
		print_record(&ev);
	if (ev.pl_state == PMCLOG_ERROR)
		errx(EX_DATAERR, "%s", pmclog_error(log));
	return PMCLOG_OK;
}

/* The log goes through a pipe whose end for writing is the library's alone. */
static int sample(const char *path, enum pmc_unwind unwind, char **argv)
{
	int go, status, fds[2], copy = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0666);
	pid_t pid = prepare(argv, &go);
	void *log = pmclog_open(PMCLOG_FD_NONE);
	struct pmc_log_stats stats;
	struct pmc_count times;
	bool finished = false;
	pmc_id_t id;

	if (copy < 0 || !log || pipe2(fds, O_CLOEXEC) < 0)
		err(EX_OSERR, "%s", path);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	fcntl(fds[1], F_SETPIPE_SZ, 1 << 20);
	CHECKED(pmc_set_command("api_all sample"));
	FAILS(pmc_set_compression("as small as can be"), EINVAL);
	CHECKED(pmc_set_compression("none"));
	FAILS(pmc_set_log_version(8), EINVAL);
	CHECKED(pmc_set_log_version(9));
	CHECKED(pmc_set_rotation(true));
	FAILS(pmc_rotate_logfile(2), EINVAL);
	CHECKED(pmc_set_callchain_depth(20));
	FAILS(pmc_set_unwind((enum pmc_unwind)(PMC_UNWIND_OFF + 1)), EINVAL);
	CHECKED(pmc_set_unwind(unwind));
	CHECKED(pmc_allocate("SOFT-CLOCK.PROF", PMC_MODE_TS, PMC_F_CALLCHAIN | PMC_F_DESCENDANTS,
			     PMC_CPU_ANY, &id, 1000000));
	CHECKED(pmc_attach(id, pid));
	FAILS(pmc_start(id), EDOOFUS);
	FAILS(pmc_flush_logfile(), EINVAL);
	CHECKED(pmc_configure_logfile(fds[1]));
	close(fds[1]);
	CHECKED(pmc_start(id));
	CHECKED(pmc_writelog(0xfeed));
	if (write(go, "", 1) != 1)
		err(EX_OSERR, "%s", argv[0]);
	while (!finished) {
		finished = pmc_finished() || waitpid(pid, &status, WNOHANG) == pid;
		if (finished)
			CHECKED(pmc_stop(id));
		CHECKED(pmc_flush_logfile());
		while (drain(fds[0], log, copy) == PMCLOG_OK)
			;
	}
	CHECKED(pmc_get_log_stats(&stats));
	CHECKED(pmc_read_times(id, &times));
	if (times.value != 1000000 || !times.running || times.running > times.enabled)
		errx(EX_SOFTWARE, "rate %ju, a counter for %ju of %ju ns", (uintmax_t)times.value,
		     (uintmax_t)times.running, (uintmax_t)times.enabled);
	CHECKED(pmc_close_logfile());
	while (drain(fds[0], log, copy) != PMCLOG_EOF)
		;
	CHECKED(pmc_release(id));
	pmclog_close(log);
	/* By the numbers that pmclog(5) gives to causes. */
	fprintf(stderr, "samples %ju lost %ju\n", (uintmax_t)stats.samples,
		(uintmax_t)(stats.drops[0] + stats.drops[2]));
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "list") == 0)
		return list(argv[2]), EX_OK;
	if (argc == 3 && strcmp(argv[1], "text") == 0)
		return text(argv[2]), EX_OK;
	CHECKED(pmc_set_collector("perf"));
	FAILS(pmc_release(0), ENXIO);
	CHECKED(pmc_init());
	if (argc == 2 && strcmp(argv[1], "machine") == 0)
		return machine(), EX_OK;
	if (argc > 2 && strcmp(argv[1], "count") == 0)
		return count(argv + 2);
	if (argc > 3 && strcmp(argv[1], "sample") == 0)
		return sample(argv[2], PMC_UNWIND_AUTO, argv + 3);
	if (argc > 3 && strcmp(argv[1], "leaves") == 0)
		return sample(argv[2], PMC_UNWIND_OFF, argv + 3);
	errx(EX_USAGE, "usage: api_all list text | text log | machine | count command ... | "
		       "sample log command ... | leaves log command ...");
}
