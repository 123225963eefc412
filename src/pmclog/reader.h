/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reader: bytes of a pmclog stream to records, one at a time, without trusting any of them.
 *
 * Accepts every version of man/pmclog.5: version 9 and 10, and FreeBSD's older layouts (1 to 5) of
 * either byte order and pointer size.  A damaged log yields every record before the damage, then
 * one result that says what is wrong and where.
 */
#ifndef PMCLOG_READER_H
#define PMCLOG_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pmclog/pmclog_wire.h"

enum pmclog_result {
	PMCLOG_RESULT_OK,	 /* *rec is filled in */
	PMCLOG_RESULT_NEED_DATA, /* fed readers: feed more; descriptors: EAGAIN */
	PMCLOG_RESULT_EOF,	 /* the log ended on a record boundary */
	PMCLOG_RESULT_TRUNCATED, /* the log ends inside a record; err says where */
	PMCLOG_RESULT_CORRUPT,	 /* a record cannot be right; err says which and why */
	PMCLOG_RESULT_ERROR,	 /* read(2) failed or memory ran out; err says so */
};

/* A span of text inside the reader's buffer: NUL-terminated, len without the NUL. */
struct pmclog_text {
	const char *s;
	size_t len;
};

/* Marks of frames: a bit for each, the leaf first; those behind length bytes are clear. */
struct pmclog_marks {
	const uint8_t *bits;
	uint32_t length;
};

/*
 * One record.  Pointers into it are valid until the next call on the reader.  Fields that the log's
 * version or writer did not give are 0, empty text, or what is said here.
 */
struct pmclog_record {
	enum pmclog_wire_type type;
	uint64_t index;	 /* counts records from 1 */
	uint64_t offset; /* of the record's first byte in the stream */
	uint32_t length; /* bytes on the wire */
	const void *raw; /* these bytes, in the log's byte order */
	uint64_t tsc;	 /* ticks; nanoseconds since 1970 for versions below 6 */
	union {
		struct {
			uint32_t version, cputype;
			uint64_t tsc_freq; /* ticks a second; 1000000000 for versions below 6 */
			uint64_t ts_sec, ts_nsec;
			struct pmclog_text cpuid, host, release, machine, boot_id, command;
			struct pmclog_text collector;
			/*
			 * What exec(2) maps has MAP_IN records.  false: readers must map
			 * the program and its run-time linker themselves, as FreeBSD's do.
			 */
			bool maps_at_exec;
		} init;
		struct {
			uint32_t count_known; /* 1: count, cpu and cause are from the log */
			uint32_t cpu, cause;  /* enum pmclog_drop_cause */
			uint32_t pmcid;	      /* UINT32_MAX: not said */
			uint64_t count;
			uint64_t enabled, running; /* ns; 0: not said */
			uint64_t paused;	   /* the same */
		} drop;
		struct {
			uint32_t pmcid, event, flags;
			uint32_t frequency;	 /* 1: rate is samples a second */
			uint32_t max_depth;	 /* frames; 0: not said */
			uint64_t rate;		 /* events a sample; 0: not said */
			struct pmclog_text name; /* PMCALLOCATEDYN only */
			struct pmclog_text spec; /* as the user wrote it */
			struct pmclog_text host; /* in merged logs: where it was */
		} alloc;			 /* PMCALLOCATE and PMCALLOCATEDYN */
		struct {
			uint32_t pmcid, pid;
			struct pmclog_text path; /* PMCATTACH only */
			bool has_times;		 /* PMCDETACH only, as these two, ns */
			uint64_t user, system;
		} attach; /* PMCATTACH and PMCDETACH */
		struct {
			uint32_t pmcid, pid, tid;
			uint64_t value;
		} csw;
		struct {
			uint32_t pid, pmcid;
			uint64_t entry; /* first instruction: the linker's, if there is one */
			bool has_base;	/* version 10: base and dyn instead of entry */
			uint64_t base;	/* where the run-time linker was loaded; 0: none */
			uint64_t dyn;	/* how far the program was moved; 0: not at all */
			struct pmclog_text path;
			/*
			 * The program's arguments from its own name on, each with a NUL behind it.
			 * That of the last is missing where they were cut.  Length 0: not said.
			 */
			struct pmclog_text arguments;
		} exec;
		struct {
			uint32_t pmcid, pid;
			uint64_t value;
		} exit;
		struct {
			uint32_t oldpid, newpid;
		} fork;
		struct {
			uint32_t pid;
		} sysexit;
		struct {
			uint32_t userdata;
		} user;
		struct {
			uint32_t pid; /* UINT32_MAX: the kernel */
			uint64_t start;
			uint64_t length; /* bytes; 0: not said */
			uint64_t file_offset;
			bool has_file_offset;
			uint64_t device, inode;
			struct pmclog_text path;
			uint8_t build_id[32];
			uint32_t build_id_len; /* bytes; 0: not said */
			/* The function that JIT-compiled code there is. */
			struct pmclog_text symbol;
		} map_in;
		struct {
			uint32_t pid;
			uint64_t start, end;
		} map_out;
		struct {
			uint32_t pid;
			uint32_t tid; /* UINT32_MAX: not said (versions below 6) */
			uint32_t pmcid, cpu;
			bool usermode;
			uint8_t end; /* enum pmclog_chain_end; others are not known */
			/*
			 * At most PMCLOG_MAX_FRAMES, those that the record repeats with all turns;
			 * 0 for a multipart record without a call chain.
			 */
			uint32_t npcs;
			uint32_t foreign;    /* parts of a multipart record that were skipped */
			const uint64_t *pcs; /* host order, leaf first, aligned */
			/* The frames of the record itself where some are repeated; 0: none are. */
			uint32_t nfolded;
			const uint64_t *folded;
			/*
			 * Marked frames: the outermost ones, those found by frame pointer
			 * without unwind data, and those that were interrupted instead of having
			 * called.
			 */
			uint32_t stitched;
			struct pmclog_marks guessed, exact;
		} chain; /* CALLCHAIN, and PCSAMPLE of old logs as a chain of one */
		struct {
			uint32_t tid, pid, flags;
			struct pmclog_text name;
		} thr; /* THR_CREATE; THR_EXIT: tid alone */
		struct {
			uint32_t pid, flags;
			struct pmclog_text comm;
		} proc;
		struct {
			uint32_t pmcid, pid;
		} miss; /* GROUP_INHERIT_MISS */
		struct {
			uint32_t type; /* enum pmclog_appendix_type; others are skipped */
			uint32_t size;
			const uint8_t *bytes;
			uint64_t left; /* bytes of the block in later records */
			bool begins;   /* the block does, with this record */
		} appendix;	       /* whose checksum was right */
	} u;
};

/* Whether frame i is marked. */
static inline bool pmclog_is_marked(const struct pmclog_marks *m, uint32_t i)
{
	return i / 8 < m->length && m->bits[i / 8] >> i % 8 & 1;
}

/* Samples that were not wanted, and not read. */
struct pmclog_left_out {
	uint64_t samples;
	uint64_t last; /* ticks: no record among them is later */
};

/* What was read so far. */
struct pmclog_reader_stats {
	uint64_t records; /* whole ones, with those that were skipped */
	uint64_t bytes;	  /* in these records */
	uint64_t unknown; /* records of types that this reader does not know, skipped */
	uint64_t foreign; /* parts of multipart records that are no call chain, skipped */
	bool closed;	  /* a CLOSELOG record was seen; records may follow it */
};

enum { PMCLOG_MACHINE_TEXT = 64 };

/* What stands before the log of the machine that it is of, "" and NULL where nothing does. */
struct pmclog_machine {
	const char *name; /* "amd64" */
	char cpu[PMCLOG_MACHINE_TEXT + 1];
	char release[PMCLOG_MACHINE_TEXT + 1];
	char build_id[PMCLOG_MACHINE_TEXT + 1]; /* of the kernel, as it was written */
};

struct pmclog_reader;

/* Opens a log by name; "-" is standard input.  NULL with err set (EX_NOINPUT) on failure. */
struct pmclog_reader *pmclog_reader_open(const char *path, struct err *err);

/* Reads from a file, pipe or socket; fd is borrowed.  name is for messages and is copied. */
struct pmclog_reader *pmclog_reader_open_fd(int fd, const char *name, struct err *err);

/* Reads what pmclog_reader_feed() gives it.  name as above. */
struct pmclog_reader *pmclog_reader_open_feed(const char *name, struct err *err);

/* Copies len bytes in.  0, or -1 with err set when out of memory or after pmclog_reader_feed_end().
 */
int pmclog_reader_feed(struct pmclog_reader *r, const void *data, size_t len, struct err *err);

/* The log's name, for messages on what its records say. */
const char *pmclog_reader_name(const struct pmclog_reader *r);

/* Says that no more will be fed, so that a partial record at the end is TRUNCATED. */
void pmclog_reader_feed_end(struct pmclog_reader *r);

/*
 * The next record.  Every result but OK and NEED_DATA is final: later calls repeat it.  err is set
 * for TRUNCATED, CORRUPT (both EX_DATAERR) and ERROR (EX_IOERR or EX_OSERR), and begins with the
 * log's name.
 */
enum pmclog_result pmclog_reader_next(struct pmclog_reader *r, struct pmclog_record *rec,
				      struct err *err);

/*
 * Of a log that is still written to: whether NEED_DATA is the result at its end, where more may
 * come.
 */
void pmclog_reader_grows(struct pmclog_reader *r, bool grows);

/*
 * Has records of types that are not known be results, too, instead of skipping them: with the type
 * PMCLOG_WIRE_NTYPES, and nothing but raw.
 */
void pmclog_reader_keep_unknown(struct pmclog_reader *r);

/*
 * Before the first record: samples are wanted from then to then, in seconds from the log's first
 * record on; to 0: to its end.  Of a packed file others may be left out: those whose blocks need
 * not be unpacked.  Offsets and numbers of records then are of what was read.
 */
void pmclog_reader_limit(struct pmclog_reader *r, double from, double to);

/* What has been left out for that. */
struct pmclog_left_out pmclog_reader_left_out(const struct pmclog_reader *r);

/* Once there was a first record, or an end: what FreeBSD's pmc record has written before it. */
struct pmclog_machine pmclog_reader_machine(const struct pmclog_reader *r);

/* That many seconds behind INITIALIZE as ticks of its log; 0 seconds and less: what is said. */
uint64_t pmclog_ticks_at(const struct pmclog_record *init, double seconds, uint64_t otherwise);

/*
 * Whether seconds of samples that are wanted begin before the end of a log that is as long as this.
 * 0, or -1 with err set; option is what stands before them, with a blank, or "".
 */
int pmclog_check_seconds(const char *option, double from, double to, double length,
			 struct err *err);

const struct pmclog_reader_stats *pmclog_reader_stats(const struct pmclog_reader *r);

/* The size of the log in bytes where it is a plain regular file, 0 elsewhere: for progress. */
uint64_t pmclog_reader_size(const struct pmclog_reader *r);

/* The name of a record type as pmclog(5) writes it: "CALLCHAIN". */
const char *pmclog_type_name(enum pmclog_wire_type type);

/* A word for how a chain ended: "no-data"; NULL for a number that is not known. */
const char *pmclog_end_name(unsigned int end);

void pmclog_reader_close(struct pmclog_reader *r); /* NULL is legal */

#endif
