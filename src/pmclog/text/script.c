// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/build_id.h"
#include "base/numbers.h"
#include "pmclog/text/script.h"
#include "pmclog/drops.h"
#include "pmclog/reader.h"

enum {
	REPEAT_MAX = 10000000,
	CPU_MAX = 0xFFFF,
	DEFAULT_EVENT = 0x20000,
	TEXTS_MAX = 1 << 20, /* bytes of texts that are kept when statements are forgotten */
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
	OPT_EVENT = 1 << 24,
	OPT_HOST = 1 << 25,
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
	{"event=", OPT_EVENT},	   {"host=", OPT_HOST},
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
	{"pmc", SCRIPT_PMC, "is",
	 OPT_RATE | OPT_HZ | OPT_FLAGS | OPT_DEPTH | OPT_SPEC | OPT_EVENT | OPT_HOST},
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
	struct script_fields fields;
	struct err *err;
};

static int number(struct loader *l, const char *text, uint64_t max, uint64_t *value)
{
	return pmclog_script_number(text, max, value, l->err);
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
	if (strcmp(text, "-") == 0)
		return 0;
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
	if (pmclog_script_hex(l->script, text, l->err))
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

/* Frames: numbers and ranges, "0,2-5". */
static int mark(struct loader *l, const char *text, uint8_t *marks)
{
	uint64_t first, last;
	const char *p = text;

	do {
		if (!numbers_take_range(&p, &first, &last))
			return err_set(l->err, EX_DATAERR, "\"%s\" are no frames like 0,2-5", text);
		if (last >= PMCLOG_MAX_FRAMES)
			return err_set(l->err, EX_DATAERR, "%" PRIu64 " is above 0x%x", last,
				       PMCLOG_MAX_FRAMES - 1);
		for (; first <= last; first++)
			marks[first / 8] |= (uint8_t)(1u << first % 8);
	} while (*p);
	return 0;
}

static int take_value(struct loader *l, enum option option, char *text)
{
	struct script_stmt *stmt = l->stmt;

	switch (option) {
	case OPT_PMC:
		stmt->no_pmc = stmt->kind == SCRIPT_EXEC && strcmp(text, "none") == 0;
		return stmt->no_pmc ? 0 : number32(l, text, UINT32_MAX, &stmt->pmcid);
	case OPT_CPU: return number32(l, text, CPU_MAX, &stmt->cpu);
	case OPT_END: return chain_end(l, text);
	case OPT_STITCHED: return number32(l, text, PMCLOG_MAX_FRAMES, &stmt->stitched);
	case OPT_GUESSED: return mark(l, text, stmt->guessed);
	case OPT_EXACT: return mark(l, text, stmt->exact);
	case OPT_FLAGS: return number32(l, text, UINT32_MAX, &stmt->flags);
	case OPT_DEPTH: return number32(l, text, UINT32_MAX, &stmt->depth);
	case OPT_EVENT: return number32(l, text, UINT32_MAX, &stmt->event);
	case OPT_HOST: return keep_text(l, text, &stmt->host);
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

/* What a field that a statement needs is called; see the table. */
static const char *field_name(char letter)
{
	switch (letter) {
	case 'i': return "PMC";
	case 'p': return "PID";
	case 'q': return "PID|kernel";
	case 'P': return "PID[/TID]";
	case 't': return "TID";
	case 's': return "TEXT";
	case 'S': return "[TEXT]";
	case 'c': return "PC[,PC...]";
	case 'd': return "DATA...";
	default: return "NUMBER";
	}
}

/* Says how the statement is written. */
static int hint_statement(struct loader *l, const struct statement *st)
{
	char hint[sizeof(l->err->hint)];
	size_t at, i;

	if (!l->err)
		return -1;
	at = (size_t)snprintf(hint, sizeof(hint), "%s", st->name);
	for (i = 0; st->fields[i] && at < sizeof(hint); i++)
		at += (size_t)snprintf(hint + at, sizeof(hint) - at, " %s",
				       field_name(st->fields[i]));
	for (i = 0; i < sizeof(options) / sizeof(options[0]) && at < sizeof(hint); i++)
		if (st->options & options[i].option)
			at += (size_t)snprintf(hint + at, sizeof(hint) - at, " [%s]",
					       options[i].name);
	return err_hint(l->err, "it is written: %s%s%s", hint,
			st->options & OPT_REPEAT ? " [xN]" : "",
			st->options & OPT_CAUSE ? " [CAUSE]" : "");
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
	err_set(l->err, EX_DATAERR, "%s: \"%s\" is none of its fields", st->name, text);
	return hint_statement(l, st);
}

/* The rest of the line, bytes. */
static int take_data(struct loader *l, size_t i)
{
	const struct script_fields *f = &l->fields;

	l->stmt->data = l->script->bytes.n;
	for (; i < f->field.n; i++) {
		l->fields.at = f->field.v[i];
		if (pmclog_script_data(l->script, f->field.v[i], l->err))
			return -1;
	}
	l->stmt->ndata = l->script->bytes.n - l->stmt->data;
	return 0;
}

/* All fields behind the statement's name, which is the field first. */
static int take_fields(struct loader *l, const struct statement *st, size_t first)
{
	struct script_fields *f = &l->fields;
	size_t i = first + 1;
	const char *letter;

	for (letter = st->fields; *letter; letter++) {
		if (*letter == 'd')
			return take_data(l, i);
		if (i == f->field.n && *letter == 'S')
			continue;
		if (i == f->field.n) {
			err_set(l->err, EX_DATAERR, "%s needs %zu fields, not %zu", st->name,
				strcspn(st->fields, "S"), f->field.n - 1 - first);
			return hint_statement(l, st);
		}
		f->at = f->field.v[i];
		if (take_field(l, *letter, f->field.v[i++]))
			return -1;
	}
	for (; i < f->field.n; i++) {
		f->at = f->field.v[i];
		if (take_option(l, st, f->field.v[i]))
			return -1;
	}
	return 0;
}

/* From now on nothing of the origin is there but what is said. */
static void bare_origin(struct script *s)
{
	if (!s->bare)
		s->origin = (struct pmclog_origin){0};
	s->bare = true;
}

/* One field of the origin that is a word; false: it is none. */
static bool take_origin_word(struct script *s, const char *text)
{
	if (strcmp(text, "none") == 0)
		s->no_origin = true;
	else if (strcmp(text, "version=10") == 0)
		s->version_10 = true;
	else
		return strcmp(text, "bare") == 0;
	return true;
}

/* One that is a number; false: it is none. */
static bool take_origin_number(struct loader *l, const char *text, int *failed)
{
	struct pmclog_origin *o = &l->script->origin;
	const struct {
		const char *name;
		uint64_t *value;
	} values[] = {{"freq=", &o->tsc_freq}, {"sec=", &o->ts_sec}, {"nsec=", &o->ts_nsec}};
	size_t i, len;

	if (strncmp(text, "cputype=", 8) == 0) {
		*failed = number32(l, text + 8, UINT32_MAX, &o->cputype);
		return true;
	}
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		len = strlen(values[i].name);
		if (strncmp(text, values[i].name, len) == 0) {
			*failed = number(l, text + len, UINT64_MAX, values[i].value);
			return true;
		}
	}
	return false;
}

static int take_origin(struct loader *l, const char *text)
{
	struct pmclog_origin *o = &l->script->origin;
	const struct {
		const char *name;
		const char **text;
	} texts[] = {
		{"host=", &o->host},	   {"release=", &o->release}, {"machine=", &o->machine},
		{"boot-id=", &o->boot_id}, {"command=", &o->command}, {"cpuid=", &o->cpuid},
		{"collector=", &o->collector},
	};
	int failed = 0;
	size_t i, len;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		len = strlen(texts[i].name);
		if (strncmp(text, texts[i].name, len) == 0)
			return keep_text(l, text + len, texts[i].text);
	}
	if (take_origin_word(l->script, text) || take_origin_number(l, text, &failed))
		return failed;
	err_set(l->err, EX_DATAERR, "origin: \"%s\" is none of its fields", text);
	return err_hint(l->err, "it has host= release= machine= boot-id= command= cpuid= "
				"collector= cputype= freq= sec= nsec= version=10, bare and none");
}

static int load_origin(struct loader *l, size_t i)
{
	struct script_fields *f = &l->fields;
	size_t k;

	if (l->script->begun)
		return err_set(l->err, EX_DATAERR, "origin stands before all other statements");
	if (l->stmt->has_time)
		l->script->begins = l->stmt->time;
	for (k = i + 1; k < f->field.n; k++)
		if (strcmp(f->field.v[k], "bare") == 0)
			bare_origin(l->script);
	while (++i < f->field.n) {
		f->at = f->field.v[i];
		if (take_origin(l, f->field.v[i]))
			return -1;
	}
	return 0;
}

/* Whether only a recording, not a log, has such a statement. */
static bool is_of_recording(enum script_kind kind)
{
	return kind == SCRIPT_COUNT || kind == SCRIPT_TICK || kind == SCRIPT_ABSENT ||
	       kind == SCRIPT_COUNTERS;
}

/* Whether the script may have such a statement. */
static int check_kind(struct loader *l, const struct statement *st)
{
	if (st->kind >= SCRIPT_RAW && !l->script->damage)
		return err_set(l->err, EX_DATAERR, "%s is for logs that pmclog assemble writes",
			       st->name);
	if (is_of_recording(st->kind) && l->script->damage)
		return err_set(l->err, EX_DATAERR, "%s is for the fake collector", st->name);
	return 0;
}

static int unknown_statement(struct loader *l, const char *name)
{
	char hint[sizeof(l->err->hint)];
	size_t i, at = 0;

	for (i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		if (l->script->damage ? !is_of_recording(statements[i].kind)
				      : statements[i].kind < SCRIPT_RAW)
			at += (size_t)snprintf(hint + at, sizeof(hint) - at, " %s",
					       statements[i].name);
	err_set(l->err, EX_DATAERR, "unknown statement \"%s\"", name);
	return err_hint(l->err, "there are: origin%s", hint);
}

static int load_statement(struct loader *l, size_t first)
{
	const char *name = l->fields.field.v[first];
	size_t i;

	if (strcmp(name, "origin") == 0)
		return load_origin(l, first);
	for (i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		if (strcmp(name, statements[i].name) != 0)
			continue;
		l->stmt->kind = statements[i].kind;
		if (check_kind(l, &statements[i]) || take_fields(l, &statements[i], first))
			return -1;
		l->script->begun = true;
		return vec_push(&l->script->stmts, *l->stmt) ? err_nomem(l->err) : 0;
	}
	return unknown_statement(l, name);
}

static int load_line(struct loader *l, char *line)
{
	struct script_fields *f = &l->fields;

	if (pmclog_script_split(line, f, l->err))
		return -1;
	if (!f->field.n)
		return 0;
	f->at = f->field.v[0];
	if (*f->at != '@')
		return load_statement(l, 0);
	l->stmt->has_time = true;
	if (number(l, f->at + 1, UINT64_MAX, &l->stmt->time))
		return -1;
	if (f->field.n < 2)
		return err_set(l->err, EX_DATAERR, "no statement behind its time");
	f->at = f->field.v[1];
	return load_statement(l, 1);
}

int pmclog_script_add(struct script *s, char *line, size_t len, struct err *err)
{
	struct script_stmt stmt = {
		.line = ++s->lines, .pmcid = UINT32_MAX, .count = 1, .event = DEFAULT_EVENT};
	struct loader l = {.script = s, .stmt = &stmt, .err = err};
	int ret;

	l.fields.at = line + strlen(line);
	ret = l.fields.at == line + len ? load_line(&l, line)
					: err_set(err, EX_DATAERR, "a NUL byte");
	if (ret)
		err_wrap(err, "%s: line %u, column %zu", s->name, s->lines,
			 (size_t)(l.fields.at - line) + 1);
	vec_free(&l.fields.field);
	return ret;
}

struct script *pmclog_script_new(const char *name, bool damage, struct err *err)
{
	struct script *s = calloc(1, sizeof(*s));

	if (s) {
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
	}
	pmclog_script_free(s);
	err_nomem(err);
	return NULL;
}

int pmclog_script_forget(struct script *s, struct err *err)
{
	s->stmts.n = s->pcs.n = s->bytes.n = 0;
	if (strpool_size(s->texts) < TEXTS_MAX)
		return 0;
	strpool_free(s->texts);
	s->texts = strpool_new();
	return s->texts ? 0 : err_nomem(err);
}

struct script *pmclog_script_load(FILE *f, const char *name, bool damage, struct err *err)
{
	struct script *s = pmclog_script_new(name, damage, err);
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int ret = 0;

	if (!s)
		return NULL;
	while (!ret && (len = getline(&line, &size, f)) >= 0)
		ret = pmclog_script_add(s, line, (size_t)len, err);
	free(line);
	if (!ret && ferror(f))
		ret = err_set(err, EX_NOINPUT, "%s: %s", name, strerror(errno));
	if (!ret)
		return s;
	pmclog_script_free(s);
	return NULL;
}

void pmclog_script_free(struct script *s)
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
