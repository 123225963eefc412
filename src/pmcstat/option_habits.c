// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pmcstat/option_habits.h"

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

int habit_check_event(const char *letter, const char *spec, struct err *err)
{
	if (!is_number(spec))
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
	if (output->letter == 'F' && is_number(file)) {
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
	const char *const *c = (const char *const *)o->command;

	if (!bare || !c || bare->argument != CG_MAY_NAME_FILE ||
	    (!o->read_log && (!c[1] || strcmp(c[1], "--") != 0)))
		return 0;
	return err_set(err, EX_USAGE, "option --%s takes its file behind \"=\": --%s=%s",
		       bare->name, bare->name, c[0]);
}
