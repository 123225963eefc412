// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmclog/fold.h"
#include "pmclog/head.h"
#include "pmclog/pack/pack.h"
#include "pmclog/writer.h"

enum {
	BUFFER = PMCLOG_PACK_BLOCK,
	LEVEL = 1,		  /* higher ones take longer than what they save is worth */
	PIECE_EVERY = 1000000000, /* ns: smaller pieces take more room */
	TEXT_MAX = 256,		  /* bytes of a short text in a trailer, with the NUL */
	COMMAND_MAX = 2048,	  /* so that INITIALIZE stays below PMCLOG_MAX_RECORD */
	SECOND = 1000000000,
};

/* How many records. */
struct counted {
	uint64_t samples, others;
};

/* What of a file had been written at some time. */
struct mark {
	uint64_t bytes;
	struct counted counted;
};

struct pmclog_writer {
	uint8_t *buf; /* begins with a whole record; every record begins on a multiple of 8 */
	size_t used;
	uint32_t version;
	int fd;
	int error;   /* errno of the first failed write */
	bool sent;   /* that was to a connection: what went out need not be in a file */
	off_t start; /* where the log begins in a regular file; -1: nothing can be taken back */
	struct pmclog_encoder *encoder; /* NULL: the log is written as it is */
	enum pmclog_compression how;	/* likewise */
	struct pmclogint_head *head;	/* of a file that follows; NULL: none does */
	uint64_t ticked;		/* when pmclog_writer_tick() wrote last; 0: never, ns */
	uint64_t accepted;
	struct counted taken;	 /* since the file began */
	struct mark out;	 /* what is in the file */
	struct mark asked, sure; /* in a connection: what is looked for; what has arrived */
	struct counted dropped;
	struct counted told; /* of these, what the log says */
	char *name;
};

static inline uint16_t le16(uint16_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap16(v);
}

static inline uint32_t le32(uint32_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap32(v);
}

static inline uint64_t le64(uint64_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
}

static inline size_t round8(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/* The offset at which a log begins that is written to fd from now on, -1 where it cannot be cut. */
static off_t start_of(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return -1;
	return lseek(fd, 0, flags >= 0 && (flags & O_APPEND) ? SEEK_END : SEEK_CUR);
}

struct pmclog_writer *pmclog_writer_new(int fd, const char *name, struct err *err)
{
	struct pmclog_writer *w = calloc(1, sizeof(*w));

	if (!w || !(w->buf = malloc(BUFFER)) || !(w->name = strdup(name))) {
		pmclog_writer_free(w);
		err_nomem(err);
		return NULL;
	}
	w->fd = fd;
	w->version = PMCLOG_WIRE_VERSION;
	w->start = start_of(fd);
	return w;
}

void pmclog_writer_use_version_10(struct pmclog_writer *w)
{
	w->version = PMCLOG_WIRE_VERSION_10;
}

int pmclog_writer_compress(struct pmclog_writer *w, enum pmclog_compression how, struct err *err)
{
	if (how == PMCLOG_COMPRESS_NONE)
		return 0;
	w->encoder = pmclog_encoder_new(how, LEVEL);
	w->how = how;
	return w->encoder ? 0 : err_nomem(err);
}

int pmclog_writer_will_rotate(struct pmclog_writer *w, struct err *err)
{
	w->head = pmclogint_head_new();
	return w->head ? 0 : err_nomem(err);
}

bool pmclog_writer_rotates(const struct pmclog_writer *w)
{
	return w->head != NULL;
}

void pmclog_writer_free(struct pmclog_writer *w)
{
	if (!w)
		return;
	pmclog_encoder_free(w->encoder);
	pmclogint_head_free(w->head);
	free(w->buf);
	free(w->name);
	free(w);
}

uint64_t pmclog_writer_bytes(const struct pmclog_writer *w)
{
	return w->accepted;
}

uint64_t pmclog_writer_dropped(const struct pmclog_writer *w)
{
	return w->dropped.samples;
}

int pmclog_writer_errno(const struct pmclog_writer *w)
{
	return w->error;
}

/* The header word of the record at offset at of the buffer. */
static uint32_t header_at(const struct pmclog_writer *w, size_t at)
{
	uint32_t v;

	memcpy(&v, w->buf + at, sizeof(v));
	return le32(v);
}

/* Counts the records of the buffer that do not end in its first bytes; where whole ones do. */
static size_t count_dropped(struct pmclog_writer *w, size_t bytes)
{
	size_t whole = 0, at, next;

	for (at = 0; at < w->used; at = next) {
		next = at + (header_at(w, at) & 0xffff);
		if (next <= bytes)
			whole = next;
		else if ((header_at(w, at) >> 16 & 0xff) == PMCLOG_WIRE_CALLCHAIN)
			w->dropped.samples++;
		else
			w->dropped.others++;
	}
	return whole;
}

/*
 * What of it has surely arrived where a connection leads, by what the kernel still has.  Where the
 * last place that was asked for has arrived, the present one is asked for next.  False: no
 * connection.
 */
static bool note_arrived(struct pmclog_writer *w)
{
	int queued;

	if (w->start >= 0 || ioctl(w->fd, SIOCOUTQ, &queued))
		return false;
	if (w->out.bytes >= w->asked.bytes + (uint64_t)queued) {
		w->sure = w->asked;
		w->asked = w->out;
	}
	if (!queued)
		w->sure = w->out;
	return true;
}

/* Counts what went into a connection that is lost and has perhaps not arrived. */
static void count_unsent(struct pmclog_writer *w)
{
	w->dropped.samples += w->out.counted.samples - w->sure.counted.samples;
	w->dropped.others += w->out.counted.others - w->sure.counted.others;
}

/*
 * After a failed write of which out bytes got through: cuts a regular file back to its last whole
 * record or piece, if nobody else has moved its end, and counts what is lost.
 */
static void give_up(struct pmclog_writer *w, size_t out, int error)
{
	off_t end = w->start + (off_t)(w->out.bytes + out);
	bool ours = w->start >= 0 && lseek(w->fd, 0, SEEK_CUR) == end;
	size_t whole;

	w->sent = note_arrived(w);
	whole = count_dropped(w, w->encoder || w->sent ? 0 : out);
	if (w->sent)
		count_unsent(w);
	if (ours && whole < out) {
		end -= (off_t)(out - whole);
		if (!ftruncate(w->fd, end) && lseek(w->fd, end, SEEK_SET) == end)
			out = whole;
	}
	w->out.bytes += out;
	w->used = 0;
	w->error = error;
}

static void write_bytes(struct pmclog_writer *w, const uint8_t *bytes, size_t len)
{
	struct pollfd pfd = {.fd = w->fd, .events = POLLOUT};
	size_t out = 0;

	note_arrived(w);
	while (out < len) {
		ssize_t n = write(w->fd, bytes + out, len - out);

		if (n > 0) {
			out += (size_t)n;
		} else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			poll(&pfd, 1, -1);
		} else if (n == 0 || errno != EINTR) {
			give_up(w, out, n ? errno : EIO);
			return;
		}
	}
	w->out.bytes += out;
	w->out.counted = w->taken;
	w->used = 0;
}

/* After a failed write: the records go, and are counted. */
static void drop_buffer(struct pmclog_writer *w)
{
	count_dropped(w, 0);
	w->used = 0;
}

static void write_out(struct pmclog_writer *w)
{
	const uint8_t *bytes = w->buf;
	size_t len = w->used;

	if (w->error) {
		drop_buffer(w);
		return;
	}
	if (w->encoder && pmclog_encoder_encode(w->encoder, w->buf, w->used, &bytes, &len, NULL))
		give_up(w, 0, ENOMEM);
	else
		write_bytes(w, bytes, len);
}

/* Of what was sent nobody knows where it is. */
static int say_failed(struct err *err, const char *name, int error, uint64_t bytes, bool sent)
{
	err_set(err, EX_IOERR, "%s: cannot write: %s (%" PRIu64 " bytes %s)", name, strerror(error),
		bytes, sent ? "were sent" : "are in the log");
	return err_errno(err, error);
}

int pmclog_write_failed(struct err *err, const char *name, int error, uint64_t bytes)
{
	/* Who read a pipe has left, and with it what it had. */
	say_failed(err, name, error, bytes, error == EPIPE);
	err_hint_full(err, error);
	if (err && err->hint[0] && bytes)
		err_hint(err, "what was written is a readable log; make room for more");
	return -1;
}

int pmclog_writer_flush(struct pmclog_writer *w, struct err *err)
{
	if (w->used)
		write_out(w);
	if (!w->error)
		return 0;
	return w->sent ? say_failed(err, w->name, w->error, w->out.bytes, true)
		       : pmclog_write_failed(err, w->name, w->error, w->out.bytes);
}

const uint8_t *pmclog_writer_take(struct pmclog_writer *w, size_t *len)
{
	*len = w->used;
	w->out.bytes += w->used;
	w->used = 0;
	return w->buf;
}

void pmclog_writer_tick(struct pmclog_writer *w, uint64_t now)
{
	if (w->encoder && w->ticked && now - w->ticked < PIECE_EVERY)
		return;
	w->ticked = now;
	pmclog_writer_flush(w, NULL);
}

/*
 * Room for one record of at most max bytes; NULL after a failed write, where no other file may
 * begin with what it says.
 */
static inline void *reserve(struct pmclog_writer *w, size_t max)
{
	if (__builtin_expect(w->used + max > BUFFER, 0))
		write_out(w);
	return w->error && !w->head ? NULL : w->buf + w->used;
}

/* Takes the record of len bytes at the end of the buffer into the log. */
static inline void commit(struct pmclog_writer *w, enum pmclog_wire_type type, size_t len,
			  uint64_t tsc)
{
	struct pmclog_wire_header h = {le32(PMCLOG_WIRE_HEADER(type, len)), 0, le64(tsc)};

	memcpy(w->buf + w->used, &h, sizeof(h));
	if (w->head && type != PMCLOG_WIRE_CALLCHAIN)
		pmclogint_head_add(w->head, w->buf + w->used);
	w->used += len;
	w->accepted += w->error ? 0 : len;
	if (type == PMCLOG_WIRE_CALLCHAIN)
		w->taken.samples++;
	else
		w->taken.others++;
}

/* Appends a text at offset at of rec, at most max bytes with the NUL, padded; the next offset. */
static size_t put_text(uint8_t *rec, size_t at, const char *text, size_t max)
{
	size_t len = text ? strnlen(text, max - 1) : 0, end = round8(at + len + 1);

	if (len)
		memcpy(rec + at, text, len);
	memset(rec + at + len, 0, end - at - len);
	return end;
}

/* A text of fixed size, its rest zero; to holds size zero bytes before. */
static void put_name(char *to, const char *text, size_t size)
{
	if (text)
		memcpy(to, text, strnlen(text, size - 1));
}

static size_t field_header(uint8_t *rec, size_t at, enum pmclog_field type, size_t len)
{
	uint32_t word[2] = {le32((uint32_t)type | (uint32_t)len << 16), 0};

	memcpy(rec + at, word, sizeof(word));
	return at + sizeof(word);
}

static size_t field_bytes(uint8_t *rec, size_t at, enum pmclog_field type, const void *data,
			  size_t len)
{
	size_t end;

	at = field_header(rec, at, type, len);
	end = round8(at + len);
	memset(rec + at, 0, end - at);
	memcpy(rec + at, data, len);
	return end;
}

static size_t field_u64(uint8_t *rec, size_t at, enum pmclog_field type, uint64_t v)
{
	v = le64(v);
	return field_bytes(rec, at, type, &v, sizeof(v));
}

static size_t field_u32(uint8_t *rec, size_t at, enum pmclog_field type, uint32_t v)
{
	v = le32(v);
	return field_bytes(rec, at, type, &v, sizeof(v));
}

static size_t field_text(uint8_t *rec, size_t at, enum pmclog_field type, const char *text,
			 size_t max)
{
	if (!text)
		return at;
	at = field_header(rec, at, type, strnlen(text, max - 1) + 1);
	return put_text(rec, at, text, max);
}

/* Sets the trailer's header at offset at; end is the offset behind its last field. */
static void finish_trailer(uint8_t *rec, size_t at, size_t end)
{
	struct pmclog_wire_trailer t = {le32(PMCLOG_TRAILER_MAGIC), le32((uint32_t)(end - at))};

	memcpy(rec + at, &t, sizeof(t));
}

/* INITIALIZE's trailer, at offset at of rec; the offset behind it. */
static size_t put_origin(uint8_t *rec, size_t at, const struct pmclog_origin *o)
{
	size_t start = at;

	at += sizeof(struct pmclog_wire_trailer);
	at = field_text(rec, at, PMCLOG_FIELD_HOST_NAME, o->host, TEXT_MAX);
	at = field_text(rec, at, PMCLOG_FIELD_RELEASE, o->release, TEXT_MAX);
	at = field_text(rec, at, PMCLOG_FIELD_MACHINE, o->machine, TEXT_MAX);
	at = field_text(rec, at, PMCLOG_FIELD_BOOT_ID, o->boot_id, TEXT_MAX);
	at = field_text(rec, at, PMCLOG_FIELD_COLLECTOR, o->collector, TEXT_MAX);
	at = field_text(rec, at, PMCLOG_FIELD_COMMAND, o->command, COMMAND_MAX);
	finish_trailer(rec, start, at);
	return at;
}

size_t pmclog_origin_trailer(const struct pmclog_origin *o, uint8_t *trailer)
{
	return put_origin(trailer, 0, o);
}

void pmclog_write_initialize(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_origin *o)
{
	struct pmclog_wire_initialize init = {
		.version = le32(w->version),
		.cputype = le32(o->cputype),
		.tsc_freq = le64(o->tsc_freq),
		.ts_sec = le64(o->ts_sec),
		.ts_nsec = le64(o->ts_nsec),
	};
	uint8_t *rec = reserve(w, PMCLOG_MAX_RECORD);

	if (!rec)
		return;
	put_name(init.cpuid, o->cpuid, sizeof(init.cpuid));
	memcpy(rec, &init, sizeof(init));
	commit(w, PMCLOG_WIRE_INITIALIZE, put_origin(rec, sizeof(init), o), tsc);
}

void pmclog_write_allocatedyn(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_alloc *a)
{
	struct pmclog_wire_pmcallocatedyn dyn = {
		.pmcid = le32(a->pmcid),
		.event = le32(a->event),
		.flags = le32(a->flags),
	};
	uint8_t *rec = reserve(w, PMCLOG_MAX_RECORD);
	size_t at = sizeof(dyn) + sizeof(struct pmclog_wire_trailer);

	if (!rec)
		return;
	put_name(dyn.name, a->name, sizeof(dyn.name));
	memcpy(rec, &dyn, sizeof(dyn));
	at = field_u64(rec, at, PMCLOG_FIELD_RATE, a->rate);
	if (a->frequency)
		at = field_u32(rec, at, PMCLOG_FIELD_FREQUENCY, 1);
	if (a->max_depth)
		at = field_u32(rec, at, PMCLOG_FIELD_MAX_DEPTH, a->max_depth);
	at = field_text(rec, at, PMCLOG_FIELD_EVENT_SPEC, a->spec, PMCLOG_MAX_PATH);
	at = field_text(rec, at, PMCLOG_FIELD_HOST_NAME, a->host, TEXT_MAX);
	finish_trailer(rec, sizeof(dyn), at);
	commit(w, PMCLOG_WIRE_PMCALLOCATEDYN, at, tsc);
}

void pmclog_write_attach(struct pmclog_writer *w, uint64_t tsc, uint32_t pmcid, uint32_t pid,
			 const char *path)
{
	struct pmclog_wire_pmcattach attach = {.pmcid = le32(pmcid), .pid = le32(pid)};
	uint8_t *rec = reserve(w, PMCLOG_MAX_RECORD);

	if (!rec)
		return;
	memcpy(rec, &attach, sizeof(attach));
	commit(w, PMCLOG_WIRE_PMCATTACH, put_text(rec, sizeof(attach), path, PMCLOG_MAX_PATH), tsc);
}

/* A record that is only its fixed fields; its header is filled in here. */
static void put_fixed(struct pmclog_writer *w, enum pmclog_wire_type type, uint64_t tsc,
		      const void *fields, size_t size)
{
	uint8_t *rec = reserve(w, round8(size));

	if (!rec)
		return;
	memcpy(rec, fields, size);
	memset(rec + size, 0, round8(size) - size);
	commit(w, type, round8(size), tsc);
}

void pmclog_write_detach(struct pmclog_writer *w, uint64_t tsc, uint32_t pmcid, uint32_t pid,
			 const struct pmclog_times *times)
{
	struct pmclog_wire_pmcdetach detach = {.pmcid = le32(pmcid), .pid = le32(pid)};
	uint8_t *rec = reserve(w, PMCLOG_MAX_RECORD);
	size_t at = sizeof(detach);

	if (!rec)
		return;
	memcpy(rec, &detach, sizeof(detach));
	if (times) {
		at += sizeof(struct pmclog_wire_trailer);
		at = field_u64(rec, at, PMCLOG_FIELD_USER_TIME, times->user);
		at = field_u64(rec, at, PMCLOG_FIELD_SYSTEM_TIME, times->system);
		finish_trailer(rec, sizeof(detach), at);
	}
	commit(w, PMCLOG_WIRE_PMCDETACH, at, tsc);
}

void pmclog_write_proccsw(struct pmclog_writer *w, uint64_t tsc, uint32_t pmcid, uint32_t pid,
			  uint32_t tid, uint64_t value)
{
	struct pmclog_wire_proccsw csw = {
		.value = le64(value), .pmcid = le32(pmcid), .pid = le32(pid), .tid = le32(tid)};

	put_fixed(w, PMCLOG_WIRE_PROCCSW, tsc, &csw, sizeof(csw));
}

/* The fixed fields of PROCEXEC; how many bytes they are. */
static size_t put_exec(const struct pmclog_writer *w, uint8_t *rec, const struct pmclog_exec *e)
{
	struct pmclog_wire_procexec exec = {
		.pid = le32(e->pid), .pmcid = le32(e->pmcid), .entry = le64(e->entry)};
	/* What exec(2) maps has MAP_IN records: nothing is known of it here. */
	struct pmclog_wire_procexec_10 exec_10 = {.pid = exec.pid, .pmcid = exec.pmcid};

	if (w->version == PMCLOG_WIRE_VERSION_10) {
		memcpy(rec, &exec_10, sizeof(exec_10));
		return sizeof(exec_10);
	}
	memcpy(rec, &exec, sizeof(exec));
	return sizeof(exec);
}

void pmclog_write_procexec(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_exec *e)
{
	uint8_t *rec = reserve(w, PMCLOG_MAX_RECORD);
	size_t trailer, at;

	if (!rec)
		return;
	at = trailer = put_text(rec, put_exec(w, rec, e), e->path, PMCLOG_MAX_PATH);
	if (e->arguments_len) {
		at = field_bytes(rec, trailer + sizeof(struct pmclog_wire_trailer),
				 PMCLOG_FIELD_ARGUMENTS, e->arguments,
				 e->arguments_len < PMCLOG_MAX_ARGUMENTS ? e->arguments_len
									 : PMCLOG_MAX_ARGUMENTS);
		finish_trailer(rec, trailer, at);
	}
	commit(w, PMCLOG_WIRE_PROCEXEC, at, tsc);
}

void pmclog_write_procexit(struct pmclog_writer *w, uint64_t tsc, uint32_t pmcid, uint32_t pid,
			   uint64_t value)
{
	struct pmclog_wire_procexit ex = {
		.pmcid = le32(pmcid), .pid = le32(pid), .value = le64(value)};

	put_fixed(w, PMCLOG_WIRE_PROCEXIT, tsc, &ex, sizeof(ex));
}

void pmclog_write_procfork(struct pmclog_writer *w, uint64_t tsc, uint32_t oldpid, uint32_t newpid)
{
	struct pmclog_wire_procfork fk = {.oldpid = le32(oldpid), .newpid = le32(newpid)};

	put_fixed(w, PMCLOG_WIRE_PROCFORK, tsc, &fk, sizeof(fk));
}

void pmclog_write_sysexit(struct pmclog_writer *w, uint64_t tsc, uint32_t pid)
{
	struct pmclog_wire_sysexit sx = {.pid = le32(pid)};

	put_fixed(w, PMCLOG_WIRE_SYSEXIT, tsc, &sx, sizeof(sx));
}

void pmclog_write_userdata(struct pmclog_writer *w, uint64_t tsc, uint32_t userdata)
{
	struct pmclog_wire_userdata ud = {.userdata = le32(userdata)};

	put_fixed(w, PMCLOG_WIRE_USERDATA, tsc, &ud, sizeof(ud));
}

void pmclog_write_map_in(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_map *m)
{
	struct pmclog_wire_map_in in = {.pid = le32(m->pid), .start = le64(m->start)};
	uint8_t *rec = reserve(w, PMCLOG_MAX_RECORD);
	size_t trailer, at;

	if (!rec)
		return;
	memcpy(rec, &in, sizeof(in));
	trailer = put_text(rec, sizeof(in), m->path, PMCLOG_MAX_PATH);
	at = trailer + sizeof(struct pmclog_wire_trailer);
	if (m->length)
		at = field_u64(rec, at, PMCLOG_FIELD_MAP_LENGTH, m->length);
	if (m->length || m->file_offset)
		at = field_u64(rec, at, PMCLOG_FIELD_FILE_OFFSET, m->file_offset);
	if (m->inode) {
		at = field_u64(rec, at, PMCLOG_FIELD_DEVICE, m->device);
		at = field_u64(rec, at, PMCLOG_FIELD_INODE, m->inode);
	}
	if (m->build_id_len)
		at = field_bytes(rec, at, PMCLOG_FIELD_BUILD_ID, m->build_id,
				 m->build_id_len < PMCLOG_MAX_BUILD_ID ? m->build_id_len
								       : PMCLOG_MAX_BUILD_ID);
	at = field_text(rec, at, PMCLOG_FIELD_SYMBOL, m->symbol, PMCLOG_MAX_PATH);
	finish_trailer(rec, trailer, at);
	commit(w, PMCLOG_WIRE_MAP_IN, at, tsc);
}

void pmclog_write_map_out(struct pmclog_writer *w, uint64_t tsc, uint32_t pid, uint64_t start,
			  uint64_t end)
{
	struct pmclog_wire_map_out out = {.pid = le32(pid), .start = le64(start), .end = le64(end)};

	put_fixed(w, PMCLOG_WIRE_MAP_OUT, tsc, &out, sizeof(out));
}

/* What a bit map of n frames takes: as many bytes as have marks. */
static size_t marked_bytes(const uint8_t *marks, uint32_t n)
{
	size_t len = marks ? (n + 7) / 8 : 0;

	while (len && !marks[len - 1])
		len--;
	return len;
}

static size_t field_repeats(uint8_t *to, size_t at, const struct pmclog_wire_repeat *r, uint32_t n)
{
	struct pmclog_wire_repeat le[PMCLOG_MAX_REPEATS];
	uint32_t i;

	for (i = 0; i < n; i++)
		le[i] = (struct pmclog_wire_repeat){le32(r[i].first), le16(r[i].frames),
						    le16(r[i].times)};
	return field_bytes(to, at, PMCLOG_FIELD_REPEATS, le, n * sizeof(*le));
}

/* The trailer of a chain that is n frames long then: its length in bytes. */
static size_t put_marks(uint8_t *trailer, const struct pmclog_chain *c,
			const struct pmclogint_folded *f, uint32_t n)
{
	size_t at = sizeof(struct pmclog_wire_trailer), guessed = marked_bytes(c->guessed, n);
	size_t exact = marked_bytes(c->exact, n);
	uint32_t repeats = f ? f->nrepeats : 0;

	if (guessed)
		at = field_bytes(trailer, at, PMCLOG_FIELD_GUESSED, c->guessed, guessed);
	if (c->stitched > c->npcs - n)
		at = field_u32(trailer, at, PMCLOG_FIELD_STITCHED, c->stitched - (c->npcs - n));
	if (exact)
		at = field_bytes(trailer, at, PMCLOG_FIELD_EXACT, c->exact, exact);
	while (repeats && f->repeats[repeats - 1].first + f->repeats[repeats - 1].frames > n)
		repeats--;
	if (repeats)
		at = field_repeats(trailer, at, f->repeats, repeats);
	if (at == sizeof(struct pmclog_wire_trailer))
		return 0;
	finish_trailer(trailer, 0, at);
	return at;
}

/*
 * The trailer of a chain; n is how many frames have room beside it: the outermost ones give way if
 * they must.
 */
static size_t fit(uint8_t *trailer, const struct pmclog_chain *c, const struct pmclogint_folded *f,
		  uint32_t *n)
{
	size_t len;

	*n = c->npcs < PMCLOG_MAX_DEPTH ? c->npcs : PMCLOG_MAX_DEPTH;
	len = put_marks(trailer, c, f, *n);
	if (*n <= PMCLOG_MAX_DEPTH - len / 8)
		return len;
	*n = PMCLOG_MAX_DEPTH - (uint32_t)(len / 8);
	return put_marks(trailer, c, f, *n);
}

/* A chain with a trailer, or that is too deep without one. */
static void write_marked(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_chain *c)
{
	uint8_t trailer[48 + 2 * PMCLOG_MAX_DEPTH / 8 +
			PMCLOG_MAX_REPEATS * sizeof(struct pmclog_wire_repeat)];
	uint8_t *rec = reserve(w, PMCLOG_MAX_RECORD);
	struct pmclog_chain less = *c;
	struct pmclogint_folded f;
	size_t len;
	struct pmclog_wire_callchain chain = {
		.pid = le32(c->pid), .tid = le32(c->tid), .pmcid = le32(c->pmcid)};
	enum pmclog_chain_end end = c->end;
	uint32_t n, i;

	if (!rec) {
		w->dropped.samples++;
		return;
	}
	len = fit(trailer, c, NULL, &n);
	if (n < c->npcs) {
		pmclogint_fold(c, &f);
		less.npcs = f.n;
		less.pcs = f.pcs;
		less.stitched = f.stitched;
		less.guessed = f.guessed;
		less.exact = f.exact;
		len = fit(trailer, &less, &f, &n);
		if (end == PMCLOG_END_COMPLETE && (n < f.n || !f.is_whole))
			end = PMCLOG_END_DEPTH;
	}
	chain.cpuflags =
		le32(c->cpu << 16 | (uint32_t)(len / 8) << PMCLOG_CC_TRAILER_SHIFT |
		     (uint32_t)end << PMCLOG_CC_END_SHIFT | (c->usermode ? PMCLOG_CC_USERMODE : 0));
	memcpy(rec, &chain, sizeof(chain));
	rec += sizeof(chain);
	for (i = 0; i < n; i++, rec += 8) {
		uint64_t pc = le64(less.pcs[i]);

		memcpy(rec, &pc, sizeof(pc));
	}
	memcpy(rec, trailer, len);
	commit(w, PMCLOG_WIRE_CALLCHAIN, sizeof(chain) + (size_t)n * 8 + len, tsc);
}

/* The hot path: one bounds check, one store of 32 bytes, one copy. */
void pmclog_write_callchain(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_chain *c)
{
	uint32_t n = c->npcs;
	size_t len = sizeof(struct pmclog_wire_callchain) + (size_t)n * 8;
	struct pmclog_wire_callchain *rec;

	if (n > PMCLOG_MAX_DEPTH || c->stitched || marked_bytes(c->guessed, n) ||
	    marked_bytes(c->exact, n)) {
		write_marked(w, tsc, c);
		return;
	}
	rec = reserve(w, len);
	if (!rec) {
		w->dropped.samples++;
		return;
	}
	rec->pid = le32(c->pid);
	rec->tid = le32(c->tid);
	rec->pmcid = le32(c->pmcid);
	rec->cpuflags = le32(c->cpu << 16 | (uint32_t)c->end << PMCLOG_CC_END_SHIFT |
			     (c->usermode ? PMCLOG_CC_USERMODE : 0));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (n)
		memcpy(rec + 1, c->pcs, (size_t)n * 8);
#else
	for (uint32_t i = 0; i < n; i++)
		((uint64_t *)(rec + 1))[i] = le64(c->pcs[i]);
#endif
	commit(w, PMCLOG_WIRE_CALLCHAIN, len, tsc);
}

void pmclog_write_thr_create(struct pmclog_writer *w, uint64_t tsc, uint32_t tid, uint32_t pid,
			     const char *name)
{
	struct pmclog_wire_thr_create thr = {.tid = le32(tid), .pid = le32(pid)};

	put_name(thr.name, name, sizeof(thr.name));
	put_fixed(w, PMCLOG_WIRE_THR_CREATE, tsc, &thr, sizeof(thr));
}

void pmclog_write_thr_exit(struct pmclog_writer *w, uint64_t tsc, uint32_t tid)
{
	struct pmclog_wire_thr_exit thr = {.tid = le32(tid)};

	put_fixed(w, PMCLOG_WIRE_THR_EXIT, tsc, &thr, sizeof(thr));
}

void pmclog_write_proc_create(struct pmclog_writer *w, uint64_t tsc, uint32_t pid, const char *comm)
{
	struct pmclog_wire_proc_create proc = {.pid = le32(pid)};

	put_name(proc.comm, comm, sizeof(proc.comm));
	put_fixed(w, PMCLOG_WIRE_PROC_CREATE, tsc, &proc, sizeof(proc));
}

void pmclog_write_dropnotify(struct pmclog_writer *w, uint64_t tsc, const struct pmclog_drop *d)
{
	size_t at = sizeof(struct pmclog_wire_header) + sizeof(struct pmclog_wire_trailer);
	struct pmclog_wire_header bare = {0};
	uint8_t *rec;

	if (d->unknown) {
		put_fixed(w, PMCLOG_WIRE_DROPNOTIFY, tsc, &bare, sizeof(bare));
		return;
	}
	rec = reserve(w, PMCLOG_MAX_RECORD);
	if (!rec)
		return;
	at = field_u64(rec, at, PMCLOG_FIELD_COUNT, d->count);
	at = field_u32(rec, at, PMCLOG_FIELD_CPU, d->cpu);
	at = field_u32(rec, at, PMCLOG_FIELD_CAUSE, d->cause);
	if (d->pmcid != UINT32_MAX)
		at = field_u32(rec, at, PMCLOG_FIELD_PMCID, d->pmcid);
	if (d->cause == PMCLOG_DROP_SHARED) {
		at = field_u64(rec, at, PMCLOG_FIELD_ENABLED, d->enabled);
		at = field_u64(rec, at, PMCLOG_FIELD_RUNNING, d->running);
	}
	if (d->paused)
		at = field_u64(rec, at, PMCLOG_FIELD_PAUSED, d->paused);
	finish_trailer(rec, sizeof(struct pmclog_wire_header), at);
	commit(w, PMCLOG_WIRE_DROPNOTIFY, at, tsc);
}

void pmclog_write_closelog(struct pmclog_writer *w, uint64_t tsc)
{
	struct pmclog_wire_header h = {0};

	put_fixed(w, PMCLOG_WIRE_CLOSELOG, tsc, &h, sizeof(h));
}

/* The beginning of a file. */
struct beginning {
	struct pmclog_writer *w;
	uint64_t tsc;
};

/* What the clock showed at a later time than INITIALIZE's. */
static void move_clock(struct pmclog_wire_initialize *init, uint64_t tsc)
{
	uint64_t freq = le64(init->tsc_freq), ticks = tsc - le64(init->h.tsc);
	uint64_t ns = le64(init->ts_nsec);

	if (!freq)
		return;
	ns += (uint64_t)((double)(ticks % freq) * SECOND / (double)freq);
	init->ts_sec = le64(le64(init->ts_sec) + ticks / freq + ns / SECOND);
	init->ts_nsec = le64(ns % SECOND);
}

static void put_again(void *arg, const uint8_t *record, size_t len)
{
	const struct beginning *b = arg;
	struct pmclog_wire_initialize init;
	uint64_t tsc = le64(b->tsc);
	uint8_t *rec = reserve(b->w, len);

	if (!rec)
		return;
	memcpy(rec, record, len);
	if ((header_at(b->w, b->w->used) >> 16 & 0xff) == PMCLOG_WIRE_INITIALIZE) {
		memcpy(&init, rec, sizeof(init));
		move_clock(&init, b->tsc);
		memcpy(rec, &init, sizeof(init));
	}
	memcpy(rec + offsetof(struct pmclog_wire_header, tsc), &tsc, sizeof(tsc));
	b->w->used += len;
	b->w->accepted += len;
}

/* Takes another file, and what belongs to each. */
static int change_file(struct pmclog_writer *w, int fd, const char *name, struct err *err)
{
	struct pmclog_encoder *encoder = w->encoder ? pmclog_encoder_new(w->how, LEVEL) : NULL;
	char *copy = strdup(name);

	if (!copy || (w->encoder && !encoder)) {
		pmclog_encoder_free(encoder);
		free(copy);
		w->error = ENOMEM;
		return err_nomem(err);
	}
	pmclog_encoder_free(w->encoder);
	free(w->name);
	w->encoder = encoder;
	w->name = copy;
	w->fd = fd;
	w->start = start_of(fd);
	w->ticked = 0;
	w->taken = (struct counted){0};
	w->out = w->asked = w->sure = (struct mark){0};
	w->error = 0;
	return 0;
}

/* What is in no file. */
static void write_unsent(struct pmclog_writer *w, uint64_t tsc)
{
	struct pmclog_drop d = {.cpu = UINT32_MAX, .pmcid = UINT32_MAX};
	struct counted now = w->dropped;

	d.cause = PMCLOG_DROP_UNSENT;
	d.count = now.samples - w->told.samples;
	if (d.count)
		pmclog_write_dropnotify(w, tsc, &d);
	d.cause = PMCLOG_DROP_RECORD;
	d.count = now.others - w->told.others;
	if (d.count)
		pmclog_write_dropnotify(w, tsc, &d);
	w->told = now;
}

int pmclog_writer_rotate(struct pmclog_writer *w, int fd, const char *name, uint64_t tsc,
			 struct err *err)
{
	struct beginning b = {w, tsc + 1};
	int failed = 0;

	if (w->error) {
		drop_buffer(w);
	} else {
		pmclog_write_closelog(w, tsc);
		failed = pmclog_writer_flush(w, err);
	}
	if ((w->error && w->start >= 0) || change_file(w, fd, name, failed ? NULL : err))
		return -1;
	if (pmclogint_head_each(w->head, tsc, put_again, &b)) {
		w->error = ENOMEM;
		return failed ? failed : err_nomem(err);
	}
	write_unsent(w, b.tsc);
	/* A file that cannot be written is found out here. */
	return pmclog_writer_flush(w, failed ? NULL : err) ? -1 : failed;
}
