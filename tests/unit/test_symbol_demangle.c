// SPDX-License-Identifier: BSD-2-Clause
/* C++ and Rust names, as compilers write them and as users read them. */
#include "symbol_story.h"

struct pair {
	const char *mangled, *shown;
};

#ifdef HAVE_LIBIBERTY
static const struct pair pairs[] = {
	{"main", "main"},
	{"_Z3fooi", "foo(int)"},
	{"_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size() const"},
	{"_Z3foov.cold", "foo() [clone .cold]"},
	{"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"},
	{"_ZN4core3ptr13drop_in_place17h0123456789abcdefE.llvm.123", "core::ptr::drop_in_place"},
	{"_RNvC7mycrate3foo", "mycrate::foo"},
	{"_RINvNtC4core3ptr13drop_in_placelEC7mycrate", "core::ptr::drop_in_place::<i32>"},
	{"_Zyyyy", "_Zyyyy"},
	{"_Z", "_Z"},
	{"_R", "_R"},
	{"_Read_line", "_Read_line"},
};
#else
static const struct pair pairs[] = {{"main", "main"}, {"_Z3fooi", "_Z3fooi"}};
#endif

enum { COUNT = sizeof(pairs) / sizeof(pairs[0]) };

static struct symbol_store *open_pairs(bool no_demangle, struct symbol_image **image)
{
	struct symbol_config config = {.no_demangle = no_demangle};
	struct symbol_store *store = symbol_store_new(&config, NULL);
	FILE *spec = fopen("pairs", "w");
	int i;

	fprintf(spec, "text 0x1000 0x1000\n");
	for (i = 0; i < COUNT; i++)
		fprintf(spec, "symbol %s 0x%x 16\n", pairs[i].mangled, 0x1000 + 16 * i);
	fclose(spec);
	run("\"%s\"/tests/tools/mkelf a <pairs", getenv("builddir") ? getenv("builddir") : ".");
	*image = image_of(store, at("a"), NULL);
	return store;
}

UNIT(names_are_as_in_the_source)
{
	struct symbol_image *image;
	struct symbol_store *store;
	int i;

	story_begin();
	store = open_pairs(false, &image);
	for (i = 0; i < COUNT; i++)
		CHECK_STR(name_at(image, (uint64_t)0x1000 + 16 * i), pairs[i].shown);
	/* Once for all: the second look-up gives the same text. */
	CHECK(name_at(image, 0x1010) == name_at(image, 0x1011));
	symbol_store_free(store);
}

UNIT(or_as_in_the_object_if_one_wants)
{
	struct symbol_image *image;
	struct symbol_store *store;
	int i;

	story_begin();
	store = open_pairs(true, &image);
	for (i = 0; i < COUNT; i++)
		CHECK_STR(name_at(image, (uint64_t)0x1000 + 16 * i), pairs[i].mangled);
	symbol_store_free(store);
}

/* f(A, P<A, A>, P<P<A, A>, P<A, A> >, ...): every type is twice as long as the one before. */
UNIT(a_name_whose_text_has_no_end_stays_mangled)
{
	static const char digit[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[512] = "_Z1f1A1PIS_S_E", spec[1024];
	struct symbol_store *store;
	struct symbol_image *image;
	size_t n = strlen(name);
	int i;

	story_begin();
	for (i = 1; i < 35; i++)
		n += (size_t)snprintf(name + n, sizeof(name) - n, "S0_IS%c_S%c_E", digit[i],
				      digit[i]);
	snprintf(spec, sizeof(spec),
		 "text 0x1000 0x1000\nsymbol %s 0x1000 16\nsymbol %.36s 0x1010 16\n", name, name);
	write_elf("a", spec);
	store = store_new();
	image = image_of(store, at("a"), NULL);
	alarm(20);
	CHECK_STR(name_at(image, 0x1000), name);
#ifdef HAVE_LIBIBERTY
	CHECK_STR(name_at(image, 0x1010), "f(A, P<A, A>, P<P<A, A>, P<A, A> >, "
					  "P<P<P<A, A>, P<A, A> >, P<P<A, A>, P<A, A> > >)");
#endif
	symbol_store_free(store);
}

UNIT(a_very_long_name_is_cut)
{
	struct symbol_store *store;
	struct symbol_image *image;
	char *spec = malloc(1 << 20);
	size_t n;

	story_begin();
	n = (size_t)sprintf(spec, "text 0x1000 0x1000\nsymbol ");
	memset(spec + n, 'a', 100000);
	strcpy(spec + n + 100000, " 0x1000 16\n");
	write_elf("a", spec);
	free(spec);
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK_U64(strlen(name_at(image, 0x1000)), 16383);
	symbol_store_free(store);
}

UNIT_MAIN(UNIT_ENTRY(names_are_as_in_the_source), UNIT_ENTRY(or_as_in_the_object_if_one_wants),
	  UNIT_ENTRY(a_name_whose_text_has_no_end_stays_mangled),
	  UNIT_ENTRY(a_very_long_name_is_cut))
