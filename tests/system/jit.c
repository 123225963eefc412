// SPDX-License-Identifier: BSD-2-Clause
/*
 * The least JIT compiler: jit_loop, which runs for the CPU time that its argument says, calls
 * jit_leaf, both made at run time, with frame pointers, and named in /tmp/perf-PID.map; or
 * jit_call, which has none where Python's trampolines have none, calls work.  Tells its pid.
 *
 *	jit SECONDS [fork|exec|memfd|call]
 */
#define _GNU_SOURCE /* memfd_create() */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
/* push rbp; mov rbp,rsp; mov ecx,100000; 1: dec ecx; jnz 1b; pop rbp; ret */
static const uint8_t leaf[] = {0x55, 0x48, 0x89, 0xe5, 0xb9, 0xa0, 0x86, 0x01,
			       0x00, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3};
/* push rbp; mov rbp,rsp; mov eax,edi; push rax; push rax; 1: call leaf; dec dword [rsp]; jnz 1b;
 * pop rax; pop rax; pop rbp; ret */
static const uint8_t loop[] = {0x55, 0x48, 0x89, 0xe5, 0x89, 0xf8, 0x50, 0x50, 0xe8, 0xf3, 0xff,
			       0xff, 0xff, 0xff, 0x0c, 0x24, 0x75, 0xf6, 0x58, 0x58, 0x5d, 0xc3};
/* sub rsp,8; call rdi; add rsp,8; ret */
static const uint8_t call[] = {0x48, 0x83, 0xec, 0x08, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x08, 0xc3};
enum { LOOP_AT = 0x40, CALL_AT = 9, TRAMPOLINE_AT = 0x80 };

/* The displacement of the call to the leaf, which lies at the start. */
static void link_code(uint8_t *code)
{
	int32_t to = -(LOOP_AT + CALL_AT + 4);

	memcpy(code + LOOP_AT + CALL_AT, &to, sizeof(to));
}
#elif defined(__aarch64__)
/* stp x29,x30,[sp,-16]!; mov x29,sp; mov w1,#0xffff; 1: subs w1,w1,#1; b.ne 1b; ldp; ret */
static const uint32_t leaf[] = {0xa9bf7bfd, 0x910003fd, 0x529fffe1, 0x71000421,
				0x54ffffe1, 0xa8c17bfd, 0xd65f03c0};
/* stp x29,x30,[sp,-32]!; mov x29,sp; str w0,[sp,16]; 1: bl leaf; ldr w0,[sp,16];
 * subs w0,w0,#1; str w0,[sp,16]; b.ne 1b; ldp x29,x30,[sp],32; ret */
static const uint32_t loop[] = {0xa9be7bfd, 0x910003fd, 0xb90013e0, 0x97ffffed, 0xb94013e0,
				0x71000400, 0xb90013e0, 0x54ffff81, 0xa8c27bfd, 0xd65f03c0};
/* stp x29,x30,[sp,-16]!; mov x29,sp; blr x0; ldp; ret */
static const uint32_t call[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0};
enum { LOOP_AT = 0x40, TRAMPOLINE_AT = 0x80 };

static void link_code(uint8_t *code)
{
	(void)code;
}
#else
#error "no code for this machine"
#endif

typedef void (*compiled)(uint32_t rounds);
typedef void (*trampoline)(void (*function)(void));

static void work(void)
{
	volatile unsigned int i;

	for (i = 0; i < 100000; i++)
		;
}

static trampoline behind(compiled run)
{
	trampoline to;
	uintptr_t at;

	memcpy(&at, &run, sizeof(at));
	at += TRAMPOLINE_AT - LOOP_AT;
	memcpy(&to, &at, sizeof(to));
	return to;
}

static compiled compile(bool from_file)
{
	int fd = from_file ? memfd_create("code", 0) : -1;
	uint8_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			     fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
	compiled run;
	void *at;

	if (code == MAP_FAILED || (from_file && ftruncate(fd, 4096)))
		exit(1);
	memcpy(code, leaf, sizeof(leaf));
	memcpy(code + LOOP_AT, loop, sizeof(loop));
	memcpy(code + TRAMPOLINE_AT, call, sizeof(call));
	link_code(code);
	__builtin___clear_cache((char *)code, (char *)code + 4096);
	at = code + LOOP_AT;
	memcpy(&run, &at, sizeof(run));
	return run;
}

static void write_map(compiled run)
{
	char path[64];
	uintptr_t at;
	FILE *f;

	memcpy(&at, &run, sizeof(at));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "w");
	if (!f)
		exit(1);
	fprintf(f, "%lx 1000 jit_page\n", (unsigned long)(at - LOOP_AT));
	fprintf(f, "%lx %zx jit_leaf\n", (unsigned long)(at - LOOP_AT), sizeof(leaf));
	fprintf(f, "%lx %zx jit_loop\n", (unsigned long)at, sizeof(loop));
	at += TRAMPOLINE_AT - LOOP_AT;
	fprintf(f, "%lx %zx jit_call\n", (unsigned long)at, sizeof(call));
	fclose(f);
}

int main(int argc, char *argv[])
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	const char *how = argc > 2 ? argv[2] : "";
	compiled run;

	run = compile(!strcmp(how, "memfd"));
	write_map(run);
	printf("%d\n", getpid());
	fflush(stdout);
	if (!strcmp(how, "fork") && fork()) {
		wait(NULL);
		return 0;
	}
	while (clock() < seconds * CLOCKS_PER_SEC) {
		if (!strcmp(how, "call"))
			behind(run)(work);
		else
			run(10);
	}
	if (!strcmp(how, "exec"))
		execl("/bin/sh", "sh", "-c", "exit 0", (char *)NULL);
	return 0;
}
