// SPDX-License-Identifier: BSD-2-Clause
/* From runtime addresses to link-time ones: how programs are laid out, and what logs tell of it. */
#include "symbol_story.h"

/* A mapping as a log gives it, and an address in it. */
struct mapped {
	uint64_t start, length;
	bool has_offset;
	uint64_t offset, runtime;
};

static uint64_t link_time(const char *spec, struct mapped m)
{
	struct symbol_store *store = store_new();
	struct symbol_image *image;
	uint64_t address;

	write_elf("a", spec);
	image = image_of(store, at("a"), NULL);
	address = symbol_image_address(image, m.start, m.length, m.has_offset, m.offset, m.runtime);
	symbol_store_free(store);
	return address;
}

/* As GNU ld lays out: headers, code in a segment of its own, data. */
static const char pie[] = "data 0 0x600 0\n"
			  "text 0x1000 0x3000 0x1000\n"
			  "data 0x5000 0x1000 0x4000\n"
			  "symbol main 0x2000 0x10\n";

/* As lld lays out: the addresses run ahead of the offsets. */
static const char rosegment[] = "data 0 0x600 0\n"
				"text 0x201640 0x3000 0x640\n"
				"data 0x205640 0x1000 0x3640\n";

static const char fixed[] = "type exec\n"
			    "data 0x400000 0x600 0\n"
			    "text 0x401000 0x3000 0x1000\n";

UNIT(the_file_offset_says_it_all)
{
	const uint64_t base = 0x7f0000000000;

	story_begin();
	CHECK_U64(
		link_time(pie, (struct mapped){base + 0x1000, 0x3000, true, 0x1000, base + 0x2004}),
		0x2004);
	CHECK_U64(link_time(rosegment,
			    (struct mapped){base + 0x201000, 0x4000, true, 0, base + 0x202004}),
		  0x202004);
	CHECK_U64(link_time(fixed, (struct mapped){0x401000, 0x3000, true, 0x1000, 0x402004}),
		  0x402004);
}

UNIT(a_part_of_a_segment_may_be_mapped_by_itself)
{
	const uint64_t base = 0x7f0000000000;

	story_begin();
	CHECK_U64(
		link_time(pie, (struct mapped){base + 0x2000, 0x1000, true, 0x2000, base + 0x2004}),
		0x2004);
}

UNIT(two_code_segments_are_told_apart)
{
	static const char spec[] = "data 0 0x600 0\n"
				   "text 0x1000 0x1000 0x1000\n"
				   "data 0x2000 0x1000 0x2000\n"
				   "text 0x8000 0x2000 0x3000 .hot\n";
	const uint64_t base = 0x7f0000000000;

	story_begin();
	CHECK_U64(link_time(spec,
			    (struct mapped){base + 0x1000, 0x1000, true, 0x1000, base + 0x1004}),
		  0x1004);
	CHECK_U64(link_time(spec,
			    (struct mapped){base + 0x8000, 0x2000, true, 0x3000, base + 0x9004}),
		  0x9004);
	/* Without offsets their lengths do. */
	CHECK_U64(link_time(spec, (struct mapped){base + 0x8000, 0x2000, false, 0, base + 0x9004}),
		  0x9004);
	CHECK_U64(link_time(spec, (struct mapped){base + 0x1000, 0x1000, false, 0, base + 0x1004}),
		  0x1004);
}

/* Prelinked libraries have addresses of their own and are mapped wherever there is room. */
UNIT(a_library_may_have_been_linked_to_an_address)
{
	static const char spec[] = "data 0x3a00000000 0x600 0\n"
				   "text 0x3a00001000 0x3000 0x1000\n"
				   "data 0x3a00204000 0x1000 0x4000\n";

	story_begin();
	CHECK_U64(
		link_time(spec, (struct mapped){0x3a00001000, 0x3000, true, 0x1000, 0x3a00002004}),
		0x3a00002004);
	CHECK_U64(link_time(spec,
			    (struct mapped){0x7f0000001000, 0x3000, true, 0x1000, 0x7f0000002004}),
		  0x3a00002004);
	/* FreeBSD's two conventions: the load base, and the mapping of the code. */
	CHECK_U64(link_time(spec, (struct mapped){0x7f0000000000, 0, false, 0, 0x7f0000003f00}),
		  0x3a00003f00);
	CHECK_U64(link_time(spec, (struct mapped){0x7f0000001000, 0, false, 0, 0x7f0000002004}),
		  0x3a00002004);
}

UNIT(freebsd_logs_give_the_address_of_the_executable_mapping)
{
	const uint64_t start = 0x800201000;
	uint64_t into;

	story_begin();
	for (into = 0; into < 0x3000; into += 0x7fc) {
		CHECK_U64(link_time(pie, (struct mapped){start, 0, false, 0, start + into}),
			  0x1000 + into);
		CHECK_U64(link_time(rosegment, (struct mapped){start, 0, false, 0, start + into}),
			  0x201000 + into);
	}
}

UNIT(or_the_load_base_where_only_that_fits)
{
	const uint64_t start = 0x800200000;

	story_begin();
	/* Behind the code's end by the other reading. */
	CHECK_U64(link_time(pie, (struct mapped){start, 0, false, 0, start + 0x3a00}), 0x3a00);
	/* The length is that of the whole image. */
	CHECK_U64(link_time(pie, (struct mapped){start, 0x6000, false, 0, start + 0x1004}), 0x1004);
	CHECK_U64(link_time(rosegment, (struct mapped){start, 0, false, 0, start + 0x204700}),
		  0x204700);
}

UNIT(a_program_of_fixed_addresses_is_where_it_is)
{
	story_begin();
	CHECK_U64(link_time(fixed, (struct mapped){0x400000, 0, false, 0, 0x402004}), 0x402004);
	CHECK_U64(link_time(fixed, (struct mapped){0x401000, 0, false, 0, 0x402004}), 0x402004);
	CHECK_U64(link_time(fixed, (struct mapped){0x401000, 0x3000, false, 0, 0x402004}),
		  0x402004);
}

/* What a stripper leaves in a debug file has other offsets than the program. */
UNIT(a_debug_file_alone_still_tells_addresses)
{
	const uint64_t base = 0x7f0000000000;

	story_begin();
	CHECK_U64(link_time("debug-only\ndata 0 0x600 0\ntext 0x1000 0x3000 0x600\n"
			    "data 0x5000 0x1000 0x600\n",
			    (struct mapped){base + 0x1000, 0x3000, true, 0x1000, base + 0x2004}),
		  0x2004);
	CHECK_U64(link_time("debug-only\ndata 0 0x600 0\ntext 0x201640 0x3000 0x600\n",
			    (struct mapped){base + 0x201000, 0x4000, true, 0, base + 0x202004}),
		  0x202004);
	/* Only a part of the segment is mapped. */
	CHECK_U64(link_time("debug-only\ndata 0 0x600 0\ntext 0x1000 0x3000 0x600\n",
			    (struct mapped){base + 0x2000, 0x1000, true, 0x2000, base + 0x2004}),
		  0x2004);
}

UNIT(without_a_file_an_address_is_a_place_in_it)
{
	struct symbol_store *store;
	struct symbol_image *image;
	uint64_t start, end;

	story_begin();
	store = store_new();
	image = image_of(store, at("missing"), NULL);
	CHECK_U64(symbol_image_address(image, 0x10000, 0x1000, true, 0x3000, 0x10010), 0x3010);
	CHECK_U64(symbol_image_address(image, 0x10000, 0x1000, false, 0, 0x10010), 0x10);
	CHECK(!symbol_image_span(image, &start, &end));
	symbol_store_free(store);
}

UNIT(the_span_is_that_of_the_code)
{
	struct symbol_store *store;
	uint64_t start, end;

	story_begin();
	write_elf("a",
		  "data 0 0x600 0\ntext 0x1000 0x1000\ntext 0x3000 0x1200\ndata 0x8000 0x10\n");
	store = store_new();
	CHECK(symbol_image_span(image_of(store, at("a"), NULL), &start, &end));
	CHECK_U64(start, 0x1000);
	CHECK_U64(end, 0x4200);
	symbol_store_free(store);
}

UNIT_MAIN(UNIT_ENTRY(the_file_offset_says_it_all),
	  UNIT_ENTRY(a_part_of_a_segment_may_be_mapped_by_itself),
	  UNIT_ENTRY(two_code_segments_are_told_apart),
	  UNIT_ENTRY(a_library_may_have_been_linked_to_an_address),
	  UNIT_ENTRY(freebsd_logs_give_the_address_of_the_executable_mapping),
	  UNIT_ENTRY(or_the_load_base_where_only_that_fits),
	  UNIT_ENTRY(a_program_of_fixed_addresses_is_where_it_is),
	  UNIT_ENTRY(a_debug_file_alone_still_tells_addresses),
	  UNIT_ENTRY(without_a_file_an_address_is_a_place_in_it),
	  UNIT_ENTRY(the_span_is_that_of_the_code))
