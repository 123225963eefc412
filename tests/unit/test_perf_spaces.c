// SPDX-License-Identifier: BSD-2-Clause
/* Which code of which file is at an address of a process, as records tell of its maps. */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmc/perf/unwind/perf_spaces.h"
#include "unit.h"

enum { SOME_PID = 0x7ffffff0 }; /* above pid_max: /proc knows of none */

static struct proc_map file_map(uint64_t start, uint64_t length, uint64_t offset)
{
	return (struct proc_map){.pid = SOME_PID,
				 .start = start,
				 .length = length,
				 .file_offset = offset,
				 .inode = 1,
				 .path = "/no/such/file"};
}

static void check_place(struct perf_spaces *sp, uint32_t pid, uint64_t address, uint64_t start,
			uint64_t end, enum unwind_code code)
{
	struct unwind_place place;

	perf_spaces_resolve(perf_spaces_find(sp, pid, pid), address, &place);
	CHECK_U64(place.start, start);
	CHECK_U64(place.end, end);
	CHECK_U64(place.code, code);
	CHECK(!place.image);
}

UNIT(of_the_past_proc_tells_nothing)
{
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct proc_map map = file_map(0x10000, 0x10000, 0);
	struct unwind_place place;

	map.pid = (uint32_t)getpid();
	sp->past = true;
	check_place(sp, map.pid, (uint64_t)(uintptr_t)check_place, 0, UINT64_MAX, UNWIND_CODE_NONE);
	perf_spaces_map(sp, &map, NULL, 0);
	check_place(sp, map.pid, 0x10000, 0x10000, 0x20000, UNWIND_CODE_FILE);
	CHECK_U64(sp->missing, 1);
	CHECK_STR(sp->missed, "/no/such/file");
	/* One that was never heard of until it maps something. */
	map.pid = SOME_PID;
	map.path = "/proc/self/exe";
	map.inode = 0;
	perf_spaces_map(sp, &map, NULL, 0);
	perf_spaces_resolve(perf_spaces_find(sp, SOME_PID, SOME_PID), 0x10000, &place);
	CHECK_U64(place.code, UNWIND_CODE_FILE);
	CHECK_U64(sp->missing, 1);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT(children_inherit_no_more_maps_than_there_is_memory_for)
{
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct proc_map map = file_map(0, 0x1000, 0);
	size_t i;

	sp->past = true;
	for (i = 0; i < 60000; i++) {
		map.start = (i + 1) << 12;
		perf_spaces_map(sp, &map, NULL, 0);
	}
	for (i = 1; i <= 20; i++)
		perf_spaces_fork(sp, SOME_PID, (uint32_t)i);
	CHECK_U64(perf_spaces_find(sp, 1, 1)->maps.n, 60000);
	CHECK_U64(perf_spaces_find(sp, 20, 20)->maps.n, 0);
	CHECK_U64(sp->inherited, 17 * 60000);
	/* One gives its maps back. */
	perf_spaces_exec(sp, 1);
	perf_spaces_fork(sp, SOME_PID, 20);
	CHECK_U64(perf_spaces_find(sp, 20, 20)->maps.n, 60000);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT(a_map_takes_the_place_of_what_was_there)
{
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct proc_map map = file_map(0x10000, 0x10000, 0), anon = file_map(0x14000, 0x4000, 0);
	struct space_process *p;

	anon.path = "//anon";
	perf_spaces_exec(sp, SOME_PID);
	perf_spaces_map(sp, &map, NULL, 0);
	perf_spaces_map(sp, &anon, NULL, 0);
	check_place(sp, SOME_PID, 0x13fff, 0x10000, 0x14000, UNWIND_CODE_FILE);
	check_place(sp, SOME_PID, 0x14000, 0x14000, 0x18000, UNWIND_CODE_JIT);
	check_place(sp, SOME_PID, 0x18000, 0x18000, 0x20000, UNWIND_CODE_FILE);
	check_place(sp, SOME_PID, 0x20000, 0x20000, UINT64_MAX, UNWIND_CODE_NONE);
	check_place(sp, SOME_PID, 0xfff, 0, 0x10000, UNWIND_CODE_NONE);
	p = perf_spaces_find(sp, SOME_PID, SOME_PID);
	CHECK_U64(p->maps.n, 3);
	CHECK_U64(p->maps.v[2].offset, 0x8000);
	CHECK_U64(sp->images, 1);
	CHECK_U64(p->maps.v[0].image->refs, 2);
	/* One that covers all of them. */
	map = file_map(0xf000, 0x20000, 0);
	map.inode = 2;
	perf_spaces_map(sp, &map, NULL, 0);
	CHECK_U64(p->maps.n, 1);
	CHECK_U64(sp->images, 1);
	/* The inode of a file that was removed is another's; the same file is mapped twice. */
	map.inode_generation = 7;
	for (map.start = 0x100000; map.start <= 0x200000; map.start += 0x100000)
		perf_spaces_map(sp, &map, NULL, 0);
	CHECK_U64(sp->images, 2);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT(a_32_bit_process_has_a_vdso_of_its_own)
{
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct proc_map map = file_map(0xf7f00000, 0x2000, 0);
	struct unwind_place place;

	map.path = "[vdso]";
	map.inode = 0;
	perf_spaces_exec(sp, SOME_PID);
	perf_spaces_exec(sp, SOME_PID + 1);
	/* There is no such process, and nothing of it can be read. */
	perf_spaces_map(sp, &map, NULL, 0);
	check_place(sp, SOME_PID, 0xf7f00000, 0xf7f00000, 0xf7f02000, UNWIND_CODE_FILE);
	/* Which is not what a 64-bit process has. */
	map.pid++;
	map.start = UINT64_C(0x7fff00000000);
	perf_spaces_map(sp, &map, NULL, 0);
	perf_spaces_resolve(perf_spaces_find(sp, map.pid, map.pid), map.start, &place);
	CHECK(place.image && unwind_image_machine(place.image) != UNWIND_X86);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT(a_child_has_its_parents_maps_until_it_calls_exec)
{
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct proc_map map = file_map(0x10000, 0x1000, 0);
	uint32_t generation;

	perf_spaces_exec(sp, SOME_PID);
	perf_spaces_map(sp, &map, NULL, 0);
	perf_spaces_fork(sp, SOME_PID, SOME_PID + 1);
	check_place(sp, SOME_PID + 1, 0x10000, 0x10000, 0x11000, UNWIND_CODE_FILE);
	generation = perf_spaces_find(sp, SOME_PID + 1, SOME_PID + 1)->generation;
	perf_spaces_exec(sp, SOME_PID + 1);
	check_place(sp, SOME_PID + 1, 0x10000, 0, UINT64_MAX, UNWIND_CODE_NONE);
	CHECK(perf_spaces_find(sp, SOME_PID + 1, SOME_PID + 1)->generation != generation);
	check_place(sp, SOME_PID, 0x10000, 0x10000, 0x11000, UNWIND_CODE_FILE);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT(processes_that_have_exited_are_forgotten_in_time)
{
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct proc_map map = file_map(0x10000, 0x1000, 0);
	uint32_t i;

	perf_spaces_exec(sp, SOME_PID);
	perf_spaces_map(sp, &map, NULL, 0);
	for (i = 1; i < 5000; i++) {
		perf_spaces_fork(sp, SOME_PID, SOME_PID - i);
		perf_spaces_exit(sp, SOME_PID - i);
	}
	CHECK(sp->processes < 1100);
	CHECK_U64(sp->images, 1);
	check_place(sp, SOME_PID, 0x10000, 0x10000, 0x11000, UNWIND_CODE_FILE);
	/* A pid that is used again. */
	perf_spaces_fork(sp, SOME_PID, SOME_PID - 4999);
	CHECK(!perf_spaces_find(sp, SOME_PID - 4999, SOME_PID - 4999)->exited);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT(a_process_that_is_looked_at_anew_has_what_it_has_now)
{
	const uint32_t own = (uint32_t)getpid();
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct proc_map map = file_map(0x10000, 0x1000, 0);
	struct space_process *p;
	uint32_t generation;

	/* Of another process that had its number. */
	map.pid = own;
	perf_spaces_exec(sp, own);
	perf_spaces_map(sp, &map, NULL, 0);
	perf_spaces_exit(sp, own);
	generation = perf_spaces_find(sp, own, own)->generation;
	check_place(sp, own, 0x10000, 0x10000, 0x11000, UNWIND_CODE_FILE);
	perf_spaces_renew(sp, own);
	CHECK_U64(sp->processes, 1);
	CHECK_U64(sp->exited, 0);
	p = perf_spaces_find(sp, own, own);
	CHECK(p->maps.n > 0 && p->maps.v[0].start != 0x10000);
	CHECK(p->generation != generation);
	/* What is gone is not known any more. */
	map.pid = SOME_PID;
	perf_spaces_exec(sp, SOME_PID);
	perf_spaces_map(sp, &map, NULL, 0);
	perf_spaces_renew(sp, SOME_PID);
	CHECK_U64(sp->processes, 1);
	perf_spaces_forget_all(sp);
	CHECK_U64(sp->processes, 0);
	CHECK_U64(sp->images, 0);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT(files_stay_open_while_maps_are_read_again)
{
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct space_process *p = perf_spaces_find(sp, (uint32_t)getpid(), (uint32_t)getpid());
	struct unwind_place place;
	struct space_map *m;
	unsigned int open = 0;
	size_t images = sp->images;

	vec_each(m, &p->maps) {
		perf_spaces_resolve(p, m->start, &place);
		open += !!place.image;
	}
	CHECK(open > 0);
	perf_spaces_doubt(sp);
	CHECK(perf_spaces_find(sp, (uint32_t)getpid(), (uint32_t)getpid()) == p);
	vec_each(m, &p->maps)
		open -= m->image && m->image->unwind;
	CHECK_U64(open, 0);
	CHECK_U64(sp->images, images);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT(code_without_a_file_is_read_once_a_round_and_kept_for_when_it_is_gone)
{
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct space_process *p = perf_spaces_find(sp, (uint32_t)getpid(), (uint32_t)getpid());
	uint8_t *code = mmap(NULL, 2 * SPACE_PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t at = (uint64_t)(uintptr_t)code + SPACE_PAGE - 2;
	char word[5] = "";

	CHECK(code != MAP_FAILED);
	memcpy(code + SPACE_PAGE - 2, "old!", 4);
	CHECK(perf_spaces_code(p, at, word, 4));
	CHECK_STR(word, "old!");
	memcpy(code + SPACE_PAGE - 2, "new!", 4);
	CHECK(perf_spaces_code(p, at, word, 4));
	CHECK_STR(word, "old!");
	perf_spaces_next_round(sp);
	CHECK(perf_spaces_code(p, at, word, 4));
	CHECK_STR(word, "new!");
	CHECK(!munmap(code, 2 * SPACE_PAGE));
	perf_spaces_next_round(sp);
	CHECK(perf_spaces_code(p, at, word, 4));
	CHECK_STR(word, "new!");
	/* Another program of the process has other code. */
	perf_spaces_exec(sp, (uint32_t)getpid());
	CHECK(!perf_spaces_code(p, at, word, 4));
	perf_spaces_fini(sp);
	free(sp);
}

/* By userfaultfd(2), or as a file system of its own. */
UNIT(what_its_process_would_have_to_give_first_is_not_waited_for)
{
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct space_process *p = perf_spaces_find(sp, (uint32_t)getpid(), (uint32_t)getpid());
	uint8_t *code = mmap(NULL, 2 * SPACE_PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register pages = {.mode = UFFDIO_REGISTER_MODE_MISSING};
	uint64_t at = (uint64_t)(uintptr_t)code;
	struct uffdio_api api = {.api = UFFD_API};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	char word[5] = "";

	CHECK(code != MAP_FAILED);
	memcpy(code, "here", 4);
	pages.range.start = at + SPACE_PAGE;
	pages.range.len = SPACE_PAGE;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &pages)) {
		perf_spaces_fini(sp);
		free(sp);
		unit_skip("the kernel lets this user serve no page");
	}
	alarm(20);
	CHECK(perf_spaces_code(p, at, word, 4));
	CHECK_STR(word, "here");
	CHECK(!perf_spaces_code(p, at + SPACE_PAGE, word, 4));
	alarm(0);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT(files_stay_open_beyond_a_limit_that_may_be_raised)
{
	enum { LIMIT = 16, FILES = 40 };
	struct perf_spaces *sp = calloc(1, sizeof(*sp));
	struct proc_map map = file_map(0, 0x1000, 0);
	char path[2 * FILES + sizeof("/proc/self/exe")];
	struct space_map *m;
	struct unwind_place place;
	struct rlimit lim;
	size_t i, open = 0;

	CHECK(!getrlimit(RLIMIT_NOFILE, &lim) && lim.rlim_max > LIMIT + FILES);
	lim.rlim_cur = LIMIT;
	CHECK(!setrlimit(RLIMIT_NOFILE, &lim));
	/* One file by many paths: /proc/self/exe, /./proc/self/exe, ... */
	for (i = 0; i < FILES; i++)
		memcpy(path + 2 * i, "/.", 2);
	strcpy(path + 2 * i, "/proc/self/exe");
	sp->past = true;
	map.inode = 0;
	for (i = 0; i < FILES; i++) {
		map.start += map.length;
		map.path = path + 2 * i;
		perf_spaces_map(sp, &map, NULL, 0);
		perf_spaces_resolve(perf_spaces_find(sp, SOME_PID, SOME_PID), map.start, &place);
	}
	vec_each(m, &perf_spaces_find(sp, SOME_PID, SOME_PID)->maps)
		open += m->image && m->image->unwind;
	CHECK_U64(open, FILES);
	perf_spaces_fini(sp);
	free(sp);
}

UNIT_MAIN(UNIT_ENTRY(of_the_past_proc_tells_nothing),
	  UNIT_ENTRY(children_inherit_no_more_maps_than_there_is_memory_for),
	  UNIT_ENTRY(a_map_takes_the_place_of_what_was_there),
	  UNIT_ENTRY(a_32_bit_process_has_a_vdso_of_its_own),
	  UNIT_ENTRY(a_child_has_its_parents_maps_until_it_calls_exec),
	  UNIT_ENTRY(processes_that_have_exited_are_forgotten_in_time),
	  UNIT_ENTRY(what_its_process_would_have_to_give_first_is_not_waited_for),
	  UNIT_ENTRY(a_process_that_is_looked_at_anew_has_what_it_has_now),
	  UNIT_ENTRY(files_stay_open_while_maps_are_read_again),
	  UNIT_ENTRY(code_without_a_file_is_read_once_a_round_and_kept_for_when_it_is_gone),
	  UNIT_ENTRY(files_stay_open_beyond_a_limit_that_may_be_raised))
