// SPDX-License-Identifier: BSD-2-Clause
/* Files that are held open: which, how many, and what else needs descriptors. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/held_files.h"
#include "pmc/perf/perf_event.h"
#include "unit.h"

/* Holds a file without a name, of so many bytes, as that of an inode. */
static void hold(uint64_t inode, off_t size)
{
	const struct held_file file = {.device = 8, .inode = inode};
	int fd = open("/tmp", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);

	CHECK(fd >= 0 && !ftruncate(fd, size));
	held_files_add(&file, fd);
	close(fd);
}

/* The bytes of a file of that inode; -1: it is not held. */
static off_t held(uint64_t inode)
{
	const struct held_file file = {.device = 8, .inode = inode};
	int fd = held_files_open(&file);
	struct stat st = {.st_size = -1};

	if (fd < 0)
		return -1;
	CHECK(!fstat(fd, &st));
	close(fd);
	return st.st_size;
}

static void limit_files(rlim_t n)
{
	const struct rlimit lim = {n, n};

	CHECK(!setrlimit(RLIMIT_NOFILE, &lim));
}

UNIT(nothing_is_held_before_somebody_wants_it_nor_after)
{
	hold(1, 10);
	CHECK(held(1) < 0);
	held_files_begin();
	hold(1, 10);
	CHECK_U64(held(1), 10);
	CHECK(held_files_end());
	CHECK(held(1) < 0);
	hold(1, 10);
	CHECK(held(1) < 0);
	CHECK(!held_files_end());
}

UNIT(a_file_is_known_by_its_build_id_or_else_by_its_inode)
{
	struct held_file file = {.device = 8, .inode = 1, .build_id = {7}, .build_id_len = 20};
	int fd;

	held_files_begin();
	hold(1, 10);
	hold(1, 20);
	CHECK_U64(held(1), 10);
	CHECK(held_files_open(&file) < 0);
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	held_files_add(&file, fd);
	close(fd);
	file.inode = 0;
	fd = held_files_open(&file);
	CHECK(fd >= 0);
	close(fd);
	file.build_id[0]++;
	CHECK(held_files_open(&file) < 0);
	/* Of these two nothing is known. */
	hold(0, 10);
	CHECK(held(0) < 0);
	held_files_end();
}

UNIT(the_oldest_are_given_up_for_new_ones)
{
	uint64_t i;

	limit_files(40);
	held_files_begin();
	for (i = 1; i <= 11; i++)
		hold(i, 10);
	CHECK(held(1) < 0);
	CHECK_U64(held(2), 10);
	CHECK_U64(held(11), 10);
	/* Of disks they take a gigabyte at most. */
	hold(12, (off_t)1 << 29);
	hold(13, (off_t)1 << 29);
	CHECK(held(11) < 0);
	CHECK_U64(held(12), 1 << 29);
	hold(14, ((off_t)1 << 30) + 1);
	CHECK(held(14) < 0);
	CHECK_U64(held(13), 1 << 29);
	held_files_end();
}

UNIT(events_have_descriptors_before_names_have)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_TASK_CLOCK,
				       .exclude_kernel = 1};
	uint64_t i;
	int fd = perf_open(&attr, 0, -1);

	if (fd < 0) /* this user may have none */
		return;
	close(fd);
	limit_files(40);
	held_files_begin();
	for (i = 1; i <= 10; i++)
		hold(i, 10);
	while (dup(0) >= 0)
		;
	fd = perf_open(&attr, 0, -1);
	CHECK(fd >= 0);
	CHECK(held(10) < 0);
}

UNIT_MAIN(UNIT_ENTRY(nothing_is_held_before_somebody_wants_it_nor_after),
	  UNIT_ENTRY(a_file_is_known_by_its_build_id_or_else_by_its_inode),
	  UNIT_ENTRY(the_oldest_are_given_up_for_new_ones),
	  UNIT_ENTRY(events_have_descriptors_before_names_have))
