// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmclog/encoder.h"
#include "pmcstat/options/option_events.h"
#include "pmcstat/options/option_table.h"
#include "pmcstat/options/option_values.h"

#define CALLS(function)	  function, 0, false, false
#define REPEATS(function) function, 0, false, true
#define SETS(member)	  NULL, offsetof(struct options, member), false, false
#define HEADING(text)	  {0, NULL, NULL, text, NULL, 0, false, false}

static int set_process_sampling(struct options *o, const char *arg, struct err *err)
{
	return option_add_event(o, arg, PMC_MODE_TS, err);
}

static int set_system_sampling(struct options *o, const char *arg, struct err *err)
{
	return option_add_event(o, arg, PMC_MODE_SS, err);
}

static int set_process_counting(struct options *o, const char *arg, struct err *err)
{
	return option_add_event(o, arg, PMC_MODE_TC, err);
}

static int set_system_counting(struct options *o, const char *arg, struct err *err)
{
	return option_add_event(o, arg, PMC_MODE_SC, err);
}

int option_read_log(struct options *o, const char *arg, struct err *err)
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
	return option_number("-n", arg, 1, INT64_MAX, &o->next.rate, err);
}

static int set_frequency(struct options *o, const char *arg, struct err *err)
{
	o->next.rate_given = true;
	o->next.unused = "--freq";
	o->next.flags |= PMC_F_FREQUENCY;
	return option_number("--freq", arg, 1, 1000000, &o->next.rate, err);
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
	return option_numbers("-c", arg, 4094, &o->next.cpus, err);
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
		return option_refuse(err, "-l", arg, "a number of seconds above 0");
	return 0;
}

static int set_interval(struct options *o, const char *arg, struct err *err)
{
	char *end;

	o->count.interval = strtod(arg, &end);
	if (end == arg || *end || !(o->count.interval >= 0.001 && o->count.interval <= 1e6))
		return option_refuse(err, "-w", arg, "a number of seconds from 0.001 on");
	return 0;
}

static int set_runs(struct options *o, const char *arg, struct err *err)
{
	uint64_t n;

	if (option_number("--runs", arg, 1, 1000, &n, err))
		return -1;
	o->action.runs = (unsigned int)n;
	return 0;
}

static int set_depth(struct options *o, const char *arg, struct err *err)
{
	uint64_t n;

	if (option_number("--depth", arg, 1, PMCLOG_MAX_FRAMES, &n, err))
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
	return option_refuse(err, "--unwind", arg, "auto, fp, dwarf or off");
}

static int set_graph_depth(struct options *o, const char *arg, struct err *err)
{
	uint64_t n;

	if (option_number("-z", arg, 1, PMCLOG_MAX_FRAMES, &n, err))
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
		return option_refuse(err, "-f", arg, "a list like threshold=0.5,skiplink=1");
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
	return option_refuse(err, "--by", arg, want);
}

/* "A..B", seconds; one of them may be left out. */
static int set_time(struct options *o, const char *arg, struct err *err)
{
	if (numbers_seconds_range(arg, &o->report.select.time_from, &o->report.select.time_to))
		return 0;
	return option_refuse(err, "--time", arg, "a range of seconds like 1.5..3, 2.. or ..10");
}

static int set_debuginfod(struct options *o, const char *arg, struct err *err)
{
	(void)arg;
	o->report.symbols.debuginfod = true;
	return symbol_debuginfod_check(err) ? err_wrap(err, "--debuginfod") : 0;
}

static int set_fsroot(struct options *o, const char *arg, struct err *err)
{
	o->report.symbols.fsroot = arg;
	return option_check_place("-r", arg, true, err);
}

static int set_kernel(struct options *o, const char *arg, struct err *err)
{
	(void)err;
	o->report.symbols.kernel = arg;
	return 0;
}

static int add_tid(struct options *o, const char *arg, struct err *err)
{
	return option_numbers("-i", arg, UINT32_MAX, &o->report.select.tids, err);
}

static int add_pid(struct options *o, const char *arg, struct err *err)
{
	return option_numbers("--pid", arg, UINT32_MAX, &o->report.select.pids, err);
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

static int set_log_version(struct options *o, const char *arg, struct err *err)
{
	uint64_t n;

	if (option_number("--log-version", arg, 9, 10, &n, err))
		return -1;
	o->record.log_version = (unsigned int)n;
	return 0;
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

	if (option_number("--rows", arg, 1, UINT32_MAX, &n, err))
		return -1;
	o->report.output.rows = (unsigned int)n;
	return 0;
}

static int set_verbosity(struct options *o, const char *arg, struct err *err)
{
	uint64_t n = o->report.verbosity + 1;

	if (arg && option_number("-v", arg, 0, 9, &n, err))
		return -1;
	o->report.verbosity = (unsigned int)n;
	return 0;
}

const struct option_row option_rows[] = {
	HEADING("What to record"),
	{'P', "process-sampling", "EVENT", "sample EVENT in the command or in -t's processes",
	 REPEATS(set_process_sampling)},
	{'S', "system-sampling", "EVENT", "sample EVENT on CPUs, whatever runs there",
	 REPEATS(set_system_sampling)},
	{'p', "process-counting", "EVENT", "count EVENT in the command or in -t's processes",
	 REPEATS(set_process_counting)},
	{'s', "system-counting", "EVENT", "count EVENT on CPUs, whatever runs there",
	 REPEATS(set_system_counting)},
	{'t', "target", "PID|REGEX", "a running process, by pid or by command name",
	 REPEATS(add_target)},
	{'l', "length", "SECONDS", "stop after SECONDS", CALLS(set_duration)},
	{0, "summary", NULL, "run the command once and tell how it uses the machine, in metrics",
	 SETS(action.summary)},
	{0, "runs", "N", "with --summary: N runs for each set of events, mean and deviation",
	 CALLS(set_runs)},
	{'T', "top", NULL, "show samples while they come; h there shows the keys",
	 SETS(action.top)},
	{'w', "interval", "SECONDS", "show every SECONDS: counts (else 5), the screen of -T (1)",
	 CALLS(set_interval)},
	{'o', "count-output", "FILE", "write counts, or without them reports, to FILE; - is stdout",
	 SETS(count.file)},
	{0, "count-json", NULL, "write counts as JSON, an object a line", SETS(count.json)},
	{0, "no-sharing", NULL, "refuse PMCs for which there is no counter of their own",
	 SETS(record.no_sharing)},
	{0, "scale", NULL, "scale counts and samples of PMCs that shared counters",
	 CALLS(set_scale)},
	HEADING("How, for the PMCs that follow on the command line"),
	{'n', "rate", "COUNT", "one sample every COUNT events (clock events: nanoseconds)",
	 REPEATS(set_rate)},
	{0, "freq", "HZ", "HZ samples a second instead", REPEATS(set_frequency)},
	{'c', "cpus", "CPUS", "on these CPUs, like 0,2-5; * is all; with -R: only their samples",
	 REPEATS(set_cpus)},
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
	HEADING("Logs"),
	{'O', "output-log", "FILE", "write the log to FILE, or HOST:PORT; - is standard output",
	 SETS(record.log)},
	{0, "compress", "=METHOD", "write it in a tenth of the room: by zlib (default), zstd, gzip",
	 CALLS(set_compression)},
	{0, "log-version", "9|10", "write it for FreeBSD 12 and 13 (9, default) or 14 and 15",
	 CALLS(set_log_version)},
	{0, "rotate", "LIMIT[,KEEP]", "a file for each LIMIT (100M, 10m), the last KEEP are kept",
	 CALLS(set_rotation)},
	{'R', "read-log", "FILE", "read the log FILE; - is standard input",
	 REPEATS(option_read_log)},
	{0, "push", "URL", "send a profile to a server every -w SECONDS (else 10)",
	 SETS(record.push.url)},
	{0, "labels", "LIST", "with --push: labels of its profiles, like env=prod,zone=b",
	 SETS(record.push.labels)},
	{0, "push-headers", "FILE", "with --push: lines of FILE are headers of its requests",
	 SETS(record.push.headers)},
	HEADING("Which samples"),
	{'i', "tid", "TIDS", "only these threads", REPEATS(add_tid)},
	{0, "pid", "PIDS", "only these processes", REPEATS(add_pid)},
	{0, "comm", "PATTERN", "only processes with this command name; * and ? match",
	 REPEATS(add_comm)},
	{0, "time", "FROM..TO", "only from then to then, in seconds from the log's start",
	 CALLS(set_time)},
	{0, NULL, NULL, "How to show them (none of these: an overview)", NULL, 0, true, false},
	{0, "diff", "LOG", "compare with LOG, which was before", REPEATS(set_base_log)},
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
	 REPEATS(set_transform)},
	{0, "asm", NULL, "annotate with machine instructions too", SETS(report.output.with_asm)},
	{0, "html-sources", NULL, "put source lines of the hottest functions into the page too",
	 SETS(report.output.with_sources)},
	{0, "archive-sources", NULL, "put source files into the archive too",
	 SETS(report.output.archive_sources)},
	{0, "no-sources", NULL, "leave source lines out of a packed log",
	 SETS(report.output.no_sources)},
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
	HEADING("Other"),
	{'q', "quiet", NULL, "no status line, no quality line on standard error",
	 SETS(report.quiet)},
	{'v', "verbosity", "=LEVEL", "one more, or 0 to 9; 1 tells of all files without symbols",
	 REPEATS(set_verbosity)},
	{'L', "list-events", NULL, "list the events that can be named", SETS(action.list_events)},
	{'u', "describe", "EVENT", "say what EVENT is, or which have it in name or text",
	 SETS(action.describe)},
	{0, "doctor", NULL, "say what works on this machine, what does not, and the fix",
	 SETS(action.doctor)},
	{'h', "help", NULL, "show this text", SETS(action.help)},
	{'V', "version", NULL, "show the version", SETS(action.version)},
};

const size_t option_row_count = sizeof(option_rows) / sizeof(option_rows[0]);
_Static_assert(sizeof(option_rows) / sizeof(option_rows[0]) <= OPTION_ROWS_MAX,
	       "OPTION_ROWS_MAX is too small");
