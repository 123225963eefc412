// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/same_file.h"
#include "pmcstat/log_socket.h"
#include "pmcstat/options/option_modes.h"
#include "pmcstat/options/option_rules.h"

struct rule {
	bool broken;
	const char *text;
};

/* Whether one of n rules is broken; err says which. */
static bool rules_are_broken(const struct rule *rules, size_t n, struct err *err)
{
	for (; n; rules++, n--)
		if (rules->broken) {
			err_set(err, EX_USAGE, "%s", rules->text);
			err_hint(err, "pmcstat --help lists the options");
			return true;
		}
	return false;
}

static bool counts_processes(const struct options *o)
{
	const struct pmc_request *r;

	vec_each(r, &o->record.requests)
		if (r->mode == PMC_MODE_TC)
			return true;
	return false;
}

/* Whether an output shows counts of processes, or (counts false) one shows samples. */
static bool has_output(const struct options *o, bool counts)
{
	const struct output_request *r;

	vec_each(r, &o->report.outputs)
		if (!(r->output->needs & CG_NEEDS_LIFETIMES) != counts)
			return true;
	return false;
}

/* What -p and -s go with, and what needs them. */
static int rules_of_counting(const struct options *o, struct err *err)
{
	bool counting = options_have(&o->record, mode_is_counting);
	bool sampling = options_have(&o->record, mode_is_sampling);
	bool to_stdout = o->count.file && !strcmp(o->count.file, "-");
	const struct rule rules[] = {
		{counting && sampling && !o->record.log,
		 "option -O is required where PMCs that sample and PMCs that count are together"},
		{o->next.cumulative_given && !counting, "option -C needs -p or -s"},
		{(o->next.exits_given || o->next.switches_given) &&
			 !(o->record.command || o->record.targets.n),
		 "options -E and -W need a target: a command or -t"},
		{o->next.exits_given && !counts_processes(o), "option -E needs -p"},
		{o->next.switches_given && !counts_processes(o), "option -W needs -p"},
		{o->record.no_arguments && !o->next.exits_given, "option --no-arguments needs -E"},
		{o->count.file && !counting && !o->action.summary,
		 "option -o needs -p, -s, --summary or what goes to standard output"},
		{o->count.json && !counting && !o->action.summary,
		 "option --count-json needs -p, -s or --summary"},
		{o->record.no_sharing && !counting && !sampling,
		 "option --no-sharing needs -P, -S, -p or -s"},
		{o->count.scale && !counting && !sampling && !has_output(o, false),
		 "option --scale needs -p, -s, -P, -S or an output"},
		{o->count.interval > 0 && !o->action.top && !o->record.push.url && !counting,
		 "option -w needs -T, --push, -p or -s"},
		{o->record.requests.n && has_output(o, true) && !options_log_counts(&o->record),
		 "option --process-tree needs -E -p, or -R"},
		{counting && !sampling && has_output(o, false),
		 "outputs show samples, and need -P, -S or -R; --count-json is for counts"},
		{o->action.top && counting && (!o->count.file || to_stdout),
		 "option -T with -p or -s needs a file of -o for the counts"},
		{to_stdout && o->record.log && !strcmp(o->record.log, "-"),
		 "options -o - and -O - are mutually exclusive"},
	};

	return rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ? -1 : 0;
}

/* Whether an output writes files below a directory. */
static bool has_gmon(const struct options *o)
{
	const struct output_request *r;

	vec_each(r, &o->report.outputs)
		if (r->output->argument == CG_NAMES_NOTHING)
			return true;
	return false;
}

static bool has_output_with(const struct options *o, enum cg_output_trait trait)
{
	const struct output_request *r;

	vec_each(r, &o->report.outputs)
		if (r->output->traits & trait)
			return true;
	return false;
}

/* What shows sources and instructions. */
static int rules_of_sources(const struct options *o, struct err *err)
{
	const struct cg_output_options *of = &o->report.output;
	const struct rule rules[] = {
		{of->with_sources && !has_output_with(o, CG_HEEDS_SOURCES),
		 "option --html-sources needs --html"},
		{of->with_asm && !of->with_sources && !has_output_with(o, CG_HEEDS_ASM),
		 "option --asm needs --annotate or --html-sources"},
		{of->archive_sources && !has_output_with(o, CG_HEEDS_ARCHIVE_SOURCES),
		 "option --archive-sources needs --archive"},
		{of->no_sources && !has_output_with(o, CG_IS_LOG),
		 "option --no-sources needs --pack"},
	};

	return rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ? -1 : 0;
}

/* Refuses outputs that cannot show a comparison, and those that show nothing else without one. */
/* Refuses an output, and names those that compare. */
static int refuse_comparison(const struct cg_output *output, struct err *err)
{
	const struct cg_output *const *each;
	char names[256] = "";
	size_t n = 0;

	for (each = cg_outputs; *each && n < sizeof(names); each++)
		if ((*each)->compares)
			n += (size_t)snprintf(names + n, sizeof(names) - n, " --%s", (*each)->name);
	err_set(err, EX_USAGE, "option --%s cannot compare two logs", output->name);
	return err_hint(err, "these can:%s", names);
}

static int check_comparison(const struct options *o, struct err *err)
{
	const struct output_request *r;

	vec_each(r, &o->report.outputs) {
		if (o->report.base_log && !r->output->compares)
			return refuse_comparison(r->output, err);
		if (!o->report.base_log && (r->output->needs & CG_NEEDS_BASE)) {
			err_set(err, EX_USAGE, "option --%s needs two logs", r->output->name);
			return err_hint(err, "name the older one with --diff");
		}
	}
	return 0;
}

/*
 * The later of two files would silently take the place of the earlier, a log or an output.
 * outputs: how many are before it.
 */
static int check_file(const struct options *o, const char *option, const char *file, size_t outputs,
		      struct err *err)
{
	const char *logs[] = {o->record.log, o->action.read_log, o->report.base_log};
	const struct output_request *r = o->report.outputs.v;
	const bool is_log =
		outputs < o->report.outputs.n && (r[outputs].output->traits & CG_IS_LOG);
	size_t i;

	for (i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		if (logs[i] && is_same_file(file, logs[i]) && !(is_log && logs[i] == o->record.log))
			return err_set(err, EX_USAGE, "--%s would overwrite the log %s", option,
				       logs[i]);
	for (i = 0; i < outputs; i++)
		if (is_same_file(file, r[i].file))
			return err_set(err, EX_USAGE, "--%s and --%s would both be written to %s",
				       r[i].output->name, option, file);
	return 0;
}

static int check_files(const struct options *o, struct err *err)
{
	const char *map = o->report.output.gmon_map;
	size_t i;

	for (i = 0; i < o->report.outputs.n; i++)
		if (check_file(o, o->report.outputs.v[i].output->name, o->report.outputs.v[i].file,
			       i, err))
			return -1;
	if (map && check_file(o, "gmon-map", map, i, err))
		return -1;
	if (o->report.text_file)
		return check_file(o, "count-output", o->report.text_file, i, err);
	if (!o->count.file)
		return 0;
	if (map && is_same_file(o->count.file, map))
		return err_set(err, EX_USAGE, "-o and -M would both be written to %s", map);
	return check_file(o, "count-output", o->count.file, i, err);
}

/* Whether samples are to be chosen: the log as text and a log that is written have all. */
static bool selects(const struct cg_select *s)
{
	return s->pids.n || s->tids.n || s->cpus.n || s->comms.n || s->time_from > 0 ||
	       s->time_to > 0;
}

/* A summary chooses its PMCs itself. */
static int rules_of_summary(const struct options *o, struct err *err)
{
	bool others = o->record.requests.n || o->action.read_log || o->record.log ||
		      o->record.targets.n || o->action.top || o->report.outputs.n ||
		      o->report.base_log || o->record.duration > 0 || o->next.unused;
	const struct rule rules[] = {
		{o->action.runs && !o->action.summary, "option --runs needs --summary"},
		{o->action.summary && !o->record.command, "option --summary needs a command"},
		{o->action.summary && others,
		 "option --summary goes with --runs, --count-json, -o and a command alone"},
	};

	return rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ? -1 : 0;
}

/* The log as text. */
static int rules_of_dump(const struct options *o, struct err *err)
{
	const struct rule rules[] = {
		{o->action.dump && (o->report.outputs.n || o->action.top || o->report.base_log),
		 "option --dump goes with no output, and with neither -T nor --diff"},
		{o->action.dump && o->record.log && !strcmp(o->record.log, "-"),
		 "options --dump and -O - are mutually exclusive"},
		{o->action.dump && !o->action.read_log &&
			 !options_have(&o->record, mode_is_sampling) &&
			 !options_log_counts(&o->record),
		 "option --dump needs -P, -S, -E, -W or -R"},
	};

	return rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ? -1 : 0;
}

/* The live display. */
static int rules_of_top(const struct options *o, struct err *err)
{
	const struct rule rules[] = {
		{o->action.top && o->record.duration > 0,
		 "options -T and -l are mutually exclusive"},
		{o->action.top && (o->report.outputs.n || o->report.base_log),
		 "option -T and outputs are mutually exclusive"},
		{o->action.top && (o->report.by != CG_KEY_EVENT || o->report.show_inlined ||
				   o->report.show_offsets),
		 "option -T goes with none of --by, --inlines and -I"},
		{o->action.top && o->record.log && !strcmp(o->record.log, "-"),
		 "option -T shows on standard output, where -O - writes the log"},
		{o->action.top && o->record.requests.n &&
			 !options_have(&o->record, mode_is_sampling),
		 "option -T needs -P, -S or -R"},
	};

	return rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ? -1 : 0;
}

/* What outputs show. */
static int rules_of_reports(const struct options *o, struct err *err)
{
	const struct rule rules[] = {
		{!has_gmon(o) && o->report.output.bsd_gmon, "option -e needs -g"},
		{!has_gmon(o) && o->report.gmon_dir, "option -D needs -g"},
		{!has_gmon(o) && o->report.output.gmon_map, "option -M needs -g"},
		{selects(&o->report.select) && !o->report.outputs.n && !o->report.base_log &&
			 !o->action.top && !o->record.push.url,
		 "options -i, --pid, --comm, --time and, with -R, -c need an output or -T"},
		{(o->report.by != CG_KEY_EVENT || o->report.show_inlined ||
		  o->report.show_offsets) &&
			 !o->report.outputs.n && !o->report.base_log,
		 "options --by, --inlines and -I need an output"},
	};

	return rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ? -1 : 0;
}

static bool is_file(const char *log)
{
	return strcmp(log, "-") != 0 && !log_socket_is(log);
}

/* What makes a log that has all that it needs of all of a log. */
static int rules_of_packing(const struct options *o, struct err *err)
{
	const bool packs = has_output_with(o, CG_IS_LOG);
	const char *log = o->action.read_log ? o->action.read_log : o->record.log;
	const struct rule rules[] = {
		{packs && !(log && is_file(log)),
		 "option --pack needs a log that is a file: -R FILE or -O FILE"},
		{packs && o->record.compression && is_same_file(log, o->report.outputs.v->file),
		 "option --pack adds nothing to a log that is compressed: it needs another file "
		 "than -O"},
		{packs && o->report.outputs.n > 1, "option --pack goes with no other output"},
		{packs && selects(&o->report.select),
		 "option --pack is of all of a log: it goes with none of -i, -c, --pid, --comm "
		 "and --time"},
	};

	return rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ? -1 : 0;
}

/* A log in several files. */
static int rules_of_rotation(const struct options *o, struct err *err)
{
	const bool rotates = rotation_is_asked(&o->record.rotation);
	const struct rule rules[] = {
		{rotates && !o->record.log, "option --rotate needs a log that is written: -O FILE"},
		{rotates && o->record.log && !strcmp(o->record.log, "-"),
		 "option --rotate needs files or connections: -O - is neither"},
		{o->record.rotation.keep && o->record.log && log_socket_is(o->record.log),
		 "option --rotate keeps files here alone: of those that -O HOST:PORT sends "
		 "pmclog recv -k does"},
		{rotates && (o->report.outputs.n || o->action.dump || o->action.top),
		 "option --rotate goes with no output, nor with --dump and -T: they read one file"},
	};

	return rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ? -1 : 0;
}

/* A recording that a server gets. */
static int rules_of_push(const struct options *o, struct err *err)
{
	const bool push = o->record.push.url;
	struct push_target target;
	const struct rule rules[] = {
		{o->record.push.labels && !push, "option --labels needs --push"},
		{o->record.push.headers && !push, "option --push-headers needs --push"},
		{push && o->action.read_log, "options --push and -R are mutually exclusive"},
		{push && (o->record.log || o->record.kgmon || o->action.top || o->action.dump ||
			  o->report.outputs.n || o->report.base_log),
		 "option --push goes with none of -O, -T, --kgmon, --dump and outputs"},
		{push && options_have(&o->record, mode_is_counting),
		 "option --push sends samples, and goes with neither -p nor -s"},
		{push && o->count.interval > 0 && o->count.interval < 1,
		 "option --push sends a profile a second at most: -w is below 1"},
	};

	if (rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err))
		return -1;
	if (push && push_target_init(&target, &o->record.push, err))
		return -1;
	if (push)
		push_target_fini(&target);
	return 0;
}

int options_check(const struct options *o, struct err *err)
{
	bool target = o->record.command || o->record.targets.n, any = o->record.requests.n;
	bool process = options_have(&o->record, mode_is_process),
	     system = options_have(&o->record, mode_is_system);
	bool sampling = options_have(&o->record, mode_is_sampling);
	const struct rule rules[] = {
		{o->record.log && o->action.read_log, "options -O and -R are mutually exclusive"},
		{o->record.log && !strcmp(o->record.log, "-") && o->report.outputs.n,
		 "option -O - and outputs are mutually exclusive"},
		{o->action.read_log && (any || target),
		 "option -R reads a log and cannot be used with a PMC, -t or a command"},
		{process && !target, "options -P and -p need a target: a command or -t"},
		{o->record.targets.n && any && !process && !options_log_counts(&o->record),
		 "option -t needs -P or -p: -S and -s are of whole CPUs, whoever runs there"},
		{o->next.process_flags_given && !target,
		 "option -d needs a target: a command or -t"},
		{o->next.process_flags_given && !process, "option -d needs -P or -p"},
		{o->next.cpus_given && !system && !o->action.read_log,
		 "option -c needs -S, -s or -R"},
		{o->next.rate_given && !sampling, "options -n and --freq need -P or -S"},
		{o->record.log && !sampling && !options_log_counts(&o->record),
		 "option -O needs -P, -S, -E or -W"},
		{o->record.compression && !o->record.log && !o->record.keeps_log,
		 "option --compress needs a log that is written: -O"},
		{o->record.log_version && !o->record.log && !o->record.keeps_log,
		 "option --log-version needs a log that is written: -O"},
		{o->record.duration > 0 && !any, "option -l needs -P, -S, -p or -s"},
		{o->record.depth && !sampling, "option --depth needs -P or -S"},
		{o->record.unwind_given && !sampling, "option --unwind needs -P or -S"},
		{o->record.kgmon &&
			 (o->record.requests.n != 1 || o->record.requests.v->mode != PMC_MODE_SS),
		 "option --kgmon needs one -S, and goes with no other PMC"},
		{o->record.kgmon && (o->record.log || o->report.outputs.n || o->action.top),
		 "option --kgmon writes no log: it goes with none of -O, -T and outputs"},
		{o->report.base_log && !o->action.read_log, "option --diff needs -R"},
		{o->report.base_log && o->report.scale,
		 "options --diff and --scale are mutually exclusive: estimates are no samples by "
		 "which chance could be told"},
		{!any && !o->action.read_log && !o->action.summary,
		 "nothing to do: name a command, a PMC with -P, -S, -p or -s, or a log with -R"},
	};

	if (rules_of_push(o, err) || rules_of_summary(o, err) ||
	    rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ||
	    rules_of_top(o, err) || rules_of_reports(o, err) || rules_of_counting(o, err) ||
	    rules_of_dump(o, err) || rules_of_sources(o, err) ||
	    rules_of_packing(o, err) || rules_of_rotation(o, err))
		return -1;
	/* With -R -c selects samples. */
	if (o->next.unused && (any || strcmp(o->next.unused, "-c") != 0)) {
		err_set(err, EX_USAGE, "option %s is for the PMCs behind it, and there is none",
			o->next.unused);
		return err_hint(err, "put it before the -P, -S, -p or -s that it is for");
	}
	return check_comparison(o, err) || check_files(o, err) ? -1 : 0;
}
