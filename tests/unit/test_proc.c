// SPDX-License-Identifier: BSD-2-Clause
/* What runs already, as /proc tells it: tried on this very process. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "logbuf.h"
#include "tree.h"
#include "base/build_id.h"
#include "base/proc_text.h"
#include "pmc/proc_list.h"
#include "pmc/perf/proc_snapshot.h"
#include "pmclog/text/text.h"

static bool parses(const char *text, const int *want, size_t n)
{
	struct proc_cpus cpus = {0};
	bool ok = proc_parse_cpus(text, &cpus);

	if (ok) {
		CHECK_U64(cpus.cpus.n, n);
		CHECK(cpus.cpus.n == n && (!n || !memcmp(cpus.cpus.v, want, n * sizeof(*want))));
	}
	vec_free(&cpus.cpus);
	return ok;
}

UNIT(lists_of_cpus)
{
	CHECK(parses("0", (const int[]){0}, 1));
	CHECK(parses("0-3,8", (const int[]){0, 1, 2, 3, 8}, 5));
	CHECK(parses("", NULL, 0));
	CHECK(!parses("3-1", NULL, 0));
	CHECK(!parses("x", NULL, 0));
	CHECK(!parses("1-", NULL, 0));
	CHECK(parses("65535", (const int[]){65535}, 1));
	CHECK(!parses("65536", NULL, 0));
	CHECK(!parses("0-99999999", NULL, 0));
	CHECK(!parses("-4", NULL, 0));
}

UNIT(a_stat_is_read_behind_a_name_that_looks_like_one)
{
	const unsigned long long hertz = (unsigned long long)sysconf(_SC_CLK_TCK);
	struct proc_stat stat = {0};
	struct timespec up, used;
	char name[16];

	CHECK(!prctl(PR_GET_NAME, name) && !prctl(PR_SET_NAME, "a) Z 1 (b"));
	do /* until there is a tick of it */
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	while (used.tv_sec == 0 && used.tv_nsec < 50000000);
	CHECK(proc_read_stat("/proc/self/stat", &stat));
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	clock_gettime(CLOCK_BOOTTIME, &up);
	CHECK(!prctl(PR_SET_NAME, name));
	CHECK_U64(stat.state, 'R');
	CHECK_U64(stat.parent, getppid());
	CHECK(stat.user + stat.system > 0);
	CHECK(stat.user + stat.system <= ((unsigned long long)used.tv_sec + 1) * hertz);
	CHECK(stat.started > 0 && stat.started <= ((unsigned long long)up.tv_sec + 1) * hertz);
	errno = 0;
	CHECK(!proc_read_stat("/proc/self/task/0/stat", &stat));
	CHECK_U64(errno, ENOENT);
}

UNIT(a_child_and_its_child_are_in_the_tree)
{
	struct proc_pids list = {0};
	int up[2], status;
	pid_t child, grandchild = 0;

	CHECK(!pipe(up));
	child = fork();
	if (child == 0) {
		grandchild = fork();
		if (grandchild)
			(void)!write(up[1], &grandchild, sizeof(grandchild));
		pause();
		_exit(0);
	}
	CHECK_U64(read(up[0], &grandchild, sizeof(grandchild)), sizeof(grandchild));
	CHECK(!proc_list_tree(child, &list));
	CHECK_U64(list.pids.n, 2);
	CHECK(list.pids.n == 2 && list.pids.v[0] == child && list.pids.v[1] == grandchild);
	kill(grandchild, SIGKILL);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	vec_free(&list.pids);
}

static void *fork_and_sleep(void *arg)
{
	*(pid_t *)arg = fork();
	pause();
	return NULL;
}

UNIT(a_child_of_a_thread_is_in_the_tree)
{
	struct proc_pids list = {0};
	volatile pid_t child = 0;
	pthread_t thread;

	CHECK(!proc_list_tree(getpid(), &list));
	CHECK(list.pids.n == 1 && list.pids.v[0] == getpid());
	list.pids.n = 0;
	CHECK(!pthread_create(&thread, NULL, fork_and_sleep, (void *)&child));
	while (!child)
		sched_yield();
	CHECK(!proc_list_tree(getpid(), &list));
	CHECK(list.pids.n == 2 && list.pids.v[0] == getpid() && list.pids.v[1] == child);
	kill(child, SIGKILL);
	vec_free(&list.pids);
}

UNIT(the_dead_do_not_live_though_they_are_listed)
{
	struct proc_threads list = {0};
	pid_t child = fork();
	siginfo_t info;

	if (child == 0)
		_exit(0);
	CHECK(!waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
	CHECK(!proc_list_threads(child, &list));
	CHECK_U64(list.threads.n, 1);
	CHECK(!proc_thread_lives(child, child));
	waitpid(child, NULL, 0);
	CHECK(!proc_thread_lives(child, child));
	CHECK(proc_thread_lives(getpid(), getpid()));
	vec_free(&list.threads);
}

/* A list without a single process would be the wrong answer. */
UNIT(a_list_for_which_no_descriptor_is_left_is_an_error)
{
	struct rlimit limit, none = {0, 0};
	struct proc_threads threads = {0};
	struct proc_pids pids = {0};

	CHECK(!getrlimit(RLIMIT_NOFILE, &limit));
	none.rlim_max = limit.rlim_max;
	CHECK(!setrlimit(RLIMIT_NOFILE, &none));
	CHECK(proc_list_all(&pids) == -1 && errno == EMFILE);
	CHECK(proc_list_tree(getpid(), &pids) == -1 && errno == EMFILE);
	CHECK(proc_list_threads(getpid(), &threads) == -1 && errno == EMFILE);
	CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
}

struct shot {
	int fd;
	struct pmclog_writer *w;
	struct perf_tasks tasks;
	struct perf_jit jit;
	struct proc_modules modules;
	struct proc_snapshot snapshot;
};

static void shot_begin(struct shot *s)
{
	static const struct pmclog_origin origin = {.cputype = 0x400, .tsc_freq = 1000000000};

	memset(s, 0, sizeof(*s));
	s->fd = logbuf_file();
	s->w = pmclog_writer_new(s->fd, "t.log", NULL);
	pmclog_write_initialize(s->w, 1, &origin);
	s->snapshot = (struct proc_snapshot){.writer = s->w,
					     .images = proc_images_new(),
					     .tasks = &s->tasks,
					     .jit = &s->jit,
					     .modules = &s->modules,
					     .now = 7};
}

static struct pmclog_reader *shot_read(struct shot *s)
{
	CHECK(!pmclog_writer_flush(s->w, NULL));
	lseek(s->fd, 0, SEEK_SET);
	return pmclog_reader_open_fd(s->fd, "t.log", NULL);
}

static void shot_end(struct shot *s, struct pmclog_reader *r)
{
	pmclog_reader_close(r);
	pmclog_writer_free(s->w);
	proc_images_free((struct proc_images *)s->snapshot.images);
	perf_tasks_clear(&s->tasks);
	perf_jit_end_all(&s->jit, NULL, 0);
	vec_free(&s->modules.v);
	close(s->fd);
}

UNIT(this_process_with_its_executable_and_vdso)
{
	struct pmclog_reader *r;
	struct pmclog_record rec;
	char exe[PATH_MAX] = "";
	unsigned int execs = 0, creates = 0, image = 0, vdso = 0;
	uint64_t entry = 0, start = 0, end = 0;
	struct shot s;

	shot_begin(&s);
	CHECK(readlink("/proc/self/exe", exe, sizeof(exe) - 1) > 0);
	CHECK(!proc_snapshot_process(&s.snapshot, getpid(), 42));
	r = shot_read(&s);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK) {
		if (rec.type == PMCLOG_WIRE_PROCEXEC) {
			CHECK_STR(rec.u.exec.path.s, exe);
			CHECK_U64(rec.u.exec.pmcid, 42);
			entry = rec.u.exec.entry;
			execs++;
		} else if (rec.type == PMCLOG_WIRE_PROC_CREATE) {
			CHECK_U64(rec.u.proc.pid, (uint32_t)getpid());
			CHECK_U64(rec.tsc, 7);
			creates++;
		} else if (rec.type == PMCLOG_WIRE_MAP_IN && !strcmp(rec.u.map_in.path.s, exe)) {
			start = rec.u.map_in.start;
			end = start + rec.u.map_in.length;
			image += rec.u.map_in.inode != 0;
		} else if (rec.type == PMCLOG_WIRE_MAP_IN) {
			vdso += !strcmp(rec.u.map_in.path.s, "[vdso]");
		}
	}
	CHECK_U64(execs, 1);
	CHECK_U64(creates, 1);
	CHECK_U64(image, 1);
	CHECK_U64(vdso, 1);
	CHECK(entry >= start && entry < end);
	CHECK(perf_tasks_find(&s.tasks, (uint32_t)getpid()));
	shot_end(&s, r);
}

static void *tell_and_wait(void *up)
{
	(void)!write(*(int *)up, "x", 1);
	pause();
	return NULL;
}

/* The first thread of a process may end before the others. */
UNIT(a_process_without_its_first_thread_has_its_maps_still)
{
	struct pmclog_reader *r;
	struct pmclog_record rec;
	unsigned int execs = 0, maps = 0;
	uint32_t other = 0;
	pthread_t thread;
	struct shot s;
	pid_t child;
	int up[2];
	char x;

	CHECK(!pipe(up));
	child = fork();
	if (child == 0) {
		if (!pthread_create(&thread, NULL, tell_and_wait, &up[1]))
			pthread_exit(NULL);
		_exit(1);
	}
	CHECK_U64(read(up[0], &x, 1), 1);
	while (proc_thread_lives(child, child))
		sched_yield();
	shot_begin(&s);
	CHECK(!proc_snapshot_process(&s.snapshot, child, 42));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	r = shot_read(&s);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK) {
		execs += rec.type == PMCLOG_WIRE_PROCEXEC;
		maps += rec.type == PMCLOG_WIRE_MAP_IN;
		if (rec.type == PMCLOG_WIRE_THR_CREATE)
			other = rec.u.thr.tid;
	}
	CHECK_U64(execs, 1);
	CHECK(maps > 0);
	/* With the other one all of it is gone. */
	CHECK(perf_tasks_exit(&s.tasks, (uint32_t)child, other));
	shot_end(&s, r);
}

UNIT(a_process_that_is_gone_leaves_no_trace)
{
	struct pmclog_reader *r;
	struct pmclog_record rec;
	struct shot s;

	shot_begin(&s);
	CHECK(!proc_snapshot_process(&s.snapshot, INT_MAX, 42));
	r = shot_read(&s);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_EOF);
	shot_end(&s, r);
}

/* Whether its addresses are hidden or not, the kernel is one map that reaches kernel addresses. */
UNIT(the_kernel_is_always_mapped)
{
	struct pmclog_reader *r;
	struct pmclog_record rec;
	struct shot s;

	shot_begin(&s);
	CHECK(!proc_snapshot_kernel(&s.snapshot));
	r = shot_read(&s);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.type, PMCLOG_WIRE_MAP_IN);
	CHECK_U64(rec.u.map_in.pid, UINT32_MAX);
	CHECK_STR(rec.u.map_in.path.s, "[kernel]");
	CHECK(rec.u.map_in.start >> 63 && rec.u.map_in.length);
	shot_end(&s, r);
}

/* CPU 0 is idle in what start_kernel() has called, whose memory is free by then. */
UNIT(the_kernel_has_what_ran_at_boot)
{
	uint64_t length, start = proc_kernel_code(PROC_KALLSYMS, &length);
	char line[512], name[256] = "";
	unsigned long long address = 0;
	FILE *f = fopen(PROC_KALLSYMS, "r");

	while (f && strcmp(name, "start_kernel") != 0 && fgets(line, sizeof(line), f))
		CHECK(sscanf(line, "%llx %*c %255s", &address, name) == 2);
	if (f)
		fclose(f);
	CHECK_STR(name, "start_kernel");
	CHECK(!address || (address > start && address - start < length));
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

UNIT(modules_that_come_and_go_are_mapped_and_unmapped)
{
	char path[] = "/tmp/test-proc-XXXXXX";
	struct sink *text = sink_to_memory();
	struct pmclog_record rec;
	struct pmclog_reader *r;
	struct shot s;

	shot_begin(&s);
	close(mkstemp(path));
	write_text(path, "ext4 1000 1 - Live 0xffffffffc0000000\n"
			 "nvme 8192 2 ext4, Live 0xffffffffc0010000 (O)\n"
			 "hidden 1000 1 - Live 0x0000000000000000\n");
	CHECK(!proc_snapshot_modules(&s.snapshot, path, &s.modules));
	CHECK(!proc_snapshot_modules(&s.snapshot, path, &s.modules));
	write_text(path, "nvme 8192 2 ext4, Live 0xffffffffc0010000 (O)\n"
			 "zram 65536 1 - Live 0xffffffffc000f000\n");
	CHECK(!proc_snapshot_modules(&s.snapshot, path, &s.modules));
	unlink(path);
	/* Nothing to read is no news. */
	CHECK(!proc_snapshot_modules(&s.snapshot, path, &s.modules));
	r = shot_read(&s);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK)
		pmclog_text_record(text, &rec);
	CHECK_STR(sink_text(text, NULL), "map-in    -1 0xffffffffc0000000 \"[ext4]\"\n"
					 "map-in    -1 0xffffffffc0010000 \"[nvme]\"\n"
					 "map-out   -1 0xffffffffc0000000 0xffffffffc00003e8\n"
					 "map-in    -1 0xffffffffc000f000 \"[zram]\"\n");
	sink_free(text);
	shot_end(&s, r);
}

/* Whether what is opened of a map is this program. */
static bool opens_this(const struct proc_map *map)
{
	struct stat here, st = {0};
	int fd = proc_images_open(map);

	CHECK(!stat("/proc/self/exe", &here));
	if (fd < 0)
		return false;
	CHECK(!fstat(fd, &st));
	close(fd);
	return st.st_ino == here.st_ino && st.st_dev == here.st_dev;
}

UNIT(a_file_that_was_replaced_is_found_as_the_program_of_its_process)
{
	/* Another file has the path. */
	struct proc_map map = {.pid = (uint32_t)getpid(), .path = "/bin/sh"};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	uint8_t id[BUILD_ID_MAX] = {0};
	struct stat st;

	CHECK(!opens_this(&map));
	CHECK(!fstat(fd, &st));
	map.inode = st.st_ino;
	CHECK(opens_this(&map));
	map.inode = 0;
	map.build_id = id;
	map.build_id_len = build_id_of_fd(fd, id);
	close(fd);
	if (!map.build_id_len) /* the linker makes none */
		memset(id, 1, map.build_id_len = 20);
	else
		CHECK(opens_this(&map));
	id[0] ^= 1;
	CHECK(proc_images_open(&map) < 0);
	/* What nothing is known of is not taken for the program. */
	map = (struct proc_map){.pid = (uint32_t)getpid(), .path = "/nonexistent"};
	CHECK(proc_images_open(&map) < 0);
}

/* The program in a file of its own, which then has something else. */
UNIT(what_was_read_of_a_file_holds_until_it_changes)
{
	struct proc_images *images = proc_images_new();
	char copy[] = "/tmp/pmcstat-test-XXXXXX", command[128];
	struct proc_map map = {.pid = (uint32_t)getpid(), .path = copy};
	int fd = mkstemp(copy);
	const uint8_t *id;
	struct stat st;
	size_t length;

	CHECK(fd >= 0 && !fstat(fd, &st));
	snprintf(command, sizeof(command), "cat /proc/%d/exe >%s", getpid(), copy);
	CHECK(!system(command));
	map.inode = st.st_ino;
	length = proc_images_build_id(images, &map, &id);
	if (length) {
		CHECK_U64(proc_images_build_id(images, &map, &id), length);
		CHECK(!ftruncate(fd, 0));
		CHECK_U64(proc_images_build_id(images, &map, &id), 0);
		CHECK(!system(command));
		map.inode_generation = 7;
		CHECK_U64(proc_images_build_id(images, &map, &id), length);
	}
	close(fd);
	unlink(copy);
	if (length) {
		/* Of what is gone the inode's generation says that it was this. */
		CHECK_U64(proc_images_build_id(images, &map, &id), length);
		map.inode_generation = 0;
		CHECK_U64(proc_images_build_id(images, &map, &id), 0);
	}
	proc_images_free(images);
	if (!length)
		unit_skip("the linker makes no build-ids");
}

UNIT(a_program_begins_in_the_map_that_has_its_entry)
{
	char exe[PATH_MAX] = "";
	struct proc_map map = {
		.pid = (uint32_t)getpid(), .start = 0x10000, .length = 1 << 30, .path = exe};
	uint64_t offset;

	CHECK(readlink("/proc/self/exe", exe, sizeof(exe) - 1) > 0);
	offset = proc_images_entry(&map) - map.start;
	CHECK(offset > 0 && offset < map.length);
	map.length = offset;
	CHECK_U64(proc_images_entry(&map), 0);
	map.length = offset + 1;
	CHECK_U64(proc_images_entry(&map), map.start + offset);
	map.file_offset = offset;
	CHECK_U64(proc_images_entry(&map), map.start);
	map.file_offset = offset + 1;
	CHECK_U64(proc_images_entry(&map), 0);
}

/* Up to Linux 6.14 the data of CPUs begins at 0 on x86-64. */
UNIT(the_kernel_begins_behind_the_data_of_cpus)
{
	struct tree t = tree_new();
	char path[PATH_MAX];
	uint64_t length;

	tree_file(&t, "kallsyms",
		  "0000000000000000 A fixed_percpu_data\n0000000000001000 A cpu_debug_store\n"
		  "ffffffff81000000 T _stext\nffffffff81e00000 T _etext\n");
	CHECK_U64(proc_kernel_code(tree_path(&t, "kallsyms", path), &length), 0xffffffff81000000);
	CHECK_U64(length, 0xe00000);
	tree_file(&t, "kallsyms",
		  "ffffffff81000000 T _stext\nffffffff81e00000 T _etext\n"
		  "ffffffff82500000 T start_kernel\nffffffff82600000 T _einittext\n"
		  "ffffffff82700000 T _etext\n");
	CHECK_U64(proc_kernel_code(path, &length), 0xffffffff81000000);
	CHECK_U64(length, 0x1600000);
	tree_file(&t, "kallsyms",
		  "0000000000000000 A fixed_percpu_data\n0000000000000000 T _stext\n"
		  "ffffffff81000000 T _stext\n");
	CHECK_U64(proc_kernel_code(path, &length), 0);
	tree_free(&t);
}

UNIT_MAIN(UNIT_ENTRY(the_kernel_begins_behind_the_data_of_cpus),
	  UNIT_ENTRY(what_was_read_of_a_file_holds_until_it_changes),
	  UNIT_ENTRY(a_file_that_was_replaced_is_found_as_the_program_of_its_process),
	  UNIT_ENTRY(a_program_begins_in_the_map_that_has_its_entry), UNIT_ENTRY(lists_of_cpus),
	  UNIT_ENTRY(a_stat_is_read_behind_a_name_that_looks_like_one),
	  UNIT_ENTRY(a_child_and_its_child_are_in_the_tree),
	  UNIT_ENTRY(a_child_of_a_thread_is_in_the_tree),
	  UNIT_ENTRY(the_dead_do_not_live_though_they_are_listed),
	  UNIT_ENTRY(a_list_for_which_no_descriptor_is_left_is_an_error),
	  UNIT_ENTRY(this_process_with_its_executable_and_vdso),
	  UNIT_ENTRY(a_process_without_its_first_thread_has_its_maps_still),
	  UNIT_ENTRY(a_process_that_is_gone_leaves_no_trace),
	  UNIT_ENTRY(the_kernel_is_always_mapped), UNIT_ENTRY(the_kernel_has_what_ran_at_boot),
	  UNIT_ENTRY(modules_that_come_and_go_are_mapped_and_unmapped))
