// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/open_files.h"
#include "pmclog/pmclog_wire.h"
#include "pmclog/reader_int.h"
#include "pmclog/recv/recv_part.h"

enum { TRIES = 1000000 /* numbers of files */ };

/* Makes the next file of a peer.  0, or -1 with f->err set. */
static int make_file(struct recv_files *f, struct recv_part *p)
{
	char *c;
	uint32_t tries;

	for (c = p->address; *c; c++)
		if (!strchr("0123456789abcdef.", *c))
			*c = '_';
	for (tries = 0; tries < TRIES && p->file < 0; tries++) {
		snprintf(p->name, sizeof(p->name), "%s.%06" PRIu32 ".log", p->address, ++f->number);
		p->file = openat(f->directory, p->name,
				 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (p->file < 0 && errno != EEXIST)
			break;
	}
	return p->file < 0 ? open_files_fail(&f->err, EX_CANTCREAT, "%s: cannot create", p->name)
			   : 0;
}

/* Follows the records of a plain log, for whether CLOSELOG is the last. */
static void follow(struct recv_part *p, const uint8_t *bytes, size_t n)
{
	while (p->is_plain && n) {
		uint32_t part = p->left < n ? p->left : (uint32_t)n;

		p->left -= part;
		bytes += part;
		n -= part;
		for (; !p->left && n && p->nword < sizeof(p->word); n--)
			p->word[p->nword++] = *bytes++;
		if (p->left || p->nword < sizeof(p->word))
			return;
		p->nword = 0;
		p->is_closed = p->word[2] == PMCLOG_WIRE_CLOSELOG ||
			       (p->is_closed && p->word[2] == PMCLOG_WIRE_APPENDIX);
		p->left = (uint32_t)p->word[1] << 8 | p->word[0];
		p->is_plain = p->word[3] == PMCLOG_WIRE_MAGIC && p->left >= sizeof(p->word);
		p->left -= p->is_plain ? (uint32_t)sizeof(p->word) : p->left;
	}
}

static const char full[] = "all files together have as many bytes as -m allows";

/* NULL, or why no more is taken from this peer. */
static const char *store(struct recv_files *f, struct recv_part *p, const uint8_t *bytes, size_t n)
{
	p->unwritten = n;
	if (f->bytes + n > f->most)
		return full;
	follow(p, bytes, n);
	f->bytes += n;
	while (n) {
		ssize_t put = write(p->file, bytes, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0) {
			f->bytes -= n;
			return strerror(errno);
		}
		bytes += put;
		n -= (size_t)put;
		p->bytes += (uint64_t)put;
		p->unwritten = n;
	}
	return NULL;
}

const char *pmclogint_recv_take(struct recv_files *f, struct recv_part *p, const uint8_t *bytes,
				size_t n)
{
	const char *why;

	while (n && p->nhead < RECV_HEAD) {
		p->head[p->nhead++] = *bytes++;
		n--;
	}
	if (p->nhead < RECV_HEAD)
		return NULL;
	if (p->file < 0) {
		if (!pmclogint_begins_log(p->head))
			return "what it sends is no log";
		if (f->bytes + RECV_HEAD + n > f->most)
			return full;
		if (make_file(f, p))
			return f->err.msg;
		p->is_plain = p->head[3] == PMCLOG_WIRE_MAGIC;
		if ((why = store(f, p, p->head, RECV_HEAD))) {
			p->unwritten += n;
			return why;
		}
	}
	return store(f, p, bytes, n);
}

bool pmclogint_recv_is_closed(const struct recv_part *p)
{
	return p->is_closed && !p->left && !p->nword;
}
