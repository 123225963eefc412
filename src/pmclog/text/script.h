/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scripts: a pmclog stream as readable text, which man/pmclog-text.5 specifies, for pmclog assemble
 * and the fake collector.  What that one takes and no log has:
 *
 *	count EVENTS [pmc=ID] [cpu=N] [enabled=NS] [running=NS] [group=N]
 *			what counting PMCs of that event (and CPU) count, besides samples; of the
 *			CPU's events, group 1 is the PMC allocated first, with its members
 *	absent EVENT	a recording has no counter for it
 *	counters N [unshared]
 *			so many are free for a group of a recording (4); unshared: for all PMCs
 *			at once
 *	tick		counts behind it come at a PMC's next reading
 *
 * and what it does not: raw, poke, cut and rotate.  A recording has arguments (exec) and counts
 * (exitval, csw) where a PMC of it logs them.
 */
#ifndef PMCLOG_SCRIPT_H
#define PMCLOG_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/strpool.h"
#include "base/vec.h"
#include "pmclog/writer.h"

enum script_kind {
	SCRIPT_TIME,
	SCRIPT_PMC,
	SCRIPT_ATTACH,
	SCRIPT_DETACH,
	SCRIPT_PROC,
	SCRIPT_THREAD,
	SCRIPT_THREAD_EXIT,
	SCRIPT_EXEC,
	SCRIPT_MAP,
	SCRIPT_UNMAP,
	SCRIPT_FORK,
	SCRIPT_EXIT,
	SCRIPT_EXITVAL,
	SCRIPT_CSW,
	SCRIPT_USER,
	SCRIPT_SAMPLE,
	SCRIPT_DROP,
	SCRIPT_SHARED,
	SCRIPT_COUNT,
	SCRIPT_TICK,
	SCRIPT_ABSENT,
	SCRIPT_COUNTERS,
	SCRIPT_CLOSE,
	SCRIPT_RAW,
	SCRIPT_POKE,
	SCRIPT_CUT,
	SCRIPT_ROTATE,
};

/* One statement.  What it does not say is 0, NULL, or what is said here. */
struct script_stmt {
	enum script_kind kind;
	unsigned int line;
	bool has_time;	/* as these two: the clock is set before it */
	uint64_t time;	/* ticks */
	uint32_t pmcid; /* UINT32_MAX: not said */
	bool no_pmc;	/* EXEC: it is said that there is none */
	uint32_t pid;	/* UINT32_MAX: the kernel */
	uint32_t tid, cpu;
	uint64_t a, b;		   /* the numbers of the statement, in its order */
	uint64_t paused;	   /* DROP: nanoseconds */
	struct pmclog_times times; /* DETACH */
	bool has_times;		   /* the same */
	uint64_t count;		   /* SAMPLE: how many times */
	uint64_t enabled, running; /* COUNT: nanoseconds */
	uint32_t group;		   /* COUNT; 0: not said */
	bool unshared;		   /* COUNTERS */
	uint64_t device, inode;
	uint64_t offset; /* MAP: in the file */
	bool has_offset;
	bool kernel;	/* SAMPLE: k */
	enum pmclog_chain_end end; /* SAMPLE, as these two */
	uint32_t stitched;
	uint8_t guessed[PMCLOG_MAX_FRAMES / 8], exact[PMCLOG_MAX_FRAMES / 8]; /* a bit a frame */
	bool frequency; /* PMC: a is hz */
	uint32_t flags, depth, event;
	const char *host; /* PMC */
	enum pmclog_drop_cause cause; /* DROP */
	const char *text;	      /* a path, a command or an event */
	const char *spec;	      /* of MAP: the symbol */
	size_t data,
		ndata; /* SAMPLE: pcs in script.pcs; MAP (build-id), EXEC (arguments), RAW,
			POKE: in script.bytes */
};

struct script {
	char *name; /* for messages */
	struct strpool *texts;
	VEC(struct script_stmt) stmts;
	VEC(uint64_t) pcs;
	VEC(uint8_t) bytes;
	unsigned int lines; /* that were read */
	struct pmclog_origin origin;
	uint64_t begins; /* the clock at the origin, ticks */
	bool no_origin;
	bool bare; /* what is not said is not there, no PMC either */
	bool version_10;
	bool begun;  /* a statement was read, and no origin may follow */
	bool damage; /* raw, poke, cut and rotate are allowed */
};

/* One without statements.  name is for messages ("name: line 3, column 1: ...") and is copied. */
struct script *pmclog_script_new(const char *name, bool damage, struct err *err);

/*
 * Reads the next line, len bytes and a NUL, which does not stay as it is, and appends what it says.
 * 0, or -1 with err set.
 */
int pmclog_script_add(struct script *s, char *line, size_t len, struct err *err);

/* Forgets the statements, so that the next ones find room.  0, or -1 with err set. */
int pmclog_script_forget(struct script *s, struct err *err);

/* Reads and checks all of f.  name as above.  NULL with err set. */
struct script *pmclog_script_load(FILE *f, const char *name, bool damage, struct err *err);
void pmclog_script_free(struct script *s); /* NULL is legal */

/* How a script becomes a log. */
struct script_player {
	struct pmclog_writer *writer;
	uint64_t clock; /* the time of the next record; moves on */
	void *arg;
	/*
	 * The PMC of the log that a statement means by its pmcid (UINT32_MAX: not said); false
	 * leaves the statement out.  May shorten a sample's chain.
	 */
	bool (*pmc)(void *arg, const struct script_stmt *stmt, struct pmclog_chain *chain,
		    uint32_t *pmcid);
	/* Whether PMC and CLOSE are written; the collector's log has its own. */
	bool whole;
	bool arguments; /* Whether those of EXEC are. */
	/* Does RAW, POKE, CUT and ROTATE; NULL where the script was loaded without damage. */
	int (*damage)(void *arg, const struct script *s, const struct script_stmt *stmt,
		      struct err *err);
};

/* The time of a record. */
static inline uint64_t script_tick(uint64_t *clock)
{
	uint64_t now = *clock;

	*clock += 1000;
	return now;
}

/* Writes every statement.  0, or -1 with err set when damage() failed. */
int pmclog_script_play(const struct script *s, struct script_player *p, struct err *err);

/* ---- For the loader, in script_fields.c ---- */

/* The fields of a line. */
struct script_fields {
	VEC(char *) field;
	const char *at; /* where the one begins that is read, or what cannot be read */
};

/* Splits a line into fields, in place: takes comments, quotes and escapes away. */
int pmclog_script_split(char *line, struct script_fields *fields, struct err *err);

/* A decimal or 0x hexadecimal number of at most max. */
int pmclog_script_number(const char *text, uint64_t max, uint64_t *value, struct err *err);

/* Appends what one field of RAW or POKE says, or (hex digits alone) of a build-id, to s->bytes. */
int pmclog_script_data(struct script *s, const char *text, struct err *err);
int pmclog_script_hex(struct script *s, const char *text, struct err *err);

#endif
