// SPDX-License-Identifier: BSD-2-Clause
/* maps: executable memory that comes and goes; writes what pmclog dump is to say of it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char self[4096];

static unsigned char *map(int fd, int prot, size_t length)
{
	void *p = mmap(NULL, length, prot, MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);

	if (p == MAP_FAILED)
		exit(71);
	return p;
}

static void comes(const void *start, const char *path)
{
	printf("map-in 0x%lx \"%s\"\n", (unsigned long)start, path);
}

static void goes(unsigned char *start, size_t length)
{
	printf("map-out 0x%lx 0x%lx\n", (unsigned long)start, (unsigned long)(start + length));
	munmap(start, length);
}

int main(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open("/proc/self/exe", O_RDONLY);
	unsigned char *p, *q, *data;

	if (fd < 0 || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 71;
	p = map(fd, PROT_READ | PROT_EXEC, 4 * page);
	comes(p, self);
	q = map(-1, PROT_READ | PROT_EXEC, page);
	comes(q, "//anon");
	/* Data is nobody's business until it becomes code. */
	data = map(fd, PROT_READ, page);
	munmap(data, page);
	data = map(fd, PROT_READ | PROT_WRITE, page);
	mprotect(data, page, PROT_READ | PROT_EXEC);
	comes(data, self);
	/* The middle of a map goes, then what is left of it. */
	goes(p + page, page);
	goes(p, page);
	goes(p + 2 * page, 2 * page);
	goes(data, page);
	return 0;
}
