// SPDX-License-Identifier: BSD-2-Clause
/* What the CFI of a file says: rules of hand-made entries, and where they are found. */
#include <unistd.h>

#include "unwind_scene.h"

UNIT(rules_are_those_of_their_addresses)
{
	struct unwind_rule r;
	struct cfi c;
	struct unwind_image *image;
	uint64_t start, end;

	functions(&c);
	image = image_of(&c, UNWIND_X86_64, false);
	CHECK(unwind_image_cfi(image) == UNWIND_CFI_THERE);
	CHECK(unwind_image_rule(image, TEXT, &r));
	CHECK(r.cfa == UNWIND_CFA_REG && r.cfa_reg == 7 && r.cfa_offset == 8);
	CHECK(r.ra == UNWIND_SAVED_AT_CFA && r.ra_offset == -8 && r.fp == UNWIND_SAVED_SAME);
	CHECK(unwind_image_rule(image, TEXT + 1, &r) && r.cfa_offset == 16);
	CHECK(unwind_image_rule(image, TEXT + 0x20, &r) && r.cfa_offset == 16);
	CHECK(unwind_image_rule(image, TEXT + 0x21, &r) && r.cfa_offset == 8);
	CHECK(unwind_image_rule(image, TEXT + 0x22, &r) && r.cfa_offset == 16);
	CHECK(unwind_image_rule(image, TEXT + 0x180, &r));
	CHECK(r.cfa_reg == 6 && r.cfa_offset == 16 && r.fp == UNWIND_SAVED_AT_CFA &&
	      r.fp_offset == -16 && !r.signal);
	CHECK(unwind_image_rule(image, TEXT + 0x200, &r) && r.ra == UNWIND_SAVED_UNDEFINED);
	CHECK(!unwind_image_rule(image, TEXT + 0x300, &r) && r.cfa == UNWIND_CFA_UNKNOWN);
	CHECK(!unwind_image_rule(image, TEXT - 1, &r));
	CHECK(unwind_image_function(image, TEXT + 0x1ff, &start, &end));
	CHECK_U64(start, TEXT + 0x100);
	CHECK_U64(end, TEXT + 0x200);
	CHECK(!unwind_image_function(image, TEXT + 0x300, &start, &end));
	unwind_image_free(image);
}

UNIT(signed_and_long_forms_say_the_same)
{
	static const struct {
		uint8_t op, operand;
		int64_t offset;
	} t[] = {{DW_CFA_offset_extended, 2, -16},
		 {DW_CFA_offset_extended_sf, 2, -16},
		 {DW_CFA_offset_extended_sf, 0x7e, 16}, /* -2 */
		 {DW_CFA_GNU_negative_offset_extended, 2, 16}};
	struct unwind_image *image;
	struct unwind_rule r;
	struct cfi c;
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		c = (struct cfi){0};
		cie_x86_64(&c, "zR");
		fde(&c, 0, 0x100,
		    BYTES(t[i].op, 6, t[i].operand, DW_CFA_def_cfa_offset_sf, 0x7d, /* -3 */
			  DW_CFA_advance_loc | 1, DW_CFA_def_cfa_sf, 6, 0x7c));	    /* -4 */
		image = image_of(&c, UNWIND_X86_64, false);
		CHECK(unwind_image_rule(image, TEXT, &r));
		CHECK(r.fp == UNWIND_SAVED_AT_CFA && r.fp_offset == t[i].offset);
		CHECK(r.cfa_reg == 7 && r.cfa_offset == 24);
		CHECK(unwind_image_rule(image, TEXT + 1, &r));
		CHECK(r.cfa_reg == 6 && r.cfa_offset == 32);
		unwind_image_free(image);
	}
}

UNIT(the_size_of_arguments_changes_no_rule)
{
	struct unwind_image *image;
	struct cfi c = {0};
	struct unwind_rule r;

	cie_x86_64(&c, "zR");
	fde(&c, 0, 0x100,
	    BYTES(DW_CFA_GNU_args_size, 16, DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc | 1,
		  DW_CFA_GNU_args_size, 0, DW_CFA_def_cfa_offset, 32));
	image = image_of(&c, UNWIND_X86_64, false);
	CHECK(unwind_image_rule(image, TEXT, &r) && r.cfa_offset == 24);
	CHECK(unwind_image_rule(image, TEXT + 1, &r) && r.cfa_offset == 32);
	unwind_image_free(image);
}

UNIT(an_expression_that_goes_on_is_no_rule)
{
	static const struct {
		uint8_t bytes[12];
		size_t n;
		bool good;
	} cases[] = {
		{{DW_CFA_def_cfa_expression, 5, DW_OP_breg7, 24, DW_OP_deref, DW_OP_plus_uconst, 8},
		 7,
		 true},
		{{DW_CFA_def_cfa_expression, 6, DW_OP_breg7, 24, DW_OP_deref, DW_OP_plus_uconst, 8,
		  DW_OP_deref},
		 8,
		 false},
		/* 0x7fff, and one more than the rule holds. */
		{{DW_CFA_def_cfa_expression, 7, DW_OP_breg7, 24, DW_OP_deref, DW_OP_plus_uconst,
		  0xff, 0xff, 1},
		 9,
		 true},
		{{DW_CFA_def_cfa_expression, 7, DW_OP_breg7, 24, DW_OP_deref, DW_OP_plus_uconst,
		  0x80, 0x80, 2},
		 9,
		 false},
	};
	struct unwind_rule r;
	struct scene s;
	struct cfi c;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		functions(&c);
		fde(&c, 0x400, 0x100, cases[i].bytes, cases[i].n);
		scene(&s, &c, UNWIND_X86_64);
		CHECK(unwind_image_rule(s.image, TEXT + 0x400, &r));
		CHECK_U64(r.cfa == UNWIND_CFA_DEREF, cases[i].good);
		unwind_image_free(s.image);
	}
}

UNIT(a_cie_of_another_kind_serves_no_function)
{
	static const struct {
		uint8_t version;
		const char *letters;
		uint8_t ra;
		bool good;
	} cases[] = {
		{1, "zR", 16, true},
		{3, "zR", 16, true},
		/* Versions and letters that nobody knows; without z; a personality that is cut. */
		{2, "zR", 16, false},
		{5, "zR", 16, false},
		{1, "zX", 16, false},
		{1, "zRX", 16, false},
		{1, "R", 16, false},
		{1, "zRP", 16, false},
		/* Return addresses in a column that is not that of x86-64. */
		{1, "zR", 17, false},
	};
	struct unwind_image *image;
	struct unwind_rule r;
	struct cfi c;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		c = (struct cfi){0};
		cie(&c, cases[i].letters, 1, -8, cases[i].ra, BYTES(DW_CFA_nop));
		c.b[8] = cases[i].version;
		fde(&c, 0, 0x100, BYTES(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1));
		image = image_of(&c, UNWIND_X86_64, false);
		CHECK_U64(unwind_image_rule(image, TEXT, &r), cases[i].good);
		unwind_image_free(image);
	}
}

UNIT(what_looks_like_the_plt_is_no_rule)
{
	/* ... + ((rip & 15) >= 11) << 3, and changes of it by a byte */
	static const uint8_t plt[] = {DW_CFA_def_cfa_expression,
				      11,
				      DW_OP_breg7,
				      8,
				      DW_OP_breg16,
				      0,
				      DW_OP_lit15,
				      DW_OP_and,
				      DW_OP_lit11,
				      DW_OP_ge,
				      DW_OP_lit3,
				      DW_OP_shl,
				      DW_OP_plus};
	static const struct {
		size_t at;
		uint8_t byte;
		enum unwind_cfa cfa;
	} cases[] = {
		{8, DW_OP_lit0, UNWIND_CFA_PLT},  {8, DW_OP_lit15, UNWIND_CFA_PLT},
		{8, DW_OP_lit16, UNWIND_CFA_ROW}, {8, DW_OP_const1s, UNWIND_CFA_ROW},
		{4, DW_OP_breg3, UNWIND_CFA_ROW}, {5, 1, UNWIND_CFA_ROW},
		{6, DW_OP_lit14, UNWIND_CFA_ROW}, {7, DW_OP_or, UNWIND_CFA_ROW},
		{9, DW_OP_gt, UNWIND_CFA_ROW},	  {10, DW_OP_lit2, UNWIND_CFA_ROW},
		{11, DW_OP_shr, UNWIND_CFA_ROW},  {12, DW_OP_minus, UNWIND_CFA_ROW},
		{1, 12, UNWIND_CFA_ROW}, /* and a byte behind it, nop */
	};
	struct unwind_image *image;
	struct unwind_rule r;
	uint8_t code[14];
	struct cfi c;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memcpy(code, plt, sizeof(plt));
		code[13] = DW_OP_nop;
		code[cases[i].at] = cases[i].byte;
		functions(&c);
		fde(&c, 0x400, 0x100, code, sizeof(plt) + (cases[i].at == 1));
		image = image_of(&c, UNWIND_X86_64, false);
		CHECK(unwind_image_rule(image, TEXT + 0x400, &r));
		CHECK_U64(r.cfa, cases[i].cfa);
		unwind_image_free(image);
	}
}

UNIT(a_place_by_an_expression_is_that_of_the_register_of_the_cfa)
{
	static const struct {
		uint8_t bytes[6];
		size_t n;
		bool good;
	} cases[] = {
		{{DW_CFA_expression, 6, 2, DW_OP_breg7, 8}, 5, true},
		{{DW_CFA_expression, 6, 2, DW_OP_breg3, 8}, 5, false},
		{{DW_CFA_expression, 6, 3, DW_OP_breg7, 8, DW_OP_deref}, 6, false},
	};
	struct unwind_image *image;
	struct unwind_rule r;
	struct cfi c;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		functions(&c);
		fde(&c, 0x400, 0x100, cases[i].bytes, cases[i].n);
		image = image_of(&c, UNWIND_X86_64, false);
		CHECK(unwind_image_rule(image, TEXT + 0x400, &r));
		CHECK_U64(r.cfa, cases[i].good ? UNWIND_CFA_REG : UNWIND_CFA_ROW);
		CHECK(!cases[i].good || (r.fp == UNWIND_SAVED_AT_REG && r.fp_offset == 8));
		unwind_image_free(image);
	}
}

/* A CIE with absolute addresses and an id of all ones, and a function at 0x40. */
static void debug_frame(struct cfi *c, const char *letters)
{
	*c = (struct cfi){0};
	put(c, 0, 4), put(c, UINT32_MAX, 4), put(c, 3, 1);
	memcpy(c->b + c->n, letters, strlen(letters) + 1);
	c->n += strlen(letters) + 1;
	put(c, 1, 1), put(c, 0x78, 1), put(c, 16, 1);
	entry_end(c, 0, BYTES(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1));
	c->cie = c->n;
	put(c, 0, 4), put(c, 0, 4), put(c, TEXT + 0x40, 8), put(c, 0x20, 8);
	entry_end(c, c->cie, BYTES(DW_CFA_def_cfa, 7, 32));
}

UNIT(debug_frame_serves_where_there_is_no_eh_frame)
{
	struct unwind_elf elf;
	struct unwind_rule r;
	struct cfi c;
	struct unwind_image *image;

	debug_frame(&c, "");
	image = image_of(&c, UNWIND_X86_64, true);
	CHECK(unwind_image_cfi(image) == UNWIND_CFI_THERE);
	CHECK(unwind_image_rule(image, TEXT + 0x41, &r) && r.cfa_offset == 32);
	CHECK(r.ra == UNWIND_SAVED_AT_CFA && r.ra_offset == -8);
	CHECK(!unwind_image_rule(image, TEXT + 0x60, &r));
	unwind_image_free(image);
	/* Letters without z may be followed by anything. */
	debug_frame(&c, "X");
	image = image_of(&c, UNWIND_X86_64, true);
	CHECK(!unwind_image_rule(image, TEXT + 0x41, &r));
	unwind_image_free(image);
	/* A function is no CIE, not even its own. */
	debug_frame(&c, "");
	memcpy(c.b + c.cie + 4, &(uint32_t){(uint32_t)c.cie}, 4);
	image = image_of(&c, UNWIND_X86_64, true);
	CHECK(!unwind_image_rule(image, TEXT + 0x41, &r));
	unwind_image_free(image);
	unwind_elf_init(&elf, UNWIND_X86_64);
	elf.cfi = c.b;
	elf.cfi_length = c.n;
	elf.debug = elf.compressed = true;
	image = unwind_elf_image(&elf);
	CHECK(unwind_image_cfi(image) == UNWIND_CFI_COMPRESSED);
	unwind_image_free(image);
	elf.no_sections = true;
	image = unwind_elf_image(&elf);
	CHECK(unwind_image_cfi(image) == UNWIND_CFI_NONE);
	unwind_image_free(image);
}

/* .eh_frame_hdr of the FDEs at these two offsets in .eh_frame. */
static size_t hdr_of(uint8_t *hdr, uint64_t vaddr, uint32_t first, uint32_t second)
{
	const int32_t words[] = {0,
				 (int32_t)(UNWIND_ELF_CFI - (vaddr + 4)),
				 2,
				 (int32_t)(TEXT - vaddr),
				 (int32_t)(UNWIND_ELF_CFI + first - vaddr),
				 (int32_t)(TEXT + 0x100 - vaddr),
				 (int32_t)(UNWIND_ELF_CFI + second - vaddr)};

	memcpy(hdr, words, sizeof(words));
	memcpy(hdr, "\x01\x1b\x03\x3b", 4);
	return sizeof(words);
}

UNIT(eh_frame_hdr_serves_without_section_headers)
{
	uint8_t hdr[64];
	struct unwind_elf elf;
	struct unwind_rule r;
	struct cfi c = {0};
	struct unwind_image *image;
	uint32_t first, second;

	cie_x86_64(&c, "zR");
	first = (uint32_t)c.n;
	fde(&c, 0, 0x100, BYTES(DW_CFA_def_cfa_offset, 32));
	second = (uint32_t)c.n;
	fde(&c, 0x100, 0x100, BYTES(DW_CFA_def_cfa_offset, 48));
	unwind_elf_init(&elf, UNWIND_X86_64);
	elf.cfi = c.b;
	elf.cfi_length = c.n;
	elf.hdr = hdr;
	elf.no_sections = true;
	elf.hdr_length = hdr_of(hdr, UNWIND_ELF_CFI + ((c.n + 7) & ~(size_t)7), first, second);
	image = unwind_elf_image(&elf);
	CHECK(unwind_image_cfi(image) == UNWIND_CFI_THERE);
	CHECK(unwind_image_rule(image, TEXT, &r) && r.cfa_offset == 32);
	CHECK(unwind_image_rule(image, TEXT + 0x1ff, &r) && r.cfa_offset == 48);
	CHECK(!unwind_image_rule(image, TEXT + 0x200, &r));
	unwind_image_free(image);
	/* A table that lies is not used: the entries are looked through. */
	hdr[13] ^= 0x08;
	image = unwind_elf_image(&elf);
	CHECK(unwind_image_rule(image, TEXT, &r) && r.cfa_offset == 32);
	unwind_image_free(image);
	/* Nor is one of another version. */
	hdr[0] = 2;
	image = unwind_elf_image(&elf);
	CHECK(unwind_image_cfi(image) == UNWIND_CFI_DAMAGED);
	unwind_image_free(image);
}

UNIT(cfi_tells_whether_frame_pointers_are_kept)
{
	struct cfi c = {0};
	struct unwind_image *image;

	/* push %rbp and nothing more, over all of the code */
	cie_x86_64(&c, "zR");
	fde(&c, 0, 0x100, BYTES(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2));
	image = image_of(&c, UNWIND_X86_64, false);
	CHECK(!unwind_image_keeps_frame_pointer(image));
	unwind_image_free(image);
	/* and then mov %rsp, %rbp */
	c.n = c.cie = 0;
	cie_x86_64(&c, "zR");
	fde(&c, 0, 0x100,
	    BYTES(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2, DW_CFA_advance_loc | 4,
		  DW_CFA_def_cfa_register, 6));
	image = image_of(&c, UNWIND_X86_64, false);
	CHECK(unwind_image_keeps_frame_pointer(image));
	unwind_image_free(image);
}

/* Functions that save the frame pointer: the first sets it up, the others need its register. */
static bool first_of_keeps(uint32_t n)
{
	const uint32_t length = 0x1000 / n;
	struct cfi c = {0};
	struct unwind_image *image;
	uint32_t i;
	bool keeps;

	cie_x86_64(&c, "zR");
	fde(&c, 0, length,
	    BYTES(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2, DW_CFA_def_cfa_register, 6));
	for (i = 1; i < n; i++)
		fde(&c, i * length, length, BYTES(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2));
	image = image_of(&c, UNWIND_X86_64, false);
	keeps = unwind_image_keeps_frame_pointer(image);
	unwind_image_free(image);
	return keeps;
}

UNIT(functions_all_over_the_code_tell_whether_frame_pointers_are_kept)
{
	/* However many there are, it ends. */
	alarm(60);
	CHECK(first_of_keeps(1));
	CHECK(!first_of_keeps(3));
	/* Room for these is made at once: what is behind them is not theirs. */
	CHECK(!first_of_keeps(8));
	CHECK(!first_of_keeps(600));
}

UNIT_MAIN(UNIT_ENTRY(rules_are_those_of_their_addresses),
	  UNIT_ENTRY(signed_and_long_forms_say_the_same),
	  UNIT_ENTRY(the_size_of_arguments_changes_no_rule),
	  UNIT_ENTRY(an_expression_that_goes_on_is_no_rule),
	  UNIT_ENTRY(a_cie_of_another_kind_serves_no_function),
	  UNIT_ENTRY(what_looks_like_the_plt_is_no_rule),
	  UNIT_ENTRY(a_place_by_an_expression_is_that_of_the_register_of_the_cfa),
	  UNIT_ENTRY(debug_frame_serves_where_there_is_no_eh_frame),
	  UNIT_ENTRY(eh_frame_hdr_serves_without_section_headers),
	  UNIT_ENTRY(cfi_tells_whether_frame_pointers_are_kept),
	  UNIT_ENTRY(functions_all_over_the_code_tell_whether_frame_pointers_are_kept))
