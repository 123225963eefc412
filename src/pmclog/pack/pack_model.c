// SPDX-License-Identifier: BSD-2-Clause
/* What packer and unpacker learn from records, alike: contexts, clocks, addresses and callees. */
#include "pmclog/pack/pack_int.h"

void pack_model_fini(struct pack_model *m)
{
	size_t i;

	vec_free(&m->contexts);
	vec_free(&m->clocks);
	vec_free(&m->nodes);
	vec_free(&m->callees);
	table_clear(&m->context_table);
	table_clear(&m->clock_table);
	table_clear(&m->node_table);
	for (i = 0; i < CHAINS; i++) {
		free(m->chains[i].nodes);
		free(m->chains[i].pcs);
	}
}

int pack_model_begin(struct pack_model *m)
{
	size_t i;

	m->contexts.n = m->clocks.n = m->nodes.n = m->callees.n = 0;
	m->nrecent = 0;
	m->bytes = 0;
	table_empty(&m->context_table);
	table_empty(&m->clock_table);
	table_empty(&m->node_table);
	for (i = 0; i < CHAINS; i++)
		m->chains[i].n = 0;
	memset(m->predictions, 0, sizeof(m->predictions));
	/* Lists of no callees have an address too. */
	return vec_push(&m->nodes, (struct pack_node){0}) || vec_reserve(&m->callees, 1) ? -1 : 0;
}

void pack_context_touch(struct pack_model *m, uint32_t rank, uint32_t number)
{
	if (!rank)
		return;
	if (rank >= m->nrecent)
		rank = m->nrecent < CONTEXT_RANKS ? m->nrecent++ : CONTEXT_RANKS - 1;
	memmove(m->recent + 1, m->recent, rank * sizeof(*m->recent));
	m->recent[0] = number;
}

/* The clock of a PMC on a CPU; UINT32_MAX when out of memory. */
static uint32_t clock_of(struct pack_model *m, const struct pack_context *c)
{
	uint64_t key = (uint64_t)c->pmcid << 16 | c->cpuflags >> 16;
	uint32_t hash = hash_u64(key), i;
	struct table_iter it;

	for (i = table_first(&m->clock_table, hash, &it); i != TABLE_NONE;
	     i = table_next(&m->clock_table, &it))
		if (m->clocks.v[i].key == key)
			return i;
	i = (uint32_t)m->clocks.n;
	return vec_push(&m->clocks, (struct pack_clock){.key = key}) ||
			       table_insert(&m->clock_table, hash, i)
		       ? UINT32_MAX
		       : i;
}

uint32_t pack_context_add(struct pack_model *m, const struct pack_context *c)
{
	struct pack_context added = *c;

	added.clock = clock_of(m, c);
	added.chain = hash_fixed_u64((uint64_t)c->pid << 32 | c->tid) % CHAINS;
	if (added.clock == UINT32_MAX || vec_push(&m->contexts, added) ||
	    table_insert(&m->context_table, pack_context_hash(c), (uint32_t)(m->contexts.n - 1)))
		return UINT32_MAX;
	return (uint32_t)(m->contexts.n - 1);
}

/* The node of an address; NO_NODE when out of memory. */
static uint32_t node_of(struct pack_model *m, uint64_t pc)
{
	uint32_t hash = hash_u64(pc), i;
	struct table_iter it;

	for (i = table_first(&m->node_table, hash, &it); i != TABLE_NONE;
	     i = table_next(&m->node_table, &it))
		if (m->nodes.v[i].pc == pc)
			return i;
	i = (uint32_t)m->nodes.n;
	return vec_push(&m->nodes, (struct pack_node){.pc = pc, .last = pc}) ||
			       table_insert(&m->node_table, hash, i)
		       ? NO_NODE
		       : i;
}

int pack_chain_grow(struct pack_chain *c, uint32_t n)
{
	uint32_t room = c->room ? c->room : 32;
	uint32_t *nodes;
	uint64_t *pcs;

	while (room < n)
		room *= 2;
	if (!(nodes = realloc(c->nodes, room * sizeof(*nodes))))
		return -1;
	c->nodes = nodes;
	if (!(pcs = realloc(c->pcs, room * sizeof(*pcs))))
		return -1;
	memmove(pcs + room - c->n, pcs + c->room - c->n, c->n * sizeof(*pcs));
	c->pcs = pcs;
	c->room = room;
	return 0;
}

/* Room for one more callee, by moving them to the end.  0, or -1 when out of memory. */
static int grow(struct pack_model *m, struct pack_node *node)
{
	uint32_t cap = node->cap ? 2 * node->cap : 2, at = (uint32_t)m->callees.n;

	cap = cap < FRAME_RANKS ? cap : FRAME_RANKS;
	if (vec_reserve(&m->callees, m->callees.n + cap))
		return -1;
	memcpy(m->callees.v + at, m->callees.v + node->callees,
	       node->ncallees * sizeof(*m->callees.v));
	m->callees.n += cap;
	node->callees = at;
	node->cap = cap;
	return 0;
}

uint32_t pack_callee_add(struct pack_model *m, uint32_t caller, uint64_t pc)
{
	uint32_t i = node_of(m, pc);
	struct pack_node *node = &m->nodes.v[caller];

	if (i == NO_NODE)
		return NO_NODE;
	if (node->ncallees == node->cap && node->cap < FRAME_RANKS && grow(m, node))
		return NO_NODE;
	/* The one that was called least goes where there are too many. */
	node->ncallees += node->ncallees < FRAME_RANKS;
	m->callees.v[node->callees + node->ncallees - 1] = (struct pack_callee){pc, i, 1};
	return i;
}
