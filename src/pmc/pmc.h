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

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t pmc_id_t;
typedef uint64_t pmc_value_t;

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

enum pmc_class {
	PMC_CLASS_TSC = 0x00,
	PMC_CLASS_CPU = 0x01, /* the CPU's own counters, whatever their make */
	PMC_CLASS_SOFT = 0x0F,
};

/* A pmcid is cpu << 20 | mode << 12 | class << 8 | row; process scope has cpu 0xFFF. */
#define PMC_ID_TO_ROWINDEX(id) ((id)&0xFFu)
#define PMC_ID_TO_CLASS(id)    (((id) >> 8) & 0xFu)
#define PMC_ID_TO_MODE(id)     (((id) >> 12) & 0xFFu)
#define PMC_ID_TO_CPU(id)      (((id) >> 20) & 0xFFFu)

#define PMC_F_DESCENDANTS   0x00000002u
#define PMC_F_LOG_PROCCSW   0x00000004u
#define PMC_F_LOG_PROCEXIT  0x00000008u
#define PMC_F_NEWVALUE	    0x00000010u
#define PMC_F_OLDVALUE	    0x00000020u
#define PMC_F_KGMON	    0x00000040u
#define PMC_F_CALLCHAIN	    0x00000080u
#define PMC_F_USERCALLCHAIN 0x00000100u

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

/* fd is borrowed until pmc_close_logfile(); pmc_configure_logfile(-1) closes too. */
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

/* The last failure of this thread: one sentence, and what to do next ("": no advice). */
const char *pmc_error(void);
const char *pmc_error_hint(void);
int pmc_error_code(void); /* as sysexits(3) */

/*
 * Chooses the collector before pmc_init(): "auto", "perf" or "fake:FILE".  0, or -1 with EINVAL;
 * EBUSY while PMCs or a log exist.  An open collector is closed: pmc_init() comes again.
 */
int pmc_set_collector(const char *spec);

/* What the log's INITIALIZE says of the command line; copied.  Before pmc_configure_logfile(). */
int pmc_set_command(const char *command);

/* Frames a call chain is cut at, 1 to 127 (the default).  Before pmc_allocate(). */
int pmc_set_callchain_depth(unsigned int depth);

/* The rate that an event gets when its count is 0: events a sample.  -1, EINVAL: no such event. */
int pmc_default_rate(const char *eventspec, uint64_t *rate);

/*
 * Totals of the collector since pmc_init(); those of the last call while the log is held up by a
 * reader that does not read.
 */
struct pmc_log_stats {
	uint64_t samples;    /* CALLCHAIN records given to the log */
	uint64_t lost;	     /* samples lost: in full rings, or not understood */
	uint64_t unreadable; /* of them, those that were not understood: at most so many */
	uint64_t throttled;  /* times that the kernel paused a PMC */
	uint64_t truncated;  /* samples whose chain reached the depth limit */
	uint64_t dropped;    /* samples that could not be written: disk full, pipe closed */
	uint64_t late_cpus;  /* CPUs that came online too late to be sampled */
	uint64_t bytes;	     /* of log */
	int error;	     /* errno of the first failed write, 0 while all is well */
};
int pmc_get_log_stats(struct pmc_log_stats *stats);

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
