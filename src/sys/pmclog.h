/* SPDX-License-Identifier: BSD-2-Clause */
/* Installed as <sys/pmclog.h>: what is in a pmclog stream.  <pmclog.h> has its reader. */
#ifndef SYS_PMCLOG_H
#define SYS_PMCLOG_H

#include <stdint.h>
#include <sys/pmc.h>

#ifndef MAXCOMLEN
#define MAXCOMLEN 19
#endif

enum pmclog_type {
	PMCLOG_TYPE_CLOSELOG = 1,
	PMCLOG_TYPE_DROPNOTIFY = 2,
	PMCLOG_TYPE_INITIALIZE = 3,
	PMCLOG_TYPE_PMCALLOCATE = 5,
	PMCLOG_TYPE_PMCATTACH = 6,
	PMCLOG_TYPE_PMCDETACH = 7,
	PMCLOG_TYPE_PROCCSW = 8,
	PMCLOG_TYPE_PROCEXEC = 9,
	PMCLOG_TYPE_PROCEXIT = 10,
	PMCLOG_TYPE_PROCFORK = 11,
	PMCLOG_TYPE_SYSEXIT = 12,
	PMCLOG_TYPE_USERDATA = 13,
	PMCLOG_TYPE_MAP_IN = 14,
	PMCLOG_TYPE_MAP_OUT = 15,
	PMCLOG_TYPE_CALLCHAIN = 16,
	PMCLOG_TYPE_PMCALLOCATEDYN = 17,
	PMCLOG_TYPE_THR_CREATE = 18,
	PMCLOG_TYPE_THR_EXIT = 19,
	PMCLOG_TYPE_PROC_CREATE = 20,
	PMCLOG_TYPE_PMCGROUPINHERITMISS = 21
};

#define PMC_CALLCHAIN_CPUFLAGS_TO_CPU(cpuflags)	     (((cpuflags) >> 16) & 0xffff)
#define PMC_CALLCHAIN_CPUFLAGS_TO_USERMODE(cpuflags) ((cpuflags)&PMC_CC_F_USERSPACE)
#define PMC_CALLCHAIN_TO_CPUFLAGS(cpu, flags)	     (((cpu) << 16) | ((flags)&0xffff))

/* What every record in the stream begins with; pl_data of struct pmclog_ev points at one. */
struct pmclog_header {
	uint32_t pl_header;
	uint32_t pl_spare;
	uint64_t pl_tsc;
};

#define PMCLOG_HEADER_MAGIC 0xEEU

#define PMCLOG_HEADER_TO_LENGTH(header)	  ((header)&0xffffU)
#define PMCLOG_HEADER_TO_TYPE(header)	  (((header) >> 16) & 0xffU)
#define PMCLOG_HEADER_TO_MAGIC(header)	  (((header) >> 24) & 0xffU)
#define PMCLOG_HEADER_CHECK_MAGIC(header) (PMCLOG_HEADER_TO_MAGIC(header) == PMCLOG_HEADER_MAGIC)

/* A CALLCHAIN record of a 64-bit machine; its length tells how many words it has. */
struct pmclog_callchain {
	uint32_t pl_header;
	uint32_t pl_spare;
	uint64_t pl_tsc;
	uint32_t pl_pid;
	uint32_t pl_tid;
	uint32_t pl_pmcid;
	uint32_t pl_cpuflags;
	uint64_t pl_pc[PMC_CALLCHAIN_DEPTH_MAX]; /* leaf first */
};

#endif
