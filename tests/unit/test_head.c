// SPDX-License-Identifier: BSD-2-Clause
/* A log that goes on in another file: what that begins with, and what cannot be written. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>

#include "logbuf.h"
#include "nomem.h"

enum { SECOND = 1000000000, SYSTEM_PMC = 0xf00, MAPS = 70000, MAPS_MAX = 65536, LATE_MAX = 1024 };

/* A log in two anonymous files. */
struct pair {
	int first, second;
	uint64_t time;
	struct pmclog_writer *w;
	struct err err;
};

static struct pair pair_begin(enum pmclog_compression how)
{
	static const struct pmclog_origin origin = {.tsc_freq = SECOND, .ts_nsec = 999999999};
	static const struct pmclog_alloc alloc = {.pmcid = SYSTEM_PMC, .name = "cpu-clock"};
	struct pair p = {.first = logbuf_file(), .second = logbuf_file(), .time = 1};

	p.w = pmclog_writer_new(p.first, "first", &p.err);
	CHECK(!pmclog_writer_compress(p.w, how, &p.err));
	CHECK(!pmclog_writer_will_rotate(p.w, &p.err));
	pmclog_write_initialize(p.w, p.time++, &origin);
	pmclog_write_allocatedyn(p.w, p.time++, &alloc);
	return p;
}

static void pair_end(struct pair *p)
{
	pmclog_writer_free(p->w);
	close(p->first);
	close(p->second);
}

/* What a file has. */
struct found {
	uint64_t records, maps, execs, exits, threads, closes;
	uint64_t samples, unsent, lost;
	uint64_t last_map, seconds, nanoseconds;
	uint32_t last_exit, last_thread;
};

static struct found found_in(int fd)
{
	struct pmclog_reader *r;
	struct pmclog_record rec;
	struct found f = {0};
	struct err err = {0};

	lseek(fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(fd, "file", &err);
	while (r && pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_OK) {
		f.records++;
		switch (rec.type) {
		case PMCLOG_WIRE_INITIALIZE:
			f.seconds = rec.u.init.ts_sec;
			f.nanoseconds = rec.u.init.ts_nsec;
			break;
		case PMCLOG_WIRE_MAP_IN:
			f.maps++;
			f.last_map = rec.u.map_in.start;
			break;
		case PMCLOG_WIRE_PROCEXEC: f.execs++; break;
		case PMCLOG_WIRE_SYSEXIT:
			f.exits++;
			f.last_exit = rec.u.sysexit.pid;
			break;
		case PMCLOG_WIRE_THR_CREATE:
			f.threads++;
			f.last_thread = rec.u.thr.tid;
			break;
		case PMCLOG_WIRE_CLOSELOG: f.closes++; break;
		case PMCLOG_WIRE_CALLCHAIN: f.samples++; break;
		case PMCLOG_WIRE_DROPNOTIFY:
			if (rec.u.drop.cause == PMCLOG_DROP_UNSENT)
				f.unsent += rec.u.drop.count;
			else
				f.lost += rec.u.drop.count;
			break;
		default: break;
		}
	}
	CHECK_STR(err.msg, "");
	pmclog_reader_close(r);
	return f;
}

static void map(struct pair *p, uint32_t pid, uint64_t start)
{
	pmclog_write_map_in(
		p->w, p->time++,
		&(struct pmclog_map){.pid = pid, .start = start, .length = 0x1000, .path = "/lib"});
}

static void run(struct pair *p, uint32_t pid)
{
	pmclog_write_procexec(p->w, p->time++,
			      &(struct pmclog_exec){.pid = pid, .path = "/bin/program"});
}

static int rotate(struct pair *p)
{
	return pmclog_writer_rotate(p->w, p->second, "second", p->time, &p->err);
}

/* Of a process that never tells what it unmaps, the latest maps are kept. */
UNIT(maps_are_bounded)
{
	struct pair p = pair_begin(PMCLOG_COMPRESS_NONE);
	struct found f;
	uint64_t i;

	for (i = 0; i < MAPS; i++)
		map(&p, 10, 0x10000 * (i + 1));
	CHECK(!rotate(&p));
	f = found_in(p.second);
	CHECK(f.maps > MAPS_MAX / 4 && f.maps <= MAPS_MAX);
	CHECK_U64(f.last_map, 0x10000ull * MAPS);
	CHECK_U64(found_in(p.first).maps, MAPS);
	pair_end(&p);
}

UNIT(the_same_maps_take_no_room)
{
	struct pair p = pair_begin(PMCLOG_COMPRESS_NONE);
	uint64_t i;

	for (i = 0; i < MAPS; i++)
		map(&p, 10, 0x1000 * (1 + i % 3));
	for (i = 0; i < MAPS; i++)
		pmclog_write_attach(p.w, p.time++, SYSTEM_PMC, 10, "/bin/program");
	CHECK(!rotate(&p));
	CHECK_U64(found_in(p.second).maps, 3);
	CHECK_U64(found_in(p.second).records, 6);
	pair_end(&p);
}

/* In system scope there are samples of a process while the kernel takes it apart. */
UNIT(those_that_have_just_exited_are_kept)
{
	struct pair p = pair_begin(PMCLOG_COMPRESS_NONE);
	struct found f;
	uint32_t pid;

	for (pid = 1; pid <= 3 * LATE_MAX; pid++) {
		run(&p, pid);
		pmclog_write_thr_create(p.w, p.time++, pid + 100000, pid, "thread");
		pmclog_write_thr_exit(p.w, p.time++, pid + 100000);
		pmclog_write_sysexit(p.w, p.time++, pid);
	}
	CHECK(!rotate(&p));
	f = found_in(p.second);
	CHECK(f.exits >= LATE_MAX / 2 - 1 && f.exits <= LATE_MAX);
	CHECK_U64(f.execs, f.exits);
	CHECK_U64(f.threads, f.exits);
	CHECK_U64(f.last_exit, 3 * LATE_MAX);
	pair_end(&p);
}

UNIT(those_that_exited_before_are_not)
{
	struct pair p = pair_begin(PMCLOG_COMPRESS_NONE);
	struct found f;

	run(&p, 10);
	run(&p, 11);
	pmclog_write_thr_create(p.w, p.time++, 12, 10, "gone");
	pmclog_write_thr_create(p.w, p.time++, 13, 11, "lives");
	pmclog_write_thr_create(p.w, p.time++, 14, 11, "gone");
	pmclog_write_thr_exit(p.w, p.time++, 14);
	pmclog_write_sysexit(p.w, p.time++, 10);
	p.time += 2ull * SECOND;
	CHECK(!rotate(&p));
	f = found_in(p.second);
	CHECK_U64(f.exits, 0);
	CHECK_U64(f.execs, 1);
	CHECK_U64(f.threads, 1);
	CHECK_U64(f.last_thread, 13);
	pair_end(&p);
}

UNIT(a_pid_is_used_again)
{
	struct pair p = pair_begin(PMCLOG_COMPRESS_NONE);
	struct found f;

	run(&p, 10);
	map(&p, 10, 0x1000);
	pmclog_write_sysexit(p.w, p.time++, 10);
	map(&p, 10, 0x5000);
	CHECK(!rotate(&p));
	f = found_in(p.second);
	CHECK_U64(f.execs + f.exits, 0);
	CHECK_U64(f.maps, 1);
	CHECK_U64(f.last_map, 0x5000);
	pair_end(&p);
}

UNIT(the_time_of_day_goes_on)
{
	struct pair p = pair_begin(PMCLOG_COMPRESS_NONE);
	struct found f;

	p.time = 7ull * SECOND + 3;
	CHECK(!rotate(&p));
	f = found_in(p.second);
	CHECK_U64(f.seconds, 8);
	CHECK_U64(f.nanoseconds, 2);
	CHECK_U64(f.closes, 0);
	CHECK_U64(found_in(p.first).closes, 1);
	pair_end(&p);
}

UNIT(a_compressed_file_needs_no_other)
{
	static const enum pmclog_compression how[] = {PMCLOG_COMPRESS_ZLIB, PMCLOG_COMPRESS_GZIP};
	size_t i;

	for (i = 0; i < 2; i++) {
		struct pair p = pair_begin(how[i]);

		run(&p, 10);
		CHECK(!rotate(&p));
		map(&p, 10, 0x1000);
		CHECK(!pmclog_writer_flush(p.w, &p.err));
		CHECK_U64(found_in(p.first).records, 4);
		CHECK_U64(found_in(p.second).records, 4);
		pair_end(&p);
	}
}

UNIT(what_cannot_be_written_leaves_the_file_before_whole)
{
	struct pair p = pair_begin(PMCLOG_COMPRESS_NONE);
	int full = open("/dev/full", O_WRONLY);

	run(&p, 10);
	if (full >= 0) {
		CHECK(pmclog_writer_rotate(p.w, full, "next", p.time, &p.err));
		CHECK_STR(p.err.msg, "next: cannot write: No space left on device (0 bytes are in "
				     "the log)");
		CHECK_U64(pmclog_writer_errno(p.w), ENOSPC);
		CHECK_U64(found_in(p.first).closes, 1);
		close(full);
	}
	pair_end(&p);
}

static void sample(struct pair *p, int n)
{
	static const uint64_t pc = 0x401000;
	static const struct pmclog_chain chain = {.pmcid = SYSTEM_PMC, .npcs = 1, .pcs = &pc};

	while (n-- > 0)
		pmclog_write_callchain(p->w, p->time++, &chain);
	(void)pmclog_writer_flush(p->w, NULL);
}

/* Two ends of a connection over the loopback, with little room; false: there is none. */
static bool connect_ends(int *one, int *other)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int listener = socket(AF_INET, SOCK_STREAM, 0), size = 8192;
	unsigned int patience = 300;
	socklen_t length = sizeof(at);
	bool fails;

	*one = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	setsockopt(*one, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	setsockopt(*one, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof(patience));
	fails = bind(listener, (struct sockaddr *)&at, length) || listen(listener, 1) ||
		getsockname(listener, (struct sockaddr *)&at, &length) ||
		connect(*one, (struct sockaddr *)&at, length);
	*other = fails ? -1 : accept(listener, NULL, NULL);
	close(listener);
	return *other >= 0;
}

/* A log that goes into a connection. */
static struct pair connection_begin(enum pmclog_compression how, int *other)
{
	struct pair p = pair_begin(how);
	int end;

	signal(SIGPIPE, SIG_IGN);
	CHECK(connect_ends(&end, other));
	CHECK(!pmclog_writer_rotate(p.w, end, "connection", p.time++, &p.err));
	close(p.first);
	p.first = end;
	return p;
}

/* How many samples have come. */
static uint64_t samples_at(int end)
{
	struct pmclog_reader *r = pmclog_reader_open_fd(end, "end", NULL);
	struct pmclog_record rec;
	uint64_t n = 0;

	while (r && pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK)
		n += rec.type == PMCLOG_WIRE_CALLCHAIN;
	pmclog_reader_close(r);
	return n;
}

/* Nobody reads: what has no room in the connection does not arrive, and all later ones. */
static void lose_samples(enum pmclog_compression how)
{
	uint64_t written = 0, came, dropped;
	struct found f;
	int other;
	struct pair p = connection_begin(how, &other);

	while (!pmclog_writer_errno(p.w) && written < 100000000) {
		sample(&p, 5000);
		written += 5000;
	}
	CHECK_U64(pmclog_writer_errno(p.w), ETIMEDOUT);
	run(&p, 10);
	sample(&p, 3);
	written += 3;
	came = samples_at(other);
	dropped = pmclog_writer_dropped(p.w);
	CHECK(came > 0 && came + dropped >= written && dropped <= written);
	CHECK(!rotate(&p));
	CHECK_U64(pmclog_writer_errno(p.w), 0);
	sample(&p, 5);
	f = found_in(p.second);
	CHECK_U64(f.unsent, dropped);
	CHECK(f.lost >= 1);
	CHECK_U64(f.execs, 1);
	CHECK_U64(f.samples, 5);
	close(other);
	pair_end(&p);
}

UNIT(what_a_lost_connection_has_not_taken_is_told_by_the_next_file)
{
	lose_samples(PMCLOG_COMPRESS_NONE);
	lose_samples(PMCLOG_COMPRESS_ZLIB);
}

UNIT(a_connection_that_is_lost_at_the_end_of_a_file_does_not_end_the_log)
{
	const struct linger reset = {.l_onoff = 1};
	struct found f;
	int other;
	struct pair p = connection_begin(PMCLOG_COMPRESS_NONE, &other);

	setsockopt(other, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	close(other);
	CHECK(rotate(&p));
	CHECK(strstr(p.err.msg, "connection: cannot write: Connection reset by peer"));
	CHECK_U64(pmclog_writer_errno(p.w), 0);
	sample(&p, 5);
	f = found_in(p.second);
	CHECK_U64(f.unsent, 0);
	CHECK_U64(f.samples, 5);
	pair_end(&p);
}

#if OWN_MALLOC
/* Whether all went well with so many allocations; if not, nothing more is written. */
static bool rotate_within(uint64_t allocations)
{
	struct pair p = pair_begin(PMCLOG_COMPRESS_NONE);
	uint64_t bytes;
	uint32_t pid;
	int failed;

	left = allocations;
	for (pid = 10; pid < 30; pid++) {
		run(&p, pid);
		map(&p, pid, 0x1000);
		map(&p, pid, 0x1400);
		pmclog_write_attach(p.w, p.time++, SYSTEM_PMC, pid, "/bin/program");
		pmclog_write_thr_create(p.w, p.time++, pid + 100, pid, "thread");
		pmclog_write_procfork(p.w, p.time++, pid, pid + 200);
		pmclog_write_map_out(p.w, p.time++, pid, 0x1100, 0x1200);
		if (pid % 2)
			pmclog_write_sysexit(p.w, p.time++, pid);
	}
	failed = rotate(&p);
	left = UINT64_MAX;
	if (failed) {
		CHECK_U64(p.err.code, EX_OSERR);
		CHECK_U64(found_in(p.first).closes, 1);
		bytes = pmclog_writer_bytes(p.w);
		run(&p, 99);
		CHECK_U64(pmclog_writer_bytes(p.w), bytes);
	} else {
		CHECK_U64(found_in(p.second).execs, 40);
		CHECK_U64(found_in(p.second).maps, 80);
	}
	pair_end(&p);
	return !failed;
}

UNIT(out_of_memory_ends_the_log)
{
	uint64_t allocations = 1;

	while (!rotate_within(allocations))
		allocations++;
	CHECK(allocations > 100);
}
#endif

UNIT_MAIN(UNIT_ENTRY(maps_are_bounded), UNIT_ENTRY(the_same_maps_take_no_room),
	  UNIT_ENTRY(those_that_have_just_exited_are_kept),
	  UNIT_ENTRY(those_that_exited_before_are_not), UNIT_ENTRY(a_pid_is_used_again),
	  UNIT_ENTRY(the_time_of_day_goes_on), UNIT_ENTRY(a_compressed_file_needs_no_other),
	  UNIT_ENTRY(what_cannot_be_written_leaves_the_file_before_whole),
	  UNIT_ENTRY(what_a_lost_connection_has_not_taken_is_told_by_the_next_file),
	  UNIT_ENTRY(a_connection_that_is_lost_at_the_end_of_a_file_does_not_end_the_log),
#if OWN_MALLOC
	  UNIT_ENTRY(out_of_memory_ends_the_log),
#endif
)
