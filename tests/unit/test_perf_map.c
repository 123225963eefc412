// SPDX-License-Identifier: BSD-2-Clause
/* Files of names that any user may have left in /tmp: what is read of them and what is not. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "base/perf_map.h"
#include "unit.h"

struct seen {
	char text[4096];
	uint32_t n, last;
	uint32_t stop_at; /* 0: never */
};

static int see(void *arg, uint32_t line, const struct perf_map_symbol *s)
{
	struct seen *seen = arg;
	size_t at = strlen(seen->text);

	if (at < sizeof(seen->text) / 2)
		snprintf(seen->text + at, sizeof(seen->text) - at,
			 "%u:%" PRIx64 "+%" PRIx64 ":%.40s\n", line, s->start, s->size, s->name);
	seen->n++;
	seen->last = line;
	return seen->n == seen->stop_at ? 42 : 0;
}

static int file_of(const char *text, size_t len)
{
	int fd = memfd_create("map", MFD_CLOEXEC);

	CHECK(write(fd, text, len) == (ssize_t)len);
	return fd;
}

/* Checks what is read of a text. */
static void reads(const char *text, size_t len, const char *want)
{
	struct seen seen = {.n = 0};
	int fd = file_of(text, len);

	CHECK_U64(perf_map_read(fd, see, &seen), 0);
	CHECK_STR(seen.text, want);
	close(fd);
}

#define READS(text, want) reads(text, sizeof(text) - 1, want)

UNIT(lines_are_start_size_and_name)
{
	READS("7f00 1a JS:*inner a b.js:1:2\n0x7F20 0X10 py::<module>\n",
	      "0:7f00+1a:JS:*inner a b.js:1:2\n1:7f20+10:py::<module>\n");
	READS("", "");
}

UNIT(what_is_no_line_is_left_out_and_counted)
{
	READS("\n \nname\n1000\n1000 20\n1000 20 \n1000 0 empty\n1000  20 blanks\n-1 20 minus\nx y "
	      "z\n"
	      "1000\t20 tab\n11112222333344445 1 long\nffffffffffffffff 2 wraps\n10 20 good\n",
	      "13:10+20:good\n");
	READS("ffffffffffffffff 1 last-but-one\n0 ffffffffffffffff all\n",
	      "1:0+ffffffffffffffff:all\n");
	/* A NUL could hide the rest of a name. */
	READS("10 20 a\0b\n30 20 c\n", "1:30+20:c\n");
}

UNIT(a_line_that_is_not_ended_is_half_written)
{
	READS("10 20 whole\n30 20 hal", "0:10+20:whole\n");
}

UNIT(control_characters_do_not_reach_a_terminal)
{
	READS("10 20 a\033[2Jb\177\r\n", "0:10+20:a?[2Jb??\n");
}

UNIT(lines_of_any_length_keep_their_numbers)
{
	size_t len;

	for (len = PERF_MAP_LINE_MAX - 12; len < 10 * PERF_MAP_LINE_MAX;
	     len += len < 4200 ? 1 : 977) {
		char *text = malloc(len + 16);
		struct seen seen = {.n = 0};
		int fd;

		memset(text, 'n', len + 16);
		memcpy(text, "10 20 ", 6);
		memcpy(text + len, "\n30 20 next\n", 12);
		fd = file_of(text, len + 12);
		CHECK_U64(perf_map_read(fd, see, &seen), 0);
		CHECK_U64(seen.last, 1);
		CHECK_U64(seen.n, len < PERF_MAP_LINE_MAX ? 2 : 1);
		close(fd);
		free(text);
	}
}

UNIT(reading_ends_when_it_is_told_to_and_at_the_limit)
{
	struct seen seen = {.stop_at = 2};
	int fd = file_of("10 1 a\n20 1 b\n30 1 c\n", 21);

	CHECK_U64(perf_map_read(fd, see, &seen), 42);
	CHECK_U64(seen.n, 2);
	/* All behind is a hole, which is one line without end. */
	CHECK(!ftruncate(fd, (off_t)1 << 40));
	seen = (struct seen){.n = 0};
	CHECK_U64(perf_map_read(fd, see, &seen), 0);
	CHECK_U64(seen.n, 3);
	close(fd);
}

UNIT(only_a_regular_file_of_the_process_is_opened)
{
	char dir[] = "/tmp/test-perf-map-XXXXXX";
	time_t now = time(NULL);
	uid_t me = geteuid();
	int d, fd;

	CHECK(mkdtemp(dir) != NULL);
	d = open(dir, O_PATH | O_DIRECTORY);
	fd = openat(d, "perf-1.map", O_CREAT | O_WRONLY, 0600);
	close(fd);
	fd = perf_map_open(d, 1, me, now - 2);
	CHECK(fd >= 0);
	close(fd);
	CHECK(perf_map_open(d, 2, me, now - 2) < 0);
	CHECK(perf_map_open(d, 1, me, now + 60) < 0);
	/* Root's is taken of everybody. */
	CHECK(me == 0 || perf_map_open(d, 1, me + 1, now - 2) < 0);
	if (!me && !fchownat(d, "perf-1.map", 4711, 0, 0))
		CHECK(perf_map_open(d, 1, me, now - 2) < 0);
	CHECK(!symlinkat("perf-1.map", d, "perf-2.map"));
	CHECK(perf_map_open(d, 2, me, 0) < 0);
	CHECK(!mkfifoat(d, "perf-3.map", 0600));
	CHECK(perf_map_open(d, 3, me, 0) < 0);
	CHECK(!mkdirat(d, "perf-4.map", 0700));
	CHECK(perf_map_open(d, 4, me, 0) < 0);
	unlinkat(d, "perf-1.map", 0);
	unlinkat(d, "perf-2.map", 0);
	unlinkat(d, "perf-3.map", 0);
	unlinkat(d, "perf-4.map", AT_REMOVEDIR);
	close(d);
	CHECK(!rmdir(dir));
}

UNIT(memory_without_a_file_is_known_by_its_name)
{
	CHECK(perf_map_is_anonymous("//anon"));
	CHECK(perf_map_is_anonymous("[heap]"));
	CHECK(perf_map_is_anonymous("[anon:v8]"));
	CHECK(perf_map_is_anonymous("/memfd:doublemapper (deleted)"));
	CHECK(!perf_map_is_anonymous("/usr/bin/node"));
	CHECK(!perf_map_is_anonymous("[vdso]"));
	CHECK(!perf_map_is_anonymous("[kernel]"));
	CHECK(!perf_map_is_anonymous("/"));
}

UNIT_MAIN(UNIT_ENTRY(lines_are_start_size_and_name),
	  UNIT_ENTRY(what_is_no_line_is_left_out_and_counted),
	  UNIT_ENTRY(a_line_that_is_not_ended_is_half_written),
	  UNIT_ENTRY(control_characters_do_not_reach_a_terminal),
	  UNIT_ENTRY(lines_of_any_length_keep_their_numbers),
	  UNIT_ENTRY(reading_ends_when_it_is_told_to_and_at_the_limit),
	  UNIT_ENTRY(only_a_regular_file_of_the_process_is_opened),
	  UNIT_ENTRY(memory_without_a_file_is_known_by_its_name))
