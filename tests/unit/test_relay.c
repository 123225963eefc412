// SPDX-License-Identifier: BSD-2-Clause
/* The pipe that never makes its writer wait, until nobody has taken anything for long. */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>

#include "pmcstat/top/relay.h"
#include "unit.h"

enum { LIMIT = 64 << 20, BLOCK = 4096, PATIENCE = 60000 /* ms, of a test that fails */ };

struct story {
	struct relay *relay;
	int fd; /* the writing end */
	unsigned char block[BLOCK];
};

static struct story *story_new(void)
{
	struct story *s = calloc(1, sizeof(*s));

	s->relay = relay_start(&s->fd, NULL);
	CHECK(s->relay);
	CHECK(!fcntl(s->fd, F_SETFL, O_NONBLOCK));
	return s;
}

/* Writes len bytes in blocks.  Whether there was room for them. */
static bool write_all(struct story *s, size_t len)
{
	struct pollfd p = {.fd = s->fd, .events = POLLOUT};

	for (; len; len -= BLOCK)
		while (write(s->fd, s->block, BLOCK) != BLOCK)
			if (poll(&p, 1, PATIENCE) != 1)
				return false;
	return true;
}

/* The state of a thread of this process: 'S' when it waits. */
static char state_of(const char *tid)
{
	char path[300], text[512], *paren = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%s/stat", tid);
	f = fopen(path, "re");
	if (f && fgets(text, sizeof(text), f))
		paren = strrchr(text, ')');
	if (f)
		fclose(f);
	return paren ? paren[2] : '?';
}

/* Waits until the relay's thread does. */
static void let_it_wait(void)
{
	bool waits = false;
	struct dirent *e;
	char self[16];

	snprintf(self, sizeof(self), "%d", (int)getpid());
	while (!waits) {
		DIR *dir = opendir("/proc/self/task");

		waits = true;
		while (dir && (e = readdir(dir)))
			if (e->d_name[0] != '.' && strcmp(e->d_name, self) != 0)
				waits &= state_of(e->d_name) == 'S';
		if (dir)
			closedir(dir);
		usleep(1000);
	}
}

/* Writes as much as the relay takes, and a pipe behind it: so much. */
static size_t fill(struct story *s)
{
	size_t len = LIMIT + (size_t)fcntl(s->fd, F_GETPIPE_SZ);

	CHECK(write_all(s, len));
	let_it_wait();
	return len;
}

static size_t take(struct story *s, bool *ended)
{
	const void *data;
	size_t len = 0;

	CHECK(!relay_take(s->relay, &data, &len, ended, NULL));
	return len;
}

/* All that comes until the writing end is closed. */
static size_t take_rest(struct story *s)
{
	struct pollfd p = {.fd = relay_event_fd(s->relay), .events = POLLIN};
	bool ended = false;
	size_t sum = 0;

	while (!ended) {
		if (poll(&p, 1, PATIENCE) != 1) {
			CHECK(!"what was written did not come");
			break;
		}
		sum += take(s, &ended);
	}
	return sum;
}

static void story_free(struct story *s)
{
	relay_free(s->relay);
	free(s);
}

UNIT(what_is_written_comes_out)
{
	struct story *s = story_new();

	CHECK(write_all(s, 3 << 20));
	close(s->fd);
	CHECK_U64(take_rest(s), 3 << 20);
	story_free(s);
}

UNIT(a_writer_that_had_to_wait_goes_on_when_something_was_taken)
{
	struct story *s = story_new();
	size_t len = fill(s), first;
	bool ended;

	first = take(s, &ended);
	CHECK(!ended && first >= LIMIT);
	CHECK(write_all(s, 1 << 20));
	close(s->fd);
	CHECK_U64(first + take_rest(s), len + (1 << 20));
	story_free(s);
}

UNIT(a_writer_that_had_to_wait_goes_on_when_there_is_no_limit)
{
	struct story *s = story_new();
	size_t len = fill(s);

	relay_unlimit(s->relay);
	CHECK(write_all(s, 1 << 20));
	close(s->fd);
	CHECK_U64(take_rest(s), len + (1 << 20));
	story_free(s);
}

UNIT_MAIN(UNIT_ENTRY(what_is_written_comes_out),
	  UNIT_ENTRY(a_writer_that_had_to_wait_goes_on_when_something_was_taken),
	  UNIT_ENTRY(a_writer_that_had_to_wait_goes_on_when_there_is_no_limit))
