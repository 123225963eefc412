// SPDX-License-Identifier: BSD-2-Clause
/* Debug information that is damaged, endless or too much for the memory that is left. */
#include <elf.h>

#include "nomem.h"
#include "symbol/dwarf/dwarf_span.h"
#include "symbol/image.h"
#include "unit.h"

struct bytes {
	uint8_t v[8192];
	size_t n;
};

/* One of the fuzzer's files, all of which have the same source in other forms. */
static struct bytes sample(const char *name)
{
	struct bytes b = {0};
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/dwarf/%s", getenv("srcdir"), name);
	f = fopen(path, "re");
	CHECK(f != NULL);
	if (f) {
		b.n = fread(b.v, 1, sizeof(b.v), f);
		fclose(f);
	}
	return b;
}

/* What the places of all addresses add up to, in out; false when memory ran out. */
static bool look_up(const struct bytes *b, char *out, size_t size, char *problem,
		    size_t problem_size)
{
	static const struct symbol_config config = {.fsroot = "/nonexistent"};
	struct symbol_store *store = symbol_store_new(&config, NULL);
	struct symbol_image *image = NULL;
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	uint64_t start, end, at;
	size_t used = 0;

	*out = *problem = '\0';
	if (store)
		image = symbolint_image_of_memory(store, "sample", b->v, b->n);
	if (image && symbol_image_span(image, &start, &end) && end - start < 0x10000)
		for (at = start; at < end; at += 3) {
			uint32_t n = symbol_frames(image, at, frames), i;

			for (i = 0; i < n && used < size - 128; i++)
				used += (size_t)snprintf(
					out + used, size - used, "%.40s %.40s:%" PRIu32 "\n",
					frames[i].function ? frames[i].function : "-",
					frames[i].file ? frames[i].file : "-", frames[i].line);
		}
	if (image)
		snprintf(problem, problem_size, "%s", symbol_image_lines_problem(image));
	symbol_store_free(store);
	return image != NULL;
}

UNIT(spans_settle_to_the_highest_rank_at_each_address)
{
	enum { SIZE = 60, ROUNDS = 400 };
	uint32_t seed = 1, round, i, at;

	for (round = 0; round < ROUNDS; round++) {
		uint32_t best[SIZE] = {0}; /* rank + 1 */
		dwarf_spans spans = {0};

		for (i = 0; i < round % 12; i++) {
			uint32_t low, high;

			seed = seed * 1103515245 + 12345;
			low = seed >> 16 & 31;
			high = low + 1 + (seed >> 24 & 15);
			for (at = low; at < high; at++)
				if (best[at] < i + 1)
					best[at] = i + 1;
			CHECK(!vec_push(&spans, (struct dwarf_span){low, high, i + 100, i}));
		}
		CHECK(!dwarf_spans_settle(&spans));
		for (at = 0; at < SIZE; at++) {
			const struct dwarf_span *s = dwarf_spans_find(&spans, at);

			CHECK_U64(s ? s->id - 99 : 0, best[at]);
		}
		for (i = 1; i < spans.n; i++)
			CHECK(spans.v[i - 1].high <= spans.v[i].low);
		vec_free(&spans);
	}
}

UNIT(every_form_of_a_program_has_the_same_places)
{
	static const char *const names[] = {"gcc2", "gcc4", "gcc5", "gz", "zgnu"};
	static char first[65536], out[65536];
	char problem[1024];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct bytes b = sample(names[i]);

		CHECK(look_up(&b, out, sizeof(out), problem, sizeof(problem)));
		CHECK_STR(problem, "");
		if (!i)
			strcpy(first, out);
		CHECK_STR(out, first);
	}
	CHECK(strstr(first, "sq /src/s.c:3\ntwo /src/s.c:8\n- /src/s.c:13\n"));
}

UNIT(foreign_machines_are_read_too)
{
	static const char *const names[] = {"m32",     "ppc",	"s390",	  "armeb",
					    "aarch64", "riscv", "object", "dwarf64"};
	static char out[65536];
	char problem[1024];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct bytes b = sample(names[i]);

		CHECK(look_up(&b, out, sizeof(out), problem, sizeof(problem)));
		CHECK_STR(problem, "");
		CHECK(strstr(out, "sq /src/s.c:3\ntwo /src/s.c:8\n- /src/s.c:13\n"));
	}
}

/* Adds to every section with relocations another one for the same, with one that nobody knows. */
static void add_relocations(struct bytes *b)
{
	const Elf64_Rela unknown = {.r_info = ELF64_R_INFO(0, 0xffff)};
	Elf64_Shdr sections[64];
	Elf64_Ehdr header;
	uint16_t i;

	memcpy(&header, b->v, sizeof(header));
	CHECK(header.e_shnum <= sizeof(sections) / sizeof(sections[0]) / 2);
	memcpy(sections, b->v + header.e_shoff, header.e_shnum * sizeof(*sections));
	for (i = header.e_shnum; i-- > 0;) {
		if (sections[i].sh_type != SHT_RELA)
			continue;
		sections[header.e_shnum] = sections[i];
		sections[header.e_shnum].sh_offset = b->n;
		sections[header.e_shnum++].sh_size = sizeof(unknown);
	}
	memcpy(b->v + b->n, &unknown, sizeof(unknown));
	header.e_shoff = (b->n + sizeof(unknown) + 7) & ~7ul;
	b->n = header.e_shoff + header.e_shnum * sizeof(*sections);
	CHECK(b->n <= sizeof(b->v));
	memcpy(b->v + header.e_shoff, sections, header.e_shnum * sizeof(*sections));
	memcpy(b->v, &header, sizeof(header));
}

UNIT(a_section_is_relocated_by_one_other)
{
	static char plain[65536], out[65536];
	struct bytes b = sample("object");
	char problem[1024];

	CHECK(look_up(&b, plain, sizeof(plain), problem, sizeof(problem)));
	add_relocations(&b);
	CHECK(look_up(&b, out, sizeof(out), problem, sizeof(problem)));
	CHECK_STR(problem, "");
	CHECK_STR(out, plain);
}

UNIT(a_missing_split_file_is_told)
{
	struct bytes b = sample("split5");
	static char out[65536];
	char problem[1024];

	CHECK(look_up(&b, out, sizeof(out), problem, sizeof(problem)));
	CHECK(strstr(problem, ".dwo, which has a part of the debug information, was not found"));
	/* What the linker saw is there all the same. */
	CHECK(strstr(out, "/src/s.c:3\n"));
}

/* The places of one address in each of two images, one after the other. */
static void alternate(uint64_t lines_max, char *out, size_t size, const char *problem)
{
	static const struct symbol_config config = {.fsroot = "/nonexistent"};
	static struct bytes samples[2];
	struct symbol_store *store = symbol_store_new(&config, NULL);
	struct symbol_image *image[2];
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	uint64_t start, end;
	size_t used = 0;
	uint32_t i, k;

	samples[0] = sample("gcc5");
	samples[1] = sample("split5");
	store->lines_max = lines_max;
	for (i = 0; i < 2; i++)
		image[i] = symbolint_image_of_memory(store, "sample", samples[i].v, samples[i].n);
	for (i = 0; i < 40; i++) {
		uint32_t n;

		CHECK(symbol_image_span(image[i % 2], &start, &end));
		n = symbol_frames(image[i % 2], start + (end - start) * i / 40, frames);
		for (k = 0; k < n; k++)
			used += (size_t)snprintf(out + used, size - used, "%s:%" PRIu32 "\n",
						 frames[k].file, frames[k].line);
	}
	CHECK_STR(symbol_image_lines_problem(image[0]), "");
	CHECK(strstr(symbol_image_lines_problem(image[1]), problem));
	symbol_store_free(store);
}

UNIT(images_that_take_turns_keep_what_they_say)
{
	static char roomy[16384], tight[16384];

	alternate(UINT64_MAX, roomy, sizeof(roomy), "was not found");
	alternate(0, tight, sizeof(tight), "was not found");
	CHECK(strstr(roomy, "/src/s.c:3\n"));
	CHECK_STR(tight, roomy);
}

UNIT(no_damaged_byte_does_harm)
{
	static const uint8_t values[] = {0, 0x7f, 0x80, 0xff};
	static char out[65536];
	uint32_t told = 0, i;
	char problem[1024];
	struct bytes b = sample("gcc5");
	size_t at;

	for (at = 64; at < b.n; at++)
		for (i = 0; i < sizeof(values); i++) {
			uint8_t was = b.v[at];

			b.v[at] = values[i];
			look_up(&b, out, sizeof(out), problem, sizeof(problem));
			told += *problem != '\0';
			b.v[at] = was;
		}
	CHECK(told > 100);
}

#if OWN_MALLOC
/* Whether both have the same numbers behind their colons. */
static bool has_lines_of(const char *a, const char *b)
{
	while (*a && *b) {
		size_t n = strcspn(a += strcspn(a, ":"), "\n");

		b += strcspn(b, ":");
		if (strcspn(b, "\n") != n || memcmp(a, b, n))
			return false;
		a += n;
		b += n;
	}
	return !strchr(a, ':') && !strchr(b, ':');
}

UNIT(every_failed_allocation_is_told_or_does_not_matter)
{
	static char whole[65536], out[65536];
	struct bytes b = sample("gz");
	uint64_t failed = 0, i;
	char problem[1024];

	CHECK(look_up(&b, whole, sizeof(whole), problem, sizeof(problem)));
	for (i = 1; i < 100000; i++) {
		bool ok;

		left = i;
		ok = look_up(&b, out, sizeof(out), problem, sizeof(problem));
		if (left != 0) {
			left = UINT64_MAX;
			CHECK_STR(out, whole);
			break;
		}
		left = UINT64_MAX;
		failed++;
		/* It names the file, but where there was no room for that either. */
		CHECK(!strstr(problem, "memory") || !strncmp(problem, "sample: ", 8) ||
		      !strcmp(problem, "out of memory for debug information"));
		/* What is not told changes no line. */
		CHECK(!ok || *problem || has_lines_of(out, whole));
	}
	CHECK(failed > 20);
}

UNIT(what_memory_was_too_little_for_is_not_tried_for_each_address)
{
	static const struct symbol_config config = {.fsroot = "/nonexistent"};
	struct symbol_store *store = symbol_store_new(&config, NULL);
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	struct bytes b = sample("gcc5");
	struct symbol_image *image = symbolint_image_of_memory(store, "sample", b.v, b.n);
	uint64_t start, end, tried;

	CHECK(symbol_image_span(image, &start, &end));
	left = 2;
	CHECK_U64(symbol_frames(image, start, frames), 0);
	left = UINT64_MAX - 1;
	CHECK_U64(symbol_frames(image, start, frames), 0);
	tried = UINT64_MAX - 1 - left;
	left = UINT64_MAX;
	CHECK_U64(tried, 0);
	CHECK_STR(symbol_image_lines_problem(image), "sample: out of memory for debug information");
	symbol_store_free(store);
}
#endif

UNIT_MAIN(UNIT_ENTRY(spans_settle_to_the_highest_rank_at_each_address),
	  UNIT_ENTRY(every_form_of_a_program_has_the_same_places),
	  UNIT_ENTRY(foreign_machines_are_read_too),
	  UNIT_ENTRY(a_section_is_relocated_by_one_other), UNIT_ENTRY(a_missing_split_file_is_told),
	  UNIT_ENTRY(images_that_take_turns_keep_what_they_say),
	  UNIT_ENTRY(no_damaged_byte_does_harm)
#if OWN_MALLOC
		  ,
	  UNIT_ENTRY(every_failed_allocation_is_told_or_does_not_matter),
	  UNIT_ENTRY(what_memory_was_too_little_for_is_not_tried_for_each_address)
#endif
)
