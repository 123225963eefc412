/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Installed as <sys/pmc.h>: the constants and structures of hwpmc(4) that libpmc and libpmclog
 * share, by FreeBSD's names and with its numbers.  <pmc.h> and <pmclog.h> include it.
 */
#ifndef SYS_PMC_H
#define SYS_PMC_H

#include <stdint.h>
#include <sys/types.h>

#define PMC_MODULE_NAME "hwpmc"
#define PMC_NAME_MAX	64 /* bytes of a row's name, with the NUL */
#define PMC_CLASS_MAX	8  /* classes that a machine can have */
#define PMC_CPUID_LEN	64

/* The version of logs that are written here, as INITIALIZE has it. */
#define PMC_VERSION_MAJOR 0x09
#define PMC_VERSION_MINOR 0x03
#define PMC_VERSION_PATCH 0x0000
#define PMC_VERSION	  (PMC_VERSION_MAJOR << 24 | PMC_VERSION_MINOR << 16 | PMC_VERSION_PATCH)

typedef uint32_t pmc_id_t;
typedef uint64_t pmc_value_t;
typedef uint64_t uintfptr_t; /* an address of the machine that wrote a log */

#define PMC_ID_INVALID (~(pmc_id_t)0)
#define PMC_CPU_ANY    (-1)

enum pmc_mode {
	PMC_MODE_INVALID = -1,
	PMC_MODE_SS = 0, /* system scope, sampling */
	PMC_MODE_SC = 1, /* system scope, counting */
	PMC_MODE_TS = 2, /* process ("thread") scope, sampling */
	PMC_MODE_TC = 3, /* process scope, counting */
};

#define PMC_IS_SYSTEM_MODE(mode)   ((mode) == PMC_MODE_SS || (mode) == PMC_MODE_SC)
#define PMC_IS_SAMPLING_MODE(mode) ((mode) == PMC_MODE_SS || (mode) == PMC_MODE_TS)
#define PMC_IS_COUNTING_MODE(mode) ((mode) == PMC_MODE_SC || (mode) == PMC_MODE_TC)
#define PMC_IS_VIRTUAL_MODE(mode)  ((mode) == PMC_MODE_TS || (mode) == PMC_MODE_TC)

#define PMC_MODE_FIRST PMC_MODE_SS
#define PMC_MODE_LAST  PMC_MODE_TC

/*
 * TSC, CPU and SOFT are what Linux has: the CPU's own counters are one class, whatever their make.
 * The others are of FreeBSD's logs.
 */
enum pmc_class {
	PMC_CLASS_TSC = 0x00,
	PMC_CLASS_CPU = 0x01,
	PMC_CLASS_K7 = 0x01, /* the number that CPU has here */
	PMC_CLASS_K8 = 0x02,
	PMC_CLASS_P5 = 0x03,
	PMC_CLASS_P6 = 0x04,
	PMC_CLASS_P4 = 0x05,
	PMC_CLASS_IAF = 0x06,
	PMC_CLASS_IAP = 0x07,
	PMC_CLASS_UCF = 0x08,
	PMC_CLASS_UCP = 0x09,
	PMC_CLASS_XSCALE = 0x0A,
	PMC_CLASS_MIPS24K = 0x0B,
	PMC_CLASS_OCTEON = 0x0C,
	PMC_CLASS_PPC7450 = 0x0D,
	PMC_CLASS_PPC970 = 0x0E,
	PMC_CLASS_SOFT = 0x0F,
	PMC_CLASS_ARMV7 = 0x10,
	PMC_CLASS_ARMV8 = 0x11,
	PMC_CLASS_MIPS74K = 0x12,
	PMC_CLASS_E500 = 0x13,
	PMC_CLASS_POWER8 = 0x15,
	PMC_CLASS_DMC620_PMU_CD2 = 0x16,
	PMC_CLASS_DMC620_PMU_C = 0x17,
	PMC_CLASS_CMN600_PMU = 0x18,
};

#define PMC_CLASS_FIRST PMC_CLASS_TSC
#define PMC_CLASS_LAST	PMC_CLASS_CMN600_PMU

/* Collectors that do not know better say GENERIC. */
enum pmc_cputype {
	PMC_CPU_AMD_K7 = 0x00,
	PMC_CPU_AMD_K8 = 0x01,
	PMC_CPU_INTEL_P5 = 0x80,
	PMC_CPU_INTEL_P6 = 0x81,
	PMC_CPU_INTEL_CL = 0x82,
	PMC_CPU_INTEL_PII = 0x83,
	PMC_CPU_INTEL_PIII = 0x84,
	PMC_CPU_INTEL_PM = 0x85,
	PMC_CPU_INTEL_PIV = 0x86,
	PMC_CPU_INTEL_CORE = 0x87,
	PMC_CPU_INTEL_CORE2 = 0x88,
	PMC_CPU_INTEL_CORE2EXTREME = 0x89,
	PMC_CPU_INTEL_ATOM = 0x8A,
	PMC_CPU_INTEL_COREI7 = 0x8B,
	PMC_CPU_INTEL_WESTMERE = 0x8C,
	PMC_CPU_INTEL_SANDYBRIDGE = 0x8D,
	PMC_CPU_INTEL_IVYBRIDGE = 0x8E,
	PMC_CPU_INTEL_SANDYBRIDGE_XEON = 0x8F,
	PMC_CPU_INTEL_IVYBRIDGE_XEON = 0x90,
	PMC_CPU_INTEL_HASWELL = 0x91,
	PMC_CPU_INTEL_ATOM_SILVERMONT = 0x92,
	PMC_CPU_INTEL_NEHALEM_EX = 0x93,
	PMC_CPU_INTEL_WESTMERE_EX = 0x94,
	PMC_CPU_INTEL_HASWELL_XEON = 0x95,
	PMC_CPU_INTEL_BROADWELL = 0x96,
	PMC_CPU_INTEL_BROADWELL_XEON = 0x97,
	PMC_CPU_INTEL_SKYLAKE = 0x98,
	PMC_CPU_INTEL_SKYLAKE_XEON = 0x99,
	PMC_CPU_INTEL_ATOM_GOLDMONT = 0x9A,
	PMC_CPU_INTEL_ICELAKE = 0x9B,
	PMC_CPU_INTEL_ICELAKE_XEON = 0x9C,
	PMC_CPU_INTEL_ALDERLAKE = 0x9D,
	PMC_CPU_INTEL_ATOM_GOLDMONT_P = 0x9E,
	PMC_CPU_INTEL_ATOM_TREMONT = 0x9F,
	PMC_CPU_INTEL_XSCALE = 0x100,
	PMC_CPU_MIPS_24K = 0x200,
	PMC_CPU_MIPS_OCTEON = 0x201,
	PMC_CPU_MIPS_74K = 0x202,
	PMC_CPU_PPC_7450 = 0x300,
	PMC_CPU_PPC_E500 = 0x340,
	PMC_CPU_PPC_970 = 0x380,
	PMC_CPU_PPC_POWER8 = 0x390,
	PMC_CPU_GENERIC = 0x400,
	PMC_CPU_ARMV7_CORTEX_A5 = 0x500,
	PMC_CPU_ARMV7_CORTEX_A7 = 0x501,
	PMC_CPU_ARMV7_CORTEX_A8 = 0x502,
	PMC_CPU_ARMV7_CORTEX_A9 = 0x503,
	PMC_CPU_ARMV7_CORTEX_A15 = 0x504,
	PMC_CPU_ARMV7_CORTEX_A17 = 0x505,
	PMC_CPU_ARMV8_CORTEX_A53 = 0x600,
	PMC_CPU_ARMV8_CORTEX_A57 = 0x601,
	PMC_CPU_ARMV8_CORTEX_A76 = 0x602,
};

#define PMC_CPU_FIRST PMC_CPU_AMD_K7
#define PMC_CPU_LAST  PMC_CPU_ARMV8_CORTEX_A76

/* States of a PMC; the first two are those of a row that nobody has allocated. */
enum pmc_state {
	PMC_STATE_DISABLED,
	PMC_STATE_FREE,
	PMC_STATE_ALLOCATED,
	PMC_STATE_STOPPED,
	PMC_STATE_RUNNING,
	PMC_STATE_DELETED,
};

#define PMC_STATE_FIRST PMC_STATE_DISABLED
#define PMC_STATE_LAST	PMC_STATE_DELETED

/* What a row, the same counter of all CPUs, is used for: see hwpmc(4). */
enum pmc_disp {
	PMC_DISP_STANDALONE, /* by system scope, or disabled on some CPU */
	PMC_DISP_FREE,
	PMC_DISP_THREAD, /* by process scope */
	PMC_DISP_UNKNOWN,
};

#define PMC_DISP_FIRST PMC_DISP_STANDALONE
#define PMC_DISP_LAST  PMC_DISP_THREAD

/* What the counters of a class can do. */
enum pmc_caps {
	PMC_CAP_INTERRUPT = 1 << 0, /* interrupt, and so sample */
	PMC_CAP_USER = 1 << 1,	    /* count in user mode alone */
	PMC_CAP_SYSTEM = 1 << 2,    /* count in kernel mode alone */
	PMC_CAP_EDGE = 1 << 3,	    /* count beginnings instead of cycles */
	PMC_CAP_THRESHOLD = 1 << 4, /* count cycles with at least so many events */
	PMC_CAP_READ = 1 << 5,
	PMC_CAP_WRITE = 1 << 6,
	PMC_CAP_INVERT = 1 << 7,    /* count cycles below the threshold */
	PMC_CAP_QUALIFIER = 1 << 8, /* choose among kinds of an event */
	PMC_CAP_PRECISE = 1 << 9,   /* sample the very instruction */
	PMC_CAP_TAGGING = 1 << 10,
	PMC_CAP_CASCADE = 1 << 11,
	PMC_CAP_SYSWIDE = 1 << 12, /* one counter for the whole system */
	PMC_CAP_DOMWIDE = 1 << 13, /* one counter for a NUMA domain */
};

#define PMC_CAP_FIRST PMC_CAP_INTERRUPT
#define PMC_CAP_LAST  PMC_CAP_DOMWIDE

/*
 * Numbers of events, as in the log.  Those with names of their own begin at the blocks;
 * pmc_name_of_event() knows them and those that this process has allocated.
 */
enum pmc_event {
	PMC_EV_TSC_TSC = 0x1000,
	PMC_EV_SOFT_FIRST = 0x20000,
	PMC_EV_CPU_FIRST = 0x30000,
	PMC_EV_OTHER_FIRST = 0x40000,
	PMC_EV_LAST = 0x4FFFF,
};

/* A pmcid is cpu << 20 | mode << 12 | class << 8 | row; process scope has cpu 0xFFF. */
#define PMC_ID_TO_ROWINDEX(id) ((id)&0xFFu)
#define PMC_ID_TO_CLASS(id)    (((id) >> 8) & 0xFu)
#define PMC_ID_TO_MODE(id)     (((id) >> 12) & 0xFFu)
#define PMC_ID_TO_CPU(id)      (((id) >> 20) & 0xFFFu)
#define PMC_ID_MAKE_ID(cpu, mode, pm_class, row)                           \
	(((pmc_id_t)(cpu)&0xFFFu) << 20 | ((pmc_id_t)(mode)&0xFFu) << 12 | \
	 ((pmc_id_t)(pm_class) & 0xFu) << 8 | ((pmc_id_t)(row)&0xFFu))

#define PMC_F_FORCE	    0x00000001u
#define PMC_F_DESCENDANTS   0x00000002u
#define PMC_F_LOG_PROCCSW   0x00000004u
#define PMC_F_LOG_PROCEXIT  0x00000008u
#define PMC_F_NEWVALUE	    0x00000010u
#define PMC_F_OLDVALUE	    0x00000020u
#define PMC_F_KGMON	    0x00000040u
#define PMC_F_CALLCHAIN	    0x00000080u
#define PMC_F_USERCALLCHAIN 0x00000100u
#define PMC_F_EV_PMU	    0x00000200u /* of pmc_pmu_pmcallocate(), and of FreeBSD's logs */

#define PMC_CALLCHAIN_DEPTH_MAX 512

/* Flags of a CALLCHAIN record. */
#define PMC_CC_F_USERSPACE 0x01 /* the leaf ran in user mode */
#define PMC_CC_F_MULTIPART 0x02 /* version 10: its words open with a table of parts */

/* That table: pairs of bytes, kind and words, up to kind NONE; the call chain comes last. */
#define PMC_MULTIPART_HEADER_LENGTH  8 /* bytes */
#define PMC_MULTIPART_HEADER_ENTRIES 4
#define PMC_CC_MULTIPART_NONE	     0
#define PMC_CC_MULTIPART_CALLCHAIN   1
#define PMC_CC_MULTIPART_IBS_FETCH   2
#define PMC_CC_MULTIPART_IBS_OP	     3

/* A class: a range of rows that can do the same. */
struct pmc_classinfo {
	enum pmc_class pm_class;
	uint32_t pm_caps;  /* PMC_CAP_*, or'ed */
	uint32_t pm_width; /* bits of the counter */
	uint32_t pm_num;   /* rows */
};

/* A row on one CPU.  What is behind pm_ownerpid is said of this process's own PMCs alone. */
struct pmc_info {
	char pm_name[PMC_NAME_MAX];
	enum pmc_class pm_class;
	int pm_enabled;
	enum pmc_disp pm_rowdisp;
	pid_t pm_ownerpid; /* -1: nobody has allocated it here */
	enum pmc_mode pm_mode;
	enum pmc_event pm_event;
	uint32_t pm_flags;
	pmc_value_t pm_reloadcount;
};

/* How perf_event_open(2) would count an event. */
struct pmc_md_perf_op_pmcallocate {
	uint32_t pm_perf_type;
	uint64_t pm_perf_config, pm_perf_config1, pm_perf_config2;
};

union pmc_md_op_pmcallocate {
	struct pmc_md_perf_op_pmcallocate pm_perf;
};

/* What pmc_pmu_pmcallocate() says of an event. */
struct pmc_op_pmcallocate {
	uint32_t pm_caps; /* PMC_CAP_* */
	uint32_t pm_cpu;
	enum pmc_class pm_class;
	enum pmc_event pm_ev;
	uint32_t pm_flags; /* PMC_F_* */
	enum pmc_mode pm_mode;
	pmc_id_t pm_pmcid;
	pmc_value_t pm_count;
	union pmc_md_op_pmcallocate pm_md;
};

#endif
