// SPDX-License-Identifier: BSD-2-Clause
#include "base/proc_text.h"
#include "pmc/pmc.h"
#include "pmc/proc_list.h"

bool pmc_cpu_is_online(int cpu)
{
	struct proc_cpus online = {0};
	char list[4096];
	bool is;

	/* Without sysfs, or memory, every CPU is taken to be there: the kernel refuses others. */
	is = cpu >= 0;
	if (proc_read_text("/sys/devices/system/cpu/online", list, sizeof(list)) > 0 &&
	    proc_parse_cpus(list, &online))
		is = proc_cpus_have(&online, cpu);
	vec_free(&online.cpus);
	return is;
}
