/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What packer and unpacker have in common: what the records before have told, which both learn
 * alike, and the columns that the facts of records are put into, each kind of fact into one.
 */
#ifndef PMCLOG_PACK_INT_H
#define PMCLOG_PACK_INT_H

#include "base/hash.h"
#include "base/vec.h"
#include "pmclog/pack/pack.h"
#include "pmclog/pmclog_wire.h"

enum pack_column {
	COLUMN_CONTEXT,	    /* a symbol for each record */
	COLUMN_NEW_CONTEXT, /* what it says when met first, or its number */
	COLUMN_TIME_SIZE,   /* bytes of the time's difference from what was expected */
	COLUMN_TIME_LOW,    /* its lowest byte, which is noise */
	COLUMN_TIME_HIGH,   /* and the others */
	COLUMN_FLAGS,	    /* how the chain ends; whether it has a trailer */
	COLUMN_TRAILER,
	COLUMN_POPS, /* frames that go from the thread's chain before, and that come instead */
	COLUMN_PUSHES,
	COLUMN_INNER, /* a symbol for each of those */
	COLUMN_LEAF,
	COLUMN_ADDRESS, /* of a callee that its caller had not yet */
	COLUMN_LITERAL, /* other records as they stand */
	NCOLUMNS,
};

/* Symbols of COLUMN_CONTEXT; below, the rank among the contexts met last. */
enum { CONTEXT_RANKS = 252, CONTEXT_OLD = 252, CONTEXT_NEW = 253, CONTEXT_LITERAL = 254 };

/* Symbols of frames: 0 as predicted, 1 + the rank among the caller's callees. */
enum { FRAME_PREDICTED = 0, FRAME_RANKS = 250, FRAME_NEW = 255 };

enum {
	FLAG_END = 0xf, /* how the chain ends */
	FLAG_TRAILER = 0x10,
	CONTEXT_BYTES = 16,
	CHAINS = 1024,	     /* threads whose chains are kept; others share */
	PREDICTIONS = 65536, /* a power of two */
	NO_NODE = 0,
};

/* The bits of cpuflags that are the context's. */
#define CONTEXT_CPUFLAGS 0xffff0001u

/* What samples have in common besides time and chain. */
struct pack_context {
	uint32_t pid, tid, pmcid, cpuflags;
	uint32_t clock; /* of its PMC and CPU */
	uint32_t chain; /* of its thread */
};

struct pack_clock {
	uint64_t key;
	uint64_t last, step; /* ticks */
};

struct pack_callee {
	uint64_t pc;
	uint32_t node, count;
};

/* An address of chains.  Its callees are a piece of the model's. */
struct pack_node {
	uint64_t pc, last; /* last: what it called last */
	uint32_t callees, ncallees, cap;
};

/* A thread's chain before.  The addresses are as a record has them, and end where the room does. */
struct pack_chain {
	uint32_t n, room;
	uint32_t *nodes; /* the outermost first */
	uint64_t *pcs;	 /* the leaf first, little endian */
};

struct pack_model {
	VEC(struct pack_context) contexts;
	struct table context_table;
	uint32_t recent[CONTEXT_RANKS]; /* contexts, the last one first */
	uint32_t nrecent;
	VEC(struct pack_clock) clocks;
	struct table clock_table;
	VEC(struct pack_node) nodes; /* the first stands for no caller */
	struct table node_table;
	VEC(struct pack_callee) callees;
	struct pack_chain chains[CHAINS];
	uint32_t predictions[PREDICTIONS]; /* nodes; NO_NODE: none */
	uint64_t bytes;			   /* of records since it began afresh */
};

struct pack_squeezer;

struct pack_squeezer *pack_squeezer_new(enum pmclog_pack_method method, int level);
void pack_squeezer_free(struct pack_squeezer *s); /* NULL is legal */
/* Compresses a column to fewer bytes than the len that it has: their number; 0: it cannot be. */
size_t pack_squeeze(struct pack_squeezer *s, enum pack_column c, const uint8_t *from, size_t len,
		    uint8_t *to);

struct pack_unsqueezer;

struct pack_unsqueezer *pack_unsqueezer_new(void);
void pack_unsqueezer_free(struct pack_unsqueezer *u); /* NULL is legal */
/* To exactly to_len bytes, by a method that is known.  0, 1: it is damaged, or -1: no memory. */
int pack_unsqueeze(struct pack_unsqueezer *u, enum pmclog_pack_method method, const uint8_t *from,
		   size_t len, uint8_t *to, size_t to_len);

/* 0, or -1 when out of memory; the model is not to be used then. */
int pack_model_begin(struct pack_model *m); /* forgets all */
void pack_model_fini(struct pack_model *m);

/* Makes the context of that number the first of those met last. */
void pack_context_touch(struct pack_model *m, uint32_t rank, uint32_t number);
/* Takes in a new one; its number, UINT32_MAX when out of memory. */
uint32_t pack_context_add(struct pack_model *m, const struct pack_context *c);

static inline uint32_t pack_le32(uint32_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap32(v);
}

static inline uint64_t pack_le64(uint64_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
}

static inline uint32_t pack_context_hash(const struct pack_context *c)
{
	return hash_pair((uint64_t)c->pid << 32 | c->tid, (uint64_t)c->pmcid << 32 | c->cpuflags);
}

/* The time that a sample of this clock is expected at. */
static inline uint64_t pack_time_expected(const struct pack_clock *c)
{
	return c->last + c->step;
}

static inline void pack_time_learn(struct pack_clock *c, uint64_t tsc)
{
	c->step = tsc - c->last;
	c->last = tsc;
}

/* Room for n frames.  0, or -1 when out of memory. */
int pack_chain_grow(struct pack_chain *c, uint32_t n);

static inline int pack_chain_reserve(struct pack_chain *c, uint32_t n)
{
	return n <= c->room ? 0 : pack_chain_grow(c, n);
}

/* Where the next frame of a chain goes, and what is expected to. */
struct pack_place {
	uint32_t caller;      /* node */
	uint32_t *prediction; /* of what comes behind it and its caller */
	uint32_t *node;
	uint64_t *pc;
};

static inline uint32_t *pack_prediction(struct pack_model *m, uint32_t caller, uint32_t other)
{
	uint32_t hash = caller * 0x9e3779b1u ^ other * 0x85ebca6bu;

	return &m->predictions[(hash ^ hash >> 16) % PREDICTIONS];
}

/* Behind the frames that the chain has, where there is room. */
static inline struct pack_place pack_place_of(struct pack_model *m, const struct pack_chain *c)
{
	uint32_t caller = c->n ? c->nodes[c->n - 1] : NO_NODE;
	uint32_t other = c->n > 1 ? c->nodes[c->n - 2] : NO_NODE;

	return (struct pack_place){caller, pack_prediction(m, caller, other), c->nodes + c->n,
				   c->pcs + c->room - c->n};
}

/* Puts a frame there, learns it, and goes to the next place.  Counting it is left to who calls. */
static inline void pack_push(struct pack_model *m, struct pack_place *place, uint32_t node)
{
	uint64_t pc = m->nodes.v[node].pc;

	*place->prediction = node;
	m->nodes.v[place->caller].last = pc;
	*place->node++ = node;
	*--place->pc = pack_le64(pc);
	place->prediction = pack_prediction(m, node, place->caller);
	place->caller = node;
}

/* The rank of a callee, UINT32_MAX where the caller has not had it, or not of late. */
static inline uint32_t pack_callee_rank(const struct pack_model *m, uint32_t caller, uint64_t pc)
{
	const struct pack_node *node = &m->nodes.v[caller];
	const struct pack_callee *list = m->callees.v + node->callees;
	uint32_t i, n = node->ncallees;

	for (i = 0; i < n; i++)
		if (list[i].pc == pc)
			return i;
	return UINT32_MAX;
}

/*
 * Counts one more call of the callee of that rank; its node.  Those called most often come first,
 * so that ranks are small numbers.
 */
static inline uint32_t pack_callee_hit(struct pack_model *m, uint32_t caller, uint32_t rank)
{
	struct pack_callee *list = m->callees.v + m->nodes.v[caller].callees, hit = list[rank];

	for (hit.count++; rank && list[rank - 1].count <= hit.count; rank--)
		list[rank] = list[rank - 1];
	list[rank] = hit;
	return hit.node;
}

/* Takes in a callee that has no rank; its node, NO_NODE when out of memory. */
uint32_t pack_callee_add(struct pack_model *m, uint32_t caller, uint64_t pc);

static inline uint64_t pack_zigzag(uint64_t v)
{
	return v << 1 ^ (0 - (v >> 63));
}

static inline uint64_t pack_unzigzag(uint64_t v)
{
	return v >> 1 ^ (0 - (v & 1));
}

static inline uint32_t pack_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return pack_le32(v);
}

static inline uint64_t pack_u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return pack_le64(v);
}

#endif
