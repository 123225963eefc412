// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/proc_text.h"
#include "kdrv/hwpmc.h"
#include "pmc/events/event_missing.h"
#include "pmc/hwpmc/hwpmc_errors.h"

#define NANOSECONDS 1000000000LL /* of a second */

/* The PMC of a sentence: "cycles on CPU 1", "cycles". */
struct subject {
	char text[96];
};

static const char *subject_of(const struct pmc *pmc, struct subject *s)
{
	if (PMC_IS_SYSTEM_MODE(pmc->mode))
		snprintf(s->text, sizeof(s->text), "%s on CPU %d", pmc->event.name, pmc->cpu);
	else
		snprintf(s->text, sizeof(s->text), "%s", pmc->event.name);
	return s->text;
}

/* What several operations fail with. */
static int common(struct err *err, int error, const char *what)
{
	switch (error) {
	case ENOMEM: err_nomem(err); break;
	case ENODEV:
		err_set(err, EX_UNAVAILABLE, "%s: the module hwpmc is being unloaded", what);
		break;
	default: err_set(err, EX_OSERR, "%s: %s: %s", what, HWPMC_DEVICE, strerror(error));
	}
	return err_errno(err, error);
}

int hwpmc_errors_open(struct err *err, int error)
{
	if (error == ENOENT || error == ENXIO || error == ENODEV) {
		err_set(err, EX_UNAVAILABLE,
			"there is no " HWPMC_DEVICE ": the module hwpmc is not loaded");
		return err_hint(err, "modprobe hwpmc; " HWPMC_USE_PERF);
	}
	if (error == EACCES || error == EPERM) {
		err_set(err, EX_NOPERM, HWPMC_DEVICE " may not be opened: %s", strerror(error));
		return err_hint(err, "join the group of the device (ls -l " HWPMC_DEVICE "), which "
				     "hwpmc(4) calls \"profile\"; " HWPMC_USE_PERF);
	}
	return common(err, error, "cannot be opened");
}

static long long paranoia(void)
{
	return proc_read_number("/proc/sys/kernel/perf_event_paranoid", 0);
}

static int denied(struct err *err, const struct pmc *pmc)
{
	struct subject s;

	if (PMC_IS_SYSTEM_MODE(pmc->mode)) {
		err_set(err, EX_NOPERM,
			"%s: system scope needs CAP_PERFMON, or kernel.hwpmc.unprivileged_syspmcs, "
			"which is %lld, and a kernel.perf_event_paranoid of 0, which is %lld",
			subject_of(pmc, &s),
			proc_read_number("/proc/sys/kernel/hwpmc/unprivileged_syspmcs", 0),
			paranoia());
		return err_hint(err, "run it as root, or setcap cap_perfmon,cap_sys_ptrace+ep on "
				     "the program, or sysctl kernel.hwpmc.unprivileged_syspmcs=1 "
				     "kernel.perf_event_paranoid=0");
	}
	err_set(err, EX_NOPERM,
		"%s: kernel.perf_event_paranoid is %lld, which denies this to a user without "
		"CAP_PERFMON",
		pmc->event.name, paranoia());
	return err_hint(err, "profile user code only (\":u\" behind the event), or sysctl "
			     "kernel.perf_event_paranoid=1");
}

/* Whether the samples would come too fast, and is told so. */
static bool is_too_fast(struct err *err, const struct pmc *pmc)
{
	long long least = proc_read_number("/proc/sys/kernel/hwpmc/min_period_ns", 0);
	bool frequency = (pmc->flags & PMC_F_FREQUENCY) != 0;

	if (!PMC_IS_SAMPLING_MODE(pmc->mode) || least <= 0)
		return false;
	if (frequency && pmc->rate > (uint64_t)(NANOSECONDS / least))
		err_set(err, EX_UNAVAILABLE,
			"%s: %llu samples a second are more than the %lld that "
			"kernel.hwpmc.min_period_ns allows",
			pmc->event.name, (unsigned long long)pmc->rate, NANOSECONDS / least);
	else if (!frequency && pmc->event.clock && pmc->rate < (uint64_t)least)
		err_set(err, EX_UNAVAILABLE,
			"%s: %llu ns between samples are less than kernel.hwpmc.min_period_ns, "
			"which is %lld",
			pmc->event.name, (unsigned long long)pmc->rate, least);
	else
		return false;
	err_hint(err, frequency ? "--freq %lld" : "-n %lld",
		 frequency ? NANOSECONDS / least : least);
	return true;
}

/* Whether it is the machine that lacks a part of the event: the module does not tell. */
static bool lacks_part(struct err *err, const struct pmc *pmc)
{
	const struct pmc_eventspec *e = &pmc->event;
	const struct perf_event_attr attr = {
		.type = e->type,
		.size = sizeof(attr),
		.config = e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.freq = (pmc->flags & PMC_F_FREQUENCY) != 0,
		.sample_period = PMC_IS_SAMPLING_MODE(pmc->mode) ? pmc->rate : 0,
		.exclude_user = e->exclude_user,
		.exclude_kernel = e->exclude_kernel,
		.exclude_hv = e->exclude_kernel,
		.precise_ip = e->precise & 3,
	};
	const struct event_refusal refusal = {"", pmcint_try_event, e, &attr, EINVAL};

	return pmcint_event_missing(&refusal, err);
}

static int no_counter(struct err *err, const struct pmc *pmc)
{
	struct subject s;

	if (is_too_fast(err, pmc) || lacks_part(err, pmc))
		return -1;
	if (pmc->event.type > PERF_TYPE_RAW) {
		err_set(err, EX_UNAVAILABLE,
			"%s: the module hwpmc has no counter of its PMU for it",
			subject_of(pmc, &s));
		return err_hint(err, HWPMC_USE_PERF);
	}
	err_set(err, EX_UNAVAILABLE, "%s: no counter is free for it", subject_of(pmc, &s));
	return err_hint(err, "pmccontrol -l tells what has the counters; with "
			     "--collector=perf PMCs take turns");
}

int hwpmc_errors_allocate(struct err *err, int error, const struct pmc *pmc)
{
	struct subject s;

	switch (error) {
	case EPERM:
	case EACCES: denied(err, pmc); break;
	case EINVAL:
	case ENOENT: no_counter(err, pmc); break;
	case EOPNOTSUPP:
		err_set(err, EX_UNAVAILABLE, "%s cannot be %s: its counters are not able to",
			subject_of(pmc, &s),
			PMC_IS_SAMPLING_MODE(pmc->mode) ? "sampled" : "counted so");
		break;
	case ENXIO: err_set(err, EX_UNAVAILABLE, "CPU %d is not online", pmc->cpu); break;
	case EBUSY:
		err_set(err, EX_UNAVAILABLE, "%s: others hold the counters that it could have",
			subject_of(pmc, &s));
		err_hint(err,
			 "stop other profilers; sysctl kernel.nmi_watchdog=0 frees one counter");
		break;
	case ENOBUFS:
		err_set(err, EX_UNAVAILABLE,
			"%s: this user has as many PMCs already as kernel.hwpmc.user_pmcs allows, "
			"which is %lld",
			subject_of(pmc, &s),
			proc_read_number("/proc/sys/kernel/hwpmc/user_pmcs", 0));
		err_hint(err, "end another recording; root may raise it by sysctl");
		break;
	default: return common(err, error, subject_of(pmc, &s));
	}
	return err_errno(err, error);
}

int hwpmc_errors_attach(struct err *err, int error, const struct pmc *pmc, pid_t pid)
{
	struct subject s;

	switch (error) {
	case EPERM:
	case EACCES:
		err_set(err, EX_NOPERM,
			"%s: this process may not profile process %d: it could not debug it either",
			pmc->event.name, (int)pid);
		err_hint(err,
			 "run as root or as the target's user, or setcap "
			 "cap_perfmon,cap_sys_ptrace+ep on the program; "
			 "kernel.hwpmc.unprivileged_proc_debug is %lld here",
			 proc_read_number("/proc/sys/kernel/hwpmc/unprivileged_proc_debug", 0));
		break;
	case ESRCH: err_set(err, EX_NOUSER, "there is no process %d", (int)pid); break;
	case EEXIST:
		err_set(err, EX_USAGE, "%s is attached to process %d already", pmc->event.name,
			(int)pid);
		break;
	case EINVAL:
		err_set(err, EX_USAGE, "%s cannot have process %d as a target", pmc->event.name,
			(int)pid);
		break;
	case EBUSY:
		err_set(err, EX_UNAVAILABLE,
			"%s: process %d has other PMCs that need the same counter", pmc->event.name,
			(int)pid);
		err_hint(err, "stop other profilers of it; with --collector=perf PMCs take turns");
		break;
	case EAGAIN:
		err_set(err, EX_TEMPFAIL,
			"%s: process %d and those below it make processes or threads faster than "
			"they can be attached to, or there are more than 255 generations of them",
			pmc->event.name, (int)pid);
		err_hint(err,
			 "try again, or stop process %d meanwhile; attach to deeper ones by "
			 "themselves",
			 (int)pid);
		break;
	default: return common(err, error, subject_of(pmc, &s));
	}
	return err_errno(err, error);
}

int hwpmc_errors_start(struct err *err, int error, const struct pmc *pmc)
{
	struct subject s;

	switch (error) {
	case EBUSY:
		err_set(err, EX_UNAVAILABLE, "%s: others took the counter that it was to have",
			subject_of(pmc, &s));
		err_hint(err,
			 "stop other profilers; sysctl kernel.nmi_watchdog=0 frees one counter");
		break;
	case ENXIO: err_set(err, EX_UNAVAILABLE, "CPU %d is not online", pmc->cpu); break;
	case EDESTADDRREQ:
		err_set(err, EX_USAGE, "%s needs a log", subject_of(pmc, &s));
		error = EDOOFUS;
		break;
	default: return hwpmc_errors_pmc(err, error, pmc, "started");
	}
	return err_errno(err, error);
}

int hwpmc_errors_rate(struct err *err, int error, const struct pmc *pmc)
{
	if (error == EINVAL && is_too_fast(err, pmc))
		return err_errno(err, error);
	return hwpmc_errors_pmc(err, error, pmc, "given its rate");
}

int hwpmc_errors_pmc(struct err *err, int error, const struct pmc *pmc, const char *what)
{
	struct subject s;

	switch (error) {
	case ESRCH:
		err_set(err, EX_NOUSER, "%s cannot be %s: it has no target processes",
			subject_of(pmc, &s), what);
		break;
	case ENXIO: err_set(err, EX_UNAVAILABLE, "CPU %d is not online", pmc->cpu); break;
	case ENOMEM: err_nomem(err); break;
	default:
		err_set(err, EX_OSERR, "%s cannot be %s: %s", subject_of(pmc, &s), what,
			strerror(error));
	}
	return err_errno(err, error);
}

int hwpmc_errors_log(struct err *err, int error)
{
	switch (error) {
	case ENOMEM: err_nomem(err); break;
	case ENOBUFS:
		err_set(err, EX_UNAVAILABLE,
			"the logs of this user would take more memory than "
			"kernel.hwpmc.user_log_kb, which is %lld KB a CPU, and the limit of locked "
			"memory allow",
			proc_read_number("/proc/sys/kernel/hwpmc/user_log_kb", 0));
		err_hint(err, "end another recording, raise one of the two (ulimit -l), or load "
			      "hwpmc with a smaller nsamples");
		break;
	case EPERM:
		err_set(err, EX_NOPERM,
			"a log needs the permission to count: kernel.perf_event_paranoid is %lld",
			paranoia());
		err_hint(err, "sysctl kernel.perf_event_paranoid=2, or run it as root");
		break;
	case EINVAL: /* there is a log, or its trailer is ours: it is the file */
		err_set(err, EX_USAGE,
			"the module hwpmc can write a log to a file, a pipe or a socket, not to a "
			"device as /dev/null");
		err_hint(err, "write it through a pipe, -O - | cat >/dev/null; " HWPMC_USE_PERF);
		break;
	case EAGAIN:
		err_set(err, EX_TEMPFAIL,
			"the kernel has no room for a thread that writes the log");
		break;
	case EINTR: err_set(err, EX_IOERR, "the log was not written whole: a signal came"); break;
	default: err_set(err, EX_IOERR, "the log cannot be written: %s", strerror(error));
	}
	return err_errno(err, error);
}

int hwpmc_errors_admin(struct err *err, int error, int cpu, uint32_t row, bool enable)
{
	const char *what = enable ? "enabled" : "disabled";

	switch (error) {
	case EBUSY:
		err_set(err, EX_TEMPFAIL, "row %u of CPU %d cannot be %s: it is in use", row, cpu,
			what);
		err_hint(err, "pmccontrol -l tells what uses it");
		break;
	case EPERM:
		err_set(err, EX_NOPERM, "row %u of CPU %d can be %s by the administrator only", row,
			cpu, what);
		err_hint(err, "run it as root, or with CAP_SYS_ADMIN");
		break;
	default:
		err_set(err, EX_UNAVAILABLE, "row %u of CPU %d cannot be %s: %s", row, cpu, what,
			strerror(error));
	}
	return err_errno(err, error);
}

int hwpmc_errors_other(struct err *err, int error, const char *what)
{
	return common(err, error, what);
}
