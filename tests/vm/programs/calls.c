// SPDX-License-Identifier: BSD-2-Clause
/*
 * calls N: calls the function known() and getppid(2) N times each.
 * calls offset: prints where known() is in this file, for a uprobe.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void known(void);

static volatile unsigned int times;

__attribute__((noinline)) void known(void)
{
	times++;
}

static int print_offset(void)
{
	uint64_t at = (uintptr_t)known, start, end, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 && at >= start &&
		    at < end)
			printf("0x%lx\n", at - start + offset);
	return !maps || fclose(maps);
}

int main(int argc, char **argv)
{
	unsigned long i, n = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;

	if (argc > 1 && !strcmp(argv[1], "offset"))
		return print_offset();
	for (i = 0; i < n; i++) {
		known();
		syscall(SYS_getppid);
	}
	return 0;
}
