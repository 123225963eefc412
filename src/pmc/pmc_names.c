// SPDX-License-Identifier: BSD-2-Clause
/* Names of pmc(3)'s constants. */
#include <errno.h>
#include <stddef.h>

#include "pmc/pmc.h"

struct name {
	unsigned int value;
	const char *name;
};

#define LOOK_UP(table, value) look_up(table, sizeof(table) / sizeof((table)[0]), value)

static const char *look_up(const struct name *names, size_t n, unsigned int value)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (names[i].value == value)
			return names[i].name;
	errno = EINVAL;
	return NULL;
}

const char *pmc_name_of_capability(enum pmc_caps cap)
{
	static const struct name names[] = {
		{PMC_CAP_INTERRUPT, "INTERRUPT"}, {PMC_CAP_USER, "USER"},
		{PMC_CAP_SYSTEM, "SYSTEM"},	  {PMC_CAP_EDGE, "EDGE"},
		{PMC_CAP_THRESHOLD, "THRESHOLD"}, {PMC_CAP_READ, "READ"},
		{PMC_CAP_WRITE, "WRITE"},	  {PMC_CAP_INVERT, "INVERT"},
		{PMC_CAP_QUALIFIER, "QUALIFIER"}, {PMC_CAP_PRECISE, "PRECISE"},
		{PMC_CAP_TAGGING, "TAGGING"},	  {PMC_CAP_CASCADE, "CASCADE"},
		{PMC_CAP_SYSWIDE, "SYSWIDE"},	  {PMC_CAP_DOMWIDE, "DOMWIDE"}};

	return LOOK_UP(names, cap);
}

const char *pmc_name_of_class(enum pmc_class pm_class)
{
#define CLASS(name) {PMC_CLASS_##name, #name}
	static const struct name names[] = {
		CLASS(TSC), CLASS(CPU), CLASS(K8), CLASS(P5), CLASS(P6), CLASS(P4), CLASS(IAF),
		CLASS(IAP), CLASS(UCF), CLASS(UCP), CLASS(XSCALE), CLASS(MIPS24K), CLASS(OCTEON),
		CLASS(PPC7450), CLASS(PPC970), CLASS(SOFT), CLASS(ARMV7), CLASS(ARMV8),
		CLASS(MIPS74K), CLASS(E500), CLASS(POWER8), CLASS(DMC620_PMU_CD2),
		CLASS(DMC620_PMU_C), CLASS(CMN600_PMU),
	};
#undef CLASS

	return LOOK_UP(names, pm_class);
}

/* As the constants are called: programs that read logs compare these. */
const char *pmc_name_of_cputype(enum pmc_cputype cputype)
{
#define CPU(name) {PMC_CPU_##name, #name}
	static const struct name names[] = {
		CPU(AMD_K7), CPU(AMD_K8), CPU(INTEL_P5), CPU(INTEL_P6), CPU(INTEL_CL),
		CPU(INTEL_PII), CPU(INTEL_PIII), CPU(INTEL_PM), CPU(INTEL_PIV), CPU(INTEL_CORE),
		CPU(INTEL_CORE2), CPU(INTEL_CORE2EXTREME), CPU(INTEL_ATOM), CPU(INTEL_COREI7),
		CPU(INTEL_WESTMERE), CPU(INTEL_SANDYBRIDGE), CPU(INTEL_IVYBRIDGE),
		CPU(INTEL_SANDYBRIDGE_XEON), CPU(INTEL_IVYBRIDGE_XEON), CPU(INTEL_HASWELL),
		CPU(INTEL_ATOM_SILVERMONT), CPU(INTEL_NEHALEM_EX), CPU(INTEL_WESTMERE_EX),
		CPU(INTEL_HASWELL_XEON), CPU(INTEL_BROADWELL), CPU(INTEL_BROADWELL_XEON),
		CPU(INTEL_SKYLAKE), CPU(INTEL_SKYLAKE_XEON), CPU(INTEL_ATOM_GOLDMONT),
		CPU(INTEL_ICELAKE), CPU(INTEL_ICELAKE_XEON), CPU(INTEL_ALDERLAKE),
		CPU(INTEL_ATOM_GOLDMONT_P), CPU(INTEL_ATOM_TREMONT), CPU(INTEL_XSCALE),
		CPU(MIPS_24K), CPU(MIPS_OCTEON), CPU(MIPS_74K), CPU(PPC_7450), CPU(PPC_E500),
		CPU(PPC_970), CPU(PPC_POWER8), CPU(GENERIC), CPU(ARMV7_CORTEX_A5),
		CPU(ARMV7_CORTEX_A7), CPU(ARMV7_CORTEX_A8), CPU(ARMV7_CORTEX_A9),
		CPU(ARMV7_CORTEX_A15), CPU(ARMV7_CORTEX_A17), CPU(ARMV8_CORTEX_A53),
		CPU(ARMV8_CORTEX_A57), CPU(ARMV8_CORTEX_A76),
	};
#undef CPU

	return LOOK_UP(names, cputype);
}

const char *pmc_name_of_disposition(enum pmc_disp disp)
{
	static const struct name names[] = {{PMC_DISP_STANDALONE, "STANDALONE"},
					    {PMC_DISP_FREE, "FREE"},
					    {PMC_DISP_THREAD, "THREAD"}};

	return LOOK_UP(names, disp);
}

const char *pmc_name_of_mode(enum pmc_mode mode)
{
	static const struct name names[] = {
		{PMC_MODE_SS, "SS"}, {PMC_MODE_SC, "SC"}, {PMC_MODE_TS, "TS"}, {PMC_MODE_TC, "TC"}};

	return LOOK_UP(names, (unsigned int)mode);
}

const char *pmc_name_of_state(enum pmc_state state)
{
	static const struct name names[] = {
		{PMC_STATE_DISABLED, "DISABLED"},   {PMC_STATE_FREE, "FREE"},
		{PMC_STATE_ALLOCATED, "ALLOCATED"}, {PMC_STATE_STOPPED, "STOPPED"},
		{PMC_STATE_RUNNING, "RUNNING"},	    {PMC_STATE_DELETED, "DELETED"}};

	return LOOK_UP(names, state);
}
