/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libpmc: FreeBSD's pmc(3) for Linux.
 *
 * The functions with FreeBSD's names keep FreeBSD's meaning: 0 on success, -1 with errno set on
 * failure.  What Linux needs besides is in the second half; pmc_error() gives the last failure in
 * words.  All functions may be called from any thread; they serialise among themselves.
 */
#ifndef PMC_H
#define PMC_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/pmc.h>
#include <sys/types.h>

/* FreeBSD's errno value for a call that comes too early, which Linux lacks. */
#ifndef EDOOFUS
#define EDOOFUS EBADFD
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct pmc_cpuinfo {
	enum pmc_cputype pm_cputype;
	uint32_t pm_ncpu; /* one above the highest number that a CPU can have */
	uint32_t pm_npmc; /* rows of a CPU: those of the first class, of the second ... */
	uint32_t pm_nclass;
	struct pmc_classinfo pm_classes[PMC_CLASS_MAX];
};

struct pmc_pmcinfo {
	int32_t pm_cpu;
	struct pmc_info pm_pmcs[]; /* pm_npmc of struct pmc_cpuinfo */
};

/* Since the module was loaded; of a collector without a module, since pmc_init(). */
struct pmc_driverstats {
	unsigned int pm_intr_ignored;
	unsigned int pm_intr_processed;
	unsigned int pm_intr_bufferfull; /* samples for which there was no room */
	unsigned int pm_syscalls;
	unsigned int pm_syscall_errors;
	unsigned int pm_buffer_requests;
	unsigned int pm_buffer_requests_failed;
	unsigned int pm_log_sweeps;
	/* Beyond FreeBSD: */
	unsigned int pm_records_lost; /* records that are no samples for which there was no room */
	unsigned int pm_starved;      /* counters that others took while they counted */
	unsigned int pm_uncounted;    /* threads that got no counter */
	unsigned int pm_throttled;    /* times that the kernel paused a PMC */
};

int pmc_init(void);
int pmc_allocate(const char *eventspec, enum pmc_mode mode, uint32_t flags, int cpu,
		 pmc_id_t *pmcid, uint64_t count);
int pmc_attach(pmc_id_t pmcid, pid_t pid);
int pmc_detach(pmc_id_t pmcid, pid_t pid);
int pmc_set(pmc_id_t pmcid, pmc_value_t value);
int pmc_start(pmc_id_t pmcid);
int pmc_stop(pmc_id_t pmcid);
int pmc_read(pmc_id_t pmcid, pmc_value_t *value);
int pmc_rw(pmc_id_t pmcid, pmc_value_t newvalue, pmc_value_t *oldvalue);
int pmc_write(pmc_id_t pmcid, pmc_value_t value);
int pmc_release(pmc_id_t pmcid);

/* The result lives until the collector is closed. */
int pmc_cpuinfo(const struct pmc_cpuinfo **info);
/* The result is the caller's to free(). */
int pmc_pmcinfo(int cpu, struct pmc_pmcinfo **info);
int pmc_ncpu(void);
int pmc_npmc(int cpu);
int pmc_capabilities(pmc_id_t pmcid, uint32_t *caps);
int pmc_width(pmc_id_t pmcid, uint32_t *width);
int pmc_get_driver_stats(struct pmc_driverstats *stats);
int pmc_get_msr(pmc_id_t pmcid, uint32_t *msr);
int pmc_enable(int cpu, int row);
int pmc_disable(int cpu, int row);

/* Constant texts; NULL with EINVAL for what is none of the enumeration. */
const char *pmc_name_of_capability(enum pmc_caps cap);
const char *pmc_name_of_class(enum pmc_class class_);
const char *pmc_name_of_cputype(enum pmc_cputype cputype);
const char *pmc_name_of_disposition(enum pmc_disp disp);
const char *pmc_name_of_event(enum pmc_event event);
const char *pmc_name_of_mode(enum pmc_mode mode);
const char *pmc_name_of_state(enum pmc_state state);

/* The array is the caller's to free(), the names are not. */
int pmc_event_names_of_class(enum pmc_class class_, const char ***names, int *nnames);

/*
 * What FreeBSD's programs ask of its tables of events: here all that pmc_allocate() knows.  idx is
 * the number that an event has in the log; a cpuid may be anything, also NULL.
 */
int pmc_pmu_enabled(void);
const char *pmc_pmu_event_get_by_idx(const char *cpuid, int idx);
int pmc_pmu_idx_get_by_event(const char *cpuid, const char *event);
/* What pmc_default_rate() says; 65536: there is no such event. */
uint64_t pmc_pmu_sample_rate_get(const char *event);
/* Both: 0, or an errno value. */
int pmc_pmu_pmcallocate(const char *event, struct pmc_op_pmcallocate *op);
int pmc_pmu_stat_mode(const char ***events); /* six names for counts at a glance; constant */
/* These print the events whose names hold text to standard output; NULL: all events. */
void pmc_pmu_print_counters(const char *text);
void pmc_pmu_print_counter_desc(const char *text);
void pmc_pmu_print_counter_desc_long(const char *text);
void pmc_pmu_print_counter_full(const char *text);

/* The log has a descriptor of its own; pmc_configure_logfile(-1) closes it too. */
int pmc_configure_logfile(int fd);
int pmc_flush_logfile(void);
int pmc_close_logfile(void);
int pmc_writelog(uint32_t userdata);

/* ---- Beyond FreeBSD's pmc(3) ---- */

/* An allocation flag: the PMC starts when its target calls exec(2), not at pmc_start(). */
#define PMC_F_START_ON_EXEC 0x00010000u
/* An allocation flag: count is in samples a second, not in events a sample. */
#define PMC_F_FREQUENCY 0x00020000u
/*
 * An allocation flag: the PMC counts the thread that attaches it alone, a thread of its owner.
 * That thread reads it without a system call where the CPU and the kernel let it.
 */
#define PMC_F_SELF 0x00040000u
/*
 * An allocation flag, process scope: while the PMC runs, PROCEXEC records have the arguments of
 * programs, where the collector can tell them.  They may hold secrets.
 */
#define PMC_F_LOG_ARGUMENTS 0x00080000u
/*
 * An allocation flag: the PMC has a counter of its own all the time, as all have with hwpmc(4);
 * pmc_allocate() fails where there is none.
 */
#define PMC_F_NO_SHARING 0x00400000u

/*
 * What a counting PMC has counted, and how long it could: where there are more PMCs than hardware
 * counters, they take turns.  Times are in nanoseconds, summed over threads.
 */
struct pmc_count {
	pmc_value_t value; /* of pmc_read(): never scaled */
	uint64_t enabled;  /* the time that it was to count; 0: not known */
	uint64_t running;  /* of it, the time that it had a counter */
	/* The event that is counted, "cycles:u" where the kernel is left out; until pmc_release().
	 */
	const char *event;
};
int pmc_read_count(pmc_id_t pmcid, struct pmc_count *count);
/* The same of any PMC, but for its value: that is the rate of a sampling one, and of others 0. */
int pmc_read_times(pmc_id_t pmcid, struct pmc_count *count);

/*
 * Allocates a PMC with the mode, flags and CPU of another, its leader, that counts at the same
 * times as that one and its other members: together they are a group.  Members come before the
 * leader is attached or started.  They are attached, detached, started, stopped and released with
 * it.
 */
int pmc_allocate_member(pmc_id_t leader, const char *eventspec, pmc_id_t *pmcid, uint64_t count);

/* As pmc_attach(), but also while the PMC is running, which loses nothing of its other targets. */
int pmc_attach_running(pmc_id_t pmcid, pid_t pid);

/* The last failure of this thread: one sentence, and what to do next ("": no advice). */
const char *pmc_error(void);
const char *pmc_error_hint(void);
int pmc_error_code(void); /* as sysexits(3) */

/*
 * Chooses the collector before pmc_init(): "auto", "hwpmc", "perf" or "fake:FILE".  0, or -1 with
 * EINVAL; EBUSY while PMCs or a log exist.  An open collector is closed: pmc_init() comes again.
 */
int pmc_set_collector(const char *spec);

/* What the log's INITIALIZE says of the command line; copied.  Before pmc_configure_logfile(). */
int pmc_set_command(const char *command);

/*
 * How the next log is compressed while it is written: "none", "zlib", "zstd" or "gzip".  0, or -1
 * with EINVAL; with ENXIO for zstd where libzstd is missing.  Before pmc_configure_logfile(), which
 * fails with ENXIO where the kernel writes the collector's log.
 */
int pmc_set_compression(const char *how);

/*
 * The version of the next log: 9, as FreeBSD 12 and 13 read it and as it is unless this is called,
 * or 10, as 14 and 15 do.  0, or -1 with EINVAL.  Before pmc_configure_logfile(), which fails with
 * ENXIO for 10 where the kernel writes the collector's log.
 */
int pmc_set_log_version(unsigned int version);

/*
 * Whether the next log may go on in other files, by pmc_rotate_logfile(): what these begin with is
 * then kept in memory.  Before pmc_configure_logfile(), which fails with ENXIO where the kernel
 * writes the collector's log.
 */
int pmc_set_rotation(bool rotates);

/*
 * Ends the log's file, and goes on in fd, as pmc_configure_logfile() takes it: no sample is lost
 * or in both, and each file is a log of its own.
 */
int pmc_rotate_logfile(int fd);

/* Frames a call chain is cut at, 1 to 4096 (the default).  Before pmc_allocate(). */
int pmc_set_callchain_depth(unsigned int depth);

/* How the user frames of call chains are found.  Before pmc_allocate(). */
enum pmc_unwind {
	PMC_UNWIND_AUTO,  /* DWARF on perf where samples come slowly enough, else as FP */
	PMC_UNWIND_FP,	  /* by frame pointer */
	PMC_UNWIND_DWARF, /* by the call frame information of executables */
	PMC_UNWIND_OFF	  /* not at all: the leaf alone */
};
int pmc_set_unwind(enum pmc_unwind unwind);

/* The rate that an event gets when its count is 0: events a sample.  -1, EINVAL: no such event. */
int pmc_default_rate(const char *eventspec, uint64_t *rate);

/* Room for the causes of DROPNOTIFY records, as pmclog(5) numbers them. */
enum { PMC_LOG_CAUSES = 16 };

/*
 * Totals of the collector since pmc_init(); those of the last call while the log is held up by a
 * reader that does not read.
 */
struct pmc_log_stats {
	uint64_t samples;   /* CALLCHAIN records given to the log */
	uint64_t drops[PMC_LOG_CAUSES]; /* what was lost, by its cause */
	uint64_t paused;    /* nanoseconds that the kernel paused PMCs, as far as they are known */
	uint64_t truncated; /* samples whose chain reached the depth limit */
	uint64_t dropped;   /* samples that could not be written: disk full, pipe closed */
	uint64_t partial;   /* threads that may lack some events: born while being attached */
	uint64_t bytes;	    /* of log */
	int error;	    /* errno of the first failed write, 0 while all is well */
};
int pmc_get_log_stats(struct pmc_log_stats *stats);

/*
 * The samples of a PMC that was allocated with PMC_F_KGMON, by where in the kernel's text they
 * were.  The result is the caller's to free().
 */
struct pmc_kgmon {
	uint64_t low;	  /* address of the first bin */
	uint64_t outside; /* samples at other code: of users, of modules */
	uint32_t width;	  /* bytes of text that a bin stands for */
	uint32_t nbins;
	uint32_t bins[];
};
int pmc_get_kgmon(pmc_id_t pmcid, struct pmc_kgmon **histogram);

/* Whether a CPU is there and online. */
bool pmc_cpu_is_online(int cpu);

/* Whether the collector has nothing more to give (a scripted one at the end of its script). */
bool pmc_finished(void);

/*
 * Calls each() for the known events in the order of the man page.  works: 1 when this machine and
 * user can count it now, 0 when not, -1 when not tried (probe false).  Stops when each() returns
 * non-zero and returns that.  The texts are valid during the call.
 */
struct pmc_event_info {
	const char *name;
	const char *summary;
	uint64_t default_rate;
	int works;
};
int pmc_each_event(bool probe, int (*each)(const struct pmc_event_info *info, void *arg),
		   void *arg);

#ifdef __cplusplus
}
#endif

#endif
