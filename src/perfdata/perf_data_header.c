// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/perf_data_int.h"

static const char magic[] = "PERFILE2", swapped[] = "2ELIFREP";

struct section {
	uint64_t offset, size;
};

/* The beginning of a file; of what was written to a pipe the first two words. */
struct file_header {
	char magic[PERF_DATA_MAGIC];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4]; /* a bit for each */
};

enum feature {
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_ARCH = 6,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CLOCK_DATA = 29,
	FEATURES = 256,
};

enum { PIPE_HEADER = 16, ATTR_MAX = 4096, UPDATE_NAME = 2 /* of an event */ };

/* A record of the table of build-ids. */
struct rec_build_id {
	struct perf_event_header header;
	uint32_t pid;
	uint8_t id[20], len, pad[3];
	char path[];
};

#define MISC_BUILD_ID_SIZE (1u << 15) /* len is said */

/* Bytes of a feature that are still to be read. */
struct cursor {
	const uint8_t *p;
	size_t n;
};

bool perf_data_is(const void *bytes, size_t len)
{
	return len >= PERF_DATA_MAGIC &&
	       (!memcmp(bytes, magic, PERF_DATA_MAGIC) || !memcmp(bytes, swapped, PERF_DATA_MAGIC));
}

void perf_data_header_fini(struct perf_data_header *h)
{
	vec_free(&h->build_ids);
	vec_free(&h->paths);
	table_clear(&h->by_path);
}

static bool take(struct cursor *c, void *to, size_t n)
{
	if (n > c->n)
		return false;
	memcpy(to, c->p, n);
	c->p += n;
	c->n -= n;
	return true;
}

/* A length and so many bytes, with NULs behind the text.  NULL: they are not there. */
static const char *take_text(struct cursor *c, size_t *len)
{
	const char *text;
	uint32_t n;

	if (!take(c, &n, sizeof(n)) || n > c->n)
		return NULL;
	text = (const char *)c->p;
	*len = strnlen(text, n);
	c->p += n;
	c->n -= n;
	return text;
}

static bool copy_text(struct cursor *c, char *to, size_t size)
{
	size_t len;
	const char *text = take_text(c, &len);

	if (text)
		snprintf(to, size, "%.*s", (int)(len < size ? len : size), text);
	return text;
}

/* ---- Build-ids. */

static struct perf_data_build_id *find_build_id(const struct perf_data_header *h, const char *path,
						size_t len)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&h->by_path, hash_bytes(path, len), &it); i != TABLE_NONE;
	     i = table_next(&h->by_path, &it)) {
		const char *known = h->paths.v + h->build_ids.v[i].path;

		if (!strncmp(known, path, len) && !known[len])
			return &h->build_ids.v[i];
	}
	return NULL;
}

const struct perf_data_build_id *perf_data_header_build_id(const struct perf_data_header *h,
							   const char *path)
{
	const struct perf_data_build_id *id = find_build_id(h, path, strlen(path));

	return id && id->len ? id : NULL;
}

/* Without memory the build-id is not known. */
static void add_build_id(struct perf_data_header *h, const struct perf_event_header *record)
{
	const struct rec_build_id *r = (const void *)record;
	struct perf_data_build_id named = {.path = (uint32_t)h->paths.n, .len = sizeof(r->id)},
				  *known;
	size_t len;

	if (record->size <= sizeof(*r) || h->paths.n > UINT32_MAX / 2)
		return;
	len = strnlen(r->path, record->size - sizeof(*r));
	if (record->misc & MISC_BUILD_ID_SIZE && r->len && r->len <= sizeof(r->id))
		named.len = r->len;
	memcpy(named.id, r->id, named.len);
	known = find_build_id(h, r->path, len);
	if (known) {
		if (known->len != named.len || memcmp(known->id, named.id, named.len))
			known->len = 0;
		return;
	}
	if (!len || vec_reserve(&h->paths, h->paths.n + len + 1) ||
	    vec_push(&h->build_ids, named) ||
	    table_insert(&h->by_path, hash_bytes(r->path, len), (uint32_t)(h->build_ids.n - 1)))
		return;
	memcpy(h->paths.v + h->paths.n, r->path, len);
	h->paths.v[h->paths.n + len] = '\0';
	h->paths.n += len + 1;
}

static bool read_build_ids(struct perf_data_header *h, struct cursor c)
{
	uint64_t record[65536 / sizeof(uint64_t)];
	struct perf_event_header *header = (void *)record;

	while (c.n) {
		if (c.n < sizeof(*header))
			return false;
		memcpy(header, c.p, sizeof(*header));
		if (header->size < sizeof(*header) || !take(&c, record, header->size))
			return false;
		add_build_id(h, header);
	}
	return true;
}

/* ---- The other features. */

static bool read_command(struct perf_data_header *h, struct cursor c)
{
	size_t used = 0, len;
	const char *text;
	uint32_t n;

	if (!take(&c, &n, sizeof(n)))
		return false;
	for (; n; n--) {
		if (!(text = take_text(&c, &len)))
			return false;
		if (used + len + 2 > sizeof(h->command))
			continue;
		if (used)
			h->command[used++] = ' ';
		memcpy(h->command + used, text, len);
		used += len;
		h->command[used] = '\0';
	}
	return true;
}

/* The names of events, by their ids; of one without ids by its place. */
static bool read_event_desc(struct perf_data_events *e, struct cursor c)
{
	uint32_t n, size, ids, i;
	const char *name;
	uint64_t id;
	size_t len;

	if (!take(&c, &n, sizeof(n)) || !take(&c, &size, sizeof(size)))
		return false;
	for (i = 0; i < n; i++) {
		if (size > c.n)
			return false;
		c.p += size;
		c.n -= size;
		if (!take(&c, &ids, sizeof(ids)) || !(name = take_text(&c, &len)))
			return false;
		if (!ids && i < e->v.n && !e->v.v[i].name[0])
			snprintf(e->v.v[i].name, sizeof(e->v.v[i].name), "%.*s",
				 (int)(len < 127 ? len : 127), name);
		for (; ids; ids--) {
			if (!take(&c, &id, sizeof(id)))
				return false;
			perf_data_events_name(e, id, name, len);
		}
	}
	return true;
}

static bool read_clock(struct perf_data_header *h, struct cursor c)
{
	struct {
		uint32_t version, clockid;
		uint64_t wall, clock;
	} d;

	if (!take(&c, &d, sizeof(d)))
		return false;
	h->has_clock = d.version == 1;
	h->wall = d.wall;
	h->clock = d.clock;
	return true;
}

/* False: it is damaged. */
static bool read_feature(struct perf_data_header *h, struct perf_data_events *e,
			 unsigned int feature, struct cursor c)
{
	switch (feature) {
	case FEATURE_BUILD_ID: return read_build_ids(h, c);
	case FEATURE_HOSTNAME: return copy_text(&c, h->host, sizeof(h->host));
	case FEATURE_OSRELEASE: return copy_text(&c, h->release, sizeof(h->release));
	case FEATURE_ARCH: return copy_text(&c, h->machine, sizeof(h->machine));
	case FEATURE_CPUDESC: return copy_text(&c, h->cpu, sizeof(h->cpu));
	case FEATURE_CPUID: return copy_text(&c, h->cpuid, sizeof(h->cpuid));
	case FEATURE_CMDLINE: return read_command(h, c);
	case FEATURE_EVENT_DESC: return read_event_desc(e, c);
	case FEATURE_CLOCK_DATA: return read_clock(h, c);
	default: return true;
	}
}

static bool is_read(unsigned int feature)
{
	switch (feature) {
	case FEATURE_BUILD_ID:
	case FEATURE_HOSTNAME:
	case FEATURE_OSRELEASE:
	case FEATURE_ARCH:
	case FEATURE_CPUDESC:
	case FEATURE_CPUID:
	case FEATURE_CMDLINE:
	case FEATURE_EVENT_DESC:
	case FEATURE_CLOCK_DATA: return true;
	default: return false;
	}
}

bool perf_data_header_record(struct perf_data_header *h, struct perf_data_events *e,
			     const struct perf_event_header *record, struct err *err)
{
	const uint64_t *words = (const uint64_t *)(record + 1);
	size_t len = record->size - sizeof(*record), at;
	uint32_t size;

	switch (record->type) {
	case PERF_DATA_HEADER_ATTR:
		if (perf_data_events_add(e, words, len, err))
			return true;
		memcpy(&size, (const char *)words + sizeof(size), sizeof(size));
		for (at = size ? size : PERF_ATTR_SIZE_VER0; at + 8 <= len && !err->code; at += 8) {
			uint64_t id;

			memcpy(&id, (const char *)words + at, sizeof(id));
			perf_data_events_add_id(e, id, err);
		}
		return true;
	case PERF_DATA_HEADER_FEATURE:
		if (len >= 8 && words[0] < FEATURES)
			read_feature(h, e, (unsigned int)words[0],
				     (struct cursor){(const uint8_t *)(words + 1), len - 8});
		return true;
	case PERF_DATA_HEADER_BUILD_ID: add_build_id(h, record); return true;
	case PERF_DATA_ID_INDEX: perf_data_events_place(e, record); return true;
	case PERF_DATA_EVENT_UPDATE:
		/* What is told, of the event with which id. */
		if (len > 16 && words[0] == UPDATE_NAME)
			perf_data_events_name(e, words[1], (const char *)(words + 2), len - 16);
		return true;
	default: return false;
	}
}

/* ---- Files. */

static int read_at(const struct perf_data_stream *s, void *to, size_t n, uint64_t offset,
		   const char *what, struct err *err)
{
	ssize_t got;
	size_t have = 0;
	int error;

	while (have < n && offset <= (uint64_t)INT64_MAX - have) {
		got = pread(s->in->fd, (char *)to + have, n - have, (off_t)(offset + have));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			error = errno;
			err_set(err, EX_IOERR, "cannot read: %s", strerror(error));
			return err_errno(err, error);
		}
		if (!got)
			break;
		have += (size_t)got;
	}
	return have == n ? 0
			 : err_set(err, EX_DATAERR,
				   "%s at 0x%" PRIx64 ": there are %zu of its %zu bytes", what,
				   offset, have, n);
}

/* A section of the file, on the heap; NULL with err set. */
static void *read_section(const struct perf_data_stream *s, const struct section *section,
			  uint64_t file_size, const char *what, struct err *err)
{
	void *bytes;

	if (section->offset > file_size || section->size > file_size - section->offset) {
		err_set(err, EX_DATAERR,
			"%s: %" PRIu64 " bytes at 0x%" PRIx64 " are not within the file's %" PRIu64,
			what, section->size, section->offset, file_size);
		return NULL;
	}
	bytes = malloc(section->size ? section->size : 1);
	if (!bytes)
		err_nomem(err);
	else if (!read_at(s, bytes, section->size, section->offset, what, err))
		return bytes;
	free(bytes);
	return NULL;
}

/* The ids of the last event; all that there are fit into *room bytes. */
static int read_ids(const struct perf_data_stream *s, struct perf_data_events *e,
		    const struct section *section, uint64_t file_size, uint64_t *room,
		    struct err *err)
{
	uint64_t *ids;
	size_t i;
	int r;

	if (section->size > *room)
		return err_set(err, EX_DATAERR,
			       "its events have %" PRIu64
			       " bytes of ids and more, the file has %" PRIu64,
			       file_size - *room + section->size, file_size);
	*room -= section->size;
	ids = read_section(s, section, file_size, "the ids of an event", err);
	r = ids ? 0 : -1;

	for (i = 0; !r && i < section->size / sizeof(*ids); i++)
		r = perf_data_events_add_id(e, ids[i], err);
	free(ids);
	return r;
}

static int read_attrs(const struct perf_data_stream *s, struct perf_data_events *e,
		      const struct file_header *fh, uint64_t file_size, struct err *err)
{
	size_t size = (size_t)fh->attr_size - sizeof(struct section), i, n;
	uint64_t room = file_size;
	struct section ids;
	uint8_t *bytes;
	int r = 0;

	if (fh->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(ids) || fh->attr_size > ATTR_MAX)
		return err_set(err, EX_DATAERR,
			       "its header says that events have %" PRIu64
			       " bytes each: %zu to %d are "
			       "possible",
			       fh->attr_size, PERF_ATTR_SIZE_VER0 + sizeof(ids), ATTR_MAX);
	bytes = read_section(s, &fh->attrs, file_size, "the events", err);
	if (!bytes)
		return -1;
	n = (size_t)(fh->attrs.size / fh->attr_size);
	for (i = 0; !r && i < n; i++) {
		memcpy(&ids, bytes + i * fh->attr_size + size, sizeof(ids));
		r = perf_data_events_add(e, bytes + i * fh->attr_size, size, err) ||
				    read_ids(s, e, &ids, file_size, &room, err)
			    ? -1
			    : 0;
	}
	free(bytes);
	return r;
}

static void say(const struct perf_data_stream *s, const struct err *err)
{
	char text[sizeof(err->msg) + 32];

	snprintf(text, sizeof(text), "%s: left out", err->msg);
	s->in->say(s->in->arg, text);
}

/* What the file says behind its records: where that is damaged, it is not known. */
static void read_features(struct perf_data_header *h, struct perf_data_events *e,
			  const struct perf_data_stream *s, const struct file_header *fh,
			  uint64_t file_size)
{
	uint64_t at = fh->data.offset + fh->data.size;
	struct section section;
	unsigned int i;

	for (i = 0; i < FEATURES; i++) {
		struct err err = {0};
		char what[64];
		void *bytes;

		if (!(fh->features[i / 64] >> i % 64 & 1))
			continue;
		snprintf(what, sizeof(what), "feature %u of its header", i);
		if (read_at(s, &section, sizeof(section), at, what, &err)) {
			say(s, &err);
			return;
		}
		at += sizeof(section);
		if (!is_read(i))
			continue;
		bytes = read_section(s, &section, file_size, what, &err);
		if (bytes && !read_feature(h, e, i, (struct cursor){bytes, section.size}))
			err_set(&err, EX_DATAERR, "%s at 0x%" PRIx64 ": its lengths are wrong",
				what, section.offset);
		if (err.code)
			say(s, &err);
		free(bytes);
	}
}

static int read_file(struct perf_data_header *h, struct perf_data_events *e,
		     struct perf_data_stream *s, struct file_header *fh, struct err *err)
{
	uint64_t length = fh->data.size;
	struct stat st;

	if (fstat(s->in->fd, &st) || !S_ISREG(st.st_mode)) {
		err_set(err, EX_DATAERR,
			"a file of perf record that comes through a pipe, and it has "
			"to be read here and there");
		return err_hint(err, "name the file, or: perf record -o - ... | pmclog convert");
	}
	if (read_attrs(s, e, fh, (uint64_t)st.st_size, err))
		return -1;
	h->is_open = !length;
	if (!length) {
		length = UINT64_MAX;
	} else if (fh->data.offset > (uint64_t)st.st_size) {
		return err_set(err, EX_DATAERR,
			       "its records begin at 0x%" PRIx64 ", behind the file's %" PRIu64
			       " bytes",
			       fh->data.offset, (uint64_t)st.st_size);
	} else if (length <= (uint64_t)st.st_size - fh->data.offset) {
		read_features(h, e, s, fh, (uint64_t)st.st_size);
	}
	return perf_data_stream_seek(s, fh->data.offset, length, err);
}

int perf_data_header_read(struct perf_data_header *h, struct perf_data_events *e,
			  struct perf_data_stream *s, struct err *err)
{
	const void *bytes = perf_data_stream_take(s, PIPE_HEADER, "its header", err);
	struct file_header fh = {0};

	if (!bytes)
		return -1;
	memcpy(&fh, bytes, PIPE_HEADER);
	if (!memcmp(fh.magic, swapped, PERF_DATA_MAGIC)) {
		err_set(err, EX_DATAERR, "it was recorded on a machine of the other byte order");
		return err_hint(err, "perf script reads it there and here");
	}
	if (memcmp(fh.magic, magic, PERF_DATA_MAGIC))
		return err_set(err, EX_DATAERR, "not of perf record: it does not begin with %s",
			       magic);
	h->is_pipe = fh.size == PIPE_HEADER;
	if (h->is_pipe)
		return 0;
	if (fh.size != sizeof(fh))
		return err_set(err, EX_DATAERR,
			       "its header says that it has %" PRIu64
			       " bytes: %zu or %d are possible",
			       fh.size, sizeof(fh), PIPE_HEADER);
	bytes = perf_data_stream_take(s, sizeof(fh) - PIPE_HEADER, "its header", err);
	if (!bytes)
		return -1;
	memcpy((char *)&fh + PIPE_HEADER, bytes, sizeof(fh) - PIPE_HEADER);
	return read_file(h, e, s, &fh, err);
}
