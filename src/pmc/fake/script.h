/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scripts: a pmclog stream as readable text, for the fake collector and for tests/tools/mklog.
 *
 * One statement a line; '#' begins a comment; fields are separated by blanks.  Numbers are decimal
 * or 0x hexadecimal.  A field in double quotes may hold blanks, \" \\ and \xHH.
 *
 *	time NS		the time of the next record; each record moves it on by 1000 (from 0)
 *	origin [host=T] [release=T] [machine=T] [boot-id=T] [command=T] [cpuid=T]
 *			what INITIALIZE says; "fake" each, no command, where nothing is said
 *	origin none	no INITIALIZE record
 *	origin version=10	instead of 9 (mklog alone)
 *	pmc ID EVENT [rate=N|hz=N] [flags=N] [depth=N] [spec=T]
 *	attach ID PID [PATH]		detach ID PID [ran=USER,SYSTEM]
 *			nanoseconds
 *	proc PID COMM			thread TID PID NAME		thread-exit TID
 *	exec PID PATH [entry=N] [pmc=ID] [arg=T]... [cut]
 *			the program's name is an argument too; cut: behind the last one, so that
 *			it is not known to be whole.  A recording has arguments where a PMC of it
 *			logs them.
 *	map PID|kernel START LENGTH PATH [off=N] [build-id=HEX] [dev=MAJOR:MINOR] [inode=N] [sym=T]
 *			LENGTH 0: not said
 *	unmap PID|kernel START END
 *	fork OLD NEW		exit PID
 *	exitval ID PID VALUE		csw ID PID TID VALUE		user VALUE
 *			in a recording, where the PMC logs its counts
 *	sample PID[/TID] PC[,PC...] [pmc=ID] [cpu=N] [k] [xN] [end=WORD] [stitched=N]
 *			[guessed=N]... [exact=N]...
 *			leaf first; (PC[,PC...])*N: N turns of them; k: the leaf is in kernel
 *			mode; xN: N times.  The first PMC, TID = PID, CPU 0 and once where nothing
 *			is said.  How the chain ended
 *			is complete, window, no-data, bad-return, depth, stale, overload or
 *			no-stack; its outermost N frames are stitched, and frame N (0 is the leaf)
 *			is guessed, or was interrupted at exactly that address.
 *	count EVENTS [pmc=ID] [cpu=N] [enabled=NS] [running=NS] [group=N]
 *			what counting PMCs of that event (and CPU) count, besides samples; of the
 *			CPU's events, group 1 is the PMC allocated first, with its members
 *	absent EVENT	a recording has no counter for it (mklog takes none of these four)
 *	counters N [unshared]
 *			so many are free for a group of a recording (4); unshared: for all PMCs
 *			at once
 *	tick		counts behind it come at a PMC's next reading
 *	drop COUNT [cpu=N] [throttle|unreadable|records|starved|uncounted|exits|switches]
 *			[pmc=ID] [paused=NS]
 *	shared ENABLED RUNNING [cpu=N] [pmc=ID]
 *			nanoseconds: the PMC was to run, and had a counter
 *	close
 *
 * and, for logs of several files and damaged ones (mklog alone takes these):
 *
 *	rotate FILE	goes on in FILE: CLOSELOG, and there what later records need
 *	raw DATA...	bytes as they stand: hex digits, u16:N u32:N u64:N in little endian,
 *			b16: b32: b64: in big endian, z:N for N zero bytes, s:TEXT
 *	poke OFFSET DATA...	overwrites what was written
 *	cut N		drops the last N bytes
 */
#ifndef PMC_SCRIPT_H
#define PMC_SCRIPT_H

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
	uint32_t pmcid; /* UINT32_MAX: not said */
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
	uint32_t flags, depth;
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
	struct pmclog_origin origin;
	bool no_origin;
	bool version_10;
	bool damage; /* raw, poke, cut and rotate are allowed */
};

/*
 * Reads and checks all of f.  name is for messages ("name: line 3: ...") and is copied.  NULL with
 * err set.
 */
struct script *pmcint_script_load(FILE *f, const char *name, bool damage, struct err *err);
void pmcint_script_free(struct script *s); /* NULL is legal */

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
int pmcint_script_play(const struct script *s, struct script_player *p, struct err *err);

/* ---- For the loader, in script_fields.c ---- */

enum { SCRIPT_FIELDS = 64 };

struct script_fields {
	char *field[SCRIPT_FIELDS];
	size_t n;
};

/* Splits a line into fields, in place: takes comments, quotes and escapes away. */
int pmcint_script_split(char *line, struct script_fields *fields, struct err *err);

/* A decimal or 0x hexadecimal number of at most max. */
int pmcint_script_number(const char *text, uint64_t max, uint64_t *value, struct err *err);

/* Appends what one field of RAW or POKE says, or (hex digits alone) of a build-id, to s->bytes. */
int pmcint_script_data(struct script *s, const char *text, struct err *err);
int pmcint_script_hex(struct script *s, const char *text, struct err *err);

#endif
