// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_files.h"
#include "base/proc_text.h"
#include "pmc/events/event_missing.h"
#include "pmc/events/events.h"
#include "pmc/perf/perf_attr.h"
#include "pmc/perf/perf_errors.h"

enum {
	BIT_IPC_LOCK = 14,
	BIT_SYS_PTRACE = 19,
	BIT_SYS_ADMIN = 21,
	BIT_SYSLOG = 34,
	BIT_PERFMON = 38,
};

enum { SPARE_FILES = 64 }; /* for what a recording opens for a moment */

/* The value behind "Name:" in /proc/self/status, in the given base; 0 when it is not there. */
static unsigned long long status_number(const char *text, const char *name, int base)
{
	const char *p = strstr(text, name);

	return p ? strtoull(p + strlen(name), NULL, base) : 0;
}

/* "none [integrity] confidentiality": the word in brackets. */
static void read_lockdown(const char *root, char *word, size_t size)
{
	char path[PATH_MAX], text[128], *open, *close;

	word[0] = '\0';
	snprintf(path, sizeof(path), "%s/sys/kernel/security/lockdown", root);
	if (proc_read_text(path, text, sizeof(text)) <= 0)
		return;
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		snprintf(word, size, "%.*s", (int)(close - open - 1), open + 1);
}

/* Only the machine's first user namespace has all users under their own numbers. */
static bool in_user_namespace(const char *root)
{
	unsigned long long inside, outside, count;
	char path[PATH_MAX], text[256];

	snprintf(path, sizeof(path), "%s/proc/self/uid_map", root);
	return proc_read_text(path, text, sizeof(text)) > 0 &&
	       sscanf(text, "%llu %llu %llu", &inside, &outside, &count) == 3 &&
	       (inside || outside || count != UINT32_MAX);
}

void perf_settings_read(struct perf_settings *st, const char *root, pid_t target)
{
	unsigned long long caps;
	char text[4096] = "", path[PATH_MAX];
	struct stat sb;

	memset(st, 0, sizeof(*st));
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/perf_event_paranoid", root);
	st->paranoid = proc_read_number(path, LLONG_MIN);
	snprintf(path, sizeof(path), "%s/proc/self/status", root);
	proc_read_text(path, text, sizeof(text));
	st->user_namespace = in_user_namespace(root);
	caps = st->user_namespace ? 0 : status_number(text, "CapEff:", 16);
	st->has_perfmon = caps >> BIT_PERFMON & 1 || caps >> BIT_SYS_ADMIN & 1;
	st->has_ptrace = caps >> BIT_SYS_PTRACE & 1;
	st->has_syslog = caps >> BIT_SYSLOG & 1;
	st->has_ipc_lock = caps >> BIT_IPC_LOCK & 1;
	st->root = geteuid() == 0;
	st->seccomp = status_number(text, "\nSeccomp:", 10) == 2;
	read_lockdown(root, st->lockdown, sizeof(st->lockdown));
	snprintf(path, sizeof(path), "%s/proc/%d", root, target);
	st->owns_target = target <= 0 || (!stat(path, &sb) && sb.st_uid == geteuid());
	caps = status_number(text, "CapPrm:", 16);
	snprintf(path, sizeof(path), "%s/proc/%d/status", root, target);
	if (target > 0 && proc_read_text(path, text, sizeof(text)) > 0)
		st->outranked = status_number(text, "CapPrm:", 16) & ~caps;
}

/* The highest setting of perf_event_paranoid under which an ordinary user may do it. */
static int paranoid_limit(bool system, bool kernel)
{
	return system ? 0 : kernel ? 1 : 2;
}

int perf_errors_denied(struct err *err, const struct perf_settings *st, int error, const char *what,
		       bool system, bool kernel)
{
	int limit = paranoid_limit(system, kernel);

	if (!strcmp(st->lockdown, "confidentiality") && kernel && st->has_perfmon) {
		err_set(err, EX_NOPERM,
			"%s: kernel lockdown in \"confidentiality\" mode forbids profiling the "
			"kernel",
			what);
		return err_hint(err,
				"profile user code only (\":u\" behind the event), or boot with "
				"lockdown=integrity");
	}
	if (!st->has_perfmon && st->paranoid > limit) {
		err_set(err, EX_NOPERM,
			"%s: kernel.perf_event_paranoid is %lld, which denies this to a %s without "
			"CAP_PERFMON",
			what, st->paranoid, st->root ? "process" : "user");
		if (st->user_namespace)
			return err_hint(err,
					"as root of the machine: sysctl "
					"kernel.perf_event_paranoid=%d; capabilities in a user "
					"namespace, as of a rootless container, do not count",
					limit);
		return err_hint(
			err,
			"sysctl kernel.perf_event_paranoid=%d, or setcap "
			"cap_perfmon,cap_sys_ptrace+ep on the program, or run it as root%s",
			limit, st->root ? " with that capability (docker: --cap-add PERFMON)" : "");
	}
	if (!system && (!st->owns_target || st->outranked) && !st->has_ptrace) {
		err_set(err, EX_NOPERM, "%s: the target %s and this process lacks CAP_SYS_PTRACE",
			what,
			st->owns_target ? "has more capabilities" : "belongs to another user");
		return err_hint(err, "run as root or as the target's user, or setcap "
				     "cap_perfmon,cap_sys_ptrace+ep on the program (docker: "
				     "--cap-add PERFMON --cap-add SYS_PTRACE)");
	}
	if (st->seccomp) {
		err_set(err, EX_NOPERM,
			"%s: a seccomp filter denies perf_event_open(2), as those of containers do",
			what);
		return err_hint(err, "docker: --cap-add PERFMON, or --security-opt seccomp=FILE "
				     "with a profile that allows perf_event_open, or "
				     "--security-opt seccomp=unconfined");
	}
	err_set(err, EX_NOPERM, "%s: perf_event_open(2) is not permitted: %s", what,
		strerror(error));
	return err_hint(err,
			"a security module (SELinux, AppArmor) may deny it: see the kernel's "
			"audit log; kernel.perf_event_paranoid is %lld here",
			st->paranoid == LLONG_MIN ? 0 : st->paranoid);
}

/* A frequency above the kernel's limit, which it refuses as it does an unknown event. */
static bool is_too_fast(struct err *err, const struct pmc *pmc)
{
	long long max = proc_read_number("/proc/sys/kernel/perf_event_max_sample_rate", 0);

	if (!(pmc->flags & PMC_F_FREQUENCY) || max <= 0 || pmc->rate <= (uint64_t)max)
		return false;
	err_set(err, EX_UNAVAILABLE,
		"%s: %llu samples a second is above the kernel's limit of %lld", pmc->event.name,
		(unsigned long long)pmc->rate, max);
	err_hint(err, "sysctl kernel.perf_event_max_sample_rate=%llu",
		 (unsigned long long)pmc->rate);
	return true;
}

static bool lacks_part(const struct perf_machine *m, struct err *err, const struct perf_pmc *p,
		       int error)
{
	struct perf_event_attr attr;
	const struct event_refusal refusal = {"", pmcint_try_event, &p->pmc->event, &attr, error};

	if (error == EINVAL && is_too_fast(err, p->pmc))
		return true;
	perf_attr_of_pmc(m, p, &attr);
	return pmcint_event_missing(&refusal, err);
}

static int no_such_counter(struct err *err, const struct perf_pmc *p, int error)
{
	char text[256];

	err_set(err, EX_UNAVAILABLE, "%s cannot be %s here: %s", p->pmc->event.name,
		PMC_IS_SAMPLING_MODE(p->pmc->mode) ? "sampled" : "counted", strerror(error));
	pmcint_events_working(pmcint_try_event, text, sizeof(text));
	return text[0] ? err_hint(err, "these work: %s", text) : -1;
}

/* The threads of a target and its children; 1 in system scope. */
static size_t count_threads(pid_t pid)
{
	struct proc_pids pids = {0};
	struct proc_threads threads = {0};
	size_t i, n;

	if (pid > 0 && !proc_list_tree(pid, &pids))
		for (i = 0; i < pids.pids.n && !proc_list_threads(pids.pids.v[i], &threads); i++)
			;
	n = threads.threads.n;
	vec_free(&pids.pids);
	vec_free(&threads.threads);
	return n ? n : 1;
}

/* Those of the rings, of what tells of maps and children, and of the PMCs. */
static size_t count_events(const struct perf_pmcs *pmcs, size_t threads, size_t cpus)
{
	struct perf_pmc *const *p;
	size_t n = cpus + threads * cpus;

	vec_each(p, &pmcs->v) {
		enum pmc_mode mode = (*p)->pmc->mode;

		n += PMC_IS_SYSTEM_MODE(mode)	  ? 1
		     : PMC_IS_SAMPLING_MODE(mode) ? threads * cpus
						  : threads;
	}
	return n;
}

/* The soft limit has been raised as far as it may be: perf_event.c. */
static int too_many_files(const struct perf_machine *m, struct err *err, const char *what,
			  pid_t pid, const struct perf_pmcs *pmcs)
{
	size_t threads = count_threads(pid), cpus = m->online.cpus.n, open;
	size_t need = count_events(pmcs, threads, cpus);
	unsigned long long limit;

	open = open_files_count(&limit);
	err_fail(err, EMFILE,
		 "%s: of %llu files that may be open %zu are, and events need %zu in all "
		 "(PMCs %zu, threads %zu, CPUs %zu)",
		 what, limit, open, need, pmcs->v.n, threads, cpus);
	return err_hint(err, "ulimit -n %zu (as root, who may raise the hard limit), or fewer PMCs",
			open + need + SPARE_FILES);
}

static void describe(char *text, size_t size, const struct perf_failure *f)
{
	const char *name = f->pmc ? f->pmc->pmc->event.name : "following processes and their maps";

	if (f->pid < 0)
		snprintf(text, size, "%s on CPU %d", name, f->cpu);
	else if (f->pid && f->pid != getpid())
		snprintf(text, size, "%s on process %d", name, f->pid);
	else
		snprintf(text, size, "%s", name);
}

static int no_ring(const struct perf_machine *m, struct err *err, int error, int cpu)
{
	struct rlimit lim = {0, 0};
	long long mlock_kb = proc_read_number("/proc/sys/kernel/perf_event_mlock_kb", 0);
	long long need = 2 * m->page_size / 1024;

	if (error != EPERM && error != ENOMEM) {
		err_set(err, EX_OSERR, "cannot map a ring buffer on CPU %d: %s", cpu,
			strerror(error));
		return err_errno(err, error);
	}
	getrlimit(RLIMIT_MEMLOCK, &lim);
	err_set(err, EX_NOPERM,
		"no ring buffer on CPU %d, not even of %lld KiB: kernel.perf_event_mlock_kb is "
		"%lld KiB a CPU and RLIMIT_MEMLOCK %llu KiB",
		cpu, need, mlock_kb, (unsigned long long)(lim.rlim_cur / 1024));
	return err_hint(err,
			"sysctl kernel.perf_event_mlock_kb=%lld, or ulimit -l %lld, or stop "
			"other profilers of this user",
			mlock_kb > 516 ? mlock_kb * 2 : 516,
			need * (long long)m->online.cpus.n + 64);
}

int perf_errors_open(const struct perf_machine *m, const struct perf_pmcs *pmcs,
		     const struct perf_failure *f, struct err *err)
{
	const struct perf_pmc *p = f->pmc;
	const int error = f->error;
	struct perf_settings st;
	char what[160];

	if (f->mapping)
		return no_ring(m, err, error, f->cpu);
	describe(what, sizeof(what), f);
	switch (error) {
	case EACCES:
	case EPERM:
		/* No setting helps where the machine lacks what is asked for. */
		if (p && lacks_part(m, err, p, error))
			return -1;
		perf_settings_read(&st, "", f->pid);
		return perf_errors_denied(err, &st, error, what, f->pid < 0,
					  p && !p->pmc->event.exclude_kernel);
	case ENOENT:
	case EOPNOTSUPP:
	case EINVAL:
	case ENXIO:
		if (p)
			return lacks_part(m, err, p, error) ? -1 : no_such_counter(err, p, error);
		break;
	case ENODEV:
		if (f->cpu >= 0)
			return err_fail(err, ENXIO, "%s: CPU %d is offline", what, f->cpu);
		break;
	case EBUSY:
		err_set(err, EX_UNAVAILABLE, "%s: another event holds the counter for itself",
			what);
		err_hint(err,
			 "stop other profilers; sysctl kernel.nmi_watchdog=0 frees one counter");
		return err_errno(err, error);
	case EMFILE: return too_many_files(m, err, what, f->pid, pmcs);
	case ENFILE:
		err_fail(err, error, "%s: the whole system has no file descriptor left", what);
		return err_hint(err, "sysctl fs.file-max tells the limit; raise it");
	case ENOMEM: return err_nomem(err);
	case ESRCH: return err_fail(err, error, "there is no process %d", f->pid);
	case ENOSYS:
		return err_fail(
			err, error,
			"this kernel has no perf_event_open(2) (CONFIG_PERF_EVENTS is off)");
	default: break;
	}
	err_set(err, EX_OSERR, "%s: perf_event_open(2): %s", what, strerror(error));
	return err_errno(err, error);
}

int perf_errors_open_pmc(const struct perf_machine *m, const struct perf_pmcs *pmcs,
			 const struct perf_pmc *p, int error, struct err *err)
{
	const struct perf_failure failure = {.error = error,
					     .pmc = p,
					     .pid = PMC_IS_SYSTEM_MODE(p->pmc->mode) ? -1 : 0,
					     .cpu = p->pmc->cpu};

	return perf_errors_open(m, pmcs, &failure, err);
}
