// SPDX-License-Identifier: BSD-2-Clause
/*
 * Files that samples are in are packed whole, since --annotate FILE shows all of them; of others,
 * which --annotate --asm names beside instructions, there are only these lines.  Lines are as they
 * are shown: without what is behind the columns of a very long one.
 */
#include <stdlib.h>

#include "callgraph/output/pack_sources.h"
#include "callgraph/read/source.h"
#include "pmclog/appendix.h"

int cg_pack_sources_add(struct cg_pack_sources *s, const char *file)
{
	return vec_push(&s->lines, (struct cg_pack_line){.file = file});
}

int cg_pack_sources_add_lines(struct cg_pack_sources *s, const struct symbol_excerpt *e,
			      const char *object)
{
	const struct symbol_line *l;
	size_t n;

	for (l = symbol_excerpt_lines(e, &n); n; l++, n--)
		if (vec_push(&s->lines, (struct cg_pack_line){l->file, object, l->line}))
			return -1;
	return 0;
}

void cg_pack_sources_fini(struct cg_pack_sources *s)
{
	vec_free(&s->lines);
}

static int by_file(const void *pa, const void *pb)
{
	const struct cg_pack_line *a = pa, *b = pb;
	int diff = a->file == b->file ? 0 : strcmp(a->file, b->file);

	if (diff)
		return diff;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->object == b->object ? 0 : strcmp(a->object, b->object);
}

static int by_object(const void *pa, const void *pb)
{
	const char *const *a = pa, *const *b = pb;

	return strcmp(*a, *b);
}

/* Writes the objects of lines of one file that are older than that. */
static int write_older(const struct source *source, const struct cg_pack_line *lines, size_t n,
		       const char *fsroot, struct sink *to)
{
	VEC(const char *) objects = {0};
	size_t i, older = 0;
	int failed = 0;

	for (i = 0; i < n && !failed; i++)
		if (lines[i].object)
			failed = vec_push(&objects, lines[i].object);
	if (objects.n)
		qsort(objects.v, objects.n, sizeof(*objects.v), by_object);
	for (i = 0; i < objects.n; i++)
		if ((!i || strcmp(objects.v[i - 1], objects.v[i]) != 0) &&
		    source_is_newer(source, fsroot, objects.v[i]))
			objects.v[older++] = objects.v[i];
	sink_uleb(to, older);
	for (i = 0; i < older; i++)
		sink_write(to, objects.v[i], strlen(objects.v[i]) + 1);
	vec_free(&objects);
	return failed;
}

static uint64_t write_line(struct source *source, uint32_t line, uint32_t before, struct sink *to)
{
	const char *text = source_line(source, line);

	if (!text)
		return 0;
	sink_uleb(to, line - before - 1);
	sink_write(to, text, strlen(text) + 1);
	return strlen(text) + 1;
}

/* Writes all lines, or those of n, until there are too many bytes; how many. */
static uint64_t write_lines(struct source *source, const struct cg_pack_line *lines, size_t n,
			    struct sink *to)
{
	uint64_t bytes = 0, more;
	uint32_t line, last = 0;
	size_t i;

	if (!lines->line) {
		for (line = 1; bytes <= CG_PACK_SOURCES_MOST && line < UINT32_MAX;
		     line++, bytes += more)
			if (!(more = write_line(source, line, line - 1, to)))
				break;
		return bytes;
	}
	for (i = 0; i < n && bytes <= CG_PACK_SOURCES_MOST; i++) {
		if (lines[i].line == last || !(more = write_line(source, lines[i].line, last, to)))
			continue;
		last = lines[i].line;
		bytes += more;
	}
	return bytes;
}

/* Makes the block of one file; *wanted: it is to be written. */
static int make_block(struct cg_pack_sources *s, const struct cg_profile *p, const char *fsroot,
		      const struct cg_pack_line *lines, size_t n, struct sink *to, bool *wanted)
{
	struct err err = {0};
	struct source *source = source_open(p, fsroot, lines->file, &err);
	uint64_t bytes = 0;
	int failed = 0;

	*wanted = true;
	if (!source && err.code == EX_OSERR)
		return -1;
	sink_uleb(to, CG_PACKED_SOURCE_VERSION);
	sink_write(to, lines->file, strlen(lines->file) + 1);
	sink_write(to, err.msg, strlen(err.msg) + 1);
	if (source) {
		failed = write_older(source, lines, n, fsroot, to);
		bytes = write_lines(source, lines, n, to);
	} else {
		sink_uleb(to, 0);
	}
	source_close(source);
	*wanted = bytes <= CG_PACK_SOURCES_MOST - s->bytes;
	if (*wanted)
		s->bytes += bytes;
	else
		s->left_out++;
	return failed;
}

/* The lines of one file. */
struct file_lines {
	const struct cg_pack_line *v;
	size_t n;
};

static int write_file(struct cg_pack_sources *s, const struct cg_profile *p, const char *fsroot,
		      struct file_lines lines, uint64_t tsc, struct sink *sink, struct err *err)
{
	struct sink *block = sink_to_memory();
	bool wanted = false;
	const char *bytes;
	size_t len;
	int failed = 0;

	if (!block || make_block(s, p, fsroot, lines.v, lines.n, block, &wanted) ||
	    sink_flush(block)) {
		failed = err_nomem(err);
	} else if (wanted) {
		bytes = sink_text(block, &len);
		failed = pmclog_appendix_write(sink, PMCLOG_APPENDIX_SOURCE, tsc, bytes, len, err);
	}
	sink_free(block);
	return failed;
}

int cg_pack_sources_write(struct cg_pack_sources *s, const struct cg_profile *p, const char *fsroot,
			  uint64_t tsc, struct sink *sink, struct err *err)
{
	size_t i, end;

	if (s->lines.n)
		qsort(s->lines.v, s->lines.n, sizeof(*s->lines.v), by_file);
	for (i = 0; i < s->lines.n; i = end) {
		const struct cg_pack_line *first = &s->lines.v[i];

		for (end = i + 1; end < s->lines.n; end++)
			if (s->lines.v[end].file != first->file)
				break;
		if (write_file(s, p, fsroot, (struct file_lines){first, end - i}, tsc, sink, err))
			return -1;
	}
	return 0;
}
