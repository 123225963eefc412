// SPDX-License-Identifier: BSD-2-Clause
/* Source files: any line in any order, of files that may hold anything. */
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
	s = source_open(t->root, "source.c", NULL);
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

	CHECK(!source_open(t.root, "none.c", &err) && err.code == EX_NOINPUT);
	CHECK(!source_open(NULL, t.root, &err) && strstr(err.msg, "not a regular file"));
	CHECK(!source_open(NULL, "/dev/zero", &err) && strstr(err.msg, "not a regular file"));
	memset(path, 'x', 5000);
	path[5000] = '\0';
	CHECK(!source_open(NULL, path, &err) && err.code == EX_NOINPUT);
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
	s = source_open(t.root, "source.c", NULL);
	CHECK_STR(source_line(s, 1), "one");
	CHECK_U64(strlen(source_line(s, 2)), 404);
	CHECK(!source_line(s, 3));
	CHECK_STR(source_line(s, 1), "one");
	for (i = 0; i < 100000; i++)
		CHECK(source_line(s, 2) && !source_line(s, 4000000000u - i));
	source_close(s);
	tree_free(&t);
}

UNIT_MAIN(UNIT_ENTRY(lines_come_in_any_order), UNIT_ENTRY(a_line_is_made_fit_to_show),
	  UNIT_ENTRY(a_long_line_is_cut), UNIT_ENTRY(an_empty_file_has_no_line),
	  UNIT_ENTRY(what_is_no_file_is_refused),
	  UNIT_ENTRY(only_the_beginning_of_a_huge_file_is_read))
