// SPDX-License-Identifier: BSD-2-Clause
/*
 * stepwalk [-v] [-e EVERY] [-m MOST] [-w BYTES] PROGRAM ARGUMENT...: runs a program instruction by
 * instruction, and at each one (EVERYth one, MOST of them at most) compares the call chain that
 * src/unwind finds with the true one.
 *
 * The truth needs no symbols and no CFI: a call is seen to push its return address, a return to
 * take it, a signal to interrupt.  One line per thread and reason why chains ended, and one per
 * place where a chain was wrong, with the first of them in detail (-v: all).
 *
 * Where it is built with libdw ("make agreement"), each chain is compared with that one's as well.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"
#include "unwind/unwind.h"
#ifdef WITH_LIBDW
#include "../../bench/libdw.h"
#endif

enum { FRAMES = 1024, SHOWN = 3, CODE = 16, SIGNAL_FRAME = 400 };

struct options {
	bool verbose;
	size_t window;
	uint64_t every, most;
};

/* ---- What is mapped. */

struct file {
	char *path;
	uint64_t dev, inode, start; /* start: of what is no file */
	struct unwind_image *image;
};

struct map {
	uint64_t start, end, offset;
	bool exec;
	size_t file; /* index into files; SIZE_MAX: none */
};

struct maps {
	VEC(struct map) v;
	bool stale, moved; /* moved: read since libdw was last asked */
};

static VEC(struct file) files;

/* ---- The truth. */

/* A call that has not returned, or an interruption. */
struct call {
	uint64_t ra;	  /* where it goes on */
	uint64_t cfa;	  /* the stack pointer there */
	bool signal;	  /* ra was interrupted, not called from */
	bool other_stack; /* and was on another stack than the handler is */
};

struct thread {
	pid_t pid;
	bool alive;
	bool known, waits; /* its parent has told of it; it has stopped before that */
	enum unwind_machine machine;
	struct maps maps;
	VEC(struct call) calls;
	uint64_t parent_sp; /* calls are copied, for a process that goes on on this stack */
	struct unwind_regs regs, before;
	uint8_t code[CODE]; /* at before.pc */
	int signal;	    /* to deliver */
};

static VEC(struct thread) threads;

/* ---- What came of it. */

struct wrong {
	char place[256];
	uint64_t n;
};

static VEC(struct wrong) wrongs;
static uint64_t steps, compared, ends[UNWIND_ENDS], without_cfi, guessed;
static struct unwind_cache *cache;
static struct options options = {.window = 1 << 20, .every = 1, .most = UINT64_MAX};

static void die(const char *what)
{
	fprintf(stderr, "stepwalk: %s: %s\n", what, strerror(errno));
	exit(99);
}

static ssize_t peek(pid_t pid, uint64_t address, void *buf, size_t n)
{
	struct iovec to = {buf, n}, from = {(void *)(uintptr_t)address, n};

	return process_vm_readv(pid, &to, 1, &from, 1, 0);
}

/* ---- Maps. */

static size_t file_of(const struct thread *t, const char *path, uint64_t dev, uint64_t inode,
		      const struct map *m)
{
	struct file f = {.dev = dev, .inode = inode, .start = inode ? 0 : m->start}, *p;
	char name[64];
	int fd;

	vec_each(p, &files) {
		if (p->dev == dev && p->inode == inode && p->start == f.start &&
		    !strcmp(p->path, path))
			return (size_t)(p - files.v);
	}
	f.path = strdup(path);
	if (!strcmp(path, "[vdso]")) {
		size_t n = (size_t)(m->end - m->start);
		uint8_t *bytes = malloc(n);

		if (peek(t->pid, m->start, bytes, n) == (ssize_t)n)
			f.image = unwind_image_of_memory(path, bytes, n, NULL);
		free(bytes);
	} else {
		snprintf(name, sizeof(name), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, t->pid,
			 m->start, m->end);
		fd = open(name, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0) {
			f.image = unwind_image_open(path, fd, NULL);
			close(fd);
		}
	}
	if (vec_push(&files, f))
		die("files");
	return files.n - 1;
}

static void maps_read(struct thread *t)
{
	char name[64], line[4352], path[4097], perms[8];
	FILE *f;

	t->maps.stale = false;
	t->maps.moved = true;
	t->maps.v.n = 0;
	snprintf(name, sizeof(name), "/proc/%d/maps", t->pid);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f)) {
		struct map m = {.file = SIZE_MAX};
		unsigned int major, minor;
		uint64_t inode;

		path[0] = '\0';
		if (sscanf(line,
			   "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %4096[^\n]",
			   &m.start, &m.end, perms, &m.offset, &major, &minor, &inode, path) < 7)
			continue;
		m.exec = perms[2] == 'x';
		if (m.exec && (path[0] == '/' || !strcmp(path, "[vdso]")))
			m.file = file_of(t, path, (uint64_t)major << 32 | minor, inode, &m);
		if (vec_push(&t->maps.v, m))
			die("maps");
	}
	if (f)
		fclose(f);
}

static const struct map *map_at(struct thread *t, uint64_t address)
{
	const struct map *m;

	if (t->maps.stale)
		maps_read(t);
	vec_each(m, &t->maps.v) {
		if (address >= m->start && address < m->end)
			return m;
	}
	return NULL;
}

static void resolve(void *arg, uint64_t address, struct unwind_place *place)
{
	struct thread *t = arg;
	const struct map *m = map_at(t, address);

	if (!m)
		return;
	place->start = m->start;
	place->end = m->end;
	if (!m->exec)
		return;
	place->code = UNWIND_CODE_JIT;
	if (m->file == SIZE_MAX)
		return;
	place->code = UNWIND_CODE_FILE;
	place->image = files.v[m->file].image;
	if (place->image)
		unwind_image_bias(place->image, m->start,
				  !strcmp(files.v[m->file].path, "[vdso]") ? 0 : m->offset,
				  &place->bias);
}

/* ---- Registers. */

#if defined(__x86_64__)
struct user32 {
	uint32_t bx, cx, dx, si, di, bp, ax, ds, es, fs, gs, orig_ax, ip, cs, flags, sp, ss;
};

static void regs64(const uint64_t *u, struct unwind_regs *r)
{
	/* r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig rip cs flags rsp ss */
	static const uint8_t dwarf[] = {15, 14, 13, 12, 6, 3, 11, 10, 9, 8, 0, 2, 1, 4, 5};
	size_t i;

	for (i = 0; i < sizeof(dwarf); i++)
		r->reg[dwarf[i]] = u[i];
	r->pc = u[16];
	r->reg[7] = u[19];
	r->known = 0xffff;
}

static void regs32(const struct user32 *u, struct unwind_regs *r)
{
	const uint32_t v[8] = {u->ax, u->cx, u->dx, u->bx, u->sp, u->bp, u->si, u->di};
	size_t i;

	for (i = 0; i < 8; i++)
		r->reg[i] = v[i];
	r->pc = u->ip;
	r->known = 0xff;
}
#endif

static bool regs_read(struct thread *t)
{
	uint64_t words[64];
	struct iovec io = {words, sizeof(words)};

	memset(&t->regs, 0, sizeof(t->regs));
	if (ptrace(PTRACE_GETREGSET, t->pid, NT_PRSTATUS, &io))
		return false;
#if defined(__x86_64__)
	t->machine = io.iov_len == sizeof(struct user32) ? UNWIND_X86 : UNWIND_X86_64;
	if (t->machine == UNWIND_X86)
		regs32((const struct user32 *)words, &t->regs);
	else
		regs64(words, &t->regs);
#elif defined(__aarch64__)
	t->machine = UNWIND_ARM64;
	memcpy(t->regs.reg, words, 32 * sizeof(words[0]));
	t->regs.pc = words[32];
	t->regs.known = 0xffffffff;
	t->regs.pac_mask = UNWIND_PAC_48;
#endif
	return true;
}

static uint64_t sp_of(const struct thread *t, const struct unwind_regs *r)
{
	return r->reg[t->machine == UNWIND_X86_64 ? UNWIND_X86_64_RSP
		      : t->machine == UNWIND_X86  ? UNWIND_X86_ESP
						  : UNWIND_ARM64_SP];
}

/* ---- Following calls and returns. */

static uint64_t read_word(const struct thread *t, uint64_t address)
{
	uint64_t v = 0;

	peek(t->pid, address, &v, t->machine == UNWIND_X86 ? 4 : 8);
	return v;
}

/*
 * Whether the instruction that was run is a call, which goes on at *ra.  One of the instruction
 * behind it is how 32-bit code asks where it is: nothing returns from there.
 */
static bool has_called(const struct thread *t, uint64_t *ra)
{
	unsigned int word = t->machine == UNWIND_X86 ? 4 : 8;
	uint64_t sp = sp_of(t, &t->regs), from = t->before.pc;

	if (t->machine == UNWIND_ARM64) {
		uint32_t w;

		memcpy(&w, t->code, sizeof(w));
		*ra = from + 4;
		return (w & 0xfc000000) == 0x94000000 || (w & 0xfffffc1f) == 0xd63f0000 ||
		       (w & 0xfefff800) == 0xd63f0800;
	}
	if (sp != sp_of(t, &t->before) - word)
		return false;
	*ra = read_word(t, sp);
	if (*ra <= from || *ra > from + 15 || *ra == t->regs.pc)
		return false;
	/* E8, or FF with an operand, behind any prefixes. */
	for (size_t i = 0; i < 4; i++) {
		if (t->code[i] == 0xe8 && *ra == from + i + 5)
			return true;
		if (t->code[i] == 0xff && (t->code[i + 1] >> 3 & 7) == 2)
			return true;
		if (t->code[i] < 0x2e)
			return false;
	}
	return false;
}

static void pop_returned(struct thread *t)
{
	uint64_t sp = sp_of(t, &t->regs), pc = t->regs.pc;
	bool next = pc > t->before.pc && pc <= t->before.pc + 15;

	while (t->calls.n) {
		const struct call *c = &t->calls.v[t->calls.n - 1];

		if (c->signal) {
			if (pc != c->ra || sp != c->cfa)
				break;
			t->calls.n--;
			break;
		}
		/* A return, or a jump far up; an address that was only popped still leads back. */
		if ((pc == c->ra && sp == c->cfa) || sp > c->cfa ||
		    (sp == c->cfa && !next && t->machine != UNWIND_ARM64))
			t->calls.n--;
		else
			break;
	}
}

static void call_push(struct thread *t, struct call c)
{
	if (vec_push(&t->calls, c))
		die("calls");
}

/* Whether a handler was entered, instead of the next instruction. */
static bool interrupted(struct thread *t)
{
	uint64_t was = sp_of(t, &t->before), sp = sp_of(t, &t->regs);
	const struct map *m = map_at(t, was), *now = map_at(t, sp);

	/* Nobody may handle the signal; no instruction moves the stack pointer as far. */
	if (!t->signal || was - sp + SIGNAL_FRAME < 2 * SIGNAL_FRAME)
		return false;
	call_push(t, (struct call){.ra = t->before.pc,
				   .cfa = was,
				   .signal = true,
				   .other_stack = m != now || sp > was});
	if (t->machine == UNWIND_ARM64)
		call_push(t, (struct call){.ra = t->regs.reg[30], .cfa = sp});
	else
		call_push(t, (struct call){.ra = read_word(t, sp),
					   .cfa = sp + (t->machine == UNWIND_X86 ? 4 : 8)});
	return true;
}

/* ---- Comparing. */

static void describe(struct thread *t, uint64_t pc, char *buf, size_t size)
{
	const struct map *m = map_at(t, pc);
	const char *path = m && m->file != SIZE_MAX ? files.v[m->file].path : "?";
	const char *base = strrchr(path, '/');
	uint64_t bias = 0;

	if (m && m->file != SIZE_MAX && files.v[m->file].image)
		unwind_image_bias(files.v[m->file].image, m->start, m->offset, &bias);
	snprintf(buf, size, "%s+0x%" PRIx64, base ? base + 1 : path, pc - bias);
}

static void show(struct thread *t, const struct unwind_frame *frames, size_t n, enum unwind_end end)
{
	size_t i, want = t->calls.n + 1;
	char at[256];

	printf("# step %" PRIu64 " sp 0x%" PRIx64 ", ended: %s\n", steps, sp_of(t, &t->regs),
	       unwind_end_name(end));
	for (i = 0; i < n || i < want; i++) {
		uint64_t pc = i < n ? frames[i].pc : 0;
		uint64_t truth = i >= want ? 0 : i ? t->calls.v[want - 1 - i].ra : t->regs.pc;

		if (pc == truth && i > 20 && i + 5 < want)
			continue;
		describe(t, truth, at, sizeof(at));
		printf("# %s %zu: true 0x%" PRIx64 " %s, found 0x%" PRIx64 " cfa 0x%" PRIx64
		       " how %d\n",
		       pc == truth ? " " : "*", i, truth, at, pc, i < n ? frames[i].cfa : 0,
		       i < n ? frames[i].how : 0);
	}
}

static bool has_cfi(struct thread *t, const struct unwind_frame *f)
{
	struct unwind_place p = {0};
	uint64_t start, end;

	resolve(t, f->pc - !f->exact, &p);
	return p.image && unwind_image_function(p.image, f->pc - !f->exact - p.bias, &start, &end);
}

static void count_wrong(struct thread *t, const struct unwind_frame *frames, size_t n,
			enum unwind_end end, uint64_t culprit)
{
	struct wrong w = {.n = 1}, *p;
	char at[200];

	describe(t, culprit, at, sizeof(at));
	snprintf(w.place, sizeof(w.place), "%s: %s", at, unwind_end_name(end));
	vec_each(p, &wrongs) {
		if (!strcmp(p->place, w.place)) {
			p->n++;
			return;
		}
	}
	if (wrongs.n < SHOWN || options.verbose)
		show(t, frames, n, end);
	if (wrongs.n < 4096 && vec_push(&wrongs, w))
		die("wrongs");
}

static size_t window_read(struct thread *t, uint8_t *buf)
{
	uint64_t sp = sp_of(t, &t->regs);
	const struct map *m = map_at(t, sp);
	size_t n = m ? (size_t)(m->end - sp) : 0;
	ssize_t got;

	if (n > options.window)
		n = options.window;
	got = n ? peek(t->pid, sp, buf, n) : 0;
	return got > 0 ? (size_t)got : 0;
}

#ifdef WITH_LIBDW
static VEC(struct wrong) differences;
static uint64_t agreed;

static uint64_t true_pc(const struct thread *t, size_t i)
{
	return i ? t->calls.v[t->calls.n - i].ra : t->regs.pc;
}

static bool is_true(const struct thread *t, const uint64_t *pcs, size_t n)
{
	size_t i;

	for (i = 0; i < n && i <= t->calls.n && pcs[i] == true_pc(t, i);)
		i++;
	return i == n && n == t->calls.n + 1;
}

/* Counts where libdw's chain of the same registers and stack is another one, and which is true. */
static void agree(struct thread *t, const struct unwind_job *job, size_t n)
{
	static uint64_t ours[FRAMES], theirs[FRAMES];
	struct wrong w = {.n = 1}, *p;
	char at[200];
	size_t i, m = libdw_chain(t->pid, t->maps.moved, &t->regs, &job->window, theirs, FRAMES);

	t->maps.moved = false;
	for (i = 0; i < n; i++)
		ours[i] = job->frames[i].pc;
	for (i = 0; i < n && i < m && ours[i] == theirs[i];)
		i++;
	if (i == n && i == m) {
		agreed++;
		return;
	}
	describe(t, true_pc(t, i ? i - 1 : 0), at, sizeof(at));
	snprintf(w.place, sizeof(w.place), "%s: %s, libdw %s there", at,
		 is_true(t, ours, n)	 ? "ours is true"
		 : is_true(t, theirs, m) ? "libdw's is true"
					 : "neither is true",
		 i == m	  ? "ends"
		 : i == n ? "goes on"
			  : "has another caller");
	vec_each(p, &differences) {
		if (!strcmp(p->place, w.place)) {
			p->n++;
			return;
		}
	}
	if (vec_push(&differences, w))
		die("differences");
}

static void show_agreement(void)
{
	const struct wrong *d;

	printf("as libdw %" PRIu64 " of %" PRIu64 "\n", agreed, compared);
	vec_each(d, &differences) {
		printf("differ %" PRIu64 " at %s\n", d->n, d->place);
	}
}
#endif

static void compare(struct thread *t)
{
	static struct unwind_frame frames[FRAMES];
	static uint8_t *stack;
	struct unwind_job job = {.machine = t->machine,
				 .regs = &t->regs,
				 .resolve = resolve,
				 .resolve_arg = t,
				 .cache = cache,
				 .frames = frames,
				 .max = FRAMES};
	size_t n, i, want = t->calls.n + 1;
	enum unwind_end end;

	if (!stack && !(stack = malloc(options.window)))
		die("stack");
	job.window.address = sp_of(t, &t->regs);
	job.window.bytes = stack;
	job.window.length = window_read(t, stack);
	n = unwind_chain(&job, &end);
	ends[end]++;
	compared++;
#ifdef WITH_LIBDW
	agree(t, &job, n);
#endif
	for (i = 1; i < n && i < want; i++) {
		const struct call *c = &t->calls.v[want - 1 - i];
		/* So is what a handler returns to. */
		bool exact = c->signal || (i + 1 < want && c[-1].signal);

		if (frames[i].pc != c->ra || frames[i - 1].cfa != c->cfa ||
		    frames[i].exact != exact)
			break;
		/* What was interrupted on another stack is not in the window. */
		if (c->other_stack && i + 1 == n && end == UNWIND_WINDOW)
			return;
	}
	if (i == n && i == want && end == UNWIND_COMPLETE)
		return;
	if (i == n && end == UNWIND_NO_RULE && !has_cfi(t, &frames[n - 1]))
		without_cfi++;
	else if (i < n && frames[i].how == UNWIND_HOW_FP)
		guessed++;
	else
		count_wrong(t, frames, n, end, frames[i - 1].pc);
}

/* ---- Running. */

static struct thread *thread_of(pid_t pid)
{
	struct thread *t;

	vec_each(t, &threads) {
		if (t->pid == pid && t->alive)
			return t;
	}
	if (vec_push(&threads, (struct thread){.pid = pid, .alive = true, .maps.stale = true}))
		die("threads");
	return &threads.v[threads.n - 1];
}

/* A new thread begins with nothing; what vfork(2) makes is where its parent was. */
static void born(struct thread *parent, int event)
{
	struct thread *child;
	unsigned long pid;
	size_t i, at = (size_t)(parent - threads.v);

	if (ptrace(PTRACE_GETEVENTMSG, parent->pid, NULL, &pid))
		return;
	child = thread_of((pid_t)pid);
	parent = &threads.v[at];
	child->known = true;
	child->parent_sp = sp_of(parent, &parent->before);
	if (event != PTRACE_EVENT_CLONE)
		for (i = 0; i < parent->calls.n; i++)
			call_push(child, parent->calls.v[i]);
	if (child->waits)
		ptrace(PTRACE_SINGLESTEP, child->pid, NULL, NULL);
}

static void stepped(struct thread *t)
{
	uint64_t ra;

	if (!regs_read(t))
		return;
	/* Stopped first behind its first instruction, which may have pushed a word. */
	if (!t->before.pc && t->parent_sp && t->parent_sp - sp_of(t, &t->regs) > 8)
		t->calls.n = 0;
	if (t->before.pc) {
		if (t->machine != UNWIND_ARM64 &&
		    ((t->code[0] == 0x0f && (t->code[1] == 0x05 || t->code[1] == 0x34)) ||
		     (t->code[0] == 0xcd && t->code[1] == 0x80)))
			t->maps.stale = true;
		if (t->machine == UNWIND_ARM64 && !memcmp(t->code, "\x01\0\0\xd4", 4))
			t->maps.stale = true;
		pop_returned(t);
		if (!interrupted(t) && has_called(t, &ra))
			call_push(t, (struct call){.ra = ra,
						   .cfa = sp_of(t, t->machine == UNWIND_ARM64
									   ? &t->regs
									   : &t->before)});
	}
	t->signal = 0;
	memset(t->code, 0, sizeof(t->code));
	peek(t->pid, t->regs.pc, t->code, sizeof(t->code));
	t->before = t->regs;
	if (++steps % options.every == 0 && compared < options.most)
		compare(t);
}

/* Handles one stop; false: the thread is gone. */
static bool stopped(struct thread *t, int status)
{
	int event = status >> 16;

	if (WIFEXITED(status) || WIFSIGNALED(status)) {
		t->alive = false;
		return false;
	}
	if (event == PTRACE_EVENT_EXEC) {
		t->calls.n = 0;
		t->before.pc = 0;
		t->maps.stale = true;
		return true;
	}
	if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_VFORK ||
	    event == PTRACE_EVENT_FORK) {
		born(t, event);
		return true;
	}
	if (event)
		return true;
	if (WSTOPSIG(status) == SIGTRAP) {
		stepped(t);
	} else if (WSTOPSIG(status) != SIGSTOP) {
		t->signal = WSTOPSIG(status);
	}
	return true;
}

static void trace(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		struct thread *t = thread_of(pid);
		size_t at = (size_t)(t - threads.v);

		if (!t->known && WIFSTOPPED(status)) {
			t->waits = true;
			continue;
		}
		if (!stopped(t, status))
			continue;
		/* The others end with this one. */
		if (compared >= options.most)
			return;
		t = &threads.v[at];
		ptrace(PTRACE_SINGLESTEP, pid, NULL, (void *)(intptr_t)t->signal);
	}
}

static pid_t start(char **argv)
{
	const long events = PTRACE_O_TRACECLONE | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEFORK |
			    PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	pid_t pid = fork();
	int status;

	if (pid < 0)
		die("fork");
	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(77);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) {
		fprintf(stderr, "stepwalk: %s cannot be traced\n", argv[0]);
		exit(WIFEXITED(status) && WEXITSTATUS(status) == 77 ? 77 : 99);
	}
	ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)events);
	return pid;
}

int main(int argc, char **argv)
{
	const struct wrong *w;
	pid_t pid;
	int c;
	size_t i;

	while ((c = getopt(argc, argv, "+ve:m:w:")) != -1) {
		if (c == 'v')
			options.verbose = true;
		else if (c == 'e')
			options.every = strtoull(optarg, NULL, 0);
		else if (c == 'm')
			options.most = strtoull(optarg, NULL, 0);
		else if (c == 'w')
			options.window = strtoul(optarg, NULL, 0);
		else
			return 64;
	}
	if (optind == argc || !options.every)
		return 64;
	cache = unwind_cache_new();
	if (!cache)
		die("cache");
	pid = start(argv + optind);
	thread_of(pid)->known = true;
	stepped(thread_of(pid));
	ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
	trace();
	printf("steps %" PRIu64 "\n", steps);
	for (i = 0; i < UNWIND_ENDS; i++)
		if (ends[i])
			printf("%s %" PRIu64 "\n", unwind_end_name((enum unwind_end)i), ends[i]);
	printf("without CFI %" PRIu64 "\nwrong by frame pointer %" PRIu64 "\n", without_cfi,
	       guessed);
	vec_each(w, &wrongs) {
		printf("wrong %" PRIu64 " at %s\n", w->n, w->place);
	}
#ifdef WITH_LIBDW
	show_agreement();
#endif
	return wrongs.n != 0;
}
