// SPDX-License-Identifier: BSD-2-Clause
/*
 * Logs as text and back.  The lowest bit of the first byte chooses: 1: the rest is a log, of which
 * pmclog text must write a text that is the same log again, up to where it is damaged; 0: it is a
 * text, and what assemble writes of it is such a log.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmclog/text/assemble.h"
#include "pmclog/text/disassemble.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The log's text into the sink; how many of its bytes are in it. */
static size_t text_of(const uint8_t *log, size_t size, struct sink *text)
{
	struct pmclog_disassembler *d = pmclog_disassembler_new(text, NULL);
	struct pmclog_reader *r = pmclog_reader_open_feed("log", NULL);
	struct pmclog_record rec;
	size_t said = 0;

	if (!d || !r || pmclog_reader_feed(r, log, size, NULL))
		abort();
	pmclog_reader_feed_end(r);
	pmclog_reader_keep_unknown(r);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK) {
		if (pmclog_disassembler_record(d, &rec, NULL))
			abort();
		said += rec.length;
	}
	pmclog_reader_close(r);
	pmclog_disassembler_free(d);
	return said;
}

static void there_and_back(const uint8_t *log, size_t size)
{
	struct sink *text = sink_to_memory();
	size_t said = text_of(log, size, text), len;
	char *words = (char *)(uintptr_t)sink_text(text, &len);
	int fd = memfd_create("log", MFD_CLOEXEC);
	uint8_t *again = malloc(said + 1);
	FILE *f = len ? fmemopen(words, len, "r") : NULL;

	if (fd < 0 || !again || !len != !f)
		abort();
	if (f && pmclog_assemble(f, "text", fd, "log", NULL))
		abort();
	if (pread(fd, again, said + 1, 0) != (ssize_t)said || memcmp(again, log, said))
		abort();
	if (f)
		fclose(f);
	close(fd);
	free(again);
	sink_free(text);
}

/* Assembles the lines that are right, and takes the first buffer of what they are. */
static void assemble(const char *text, size_t size)
{
	struct pmclog_writer *w = pmclog_writer_new(-1, "log", NULL);
	struct pmclogint_assembly a;
	const char *end, *p;
	size_t len;

	if (!w || pmclogint_assembly_init(&a, w, "text", false, NULL))
		abort();
	for (p = text; p < text + size; p = end) {
		char *line;

		end = memchr(p, '\n', (size_t)(text + size - p));
		end = end ? end + 1 : text + size;
		line = strndup(p, (size_t)(end - p));
		/* Long repeats, which fuzz_script has, find nothing here. */
		if (line && !strstr(line, " x"))
			pmclogint_assembly_add(&a, line, strlen(line), NULL);
		free(line);
	}
	if (!pmclogint_assembly_end(&a, NULL) && !pmclog_writer_errno(w)) {
		const uint8_t *log = pmclog_writer_take(w, &len);

		there_and_back(log, len);
	}
	pmclogint_assembly_fini(&a);
	pmclog_writer_free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (*data & 1)
		there_and_back(data + 1, size - 1);
	else
		assemble((const char *)data + 1, size - 1);
	return 0;
}
