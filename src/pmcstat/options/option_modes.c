// SPDX-License-Identifier: BSD-2-Clause
#include "pmcstat/options/option_modes.h"

bool mode_is_counting(enum pmc_mode mode)
{
	return PMC_IS_COUNTING_MODE(mode);
}

bool mode_is_sampling(enum pmc_mode mode)
{
	return PMC_IS_SAMPLING_MODE(mode);
}

bool mode_is_system(enum pmc_mode mode)
{
	return PMC_IS_SYSTEM_MODE(mode);
}

bool mode_is_process(enum pmc_mode mode)
{
	return PMC_IS_VIRTUAL_MODE(mode);
}

bool options_log_counts(const struct record_options *o)
{
	const struct pmc_request *r;

	vec_each(r, &o->requests)
		if (r->flags & OPTIONS_LOG_FLAGS)
			return true;
	return false;
}

bool options_have(const struct record_options *o, bool (*is_kind)(enum pmc_mode mode))
{
	const struct pmc_request *r;

	vec_each(r, &o->requests)
		if (is_kind(r->mode))
			return true;
	return false;
}
