/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Installed as <sys/pmclog.h>: the numbers of the pmclog stream, under FreeBSD's names.
 */
#ifndef SYS_PMCLOG_H
#define SYS_PMCLOG_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint32_t pmc_id_t;
typedef uint64_t pmc_value_t;
typedef uint64_t uintfptr_t;

#ifndef PMC_CALLCHAIN_DEPTH_MAX
#define PMC_CALLCHAIN_DEPTH_MAX 512
#endif
#ifndef PMC_NAME_MAX
#define PMC_NAME_MAX 64
#endif
#ifndef PMC_CPUID_LEN
#define PMC_CPUID_LEN 64
#endif
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

#ifndef PMC_CC_F_USERSPACE
#define PMC_CC_F_USERSPACE 0x01 /* the leaf ran in user mode */
#endif
#ifndef PMC_CC_F_MULTIPART
#define PMC_CC_F_MULTIPART 0x02
#endif

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

#endif
