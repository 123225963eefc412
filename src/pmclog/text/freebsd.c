// SPDX-License-Identifier: BSD-2-Clause
#include "pmclog/text/freebsd.h"

static const char *const names[PMCLOG_FREEBSD_NFAULTS] = {
	[PMCLOG_FREEBSD_VERSION] = "has a version that their tools refuse",
	[PMCLOG_FREEBSD_TYPE] = "has a type that ends the reading of most of their tools",
	[PMCLOG_FREEBSD_PMC] =
		"names a PMC that no record before it announced, which crashes their tools",
	[PMCLOG_FREEBSD_MAP] = "ends where it begins or before, which stops their tools",
	[PMCLOG_FREEBSD_BEHIND_END] = "comes behind CLOSELOG, where their tools stop",
};

const char *pmclog_freebsd_fault_text(enum pmclog_freebsd_fault fault)
{
	return names[fault];
}

static void find(struct pmclog_freebsd *f, enum pmclog_freebsd_fault fault,
		 const struct pmclog_record *rec)
{
	struct pmclog_freebsd_finding *found = &f->found[fault];

	if (!found->records++) {
		found->index = rec->index;
		found->offset = rec->offset;
		found->type = rec->type;
	}
}

static bool is_announced(const struct pmclog_freebsd *f, uint32_t pmcid)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&f->pmc_of_id, hash_u64(pmcid), &it); i != TABLE_NONE;
	     i = table_next(&f->pmc_of_id, &it))
		if (f->pmcs.v[i] == pmcid)
			return true;
	return false;
}

static int announce(struct pmclog_freebsd *f, uint32_t pmcid, struct err *err)
{
	if (is_announced(f, pmcid))
		return 0;
	if (vec_push(&f->pmcs, pmcid) ||
	    table_insert(&f->pmc_of_id, hash_u64(pmcid), (uint32_t)(f->pmcs.n - 1)))
		return err_nomem(err);
	return 0;
}

int pmclog_freebsd_see(struct pmclog_freebsd *f, const struct pmclog_record *rec, struct err *err)
{
	uint32_t major = 0;

	/* Where their reading has ended, on purpose. */
	if (f->closed && rec->type == PMCLOG_WIRE_APPENDIX)
		return 0;
	if (f->closed)
		find(f, PMCLOG_FREEBSD_BEHIND_END, rec);
	switch (rec->type) {
	case PMCLOG_WIRE_INITIALIZE:
		major = rec->u.init.version >> 24;
		if (major != 9 && major != 10)
			find(f, PMCLOG_FREEBSD_VERSION, rec);
		return 0;
	case PMCLOG_WIRE_PMCALLOCATE:
	case PMCLOG_WIRE_PMCALLOCATEDYN: return announce(f, rec->u.alloc.pmcid, err);
	case PMCLOG_WIRE_CALLCHAIN:
		if (!is_announced(f, rec->u.chain.pmcid))
			find(f, PMCLOG_FREEBSD_PMC, rec);
		return 0;
	case PMCLOG_WIRE_MAP_OUT:
		if (rec->u.map_out.start >= rec->u.map_out.end)
			find(f, PMCLOG_FREEBSD_MAP, rec);
		return 0;
	case PMCLOG_WIRE_GROUP_INHERIT_MISS: find(f, PMCLOG_FREEBSD_TYPE, rec); return 0;
	case PMCLOG_WIRE_CLOSELOG: f->closed = true; return 0;
	default: return 0;
	}
}

void pmclog_freebsd_fini(struct pmclog_freebsd *f)
{
	vec_free(&f->pmcs);
	table_clear(&f->pmc_of_id);
}
