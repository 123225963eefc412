// SPDX-License-Identifier: BSD-2-Clause
/*
 * mkperf FILE <TEXT: what perf record writes, from readable text.  One thing a line:
 *
 *	pipe			as to a pipe: all that is said of it comes in records
 *	event NAME [type=] [config=] [hz=|period=] [sample=PART,...] [ids=N,...] [depth=] [regs=]
 *		[stack=] [format=] [user]
 *	host|release|arch|cpuid|command TEXT
 *	build-id PATH HEX
 *	clock WALL TIME		what time of day it is then, ns
 *	mmap PID START LENGTH PATH [off=]		PID kernel: -1
 *	mmap2 PID START LENGTH PATH [off=] [inode=] [build-id=HEX]
 *	comm PID[/TID] NAME [exec]
 *	fork PARENT PID[/TID]
 *	exit PID[/TID]
 *	sample PID[/TID] k|u|K|U IP [chain=WORD,...] [period=] [regs=N,...] [stack=N,...] [abi=]
 *		K and U: of a guest; words k and u of a chain: of whom the frames behind are
 *	lost N | lost-samples N | throttle ID | unthrottle ID
 *	place ID:CPU:TID ...	TID -1: of the CPU
 *	round			the end of one
 *	record TYPE [WORD ...]	any other
 *	pack | packed		what is between is compressed by zstd
 *	poke OFFSET uBITS:N	of what there is in the end
 *	cut N			likewise, to so many bytes
 *
 * Records end in time= cpu= id= misc=; the parts are those of PERF_SAMPLE_* in lower case.
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/vec.h"

enum { EVENTS = 8, IDS = 8, WORDS = 128, FEATURES = 32 };

typedef VEC(uint8_t) bytes;

struct event {
	struct perf_event_attr attr;
	char name[64];
	uint64_t ids[IDS];
	size_t nids;
};

static struct event events[EVENTS];
static size_t nevents;
static bytes data, plain, feature[FEATURES];
static bool is_pipe, is_packing;
static char *args[WORDS]; /* words of the line in hand */
static size_t nargs;
static int line;

static void fail(const char *what)
{
	fprintf(stderr, "mkperf: line %d: %s\n", line, what);
	exit(1);
}

static void put(bytes *b, const void *p, size_t n)
{
	if (vec_reserve(b, b->n + n))
		fail("no memory");
	memcpy(b->v + b->n, p, n);
	b->n += n;
}

static void put64(bytes *b, uint64_t v)
{
	put(b, &v, sizeof(v));
}

static void put32(bytes *b, uint32_t v)
{
	put(b, &v, sizeof(v));
}

/* A text with its NUL, and NULs to a multiple of 8. */
static void put_text(bytes *b, const char *text)
{
	static const char zeros[8];

	put(b, text, strlen(text) + 1);
	put(b, zeros, -(strlen(text) + 1) & 7);
}

/* A text with its length before it. */
static void put_string(bytes *b, const char *text)
{
	put32(b, (uint32_t)((strlen(text) + 8) & ~(size_t)7));
	put_text(b, text);
}

/* The value of KEY=VALUE; NULL. */
static char *option(const char *key)
{
	size_t i, n = strlen(key);

	for (i = 1; i < nargs; i++)
		if (!strncmp(args[i], key, n) && args[i][n] == '=')
			return args[i] + n + 1;
	return NULL;
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t v = !text ? 0 : strtoull(text, &end, 0);

	if (text && *end && *end != '/' && *end != ',' && *end != ':')
		fail(text);
	return v;
}

static uint64_t number_of(const char *key)
{
	return number(option(key));
}

static bool has_word(const char *word)
{
	size_t i;

	for (i = 1; i < nargs; i++)
		if (!strcmp(args[i], word))
			return true;
	return false;
}

static const char *arg(size_t i)
{
	if (i >= nargs)
		fail("too few words");
	return args[i];
}

/* Hexadecimal bytes, at most 20. */
static size_t hex(const char *text, uint8_t *to)
{
	size_t n;
	unsigned int v;

	for (n = 0; n < 20 && sscanf(text + 2 * n, "%2x", &v) == 1; n++)
		to[n] = (uint8_t)v;
	return n;
}

/* The words of a list, n of them at most. */
static size_t list(const char *text, uint64_t *to, size_t max)
{
	size_t n = 0;

	for (; text && *text && n < max; text += strcspn(text, ","), text += *text == ',') {
		to[n++] = *text == 'k'	 ? (uint64_t)PERF_CONTEXT_KERNEL
			  : *text == 'u' ? (uint64_t)PERF_CONTEXT_USER
			  : *text == 'g' ? (uint64_t)PERF_CONTEXT_GUEST_KERNEL
					 : number(text);
	}
	return n;
}

/* ---- Records. */

static struct event *event_of(uint64_t id)
{
	size_t i, k;

	for (i = 0; i < nevents; i++)
		for (k = 0; k < events[i].nids; k++)
			if (events[i].ids[k] == id)
				return &events[i];
	return &events[0];
}

static void put_record(uint32_t type, uint16_t misc, const bytes *body)
{
	struct perf_event_header h = {.type = type, .misc = misc, .size = (uint16_t)(8 + body->n)};
	bytes *to = is_packing ? &plain : &data;

	put(to, &h, sizeof(h));
	if (body->n)
		put(to, body->v, body->n);
}

static void put_pid(bytes *b, const char *text)
{
	const char *slash = strchr(text, '/');
	uint32_t pid = strcmp(text, "kernel") ? (uint32_t)number(text) : UINT32_MAX;

	put32(b, pid);
	put32(b, slash ? (uint32_t)number(slash + 1) : pid);
}

/* A record of the kernel that is no sample, with its ids. */
static void put_side(uint32_t type, uint16_t misc, bytes *body)
{
	const struct event *e = event_of(number_of("id"));
	uint64_t type_of = e->attr.sample_type;

	if (type_of & PERF_SAMPLE_TID)
		put_pid(body, nargs > 1 && args[1][0] >= '0' && args[1][0] <= '9' ? args[1] : "0");
	if (type_of & PERF_SAMPLE_TIME)
		put64(body, number_of("time"));
	if (type_of & PERF_SAMPLE_ID)
		put64(body, number_of("id"));
	if (type_of & PERF_SAMPLE_STREAM_ID)
		put64(body, number_of("id"));
	if (type_of & PERF_SAMPLE_CPU)
		put64(body, number_of("cpu"));
	if (type_of & PERF_SAMPLE_IDENTIFIER)
		put64(body, number_of("id"));
	put_record(type, misc | (uint16_t)number_of("misc"), body);
	vec_free(body);
}

static void put_list(bytes *b, const char *key, bool counted)
{
	uint64_t words[WORDS];
	size_t n = list(option(key), words, WORDS), i;

	if (counted)
		put64(b, n);
	for (i = 0; i < n; i++)
		put64(b, words[i]);
}

static void put_stack(bytes *b)
{
	uint64_t words[WORDS];
	size_t n = list(option("stack"), words, WORDS);

	put64(b, n * 8);
	put_list(b, "stack", false);
	if (n)
		put64(b, option("used") ? number_of("used") : n * 8);
}

static void do_sample(void)
{
	static const char modes[] = "?ku?KU";
	const struct event *e = event_of(number_of("id"));
	uint64_t type = e->attr.sample_type;
	const char *mode = strchr(modes, arg(2)[0]);
	bytes b = {0};

	if (type & PERF_SAMPLE_IDENTIFIER)
		put64(&b, number_of("id"));
	if (type & PERF_SAMPLE_IP)
		put64(&b, number(arg(3)));
	if (type & PERF_SAMPLE_TID)
		put_pid(&b, arg(1));
	if (type & PERF_SAMPLE_TIME)
		put64(&b, number_of("time"));
	if (type & PERF_SAMPLE_ADDR)
		put64(&b, 0xadd);
	if (type & PERF_SAMPLE_ID)
		put64(&b, number_of("id"));
	if (type & PERF_SAMPLE_STREAM_ID)
		put64(&b, number_of("id"));
	if (type & PERF_SAMPLE_CPU)
		put64(&b, number_of("cpu"));
	if (type & PERF_SAMPLE_PERIOD)
		put64(&b, number_of("period"));
	if (type & PERF_SAMPLE_READ)
		put_list(&b, "read", false);
	if (type & PERF_SAMPLE_CALLCHAIN)
		put_list(&b, "chain", true);
	if (type & PERF_SAMPLE_RAW)
		put_list(&b, "raw", false);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_list(&b, "branches", false);
	if (type & PERF_SAMPLE_REGS_USER) {
		put64(&b, option("abi") ? number_of("abi") : 2);
		put_list(&b, "regs", false);
	}
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(&b);
	if (type & PERF_SAMPLE_WEIGHT)
		put64(&b, 1);
	put_record(PERF_RECORD_SAMPLE, (uint16_t)(mode ? mode - modes : 0), &b);
	vec_free(&b);
}

static void do_map(bool two)
{
	bool kernel = !strcmp(arg(1), "kernel");
	const char *id = two ? option("build-id") : NULL;
	uint8_t raw[24] = {0};
	bytes b = {0};

	put_pid(&b, arg(1));
	put64(&b, number(arg(2)));
	put64(&b, number(arg(3)));
	put64(&b, number_of("off"));
	if (id)
		raw[0] = (uint8_t)hex(id, raw + 4);
	else if (two)
		memcpy(raw + 8, &(uint64_t){number_of("inode")}, 8);
	if (two) {
		put(&b, raw, sizeof(raw));
		put64(&b, 5); /* PROT_READ | PROT_EXEC */
	}
	put_text(&b, arg(4));
	put_side(two ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP,
		 (kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER) |
			 (id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0),
		 &b);
}

static void do_comm(void)
{
	bytes b = {0};

	put_pid(&b, arg(1));
	put_text(&b, arg(2));
	put_side(PERF_RECORD_COMM, has_word("exec") ? PERF_RECORD_MISC_COMM_EXEC : 0, &b);
}

/* Parent and child; of an exit both are the same. */
static void put_task(uint32_t type, const char *parent, const char *child)
{
	const char *tid = strchr(child, '/');
	bytes b = {0};

	put32(&b, (uint32_t)number(child));
	put32(&b, (uint32_t)number(parent));
	put32(&b, (uint32_t)number(tid ? tid + 1 : child));
	put32(&b, (uint32_t)number(parent));
	put64(&b, number_of("time"));
	put_side(type, 0, &b);
}

static void put_words(uint32_t type, size_t n, const uint64_t *words, bool side)
{
	bytes b = {0};
	size_t i;

	for (i = 0; i < n; i++)
		put64(&b, words[i]);
	if (side) {
		put_side(type, 0, &b);
		return;
	}
	put_record(type, (uint16_t)number_of("misc"), &b);
	vec_free(&b);
}

static void do_place(void)
{
	uint64_t words[WORDS] = {nargs - 1}, n = 1;
	size_t i;

	for (i = 1; i < nargs && n + 4 <= WORDS; i++, n += 4) {
		const char *cpu = strchr(arg(i), ':') + 1, *tid = strchr(cpu, ':') + 1;

		words[n] = number(args[i]);
		words[n + 1] = i;
		words[n + 2] = number(cpu);
		words[n + 3] = strcmp(tid, "-1") ? number(tid) : UINT64_MAX;
	}
	put_words(69, n, words, false);
}

static void do_record(void)
{
	uint64_t words[WORDS];
	size_t n = 0, i;

	for (i = 2; i < nargs && !strchr(args[i], '='); i++)
		words[n++] = number(args[i]);
	put_words((uint32_t)number(arg(1)), n, words, false);
}

static void do_packed(void)
{
#ifdef HAVE_LIBZSTD
	static ZSTD_CStream *zstd;
	ZSTD_inBuffer in = {plain.v, plain.n, 0};
	uint8_t room[65000];
	ZSTD_outBuffer out = {room, sizeof(room), 0};
	bytes b = {0};

	if (!zstd)
		zstd = ZSTD_createCStream();
	if (ZSTD_isError(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush)) || in.pos < in.size)
		fail("too much for a record");
	is_packing = false;
	put(&b, room, out.pos);
	put_record(81, 0, &b);
	vec_free(&b);
	plain.n = 0;
#else
	fail("made without zstd");
#endif
}

/* ---- What the file says of itself. */

static uint64_t part_of(const char *name, size_t len)
{
	static const char *const parts[] = {
		"ip",	     "tid",	   "time",   "addr",	  "read",      "callchain",
		"id",	     "cpu",	   "period", "stream_id", "raw",       "branch_stack",
		"regs_user", "stack_user", "weight", "data_src",  "identifier"};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strlen(parts[i]) == len && !strncmp(parts[i], name, len))
			return 1ull << i;
	fail(name);
	return 0;
}

static void do_event(void)
{
	struct event *e = &events[nevents++];
	const char *part = option("sample");

	if (nevents > EVENTS)
		fail("too many events");
	snprintf(e->name, sizeof(e->name), "%s", arg(1));
	e->attr.size = sizeof(e->attr);
	e->attr.type = option("type") ? (uint32_t)number_of("type") : PERF_TYPE_SOFTWARE;
	e->attr.config = number_of("config");
	e->attr.freq = option("hz") != NULL;
	e->attr.sample_period = number(option("hz") ? option("hz") : option("period"));
	for (; part && *part; part += strcspn(part, ","), part += *part == ',')
		e->attr.sample_type |= part_of(part, strcspn(part, ","));
	e->attr.read_format = number_of("format");
	e->attr.branch_sample_type = number_of("branch");
	e->attr.sample_max_stack = (uint16_t)number_of("depth");
	e->attr.sample_regs_user = number_of("regs");
	e->attr.sample_stack_user = (uint32_t)number_of("stack");
	e->attr.exclude_kernel = has_word("user");
	e->attr.sample_id_all = 1;
	e->nids = list(option("ids"), e->ids, IDS);
}

static void do_build_id(void)
{
	struct perf_event_header h = {.type = 67, .misc = 1u << 15};
	uint8_t id[24] = {0};
	bytes *b = &feature[2];

	h.size = (uint16_t)(8 + 4 + 24 + ((strlen(arg(1)) + 8) & ~(size_t)7));
	id[20] = (uint8_t)hex(arg(2), id);
	put(b, &h, sizeof(h));
	put32(b, UINT32_MAX);
	put(b, id, sizeof(id));
	put_text(b, args[1]);
}

static void do_command(void)
{
	size_t i;

	put32(&feature[11], (uint32_t)(nargs - 1));
	for (i = 1; i < nargs; i++)
		put_string(&feature[11], args[i]);
}

static void do_clock(void)
{
	put64(&feature[29], 1 | (uint64_t)1 << 32);
	put64(&feature[29], number(arg(1)));
	put64(&feature[29], number(arg(2)));
}

static void make_event_desc(void)
{
	bytes *b = &feature[12];
	size_t i, k;

	put32(b, (uint32_t)nevents);
	put32(b, sizeof(events[0].attr));
	for (i = 0; i < nevents; i++) {
		put(b, &events[i].attr, sizeof(events[i].attr));
		put32(b, (uint32_t)events[i].nids);
		put_string(b, events[i].name);
		for (k = 0; k < events[i].nids; k++)
			put64(b, events[i].ids[k]);
	}
}

/* ---- The whole. */

static void make_pipe(bytes *all)
{
	bytes rest = data;
	size_t i, k;

	memset(&data, 0, sizeof(data));
	put(all, "PERFILE2", 8);
	put64(all, 16);
	for (i = 0; i < nevents; i++) {
		bytes b = {0};

		put(&b, &events[i].attr, sizeof(events[i].attr));
		for (k = 0; k < events[i].nids; k++)
			put64(&b, events[i].ids[k]);
		put_record(64, 0, &b);
		vec_free(&b);
	}
	for (i = 0; i < FEATURES; i++) {
		bytes b = {0};

		if (!feature[i].n)
			continue;
		if (i == 2) {
			put(&data, feature[i].v, feature[i].n);
			continue;
		}
		put64(&b, i);
		put(&b, feature[i].v, feature[i].n);
		put_record(80, 0, &b);
		vec_free(&b);
	}
	put(all, data.v, data.n);
	if (rest.n)
		put(all, rest.v, rest.n);
	vec_free(&rest);
}

static void make_file(bytes *all)
{
	uint64_t attr_size = sizeof(events[0].attr) + 16, bits = 0, nids = 0, at;
	size_t i, k, nfeatures = 0;

	for (i = 0; i < FEATURES; i++)
		if (feature[i].n) {
			bits |= 1ull << i;
			nfeatures++;
		}
	for (i = 0; i < nevents; i++)
		nids += events[i].nids;
	put(all, "PERFILE2", 8);
	put64(all, 104);
	put64(all, attr_size);
	at = 104 + nids * 8;
	put64(all, at);
	put64(all, attr_size * nevents);
	put64(all, at + attr_size * nevents);
	put64(all, data.n);
	put64(all, 0);
	put64(all, 0);
	put64(all, bits);
	for (i = 0; i < 3; i++)
		put64(all, 0);
	for (i = 0; i < nevents; i++)
		for (k = 0; k < events[i].nids; k++)
			put64(all, events[i].ids[k]);
	for (i = 0, at = 104; i < nevents; at += 8 * events[i++].nids) {
		put(all, &events[i].attr, sizeof(events[i].attr));
		put64(all, at);
		put64(all, 8 * events[i].nids);
	}
	if (data.n)
		put(all, data.v, data.n);
	at = all->n + 16 * nfeatures;
	for (i = 0; i < FEATURES; i++)
		if (feature[i].n) {
			put64(all, at);
			put64(all, feature[i].n);
			at += feature[i].n;
		}
	for (i = 0; i < FEATURES; i++)
		if (feature[i].n)
			put(all, feature[i].v, feature[i].n);
}

struct damage {
	uint64_t offset, value;
	size_t length; /* 0: a cut */
};
static VEC(struct damage) damages;

static void do_damage(void)
{
	struct damage d = {.offset = number(arg(1))};
	const char *colon;

	if (!strcmp(args[0], "poke")) {
		colon = strchr(arg(2), ':');
		if (!colon)
			fail(args[2]);
		d.length = (size_t)atoi(args[2] + 1) / 8;
		d.value = number(colon + 1);
	}
	if (vec_push(&damages, d))
		fail("no memory");
}

/* Texts of one feature each. */
static bool do_text(void)
{
	static const struct {
		const char *word;
		int feature;
	} texts[] = {{"host", 3}, {"release", 4}, {"arch", 6}, {"cpuid", 9}};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(args[0], texts[i].word)) {
			put_string(&feature[texts[i].feature], arg(1));
			return true;
		}
	return false;
}

static bool do_small(void)
{
	uint64_t words[3] = {number_of("time"), nargs > 1 ? number(args[1]) : 0};
	uint64_t lost[] = {number_of("id"), words[1]};
	const char *w = args[0];

	words[2] = words[1];
	if (!strcmp(w, "lost"))
		put_words(PERF_RECORD_LOST, 2, lost, true);
	else if (!strcmp(w, "lost-samples"))
		put_words(PERF_RECORD_LOST_SAMPLES, 1, words + 1, true);
	else if (!strcmp(w, "throttle"))
		put_words(PERF_RECORD_THROTTLE, 3, words, true);
	else if (!strcmp(w, "unthrottle"))
		put_words(PERF_RECORD_UNTHROTTLE, 3, words, true);
	else if (!strcmp(w, "round"))
		put_words(68, 0, words, false);
	else
		return false;
	return true;
}

static void do_line(void)
{
	static const struct {
		const char *word;
		void (*run)(void);
	} words[] = {{"event", do_event}, {"build-id", do_build_id}, {"command", do_command},
		     {"clock", do_clock}, {"comm", do_comm},	     {"sample", do_sample},
		     {"place", do_place}, {"record", do_record},     {"packed", do_packed},
		     {"poke", do_damage}, {"cut", do_damage}};
	const char *w = args[0];
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(w, words[i].word)) {
			words[i].run();
			return;
		}
	if (!strcmp(w, "pipe"))
		is_pipe = true;
	else if (!strcmp(w, "pack"))
		is_packing = true;
	else if (!strcmp(w, "mmap") || !strcmp(w, "mmap2"))
		do_map(w[4]);
	else if (!strcmp(w, "fork"))
		put_task(PERF_RECORD_FORK, arg(1), arg(2));
	else if (!strcmp(w, "exit"))
		put_task(PERF_RECORD_EXIT, arg(1), arg(1));
	else if (!do_text() && !do_small())
		fail(w);
}

static void damage(bytes *all)
{
	const struct damage *d;

	vec_each(d, &damages) {
		if (d->offset + d->length > all->n)
			fail("behind the end");
		if (d->length)
			memcpy(all->v + d->offset, &d->value, d->length);
		else
			all->n = d->offset;
	}
}

int main(int argc, char **argv)
{
	char text[4096], *word, *rest;
	bytes all = {0};
	FILE *f;

	if (argc != 2)
		return 64;
	while (fgets(text, sizeof(text), stdin)) {
		line++;
		nargs = 0;
		for (rest = text; (word = strtok_r(rest, " \t\n", &rest)) && *word != '#';)
			if (nargs < WORDS)
				args[nargs++] = word;
		if (nargs)
			do_line();
	}
	make_event_desc();
	if (is_pipe)
		make_pipe(&all);
	else
		make_file(&all);
	damage(&all);
	f = fopen(argv[1], "we");
	if (!f || fwrite(all.v, 1, all.n, f) != all.n || fclose(f))
		fail(argv[1]);
	vec_free(&all);
	return 0;
}
