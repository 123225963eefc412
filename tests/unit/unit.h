/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unit tests: each file is one program that speaks TAP.
 *
 *	UNIT(vec_grows_from_empty) { ...; CHECK_U64(v.n, 3); }
 *	UNIT_MAIN(UNIT_ENTRY(vec_grows_from_empty), ...)
 *
 * Every test runs in a child process, so that a crash is one failed test.
 */
#ifndef UNIT_H
#define UNIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct unit {
	const char *name;
	void (*run)(void);
};

static int unit_failures __attribute__((unused));

#define UNIT(name) static void name(void)

#define CHECK(cond)                                                                 \
	do {                                                                        \
		if (!(cond)) {                                                      \
			printf("# %s:%d: not so: %s\n", __FILE__, __LINE__, #cond); \
			unit_failures++;                                            \
		}                                                                   \
	} while (0)

#define CHECK_U64(got, want)                                                                  \
	do {                                                                                  \
		uint64_t unit_got = (uint64_t)(got), unit_want = (uint64_t)(want);            \
		if (unit_got != unit_want) {                                                  \
			printf("# %s:%d: %s is 0x%" PRIx64 ", not 0x%" PRIx64 "\n", __FILE__, \
			       __LINE__, #got, unit_got, unit_want);                          \
			unit_failures++;                                                      \
		}                                                                             \
	} while (0)

#define CHECK_STR(got, want)                                                                    \
	do {                                                                                    \
		const char *unit_got = (got), *unit_want = (want);                              \
		if (!unit_got || strcmp(unit_got, unit_want)) {                                 \
			printf("# %s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #got, \
			       unit_got ? unit_got : "(null)", unit_want);                      \
			unit_failures++;                                                        \
		}                                                                               \
	} while (0)

enum { UNIT_SKIPPED = 77 };

/* The test cannot run here.  Does not return. */
static inline _Noreturn __attribute__((unused)) void unit_skip(const char *why)
{
	printf("# %s\n", why);
	exit(UNIT_SKIPPED);
}

/* Runs every test and returns main's exit status. */
static inline int unit_run(const struct unit *tests, size_t n)
{
	int failed = 0;
	size_t i;

	printf("1..%zu\n", n);
	for (i = 0; i < n; i++) {
		int status = 0;
		pid_t pid;

		fflush(stdout);
		pid = fork();
		if (pid == 0) {
			tests[i].run();
			fflush(stdout);
			/* exit, not _exit: leak checkers report at exit */
			exit(unit_failures ? 1 : 0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			status = -1;
		if (WIFSIGNALED(status))
			printf("# killed by signal %d\n", WTERMSIG(status));
		if (WIFEXITED(status) && WEXITSTATUS(status) == UNIT_SKIPPED) {
			printf("ok %zu - %s # SKIP\n", i + 1, tests[i].name);
			continue;
		}
		printf("%sok %zu - %s\n", status ? "not " : "", i + 1, tests[i].name);
		failed |= status != 0;
	}
	return failed;
}

#define UNIT_ENTRY(name)    \
	{                   \
#name, name \
	}

#define UNIT_MAIN(...)                                                    \
	int main(void)                                                    \
	{                                                                 \
		const struct unit tests[] = {__VA_ARGS__};                \
		return unit_run(tests, sizeof(tests) / sizeof(tests[0])); \
	}

#endif
