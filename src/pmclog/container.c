// SPDX-License-Identifier: BSD-2-Clause
/*
 * What `pmc record` of FreeBSD 16 writes before a log: eight bytes, then blocks, each with a header
 * of eight bytes, up to one of type 0.  They tell of the machine; those that are not known are
 * skipped.
 */
#include <inttypes.h>
#include <stdio.h>

#include "pmclog/container.h"

enum {
	KNOWN = 0,
	DONE = 0,	    /* the type of the last block */
	SYSINFO = 1,	    /* texts of 64 bytes */
	MOST = 1024 * 1024, /* bytes before the log */
};

static const uint8_t little[] = {'L', 'C', 'M', 'P'}, big[] = {'P', 'M', 'C', 'L'};

bool pmclogint_container_begins(const uint8_t *bytes, size_t n)
{
	n = n < sizeof(big) ? n : sizeof(big);
	return !memcmp(bytes, little, n) || !memcmp(bytes, big, n);
}

size_t pmclogint_container_want(const struct pmclogint_container *c)
{
	return c->is_over ? 0 : c->skip ? c->skip : sizeof(c->header) - c->n;
}

/* Two bytes of the header as the machine that wrote them has them. */
static uint16_t number(const struct pmclogint_container *c, size_t at)
{
	return c->is_big ? (uint16_t)(c->header[at] << 8 | c->header[at + 1])
			 : (uint16_t)(c->header[at + 1] << 8 | c->header[at]);
}

/* What the header says that has been read.  0, or -1 with err set to the bare fact. */
static int see_header(struct pmclogint_container *c, struct err *err)
{
	c->n = 0;
	if (c->bytes == sizeof(c->header)) {
		c->is_big = !memcmp(c->header, big, sizeof(big));
		c->arch = number(c, 6);
		return number(c, 4) == KNOWN ? 0
					     : err_set(err, EX_DATAERR,
						       "FreeBSD's pmc record wrote version %" PRIu16
						       " of what is before its log: %d is known",
						       number(c, 4), KNOWN);
	}
	c->is_over = c->header[0] == DONE;
	c->tells = c->header[0] == SYSINFO && !c->ntold;
	c->skip = c->is_over ? 0 : number(c, 2);
	if (c->bytes + c->skip > MOST)
		return err_set(err, EX_DATAERR,
			       "no log is behind the first %d bytes that FreeBSD's "
			       "pmc record writes before it",
			       MOST);
	return 0;
}

/* Takes n bytes of the block that tells, of which there may be more than is known. */
static void hear(struct pmclogint_container *c, const uint8_t *bytes, size_t n)
{
	const size_t left = sizeof(c->told) - c->ntold;

	n = n < left ? n : left;
	memcpy(c->told[0] + c->ntold, bytes, n);
	c->ntold += n;
}

int pmclogint_container_take(struct pmclogint_container *c, const uint8_t *bytes, size_t n,
			     struct err *err)
{
	c->bytes += n;
	if (c->skip) {
		c->skip -= n;
		hear(c, bytes, c->tells ? n : 0);
		return 0;
	}
	memcpy(c->header + c->n, bytes, n);
	c->n += n;
	return c->n < sizeof(c->header) ? 0 : see_header(c, err);
}

struct pmclog_machine pmclogint_container_machine(const struct pmclogint_container *c)
{
	static const char *const names[] = {NULL, "amd64", "arm64", "powerpc64", "riscv64", "arm"};
	struct pmclog_machine m = {.name = NULL};

	if (c->arch < sizeof(names) / sizeof(names[0]))
		m.name = names[c->arch];
	/* A text that fills its place has no NUL. */
	snprintf(m.cpu, sizeof(m.cpu), "%.*s", PMCLOG_MACHINE_TEXT, c->told[0]);
	snprintf(m.release, sizeof(m.release), "%.*s", PMCLOG_MACHINE_TEXT, c->told[1]);
	snprintf(m.build_id, sizeof(m.build_id), "%.*s", PMCLOG_MACHINE_TEXT, c->told[2]);
	return m;
}
