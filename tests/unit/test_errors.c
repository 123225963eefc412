// SPDX-License-Identifier: BSD-2-Clause
/*
 * The errors of hwpmc(4), line by line of its section ERRORS, through pmc(3).
 *
 *	test_errors [COLLECTOR ...]		fake and perf unless some are named
 *
 * A line that a collector or this machine cannot come to is skipped with the reason.  With
 * PMC_TEST_CPU=N in the environment CPU N is switched off and on again (root, a machine of one's
 * own).
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sysexits.h>

#include "pmc/pmc.h"
#include "unit.h"

enum { NOBODY = 65534 };

static const char *collector;
static char skipped[160];

#define SOFT_EVENT "cpu-clock"

static bool is_collector(const char *name)
{
	return strncmp(collector, name, strlen(name)) == 0;
}

static void skip(const char *why)
{
	snprintf(skipped, sizeof(skipped), "%s", why);
}

#define CHECK_ERRNO(call, want)                                                             \
	do {                                                                                \
		errno = 0;                                                                  \
		if ((call) != -1)                                                           \
			printf("# %s:%d: %s did not fail\n", __FILE__, __LINE__, #call);    \
		else if (errno != (want))                                                   \
			printf("# %s:%d: %s: %s (%s), not %s\n", __FILE__, __LINE__, #call, \
			       strerror(errno), pmc_error(), #want);                        \
		else                                                                        \
			break;                                                              \
		unit_failures++;                                                            \
	} while (0)

#define CHECK_OK(call)                                                               \
	do {                                                                         \
		if (!(call))                                                         \
			break;                                                       \
		printf("# %s:%d: %s: %s\n", __FILE__, __LINE__, #call, pmc_error()); \
		unit_failures++;                                                     \
	} while (0)

/* An open pmcid, or PMC_ID_INVALID with the test skipped where this user or machine may not. */
static pmc_id_t allocate(const char *event, enum pmc_mode mode, uint32_t flags)
{
	pmc_id_t id = PMC_ID_INVALID;
	int cpu = PMC_IS_SYSTEM_MODE(mode) ? 0 : PMC_CPU_ANY;

	if (pmc_allocate(event, mode, flags, cpu, &id, PMC_IS_SAMPLING_MODE(mode) ? 1000000 : 0) ==
	    0)
		return id;
	/* An event that this machine has not is an argument that is wrong, too. */
	if (errno != EPERM && errno != ENXIO && errno != ENOENT && errno != EOPNOTSUPP &&
	    pmc_error_code() != EX_UNAVAILABLE) {
		printf("# %s: %s\n", event, pmc_error());
		unit_failures++;
	}
	skip(pmc_error());
	return PMC_ID_INVALID;
}

static pmc_id_t counting(void)
{
	return allocate(SOFT_EVENT, PMC_MODE_TC, 0);
}

static int open_log(void)
{
	return memfd_create("log", MFD_CLOEXEC);
}

static uint32_t npmc(void)
{
	const struct pmc_cpuinfo *info;

	return pmc_cpuinfo(&info) ? 0 : info->pm_npmc;
}

/* A child that waits for its end. */
static pid_t sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		pause();
		_exit(0);
	}
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static pid_t dead_child(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

/* From here on the kernel answers a system call with an error. */
static bool refuse_syscall(unsigned int nr, unsigned int nr2, unsigned int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	    !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return true;
	skip("no seccomp filters here");
	return false;
}

static bool become_nobody(void)
{
	if (geteuid() == NOBODY || (!setgroups(0, NULL) && !setgid(NOBODY) && !setuid(NOBODY)))
		return true;
	if (geteuid() != 0)
		return true;
	skip("root cannot become another user here");
	return false;
}

/* CPU N goes off or on; false where the environment does not name one. */
static bool switch_cpu(int *cpu, bool on)
{
	const char *name = getenv("PMC_TEST_CPU");
	char path[PATH_MAX];
	FILE *f;

	if (!name) {
		skip("PMC_TEST_CPU names no CPU that may be switched off");
		return false;
	}
	*cpu = atoi(name);
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", *cpu);
	f = fopen(path, "we");
	if (f && fputs(on ? "1" : "0", f) >= 0 && fclose(f) == 0)
		return true;
	skip("the CPU that PMC_TEST_CPU names cannot be switched");
	return false;
}

UNIT(EAGAIN_helper_of_CONFIGURELOG)
{
	pmc_id_t id;
	int cpu = PMC_CPU_ANY;

	if (!is_collector("perf"))
		return skip("only the thread of perf can be held up from here");
	if (refuse_syscall(SYS_clone, SYS_clone3, EAGAIN))
		CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_TC, 0, cpu, &id, 0), EAGAIN);
}

UNIT(EBUSY_CONFIGURELOG_while_a_log_is_active)
{
	int fd = open_log();

	CHECK_OK(pmc_configure_logfile(fd));
	CHECK_ERRNO(pmc_configure_logfile(fd), EBUSY);
	CHECK_OK(pmc_close_logfile());
}

UNIT(EBUSY_DISABLE_of_a_row_of_process_scope)
{
	pmc_id_t id = counting();

	if (id == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_attach(id, 0));
	CHECK_ERRNO(pmc_disable(0, (int)PMC_ID_TO_ROWINDEX(id)), EBUSY);
	CHECK_OK(pmc_release(id));
}

UNIT(EBUSY_PMCADMIN_of_an_active_system_PMC)
{
	pmc_id_t id = allocate(SOFT_EVENT, PMC_MODE_SC, 0);

	if (id == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_start(id));
	CHECK_ERRNO(pmc_disable(0, (int)PMC_ID_TO_ROWINDEX(id)), EBUSY);
	CHECK_OK(pmc_release(id));
}

/* Another owner that has attached its first PMC to target. */
static pid_t other_owner(pid_t target)
{
	int ready[2];
	char c = 0;
	pid_t pid;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (pid == 0) {
		pmc_id_t id;

		c = pmc_set_collector(collector) || pmc_init() ||
		    pmc_allocate(SOFT_EVENT, PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0) ||
		    pmc_attach(id, target);
		if (write(ready[1], &c, 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &c, 1) != 1 || c)
		unit_failures++;
	close(ready[0]);
	return pid;
}

UNIT(EBUSY_ATTACH_where_another_PMC_has_the_row)
{
	pid_t target, other;
	pmc_id_t id;

	if (!is_collector("hwpmc"))
		return skip("each PMC of this collector has a counter of its own");
	target = sleeper();
	other = other_owner(target);
	id = counting();
	CHECK_ERRNO(pmc_attach(id, target), EBUSY);
	CHECK_OK(pmc_release(id));
	end_child(other);
	end_child(target);
}

UNIT(EBUSY_PMCRW_writes_an_active_PMC)
{
	pmc_value_t old;
	pmc_id_t id = counting();

	if (id == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_start(id));
	CHECK_ERRNO(pmc_write(id, 1), EBUSY);
	CHECK_ERRNO(pmc_rw(id, 1, &old), EBUSY);
	CHECK_OK(pmc_release(id));
}

UNIT(EBUSY_SETCOUNT_of_an_active_PMC)
{
	pmc_id_t id = counting();

	if (id == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_start(id));
	CHECK_ERRNO(pmc_set(id, 1), EBUSY);
	CHECK_OK(pmc_release(id));
}

UNIT(EDOOFUS_START_without_log_of_PROCCSW_and_PROCEXIT)
{
	static const uint32_t flags[] = {PMC_F_LOG_PROCCSW, PMC_F_LOG_PROCEXIT};
	pmc_id_t id;
	size_t i;

	for (i = 0; i < 2; i++) {
		id = allocate(SOFT_EVENT, PMC_MODE_TC, flags[i]);
		if (id == PMC_ID_INVALID)
			return;
		CHECK_ERRNO(pmc_start(id), EDOOFUS);
		CHECK_OK(pmc_release(id));
	}
}

UNIT(EDOOFUS_START_without_log_of_system_sampling)
{
	pmc_id_t id = allocate(SOFT_EVENT, PMC_MODE_SS, 0);

	if (id == PMC_ID_INVALID)
		return;
	CHECK_ERRNO(pmc_start(id), EDOOFUS);
	CHECK_OK(pmc_release(id));
}

UNIT(EEXIST_ATTACH_twice)
{
	pmc_id_t id = counting();

	if (id == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_attach(id, 0));
	CHECK_ERRNO(pmc_attach(id, getpid()), EEXIST);
	CHECK_OK(pmc_release(id));
}

UNIT(EFAULT_bad_address)
{
	pmc_id_t id = counting();

	if (id == PMC_ID_INVALID)
		return;
	CHECK_ERRNO(pmc_read(id, NULL), EFAULT);
	CHECK_ERRNO(pmc_cpuinfo(NULL), EFAULT);
	CHECK_ERRNO(pmc_pmcinfo(0, NULL), EFAULT);
	CHECK_ERRNO(pmc_get_driver_stats(NULL), EFAULT);
	CHECK_ERRNO(pmc_read_count(id, NULL), EFAULT);
	CHECK_ERRNO(pmc_capabilities(id, NULL), EFAULT);
	CHECK_ERRNO(pmc_width(id, NULL), EFAULT);
	CHECK_ERRNO(pmc_get_msr(id, NULL), EFAULT);
	CHECK_ERRNO(pmc_get_kgmon(id, NULL), EFAULT);
	CHECK_ERRNO(pmc_get_log_stats(NULL), EFAULT);
	CHECK_ERRNO(pmc_set_collector(NULL), EFAULT);
	CHECK_ERRNO(pmc_allocate(NULL, PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), EFAULT);
	CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_TC, 0, PMC_CPU_ANY, NULL, 0), EFAULT);
	/* What needs not be given. */
	CHECK_OK(pmc_attach(id, 0));
	CHECK_OK(pmc_rw(id, 1, NULL));
	CHECK_OK(pmc_set_command(NULL));
	CHECK_OK(pmc_release(id));
}

UNIT(EFAULT_bad_address_of_events)
{
	const char **names;
	uint64_t rate;
	int n;

	CHECK_ERRNO(pmc_default_rate(NULL, &rate), EFAULT);
	CHECK_ERRNO(pmc_default_rate(SOFT_EVENT, NULL), EFAULT);
	CHECK_ERRNO(pmc_event_names_of_class(PMC_CLASS_SOFT, NULL, &n), EFAULT);
	CHECK_ERRNO(pmc_event_names_of_class(PMC_CLASS_SOFT, &names, NULL), EFAULT);
	CHECK_ERRNO(pmc_each_event(false, NULL, NULL), EFAULT);
}

UNIT(EINVAL_handle)
{
	pmc_value_t value;
	uint32_t word;
	pmc_id_t id = counting(), bad = id ^ 0x40;

	if (id == PMC_ID_INVALID)
		return;
	CHECK_ERRNO(pmc_attach(bad, 0), EINVAL);
	CHECK_ERRNO(pmc_detach(bad, 0), EINVAL);
	CHECK_ERRNO(pmc_start(bad), EINVAL);
	CHECK_ERRNO(pmc_stop(bad), EINVAL);
	CHECK_ERRNO(pmc_set(bad, 1), EINVAL);
	CHECK_ERRNO(pmc_read(bad, &value), EINVAL);
	CHECK_ERRNO(pmc_rw(bad, 1, &value), EINVAL);
	CHECK_ERRNO(pmc_write(bad, 1), EINVAL);
	CHECK_ERRNO(pmc_get_msr(bad, &word), EINVAL);
	CHECK_ERRNO(pmc_capabilities(bad, &word), EINVAL);
	CHECK_ERRNO(pmc_width(bad, &word), EINVAL);
	CHECK_ERRNO(pmc_release(bad), EINVAL);
	CHECK_OK(pmc_release(id));
}

UNIT(EINVAL_CPU_of_GETPMCINFO)
{
	struct pmc_pmcinfo *info;

	CHECK_ERRNO(pmc_pmcinfo(-1, &info), EINVAL);
	CHECK_ERRNO(pmc_pmcinfo(pmc_ncpu(), &info), EINVAL);
}

UNIT(EINVAL_CONFIGURELOG_without_log)
{
	CHECK_ERRNO(pmc_configure_logfile(-1), EINVAL);
	CHECK_ERRNO(pmc_close_logfile(), EINVAL);
}

UNIT(EINVAL_FLUSHLOG_without_log)
{
	CHECK_ERRNO(pmc_flush_logfile(), EINVAL);
}

UNIT(EINVAL_CPU_of_PMCADMIN)
{
	CHECK_ERRNO(pmc_enable(-1, 0), EINVAL);
	CHECK_ERRNO(pmc_disable(pmc_ncpu(), 0), EINVAL);
}

UNIT(EINVAL_operation_of_PMCADMIN)
{
	skip("pmc(3) has a function for each operation");
}

UNIT(EINVAL_row_of_PMCADMIN)
{
	CHECK(npmc() > 0);
	CHECK_ERRNO(pmc_enable(0, -1), EINVAL);
	CHECK_ERRNO(pmc_disable(0, (int)npmc()), EINVAL);
}

UNIT(EINVAL_START_with_a_rate_beyond_the_modules_limit)
{
	pmc_id_t id;

	if (!is_collector("hwpmc"))
		return skip("only hwpmc has a limit of its own");
	id = allocate(SOFT_EVENT, PMC_MODE_TS, 0);
	if (id == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_configure_logfile(open_log()));
	CHECK_OK(pmc_attach(id, 0));
	CHECK_OK(pmc_set(id, 10));
	CHECK_ERRNO(pmc_start(id), EINVAL);
	CHECK(strstr(pmc_error(),
		     "10 ns between samples are less than kernel.hwpmc.min_period_ns, which is"));
	CHECK_OK(pmc_set(id, 1000000));
	CHECK_OK(pmc_start(id));
	CHECK_OK(pmc_release(id));
	CHECK_OK(pmc_close_logfile());
}

UNIT(EINVAL_no_suitable_PMC)
{
	pmc_id_t id;

	CHECK_ERRNO(pmc_allocate("no-such-event", PMC_MODE_SC, 0, 0, &id, 0), EINVAL);
	if (allocate("TSC", PMC_MODE_SC, 0) == PMC_ID_INVALID)
		return;
	CHECK_ERRNO(pmc_allocate("TSC", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), EINVAL);
}

UNIT(EINVAL_mode_of_PMCALLOCATE)
{
	pmc_id_t id;

	CHECK_ERRNO(pmc_allocate(SOFT_EVENT, (enum pmc_mode)4, 0, 0, &id, 0), EINVAL);
	CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_INVALID, 0, 0, &id, 0), EINVAL);
}

UNIT(EINVAL_CPU_of_PMCALLOCATE)
{
	pmc_id_t id;

	CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_SC, 0, -2, &id, 0), EINVAL);
	CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_SC, 0, pmc_ncpu(), &id, 0), EINVAL);
}

UNIT(EINVAL_CPU_of_a_process_PMC)
{
	pmc_id_t id;

	CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_TC, 0, 0, &id, 0), EINVAL);
}

UNIT(EINVAL_no_CPU_of_a_system_PMC)
{
	pmc_id_t id;

	CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_SC, 0, PMC_CPU_ANY, &id, 0), EINVAL);
}

UNIT(EINVAL_flags_of_PMCALLOCATE)
{
	const uint32_t unknown = 0x40000000;
	pmc_id_t id;

	CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_TC, unknown, PMC_CPU_ANY, &id, 0), EINVAL);
}

UNIT(EINVAL_event_of_no_logical_CPU)
{
	skip("Pentium 4 alone");
}

UNIT(EINVAL_ATTACH_and_DETACH_of_a_system_PMC)
{
	pmc_id_t id = allocate(SOFT_EVENT, PMC_MODE_SC, 0);

	if (id == PMC_ID_INVALID)
		return;
	CHECK_ERRNO(pmc_attach(id, getpid()), EINVAL);
	CHECK_ERRNO(pmc_detach(id, getpid()), EINVAL);
	CHECK_OK(pmc_release(id));
}

UNIT(EINVAL_pid_of_ATTACH_and_DETACH)
{
	pmc_id_t id = counting();

	if (id == PMC_ID_INVALID)
		return;
	CHECK_ERRNO(pmc_attach(id, -2), EINVAL);
	CHECK_ERRNO(pmc_detach(id, -2), EINVAL);
	CHECK_OK(pmc_release(id));
}

UNIT(EINVAL_DETACH_of_a_PMC_that_is_not_attached_there)
{
	pmc_id_t id = counting(), other = counting();

	if (id == PMC_ID_INVALID || other == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_attach(other, 0));
	CHECK_ERRNO(pmc_detach(id, getpid()), EINVAL);
	CHECK_OK(pmc_release(id));
	CHECK_OK(pmc_release(other));
}

UNIT(EINVAL_flags_of_PMCRW)
{
	skip("pmc(3) has a function for each flag");
}

UNIT(EINVAL_GETMSR_of_a_PMC_that_is_not_its_owners_alone)
{
	pid_t child = sleeper();
	pmc_id_t id = counting();
	pmc_id_t descendants = allocate(SOFT_EVENT, PMC_MODE_TC, PMC_F_DESCENDANTS);
	pmc_id_t sampling = allocate(SOFT_EVENT, PMC_MODE_TS, 0);
	uint32_t msr;

	if (id != PMC_ID_INVALID && descendants != PMC_ID_INVALID && sampling != PMC_ID_INVALID) {
		CHECK_ERRNO(pmc_get_msr(id, &msr), EINVAL);
		CHECK_OK(pmc_attach(id, 0));
		CHECK_OK(pmc_attach(id, child));
		CHECK_ERRNO(pmc_get_msr(id, &msr), EINVAL);
		CHECK_OK(pmc_attach(descendants, 0));
		CHECK_ERRNO(pmc_get_msr(descendants, &msr), EINVAL);
		CHECK_ERRNO(pmc_get_msr(sampling, &msr), EINVAL);
		CHECK_OK(pmc_release(id));
		CHECK_OK(pmc_release(descendants));
		CHECK_OK(pmc_release(sampling));
	}
	end_child(child);
}

UNIT(EINVAL_WRITELOG_without_log)
{
	CHECK_ERRNO(pmc_writelog(1), EINVAL);
}

/* What perf_event_open(2) fails with for want of something is what pmc_allocate() fails with. */
static void lack_in_the_kernel(unsigned int error)
{
	pmc_id_t id;

	if (!is_collector("perf"))
		return skip("only what perf_event_open(2) needs can be denied from here");
	CHECK(npmc() > 0);
	if (refuse_syscall(SYS_perf_event_open, SYS_perf_event_open, error))
		CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0),
			    (int)error);
}

UNIT(ENOMEM_in_the_kernel)
{
	lack_in_the_kernel(ENOMEM);
}

UNIT(EMFILE_of_this_process)
{
	lack_in_the_kernel(EMFILE);
}

UNIT(ENFILE_of_the_system)
{
	lack_in_the_kernel(ENFILE);
}

/* One that nobody has thought of is told as it is. */
UNIT(EDEADLK_of_an_unknown_cause)
{
	lack_in_the_kernel(EDEADLK);
}

UNIT(ENOSYS_GETMSR_without_RDPMC)
{
	pmc_id_t id = counting();
	uint32_t msr;

	if (id == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_attach(id, 0));
	CHECK_ERRNO(pmc_get_msr(id, &msr), ENOSYS);
	CHECK_OK(pmc_release(id));
}

/* A CPU that is off now; the fake collector has more than any machine. */
static int absent_cpu(void)
{
	int cpu;

	for (cpu = 0; cpu < pmc_ncpu(); cpu++)
		if (!pmc_cpu_is_online(cpu))
			return cpu;
	if (switch_cpu(&cpu, false))
		return cpu;
	skip("all CPUs that can be are online");
	return -1;
}

/* Undoes what absent_cpu() may have done. */
static void switch_back(void)
{
	int cpu;

	if (getenv("PMC_TEST_CPU"))
		CHECK(switch_cpu(&cpu, true));
}

UNIT(ENXIO_GETPMCINFO_of_an_absent_CPU)
{
	struct pmc_pmcinfo *info;
	int cpu = absent_cpu();

	if (cpu < 0)
		return;
	CHECK_ERRNO(pmc_pmcinfo(cpu, &info), ENXIO);
	switch_back();
}

UNIT(ENXIO_PMCALLOCATE_on_an_absent_CPU)
{
	pmc_id_t id;
	int cpu;

	if (is_collector("fake"))
		return skip("scripts may say what happens on any CPU");
	cpu = absent_cpu();
	if (cpu < 0)
		return;
	CHECK_ERRNO(pmc_allocate(SOFT_EVENT, PMC_MODE_SC, 0, cpu, &id, 0), ENXIO);
	switch_back();
}

UNIT(ENXIO_START_and_STOP_on_a_CPU_that_went_off)
{
	pmc_id_t id;
	int cpu;

	if (is_collector("fake"))
		return skip("scripts may say what happens on any CPU");
	if (!switch_cpu(&cpu, true))
		return;
	CHECK_OK(pmc_allocate(SOFT_EVENT, PMC_MODE_SC, 0, cpu, &id, 0));
	CHECK_OK(pmc_start(id));
	if (switch_cpu(&cpu, false)) {
		CHECK_ERRNO(pmc_stop(id), ENXIO);
		CHECK_OK(pmc_release(id));
		CHECK(switch_cpu(&cpu, true));
		CHECK_OK(pmc_allocate(SOFT_EVENT, PMC_MODE_SC, 0, cpu, &id, 0));
		CHECK(switch_cpu(&cpu, false));
		CHECK_ERRNO(pmc_start(id), ENXIO);
		CHECK(switch_cpu(&cpu, true));
	}
	CHECK_OK(pmc_release(id));
}

UNIT(EOPNOTSUPP_capabilities_that_the_class_lacks)
{
	pmc_id_t id = allocate("TSC", PMC_MODE_SC, 0);

	if (id == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_release(id));
	CHECK_ERRNO(pmc_allocate("TSC", PMC_MODE_SS, 0, 0, &id, 1000000), EOPNOTSUPP);
}

UNIT(EOPNOTSUPP_sampling_without_an_APIC)
{
	skip("i386 alone");
}

UNIT(EPERM_PMCADMIN_by_an_ordinary_user)
{
	if (!is_collector("hwpmc"))
		return skip("this collector has no switch for counters");
	if (become_nobody())
		CHECK_ERRNO(pmc_disable(0, 0), EPERM);
}

UNIT(EPERM_ATTACH_to_a_process_of_another)
{
	pmc_id_t id;

	if (is_collector("fake"))
		return skip("scripts may say what happens in any process");
	if (!become_nobody())
		return;
	id = counting();
	if (id == PMC_ID_INVALID)
		return;
	CHECK_ERRNO(pmc_attach(id, 1), EPERM);
	CHECK_OK(pmc_release(id));
}

UNIT(EPERM_ATTACH_of_a_PMC_whose_MSR_is_known)
{
	pid_t child = sleeper();
	pmc_id_t id = allocate("cycles", PMC_MODE_TC, is_collector("perf") ? PMC_F_SELF : 0);
	uint32_t msr;

	if (id != PMC_ID_INVALID) {
		CHECK_OK(pmc_start(id));
		if (pmc_get_msr(id, &msr)) {
			CHECK_U64(errno, ENOSYS);
			skip(pmc_error());
		} else {
			CHECK_OK(pmc_stop(id));
			CHECK_ERRNO(pmc_attach(id, child), EPERM);
		}
		CHECK_OK(pmc_release(id));
	}
	end_child(child);
}

UNIT(ESRCH_without_any_PMC)
{
	pmc_value_t value;

	CHECK_ERRNO(pmc_start(0), ESRCH);
	CHECK_ERRNO(pmc_read(0, &value), ESRCH);
	CHECK_ERRNO(pmc_release(0), ESRCH);
}

UNIT(ESRCH_START_after_the_last_DETACH)
{
	pmc_id_t id = counting();

	if (id == PMC_ID_INVALID)
		return;
	CHECK_OK(pmc_attach(id, 0));
	CHECK_OK(pmc_detach(id, 0));
	CHECK_ERRNO(pmc_start(id), ESRCH);
	CHECK_OK(pmc_release(id));
}

UNIT(ESRCH_ATTACH_and_DETACH_of_no_process)
{
	pmc_id_t id = counting();
	pid_t dead = dead_child();

	if (id == PMC_ID_INVALID)
		return;
	CHECK_ERRNO(pmc_attach(id, dead), ESRCH);
	CHECK_ERRNO(pmc_detach(id, dead), ESRCH);
	CHECK_OK(pmc_release(id));
}

/* Whether its parent has waited for it or not; what it counted stays. */
UNIT(ESRCH_DETACH_of_a_target_that_is_gone)
{
	pmc_id_t id = counting();
	pid_t child = sleeper();
	pmc_value_t value;
	siginfo_t info;

	/* With it hwpmc(4) tells the owner that the last target has gone. */
	signal(SIGIO, SIG_IGN);
	if (id != PMC_ID_INVALID) {
		CHECK_OK(pmc_attach(id, child));
		kill(child, SIGKILL);
		CHECK(!waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
		CHECK_ERRNO(pmc_detach(id, child), ESRCH);
		CHECK_OK(pmc_read(id, &value));
	}
	end_child(child);
	if (id != PMC_ID_INVALID) {
		CHECK_ERRNO(pmc_detach(id, child), ESRCH);
		CHECK_ERRNO(pmc_start(id), ESRCH);
		CHECK_OK(pmc_release(id));
	}
}

UNIT(ESRCH_DETACH_of_a_process_that_nothing_is_attached_to)
{
	pid_t child = sleeper();
	pmc_id_t id = counting();

	if (id != PMC_ID_INVALID) {
		CHECK_ERRNO(pmc_detach(id, child), ESRCH);
		CHECK_OK(pmc_release(id));
	}
	end_child(child);
}

static const struct unit tests[] = {
	UNIT_ENTRY(EAGAIN_helper_of_CONFIGURELOG),
	UNIT_ENTRY(EBUSY_CONFIGURELOG_while_a_log_is_active),
	UNIT_ENTRY(EBUSY_DISABLE_of_a_row_of_process_scope),
	UNIT_ENTRY(EBUSY_PMCADMIN_of_an_active_system_PMC),
	UNIT_ENTRY(EBUSY_ATTACH_where_another_PMC_has_the_row),
	UNIT_ENTRY(EBUSY_PMCRW_writes_an_active_PMC),
	UNIT_ENTRY(EBUSY_SETCOUNT_of_an_active_PMC),
	UNIT_ENTRY(EDOOFUS_START_without_log_of_PROCCSW_and_PROCEXIT),
	UNIT_ENTRY(EDOOFUS_START_without_log_of_system_sampling),
	UNIT_ENTRY(EEXIST_ATTACH_twice),
	UNIT_ENTRY(EFAULT_bad_address),
	UNIT_ENTRY(EFAULT_bad_address_of_events),
	UNIT_ENTRY(EINVAL_handle),
	UNIT_ENTRY(EINVAL_CPU_of_GETPMCINFO),
	UNIT_ENTRY(EINVAL_CONFIGURELOG_without_log),
	UNIT_ENTRY(EINVAL_FLUSHLOG_without_log),
	UNIT_ENTRY(EINVAL_CPU_of_PMCADMIN),
	UNIT_ENTRY(EINVAL_operation_of_PMCADMIN),
	UNIT_ENTRY(EINVAL_row_of_PMCADMIN),
	UNIT_ENTRY(EINVAL_START_with_a_rate_beyond_the_modules_limit),
	UNIT_ENTRY(EINVAL_no_suitable_PMC),
	UNIT_ENTRY(EINVAL_mode_of_PMCALLOCATE),
	UNIT_ENTRY(EINVAL_CPU_of_PMCALLOCATE),
	UNIT_ENTRY(EINVAL_CPU_of_a_process_PMC),
	UNIT_ENTRY(EINVAL_no_CPU_of_a_system_PMC),
	UNIT_ENTRY(EINVAL_flags_of_PMCALLOCATE),
	UNIT_ENTRY(EINVAL_event_of_no_logical_CPU),
	UNIT_ENTRY(EINVAL_ATTACH_and_DETACH_of_a_system_PMC),
	UNIT_ENTRY(EINVAL_pid_of_ATTACH_and_DETACH),
	UNIT_ENTRY(EINVAL_DETACH_of_a_PMC_that_is_not_attached_there),
	UNIT_ENTRY(EINVAL_flags_of_PMCRW),
	UNIT_ENTRY(EINVAL_GETMSR_of_a_PMC_that_is_not_its_owners_alone),
	UNIT_ENTRY(EINVAL_WRITELOG_without_log),
	UNIT_ENTRY(EDEADLK_of_an_unknown_cause),
	UNIT_ENTRY(EMFILE_of_this_process),
	UNIT_ENTRY(ENFILE_of_the_system),
	UNIT_ENTRY(ENOMEM_in_the_kernel),
	UNIT_ENTRY(ENOSYS_GETMSR_without_RDPMC),
	UNIT_ENTRY(ENXIO_GETPMCINFO_of_an_absent_CPU),
	UNIT_ENTRY(ENXIO_PMCALLOCATE_on_an_absent_CPU),
	UNIT_ENTRY(ENXIO_START_and_STOP_on_a_CPU_that_went_off),
	UNIT_ENTRY(EOPNOTSUPP_capabilities_that_the_class_lacks),
	UNIT_ENTRY(EOPNOTSUPP_sampling_without_an_APIC),
	UNIT_ENTRY(EPERM_PMCADMIN_by_an_ordinary_user),
	UNIT_ENTRY(EPERM_ATTACH_to_a_process_of_another),
	UNIT_ENTRY(EPERM_ATTACH_of_a_PMC_whose_MSR_is_known),
	UNIT_ENTRY(ESRCH_without_any_PMC),
	UNIT_ENTRY(ESRCH_START_after_the_last_DETACH),
	UNIT_ENTRY(ESRCH_ATTACH_and_DETACH_of_no_process),
	UNIT_ENTRY(ESRCH_DETACH_of_a_target_that_is_gone),
	UNIT_ENTRY(ESRCH_DETACH_of_a_process_that_nothing_is_attached_to),
};

enum { NTESTS = sizeof(tests) / sizeof(tests[0]) };

/* In a child, whose exit status is 0, 1, or 77 where the test was skipped. */
static int run_test(const struct unit *test, int tell)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		if (pmc_set_collector(collector) || pmc_init())
			skip(pmc_error());
		else
			test->run();
		if (skipped[0] && write(tell, skipped, strlen(skipped)) < 0)
			unit_failures++;
		fflush(stdout);
		_exit(unit_failures ? 1 : skipped[0] ? 77 : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_collector(const char *name, size_t *n)
{
	char why[sizeof(skipped)] = "";
	int failed = 0, status, ends[2];
	size_t i;

	collector = name;
	for (i = 0; i < NTESTS; i++) {
		ssize_t length = 0;

		fflush(stdout);
		if (pipe2(ends, O_CLOEXEC))
			return 1;
		status = run_test(&tests[i], ends[1]);
		close(ends[1]);
		if (status == 77)
			length = read(ends[0], why, sizeof(why) - 1);
		why[length > 0 ? length : 0] = '\0';
		close(ends[0]);
		printf("%sok %zu - %.4s: %s%s%s\n", status && status != 77 ? "not " : "", ++*n,
		       name, tests[i].name, status == 77 ? " # SKIP " : "", why);
		failed |= status && status != 77;
	}
	return failed;
}

int main(int argc, char **argv)
{
	char script[] = "/tmp/errors-XXXXXX", fake[sizeof(script) + 5];
	int fd = mkstemp(script), failed = 0, i;
	size_t n = 0;

	if (fd < 0)
		return 99;
	close(fd);
	snprintf(fake, sizeof(fake), "fake:%s", script);
	printf("1..%d\n", NTESTS * (argc > 1 ? argc - 1 : 2));
	for (i = 1; i < argc; i++)
		failed |= run_collector(strcmp(argv[i], "fake") == 0 ? fake : argv[i], &n);
	if (argc == 1)
		failed |= run_collector(fake, &n) | run_collector("perf", &n);
	unlink(script);
	return failed;
}
