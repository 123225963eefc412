// SPDX-License-Identifier: BSD-2-Clause
/*
 * mapper [FILE]: without FILE, pages of code at ever higher addresses, each gone when so many more
 * are there, and the file "maps" before the first goes; with FILE, a thread that maps it, which may
 * never be done.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOWEST 0x100000000000ul
#define STEPS  (1ul << 28)
#define THERE  1000

static size_t page;

static unsigned char *place(uint64_t step)
{
	return (unsigned char *)(LOWEST + step * 2 * page);
}

/* Of its program: that memory without a file goes is not told. */
static void climb(void)
{
	int fd = open("/proc/self/exe", O_RDONLY), maps;
	uint64_t step;

	for (step = 0; step < STEPS; step++) {
		if (mmap(place(step), page, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
			return;
		if (step == THERE) {
			maps = open("maps", O_CREAT | O_WRONLY, 0644);
			if (maps < 0 || close(maps))
				return;
		}
		if (step >= THERE)
			munmap(place(step - THERE), page);
	}
}

static void *map_file(void *path)
{
	int fd = open(path, O_RDONLY);

	if (fd >= 0)
		mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, 0);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	page = (size_t)sysconf(_SC_PAGESIZE);
	if (argc == 1)
		climb();
	else if (pthread_create(&thread, NULL, map_file, argv[1]))
		return 71;
	for (;;)
		pause();
}
