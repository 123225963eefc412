// SPDX-License-Identifier: BSD-2-Clause
/* replay DIRECTORY...: runs every file in them through a fuzz target; speaks TAP. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The whole file; NULL when it cannot be read. */
static uint8_t *slurp(const char *path, size_t *size)
{
	FILE *f = fopen(path, "re");
	uint8_t *data = NULL;
	long len = -1;

	if (f && fseek(f, 0, SEEK_END) == 0 && (len = ftell(f)) >= 0) {
		rewind(f);
		/* Exactly as large as the file, so that sanitizers see reads behind its end. */
		data = malloc(len ? (size_t)len : 1);
		if (data && fread(data, 1, (size_t)len, f) != (size_t)len) {
			free(data);
			data = NULL;
		}
	}
	if (f)
		fclose(f);
	*size = len > 0 ? (size_t)len : 0;
	return data;
}

/* One file in a child process, so that a crash is one failed test. */
static int replay(const char *path)
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		size_t size;
		uint8_t *data = slurp(path, &size);

		if (!data)
			exit(1);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	if (WIFSIGNALED(status))
		printf("# killed by signal %d\n", WTERMSIG(status));
	return status != 0;
}

static int visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	int failed = 0, tests = 0, i, k;

	for (i = 1; i < argc; i++) {
		struct dirent **list;
		int n = scandir(argv[i], &list, visible, alphasort);

		if (n < 0) {
			printf("Bail out! cannot read %s\n", argv[i]);
			return 99;
		}
		for (k = 0; k < n; k++) {
			char path[4096];
			int bad;

			snprintf(path, sizeof(path), "%s/%s", argv[i], list[k]->d_name);
			bad = replay(path);
			printf("%sok %d - %s\n", bad ? "not " : "", ++tests, list[k]->d_name);
			failed |= bad;
			free(list[k]);
		}
		free(list);
	}
	printf("1..%d\n", tests);
	return failed;
}
