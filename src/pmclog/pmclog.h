/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Installed as <pmclog.h>: FreeBSD's pmclog(3), which reads a pmclog stream record by record.
 *
 * Names and meanings are FreeBSD 14's; man/pmclog.3 tells the few differences.
 */
#ifndef PMCLOG_H
#define PMCLOG_H

#include <limits.h>
#include <stdint.h>
#include <sys/pmclog.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pmclog_state { PMCLOG_OK, PMCLOG_EOF, PMCLOG_REQUIRE_DATA, PMCLOG_ERROR };

struct pmclog_ev_callchain {
	uint32_t pl_pid;
	uint32_t pl_tid;
	uint32_t pl_pmcid;
	uint32_t pl_cpuflags;
	uint32_t pl_cpuflags2;
	uint32_t pl_npc;
	uintfptr_t pl_pc[PMC_CALLCHAIN_DEPTH_MAX]; /* leaf first */
};

/* Beyond FreeBSD: what a Linux log says of lost samples.  pl_known is 0 when it does not. */
struct pmclog_ev_dropnotify {
	uint32_t pl_known;
	uint32_t pl_cpu;
	uint64_t pl_count;
	uint32_t pl_cause; /* as pmclog(5) has them: 3 is records that are no samples */
};

struct pmclog_ev_closelog {
	uint32_t pl_unused;
};

struct pmclog_ev_initialize {
	uint32_t pl_version;
	uint32_t pl_arch; /* enum pmc_cputype */
	uint64_t pl_tsc_freq;
	struct timespec pl_ts;
	char pl_cpuid[PATH_MAX];
};

struct pmclog_ev_map_in {
	pid_t pl_pid; /* -1: the kernel */
	uintfptr_t pl_start;
	char pl_pathname[PATH_MAX];
};

struct pmclog_ev_map_out {
	pid_t pl_pid;
	uintfptr_t pl_start;
	uintfptr_t pl_end;
};

struct pmclog_ev_pcsample {
	uintfptr_t pl_pc;
	pid_t pl_pid;
	pid_t pl_tid;
	pmc_id_t pl_pmcid;
	uint32_t pl_flags;
	uint32_t pl_usermode;
};

struct pmclog_ev_pmcallocate {
	const char *pl_evname; /* valid until the next call */
	uint64_t pl_rate;
	uint32_t pl_event;
	uint32_t pl_flags;
	pmc_id_t pl_pmcid;
};

struct pmclog_ev_pmcallocatedyn {
	char pl_evname[PMC_NAME_MAX];
	uint32_t pl_event;
	uint32_t pl_flags;
	pmc_id_t pl_pmcid;
};

struct pmclog_ev_pmcattach {
	pmc_id_t pl_pmcid;
	pid_t pl_pid;
	char pl_pathname[PATH_MAX];
};

struct pmclog_ev_pmcdetach {
	pmc_id_t pl_pmcid;
	pid_t pl_pid;
};

struct pmclog_ev_proccsw {
	pid_t pl_pid;
	pid_t pl_tid;
	pmc_id_t pl_pmcid;
	pmc_value_t pl_value;
};

struct pmclog_ev_proccreate {
	pid_t pl_pid;
	uint32_t pl_flags;
	char pl_pcomm[MAXCOMLEN + 1];
};

struct pmclog_ev_procexec {
	pid_t pl_pid;
	pmc_id_t pl_pmcid;
	uintfptr_t pl_entryaddr; /* up to version 9 */
	char pl_pathname[PATH_MAX];
	/* Version 10: where the run-time linker was loaded, and how far the program was moved. */
	uintfptr_t pl_baseaddr;
	uintfptr_t pl_dynaddr;
};

struct pmclog_ev_procexit {
	uint32_t pl_pid;
	pmc_id_t pl_pmcid;
	pmc_value_t pl_value;
};

struct pmclog_ev_procfork {
	pid_t pl_oldpid;
	pid_t pl_newpid;
};

struct pmclog_ev_sysexit {
	pid_t pl_pid;
};

struct pmclog_ev_threadcreate {
	pid_t pl_tid;
	pid_t pl_pid;
	uint32_t pl_flags;
	char pl_tdname[MAXCOMLEN + 1];
};

struct pmclog_ev_threadexit {
	pid_t pl_tid;
};

struct pmclog_ev_userdata {
	uint32_t pl_userdata;
};

struct pmclog_ev {
	enum pmclog_state pl_state;
	off_t pl_offset;       /* of the first byte behind the record */
	size_t pl_count;       /* records so far */
	struct timespec pl_ts; /* tv_sec holds the tsc, as on FreeBSD; a time in older logs */
	enum pmclog_type pl_type;
	void *pl_data; /* the record as it is in the stream, until the next call */
	int pl_len;    /* its bytes */
	union {
		struct pmclog_ev_callchain pl_cc;
		struct pmclog_ev_closelog pl_cl;
		struct pmclog_ev_dropnotify pl_dn;
		struct pmclog_ev_initialize pl_i;
		struct pmclog_ev_map_in pl_mi;
		struct pmclog_ev_map_out pl_mo;
		struct pmclog_ev_pcsample pl_s;
		struct pmclog_ev_pmcallocate pl_a;
		struct pmclog_ev_pmcallocatedyn pl_ad;
		struct pmclog_ev_pmcattach pl_t;
		struct pmclog_ev_pmcdetach pl_d;
		struct pmclog_ev_proccsw pl_c;
		struct pmclog_ev_proccreate pl_pc;
		struct pmclog_ev_procexec pl_x;
		struct pmclog_ev_procexit pl_e;
		struct pmclog_ev_procfork pl_f;
		struct pmclog_ev_sysexit pl_se;
		struct pmclog_ev_threadcreate pl_tc;
		struct pmclog_ev_threadexit pl_te;
		struct pmclog_ev_userdata pl_u;
	} pl_u;
};

#define PMCLOG_FD_NONE (-1)

void *pmclog_open(int fd);
int pmclog_feed(void *cookie, char *data, int len);
int pmclog_read(void *cookie, struct pmclog_ev *ev);
void pmclog_close(void *cookie);

/* Beyond FreeBSD: what is wrong with the log, in words, after PMCLOG_ERROR or PMCLOG_EOF; else "".
 */
const char *pmclog_error(const void *cookie);

#ifdef __cplusplus
}
#endif

#endif
