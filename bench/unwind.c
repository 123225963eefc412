// SPDX-License-Identifier: BSD-2-Clause
/*
 * unwind [FILE...]: what a chain of its own costs, with a warm cache and without one, and what the
 * first rule of each file costs.  With -n N it walks N warm chains and says nothing: for
 * valgrind --tool=callgrind.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "unwind/unwind.h"

enum { FRAMES = 128, MAPS = 256, DEPTH = 30, STACK = 65536 };

struct mapping {
	uint64_t start, end, bias;
	struct unwind_image *image;
};

struct process {
	struct mapping map[MAPS];
	size_t maps;
	struct unwind_regs regs;
	uint8_t stack[STACK];
	size_t length;
};

static struct process self;

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void maps_read(void)
{
	char line[4352], path[4097], perms[8];
	uint64_t offset, end = 0;
	FILE *f = fopen("/proc/self/maps", "re");
	uint64_t sp = (uint64_t)(uintptr_t)&line;

	while (f && fgets(line, sizeof(line), f)) {
		struct mapping *m = &self.map[self.maps];
		int fd;

		path[0] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %4096[^\n]",
			   &m->start, &m->end, perms, &offset, path) < 4)
			continue;
		if (sp >= m->start && sp < m->end)
			end = m->end;
		if (perms[2] != 'x' || path[0] != '/' || self.maps == MAPS)
			continue;
		fd = open(path, O_RDONLY | O_CLOEXEC);
		m->image = fd < 0 ? NULL : unwind_image_open(path, fd, NULL);
		if (m->image && !unwind_image_bias(m->image, m->start, offset, &m->bias))
			self.maps++;
		if (fd >= 0)
			close(fd);
	}
	if (f)
		fclose(f);
	self.length = end;
}

static void resolve(void *arg, uint64_t address, struct unwind_place *place)
{
	size_t i;

	(void)arg;
	for (i = 0; i < self.maps; i++) {
		const struct mapping *m = &self.map[i];

		if (address - m->start < m->end - m->start)
			*place = (struct unwind_place){m->start, m->end, m->bias, m->image,
						       UNWIND_CODE_FILE};
	}
}

/* Registers and stack at the bottom of a deep recursion. */
__attribute__((noinline)) static unsigned int descend(unsigned int n)
{
	ucontext_t u;
	volatile unsigned int sum;
	uint64_t sp;

	if (n) {
		sum = descend(n - 1);
		return sum + 1;
	}
	getcontext(&u);
#if defined(__x86_64__)
	sp = (uint64_t)u.uc_mcontext.gregs[REG_RSP];
	self.regs.pc = (uint64_t)u.uc_mcontext.gregs[REG_RIP];
	self.regs.reg[UNWIND_X86_64_RSP] = sp;
	self.regs.reg[UNWIND_X86_64_RBP] = (uint64_t)u.uc_mcontext.gregs[REG_RBP];
	self.regs.reg[UNWIND_X86_64_RBX] = (uint64_t)u.uc_mcontext.gregs[REG_RBX];
#elif defined(__aarch64__)
	sp = u.uc_mcontext.sp;
	memcpy(self.regs.reg, u.uc_mcontext.regs, 31 * sizeof(uint64_t));
	self.regs.pc = u.uc_mcontext.pc;
	self.regs.reg[UNWIND_ARM64_SP] = sp;
	self.regs.pac_mask = UNWIND_PAC_48;
#endif
	self.regs.known = UINT64_MAX;
	self.length = self.length - sp < STACK ? (size_t)(self.length - sp) : STACK;
	memcpy(self.stack, (const void *)(uintptr_t)sp, self.length);
	return (unsigned int)sp;
}

/* Walks n chains: their frames. */
static size_t chains(struct unwind_cache *cache, unsigned int n, enum unwind_end *end)
{
	static struct unwind_frame frames[FRAMES];
	struct unwind_job job = {
#if defined(__aarch64__)
		.machine = UNWIND_ARM64,
		.window.address = self.regs.reg[UNWIND_ARM64_SP],
#else
		.machine = UNWIND_X86_64,
		.window.address = self.regs.reg[UNWIND_X86_64_RSP],
#endif
		.regs = &self.regs,
		.window.bytes = self.stack,
		.window.length = self.length,
		.resolve = resolve,
		.cache = cache,
		.frames = frames,
		.max = FRAMES
	};
	size_t all = 0;

	while (n--)
		all += unwind_chain(&job, end);
	return all;
}

static void report(const char *what, struct unwind_cache *cache, unsigned int n)
{
	enum unwind_end end;
	double from = seconds(), took;
	size_t frames = chains(cache, n, &end);

	took = seconds() - from;
	printf("%-34s %8.1f ns a frame, %6.1f M frames/s (%zu frames, %s)\n", what,
	       took / (double)frames * 1e9, (double)frames / took / 1e6, frames / n,
	       unwind_end_name(end));
}

static void open_file(const char *path)
{
	const struct unwind_segment *s;
	struct unwind_image *image;
	struct unwind_rule rule;
	struct err err;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	double from = seconds();
	size_t n;

	image = fd < 0 ? NULL : unwind_image_open(path, fd, &err);
	if (image && (s = unwind_image_segments(image, &n)) && n) {
		unwind_image_rule(image, s->vaddr + s->length / 2, &rule);
		printf("%-34s %8.2f ms to the first rule\n", path, (seconds() - from) * 1e3);
	}
	unwind_image_free(image);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	struct unwind_cache *cache = unwind_cache_new();
	enum unwind_end end;
	unsigned int n = 0;
	int i = 1;

	if (argc > 2 && !strcmp(argv[1], "-n")) {
		n = (unsigned int)strtoul(argv[2], NULL, 0);
		i = 3;
	}
	maps_read();
	if (!cache || !descend(DEPTH))
		return 70;
	chains(cache, 1, &end);
	if (n)
		return chains(cache, n, &end) ? 0 : 70;
	report("chains, warm cache", cache, 200000);
	report("chains, every frame a miss", NULL, 4000);
	for (; i < argc; i++)
		open_file(argv[i]);
	unwind_cache_free(cache);
	return 0;
}
