// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pmcstat/option_rules.h"

bool rules_are_broken(const struct rule *rules, size_t n, struct err *err)
{
	for (; n; rules++, n--)
		if (rules->broken) {
			err_set(err, EX_USAGE, "%s", rules->text);
			err_hint(err, "pmcstat --help lists the options");
			return true;
		}
	return false;
}

int rules_of_counting(const struct options *o, struct err *err)
{
	bool counting = options_have(o, mode_is_counting);
	bool sampling = options_have(o, mode_is_sampling);
	bool to_stdout = o->count_file && !strcmp(o->count_file, "-");
	const struct rule rules[] = {
		{counting && sampling && !o->write_log,
		 "option -O is required where PMCs that sample and PMCs that count are together"},
		{o->cumulative_given && !counting, "option -C needs -p or -s"},
		{o->count_file && !counting, "option -o needs -p or -s"},
		{(o->count_json || o->scale_counts) && !counting,
		 "options --count-json and --scale need -p or -s"},
		{o->interval > 0 && !o->top && !counting, "option -w needs -T, -p or -s"},
		{counting && !sampling && o->outputs.n,
		 "outputs show samples, and need -P, -S or -R; --count-json is for counts"},
		{o->top && counting && (!o->count_file || to_stdout),
		 "option -T with -p or -s needs a file of -o for the counts"},
		{to_stdout && o->write_log && !strcmp(o->write_log, "-"),
		 "options -o - and -O - are mutually exclusive"},
	};

	return rules_are_broken(rules, sizeof(rules) / sizeof(rules[0]), err) ? -1 : 0;
}
