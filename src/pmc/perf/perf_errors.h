/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why perf_event_open(2) and mmap(2) failed, in words, and what to do.
 */
#ifndef PMC_PERF_ERRORS_H
#define PMC_PERF_ERRORS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct perf_failure;
struct perf_machine;
struct perf_pmc;
struct perf_pmcs;

/* pmcs: all of the session, which need descriptors as well.  Always -1. */
int perf_errors_open(const struct perf_machine *m, const struct perf_pmcs *pmcs,
		     const struct perf_failure *f, struct err *err);
/* error: the errno of opening p where it is to be, or in process scope on the calling thread. */
int perf_errors_open_pmc(const struct perf_machine *m, const struct perf_pmcs *pmcs,
			 const struct perf_pmc *p, int error, struct err *err);

/* What settings may refuse: a snapshot of them, so that the words can be tested. */
struct perf_settings {
	long long paranoid;  /* kernel.perf_event_paranoid; LLONG_MIN: cannot be read */
	bool has_perfmon;    /* CAP_PERFMON or CAP_SYS_ADMIN in effect */
	bool has_ptrace;     /* CAP_SYS_PTRACE */
	bool has_syslog;     /* CAP_SYSLOG */
	bool has_ipc_lock;   /* CAP_IPC_LOCK: rings of any size */
	bool user_namespace; /* not the machine's first: then it has no capabilities that count */
	bool root;	     /* effective uid 0 */
	bool seccomp;	     /* a filter is in force */
	char lockdown[32];   /* "none", "integrity", "confidentiality"; "" not there */
	bool owns_target;    /* the target runs as the same user */
	bool outranked;	     /* the target may have capabilities that this process may not */
};

/* root: "", or where a test has its /proc and /sys.  target: 0 is this process. */
void perf_settings_read(struct perf_settings *st, const char *root, pid_t target);

/* The words for EACCES and EPERM.  what: "cpu-clock on CPU 1".  system: scope.  Always -1. */
int perf_errors_denied(struct err *err, const struct perf_settings *st, int error, const char *what,
		       bool system, bool kernel);

#endif
