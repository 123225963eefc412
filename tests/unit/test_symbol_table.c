// SPDX-License-Identifier: BSD-2-Clause
/* Which name an address gets. */
#include <time.h>

#include "symbol/symtab.h"
#include "symbol_story.h"

UNIT(a_function_covers_its_bytes_and_no_more)
{
	struct symbol_store *store;
	struct symbol_image *image;
	struct symbol s;

	story_begin();
	write_elf("a", "text 0x1000 0x1000\n"
		       "symbol main 0x1100 0x20\n"
		       "symbol work 0x1140 0x10\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK_U64(symbol_image_status(image), SYMBOL_OK);
	CHECK_STR(symbol_image_problem(image), "");
	CHECK_STR(name_at(image, 0x10ff), "-");
	CHECK_STR(name_at(image, 0x1100), "main");
	CHECK_STR(name_at(image, 0x111f), "main");
	CHECK_STR(name_at(image, 0x1120), "-");
	CHECK(symbol_find(image, 0x1145, &s));
	CHECK_U64(s.start, 0x1140);
	CHECK_U64(s.end, 0x1150);
	CHECK_STR(name_at(image, 0), "-");
	CHECK_STR(name_at(image, UINT64_MAX), "-");
	symbol_store_free(store);
}

UNIT(a_function_without_a_size_reaches_to_the_next_or_the_end_of_its_section)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", "text 0x1000 0x1000\n"
		       "text 0x3000 0x100\n"
		       "symbol first 0x1100 0 notype\n"
		       "symbol second 0x1200 0\n"
		       "symbol third 0x3010 0\n"
		       "symbol too_long 0x3080 0x10000\n"
		       "symbol outside 0x3100 0\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK_STR(name_at(image, 0x11ff), "first");
	CHECK_STR(name_at(image, 0x1200), "second");
	CHECK_STR(name_at(image, 0x1fff), "second");
	CHECK_STR(name_at(image, 0x2000), "-");
	CHECK_STR(name_at(image, 0x307f), "third");
	CHECK_STR(name_at(image, 0x30ff), "too_long");
	CHECK_STR(name_at(image, 0x3100), "-");
	symbol_store_free(store);
}

UNIT(only_code_is_a_function)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", "machine aarch64\n"
		       "text 0x1000 0x1000\n"
		       "data 0x3000 0x1000\n"
		       "symbol \"\" 0x1000 0x10\n"
		       "symbol $x 0x1010 0 notype local\n"
		       "symbol $d.7 0x1020 0 notype local\n"
		       "symbol table 0x1030 0x10 object\n"
		       "symbol a.c 0x1040 0x10 file\n"
		       "symbol .text 0x1050 0x10 section\n"
		       "symbol choose 0x1060 0x10 ifunc\n"
		       "symbol label 0x1070 0x10 notype local\n"
		       "symbol .Lloop 0x1078 0 notype local\n"
		       "symbol constant 0x3000 0x10 notype\n"
		       "symbol in_data 0x3010 0x10 func\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK_STR(name_at(image, 0x1008), "-");
	CHECK_STR(name_at(image, 0x1018), "-");
	CHECK_STR(name_at(image, 0x1028), "-");
	CHECK_STR(name_at(image, 0x1038), "-");
	CHECK_STR(name_at(image, 0x1048), "-");
	CHECK_STR(name_at(image, 0x1058), "-");
	CHECK_STR(name_at(image, 0x1068), "choose");
	CHECK_STR(name_at(image, 0x107c), "label");
	CHECK_STR(name_at(image, 0x3008), "-");
	CHECK_STR(name_at(image, 0x3018), "-");
	symbol_store_free(store);
}

UNIT(of_names_for_one_address_the_best_is_used)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", "text 0x1000 0x1000\n"
		       "symbol local 0x1000 0x10 func local\n"
		       "symbol weak_one 0x1000 0x10 func weak\n"
		       "symbol the_global_one 0x1000 0x10 func global\n"
		       "symbol a 0x1010 0x10 notype\n"
		       "symbol function 0x1010 0x10 func\n"
		       "symbol empty 0x1050 0\n"
		       "symbol not_empty 0x1050 0x10\n"
		       "symbol __read 0x1020 0x10\n"
		       "symbol read_long 0x1020 0x10\n"
		       "symbol _read 0x1020 0x10\n"
		       "symbol longer 0x1030 0x10\n"
		       "symbol short 0x1030 0x10\n"
		       "symbol bb 0x1040 0x10\n"
		       "symbol aa 0x1040 0x10\n"
		       "symbol cc 0x1040 0x10\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK_STR(name_at(image, 0x1008), "the_global_one");
	CHECK_STR(name_at(image, 0x1018), "function");
	CHECK_STR(name_at(image, 0x1028), "read_long");
	CHECK_STR(name_at(image, 0x1038), "short");
	CHECK_STR(name_at(image, 0x1048), "aa");
	CHECK_STR(name_at(image, 0x1058), "not_empty");
	symbol_store_free(store);
}

UNIT(an_alias_without_a_size_takes_that_of_the_other)
{
	struct symbol_store *store;
	struct symbol_image *image;
	struct symbol s;

	story_begin();
	write_elf("a", "text 0x1000 0x1000\n"
		       "symbol entry 0x1000 0 func global\n"
		       "symbol _entry_code 0x1000 0x20 func local\n"
		       "symbol small 0x1100 0x10 func global\n"
		       "symbol large 0x1100 0x40 func local\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK(symbol_find(image, 0x1010, &s));
	CHECK_STR(s.name, "entry");
	CHECK_U64(s.end, 0x1020);
	CHECK_STR(name_at(image, 0x1020), "-");
	CHECK_STR(name_at(image, 0x110f), "small");
	CHECK_STR(name_at(image, 0x1110), "large");
	symbol_store_free(store);
}

/* The labels are those of glibc 2.41, whose system calls end at one, and of its 32-bit start. */
UNIT(a_label_within_a_function_is_no_function)
{
	struct symbol_store *store;
	struct symbol_image *image;
	struct symbol s;

	story_begin();
	write_elf("a", "text 0x1000 0x1000\n"
		       "symbol cancel_start 0x1000 0 notype global\n"
		       "symbol cancel 0x1000 0x30 func local\n"
		       "symbol cancel_end 0x1020 0 notype global\n"
		       "symbol start 0x1100 0x30 func global\n"
		       "symbol wrap_main 0x1120 0 notype local\n"
		       "symbol inner 0x1128 0x4 func local\n"
		       "symbol unsized 0x1200 0 func global\n"
		       "symbol within 0x1210 0 notype local\n"
		       "symbol code 0x1300 0x40 notype global\n"
		       "symbol after_frame 0x1320 0 notype global\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK(symbol_find(image, 0x1000, &s));
	CHECK_STR(s.name, "cancel");
	CHECK(symbol_find(image, 0x1020, &s));
	CHECK_STR(s.name, "cancel");
	CHECK_U64(s.end, 0x1030);
	CHECK_STR(name_at(image, 0x1030), "-");
	CHECK_STR(name_at(image, 0x1120), "start");
	CHECK_STR(name_at(image, 0x1128), "inner");
	CHECK_STR(name_at(image, 0x112c), "start");
	/* Where no function has a size, or nothing is called one, labels are all there is. */
	CHECK_STR(name_at(image, 0x1208), "unsized");
	CHECK_STR(name_at(image, 0x1210), "within");
	CHECK_STR(name_at(image, 0x1320), "after_frame");
	symbol_store_free(store);
}

UNIT(behind_a_nested_function_the_outer_one_goes_on)
{
	struct symbol_store *store;
	struct symbol_image *image;
	struct symbol s;

	story_begin();
	write_elf("a", "text 0x1000 0x1000\n"
		       "symbol outer 0x1000 0x100\n"
		       "symbol middle 0x1020 0x80\n"
		       "symbol inner 0x1040 0x10\n"
		       "symbol tail 0x10f0 0 func local\n"
		       "symbol overlapping 0x1090 0x20\n"
		       "symbol next 0x1180 0x10\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK_STR(name_at(image, 0x1010), "outer");
	CHECK_STR(name_at(image, 0x1030), "middle");
	CHECK_STR(name_at(image, 0x1048), "inner");
	CHECK_STR(name_at(image, 0x1050), "middle");
	CHECK_STR(name_at(image, 0x1098), "overlapping");
	CHECK_STR(name_at(image, 0x10a8), "overlapping");
	CHECK_STR(name_at(image, 0x10b0), "outer");
	CHECK(symbol_find(image, 0x10b0, &s));
	CHECK_U64(s.start, 0x1000);
	CHECK_U64(s.end, 0x1100);
	/* One without a size ends with the function that it is in. */
	CHECK_STR(name_at(image, 0x10ff), "tail");
	CHECK_STR(name_at(image, 0x1100), "-");
	symbol_store_free(store);
}

UNIT(control_characters_do_not_reach_the_terminal)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", "text 0x1000 0x1000\nsymbol a\033[2Jb 0x1000 0x10\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK_STR(name_at(image, 0x1000), "a?[2Jb");
	symbol_store_free(store);
}

UNIT(both_classes_and_byte_orders_are_read)
{
	static const char *const kinds[] = {"class 32\n", "class 64\n", "class 32\norder big\n",
					    "class 64\norder big\n"};
	char spec[256];
	size_t i;

	story_begin();
	for (i = 0; i < 4; i++) {
		struct symbol_store *store = store_new();
		struct symbol_image *image;

		snprintf(spec, sizeof(spec),
			 "%sbuild-id 0a0b0c0d\ntext 0x1000 0x100\nsymbol f 0x1010 0x10\n",
			 kinds[i]);
		write_elf("a", spec);
		image = image_of(store, at("a"), "0a0b0c0d");
		CHECK_STR(symbol_image_problem(image), "");
		CHECK_STR(name_at(image, 0x101f), "f");
		CHECK_STR(name_at(image, 0x1020), "-");
		symbol_store_free(store);
	}
}

UNIT(thumb_functions_have_even_addresses)
{
	struct symbol_store *store;
	struct symbol_image *image;
	struct symbol s;

	story_begin();
	write_elf("a", "machine arm\nclass 32\ntext 0x1000 0x100\nsymbol f 0x1011 0x10\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK(symbol_find(image, 0x1010, &s));
	CHECK_U64(s.start, 0x1010);
	symbol_store_free(store);
}

/* Compares every answer of a table of random overlapping symbols with a search of all. */
UNIT(look_ups_agree_with_a_plain_search)
{
	struct symtab t = {.names = "\0a"};
	struct symtab_sym syms[200];
	uint64_t address;
	unsigned int i;

	srandom(1);
	for (i = 0; i < 200; i++) {
		uint64_t start = i * 7 + (uint64_t)random() % 7, size = 1 + (uint64_t)random() % 60;

		syms[i] = (struct symtab_sym){.start = start, .size = (uint32_t)size};
		CHECK(!symtab_add(&t, start, size, UINT64_MAX, 1, RANK_GLOBAL));
	}
	CHECK(!symtab_build(&t));
	for (address = 0; address < 2000; address++) {
		const struct symtab_sym *best = NULL, *got = symtab_find(&t, address);

		for (i = 0; i < 200; i++)
			if (address - syms[i].start < syms[i].size)
				best = &syms[i];
		CHECK_U64(got ? got->start : 0, best ? best->start : 0);
	}
	symtab_fini(&t);
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* The times are told, not tested: machines differ. */
UNIT(a_large_table_is_searched_in_no_time)
{
	enum { COUNT = 100000, LOOKUPS = 1000000 };
	struct symbol_store *store;
	struct symbol_image *image;
	double begin, loaded;
	uint32_t i, found = 0, seed = 1;
	struct symbol s;
	FILE *spec;

	story_begin();
	spec = fopen("big", "w");
	CHECK(spec != NULL);
	fprintf(spec, "text 0x1000 0x%x\n", COUNT * 32);
	for (i = 0; i < COUNT; i++)
		fprintf(spec, "symbol function_%u 0x%x 32\n", i,
			0x1000 + (uint32_t)((uint64_t)i * 7919 % COUNT) * 32);
	fclose(spec);
	run("\"%s\"/tests/tools/mkelf a <big", getenv("builddir") ? getenv("builddir") : ".");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	begin = seconds();
	CHECK_STR(name_at(image, 0x1000), "function_0");
	loaded = seconds();
	printf("# %d symbols loaded in %.1f ms\n", COUNT, (loaded - begin) * 1e3);
	for (i = 0; i < COUNT; i++)
		symbol_find(image, 0x1000 + i * 32, &s);
	loaded = seconds();
	for (i = 0; i < LOOKUPS; i++) {
		seed = seed * 1664525 + 1013904223;
		found += symbol_find(image, 0x1000 + seed % (COUNT * 32), &s);
	}
	printf("# %.0f ns a look-up\n", (seconds() - loaded) * 1e9 / LOOKUPS);
	CHECK_U64(found, LOOKUPS);
	symbol_store_free(store);
}

UNIT(a_store_closes_the_images_that_were_not_kept)
{
	struct symbol_store *store;
	struct symbol_image *kept;
	size_t before, both;

	story_begin();
	write_elf("kept", "text 0x1000 0x1000\nsymbol foo 0x1000 0x20\n");
	write_elf("other", "text 0x1000 0x1000\nsymbol bar 0x1000 0x20\n");
	store = store_new();
	kept = image_of(store, at("kept"), NULL);
	CHECK_STR(name_at(kept, 0x1000), "foo");
	before = symbol_store_size(store);
	CHECK_STR(name_at(image_of(store, at("other"), NULL), 0x1000), "bar");
	both = symbol_store_size(store);
	CHECK(both > before);
	symbol_image_keep(kept);
	CHECK(!symbol_store_forget(store));
	CHECK(symbol_store_size(store) <= before);
	CHECK(image_of(store, at("kept"), NULL) == kept);
	CHECK_STR(name_at(kept, 0x1000), "foo");
	CHECK_STR(name_at(image_of(store, at("other"), NULL), 0x1000), "bar");
	CHECK_U64(symbol_store_size(store), both);
	/* Kept once is not kept for ever. */
	CHECK(!symbol_store_forget(store));
	CHECK(symbol_store_size(store) < before);
	symbol_store_free(store);
}

UNIT_MAIN(UNIT_ENTRY(a_function_covers_its_bytes_and_no_more),
	  UNIT_ENTRY(a_function_without_a_size_reaches_to_the_next_or_the_end_of_its_section),
	  UNIT_ENTRY(only_code_is_a_function),
	  UNIT_ENTRY(of_names_for_one_address_the_best_is_used),
	  UNIT_ENTRY(an_alias_without_a_size_takes_that_of_the_other),
	  UNIT_ENTRY(a_label_within_a_function_is_no_function),
	  UNIT_ENTRY(a_store_closes_the_images_that_were_not_kept),
	  UNIT_ENTRY(behind_a_nested_function_the_outer_one_goes_on),
	  UNIT_ENTRY(control_characters_do_not_reach_the_terminal),
	  UNIT_ENTRY(both_classes_and_byte_orders_are_read),
	  UNIT_ENTRY(thumb_functions_have_even_addresses),
	  UNIT_ENTRY(look_ups_agree_with_a_plain_search),
	  UNIT_ENTRY(a_large_table_is_searched_in_no_time))
