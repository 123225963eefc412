/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The writer: records to bytes of a pmclog stream, version 9 (or 10) with our trailers.
 *
 * Records gather in a buffer that goes out when it is full and at pmclog_writer_flush(), so a
 * record costs a few stores.  After a failed write the writer keeps the log readable: a regular
 * file is cut back to its last whole record, a compressed one to its last whole piece, and what is
 * not in it is counted and dropped.
 * Not thread-safe: callers serialise.
 */
#ifndef PMCLOG_WRITER_H
#define PMCLOG_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pmclog/chain.h"
#include "pmclog/encoder.h"
#include "pmclog/pmclog_wire.h"

struct pmclog_writer;

/* Writes to fd, which is borrowed; name is for messages and is copied.  NULL with err set. */
struct pmclog_writer *pmclog_writer_new(int fd, const char *name, struct err *err);
void pmclog_writer_free(struct pmclog_writer *w); /* does not flush; NULL is legal */

/* Before the first record: writes version 10, as FreeBSD 14 has it, instead of 9. */
void pmclog_writer_use_version_10(struct pmclog_writer *w);

/* Before the first record: has the log compressed.  0, or -1 with err set. */
int pmclog_writer_compress(struct pmclog_writer *w, enum pmclog_compression how, struct err *err);

/* Before the first record: has the writer keep what pmclog_writer_rotate() needs. */
int pmclog_writer_will_rotate(struct pmclog_writer *w, struct err *err);
bool pmclog_writer_rotates(const struct pmclog_writer *w);

/*
 * Goes on in another file, which is a log of its own: CLOSELOG ends the one so far at tsc, the next
 * one begins a tick later with those of its records that later ones need.  fd is borrowed, name
 * copied.  0, or -1 with err set where one of the two could not be written.
 * A connection that could not be written to, now or for long, is told by the next file, which has
 * how many records it lacks; behind a file that could not there is none.
 */
int pmclog_writer_rotate(struct pmclog_writer *w, int fd, const char *name, uint64_t tsc,
			 struct err *err);

/* Says that a log could not be written on behind its first bytes; always returns -1. */
int pmclog_write_failed(struct err *err, const char *name, int error, uint64_t bytes);

/* Writes out what is buffered.  0, or -1 with err set (EX_IOERR) when this or an earlier write
 * failed. */
int pmclog_writer_flush(struct pmclog_writer *w, struct err *err);

/*
 * The bytes that are buffered, which then count as written: for who wants those of a record and has
 * no file (fd -1).  Valid until the next record.
 */
const uint8_t *pmclog_writer_take(struct pmclog_writer *w, size_t *len);

/*
 * To be called now and then, so that little is lost if this process is killed: writes out what is
 * buffered, of a compressed log once a second.  now is in nanoseconds of any clock.  A failure is
 * told by pmclog_writer_flush().
 */
void pmclog_writer_tick(struct pmclog_writer *w, uint64_t now);

/* Bytes of records accepted so far, whether written yet or not. */
uint64_t pmclog_writer_bytes(const struct pmclog_writer *w);

/* CALLCHAIN records that are not in the log because a write failed; of a connection at most. */
uint64_t pmclog_writer_dropped(const struct pmclog_writer *w);

/* The errno of the first failed write, 0 while all is well. */
int pmclog_writer_errno(const struct pmclog_writer *w);

/* What a log says of where it was made.  NULL texts are left out. */
struct pmclog_origin {
	uint32_t cputype;
	uint64_t tsc_freq; /* ticks a second of every tsc below */
	uint64_t ts_sec, ts_nsec;
	const char *cpuid, *host, *release, *machine, *boot_id, *command, *collector;
};

/*
 * INITIALIZE's trailer alone, for who writes that record himself; trailer has room for
 * PMCLOG_MAX_RECORD bytes.  Its length.
 */
size_t pmclog_origin_trailer(const struct pmclog_origin *o, uint8_t *trailer);

struct pmclog_alloc {
	uint32_t pmcid, event, flags;
	bool frequency;	    /* rate is samples a second */
	uint32_t max_depth; /* frames */
	uint64_t rate;
	const char *name; /* at most 63 bytes are kept; spec carries it whole */
	const char *spec;
	const char *host; /* in merged logs */
};

struct pmclog_map {
	uint32_t pid; /* UINT32_MAX: the kernel */
	uint64_t start;
	uint64_t length, file_offset; /* both 0: not known */
	uint64_t device, inode;	      /* 0: not known */
	const char *path;	      /* cut at 1023 bytes */
	const char *symbol;	      /* likewise; NULL: none */
	const uint8_t *build_id;
	size_t build_id_len; /* 0: not known */
};

struct pmclog_exec {
	uint32_t pid, pmcid; /* UINT32_MAX: in system scope */
	uint64_t entry;	     /* version 10 does not keep it */
	const char *path;    /* cut at 1023 bytes */
	/*
	 * As struct pmclog_record has them; cut at PMCLOG_MAX_ARGUMENTS bytes.  Length 0: none.
	 */
	const char *arguments;
	size_t arguments_len;
};

/* What processes ran for, in nanoseconds. */
struct pmclog_times {
	uint64_t user, system;
};

struct pmclog_drop {
	uint32_t cpu, cause; /* enum pmclog_drop_cause */
	uint32_t pmcid;	     /* UINT32_MAX: not known */
	uint64_t count;
	bool unknown;		   /* nothing but that there was one, as FreeBSD's kernel says */
	uint64_t enabled, running; /* PMCLOG_DROP_SHARED: ns since the last such record */
	uint64_t paused;	   /* PMCLOG_DROP_THROTTLE, where a pause ends: ns; 0: not said */
};

/* One function a record; tsc is the record's time.  All but _callchain may write at once. */
void pmclog_write_initialize(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_origin *o);
void pmclog_write_allocatedyn(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_alloc *a);
void pmclog_write_attach(struct pmclog_writer *w, uint64_t tsc, uint32_t pmcid, uint32_t pid,
			 const char *path);
/* times: NULL where they are not known. */
void pmclog_write_detach(struct pmclog_writer *w, uint64_t tsc, uint32_t pmcid, uint32_t pid,
			 const struct pmclog_times *times);
void pmclog_write_proccsw(struct pmclog_writer *w, uint64_t tsc, uint32_t pmcid, uint32_t pid,
			  uint32_t tid, uint64_t value);
void pmclog_write_procexec(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_exec *e);
void pmclog_write_procexit(struct pmclog_writer *w, uint64_t tsc, uint32_t pmcid, uint32_t pid,
			   uint64_t value);
void pmclog_write_procfork(struct pmclog_writer *w, uint64_t tsc, uint32_t oldpid, uint32_t newpid);
void pmclog_write_sysexit(struct pmclog_writer *w, uint64_t tsc, uint32_t pid);
void pmclog_write_userdata(struct pmclog_writer *w, uint64_t tsc, uint32_t userdata);
void pmclog_write_map_in(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_map *m);
void pmclog_write_map_out(struct pmclog_writer *w, uint64_t tsc, uint32_t pid, uint64_t start,
			  uint64_t end);
void pmclog_write_callchain(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_chain *c);
void pmclog_write_thr_create(struct pmclog_writer *w, uint64_t tsc, uint32_t tid, uint32_t pid,
			     const char *name);
void pmclog_write_thr_exit(struct pmclog_writer *w, uint64_t tsc, uint32_t tid);
void pmclog_write_proc_create(struct pmclog_writer *w, uint64_t tsc, uint32_t pid,
			      const char *comm);
void pmclog_write_dropnotify(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_drop *d);
void pmclog_write_closelog(struct pmclog_writer *w, uint64_t tsc);

#endif
