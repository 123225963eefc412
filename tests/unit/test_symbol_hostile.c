// SPDX-License-Identifier: BSD-2-Clause
/* Damaged ELF files: cut anywhere, with any byte changed, with headers that lie. */
#include "symbol/elf/elf_file.h"
#include "symbol_story.h"

static const char spec[] = "build-id 01020304\n"
			   "text 0x1000 0x100\n"
			   "data 0x2000 0x10\n"
			   "symbol main 0x1000 0x10\n"
			   "symbol inner 0x1004 4 notype local\n"
			   "dynsym exported 0x1020 0x10 func weak\n"
			   "debuglink a.debug 12345678\n";

static uint8_t bytes[65536];
static size_t size;

static void read_bytes(void)
{
	FILE *f = fopen("a", "rb");

	size = f ? fread(bytes, 1, sizeof(bytes), f) : 0;
	if (f)
		fclose(f);
	CHECK(size > 0 && size < sizeof(bytes));
}

/* Opens the first len bytes as a file and looks everything up; returns what became of it. */
static enum symbol_status survive(size_t len)
{
	struct symbol_store *store = store_new();
	struct symbol_image *image;
	enum symbol_status status;
	uint64_t address;
	FILE *f = fopen("b", "wb");

	CHECK(f && fwrite(bytes, 1, len, f) == len && !fclose(f));
	image = image_of(store, at("b"), NULL);
	for (address = 0xff8; address < 0x1108; address++)
		name_at(image, address);
	symbol_image_address(image, 0x1000, 0x1000, true, 0x1000, 0x1010);
	symbol_image_address(image, 0x1000, 0, false, 0, 0x1010);
	status = symbol_image_status(image);
	CHECK((status == SYMBOL_OK) == !*symbol_image_problem(image));
	symbol_store_free(store);
	return status;
}

UNIT(a_file_may_end_anywhere)
{
	size_t len;

	story_begin();
	write_elf("a", spec);
	read_bytes();
	CHECK_U64(survive(size), SYMBOL_OK);
	for (len = 0; len<size; len += len> 128 && len < size - 1200 ? 97 : 1)
		CHECK_U64(survive(len), SYMBOL_BAD_FILE);
}

UNIT(a_byte_may_be_anything)
{
	const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
	size_t i, v, begin;

	story_begin();
	write_elf("a", spec);
	read_bytes();
	begin = size - 900;
	for (i = 0; i < size; i += i == 400 ? begin - 400 : 1)
		for (v = 0; v < sizeof(values); v += 2) {
			uint8_t was = bytes[i];

			bytes[i] = values[v];
			survive(size);
			bytes[i] = was;
		}
}

/* The numbers of section headers, symbols and names are bounded by the file before any is read. */
UNIT(counts_that_lie_cost_nothing)
{
	const uint64_t huge[] = {UINT64_MAX, UINT64_MAX / 64, (uint64_t)1 << 40, (uint64_t)1 << 31};
	Elf64_Ehdr eh;
	size_t i, k;

	story_begin();
	write_elf("a", spec);
	read_bytes();
	memcpy(&eh, bytes, sizeof(eh));
	for (i = 0; i < sizeof(huge) / sizeof(huge[0]); i++)
		for (k = 0; k < eh.e_shnum; k++) {
			uint8_t *at = bytes + eh.e_shoff + k * sizeof(Elf64_Shdr);
			Elf64_Shdr was, sh;

			memcpy(&was, at, sizeof(was));
			sh = was;
			sh.sh_size = huge[i];
			memcpy(at, &sh, sizeof(sh));
			survive(size);
			sh = was;
			sh.sh_offset = huge[i];
			memcpy(at, &sh, sizeof(sh));
			survive(size);
			memcpy(at, &was, sizeof(was));
		}
	eh.e_shnum = 0; /* the count is then in section 0 */
	memcpy(bytes, &eh, sizeof(eh));
	memcpy(bytes + eh.e_shoff + offsetof(Elf64_Shdr, sh_size), &huge[2], sizeof(huge[2]));
	CHECK_U64(survive(size), SYMBOL_BAD_FILE);
}

UNIT_MAIN(UNIT_ENTRY(a_file_may_end_anywhere), UNIT_ENTRY(a_byte_may_be_anything),
	  UNIT_ENTRY(counts_that_lie_cost_nothing))
