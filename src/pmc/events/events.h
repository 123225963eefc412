/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-specs inside libpmc: the table of names, and the lookups in sysfs and tracefs behind it.
 *
 * Callers outside this part use pmc_event_parse() of collector.h.  Functions that take a root look
 * below it instead of below "/", so that tests can bring a machine of their own.
 */
#ifndef PMC_EVENTS_H
#define PMC_EVENTS_H

#include <stddef.h>

#include "pmc/collector.h"

/* pmc_event_parse() below root. */
int pmcint_event_parse_at(const char *root, const char *spec, struct pmc_eventspec *event,
			  struct err *err);

/* pmc_each_event() below root. */
int pmcint_each_event_at(const char *root, bool probe,
			 int (*each)(const struct pmc_event_info *info, void *arg), void *arg);

/* Opens an event and closes it: 0, or the -errno of perf_event_open(2).  A test has its own. */
struct perf_event_attr;
typedef int (*pmcint_try)(struct perf_event_attr *attr, pid_t pid, int cpu);
int pmcint_try_event(struct perf_event_attr *attr, pid_t pid, int cpu);

/* Whether this user can count the event: on itself, or where its PMU must be opened. */
bool pmcint_event_works(const struct pmc_eventspec *event, pmcint_try try);

/*
 * Writes "cycles, cpu-clock, task-clock" into text: those of the usual events, the CPU's first,
 * that try finds this machine and user able to count now.  For the message of an event that does
 * not work.  Returns text.
 */
char *pmcint_events_working(pmcint_try try, char *text, size_t size);

/* How an event of the table is found. */
enum event_kind {
	EVENT_PERF,	   /* type and config */
	EVENT_CLOCK,	   /* the same, and the rate is in nanoseconds */
	EVENT_TRACEPOINT,  /* where names the tracepoint */
	EVENT_TSC,	   /* the CPU's time stamp counter, by the PMU that where names */
	EVENT_UNAVAILABLE, /* where says in a sentence why Linux has no such event */
};

struct event_row {
	const char *name;
	const char *summary;
	enum event_kind kind;
	uint32_t type;
	uint64_t config;
	uint64_t rate;
	const char *where;
};

/* The row of a name or an alias; NULL: no such. */
const struct event_row *pmcint_find_row(const char *name);
/* The number of a row's event in the log, and its class. */
uint32_t pmcint_event_number(const struct event_row *row);
enum pmc_class pmcint_event_class(const struct event_row *row);

struct event_alias {
	const char *alias;
	const char *name; /* of a row */
};

extern const struct event_row pmcint_event_rows[];
extern const size_t pmcint_event_nrows;
extern const struct event_alias pmcint_event_aliases[];
extern const size_t pmcint_event_naliases;

/* "pmu/terms/", or the same with modifiers cut off.  Fills in all but name, spec and excludes. */
int pmcint_event_sysfs(const char *root, const char *pmu, const char *terms,
		       struct pmc_eventspec *event, struct err *err);

/*
 * Adds terms, "cmask=2,inv", to an event of the CPU's counters: by the formats of the PMU that its
 * type names.  One of the kernel's general names becomes the number that it has there.
 */
int pmcint_event_fields(const char *root, const char *terms, struct pmc_eventspec *event,
			struct err *err);

/* What stands behind an event's name, after ',' or ':'. */
struct event_qualifiers {
	bool user, kernel, hypervisor, host, guest, not_idle, pinned, exclusive;
	unsigned int precise; /* 0: not said */
	char terms[128];      /* fields of the counter: "cmask=2,inv" */
};
#define EVENT_MODIFIERS                                                                           \
	"modifiers: u (user mode), k (kernel), h (hypervisor), H (host), G (guests), I (not the " \
	"idle task), p (precise), D (pinned), e (exclusive)"
/* Whether all of text is modifier letters; then adds them. */
bool pmcint_take_modifiers(const char *text, struct event_qualifiers *q);
/* Adds what text, "q,q=v", says; it is cut to pieces. */
int pmcint_take_qualifiers(const char *event, char *text, struct event_qualifiers *q,
			   struct err *err);
/* Sets all of it, and says in the event's name which modes are counted. */
int pmcint_apply_qualifiers(const char *root, const struct event_qualifiers *q,
			    struct pmc_eventspec *event, struct err *err);

/* The PMU below root that has the type, "cpu"; false: none has. */
bool pmcint_pmu_of_type(const char *root, uint32_t type, char *name, size_t size);
/* Whether events of the type are counted by the CPUs' own counters, of all CPUs or of a kind. */
bool pmcint_is_of_cpus(const char *root, uint32_t type);

/* Calls each() for the names in dir that have no dot, in order; stops at non-zero, returns that. */
int pmcint_each_entry(const char *dir, int (*each)(const char *name, void *arg), void *arg);

/* Calls each() with "pmu/event/" for every named event below root; stops at non-zero. */
int pmcint_each_sysfs(const char *root, int (*each)(const char *name, void *arg), void *arg);

/* The tracepoint system:name.  EX_UNAVAILABLE: no such, or no tracefs; EX_NOPERM. */
int pmcint_event_tracepoint(const char *root, const char *system, const char *name,
			    struct pmc_eventspec *event, struct err *err);

/* What libpfm4 knows of this machine's CPU. */
enum pfm_state {
	PFM_ABSENT,	 /* the library was built without it */
	PFM_UNKNOWN_CPU, /* none of its makers' names */
	PFM_KNOWN_CPU,	 /* names holds its PMUs: "amd64_fam19h_zen4" */
};
enum pfm_state pmcint_pfm_pmus(char *names, size_t size);

/* The names of libpfm4, where the library was built with it: 1 known, 0 not known. */
int pmcint_event_pfm(const char *name, struct pmc_eventspec *event);
/*
 * Calls each() with "event" or "event:umask" and a line of text for all that libpfm4 knows of this
 * machine's PMUs, until it returns non-zero; returns that.
 */
int pmcint_each_pfm(int (*each)(const char *name, const char *text, void *arg), void *arg);
/* The same with the text of the event itself, then with ":umask" or ":modifier=" and theirs. */
int pmcint_describe_pfm(const char *name,
			int (*each)(const char *name, const char *text, void *arg), void *arg);

/* The rates of events that no table knows: see event_table.c. */
enum { EVENT_RATE_RAW = 5000000, EVENT_RATE_TRACEPOINT = 1 };

/*
 * Finds the entry of dir that is spelt name, or else the one that differs from it in case alone.
 * Writes dir/entry into path.  0, or -1 with errno set (ENOENT, EACCES, ENAMETOOLONG ...).
 */
int pmcint_find_entry(const char *dir, const char *name, char *path, size_t size);

#endif
