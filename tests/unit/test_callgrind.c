// SPDX-License-Identifier: BSD-2-Clause
/* Lines of the callgrind format where the source is known. */
#include "callgraph/model/builder.h"
#include "callgraph/output/output.h"
#include "unit.h"

static void add(struct cg_builder *b, struct pmclog_record rec)
{
	CHECK(!cg_builder_add(b, &rec, NULL));
}

/* Three samples of 0x10 called from 0x20, two of 0x11 called from 0x20, one of 0x20. */
static struct cg_profile *new_profile(void)
{
	static const struct cg_config config = {.symbols = {.fsroot = "/nonexistent"}};
	static const uint64_t pcs[][2] = {{0x10, 0x20}, {0x10, 0x20}, {0x10, 0x20},
					  {0x11, 0x20}, {0x11, 0x20}, {0x20, 0}};
	struct cg_builder *b = cg_builder_new(&config, NULL);
	struct cg_profile *p;
	size_t i;

	CHECK(b);
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				      .u.alloc = {.pmcid = 1, .name = {"clock", 5}}});
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_MAP_IN,
				      .u.map_in = {.pid = 1, .length = 0x1000, .path = {"/a", 2}}});
	for (i = 0; i < sizeof(pcs) / sizeof(pcs[0]); i++)
		add(b, (struct pmclog_record){.type = PMCLOG_WIRE_CALLCHAIN,
					      .u.chain = {.pid = 1,
							  .pmcid = 1,
							  .usermode = true,
							  .npcs = pcs[i][1] ? 2 : 1,
							  .pcs = pcs[i]}});
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	return p;
}

/* Says where the locations of an address are: in file at line, there inlined code of inner. */
static void set_place(struct cg_profile *p, uint64_t address, const char *name, const char *file,
		      uint32_t line, const char *inner, uint32_t inner_line)
{
	struct cg_location *l;

	vec_each(l, &p->locations) {
		if (l->address != address)
			continue;
		p->functions.v[l->function].name = name;
		l->first_frame = p->frames.n;
		l->frames = inner ? 2 : 1;
		if (inner)
			CHECK(!vec_push(&p->frames,
					(struct cg_frame){l->function, inner_line, inner}));
		CHECK(!vec_push(&p->frames, (struct cg_frame){l->function, line, file}));
	}
}

static const struct cg_output *callgrind(void)
{
	size_t i = 0;

	while (strcmp(cg_outputs[i]->name, "callgrind") != 0)
		i++;
	return cg_outputs[i];
}

UNIT(inlined_code_has_lines_of_its_file)
{
	static const char source[] = "/src/a.c", header[] = "/src/a.h";
	struct cg_output_options options = {.threshold = -1};
	struct sink *sink = sink_to_memory();
	struct cg_profile *p = new_profile();
	const struct cg_view view = cg_view_all(p);
	const char *body;

	/* 0x11 is of a function of its own, without a symbol as the others are. */
	set_place(p, 0x10, "(leaf)", source, 7, header, 3);
	set_place(p, 0x11, "other", source, 8, NULL, 0);
	set_place(p, 0x20, "main", source, 9, NULL, 0);
	CHECK(sink && !callgrind()->write(&view, &options, sink, NULL));
	body = strstr(sink_text(sink, NULL), "\n\nfl=");
	CHECK_STR(body ? body + 2 : NULL, "fl=(1) ???\n"
					  "fn=(1) [root]\n"
					  "cob=(1) /a\n"
					  "cfi=(2) /src/a.c\n"
					  "cfn=(3) main\n"
					  "calls=6 0\n"
					  "0 6\n"
					  "\n"
					  "ob=(1)\n"
					  "fl=(2)\n"
					  "fn=(2) (leaf)\n"
					  "fi=(3) /src/a.h\n"
					  "3 3\n"
					  "\n"
					  "fl=(2)\n"
					  "fn=(3)\n"
					  "9 1\n"
					  "cfi=(2)\n"
					  "cfn=(2)\n"
					  "calls=3 0\n"
					  "9 3\n"
					  "cfi=(2)\n"
					  "cfn=(4) other\n"
					  "calls=2 0\n"
					  "9 2\n"
					  "\n"
					  "fl=(2)\n"
					  "fn=(4)\n"
					  "8 2\n"
					  "\n"
					  "totals: 6\n");
	sink_free(sink);
	cg_profile_free(p);
}

UNIT_MAIN(UNIT_ENTRY(inlined_code_has_lines_of_its_file))
