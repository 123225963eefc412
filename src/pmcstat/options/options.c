// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pmcstat/options/option_events.h"
#include "pmcstat/options/option_habits.h"
#include "pmcstat/options/option_modes.h"
#include "pmcstat/options/option_rules.h"
#include "pmcstat/options/option_table.h"
#include "pmcstat/options/option_values.h"
#include "pmcstat/options/options.h"

/* What getopt returns of options by their long names: an index above these. */
enum { FIRST_ROW = 256, FIRST_OUTPUT = FIRST_ROW + OPTION_ROWS_MAX, MAX_OUTPUTS = 64 };

/* getopt's two forms of the table and of the outputs, and what was given of the table's rows. */
struct getopt_tables {
	struct option longs[OPTION_ROWS_MAX + MAX_OUTPUTS + 1];
	char shorts[2 * (OPTION_ROWS_MAX + MAX_OUTPUTS) + 3];
	const char *values[OPTION_ROWS_MAX]; /* NULL: not given yet */
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

/* Long options return a first number + index, so that long-only ones need no letter. */
static void fill_tables(struct getopt_tables *t)
{
	struct option *l = t->longs;
	char *s = t->shorts;
	size_t i;

	memset(t->values, 0, sizeof(t->values));
	*s++ = '+'; /* what follows the command's name is the command's */
	*s++ = ':';
	for (i = 0; i < option_row_count; i++) {
		if (!option_rows[i].name)
			continue;
		*l++ = (struct option){option_rows[i].name,
				       may_lack_argument(&option_rows[i]) ? optional_argument
				       : option_rows[i].arg		  ? required_argument
									  : no_argument,
				       NULL, FIRST_ROW + (int)i};
		if (option_rows[i].letter)
			*s++ = option_rows[i].letter;
		if (option_rows[i].letter && option_rows[i].arg &&
		    !may_lack_argument(&option_rows[i]))
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

/* Of two values one would be taken without a word: most options have but one. */
static int take_value(struct getopt_tables *t, const struct option_row *row, const char *arg,
		      struct err *err)
{
	const char **value = &t->values[row - option_rows];
	const char *before = *value;
	char name[40];

	if (!row->arg || row->repeats)
		return 0;
	*value = arg ? arg : "";
	if (!before)
		return 0;
	if (row->letter)
		snprintf(name, sizeof(name), "-%c", row->letter);
	else
		snprintf(name, sizeof(name), "--%s", row->name);
	err_set(err, EX_USAGE, "%s takes one value, but is given twice: \"%s\" and \"%s\"", name,
		before, *value);
	return err_hint(err, "leave out one of them");
}

static int apply(struct options *o, struct getopt_tables *t, const struct option_row *row,
		 const char *arg, struct err *err)
{
	char *field = (char *)o + row->field;

	if (take_value(t, row, arg, err))
		return -1;
	if (row->set)
		return row->set(o, arg, err);
	if (row->arg)
		*(const char **)field = arg;
	else
		*(bool *)field = true;
	return 0;
}

static int take_option(struct options *o, struct getopt_tables *t, int c, const char *arg,
		       struct err *err)
{
	size_t i;

	if (c >= FIRST_OUTPUT)
		return take_output(o, cg_outputs[c - FIRST_OUTPUT], arg, err);
	if (c >= FIRST_ROW)
		return apply(o, t, &option_rows[c - FIRST_ROW], arg, err);
	for (i = 0; i < option_row_count; i++)
		if (option_rows[i].letter == c)
			return apply(o, t, &option_rows[i], arg, err);
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
				       : (cg_outputs[i]->traits & CG_IS_DEFAULT) != 0)
			r.output = cg_outputs[i];
	return vec_push(&o->report.outputs, r) ? err_nomem(err) : 0;
}

/* -R that names no log is for the last that got no name when it was recorded. */
static int read_newest(struct options *o, struct err *err)
{
	return default_log_newest(o->action.newest_log, err)
		       ? -1
		       : option_read_log(o, o->action.newest_log, err);
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
	    !(json->output->traits & CG_SHOWS_COUNTS))
		return;
	if (o->count.file && strcmp(json->file, "-") != 0)
		return;
	if (!o->count.file)
		o->count.file = json->file;
	o->count.json = true;
	o->report.outputs.n = 0;
}

/* Without counts the file of -o is for what would go to standard output. */
static void take_file_of_reports(struct options *o)
{
	const char *file = o->count.file;
	struct output_request *r;

	if (!file || o->action.summary || options_have(&o->record, mode_is_counting))
		return;
	vec_each(r, &o->report.outputs)
		if (r->output->argument != CG_NAMES_NOTHING && !strcmp(r->file, "-")) {
			r->file = file;
			o->count.file = NULL;
		}
	if (o->report.output.gmon_map && !strcmp(o->report.output.gmon_map, "-")) {
		o->report.output.gmon_map = file;
		o->count.file = NULL;
	}
	if (o->action.dump) {
		o->report.text_file = file;
		o->count.file = NULL;
	}
}

/* What getopt found no sense in. */
static int refuse_option(const struct getopt_tables *t, int c, const char *given, struct err *err)
{
	if (c == ':')
		err_set(err, EX_USAGE, "option %s needs an argument", given);
	else if (optopt >= FIRST_ROW)
		err_set(err, EX_USAGE, "option %.*s takes no argument", (int)strcspn(given, "="),
			given);
	else if (optopt)
		return habit_refuse_letter(optopt, err);
	else
		return habit_refuse_long(t->longs, given, err);
	return err_hint(err, "pmcstat --help lists the options");
}

/* Whether what getopt returned is the option of that letter, by either of its names. */
static bool is_of(int c, char letter)
{
	return c == letter ||
	       (c >= FIRST_ROW && c < FIRST_OUTPUT && option_rows[c - FIRST_ROW].letter == letter);
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
		if (is_of(c, 'v') && !optarg && optind < argc && habit_is_number(argv[optind]))
			optarg = argv[optind++];
		if (c == ':' && is_of(optopt, 'R')) {
			r = read_newest(o, err);
		} else if (is_of(c, 'R') && is_option(argv, optarg)) {
			optind--;
			r = read_newest(o, err);
		} else {
			r = c == '?' || c == ':' ? refuse_option(&t, c, argv[optind - 1], err)
						 : take_option(o, &t, c, optarg, err);
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
	return option_check_place("-k", kernel, false, err);
}

/* What only shows something runs no command, and has none of the outputs. */
static int refuse_rest(const struct options *o, struct err *err)
{
	if (o->record.command)
		err_set(err, EX_USAGE, "\"%s\" is one word too many: nothing is run here",
			o->record.command[0]);
	else if (o->record.requests.n || o->record.targets.n || o->record.log ||
		 o->action.read_log || o->action.top || o->action.summary || o->report.outputs.n)
		err_set(err, EX_USAGE,
			"options -L, -u and --doctor write a text of their own, and go with no "
			"PMC, log or output");
	else
		return 0;
	return err_hint(err, "pmcstat --help lists the options");
}

int options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	const struct cg_output *bare;

	*o = (struct options){.next.flags = PMC_F_CALLCHAIN,
			      .record.collector = "auto",
			      .report.output.threshold = -1};
	if (take_options(o, argc, argv, &bare, err))
		return -1;
	if (o->action.help || o->action.version)
		return 0;
	if (o->action.list_events || o->action.doctor || o->action.describe)
		return refuse_rest(o, err);
	if (habit_check_command(o, bare, err) || option_settle_late(o, err) ||
	    option_add_default_event(o, err))
		return -1;
	if (o->action.read_log) {
		/* With -R the CPUs select samples. */
		vec_move(&o->report.select.cpus, &o->next.cpus);
	}
	take_json_of_counts(o);
	habit_name_packed_log(o);
	if (add_default_output(o, err) || settle_compression(o, err))
		return -1;
	take_file_of_reports(o);
	return options_check(o, err) || check_kernel(o, err) ? -1 : 0;
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

	sink_str(sink, "usage: pmcstat [options] COMMAND [ARG ...]\n"
		       "       pmcstat -P EVENT [options] -O FILE COMMAND [ARG ...]\n"
		       "       pmcstat -S EVENT [options] -O FILE [COMMAND [ARG ...]]\n"
		       "       pmcstat -p EVENT|-s EVENT [options] [COMMAND [ARG ...]]\n"
		       "       pmcstat --summary [--runs N] COMMAND [ARG ...]\n"
		       "       pmcstat -T -S EVENT [options]\n"
		       "       pmcstat --push URL [options]\n"
		       "       pmcstat -R [FILE] [options]\n");
	for (i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->name) {
			bool optional = may_lack_argument(row);

			help_row(sink, row->letter, row->name, optional ? row->arg + 1 : row->arg,
				 optional, row->help);
			continue;
		}
		sink_printf(sink, "\n%s:\n", row->help);
		if (row->is_of_outputs)
			for (j = 0; cg_outputs[j]; j++)
				help_output(sink, cg_outputs[j]);
	}
}
