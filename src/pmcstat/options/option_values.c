// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pmcstat/options/option_values.h"

int option_refuse(struct err *err, const char *what, const char *arg, const char *want)
{
	return err_set(err, EX_USAGE, "%s \"%s\" is not %s", what, arg, want);
}

int option_number(const char *what, const char *arg, uint64_t min, uint64_t max, uint64_t *value,
		  struct err *err)
{
	char *end;

	errno = 0;
	*value = strtoull(arg, &end, 0);
	if (errno || end == arg || *end || *arg == '-' || *value < min || *value > max) {
		char want[96];

		snprintf(want, sizeof(want), "a whole number from %llu to %llu",
			 (unsigned long long)min, (unsigned long long)max);
		return option_refuse(err, what, arg, want);
	}
	return 0;
}

int option_numbers(const char *what, const char *arg, uint64_t max, numbers *list, struct err *err)
{
	const char *p = arg;
	int status = 0;

	do {
		uint64_t lo, hi;

		if (!numbers_take_range(&p, &lo, &hi) || hi > max) {
			status = option_refuse(err, what, arg, "a list of numbers like 0,2-5");
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

int option_check_place(const char *option, const char *path, bool is_directory, struct err *err)
{
	struct stat s;

	if (stat(path, &s))
		return err_set(err, EX_NOINPUT, "%s %s: %s", option, path, strerror(errno));
	if (is_directory && !S_ISDIR(s.st_mode))
		return err_set(err, EX_NOINPUT, "%s %s: %s", option, path, strerror(ENOTDIR));
	return 0;
}
