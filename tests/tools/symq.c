// SPDX-License-Identifier: BSD-2-Clause
/*
 * Asks src/symbol about a file:
 *	symq [-i] [-l | -x] [-d DEBUGDIR] [-m START,LENGTH,OFFSET] FILE [ADDRESS...]
 *
 * Prints the status, then for each address, in hex, its function, start and end.  The addresses are
 * link-time ones; with -m those of a process that has the file mapped so, where an OFFSET of - is
 * not known.  With -n it reads the output of nm -S instead and prints every function whose first,
 * middle or last byte does not have one of the names that nm has for it, then how many were right.
 * With -l it prints the source places of the addresses, which may come on standard input too, in
 * the form of addr2line -a -i -f -C; with -x the 16 bytes of code at each.  -i allows debuginfod.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "symbol/symbol.h"

struct line {
	uint64_t start, size;
	char name[1024];
};

typedef VEC(struct line) lines_vec;

static int by_start(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	return (a->start > b->start) - (a->start < b->start);
}

static void read_nm(lines_vec *lines)
{
	char text[4096], type;
	struct line l;

	while (fgets(text, sizeof(text), stdin)) {
		char *at;

		if (sscanf(text, "%" SCNx64 " %" SCNx64 " %c %1023s", &l.start, &l.size, &type,
			   l.name) != 4 ||
		    !strchr("tTwWi", type) || !l.size)
			continue;
		at = strchr(l.name, '@');
		if (at)
			*at = '\0';
		if (vec_push(lines, l))
			errx(1, "out of memory");
	}
	if (lines->n)
		qsort(lines->v, lines->n, sizeof(*lines->v), by_start);
}

/* Whether one of the symbols at the start of lines->v[i] is called so. */
static int is_name_of(const lines_vec *lines, size_t i, const char *name)
{
	uint64_t start = lines->v[i].start;
	size_t n = strcspn(name, "@");

	while (i > 0 && lines->v[i - 1].start == start)
		i--;
	for (; i < lines->n && lines->v[i].start == start; i++)
		if (!strncmp(lines->v[i].name, name, n) && !lines->v[i].name[n])
			return 1;
	return 0;
}

/* The last line that begins nearest before an address and covers it, as a plain search finds it. */
static size_t innermost(const lines_vec *lines, size_t i, uint64_t address)
{
	size_t k, best = i;

	for (k = i; k < lines->n && lines->v[k].start <= address; k++)
		if (address - lines->v[k].start < lines->v[k].size)
			best = k;
	return best;
}

static int verify(struct symbol_image *image)
{
	lines_vec lines = {0};
	size_t i, wrong = 0;
	int k;

	read_nm(&lines);
	for (i = 0; i < lines.n; i++) {
		const struct line *l = &lines.v[i];
		const uint64_t at[] = {l->start, l->start + l->size / 2, l->start + l->size - 1};

		for (k = 0; k < 3; k++) {
			struct symbol s = {.name = "-"};
			int found = symbol_find(image, at[k], &s);

			if (found && is_name_of(&lines, innermost(&lines, i, at[k]), s.name))
				continue;
			printf("0x%" PRIx64 " of %s is in %s\n", at[k], l->name, s.name);
			wrong++;
			break;
		}
	}
	printf("%zu of %zu functions right\n", lines.n - wrong, lines.n);
	vec_free(&lines);
	return wrong != 0;
}

struct mapping {
	bool given, has_offset;
	uint64_t start, length, offset;
};

static void set_mapping(struct mapping *m, const char *text)
{
	int n = sscanf(text, "%" SCNx64 ",%" SCNx64 ",%" SCNx64, &m->start, &m->length, &m->offset);

	if (n < 2)
		errx(64, "what mapping is \"%s\"?", text);
	m->given = true;
	m->has_offset = n == 3;
}

static void look_up(struct symbol_image *image, const struct mapping *m, const char *text)
{
	uint64_t address = strtoull(text, NULL, 16);
	struct symbol s;

	if (m->given)
		address = symbol_image_address(image, m->start, m->length, m->has_offset, m->offset,
					       address);
	if (symbol_find(image, address, &s))
		printf("%s %s 0x%" PRIx64 " 0x%" PRIx64 "\n", text, s.name, s.start, s.end);
	else
		printf("%s -\n", text);
}

static void print_frames(struct symbol_image *image, uint64_t address)
{
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	uint32_t n = symbol_frames(image, address, frames), i;
	struct symbol s = {.name = "??"};

	printf("0x%016" PRIx64 "\n", address);
	if (!n || !frames[n - 1].function)
		symbol_find(image, address, &s);
	for (i = 0; i < n; i++)
		printf("%s\n%s:%" PRIu32 "\n",
		       frames[i].function ? frames[i].function
		       : i + 1 == n	  ? s.name
					  : "??",
		       frames[i].file ? frames[i].file : "??", frames[i].line);
	if (!n)
		printf("%s\n??:0\n", s.name);
}

static void print_code(struct symbol_image *image, uint64_t address)
{
	uint8_t code[16];
	size_t n = symbol_image_code(image, address, code, sizeof(code)), i;

	for (i = 0; i < n; i++)
		printf(" %02x", code[i]);
	printf("\n");
}

static void print_lines(struct symbol_image *image, char *addresses[])
{
	char text[64];

	for (; *addresses; addresses++)
		print_frames(image, strtoull(*addresses, NULL, 16));
	while (!isatty(0) && fgets(text, sizeof(text), stdin))
		print_frames(image, strtoull(text, NULL, 16));
	if (*symbol_image_lines_problem(image))
		fprintf(stderr, "%s\n", symbol_image_lines_problem(image));
}

int main(int argc, char *argv[])
{
	static const char *const names[] = {"ok",      "dynamic-only", "stripped",
					    "no-file", "bad-file",     "wrong-build-id"};
	struct symbol_config config = {0};
	struct symbol_ref ref = {0};
	struct mapping mapping = {0};
	struct symbol_store *store;
	struct symbol_image *image;
	int c, nm = 0, places = 0, code = 0, ret = 0;

	while ((c = getopt(argc, argv, "d:ilm:nx")) != -1) {
		if (c == 'd')
			config.debug_dir = optarg;
		else if (c == 'i')
			config.debuginfod = true;
		else if (c == 'l')
			places = 1;
		else if (c == 'x')
			code = 1;
		else if (c == 'm')
			set_mapping(&mapping, optarg);
		else if (c == 'n')
			nm = 1;
		else
			return 64;
	}
	if (optind == argc)
		errx(64, "which file?");
	ref.path = argv[optind++];
	config.no_demangle = nm;
	store = symbol_store_new(&config, NULL);
	image = store ? symbol_image_get(store, &ref) : NULL;
	if (!image)
		errx(1, "out of memory");
	if (nm) {
		ret = verify(image);
	} else if (places) {
		print_lines(image, argv + optind);
	} else if (code) {
		for (; optind < argc; optind++)
			print_code(image, strtoull(argv[optind], NULL, 16));
	} else {
		printf("%s\n", names[symbol_image_status(image)]);
		for (; optind < argc; optind++)
			look_up(image, &mapping, argv[optind]);
	}
	symbol_store_free(store);
	return ret;
}
