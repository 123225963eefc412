// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/tar.h"

enum { BLOCK = 512, RECORD = 20 };

/* What 11 octal digits hold. */
#define FIELD_MAX UINT64_C(077777777777)

/* Of a header, in bytes; numbers are octal digits with a NUL behind. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type;
	char link[100], magic[6], version[2], owner[32], group[32], major[8], minor[8];
	char prefix[155], rest[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header is a block");

static void write_header(struct sink *sink, const char *name, uint64_t size, uint64_t time,
			 char type, unsigned int mode)
{
	struct header h = {.type = type};
	unsigned int sum = 0, i;
	size_t len = strlen(name);

	memcpy(h.name, name, len < sizeof(h.name) ? len : sizeof(h.name));
	memcpy(h.magic, "ustar", sizeof(h.magic));
	memcpy(h.version, "00", sizeof(h.version));
	snprintf(h.mode, sizeof(h.mode), "%07o", mode);
	snprintf(h.uid, sizeof(h.uid), "%07o", 0U);
	snprintf(h.gid, sizeof(h.gid), "%07o", 0U);
	snprintf(h.size, sizeof(h.size), "%011" PRIo64, size <= FIELD_MAX ? size : 0);
	snprintf(h.mtime, sizeof(h.mtime), "%011" PRIo64, time);
	snprintf(h.major, sizeof(h.major), "%07o", 0U);
	snprintf(h.minor, sizeof(h.minor), "%07o", 0U);
	memset(h.checksum, ' ', sizeof(h.checksum));
	for (i = 0; i < BLOCK; i++)
		sum += ((const unsigned char *)&h)[i];
	snprintf(h.checksum, sizeof(h.checksum) - 1, "%06o", sum);
	sink_write(sink, &h, sizeof(h));
}

/* The bytes of "LENGTH KEY=VALUE\n", where LENGTH is that of all of it. */
static size_t record_length(const char *key, const char *value)
{
	size_t rest = strlen(key) + strlen(value) + 3, len = rest;
	char digits[RECORD + 1];

	/* One more digit can make it one digit longer, once. */
	len = rest + (size_t)snprintf(digits, sizeof(digits), "%zu", len);
	return rest + (size_t)snprintf(digits, sizeof(digits), "%zu", len);
}

static void write_record(struct sink *sink, const char *key, const char *value)
{
	sink_u64(sink, record_length(key, value));
	sink_char(sink, ' ');
	sink_str(sink, key);
	sink_char(sink, '=');
	sink_str(sink, value);
	sink_char(sink, '\n');
}

/* Says what the header that follows has no room for. */
static void write_pax(struct sink *sink, const char *name, uint64_t size)
{
	bool long_name = strlen(name) > sizeof(((struct header *)0)->name);
	char digits[RECORD + 1] = "";
	uint64_t len = 0;

	if (size > FIELD_MAX)
		snprintf(digits, sizeof(digits), "%" PRIu64, size);
	if (long_name)
		len += record_length("path", name);
	if (*digits)
		len += record_length("size", digits);
	if (!len)
		return;
	write_header(sink, "PaxHeaders/0", len, 0, 'x', 0644);
	if (long_name)
		write_record(sink, "path", name);
	if (*digits)
		write_record(sink, "size", digits);
	tar_end(sink, len);
}

void tar_begin(struct sink *sink, const struct tar_member *m)
{
	uint64_t time = m->time < 0 ? 0 : (uint64_t)m->time;
	size_t len = strlen(m->name);
	bool directory = len && m->name[len - 1] == '/';

	write_pax(sink, m->name, m->size);
	write_header(sink, m->name, m->size, time <= FIELD_MAX ? time : FIELD_MAX,
		     directory ? '5' : '0', directory || m->executable ? 0755 : 0644);
}

void tar_end(struct sink *sink, uint64_t size)
{
	sink_fill(sink, '\0', (size_t)(-size % BLOCK));
}

void tar_close(struct sink *sink)
{
	sink_fill(sink, '\0', 2 * (size_t)BLOCK);
}
