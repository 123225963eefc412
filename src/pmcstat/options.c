// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pmclog/encoder.h"
#include "pmcstat/event_group.h"
#include "pmcstat/option_habits.h"
#include "pmcstat/option_modes.h"
#include "pmcstat/option_rules.h"
#include "pmcstat/options.h"

/* An option's effect.  0, or -1 with err set. */
typedef int setter(struct options *o, const char *arg, struct err *err);

struct option_row {
	char letter; /* 0: long only */
	const char *name;
	const char *arg; /* NULL: takes none; with = before it: may be left out */
	const char *help;
	setter *set;  /* NULL: only the field is set */
	size_t field; /* where in struct options: a text with an argument, a bool without */
};

#define CALLS(function) function, 0
#define SETS(member)	NULL, offsetof(struct options, member)

static int bad(struct err *err, const char *what, const char *arg, const char *want)
{
	return err_set(err, EX_USAGE, "%s \"%s\" is not %s", what, arg, want);
}

/* A whole number from min to max. */
static int number(const char *what, const char *arg, uint64_t min, uint64_t max, uint64_t *value,
		  struct err *err)
{
	char *end;

	errno = 0;
	*value = strtoull(arg, &end, 0);
	if (errno || end == arg || *end || *arg == '-' || *value < min || *value > max) {
		char want[96];

		snprintf(want, sizeof(want), "a whole number from %llu to %llu",
			 (unsigned long long)min, (unsigned long long)max);
		return bad(err, what, arg, want);
	}
	return 0;
}

/* A list of numbers and ranges, "0,2-5", which goes to those in list, in ascending order. */
static int add_numbers(const char *what, const char *arg, uint64_t max, numbers *list,
		       struct err *err)
{
	const char *p = arg;
	int status = 0;

	do {
		uint64_t lo, hi;

		if (!numbers_take_range(&p, &lo, &hi) || hi > max) {
			status = bad(err, what, arg, "a list of numbers like 0,2-5");
			break;
		}
		if (hi - lo >= 65536) {
			status = err_set(err, EX_USAGE,
					 "%s \"%s\" has a range of more than 65536 numbers", what,
					 arg);
			break;
		}
		for (; lo <= hi && !status; lo++)
			if (vec_push(list, (uint32_t)lo))
				status = err_nomem(err);
	} while (*p && !status);
	numbers_sort(list);
	return status;
}

static bool holds(const numbers *list, uint32_t number)
{
	const uint32_t *p;

	vec_each(p, list)
		if (*p == number)
			return true;
	return false;
}

/* Gives a PMC the settings so far. */
static int settle(struct options *o, struct pmc_request *r, struct err *err)
{
	const uint32_t *cpu;

	r->flags = o->next.flags;
	if (!(r->flags & PMC_F_CALLCHAIN))
		r->flags &= ~PMC_F_USERCALLCHAIN;
	if (r->mode != PMC_MODE_TC)
		r->flags &= ~OPTIONS_LOG_FLAGS;
	if (PMC_IS_SAMPLING_MODE(r->mode)) {
		r->rate = o->next.rate;
	} else {
		r->flags &= ~(PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN | PMC_F_FREQUENCY);
		r->cumulative = o->next.cumulative;
	}
	o->next.unused = NULL;
	if (!PMC_IS_SYSTEM_MODE(r->mode))
		return 0;
	r->flags &= ~PMC_F_DESCENDANTS;
	r->cpus.n = 0;
	vec_each(cpu, &o->next.cpus)
		if (!holds(&r->cpus, *cpu) && vec_push(&r->cpus, *cpu))
			return err_nomem(err);
	return 0;
}

static int add_event(struct options *o, const char *spec, enum pmc_mode mode, bool member,
		     struct err *err)
{
	struct pmc_request r = {.spec = spec, .mode = mode, .member = member};

	if (vec_push(&o->record.requests, r))
		return err_nomem(err);
	return settle(o, &o->record.requests.v[o->record.requests.n - 1], err);
}

/* Settings behind the only PMC, or the only group, are meant for it. */
static int settle_late(struct options *o, struct err *err)
{
	struct pmc_request *r;
	size_t leaders = 0;

	vec_each(r, &o->record.requests)
		leaders += !r->member;
	if (!o->next.unused || leaders != 1)
		return 0;
	vec_each(r, &o->record.requests)
		if (settle(o, r, err))
			return -1;
	return 0;
}

/*
 * Without a PMC the processor's time is sampled, with who called the kernel: of the command or
 * targets, or all of it by -T and --push.
 */
static int add_default_event(struct options *o, struct err *err)
{
	const bool process = o->record.command || o->record.targets.n;
	struct pmc_request *r;

	if (o->record.requests.n || o->action.read_log || o->action.summary || o->record.kgmon ||
	    !(process || o->action.top || o->record.push.url))
		return 0;
	if (add_event(o, NULL, process ? PMC_MODE_TS : PMC_MODE_SS, false, err))
		return -1;
	r = o->record.requests.v;
	if (r->flags & PMC_F_CALLCHAIN)
		r->flags |= PMC_F_USERCALLCHAIN;
	if (process)
		r->flags |= PMC_F_DESCENDANTS;
	return 0;
}

/* An event, or a group of them. */
static int add_request(struct options *o, const char *spec, enum pmc_mode mode, struct err *err)
{
	static const char *const letters[] = {[PMC_MODE_SS] = "S",
					      [PMC_MODE_SC] = "s",
					      [PMC_MODE_TS] = "P",
					      [PMC_MODE_TC] = "p"};
	char *text, *rest, *event;
	int r = 0;

	if (habit_check_event(letters[mode], spec, err))
		return -1;
	if (!event_group_is(spec))
		return add_event(o, spec, mode, false, err);
	text = strdup(spec);
	if (!text || vec_push(&o->record.groups, text)) {
		free(text);
		return err_nomem(err);
	}
	for (rest = text + 1; rest && !r;) {
		const bool member = rest > text + 1;

		event = event_group_next(spec, &rest, err);
		r = event ? add_event(o, event, mode, member, err) : -1;
	}
	return r;
}

static int set_process_sampling(struct options *o, const char *arg, struct err *err)
{
	return add_request(o, arg, PMC_MODE_TS, err);
}

static int set_system_sampling(struct options *o, const char *arg, struct err *err)
{
	return add_request(o, arg, PMC_MODE_SS, err);
}

static int set_process_counting(struct options *o, const char *arg, struct err *err)
{
	return add_request(o, arg, PMC_MODE_TC, err);
}

static int set_system_counting(struct options *o, const char *arg, struct err *err)
{
	return add_request(o, arg, PMC_MODE_SC, err);
}

/* Of two logs the first is what the second is compared with. */
static int set_read_log(struct options *o, const char *arg, struct err *err)
{
	if (o->action.read_log && o->report.base_log)
		return err_set(err, EX_USAGE, "more than two logs: -R \"%s\"", arg);
	o->report.base_log = o->action.read_log ? o->action.read_log : o->report.base_log;
	o->action.read_log = arg;
	return 0;
}

static int set_base_log(struct options *o, const char *arg, struct err *err)
{
	if (o->report.base_log)
		return err_set(err, EX_USAGE, "more than two logs: --diff \"%s\"", arg);
	o->report.base_log = arg;
	return 0;
}

static int set_rate(struct options *o, const char *arg, struct err *err)
{
	o->next.rate_given = true;
	o->next.unused = "-n";
	o->next.flags &= ~PMC_F_FREQUENCY;
	return number("-n", arg, 1, INT64_MAX, &o->next.rate, err);
}

static int set_frequency(struct options *o, const char *arg, struct err *err)
{
	o->next.rate_given = true;
	o->next.unused = "--freq";
	o->next.flags |= PMC_F_FREQUENCY;
	return number("--freq", arg, 1, 1000000, &o->next.rate, err);
}

static int toggle_descendants(struct options *o, const char *arg, struct err *err)
{
	(void)arg;
	(void)err;
	o->next.process_flags_given = true;
	o->next.unused = "-d";
	o->next.flags ^= PMC_F_DESCENDANTS;
	return 0;
}

static int toggle_exits(struct options *o, const char *arg, struct err *err)
{
	(void)arg;
	(void)err;
	o->next.exits_given = true;
	o->next.unused = "-E";
	o->next.flags ^= PMC_F_LOG_PROCEXIT;
	return 0;
}

static int toggle_switches(struct options *o, const char *arg, struct err *err)
{
	(void)arg;
	(void)err;
	o->next.switches_given = true;
	o->next.unused = "-W";
	o->next.flags ^= PMC_F_LOG_PROCCSW;
	return 0;
}

static int toggle_callchain(struct options *o, const char *arg, struct err *err)
{
	(void)arg;
	(void)err;
	o->next.unused = "-N";
	o->next.flags ^= PMC_F_CALLCHAIN;
	return 0;
}

static int toggle_userchain(struct options *o, const char *arg, struct err *err)
{
	(void)arg;
	(void)err;
	o->next.unused = "-U";
	o->next.flags ^= PMC_F_USERCALLCHAIN;
	return 0;
}

static int toggle_cumulative(struct options *o, const char *arg, struct err *err)
{
	(void)arg;
	(void)err;
	o->next.cumulative_given = true;
	o->next.unused = "-C";
	o->next.cumulative ^= true;
	return 0;
}

static int set_cpus(struct options *o, const char *arg, struct err *err)
{
	o->next.cpus_given = true;
	o->next.unused = "-c";
	o->next.cpus.n = 0;
	if (!strcmp(arg, "*"))
		return 0;
	return add_numbers("-c", arg, 4094, &o->next.cpus, err);
}

static int add_target(struct options *o, const char *arg, struct err *err)
{
	return vec_push(&o->record.targets, arg) ? err_nomem(err) : 0;
}

static int set_duration(struct options *o, const char *arg, struct err *err)
{
	char *end;

	o->record.duration = strtod(arg, &end);
	/* The negated comparison refuses NaN too. */
	if (end == arg || *end || !(o->record.duration > 0 && o->record.duration <= 1e9))
		return bad(err, "-l", arg, "a number of seconds above 0");
	return 0;
}

static int set_interval(struct options *o, const char *arg, struct err *err)
{
	char *end;

	o->count.interval = strtod(arg, &end);
	if (end == arg || *end || !(o->count.interval >= 0.001 && o->count.interval <= 1e6))
		return bad(err, "-w", arg, "a number of seconds from 0.001 on");
	return 0;
}

static int set_runs(struct options *o, const char *arg, struct err *err)
{
	uint64_t n;

	if (number("--runs", arg, 1, 1000, &n, err))
		return -1;
	o->action.runs = (unsigned int)n;
	return 0;
}

static int set_depth(struct options *o, const char *arg, struct err *err)
{
	uint64_t n;

	if (number("--depth", arg, 1, PMCLOG_MAX_FRAMES, &n, err))
		return -1;
	o->record.depth = (unsigned int)n;
	return 0;
}

static int set_unwind(struct options *o, const char *arg, struct err *err)
{
	static const char *const names[] = {"auto", "fp", "dwarf", "off"};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(arg, names[i])) {
			o->record.unwind = (enum pmc_unwind)i;
			o->record.unwind_given = true;
			return 0;
		}
	return bad(err, "--unwind", arg, "auto, fp, dwarf or off");
}

static int set_graph_depth(struct options *o, const char *arg, struct err *err)
{
	uint64_t n;

	if (number("-z", arg, 1, PMCLOG_MAX_FRAMES, &n, err))
		return -1;
	o->report.output.graph_depth = (unsigned int)n;
	return 0;
}

/* FreeBSD's -f: a list of settings. */
static int set_transform(struct options *o, const char *arg, struct err *err)
{
	struct cg_output_options *out = &o->report.output;
	char *end = NULL;

	if (!strncmp(arg, "threshold=", 10)) {
		out->threshold = strtod(arg + 10, &end);
		if (end == arg + 10 || !(out->threshold >= 0 && out->threshold <= 100))
			end = NULL;
	} else if (!strncmp(arg, "skiplink=", 9) && (arg[9] == '0' || arg[9] == '1')) {
		out->skiplink = arg[9] == '1';
		end = (char *)(uintptr_t)arg + 10;
	}
	if (!end || (*end && *end != ','))
		return bad(err, "-f", arg, "a list like threshold=0.5,skiplink=1");
	return *end ? set_transform(o, end + 1, err) : 0;
}

static int set_by(struct options *o, const char *arg, struct err *err)
{
	char want[96] = "one of";
	const struct cg_key_name *k;
	size_t n = strlen(want);

	for (k = cg_key_names; k->name; k++) {
		if (!strcmp(arg, k->name)) {
			o->report.by = k->key;
			return 0;
		}
		n += (size_t)snprintf(want + n, sizeof(want) - n, "%s %s",
				      k == cg_key_names ? "" : ",", k->name);
	}
	return bad(err, "--by", arg, want);
}

/* "A..B", seconds; one of them may be left out. */
static int set_time(struct options *o, const char *arg, struct err *err)
{
	if (numbers_seconds_range(arg, &o->report.select.time_from, &o->report.select.time_to))
		return 0;
	return bad(err, "--time", arg, "a range of seconds like 1.5..3, 2.. or ..10");
}

static int set_debuginfod(struct options *o, const char *arg, struct err *err)
{
	(void)arg;
	o->report.symbols.debuginfod = true;
	return symbol_debuginfod_check(err) ? err_wrap(err, "--debuginfod") : 0;
}

/* A place of symbols that is not there would only be missed as names, after a long recording. */
static int check_place(const char *option, const char *path, bool is_directory, struct err *err)
{
	struct stat s;

	if (stat(path, &s))
		return err_set(err, EX_NOINPUT, "%s %s: %s", option, path, strerror(errno));
	if (is_directory && !S_ISDIR(s.st_mode))
		return err_set(err, EX_NOINPUT, "%s %s: %s", option, path, strerror(ENOTDIR));
	return 0;
}

static int set_fsroot(struct options *o, const char *arg, struct err *err)
{
	o->report.symbols.fsroot = arg;
	return check_place("-r", arg, true, err);
}

static int set_kernel(struct options *o, const char *arg, struct err *err)
{
	(void)err;
	o->report.symbols.kernel = arg;
	return 0;
}

/* -k may be below -r, in whichever order they come. */
static int check_kernel(const struct options *o, struct err *err)
{
	const char *root = o->report.symbols.fsroot, *kernel = o->report.symbols.kernel;
	char path[PATH_MAX];
	struct stat s;

	if (!kernel)
		return 0;
	if (root && (size_t)snprintf(path, sizeof(path), "%s/%s", root, kernel) < sizeof(path) &&
	    !stat(path, &s))
		return 0;
	return check_place("-k", kernel, false, err);
}

static int add_tid(struct options *o, const char *arg, struct err *err)
{
	return add_numbers("-i", arg, UINT32_MAX, &o->report.select.tids, err);
}

static int add_pid(struct options *o, const char *arg, struct err *err)
{
	return add_numbers("--pid", arg, UINT32_MAX, &o->report.select.pids, err);
}

static int add_comm(struct options *o, const char *arg, struct err *err)
{
	return vec_push(&o->report.select.comms, arg) ? err_nomem(err) : 0;
}

static int set_compression(struct options *o, const char *arg, struct err *err)
{
	enum pmclog_compression how;

	o->record.compression = arg ? arg : "zlib";
	return pmclog_compression_find(o->record.compression, &how, err);
}

static int set_scale(struct options *o, const char *arg, struct err *err)
{
	(void)arg;
	(void)err;
	o->count.scale = o->report.scale = true;
	return 0;
}

static int set_rotation(struct options *o, const char *arg, struct err *err)
{
	return rotation_parse(&o->record.rotation, arg, err);
}

static int set_unit(struct options *o, const char *arg, struct err *err)
{
	o->report.output.seconds = !strcmp(arg, "seconds");
	if (o->report.output.seconds || !strcmp(arg, "samples"))
		return 0;
	return err_set(err, EX_USAGE, "--unit=%s is neither samples nor seconds", arg);
}

static int set_rows(struct options *o, const char *arg, struct err *err)
{
	uint64_t n;

	if (number("--rows", arg, 1, UINT32_MAX, &n, err))
		return -1;
	o->report.output.rows = (unsigned int)n;
	return 0;
}

static int set_verbosity(struct options *o, const char *arg, struct err *err)
{
	uint64_t n;

	if (number("-v", arg, 0, 9, &n, err))
		return -1;
	o->report.verbosity = (unsigned int)n;
	return 0;
}

/* A row whose letter and name are 0 and NULL is a heading of the help text. */
static const struct option_row rows[] = {
	{0, NULL, NULL, "What to record", NULL, 0},
	{'P', "process-sampling", "EVENT", "sample EVENT in the command or in -t's processes",
	 CALLS(set_process_sampling)},
	{'S', "system-sampling", "EVENT", "sample EVENT on CPUs, whatever runs there",
	 CALLS(set_system_sampling)},
	{'p', "process-counting", "EVENT", "count EVENT in the command or in -t's processes",
	 CALLS(set_process_counting)},
	{'s', "system-counting", "EVENT", "count EVENT on CPUs, whatever runs there",
	 CALLS(set_system_counting)},
	{'t', "target", "PID|REGEX", "a running process, by pid or by command name",
	 CALLS(add_target)},
	{'l', "length", "SECONDS", "stop after SECONDS", CALLS(set_duration)},
	{0, "summary", NULL, "run the command once and tell how it uses the machine, in metrics",
	 SETS(action.summary)},
	{0, "runs", "N", "with --summary: N runs for each set of events, mean and deviation",
	 CALLS(set_runs)},
	{'T', "top", NULL, "show samples while they come; h there shows the keys",
	 SETS(action.top)},
	{'w', "interval", "SECONDS", "show every SECONDS: counts (else 5), the screen of -T (1)",
	 CALLS(set_interval)},
	{'o', "count-output", "FILE", "write counts to FILE, not to standard error; - is stdout",
	 SETS(count.file)},
	{0, "count-json", NULL, "write counts as JSON, an object a line", SETS(count.json)},
	{0, "no-sharing", NULL, "refuse PMCs for which there is no counter of their own",
	 SETS(record.no_sharing)},
	{0, "scale", NULL, "scale counts and samples of PMCs that shared counters",
	 CALLS(set_scale)},
	{0, NULL, NULL, "How, for the PMCs that follow on the command line", NULL, 0},
	{'n', "rate", "COUNT", "one sample every COUNT events (clock events: nanoseconds)",
	 CALLS(set_rate)},
	{0, "freq", "HZ", "HZ samples a second instead", CALLS(set_frequency)},
	{'c', "cpus", "CPUS", "on these CPUs, like 0,2-5; * is all; with -R: only their samples",
	 CALLS(set_cpus)},
	{'d', "descendants", NULL, "toggle: also in processes that a target starts",
	 CALLS(toggle_descendants)},
	{'E', "exit-counts", NULL, "toggle: log what each process counted, when it exits",
	 CALLS(toggle_exits)},
	{0, "no-arguments", NULL, "with -E: log names of programs without their arguments",
	 SETS(record.no_arguments)},
	{'W', "switch-counts", NULL, "toggle: log what each thread counted, when it leaves a CPU",
	 CALLS(toggle_switches)},
	{'C', "cumulative", NULL, "toggle: show counts from the start on, not since the last line",
	 CALLS(toggle_cumulative)},
	{'N', "no-callchains", NULL, "toggle: without call chains", CALLS(toggle_callchain)},
	{'U', "user-callchains", NULL, "toggle: kernel samples with the user frames that led there",
	 CALLS(toggle_userchain)},
	{0, "unwind", "HOW", "find callers by: auto (default), fp, dwarf, or off",
	 CALLS(set_unwind)},
	{0, "depth", "FRAMES", "cut call chains at FRAMES, 1 to 4096", CALLS(set_depth)},
	{0, "kgmon", "FILE", "profile the kernel into FILE, a gmon.out, instead of a log (hwpmc)",
	 SETS(record.kgmon)},
	{0, "collector", "NAME", "auto, hwpmc, perf or fake:FILE", SETS(record.collector)},
	{0, NULL, NULL, "Logs", NULL, 0},
	{'O', "output-log", "FILE", "write the log to FILE, or HOST:PORT; - is standard output",
	 SETS(record.log)},
	{0, "compress", "=METHOD", "write it in a tenth of the room: by zlib (default), zstd, gzip",
	 CALLS(set_compression)},
	{0, "rotate", "LIMIT[,KEEP]", "a file for each LIMIT (100M, 10m), the last KEEP are kept",
	 CALLS(set_rotation)},
	{'R', "read-log", "FILE", "read the log FILE; - is standard input", CALLS(set_read_log)},
	{0, "push", "URL", "send a profile to a server every -w SECONDS (else 10)",
	 SETS(record.push.url)},
	{0, "labels", "LIST", "with --push: labels of its profiles, like env=prod,zone=b",
	 SETS(record.push.labels)},
	{0, "push-headers", "FILE", "with --push: lines of FILE are headers of its requests",
	 SETS(record.push.headers)},
	{0, NULL, NULL, "Which samples", NULL, 0},
	{'i', "tid", "TIDS", "only these threads", CALLS(add_tid)},
	{0, "pid", "PIDS", "only these processes", CALLS(add_pid)},
	{0, "comm", "PATTERN", "only processes with this command name; * and ? match",
	 CALLS(add_comm)},
	{0, "time", "FROM..TO", "only from then to then, in seconds from the log's start",
	 CALLS(set_time)},
	{0, NULL, NULL, "How to show them (none of these: an overview)", NULL, 0},
	{0, "diff", "LOG", "compare with LOG, which was before", CALLS(set_base_log)},
	{0, "dump", NULL, "show the log as text, a line a record", SETS(action.dump)},
	{0, "by", "KEY", "one report for each event (else comm, pid, tid, cpu, object or host)",
	 CALLS(set_by)},
	{0, "inlines", NULL, "show inlined functions as frames of their own",
	 SETS(report.show_inlined)},
	{'I', "offsets", NULL, "show leaves by instruction: function+0xoffset",
	 SETS(report.show_offsets)},
	{0, "rows", "N", "show N functions at most in a table", CALLS(set_rows)},
	{0, "unit", "UNIT", "show samples (the default) or, of clocks, seconds", CALLS(set_unit)},
	{0, "full-names", NULL, "show names of functions and paths of objects in full",
	 SETS(report.full_names)},
	{'f', "transform", "LIST", "threshold=PERCENT leaves out less, skiplink=1 marks what was",
	 CALLS(set_transform)},
	{0, "asm", NULL, "annotate with machine instructions too", SETS(report.output.with_asm)},
	{0, "html-sources", NULL, "put source lines of the hottest functions into the page too",
	 SETS(report.output.with_sources)},
	{0, "archive-sources", NULL, "put source files into the archive too",
	 SETS(report.output.archive_sources)},
	{'D', "gmon-dir", "DIR", "write gmon.out files below DIR", SETS(report.gmon_dir)},
	{'e', "gmon-wide", NULL, "write gmon.out files with 64-bit counts, as BSD has them",
	 SETS(report.output.bsd_gmon)},
	{'M', "gmon-map", "FILE", "write to FILE which gmon.out file is of which object",
	 SETS(report.output.gmon_map)},
	{'z', "graph-depth", "FRAMES", "show at most FRAMES callers in call graphs",
	 CALLS(set_graph_depth)},
	{'r', "fsroot", "DIR", "look for mapped files below DIR", CALLS(set_fsroot)},
	{'k', "kernel", "PATH", "the kernel image, or the directory of kernel and modules",
	 CALLS(set_kernel)},
	{0, "debuginfod", NULL, "ask the servers of $DEBUGINFOD_URLS for missing debug files",
	 CALLS(set_debuginfod)},
	{0, "no-demangle", NULL, "show C++ and Rust names as the linker sees them",
	 SETS(report.symbols.no_demangle)},
	{0, NULL, NULL, "Other", NULL, 0},
	{'q', "quiet", NULL, "no status line, no quality line on standard error",
	 SETS(report.quiet)},
	{'v', "verbosity", "LEVEL", "0 to 9; 1 tells of every file without symbols",
	 CALLS(set_verbosity)},
	{'L', "list-events", NULL, "list the events that can be named", SETS(action.list_events)},
	{'u', "describe", "EVENT", "say what EVENT is, or which have it in name or text",
	 SETS(action.describe)},
	{0, "doctor", NULL, "say what works on this machine, what does not, and the fix",
	 SETS(action.doctor)},
	{'h', "help", NULL, "show this text", SETS(action.help)},
	{'V', "version", NULL, "show the version", SETS(action.version)},
};

enum { NROWS = sizeof(rows) / sizeof(rows[0]), MAX_OUTPUTS = 64, FIRST_OUTPUT = 256 + NROWS };

/* getopt's two forms of the table and of the outputs. */
struct getopt_tables {
	struct option longs[NROWS + MAX_OUTPUTS + 1];
	char shorts[2 * (NROWS + MAX_OUTPUTS) + 3];
};

static int getopt_argument(const struct cg_output *o)
{
	switch (o->argument) {
	case CG_MAY_NAME_FILE: return optional_argument;
	case CG_NAMES_NOTHING: return no_argument;
	default: return required_argument;
	}
}

static bool may_lack_argument(const struct option_row *row)
{
	return row->arg && row->arg[0] == '=';
}

/* Long options return FIRST + index, so that long-only ones need no letter. */
static void fill_tables(struct getopt_tables *t)
{
	struct option *l = t->longs;
	char *s = t->shorts;
	size_t i;

	*s++ = '+'; /* what follows the command's name is the command's */
	*s++ = ':';
	for (i = 0; i < NROWS; i++) {
		if (!rows[i].name)
			continue;
		*l++ = (struct option){rows[i].name,
				       may_lack_argument(&rows[i]) ? optional_argument
				       : rows[i].arg		   ? required_argument
								   : no_argument,
				       NULL, 256 + (int)i};
		if (rows[i].letter)
			*s++ = rows[i].letter;
		if (rows[i].letter && rows[i].arg)
			*s++ = ':';
	}
	for (i = 0; cg_outputs[i]; i++) {
		const struct cg_output *o = cg_outputs[i];

		*l++ = (struct option){o->name, getopt_argument(o), NULL, FIRST_OUTPUT + (int)i};
		if (o->letter)
			*s++ = o->letter;
		if (o->letter && getopt_argument(o) == required_argument)
			*s++ = ':';
	}
	*l = (struct option){0};
	*s = '\0';
}

static int take_output(struct options *o, const struct cg_output *output, const char *arg,
		       struct err *err)
{
	struct output_request r = {output, arg ? arg : "-", NULL};

	if (output->argument == CG_NAMES_FUNCTION)
		r = (struct output_request){output, "-", arg};
	else if (output->argument == CG_MUST_NAME_FILE && habit_check_file(output, arg, err))
		return -1;
	return vec_push(&o->report.outputs, r) ? err_nomem(err) : 0;
}

static int apply(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	char *field = (char *)o + row->field;

	if (row->set)
		return row->set(o, arg, err);
	if (row->arg)
		*(const char **)field = arg;
	else
		*(bool *)field = true;
	return 0;
}

static int take_option(struct options *o, int c, const char *arg, struct err *err)
{
	size_t i;

	if (c >= FIRST_OUTPUT)
		return take_output(o, cg_outputs[c - FIRST_OUTPUT], arg, err);
	if (c >= 256)
		return apply(o, &rows[c - 256], arg, err);
	for (i = 0; i < NROWS; i++)
		if (rows[i].letter == c)
			return apply(o, &rows[i], arg, err);
	for (i = 0; cg_outputs[i]; i++)
		if (cg_outputs[i]->letter == c)
			return take_output(o, cg_outputs[i], arg, err);
	return err_set(err, EX_SOFTWARE, "option -%c is in no table", c);
}

/* A comparison is asked for by its logs alone, an overview by one log or by samples alone. */
static int add_default_output(struct options *o, struct err *err)
{
	struct output_request r = {.file = "-"};
	const bool samples = options_have(&o->record, mode_is_sampling);
	size_t i;

	if (o->report.outputs.n || o->action.top || o->action.dump || o->record.kgmon ||
	    o->record.log || o->record.push.url ||
	    !(o->action.read_log || o->report.base_log || samples))
		return 0;
	o->record.keeps_log = !o->action.read_log && !o->report.base_log;
	for (i = 0; cg_outputs[i]; i++)
		if (o->report.base_log ? (cg_outputs[i]->needs & CG_NEEDS_BASE) != 0
				       : !strcmp(cg_outputs[i]->name, "overview"))
			r.output = cg_outputs[i];
	return vec_push(&o->report.outputs, r) ? err_nomem(err) : 0;
}

/* -R that names no log is for the last that got no name when it was recorded. */
static int read_newest(struct options *o, struct err *err)
{
	return default_log_newest(o->action.newest_log, err)
		       ? -1
		       : set_read_log(o, o->action.newest_log, err);
}

/* Whether what getopt took for an argument of -R is the next option. */
static bool is_option(char **argv, const char *arg)
{
	return arg && argv[optind - 1] == arg && arg[0] == '-' && arg[1];
}

/* A run that only counts makes no report: --json=FILE is then --count-json -o FILE. */
static void take_json_of_counts(struct options *o)
{
	const struct output_request *json = o->report.outputs.v;
	bool counts = o->action.summary || options_have(&o->record, mode_is_counting);

	if (!counts || options_have(&o->record, mode_is_sampling) || o->report.outputs.n != 1 ||
	    strcmp(json->output->name, "json") != 0)
		return;
	if (o->count.file && strcmp(json->file, "-") != 0)
		return;
	if (!o->count.file)
		o->count.file = json->file;
	o->count.json = true;
	o->report.outputs.n = 0;
}

/* What getopt found no sense in. */
static int refuse_option(const struct getopt_tables *t, int c, const char *given, struct err *err)
{
	if (c == ':')
		err_set(err, EX_USAGE, "option %s needs an argument", given);
	else if (optopt >= 256)
		err_set(err, EX_USAGE, "option %.*s takes no argument", (int)strcspn(given, "="),
			given);
	else if (optopt)
		err_set(err, EX_USAGE, "unknown option -%c", optopt);
	else
		return habit_refuse_long(t->longs, given, err);
	return err_hint(err, "pmcstat --help lists the options");
}

static bool is_read_log(int c)
{
	return c == 'R' || (c >= 256 && c < FIRST_OUTPUT && rows[c - 256].letter == 'R');
}

/* Takes all options.  *bare: the output that was the last of them, without a file; else NULL. */
static int take_options(struct options *o, int argc, char **argv, const struct cg_output **bare,
			struct err *err)
{
	struct getopt_tables t;
	int c, r;

	fill_tables(&t);
	opterr = 0;
	optind = 1;
	*bare = NULL;
	while ((c = getopt_long(argc, argv, t.shorts, t.longs, NULL)) != -1) {
		if (c == ':' && is_read_log(optopt)) {
			r = read_newest(o, err);
		} else if (is_read_log(c) && is_option(argv, optarg)) {
			optind--;
			r = read_newest(o, err);
		} else {
			r = c == '?' || c == ':' ? refuse_option(&t, c, argv[optind - 1], err)
						 : take_option(o, c, optarg, err);
		}
		if (r)
			return -1;
		*bare = c >= FIRST_OUTPUT && !optarg ? cg_outputs[c - FIRST_OUTPUT] : NULL;
	}
	if (optind < argc)
		o->record.command = argv + optind;
	/* "--" ends the options: what is behind it is no file. */
	if (!strcmp(argv[optind - 1], "--"))
		*bare = NULL;
	return 0;
}

static bool ends_with(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	return n > m && !strcmp(name + n - m, suffix);
}

/* What the log's name says of how it is written. */
static int settle_compression(struct options *o, struct err *err)
{
	const char *name = o->record.log ? o->record.log : "";

	if (ends_with(name, ".gz") && o->record.compression &&
	    strcmp(o->record.compression, "gzip") != 0) {
		err_set(err, EX_USAGE, "gzip could not read what --compress=%s writes to %s",
			o->record.compression, name);
		return err_hint(err, "name it %.*s.pmcz, or use --compress=gzip",
				(int)strlen(name) - 3, name);
	}
	if (!o->record.compression && ends_with(name, ".gz"))
		o->record.compression = "gzip";
	if (!o->record.compression && ends_with(name, ".pmcz"))
		o->record.compression = "zlib";
	return 0;
}

int options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	const struct cg_output *bare;

	*o = (struct options){.next.flags = PMC_F_CALLCHAIN,
			      .record.collector = "auto",
			      .report.output.threshold = -1};
	if (take_options(o, argc, argv, &bare, err))
		return -1;
	if (o->action.help || o->action.version || o->action.list_events || o->action.doctor ||
	    o->action.describe)
		return 0;
	if (habit_check_command(o, bare, err) || settle_late(o, err) || add_default_event(o, err))
		return -1;
	if (o->action.read_log) {
		/* With -R the CPUs select samples. */
		vec_move(&o->report.select.cpus, &o->next.cpus);
	}
	take_json_of_counts(o);
	habit_name_packed_log(o);
	if (add_default_output(o, err) || settle_compression(o, err) || options_check(o, err) ||
	    check_kernel(o, err))
		return -1;
	return 0;
}

void options_free(struct options *o)
{
	struct pmc_request *r;
	char **text;

	vec_each(r, &o->record.requests)
		vec_free(&r->cpus);
	vec_free(&o->record.requests);
	vec_each(text, &o->record.groups)
		free(*text);
	vec_free(&o->record.groups);
	vec_free(&o->report.outputs);
	vec_free(&o->record.targets);
	vec_free(&o->next.cpus);
	vec_free(&o->report.select.pids);
	vec_free(&o->report.select.tids);
	vec_free(&o->report.select.cpus);
	vec_free(&o->report.select.comms);
}

static void help_row(struct sink *sink, char letter, const char *name, const char *arg,
		     bool arg_optional, const char *help)
{
	char left[64];
	int n;

	n = snprintf(left, sizeof(left), letter ? "  -%c, " : "      ", letter);
	snprintf(left + n, sizeof(left) - (size_t)n, "--%s%s%s%s", name,
		 !arg		? ""
		 : arg_optional ? "[="
				: " ",
		 arg ? arg : "", arg && arg_optional ? "]" : "");
	sink_printf(sink, "%-32s %s\n", left, help);
}

static void help_output(struct sink *sink, const struct cg_output *o)
{
	static const char *const args[] = {[CG_MAY_NAME_FILE] = "FILE",
					   [CG_MUST_NAME_FILE] = "FILE",
					   [CG_NAMES_FUNCTION] = "FUNCTION"};

	help_row(sink, o->letter, o->name,
		 o->argument == CG_NAMES_NOTHING ? NULL : args[o->argument],
		 o->argument == CG_MAY_NAME_FILE, o->summary);
}

void options_help(struct sink *sink)
{
	size_t i, j;

	sink_str(sink, "usage: pmcstat -P EVENT [options] -O FILE COMMAND [ARG ...]\n"
		       "       pmcstat -S EVENT [options] -O FILE [COMMAND [ARG ...]]\n"
		       "       pmcstat -p EVENT|-s EVENT [options] [COMMAND [ARG ...]]\n"
		       "       pmcstat --summary [--runs N] COMMAND [ARG ...]\n"
		       "       pmcstat -T -S EVENT [options]\n"
		       "       pmcstat --push URL [options]\n"
		       "       pmcstat -R FILE [options]\n");
	for (i = 0; i < NROWS; i++) {
		if (rows[i].name) {
			bool optional = may_lack_argument(&rows[i]);

			help_row(sink, rows[i].letter, rows[i].name,
				 optional ? rows[i].arg + 1 : rows[i].arg, optional, rows[i].help);
			continue;
		}
		sink_printf(sink, "\n%s:\n", rows[i].help);
		/* The outputs open the part on showing. */
		if (i + 1 < NROWS && rows[i + 1].set == set_base_log)
			for (j = 0; cg_outputs[j]; j++)
				help_output(sink, cg_outputs[j]);
	}
}
