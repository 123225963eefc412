// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/edit.h"
#include "pmcstat/options/option_habits.h"

bool habit_is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

static char fold(char c)
{
	return c == '_' ? '-' : c;
}

/* Letters that differ, UINT_MAX where that is too many for a slip. */
static unsigned int slip(const char *given, size_t n, const char *name)
{
	unsigned int row[32], limit = n < 4 ? 1 : n < 12 ? 2 : 3;
	size_t m = strlen(name);

	if (m >= sizeof(row) / sizeof(row[0]))
		return UINT_MAX;
	edit_distances(given, n, name, m, fold, row);
	return row[m] <= limit ? row[m] : UINT_MAX;
}

int habit_refuse_letter(int letter, struct err *err)
{
	err_set(err, EX_USAGE, "unknown option -%c", letter);
	if (letter == 'A')
		return err_hint(err, "-A of FreeBSD shows addresses in place of functions; -I "
				     "shows both, -m and -a the addresses of each sample");
	return err_hint(err, "pmcstat --help lists the options");
}

int habit_refuse_long(const struct option *longs, const char *given, struct err *err)
{
	const size_t n = strcspn(given + 2, "=");
	unsigned int least = UINT_MAX, far;
	const struct option *l;
	char names[128] = "";
	size_t used = 0;

	for (l = longs; l->name; l++)
		if (!strncmp(l->name, given + 2, n) && used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s--%s",
						 used ? ", " : "", l->name);
	if (used) {
		err_set(err, EX_USAGE, "option %.*s is not the only one that begins so", (int)n + 2,
			given);
		return err_hint(err, "%s%s", names, used < sizeof(names) ? "" : "...");
	}
	err_set(err, EX_USAGE, "unknown option %.*s", (int)n + 2, given);
	for (l = longs; l->name; l++) {
		far = slip(given + 2, n, l->name);
		if (far < least)
			snprintf(names, sizeof(names), "--%s", l->name);
		least = far < least ? far : least;
	}
	if (least < UINT_MAX)
		return err_hint(err, "is %s meant?  pmcstat --help lists the options", names);
	return err_hint(err, "pmcstat --help lists the options");
}

void habit_name_packed_log(struct options *o)
{
	const struct output_request *r;

	vec_each(r, &o->report.outputs)
		if ((r->output->traits & CG_IS_LOG) && !o->action.read_log && !o->record.log)
			o->record.log = r->file;
}

int habit_check_event(const char *letter, const char *spec, struct err *err)
{
	if (spec[0] == '-') {
		err_set(err, EX_USAGE, "option -%s needs an event, and \"%s\" is an option", letter,
			spec);
		return err_hint(err, "-%s cpu-clock is time on a CPU; pmcstat -L lists the events",
				letter);
	}
	if (!habit_is_number(spec))
		return 0;
	err_set(err, EX_USAGE, "-%s names an event, and \"%s\" is a number", letter, spec);
	return err_hint(err, "-t %s is the process of that number; -%s cpu-clock -t %s", spec,
			letter, spec);
}

int habit_check_file(const struct cg_output *output, const char *file, struct err *err)
{
	if (file[0] == '-' && file[1]) {
		err_set(err, EX_USAGE, "option --%s needs a file, and \"%s\" is an option",
			output->name, file);
		return err_hint(err, "--%s=FILE; --%s=- is standard output, --%s=./%s that file",
				output->name, output->name, output->name, file);
	}
	if (output->letter == 'F' && habit_is_number(file)) {
		err_set(err, EX_USAGE, "-F %s would write --%s to a file of that name", file,
			output->name);
		return err_hint(err,
				"are %s samples a second meant?  --freq %s; for the file -F ./%s",
				file, file, file);
	}
	return 0;
}

int habit_check_command(const struct options *o, const struct cg_output *bare, struct err *err)
{
	const char *const *c = (const char *const *)o->record.command;

	if (!bare || !c || bare->argument != CG_MAY_NAME_FILE ||
	    (!o->action.read_log && (!c[1] || strcmp(c[1], "--") != 0)))
		return 0;
	return err_set(err, EX_USAGE, "option --%s takes its file behind \"=\": --%s=%s",
		       bare->name, bare->name, c[0]);
}
