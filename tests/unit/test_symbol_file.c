// SPDX-License-Identifier: BSD-2-Clause
/* Which file stands for a mapping, and what is said when none does. */
#include <fcntl.h>
#include <signal.h>
#include <zlib.h>

#include "base/held_files.h"
#include "symbol_story.h"

#define ID    "0123456789abcdef0123456789abcdef01234567"
#define OTHER "fedcba9876543210fedcba9876543210fedcba98"

/* A program with the symbol main, and what stripping leaves of it. */
static const char whole[] = "build-id " ID "\ntext 0x1000 0x1000\nsymbol main 0x1000 0x10\n";
static const char stripped[] = "build-id " ID "\ntext 0x1000 0x1000\n";
static const char debug[] =
	"build-id " ID "\ndebug-only\ntext 0x1000 0x1000\nsymbol main 0x1000 0x10\n";

static const char in_debug_dir[] =
	"debug/.build-id/01/23456789abcdef0123456789abcdef01234567.debug";

static bool says(const struct symbol_image *image, const char *text)
{
	if (strstr(symbol_image_problem(image), text))
		return true;
	printf("# \"%s\" does not say \"%s\"\n", symbol_image_problem(image), text);
	return false;
}

UNIT(a_file_that_is_missing_is_named)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	store = store_new();
	image = image_of(store, at("missing"), NULL);
	CHECK_U64(symbol_image_status(image), SYMBOL_NO_FILE);
	CHECK(says(image, at("missing")));
	CHECK(says(image, "No such file"));
	CHECK_STR(symbol_image_path(image), at("missing"));
	CHECK_STR(name_at(image, 0), "-");
	symbol_store_free(store);
}

UNIT(what_is_no_regular_file_is_not_waited_for)
{
	struct symbol_store *store;

	story_begin();
	run("mkfifo fifo && mkdir dir");
	alarm(10);
	store = store_new();
	CHECK(says(image_of(store, at("fifo"), NULL), "not a regular file"));
	CHECK(says(image_of(store, at("dir"), NULL), "not a regular file"));
	CHECK(says(image_of(store, "/dev/null", NULL), "not a regular file"));
	CHECK_U64(symbol_image_status(image_of(store, at("fifo"), NULL)), SYMBOL_NO_FILE);
	CHECK(says(image_of(store, "[heap]", NULL), "[heap]"));
	symbol_store_free(store);
}

UNIT(a_file_of_another_kind_is_a_bad_one)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_text("script", "#!/bin/sh\n");
	store = store_new();
	image = image_of(store, at("script"), NULL);
	CHECK_U64(symbol_image_status(image), SYMBOL_BAD_FILE);
	CHECK(says(image, "no ELF file"));
	symbol_store_free(store);
}

UNIT(the_same_file_is_opened_once)
{
	struct symbol_store *store;

	story_begin();
	write_elf("a", whole);
	store = store_new();
	CHECK(image_of(store, at("a"), ID) == image_of(store, at("a"), ID));
	CHECK(image_of(store, at("a"), ID) != image_of(store, at("a"), NULL));
	symbol_store_free(store);
}

UNIT(a_file_with_another_build_id_is_not_used)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", whole);
	write_elf("none", "text 0x1000 0x1000\nsymbol main 0x1000 0x10\n");
	store = store_new();
	image = image_of(store, at("a"), OTHER);
	CHECK_U64(symbol_image_status(image), SYMBOL_WRONG_BUILD_ID);
	CHECK(says(image, ID));
	CHECK(says(image, OTHER));
	CHECK_STR(name_at(image, 0x1000), "-");
	image = image_of(store, at("none"), ID);
	CHECK_U64(symbol_image_status(image), SYMBOL_WRONG_BUILD_ID);
	CHECK(says(image, "no build-id"));
	symbol_store_free(store);
}

UNIT(unless_the_debug_directory_has_the_right_one)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", "build-id " OTHER "\ntext 0x1000 0x1000\nsymbol wrong 0x1000 0x10\n");
	write_elf(in_debug_dir, debug);
	store = store_new();
	image = image_of(store, at("a"), ID);
	CHECK_U64(symbol_image_status(image), SYMBOL_OK);
	CHECK_STR(name_at(image, 0x1000), "main");
	/* Neither does it matter that the program is gone. */
	image = image_of(store, at("gone"), ID);
	CHECK_U64(symbol_image_status(image), SYMBOL_OK);
	CHECK_STR(name_at(image, 0x1000), "main");
	symbol_store_free(store);
}

UNIT(a_stripped_file_says_so)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", stripped);
	write_elf("b", "text 0x1000 0x1000\ndynsym exported 0x1000 0x10\n");
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK_U64(symbol_image_status(image), SYMBOL_STRIPPED);
	CHECK(says(image, "stripped"));
	CHECK_STR(name_at(image, 0x1000), "-");
	CHECK(says(image, "stripped"));
	image = image_of(store, at("b"), NULL);
	CHECK_U64(symbol_image_status(image), SYMBOL_DYNAMIC_ONLY);
	CHECK(says(image, "exports"));
	CHECK_STR(name_at(image, 0x1000), "exported");
	symbol_store_free(store);
}

UNIT(a_debug_file_is_found_by_build_id)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", stripped);
	write_elf(in_debug_dir, debug);
	store = store_new();
	image = image_of(store, at("a"), NULL);
	CHECK_STR(symbol_image_problem(image), "");
	CHECK_STR(name_at(image, 0x1000), "main");
	symbol_store_free(store);
}

/* Makes the program NAME whose debuglink names a.debug with the checksum of FROM. */
static void write_linked(const char *name, const char *from)
{
	char spec[256], bytes[16384];
	FILE *f = fopen(from, "r");
	size_t n = f ? fread(bytes, 1, sizeof(bytes), f) : 0;

	if (f)
		fclose(f);
	CHECK(n > 0 && n < sizeof(bytes));
	snprintf(spec, sizeof(spec),
		 "text 0x1000 0x1000\ndynsym exported 0x1100 8\ndebuglink a.debug %lx\n",
		 crc32(0, (const Bytef *)bytes, (uInt)n));
	write_elf(name, spec);
}

static const char linked_debug[] = "debug-only\ntext 0x1000 0x1000\nsymbol main 0x1000 0x10\n";

UNIT(or_by_debuglink_in_three_places)
{
	const char *const places[] = {"bin/a.debug", "bin/.debug/a.debug", NULL};
	size_t i;

	story_begin();
	for (i = 0; i < 3; i++) {
		char place[PATH_MAX];
		struct symbol_store *store;
		struct symbol_image *image;

		run("rm -rf bin debug");
		snprintf(place, sizeof(place), "debug%s/bin/a.debug", story_dir);
		write_elf(places[i] ? places[i] : place, linked_debug);
		write_linked("bin/a", places[i] ? places[i] : place);
		store = store_new();
		image = image_of(store, at("bin/a"), NULL);
		CHECK_STR(symbol_image_problem(image), "");
		CHECK_STR(name_at(image, 0x1000), "main");
		CHECK_STR(name_at(image, 0x1100), "exported");
		symbol_store_free(store);
	}
}

UNIT(a_debug_file_with_another_checksum_is_not_it)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("bin/a.debug", linked_debug);
	write_linked("bin/a", "bin/a.debug");
	run("printf x >>bin/a.debug");
	store = store_new();
	image = image_of(store, at("bin/a"), NULL);
	CHECK_U64(symbol_image_status(image), SYMBOL_DYNAMIC_ONLY);
	CHECK_STR(name_at(image, 0x1000), "-");
	symbol_store_free(store);
}

UNIT(a_debuglink_does_not_lead_out_of_its_directories)
{
	struct symbol_store *store;

	story_begin();
	write_elf("a.debug", linked_debug);
	write_linked("bin/a", "a.debug");
	run("sed -i 's|a.debug|../a.de|' bin/a");
	store = store_new();
	CHECK_U64(symbol_image_status(image_of(store, at("bin/a"), NULL)), SYMBOL_DYNAMIC_ONLY);
	symbol_store_free(store);
}

UNIT(a_deleted_file_is_used_only_if_the_new_one_is_the_same)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", whole);
	store = store_new();
	image = image_of(store, at("a (deleted)"), ID);
	CHECK_STR(symbol_image_problem(image), "");
	CHECK_STR(name_at(image, 0x1000), "main");
	CHECK_STR(symbol_image_path(image), at("a (deleted)"));
	image = image_of(store, at("a (deleted)"), OTHER);
	CHECK_U64(symbol_image_status(image), SYMBOL_WRONG_BUILD_ID);
	image = image_of(store, at("a (deleted)"), NULL);
	CHECK_U64(symbol_image_status(image), SYMBOL_NO_FILE);
	CHECK(says(image, "was deleted"));
	symbol_store_free(store);
}

UNIT(a_deleted_file_that_is_held_is_used)
{
	struct held_file file = {0};
	struct symbol_file source;
	struct symbol_store *store;
	struct symbol_image *image;
	int fd;

	story_begin();
	write_elf("a", whole);
	held_files_begin();
	fd = open("a", O_RDONLY | O_CLOEXEC);
	file.build_id_len = build_id_of_fd(fd, file.build_id);
	held_files_add(&file, fd);
	close(fd);
	run("rm a");
	store = store_new();
	image = image_of(store, at("a"), ID);
	CHECK_STR(symbol_image_problem(image), "");
	CHECK_STR(name_at(image, 0x1000), "main");
	CHECK(symbol_image_file(image, 0, &source));
	CHECK_STR(source.path, at("a"));
	fd = symbol_file_open(&source, NULL);
	CHECK(fd >= 0);
	close(fd);
	CHECK_U64(symbol_image_status(image_of(store, at("a"), OTHER)), SYMBOL_NO_FILE);
	/* Nor that of a file without one; and when it is given up, it is gone. */
	CHECK_U64(symbol_image_status(image_of(store, at("a"), NULL)), SYMBOL_NO_FILE);
	held_files_end();
	CHECK(symbol_file_open(&source, NULL) < 0);
	symbol_store_free(store);
}

UNIT(paths_are_below_fsroot)
{
	struct symbol_config config = {0};
	struct symbol_store *store;

	story_begin();
	write_elf("root/usr/bin/a", stripped);
	write_elf("root/usr/lib/debug/.build-id/01/23456789abcdef0123456789abcdef01234567.debug",
		  debug);
	config.fsroot = at("root//");
	store = symbol_store_new(&config, NULL);
	CHECK_STR(name_at(image_of(store, "/usr/bin/a", ID), 0x1000), "main");
	CHECK_STR(name_at(image_of(store, "usr/bin/a", ID), 0x1000), "main");
	CHECK_STR(symbol_image_path(image_of(store, "/usr/bin/a", ID)), "/usr/bin/a");
	symbol_store_free(store);
}

UNIT(a_file_cut_short_keeps_what_can_be_read)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", whole);
	store = store_new();
	/* Between the first look at it and the first look-up. */
	image = image_of(store, at("a"), NULL);
	run("truncate -s 4100 a");
	CHECK_STR(name_at(image, 0x1000), "-");
	CHECK_U64(symbol_image_status(image), SYMBOL_BAD_FILE);
	CHECK(says(image, at("a")));
	CHECK_U64(symbol_image_address(image, 0x10000, 0x1000, true, 0x1000, 0x10010), 0x1010);
	symbol_store_free(store);
}

UNIT(a_file_replaced_meanwhile_is_not_used)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("a", whole);
	store = store_new();
	image = image_of(store, at("a"), NULL);
	write_elf("a", "build-id " OTHER "\ntext 0x1000 0x1000\nsymbol wrong 0x1000 0x10\n");
	CHECK_STR(name_at(image, 0x1000), "-");
	CHECK(says(image, "replaced"));
	symbol_store_free(store);
}

/* The name that the unwind data gives an address; "-" for none. */
static const char *unnamed_at(struct symbol_image *image, uint64_t address, struct symbol *s)
{
	return symbol_find_unnamed(image, address, s) ? s->name : "-";
}

UNIT(unwind_data_tells_the_functions_that_no_symbol_does)
{
	static const char spec[] = "build-id " ID "\ntext 0x1000 0x1000\nfde 0x1000 0x80\n"
				   "fde 0x1080 0x10\nsymbol main 0x1000 0x10\n";
	struct symbol_store *store;
	struct symbol_image *image;
	struct symbol s;
	size_t before;

	story_begin();
	write_elf("dir/a", spec);
	store = store_new();
	image = image_of(store, at("dir/a"), ID);
	CHECK_STR(name_at(image, 0x1020), "-");
	before = symbol_store_size(store);
	CHECK_STR(unnamed_at(image, 0x1000, &s), "a+0x1000..");
	CHECK_STR(unnamed_at(image, 0x107f, &s), "a+0x1000..");
	CHECK_U64(s.start, 0x1000);
	CHECK_U64(s.end, 0x1080);
	CHECK_STR(unnamed_at(image, 0x1080, &s), "a+0x1080..");
	CHECK_STR(unnamed_at(image, 0x1090, &s), "-");
	CHECK_STR(unnamed_at(image, 0xfff, &s), "-");
	CHECK(symbol_store_size(store) > before + 2 * 24);
	/* The file is held open: what becomes of its name does not matter any more. */
	run("rm dir/a");
	symbol_image_keep(image);
	CHECK(!symbol_store_forget(store));
	CHECK_STR(unnamed_at(image, 0x1004, &s), "a+0x1000..");
	symbol_store_free(store);
}

UNIT(unwind_data_of_another_file_is_not_used)
{
	static const char spec[] = "text 0x1000 0x1000\nfde 0x1000 0x80\n";
	struct symbol_store *store;
	struct symbol_image *image;
	struct symbol s;
	char text[256];

	story_begin();
	store = store_new();
	snprintf(text, sizeof(text), "build-id " OTHER "\n%s", spec);
	write_elf("a", text);
	CHECK_STR(unnamed_at(image_of(store, at("a"), ID), 0x1000, &s), "-");
	/* Nor one that took its place. */
	image = image_of(store, at("a"), OTHER);
	snprintf(text, sizeof(text), "build-id " ID "\n%s", spec);
	write_elf("a", text);
	CHECK_STR(unnamed_at(image, 0x1000, &s), "-");
	/* Nor that of a debug file, whose sections are elsewhere. */
	snprintf(text, sizeof(text), "build-id " ID "\ndebug-only\n%s", spec);
	write_elf(in_debug_dir, text);
	CHECK_STR(unnamed_at(image_of(store, at("none"), ID), 0x1000, &s), "-");
	CHECK_STR(unnamed_at(image_of(store, at("none"), NULL), 0x1000, &s), "-");
	symbol_store_free(store);
}

UNIT_MAIN(UNIT_ENTRY(a_file_that_is_missing_is_named),
	  UNIT_ENTRY(what_is_no_regular_file_is_not_waited_for),
	  UNIT_ENTRY(a_file_of_another_kind_is_a_bad_one), UNIT_ENTRY(the_same_file_is_opened_once),
	  UNIT_ENTRY(a_file_with_another_build_id_is_not_used),
	  UNIT_ENTRY(unless_the_debug_directory_has_the_right_one),
	  UNIT_ENTRY(a_stripped_file_says_so), UNIT_ENTRY(a_debug_file_is_found_by_build_id),
	  UNIT_ENTRY(or_by_debuglink_in_three_places),
	  UNIT_ENTRY(a_debug_file_with_another_checksum_is_not_it),
	  UNIT_ENTRY(a_debuglink_does_not_lead_out_of_its_directories),
	  UNIT_ENTRY(a_deleted_file_is_used_only_if_the_new_one_is_the_same),
	  UNIT_ENTRY(a_deleted_file_that_is_held_is_used),
	  UNIT_ENTRY(paths_are_below_fsroot), UNIT_ENTRY(a_file_cut_short_keeps_what_can_be_read),
	  UNIT_ENTRY(a_file_replaced_meanwhile_is_not_used),
	  UNIT_ENTRY(unwind_data_tells_the_functions_that_no_symbol_does),
	  UNIT_ENTRY(unwind_data_of_another_file_is_not_used))
