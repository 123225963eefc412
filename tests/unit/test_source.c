// SPDX-License-Identifier: BSD-2-Clause
/* Source files: any line in any order, of files that may hold anything. */
#include "callgraph/model/make.h"
#include "callgraph/read/source.h"
#include "tree.h"
#include "unit.h"

enum { LINES = 20000 };

/* Makes a file of these bytes and opens it. */
static struct source *open_bytes(const struct tree *t, const void *bytes, size_t len)
{
	char path[PATH_MAX];
	struct source *s;
	FILE *f;

	tree_path(t, "source.c", path);
	f = fopen(path, "w");
	CHECK(f && fwrite(bytes, 1, len, f) == len && !fclose(f));
	s = source_open(NULL, t->root, "source.c", NULL);
	CHECK(s != NULL);
	return s;
}

UNIT(lines_come_in_any_order)
{
	struct tree t = tree_new();
	char *text = malloc(LINES * 16), want[16];
	uint32_t i, line = 1;
	struct source *s;
	size_t n = 0;

	for (i = 1; i <= LINES; i++)
		n += (size_t)sprintf(text + n, "line %u\n", i);
	s = open_bytes(&t, text, n);
	CHECK_STR(source_line(s, LINES), "line 20000");
	CHECK(!source_line(s, LINES + 1) && !source_line(s, UINT32_MAX));
	for (i = 0; i < 20000; i++) {
		line = i % 3 ? line % LINES + 1 : (line * 7919u) % LINES + 1;
		sprintf(want, "line %u", line);
		CHECK_STR(source_line(s, line), want);
	}
	source_close(s);
	free(text);
	tree_free(&t);
}

UNIT(a_line_is_made_fit_to_show)
{
	static const char text[] = "\tx\ty\r\n\nnul\0nul\n\033[31m\rend";
	struct tree t = tree_new();
	struct source *s = open_bytes(&t, text, sizeof(text) - 1);

	CHECK_STR(source_line(s, 1), "        x       y");
	CHECK_STR(source_line(s, 2), "");
	CHECK_STR(source_line(s, 3), "nul?nul");
	/* Escaping is the writer's. */
	CHECK_STR(source_line(s, 4), "\033[31m\rend");
	CHECK(!source_line(s, 5));
	source_close(s);
	tree_free(&t);
}

UNIT(a_long_line_is_cut)
{
	struct tree t = tree_new();
	size_t n = 200000;
	char *text = malloc(n + 8);
	const char *line;
	struct source *s;

	memset(text, 'x', n);
	memset(text + 1000, '\t', 100);
	memcpy(text + n, "\n400\n", 5);
	s = open_bytes(&t, text, n + 5);
	line = source_line(s, 1);
	CHECK_U64(strlen(line), 404);
	CHECK_STR(line + 399, "x ...");
	CHECK_STR(source_line(s, 2), "400");
	source_close(s);

	/* One that just fits is not. */
	s = open_bytes(&t, text, 400);
	CHECK_U64(strlen(source_line(s, 1)), 400);
	source_close(s);
	memset(text, '\t', 400);
	s = open_bytes(&t, text, 400);
	line = source_line(s, 1);
	CHECK_U64(strlen(line), 404);
	source_close(s);
	free(text);
	tree_free(&t);
}

UNIT(an_empty_file_has_no_line)
{
	struct tree t = tree_new();
	struct source *s = open_bytes(&t, "", 0);

	CHECK(!source_line(s, 1));
	source_close(s);
	tree_free(&t);
}

UNIT(what_is_no_file_is_refused)
{
	struct tree t = tree_new();
	char *path = malloc(5001);
	struct err err = {0};

	CHECK(!source_open(NULL, t.root, "none.c", &err) && err.code == EX_NOINPUT);
	CHECK(!source_open(NULL, NULL, t.root, &err) && strstr(err.msg, "not a regular file"));
	CHECK(!source_open(NULL, NULL, "/dev/zero", &err) && strstr(err.msg, "not a regular file"));
	memset(path, 'x', 5000);
	path[5000] = '\0';
	CHECK(!source_open(NULL, NULL, path, &err) && err.code == EX_NOINPUT);
	free(path);
	tree_free(&t);
}

/* Nobody waits for the end of a file that has none. */
UNIT(only_the_beginning_of_a_huge_file_is_read)
{
	struct tree t = tree_new();
	struct source *s = open_bytes(&t, "one\n", 4);
	char path[PATH_MAX];
	uint32_t i;

	source_close(s);
	tree_path(&t, "source.c", path);
	CHECK(!truncate(path, (off_t)1 << 40));
	s = source_open(NULL, t.root, "source.c", NULL);
	CHECK_STR(source_line(s, 1), "one");
	CHECK_U64(strlen(source_line(s, 2)), 404);
	CHECK(!source_line(s, 3));
	CHECK_STR(source_line(s, 1), "one");
	for (i = 0; i < 100000; i++)
		CHECK(source_line(s, 2) && !source_line(s, 4000000000u - i));
	source_close(s);
	tree_free(&t);
}

/* A block, on the heap as the appendix has it; its end is the last byte but the literal's NUL. */
static int read_block(struct cg_packed_source *s, const char *bytes, size_t len, struct err *err)
{
	uint8_t *copy = malloc(len + 1);

	memcpy(copy, bytes, len);
	return cg_packed_source_read(s, copy, len, err);
}

#define BLOCK(text) text, sizeof(text) - 1

UNIT(packed_lines_come_before_those_of_files)
{
	struct cg_profile p = {0};
	struct cg_packed_source s[2];
	struct err err = {0};
	struct source *source;

	CHECK(!read_block(&s[0], BLOCK("\1/a.c\0\0\2/bin/x\0/bin/y\0\0one\0\1three\0\0\0"), &err));
	CHECK(!read_block(&s[1], BLOCK("\1/dev/null\0cannot open it\0\0"), &err));
	CHECK(!vec_push(&p.sources, s[0]) && !vec_push(&p.sources, s[1]));
	CHECK((source = source_open(&p, "/root", "/a.c", &err)));
	CHECK_STR(source_line(source, 1), "one");
	CHECK(!source_line(source, 2) && !source_line(source, 0) && !source_line(source, 5));
	CHECK_STR(source_line(source, 3), "three");
	CHECK_STR(source_line(source, 4), "");
	CHECK(source_is_newer(source, "/root", "/bin/y"));
	CHECK(!source_is_newer(source, NULL, "/bin"));
	source_close(source);
	CHECK(!source_open(&p, NULL, "/dev/null", &err) && err.code == EX_NOINPUT);
	CHECK_STR(err.msg, "cannot open it");
	CHECK(!source_open(&p, "/nonexistent", "/b.c", &err));
	CHECK_STR(err.msg, "cannot open /nonexistent/b.c: No such file or directory");
	cg_profile_fini(&p);
}

UNIT(blocks_that_are_no_lines_are_refused)
{
	static const char good[] = "\1/a.c\0\0\1/bin/x\0\0one\0";
	static const char *const bad[] = {"\2/a.c", "\1/a.c\0\0\377\377\377\377\17",
					  "\1/a.c\0\0\0\377\377\377\377\17one"};
	static const size_t lens[] = {5, 12, 16};
	struct cg_packed_source s;
	struct err err = {0};
	size_t i;

	for (i = 0; i + 1 < sizeof(good); i++) {
		/* Without any line it is of an empty file. */
		bool whole = i == 15;

		CHECK(!read_block(&s, good, i, &err) == whole);
		CHECK(whole || err.code == EX_DATAERR);
		if (whole)
			cg_packed_source_fini(&s);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(read_block(&s, bad[i], lens[i] + 1, &err));
	CHECK_STR(err.msg, "17 bytes that are not the lines of a source file in version 1");
}

UNIT_MAIN(UNIT_ENTRY(packed_lines_come_before_those_of_files),
	  UNIT_ENTRY(blocks_that_are_no_lines_are_refused), UNIT_ENTRY(lines_come_in_any_order),
	  UNIT_ENTRY(a_line_is_made_fit_to_show), UNIT_ENTRY(a_long_line_is_cut),
	  UNIT_ENTRY(an_empty_file_has_no_line), UNIT_ENTRY(what_is_no_file_is_refused),
	  UNIT_ENTRY(only_the_beginning_of_a_huge_file_is_read))
