// SPDX-License-Identifier: BSD-2-Clause
/*
 * What up to four connections bring to pmclog recv, in pieces: a byte says of which connection one
 * is (2 bits), whether that ends with it (1 bit) and how long it is (5 bits; 31: as the next byte
 * says).  A file must have the bytes that were taken, all files no more than they may, and a log
 * that is called closed must end so.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmclog/pmclog_wire.h"
#include "pmclog/recv/recv_part.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PEERS = 4, MOST = 4096, SENT = 65536 };

struct sender {
	struct recv_part part;
	uint8_t sent[SENT];
	size_t n;
	bool over;
};

static struct sender senders[PEERS];
static char directory[] = "/tmp/fuzz_recv.XXXXXX";

static void leave(void)
{
	rmdir(directory);
}

static int open_directory(void)
{
	static bool made;

	if (!made && (!mkdtemp(directory) || atexit(leave)))
		abort();
	made = true;
	return open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Whether whole records fill the bytes, and CLOSELOG is behind all but what is packed. */
static bool ends_closed(const uint8_t *bytes, size_t n)
{
	bool closed = false;
	size_t at, len;

	for (at = 0; at < n; at += len) {
		if (n - at < 4 || bytes[at + 3] != PMCLOG_WIRE_MAGIC)
			return false;
		len = bytes[at] | (size_t)bytes[at + 1] << 8;
		if (len < 4 || len > n - at)
			return false;
		closed = bytes[at + 2] == PMCLOG_WIRE_CLOSELOG ||
			 (closed && bytes[at + 2] == PMCLOG_WIRE_APPENDIX);
	}
	return closed;
}

/* The end of a connection: its file is what was sent, as far as there was room. */
static void finish(struct recv_files *f, struct sender *s)
{
	const struct recv_part *p = &s->part;
	uint8_t stored[MOST];

	s->over = true;
	if (p->file < 0) {
		if (p->bytes)
			abort();
		return;
	}
	if (p->bytes > s->n || p->bytes > MOST || lseek(p->file, 0, SEEK_END) != (off_t)p->bytes)
		abort();
	close(p->file);
	s->part.file = openat(f->directory, p->name, O_RDONLY | O_CLOEXEC);
	if (read(p->file, stored, sizeof(stored)) != (ssize_t)p->bytes ||
	    memcmp(stored, s->sent, p->bytes) != 0)
		abort();
	if (p->bytes == s->n && p->is_plain &&
	    pmclogint_recv_is_closed(p) != ends_closed(stored, p->bytes))
		abort();
	close(p->file);
	if (unlinkat(f->directory, p->name, 0))
		abort();
}

static void send_piece(struct recv_files *f, struct sender *s, const uint8_t *bytes, size_t n)
{
	if (n > SENT - s->n)
		n = SENT - s->n;
	memcpy(s->sent + s->n, bytes, n);
	s->n += n;
	if (pmclogint_recv_take(f, &s->part, bytes, n))
		finish(f, s);
	if (f->bytes > MOST)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recv_files f = {.directory = open_directory(), .most = MOST};
	const uint8_t *end = data + size;
	size_t i;

	if (f.directory < 0)
		abort();
	for (i = 0; i < PEERS; i++) {
		senders[i].part = (struct recv_part){.file = -1, .address = "192.0.2.1/../x"};
		senders[i].n = senders[i].over = 0;
	}
	while (data < end) {
		uint8_t head = *data++;
		struct sender *s = &senders[head & 3];
		size_t n = head >> 3;

		if (n == 31 && data < end)
			n = *data++;
		if (n > (size_t)(end - data))
			n = (size_t)(end - data);
		if (!s->over)
			send_piece(&f, s, data, n);
		if (!s->over && head & 4)
			finish(&f, s);
		data += n;
	}
	for (i = 0; i < PEERS; i++)
		if (!senders[i].over)
			finish(&f, &senders[i]);
	close(f.directory);
	return 0;
}
