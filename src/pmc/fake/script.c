// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/build_id.h"
#include "pmc/fake/script.h"
#include "pmclog/drops.h"
#include "pmclog/reader.h"

enum {
	REPEAT_MAX = 10000000,
	CPU_MAX = 0xFFFF,
};

/* What may stand behind the fields of a statement. */
enum option {
	OPT_PMC = 1 << 0,
	OPT_CPU = 1 << 1,
	OPT_RATE = 1 << 2,
	OPT_HZ = 1 << 3,
	OPT_FLAGS = 1 << 4,
	OPT_DEPTH = 1 << 5,
	OPT_SPEC = 1 << 6,
	OPT_ENTRY = 1 << 7,
	OPT_OFF = 1 << 8,
	OPT_BUILD_ID = 1 << 9,
	OPT_DEV = 1 << 10,
	OPT_INODE = 1 << 11,
	OPT_KERNEL = 1 << 12,
	OPT_REPEAT = 1 << 13,
	OPT_CAUSE = 1 << 14,
	OPT_SYM = 1 << 15,
	OPT_ENABLED = 1 << 16,
	OPT_RUNNING = 1 << 17,
	OPT_RAN = 1 << 18,
	OPT_ARGUMENT = 1 << 19,
	OPT_CUT = 1 << 20,
	OPT_GROUP = 1 << 21,
	OPT_UNSHARED = 1 << 22,
	OPT_PAUSED = 1 << 23,
	OPT_EXACT = 1 << 26,
	OPT_GUESSED = 1 << 28,
	OPT_END = 1 << 29,
	OPT_STITCHED = 1 << 30,
};

static const struct {
	const char *name; /* with its '=' if a value follows */
	enum option option;
} options[] = {
	{"pmc=", OPT_PMC},	   {"cpu=", OPT_CPU},
	{"rate=", OPT_RATE},	   {"hz=", OPT_HZ},
	{"flags=", OPT_FLAGS},	   {"depth=", OPT_DEPTH},
	{"spec=", OPT_SPEC},	   {"entry=", OPT_ENTRY},
	{"off=", OPT_OFF},	   {"dev=", OPT_DEV},
	{"inode=", OPT_INODE},	   {"build-id=", OPT_BUILD_ID},
	{"k", OPT_KERNEL},
	{"sym=", OPT_SYM},	   {"enabled=", OPT_ENABLED},
	{"running=", OPT_RUNNING}, {"group=", OPT_GROUP},
	{"unshared", OPT_UNSHARED},
	{"arg=", OPT_ARGUMENT},	   {"cut", OPT_CUT},
	{"end=", OPT_END},	   {"stitched=", OPT_STITCHED},
	{"guessed=", OPT_GUESSED}, {"exact=", OPT_EXACT},
	{"paused=", OPT_PAUSED},   {"ran=", OPT_RAN},
};

/*
 * The fields of each statement, a letter each: i pmcid, p pid, q pid or "kernel", P pid[/tid], t
 * tid (of fork: the new pid), a and b the numbers a and b, u a number of 32 bits into a, s text, S
 * text that may be missing, c program counters, d data up to the end of the line.
 */
static const struct statement {
	const char *name;
	enum script_kind kind;
	const char *fields;
	unsigned int options;
} statements[] = {
	{"time", SCRIPT_TIME, "a", 0},
	{"pmc", SCRIPT_PMC, "is", OPT_RATE | OPT_HZ | OPT_FLAGS | OPT_DEPTH | OPT_SPEC},
	{"attach", SCRIPT_ATTACH, "ipS", 0},
	{"detach", SCRIPT_DETACH, "ip", OPT_RAN},
	{"proc", SCRIPT_PROC, "ps", 0},
	{"thread", SCRIPT_THREAD, "tps", 0},
	{"thread-exit", SCRIPT_THREAD_EXIT, "t", 0},
	{"exec", SCRIPT_EXEC, "ps", OPT_ENTRY | OPT_PMC | OPT_ARGUMENT | OPT_CUT},
	{"map", SCRIPT_MAP, "qabs", OPT_OFF | OPT_BUILD_ID | OPT_DEV | OPT_INODE | OPT_SYM},
	{"unmap", SCRIPT_UNMAP, "qab", 0},
	{"fork", SCRIPT_FORK, "pt", 0},
	{"exit", SCRIPT_EXIT, "p", 0},
	{"exitval", SCRIPT_EXITVAL, "ipa", 0},
	{"csw", SCRIPT_CSW, "ipta", 0},
	{"user", SCRIPT_USER, "u", 0},
	{"sample", SCRIPT_SAMPLE, "Pc",
	 OPT_PMC | OPT_CPU | OPT_KERNEL | OPT_REPEAT | OPT_END | OPT_STITCHED | OPT_GUESSED |
		 OPT_EXACT},
	{"drop", SCRIPT_DROP, "a",
	 OPT_CPU | OPT_CAUSE | OPT_PMC | OPT_PAUSED},
	{"shared", SCRIPT_SHARED, "ab", OPT_CPU | OPT_PMC},
	{"count", SCRIPT_COUNT, "a",
	 OPT_PMC | OPT_CPU | OPT_ENABLED | OPT_RUNNING | OPT_GROUP},
	{"tick", SCRIPT_TICK, "", 0},
	{"absent", SCRIPT_ABSENT, "s", 0},
	{"counters", SCRIPT_COUNTERS, "u", OPT_UNSHARED},
	{"close", SCRIPT_CLOSE, "", 0},
	{"raw", SCRIPT_RAW, "d", 0},
	{"poke", SCRIPT_POKE, "ad", 0},
	{"cut", SCRIPT_CUT, "a", 0},
	{"rotate", SCRIPT_ROTATE, "s", 0},
};

/* Where the loader is. */
struct loader {
	struct script *script;
	struct script_stmt *stmt;
	struct err *err;
};

static int number(struct loader *l, const char *text, uint64_t max, uint64_t *value)
{
	return pmcint_script_number(text, max, value, l->err);
}

static int number32(struct loader *l, const char *text, uint32_t max, uint32_t *value)
{
	uint64_t v;

	if (number(l, text, max, &v))
		return -1;
	*value = (uint32_t)v;
	return 0;
}

static int keep_text(struct loader *l, const char *text, const char **kept)
{
	*kept = strpool_intern(l->script->texts, text);
	return *kept ? 0 : err_nomem(l->err);
}

/* "PID" or "PID/TID". */
static int pid_tid(struct loader *l, char *text)
{
	char *slash = strchr(text, '/');

	if (slash)
		*slash = '\0';
	if (number32(l, text, UINT32_MAX, &l->stmt->pid))
		return -1;
	l->stmt->tid = l->stmt->pid;
	return slash ? number32(l, slash + 1, UINT32_MAX, &l->stmt->tid) : 0;
}

/* The next frame of the chain. */
static int program_counter(struct loader *l, uint64_t pc)
{
	if (l->stmt->ndata++ == PMCLOG_MAX_FRAMES)
		return err_set(l->err, EX_DATAERR, "more than %u program counters",
			       PMCLOG_MAX_FRAMES);
	return vec_push(&l->script->pcs, pc) ? err_nomem(l->err) : 0;
}

/* "*N" behind the last frames of the chain, from the one at first on: N turns of them. */
static int turns(struct loader *l, const char *text, size_t first)
{
	size_t end = l->script->pcs.n, at;
	uint32_t n;

	if (text[0] != '*' || number32(l, text + 1, PMCLOG_MAX_FRAMES, &n) || !n)
		return err_set(l->err, EX_DATAERR, "\")%s\" is not \")*\" and how many turns",
			       text);
	while (--n)
		for (at = first; at < end; at++)
			if (program_counter(l, l->script->pcs.v[at]))
				return -1;
	return 0;
}

static int program_counters(struct loader *l, char *text)
{
	size_t first = SIZE_MAX; /* of the turn that is open */
	char *next, *close;
	uint64_t pc;

	l->stmt->data = l->script->pcs.n;
	for (; text; text = next) {
		next = strchr(text, ',');
		if (next)
			*next++ = '\0';
		if (*text == '(' && first == SIZE_MAX) {
			first = l->script->pcs.n;
			text++;
		}
		close = first == SIZE_MAX ? NULL : strchr(text, ')');
		if (close)
			*close++ = '\0';
		if (number(l, text, UINT64_MAX, &pc) || program_counter(l, pc))
			return -1;
		if (close && turns(l, close, first))
			return -1;
		first = close ? SIZE_MAX : first;
	}
	if (first != SIZE_MAX)
		return err_set(l->err, EX_DATAERR, "a turn of frames without \")*\" and a number");
	return 0;
}

/* One field that a statement needs; see the table. */
static int take_field(struct loader *l, char letter, char *text)
{
	struct script_stmt *stmt = l->stmt;

	switch (letter) {
	case 'i': return number32(l, text, UINT32_MAX, &stmt->pmcid);
	case 'q':
		if (strcmp(text, "kernel") == 0) {
			stmt->pid = UINT32_MAX;
			return 0;
		}
		return number32(l, text, UINT32_MAX, &stmt->pid);
	case 'p': return number32(l, text, UINT32_MAX, &stmt->pid);
	case 'P': return pid_tid(l, text);
	case 't': return number32(l, text, UINT32_MAX, &stmt->tid);
	case 'a': return number(l, text, UINT64_MAX, &stmt->a);
	case 'b': return number(l, text, UINT64_MAX, &stmt->b);
	case 'u': return number(l, text, UINT32_MAX, &stmt->a);
	case 'c': return program_counters(l, text);
	default: return keep_text(l, text, &stmt->text);
	}
}

static int build_id(struct loader *l, const char *text)
{
	l->stmt->data = l->script->bytes.n;
	if (pmcint_script_hex(l->script, text, l->err))
		return -1;
	l->stmt->ndata = l->script->bytes.n - l->stmt->data;
	if (l->stmt->ndata < 1 || l->stmt->ndata > BUILD_ID_MAX)
		return err_set(l->err, EX_DATAERR, "a build-id has 1 to %d bytes, not %zu",
			       BUILD_ID_MAX, l->stmt->ndata);
	return 0;
}

/* "MAJOR:MINOR", or the number of the log. */
static int device(struct loader *l, char *text)
{
	char *colon = strchr(text, ':');
	uint64_t major, minor;

	if (!colon)
		return number(l, text, UINT64_MAX, &l->stmt->device);
	*colon = '\0';
	if (number(l, text, UINT32_MAX, &major) || number(l, colon + 1, UINT32_MAX, &minor))
		return -1;
	l->stmt->device = major << 32 | minor;
	return 0;
}

/* "USER,SYSTEM", nanoseconds. */
static int times(struct loader *l, char *text)
{
	char *comma = strchr(text, ',');

	if (!comma)
		return err_set(l->err, EX_DATAERR, "\"%s\" are no two times", text);
	*comma = '\0';
	l->stmt->has_times = true;
	return number(l, text, UINT64_MAX, &l->stmt->times.user) ||
			       number(l, comma + 1, UINT64_MAX, &l->stmt->times.system)
		       ? -1
		       : 0;
}

/* Appends an argument, with its NUL, to those of the statement. */
static int argument(struct loader *l, const char *text)
{
	struct script *s = l->script;

	if (!l->stmt->ndata)
		l->stmt->data = s->bytes.n;
	do {
		if (vec_push(&s->bytes, (uint8_t)*text))
			return err_nomem(l->err);
	} while (*text++);
	l->stmt->ndata = s->bytes.n - l->stmt->data;
	return 0;
}

/* How a chain ended. */
static int chain_end(struct loader *l, const char *text)
{
	unsigned int i;

	for (i = 0; i < PMCLOG_NENDS; i++)
		if (strcmp(text, pmclog_end_name(i)) == 0) {
			l->stmt->end = (enum pmclog_chain_end)i;
			return 0;
		}
	return err_set(l->err, EX_DATAERR, "\"%s\" is no way how a chain ends", text);
}

static int mark(struct loader *l, const char *text, uint8_t *marks)
{
	uint32_t i;

	if (number32(l, text, PMCLOG_MAX_FRAMES - 1, &i))
		return -1;
	marks[i / 8] |= (uint8_t)(1u << i % 8);
	return 0;
}

static int take_value(struct loader *l, enum option option, char *text)
{
	struct script_stmt *stmt = l->stmt;

	switch (option) {
	case OPT_PMC: return number32(l, text, UINT32_MAX, &stmt->pmcid);
	case OPT_CPU: return number32(l, text, CPU_MAX, &stmt->cpu);
	case OPT_END: return chain_end(l, text);
	case OPT_STITCHED: return number32(l, text, PMCLOG_MAX_FRAMES, &stmt->stitched);
	case OPT_GUESSED: return mark(l, text, stmt->guessed);
	case OPT_EXACT: return mark(l, text, stmt->exact);
	case OPT_FLAGS: return number32(l, text, UINT32_MAX, &stmt->flags);
	case OPT_DEPTH: return number32(l, text, UINT32_MAX, &stmt->depth);
	case OPT_SYM:
	case OPT_SPEC: return keep_text(l, text, &stmt->spec);
	case OPT_HZ:
		stmt->frequency = true;
		/* fall through */
	case OPT_RATE:
	case OPT_ENTRY: return number(l, text, UINT64_MAX, &stmt->a);
	case OPT_OFF: stmt->has_offset = true; return number(l, text, UINT64_MAX, &stmt->offset);
	case OPT_ENABLED: return number(l, text, UINT64_MAX, &stmt->enabled);
	case OPT_RUNNING: return number(l, text, UINT64_MAX, &stmt->running);
	case OPT_GROUP: return number32(l, text, UINT32_MAX, &stmt->group);
	case OPT_UNSHARED: stmt->unshared = true; return 0;
	case OPT_BUILD_ID: return build_id(l, text);
	case OPT_ARGUMENT: return argument(l, text);
	case OPT_CUT: stmt->ndata -= stmt->ndata > 1; return 0;
	case OPT_DEV: return device(l, text);
	case OPT_RAN: return times(l, text);
	case OPT_INODE: return number(l, text, UINT64_MAX, &stmt->inode);
	case OPT_PAUSED: return number(l, text, UINT64_MAX, &stmt->paused);
	default: stmt->kernel = true; return 0;
	}
}

static int take_option(struct loader *l, const struct statement *st, char *text)
{
	const struct pmclog_cause *cause = pmclog_cause_of_word(text);
	size_t i;

	if ((st->options & OPT_REPEAT) && text[0] == 'x')
		return number(l, text + 1, REPEAT_MAX, &l->stmt->count);
	if ((st->options & OPT_CAUSE) && cause && cause->cause != PMCLOG_DROP_SHARED) {
		l->stmt->cause = cause->cause;
		return 0;
	}
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		size_t len = strlen(options[i].name);
		bool valued = options[i].name[len - 1] == '=';

		if ((st->options & options[i].option) &&
		    (valued ? strncmp(text, options[i].name, len) == 0
			    : strcmp(text, options[i].name) == 0))
			return take_value(l, options[i].option, text + len);
	}
	return err_set(l->err, EX_DATAERR, "%s: \"%s\" is none of its fields", st->name, text);
}

/* All fields behind the statement's name. */
static int take_fields(struct loader *l, const struct statement *st, struct script_fields *f)
{
	const char *letter;
	size_t i = 1;

	for (letter = st->fields; *letter; letter++) {
		if (*letter == 'd') {
			l->stmt->data = l->script->bytes.n;
			for (; i < f->n; i++)
				if (pmcint_script_data(l->script, f->field[i], l->err))
					return -1;
			l->stmt->ndata = l->script->bytes.n - l->stmt->data;
		} else if (i < f->n) {
			if (take_field(l, *letter, f->field[i++]))
				return -1;
		} else if (*letter != 'S') {
			return err_set(l->err, EX_DATAERR, "%s needs %zu fields, not %zu", st->name,
				       strcspn(st->fields, "S"), f->n - 1);
		}
	}
	for (; i < f->n; i++)
		if (take_option(l, st, f->field[i]))
			return -1;
	return 0;
}

static int load_origin(struct loader *l, struct script_fields *f)
{
	struct pmclog_origin *o = &l->script->origin;
	const struct {
		const char *name;
		const char **text;
	} texts[] = {
		{"host=", &o->host},	   {"release=", &o->release}, {"machine=", &o->machine},
		{"boot-id=", &o->boot_id}, {"command=", &o->command}, {"cpuid=", &o->cpuid},
	};
	const size_t n = sizeof(texts) / sizeof(texts[0]);
	size_t i, k;

	if (l->script->stmts.n)
		return err_set(l->err, EX_DATAERR, "origin stands before all other statements");
	for (i = 1; i < f->n; i++) {
		for (k = 0; k < n; k++)
			if (strncmp(f->field[i], texts[k].name, strlen(texts[k].name)) == 0)
				break;
		if (k < n) {
			if (keep_text(l, f->field[i] + strlen(texts[k].name), texts[k].text))
				return -1;
		} else if (strcmp(f->field[i], "none") == 0) {
			l->script->no_origin = true;
		} else if (strcmp(f->field[i], "version=10") == 0) {
			l->script->version_10 = true;
		} else {
			return err_set(l->err, EX_DATAERR, "origin: \"%s\" is none of its fields",
				       f->field[i]);
		}
	}
	return 0;
}

static int load_line(struct loader *l, char *line, unsigned int number_of_line)
{
	struct script_stmt stmt = {.line = number_of_line, .pmcid = UINT32_MAX, .count = 1};
	struct script_fields f;
	size_t i;

	l->stmt = &stmt;
	if (pmcint_script_split(line, &f, l->err))
		return -1;
	if (!f.n)
		return 0;
	if (strcmp(f.field[0], "origin") == 0)
		return load_origin(l, &f);
	for (i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		if (strcmp(f.field[0], statements[i].name) != 0)
			continue;
		stmt.kind = statements[i].kind;
		if (stmt.kind >= SCRIPT_RAW && !l->script->damage)
			return err_set(l->err, EX_DATAERR, "%s is for logs that mklog writes",
				       f.field[0]);
		if ((stmt.kind == SCRIPT_COUNT || stmt.kind == SCRIPT_TICK ||
		     stmt.kind == SCRIPT_ABSENT || stmt.kind == SCRIPT_COUNTERS) &&
		    l->script->damage)
			return err_set(l->err, EX_DATAERR, "%s is for the fake collector",
				       f.field[0]);
		if (take_fields(l, &statements[i], &f))
			return -1;
		return vec_push(&l->script->stmts, stmt) ? err_nomem(l->err) : 0;
	}
	return err_set(l->err, EX_DATAERR, "unknown statement \"%s\"", f.field[0]);
}

static struct script *script_new(const char *name, bool damage)
{
	struct script *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->name = strdup(name);
	s->texts = strpool_new();
	s->damage = damage;
	s->origin = (struct pmclog_origin){
		.cputype = 0x400,
		.tsc_freq = 1000000000,
		.cpuid = "fake",
		.host = "fake",
		.release = "fake",
		.machine = "fake",
		.boot_id = "fake",
		.collector = "fake",
	};
	if (s->name && s->texts)
		return s;
	pmcint_script_free(s);
	return NULL;
}

struct script *pmcint_script_load(FILE *f, const char *name, bool damage, struct err *err)
{
	struct script *s = script_new(name, damage);
	struct loader l = {.script = s, .err = err};
	unsigned int count = 0;
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int ret = 0;

	if (!s) {
		err_nomem(err);
		return NULL;
	}
	while (!ret && (len = getline(&line, &size, f)) >= 0) {
		count++;
		if (strlen(line) != (size_t)len)
			ret = err_set(err, EX_DATAERR, "a NUL byte");
		else
			ret = load_line(&l, line, count);
		if (ret)
			err_wrap(err, "%s: line %u", name, count);
	}
	free(line);
	if (!ret && ferror(f))
		ret = err_set(err, EX_NOINPUT, "%s: %s", name, strerror(errno));
	if (!ret)
		return s;
	pmcint_script_free(s);
	return NULL;
}

void pmcint_script_free(struct script *s)
{
	if (!s)
		return;
	free(s->name);
	strpool_free(s->texts);
	vec_free(&s->stmts);
	vec_free(&s->pcs);
	vec_free(&s->bytes);
	free(s);
}
