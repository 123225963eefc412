/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * /dev/hwpmc: the operations of hwpmc(4), one ioctl(2) each.
 *
 * The only header of the module that user space sees.  Fixed-width types, no implicit padding; a
 * struct only grows at its end, and then its ioctl number changes with its size.  Modes, classes,
 * flags and pmcids are those of <pmc.h>, types of records those of <pmclog.h>.
 *
 * Everything belongs to the process that asked, whatever descriptor it asked through, and goes with
 * that process, also when others still hold the descriptor.  Errors are those of hwpmc(4).
 */
#ifndef HWPMC_H
#define HWPMC_H

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/ioctl.h>
#include <linux/types.h>
#define hwpmc_assert(cond) static_assert(cond)
typedef s32 hwpmc_s32;
typedef u32 hwpmc_u32;
typedef u64 hwpmc_u64;
#else
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#define hwpmc_assert(cond) _Static_assert(cond, #cond)
typedef int32_t hwpmc_s32;
typedef uint32_t hwpmc_u32;
typedef uint64_t hwpmc_u64;
#endif

#define HWPMC_DEVICE "/dev/hwpmc"

/* GETMODULEVERSION: user space needs the same major, and a minor at least its own. */
#define HWPMC_VERSION_MAJOR 2u
#define HWPMC_VERSION_MINOR 0u
#define HWPMC_VERSION	    (HWPMC_VERSION_MAJOR << 16 | HWPMC_VERSION_MINOR)

#define HWPMC_NAME_MAX	  64u  /* bytes of an event's name, with the NUL */
#define HWPMC_SPEC_MAX	  256u /* bytes of an event-spec, with the NUL */
#define HWPMC_TRAILER_MAX 3072u
#define HWPMC_CLASS_MAX	  8u
#define HWPMC_ROWS_MAX	  64u
#define HWPMC_DEPTH_MAX	  127u /* frames of a call chain */

/* struct hwpmc_allocate's flags, and those of PMCRW; PMC_F_* as in <pmc.h>. */
#define PMC_F_DESCENDANTS     0x00000002u
#define PMC_F_LOG_PROCCSW     0x00000004u
#define PMC_F_LOG_PROCEXIT    0x00000008u
#define PMC_F_NEWVALUE	      0x00000010u
#define PMC_F_OLDVALUE	      0x00000020u
#define PMC_F_KGMON	      0x00000040u
#define PMC_F_CALLCHAIN	      0x00000080u
#define PMC_F_USERCALLCHAIN   0x00000100u
#define PMC_F_START_ON_EXEC   0x00010000u
#define PMC_F_FREQUENCY	      0x00020000u
#define PMC_F_LOG_ARGUMENTS   0x00080000u
#define HWPMC_F_EXCL_USER     0x00100000u /* do not count in user mode */
#define HWPMC_F_EXCL_KERNEL   0x00200000u

/* The numbers of enum pmc_disp in <pmc.h>. */
enum hwpmc_disposition {
	HWPMC_DISP_STANDALONE = 0,
	HWPMC_DISP_FREE = 1,
	HWPMC_DISP_THREAD = 2,
};

/* GETDRIVERSTATS: of all owners since the module was loaded. */
struct hwpmc_driverstats {
	hwpmc_u64 intr_ignored;		  /* overflows of PMCs that were just stopped */
	hwpmc_u64 intr_processed;	  /* overflows that became samples */
	hwpmc_u64 intr_bufferfull;	  /* samples lost because a ring was full */
	hwpmc_u64 intr_throttled;	  /* times that the kernel paused a PMC */
	hwpmc_u64 syscalls;		  /* ioctls */
	hwpmc_u64 syscall_errors;	  /* of them, those that failed */
	hwpmc_u64 buffer_requests;	  /* records queued that are not samples */
	hwpmc_u64 buffer_requests_failed; /* of them, those without memory */
	hwpmc_u64 log_sweeps;		  /* drains of the rings */
	hwpmc_u64 threads_missed;	  /* threads that got no counter: no memory, or others' */
	hwpmc_u64 records_lost;		  /* records of logs, not samples, that found no room */
	hwpmc_u64 starved;		  /* counters that others took while they counted */
};

/* GETLOGSTATS: of the caller's log. */
struct hwpmc_logstats {
	hwpmc_u64 samples;   /* CALLCHAIN records written */
	hwpmc_u64 lost;	     /* samples lost in full rings */
	hwpmc_u64 throttled; /* times that the kernel paused a PMC */
	hwpmc_u64 truncated; /* samples whose chain was cut at the PMC's depth */
	hwpmc_u64 dropped;   /* CALLCHAIN records that could not be written */
	hwpmc_u64 bytes;     /* written */
	hwpmc_s32 error;     /* errno of the first write that failed, 0 while all is well */
	hwpmc_u32 pad;
	hwpmc_u64 records_lost; /* others than samples that found no room: maps, forks, switches */
	hwpmc_u64 starved;	/* counters that others took while they counted */
	hwpmc_u64 threads_missed; /* threads that got no counter: no memory, or others had it */
	hwpmc_u64 paused; /* nanoseconds of the pauses, as far as their length is known */
	hwpmc_u64 hidden; /* programs that an exec made more than their user: nothing of them */
	hwpmc_u64 late_cpus; /* CPUs that came online, of which nothing is sampled */
};

/* CONFIGURELOG.  fd -1 ends logging at once, as hwpmc(4) says. */
struct hwpmc_configurelog {
	hwpmc_s32 fd;		  /* of a file, pipe or socket, open for writing */
	hwpmc_u32 trailer_length; /* bytes, at most HWPMC_TRAILER_MAX */
	hwpmc_u64 trailer;	  /* address of INITIALIZE's trailer (pmclog(5)); 0: none */
	char cpuid[64];		  /* INITIALIZE's */
};

struct hwpmc_classinfo {
	hwpmc_u32 pm_class;
	hwpmc_u32 caps;	 /* PMC_CAP_* */
	hwpmc_u32 width; /* bits */
	hwpmc_u32 num;	 /* rows */
};

struct hwpmc_cpuinfo {
	hwpmc_u32 cputype;
	hwpmc_u32 ncpu; /* highest possible CPU number + 1 */
	hwpmc_u32 npmc; /* rows, of all classes */
	hwpmc_u32 nclass;
	struct hwpmc_classinfo classes[HWPMC_CLASS_MAX];
};

struct hwpmc_rowinfo {
	char name[32]; /* "TSC-0", "SOFT-3", "CPU-1" */
	hwpmc_u32 pm_class;
	hwpmc_u32 enabled;
	hwpmc_u32 disposition;
	hwpmc_s32 owner; /* pid of the owner of this CPU's PMC, or -1 */
	hwpmc_s32 mode;	 /* or -1 */
	hwpmc_u32 event; /* as allocated */
	hwpmc_u32 flags;
	hwpmc_u32 pad;
	hwpmc_u64 rate;
	char event_name[HWPMC_NAME_MAX]; /* "" when free */
};

/* GETPMCINFO */
struct hwpmc_pmcinfo {
	hwpmc_s32 cpu;
	hwpmc_u32 nrows; /* room in rows; then how many there are */
	hwpmc_u64 rows;	 /* address of struct hwpmc_rowinfo[nrows] */
};

/* PMCADMIN */
struct hwpmc_admin {
	hwpmc_s32 cpu;
	hwpmc_u32 row;
	hwpmc_u32 enable; /* 0 or 1 */
	hwpmc_u32 pad;
};

/* PMCALLOCATE */
struct hwpmc_allocate {
	hwpmc_u32 id; /* out */
	hwpmc_u32 mode;
	hwpmc_u32 pm_class;
	hwpmc_u32 flags;
	hwpmc_s32 cpu;	 /* or PMC_CPU_ANY, -1, in process scope */
	hwpmc_u32 event; /* the log's number of the event */
	hwpmc_u32 type;	 /* type and configs are those of struct perf_event_attr */
	hwpmc_u32 depth; /* frames of a call chain; 0: the module's callchaindepth */
	hwpmc_u64 config, config1, config2;
	hwpmc_u64 count; /* initial count, or events a sample, or Hz under FREQUENCY */
	char name[HWPMC_NAME_MAX];
	char spec[HWPMC_SPEC_MAX]; /* as the user wrote it */
	hwpmc_u32 precise;	   /* of struct perf_event_attr */
	hwpmc_u32 pad;
};

/* PMCATTACH, PMCDETACH */
struct hwpmc_attach {
	hwpmc_u32 id;
	hwpmc_s32 pid; /* a process; 0: the caller */
};

/* PMCRW: flags has PMC_F_OLDVALUE, PMC_F_NEWVALUE or both. */
struct hwpmc_rw {
	hwpmc_u32 id;
	hwpmc_u32 flags;
	hwpmc_u64 value;   /* in: the new value; out: the old one */
	hwpmc_u64 enabled; /* out: ns that it was to count, summed over threads */
	hwpmc_u64 running; /* out: of them, those with a counter */
};

struct hwpmc_setcount {
	hwpmc_u32 id;
	hwpmc_u32 pad;
	hwpmc_u64 count;
};

/* PMCGETMSR */
struct hwpmc_getmsr {
	hwpmc_u32 id;
	hwpmc_u32 msr; /* out: what RDPMC takes */
};

/* GETDYNEVENTINFO: the events of a class that has no fixed table (SOFT). */
struct hwpmc_dynevent {
	char name[HWPMC_NAME_MAX];
	hwpmc_u32 event;
	hwpmc_u32 type;
	hwpmc_u64 config;
};

struct hwpmc_dynevents {
	hwpmc_u32 pm_class;
	hwpmc_u32 nevents; /* room in events; then how many there are */
	hwpmc_u64 events;  /* address of struct hwpmc_dynevent[nevents] */
};

/* GETKGMON: the histogram of a PMC with PMC_F_KGMON. */
struct hwpmc_kgmon {
	hwpmc_u32 id;
	hwpmc_u32 bin;	   /* out: bytes of text that a bin stands for */
	hwpmc_u64 low;	   /* out: address of the first bin */
	hwpmc_u64 nbins;   /* room in bins; then how many there are */
	hwpmc_u64 bins;	   /* address of u32[nbins] */
	hwpmc_u64 outside; /* out: samples at no kernel text: modules, user code */
};

#define HWPMC_MAGIC 0xB6

#define HWPMC_CONFIGURELOG     _IOW(HWPMC_MAGIC, 1, struct hwpmc_configurelog)
#define HWPMC_FLUSHLOG	       _IO(HWPMC_MAGIC, 2)
#define HWPMC_CLOSELOG	       _IO(HWPMC_MAGIC, 3)
#define HWPMC_WRITELOG	       _IOW(HWPMC_MAGIC, 4, hwpmc_u32)
#define HWPMC_GETLOGSTATS      _IOR(HWPMC_MAGIC, 5, struct hwpmc_logstats)
#define HWPMC_GETCPUINFO       _IOR(HWPMC_MAGIC, 6, struct hwpmc_cpuinfo)
#define HWPMC_GETDRIVERSTATS   _IOR(HWPMC_MAGIC, 7, struct hwpmc_driverstats)
#define HWPMC_GETMODULEVERSION _IOR(HWPMC_MAGIC, 8, hwpmc_u32)
#define HWPMC_GETPMCINFO       _IOWR(HWPMC_MAGIC, 9, struct hwpmc_pmcinfo)
#define HWPMC_GETDYNEVENTINFO  _IOWR(HWPMC_MAGIC, 10, struct hwpmc_dynevents)
#define HWPMC_PMCADMIN	       _IOW(HWPMC_MAGIC, 11, struct hwpmc_admin)
#define HWPMC_PMCALLOCATE      _IOWR(HWPMC_MAGIC, 12, struct hwpmc_allocate)
#define HWPMC_PMCATTACH	       _IOW(HWPMC_MAGIC, 13, struct hwpmc_attach)
#define HWPMC_PMCDETACH	       _IOW(HWPMC_MAGIC, 14, struct hwpmc_attach)
#define HWPMC_PMCGETMSR	       _IOWR(HWPMC_MAGIC, 15, struct hwpmc_getmsr)
#define HWPMC_PMCRELEASE       _IOW(HWPMC_MAGIC, 16, hwpmc_u32)
#define HWPMC_PMCRW	       _IOWR(HWPMC_MAGIC, 17, struct hwpmc_rw)
#define HWPMC_PMCSETCOUNT      _IOW(HWPMC_MAGIC, 18, struct hwpmc_setcount)
#define HWPMC_PMCSTART	       _IOW(HWPMC_MAGIC, 19, hwpmc_u32)
#define HWPMC_PMCSTOP	       _IOW(HWPMC_MAGIC, 20, hwpmc_u32)
#define HWPMC_GETKGMON	       _IOWR(HWPMC_MAGIC, 21, struct hwpmc_kgmon)

hwpmc_assert(sizeof(struct hwpmc_driverstats) == 96);
hwpmc_assert(sizeof(struct hwpmc_logstats) == 104);
hwpmc_assert(sizeof(struct hwpmc_configurelog) == 80);
hwpmc_assert(sizeof(struct hwpmc_classinfo) == 16);
hwpmc_assert(sizeof(struct hwpmc_cpuinfo) == 144);
hwpmc_assert(sizeof(struct hwpmc_rowinfo) == 136);
hwpmc_assert(sizeof(struct hwpmc_pmcinfo) == 16);
hwpmc_assert(sizeof(struct hwpmc_admin) == 16);
hwpmc_assert(sizeof(struct hwpmc_allocate) == 392);
hwpmc_assert(sizeof(struct hwpmc_attach) == 8);
hwpmc_assert(sizeof(struct hwpmc_rw) == 32);
hwpmc_assert(sizeof(struct hwpmc_setcount) == 16);
hwpmc_assert(sizeof(struct hwpmc_getmsr) == 8);
hwpmc_assert(sizeof(struct hwpmc_dynevent) == 80);
hwpmc_assert(sizeof(struct hwpmc_dynevents) == 16);
hwpmc_assert(sizeof(struct hwpmc_kgmon) == 40);
hwpmc_assert(offsetof(struct hwpmc_configurelog, trailer) == 8);
hwpmc_assert(offsetof(struct hwpmc_rowinfo, rate) == 64);
hwpmc_assert(offsetof(struct hwpmc_allocate, config) == 32);
hwpmc_assert(offsetof(struct hwpmc_allocate, name) == 64);
hwpmc_assert(offsetof(struct hwpmc_rw, value) == 8);
hwpmc_assert(offsetof(struct hwpmc_kgmon, low) == 8);

#endif
