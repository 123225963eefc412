// SPDX-License-Identifier: BSD-2-Clause
/* Memory that runs out, at every allocation between a log and its reports, is an error. */
#include "callgraph/model/builder.h"
#include "callgraph/transform/compare.h"
#include "callgraph/transform/transform.h"
#include "nomem.h"
#include "outputs.h"
#include "pmclog/reader.h"
#include "unit.h"

#if OWN_MALLOC
static bool add(struct cg_builder *b, struct pmclog_record rec, struct err *err)
{
	return !cg_builder_add(b, &rec, err);
}

static bool add_code(struct cg_builder *b, uint32_t pid, uint64_t start, uint64_t length,
		     const char *path, const char *symbol, struct err *err)
{
	return add(b,
		   (struct pmclog_record){.type = PMCLOG_WIRE_MAP_IN,
					  .u.map_in = {.pid = pid,
						       .start = start,
						       .length = length,
						       .path = {path, strlen(path)},
						       .symbol = {symbol, strlen(symbol)}}},
		   err);
}

static bool add_map(struct cg_builder *b, uint32_t pid, uint64_t start, uint64_t length,
		    struct err *err)
{
	return add_code(b, pid, start, length, "/bin/x", "", err);
}

/* Processes that fork and map, and samples in and beside the maps. */
static bool fill(struct cg_builder *b, struct err *err)
{
	uint64_t pcs[4];
	uint32_t i;

	if (!add(b,
		 (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
					.u.alloc = {.pmcid = 1, .name = {"first", 5}}},
		 err))
		return false;
	for (i = 0; i < 200; i++) {
		struct pmclog_record sample = {.type = PMCLOG_WIRE_CALLCHAIN,
					       .u.chain = {.pid = 10 + i % 7,
							   .pmcid = 1 + i % 3,
							   .usermode = i % 2,
							   .npcs = 4,
							   .pcs = pcs}};

		pcs[0] = i % 2 ? 0x1000 * i : 0xffffffff81000000 + i;
		pcs[1] = 0x1000;
		pcs[2] = pcs[3] = i << 20;
		if (!add(b, sample, err) ||
		    (i % 5 == 0 && !add_map(b, 10 + i % 7, i << 12, i % 3 * 0x1000, err)) ||
		    (i % 7 == 0 && !add_code(b, 10 + i % 7, 0x1000, 0x1000, "//anon", "", err)) ||
		    (i % 17 == 0 && !add_code(b, 10 + i % 7, 0x1000, i, "[jit]", "name", err)) ||
		    (i % 9 == 0 && !add_map(b, UINT32_MAX, 0xffffffff81000000, 0x100, err)) ||
		    (i % 11 == 0 && !add(b,
					 (struct pmclog_record){.type = PMCLOG_WIRE_PROCFORK,
								.u.fork = {10, 11 + i % 7}},
					 err)) ||
		    (i % 12 == 0 && !add(b,
					 (struct pmclog_record){.type = PMCLOG_WIRE_PROCEXIT,
								.u.exit = {1, 10 + i % 7, i}},
					 err)) ||
		    (i % 13 == 0 && !add(b,
					 (struct pmclog_record){.type = PMCLOG_WIRE_SYSEXIT,
								.u.sysexit = {10 + i % 7}},
					 err)))
			return false;
	}
	return true;
}

/* NULL with err set. */
static const struct cg_profile *profile_of(const struct cg_config *config, struct err *err)
{
	static const struct cg_transforms what = {.offsets = true,
						  .lines = CG_LINES_INLINED,
						  .divide_by = CG_KEY_COMM,
						  .short_names = true};
	struct cg_builder *b = cg_builder_new(config, err);
	struct cg_profile *p;

	if (!b || !fill(b, err)) {
		cg_builder_free(b);
		return NULL;
	}
	p = cg_builder_finish(b, err);
	return p ? cg_transform(p, &what, err) : NULL;
}

static bool write_outputs(const struct cg_view view, struct err *err)
{
	struct cg_output_options options = {0};
	bool ok = true;
	int i;

	for (i = 0; ok && cg_outputs[i]; i++) {
		struct sink *sink;

		if (view.base && !cg_outputs[i]->compares)
			continue;
		sink = sink_to_memory();
		ok = sink && !outputs_write(&view, cg_outputs[i], options, sink, err) &&
		     !sink_flush(sink);
		if (!ok && !err->code)
			err_nomem(err);
		sink_free(sink);
	}
	return ok;
}

/* The whole way.  Whether it went well. */
static bool report(struct err *err)
{
	static const struct cg_config config = {
		.symbols = {.fsroot = "/nonexistent", .log_boot_id = "another machine"},
		.keys = CG_KEY_PID | CG_KEY_TID | CG_KEY_CPU,
		.timeline = true,
		.lifetimes = true};
	const struct cg_profile *p = profile_of(&config, err);
	bool ok = p && write_outputs(cg_view_all(p), err);

	cg_profile_free(p);
	return ok;
}

UNIT(every_failed_allocation_is_an_error)
{
	struct err err;
	uint64_t n;
	bool ok;

	for (n = 1; n < 100000; n++) {
		err = (struct err){0};
		left = n;
		ok = report(&err);
		if (left) {
			left = UINT64_MAX;
			break;
		}
		left = UINT64_MAX;
		if (ok)
			continue;
		CHECK(err.code == EX_OSERR && err.msg[0]);
	}
	CHECK(ok && n > 300 && n < 100000);
}

UNIT(so_it_is_where_two_profiles_are_compared)
{
	static const struct cg_config config = {.symbols = {.fsroot = "/nonexistent"}};
	const struct cg_profile *p = profile_of(&config, NULL);
	bool ok = false;
	uint64_t n;

	CHECK(p);
	for (n = 1; n < 100000 && !ok; n++) {
		struct err err = {0};
		struct cg_comparison *c;

		left = n;
		c = cg_compare(p, p, true, &err);
		ok = c && write_outputs(cg_comparison_view(c), &err);
		left = UINT64_MAX;
		cg_comparison_free(c);
		CHECK(ok || (err.code == EX_OSERR && err.msg[0]));
	}
	CHECK(ok && n > 50);
	cg_profile_free(p);
}

UNIT_MAIN(UNIT_ENTRY(every_failed_allocation_is_an_error),
	  UNIT_ENTRY(so_it_is_where_two_profiles_are_compared))
#else
int main(void)
{
	(void)unit_run;
	puts("1..0 # SKIP the sanitizer has its own malloc");
	return 0;
}
#endif
