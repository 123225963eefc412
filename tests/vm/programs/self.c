// SPDX-License-Identifier: BSD-2-Clause
/* A program that counts its own cycles, read by the page and by read(2). */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "pmc/pmc.h"

enum { READS = 1000 };

/* From here on read(2) fails. */
static int refuse_read(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Reads that are not between two by read(2). */
static unsigned int compare(pmc_id_t id)
{
	struct pmc_count before, after;
	unsigned int i, wrong = 0;
	pmc_value_t page;

	for (i = 0; i < READS; i++)
		wrong += pmc_read_count(id, &before) || pmc_read(id, &page) ||
			 pmc_read_count(id, &after) || page < before.value || page > after.value;
	return wrong;
}

int main(void)
{
	struct pmc_count count;
	pmc_value_t first = 0, last = 0;
	pmc_id_t id;

	if (pmc_set_collector("perf") || pmc_init() ||
	    pmc_allocate("cycles", PMC_MODE_TC, PMC_F_SELF, PMC_CPU_ANY, &id, 0) || pmc_start(id)) {
		printf("%s\n", pmc_error());
		return 1;
	}
	printf("%u of %d reads disagree\n", compare(id), READS);
	if (refuse_read()) {
		printf("no seccomp filters\n");
		return 1;
	}
	printf("read(2) fails: %s\n", pmc_read_count(id, &count) ? "yes" : "no");
	printf("pmc_read fails: %s\n", pmc_read(id, &first) || pmc_read(id, &last) ? "yes" : "no");
	printf("it counts: %s\n", last > first ? "yes" : "no");
	return 0;
}
