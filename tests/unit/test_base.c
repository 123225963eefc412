// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "base/build_id.h"
#include "base/edit.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/numbers.h"
#include "base/short_name.h"
#include "base/sink.h"
#include "base/strpool.h"
#include "base/tar.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "unit.h"

UNIT(an_error_is_wrapped_from_the_inside_out)
{
	struct err err = {0};

	CHECK(err_set(&err, EX_DATAERR, "length %d is below %d", 3, 16) == -1);
	CHECK(err_wrap(&err, "record %d", 7) == -1);
	CHECK(err_wrap(&err, "out.log") == -1);
	CHECK(err_hint(&err, "cut it off with %s", "pmclog") == -1);
	CHECK_STR(err.msg, "out.log: record 7: length 3 is below 16");
	CHECK_STR(err.hint, "cut it off with pmclog");
	CHECK_U64(err.code, EX_DATAERR);
	CHECK(err_set(NULL, EX_USAGE, "nobody listens") == -1);
}

/* Every error has both: what libraries give to their callers, and what programs end with. */
UNIT(errors_have_an_errno_value_and_a_kind)
{
	struct err err = {0};

	CHECK(err_fail(&err, ENOSYS, "no %s", "RDPMC") == -1);
	CHECK_STR(err.msg, "no RDPMC");
	CHECK_U64(err.code, EX_UNAVAILABLE);
	CHECK_U64(err.error, ENOSYS);
	err_fail(&err, EMFILE, "too many");
	CHECK_U64(err.code, EX_OSERR);
	CHECK_U64(err.error, EMFILE);
	err_set(&err, EX_NOUSER, "no process");
	CHECK_U64(err.error, ESRCH);
	err_set(&err, EX_OSFILE, "no list of CPUs");
	CHECK_U64(err.error, EIO);
	err_errno(&err, ENXIO);
	CHECK_U64(err.code, EX_OSFILE);
	CHECK_U64(err.error, ENXIO);
	CHECK(err_unwritten(&err, "out.log", ENOSPC) == -1);
	CHECK_STR(err.msg, "out.log: No space left on device");
	CHECK_U64(err.code, EX_IOERR);
	CHECK_U64(err.error, ENOSPC);
	CHECK_STR(err.hint, "make room for more");
	CHECK(err_nomem(&err) == -1 && err.error == ENOMEM && err.code == EX_OSERR);
	CHECK(err_fail(NULL, EPERM, "nobody listens") == -1);
}

UNIT(an_error_longer_than_its_buffer_is_cut)
{
	char text[3000];
	struct err err = {0};

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	err_set(&err, EX_USAGE, "%s", text);
	err_wrap(&err, "%s", text);
	CHECK_U64(strlen(err.msg), sizeof(err.msg) - 1);
}

UNIT(a_vector_inserts_and_removes_in_place)
{
	VEC(int) v = {0};
	int i;

	for (i = 0; i < 100; i++)
		CHECK(!vec_push(&v, i));
	CHECK(!vec_insert(&v, 0, -1));
	CHECK(!vec_insert(&v, v.n, 100));
	CHECK(!vec_insert(&v, 51, 1000));
	CHECK_U64(v.n, 103);
	CHECK(v.v[0] == -1 && v.v[50] == 49 && v.v[51] == 1000 && v.v[52] == 50 && v.v[102] == 100);
	vec_remove(&v, 1, 101);
	CHECK(v.n == 2 && v.v[0] == -1 && v.v[1] == 100);
	vec_free(&v);
	CHECK(!v.v && !v.n && !v.cap);
}

UNIT(a_vector_refuses_a_size_that_cannot_be)
{
	VEC(uint64_t) v = {0};

	CHECK(vec_reserve(&v, (size_t)-1 / 8) == -1);
	CHECK(!v.v);
}

UNIT(a_table_finds_every_index_of_a_hash)
{
	struct table t = {0};
	struct table_iter it;
	uint32_t i, n = 0;

	CHECK(table_first(&t, 1, &it) == TABLE_NONE);
	for (i = 0; i < 10000; i++)
		CHECK(!table_insert(&t, hash_u64(i / 2), i));
	for (i = table_first(&t, hash_u64(77), &it); i != TABLE_NONE; i = table_next(&t, &it))
		n += i == 154 || i == 155 ? 1 : 1000;
	CHECK_U64(n, 2);
	CHECK(table_first(&t, hash_u64(5000), &it) == TABLE_NONE);
	table_clear(&t);
	CHECK(table_first(&t, hash_u64(77), &it) == TABLE_NONE);
}

static uint32_t crowded(uint32_t i)
{
	return i / 3 * 5 - 200;
}

static bool finds(const struct table *t, uint32_t i)
{
	struct table_iter it;
	uint32_t found = table_first(t, crowded(i), &it);

	while (found != TABLE_NONE && found != i)
		found = table_next(t, &it);
	return found == i;
}

/* Neighbours, three with the same hash, over the end of the slots: each is in the way of others. */
UNIT(a_table_from_which_much_is_removed_finds_the_rest)
{
	enum { INDICES = 1000 };
	static bool there[INDICES];
	struct table t = {0};
	uint32_t seed = 1, i, step, n = 0;

	for (step = 0; step < 20000; step++) {
		seed = seed * 1664525 + 1013904223;
		i = (seed >> 8) % INDICES;
		CHECK(there[i] == finds(&t, i));
		if (there[i])
			table_remove(&t, crowded(i), i);
		else
			CHECK(!table_insert(&t, crowded(i), i));
		there[i] = !there[i];
	}
	for (i = 0; i < INDICES; i++) {
		n += there[i];
		CHECK(there[i] == finds(&t, i));
	}
	CHECK_U64(t.used, n);
	table_clear(&t);
}

/* They are in logs and pictures. */
UNIT(what_is_written_by_a_hash_stays)
{
	CHECK_U64(hash_fixed_u64(0x123456789abcdef0), 0xa3bdabf4);
	CHECK_U64(hash_fixed_bytes("/usr/bin/app", 12), 0x56e75ca8);
}

/* As these do without a secret: the texts end in the word that makes a product zero. */
UNIT(nobody_can_have_hashes_collide)
{
	static const uint64_t zero = 0xd1b54a32d192ed03;
	uint32_t i, ofu64 = 0, ofbytes = 0, ofpair = 0;
	uint64_t v, words[2] = {0, zero};
	const uint32_t same = hash_fixed_bytes(words, sizeof(words));

	for (i = 0, v = 0; i < 64; v++) {
		if (hash_fixed_u64(v) & 0xfff)
			continue;
		words[0] = i++;
		CHECK_U64(hash_fixed_bytes(words, sizeof(words)), same);
		ofu64 += !(hash_u64(v) & 0xfff);
		ofbytes += !(hash_bytes(words, sizeof(words)) & 0xfff);
		ofpair += !(hash_pair(i, zero) & 0xfff);
	}
	CHECK(ofu64 < 8);
	CHECK(ofbytes < 8);
	CHECK(ofpair < 8);
}

UNIT(hashes_differ_for_every_single_changed_bit)
{
	const uint64_t secret = hash_secret();
	uint64_t words[5] = {0};
	uint32_t plain = hash_words(words, 5, 0, secret);
	int bit;

	for (bit = 0; bit < 5 * 64; bit++) {
		words[bit / 64] ^= UINT64_C(1) << (bit % 64);
		CHECK(hash_words(words, 5, 0, secret) != plain);
		words[bit / 64] = 0;
	}
	CHECK(hash_words(words, 4, 0, secret) != plain);
	CHECK(hash_words(words, 5, 1, secret) != plain);
}

/* Chains of which each differs from the next in words whose sums, or highest bits, are the same. */
UNIT(who_chooses_what_is_hashed_cannot_have_it_collide)
{
	const uint64_t factor = 0x9e3779b97f4a7c15u, secret = hash_secret();
	uint32_t i, first = 0, sums = 0, bits = 0;

	CHECK_U64(hash_secret(), secret);
	for (i = 0; i < 1000; i++) {
		uint64_t sum[5] = {i, 1, 2, 3, -i * factor};
		uint64_t bit[8] = {(uint64_t)(i & 1) << 63, 0, 0, 0, (uint64_t)(i & 1) << 63};

		first = i ? first : hash_words(sum, 5, 0, secret);
		sums += hash_words(sum, 5, 0, secret) == first;
		bits += hash_words(bit, 8, 0, secret) == hash_words((uint64_t[8]){0}, 8, 0, secret);
	}
	CHECK(sums < 3);
	CHECK_U64(bits, 500);
	/* Another process has other hashes. */
	CHECK(hash_words(&factor, 1, 0, secret) != hash_words(&factor, 1, 0, secret + 2));
}

/* The same with and without numbers of 128 bits. */
UNIT(a_hash_is_made_of_a_whole_product)
{
	CHECK_U64(hash_product(0xffffffffffffffff, 0xffffffffffffffff), 0xffffffffffffffff);
	CHECK_U64(hash_product(0xffffffffffffffff, 0x100000000), 0xffffffffffffffff);
	CHECK_U64(hash_product(0x123456789abcdef0, 0xfedcba9876543210), 0x317228f48165bb22);
	CHECK_U64(hash_product(0xffffffff, 0xffffffff), 0xfffffffe00000001);
	CHECK_U64(hash_product(0xffffffff00000001, 0x80000000ffffffff), 0x180000001);
}

UNIT(the_same_text_has_one_id_and_one_address)
{
	struct strpool *pool = strpool_new();
	char text[64];
	uint32_t i, first = strpool_id(pool, "main", 4);
	const char *address = strpool_text(pool, first);

	for (i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "function_%u", i);
		CHECK_U64(strpool_id(pool, text, strlen(text)), i + 1);
	}
	CHECK_U64(strpool_id(pool, "mainly", 4), first);
	CHECK(strpool_intern(pool, "main") == address);
	CHECK(strpool_id(pool, "mai", 3) != first);
	CHECK_STR(strpool_text(pool, 20000), "function_19999");
	strpool_free(pool);
}

/* The number in a field of a header. */
static uint64_t octal(const char *field, size_t len)
{
	char digits[13] = "";

	memcpy(digits, field, len);
	return strtoull(digits, NULL, 8);
}

UNIT(a_tar_says_in_a_pax_header_what_a_header_has_no_room_for)
{
	char name[102];
	struct tar_member m = {.name = name, .size = UINT64_C(1) << 33, .time = -5};
	struct sink *s = sink_to_memory();
	const char *text;
	size_t len, i;
	uint64_t sum = 0;

	CHECK(s);
	memset(name, 'n', 101);
	name[101] = '\0';
	tar_begin(s, &m);
	text = sink_text(s, &len);
	CHECK_U64(len, 3 * 512);
	CHECK(text[156] == 'x' && !memcmp(text + 257, "ustar\00000", 8));
	CHECK_U64(octal(text + 124, 12), 111 + 19);
	CHECK(!strncmp(text + 512, "111 path=nnn", 12) && text[512 + 110] == '\n');
	CHECK(!strncmp(text + 512 + 111, "19 size=8589934592\n", 19) && !text[512 + 130]);
	text += 1024;
	CHECK(text[156] == '0' && text[0] == 'n' && text[99] == 'n');
	CHECK_U64(octal(text + 124, 12), 0);
	CHECK_U64(octal(text + 136, 12), 0);
	CHECK_U64(octal(text + 100, 8), 0644);
	for (i = 0; i < 512; i++)
		sum += i >= 148 && i < 156 ? ' ' : (unsigned char)text[i];
	CHECK_U64(octal(text + 148, 7), sum);
	sink_free(s);
}

UNIT(a_tar_of_what_has_room_is_headers_and_whole_blocks)
{
	struct tar_member m = {
		.name = "a/b", .size = (UINT64_C(1) << 33) - 1, .time = 1, .executable = true};
	struct tar_member dir = {.name = "a/"};
	struct sink *s = sink_to_memory();
	const char *text;
	size_t len;

	CHECK(s);
	tar_begin(s, &m);
	text = sink_text(s, &len);
	CHECK_U64(len, 512);
	CHECK_U64(octal(text + 124, 12), m.size);
	CHECK_U64(octal(text + 136, 12), 1);
	CHECK_U64(octal(text + 100, 8), 0755);
	tar_end(s, 512);
	tar_end(s, 0);
	sink_text(s, &len);
	CHECK_U64(len, 512);
	sink_char(s, 'x');
	tar_end(s, 1);
	tar_begin(s, &dir);
	text = sink_text(s, &len);
	CHECK_U64(len, 3 * 512);
	CHECK(text[1024 + 156] == '5');
	CHECK_U64(octal(text + 1024 + 100, 8), 0755);
	tar_close(s);
	sink_text(s, &len);
	CHECK_U64(len, 5 * 512);
	sink_free(s);
}

UNIT(a_sink_formats_numbers_and_grows)
{
	struct sink *s = sink_to_memory();
	size_t len, i;

	sink_u64(s, 0);
	sink_char(s, ' ');
	sink_u64(s, UINT64_MAX);
	sink_char(s, ' ');
	sink_hex(s, 0);
	sink_char(s, ' ');
	sink_hex(s, UINT64_MAX);
	sink_printf(s, " %s", "end");
	CHECK_STR(sink_text(s, &len), "0 18446744073709551615 0x0 0xffffffffffffffff end");
	for (i = 0; i < 100000; i++)
		sink_fill(s, 'y', 3);
	sink_text(s, &len);
	CHECK_U64(len, 49 + 300000);
	sink_free(s);
}

UNIT(a_sink_remembers_its_first_failure)
{
	int fd = open("/dev/full", O_WRONLY);
	struct sink *s = sink_to_fd(fd);

	sink_str(s, "lost");
	CHECK_U64(sink_flush(s), ENOSPC);
	sink_str(s, "more");
	CHECK_U64(sink_flush(s), ENOSPC);
	sink_free(s);
	close(fd);
}

/* A 64-bit ELF file with one note segment, in memory. */
static int elf_with_note(uint32_t descsz)
{
	struct {
		Elf64_Ehdr eh;
		Elf64_Phdr ph;
		Elf64_Nhdr nh;
		char name[4];
		uint8_t desc[64];
	} f = {.eh.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
	       .eh.e_phoff = sizeof(Elf64_Ehdr),
	       .eh.e_phentsize = sizeof(Elf64_Phdr),
	       .eh.e_phnum = 1,
	       .ph = {.p_type = PT_NOTE, .p_offset = offsetof(__typeof__(f), nh), .p_filesz = 80},
	       .nh = {4, descsz, NT_GNU_BUILD_ID},
	       .name = "GNU",
	       .desc = {0xab, 0xcd, 0xef}};
	int fd = memfd_create("elf", 0);

	CHECK(write(fd, &f, sizeof(f)) == sizeof(f));
	return fd;
}

/* Reads all there is, beginning when the pipe is full; returns its sum, or -1 where it is short. */
static int64_t read_slowly(int fd, size_t want)
{
	char text[4096];
	int64_t sum = 0;
	ssize_t n, i;
	int full = 0;

	while (full < 4096 && want > 4096)
		CHECK(!ioctl(fd, FIONREAD, &full));
	while ((n = read(fd, text, sizeof(text))) > 0)
		for (i = 0; i < n; i++, want--)
			sum += (int64_t)want * (unsigned char)text[i];
	return want ? -1 : sum;
}

UNIT(a_sink_waits_for_a_reader_where_its_descriptor_does_not_block)
{
	enum { LINES = 100000, SIZE = LINES * 7 };
	struct sink *pipe_sink, *whole = sink_to_memory();
	int64_t sum = 0;
	int fd[2], i, status;
	const char *text;
	pid_t reader;

	for (i = 0; i < LINES; i++)
		sink_printf(whole, "%06d\n", i);
	text = sink_text(whole, NULL);
	for (i = 0; i < SIZE; i++)
		sum += (int64_t)(SIZE - i) * (unsigned char)text[i];
	CHECK(!pipe2(fd, O_NONBLOCK) && fcntl(fd[1], F_SETPIPE_SZ, 4096) > 0);
	reader = fork();
	if (!reader) {
		close(fd[1]);
		fcntl(fd[0], F_SETFL, 0);
		_exit(read_slowly(fd[0], SIZE) != sum);
	}
	close(fd[0]);
	pipe_sink = sink_to_fd(fd[1]);
	for (i = 0; i < LINES; i++)
		sink_printf(pipe_sink, "%06d\n", i);
	CHECK_U64(sink_flush(pipe_sink), 0);
	close(fd[1]);
	CHECK(waitpid(reader, &status, 0) == reader && !status);
	sink_free(pipe_sink);
	sink_free(whole);
}

UNIT(a_sink_stops_where_the_reader_of_its_descriptor_has_gone)
{
	struct sink *sink;
	int fd[2], i;

	signal(SIGPIPE, SIG_IGN);
	CHECK(!pipe2(fd, O_NONBLOCK));
	sink = sink_to_fd(fd[1]);
	close(fd[0]);
	for (i = 0; i < 100000; i++)
		sink_str(sink, "nobody reads this\n");
	CHECK_U64(sink_flush(sink), EPIPE);
	close(fd[1]);
	sink_free(sink);
}

UNIT(a_build_id_is_read_from_the_notes)
{
	uint8_t id[BUILD_ID_MAX];
	char text[2 * BUILD_ID_MAX + 1];
	int fd = elf_with_note(3);

	CHECK_U64(build_id_of_fd(fd, id), 3);
	CHECK_STR(build_id_text(id, 3, text), "abcdef");
	close(fd);
}

UNIT(a_build_id_that_does_not_fit_is_none)
{
	static const uint32_t sizes[] = {0, 33, 1000, 0xfffffffe, 0xffffffff};
	uint8_t id[BUILD_ID_MAX];
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		int fd = elf_with_note(sizes[i]);

		CHECK_U64(build_id_of_fd(fd, id), 0);
		close(fd);
	}
	CHECK_U64(build_id_of_file("/dev/null", id), 0);
	CHECK_U64(build_id_of_file("/no/such/file", id), 0);
}

UNIT(every_character_is_read_and_nothing_else)
{
	static const char *const none[] = {"",
					   "\x80",
					   "\xc1\xbf",
					   "\xe0\x9f\xbf",
					   "\xed\xa0\x80",
					   "\xed\xbf\xbf",
					   "\xf0\x8f\xbf\xbf",
					   "\xf4\x90\x80\x80",
					   "\xf8\x88\x80\x80\x80",
					   "\xff",
					   "\xc3",
					   "\xe2\x82",
					   "\xf0\x9f\x98",
					   "\xc3(",
					   "\xe2(\xa1"};
	uint32_t c, point;
	size_t i;

	for (c = 1; c < 0x110000; c++) {
		char text[5] = "";

		if (c < 0x80)
			snprintf(text, sizeof(text), "%c", (int)c);
		else if (c < 0x800)
			snprintf(text, sizeof(text), "%c%c", (int)(0xc0 | c >> 6),
				 (int)(0x80 | (c & 0x3f)));
		else if (c < 0x10000)
			snprintf(text, sizeof(text), "%c%c%c", (int)(0xe0 | c >> 12),
				 (int)(0x80 | (c >> 6 & 0x3f)), (int)(0x80 | (c & 0x3f)));
		else
			snprintf(text, sizeof(text), "%c%c%c%c", (int)(0xf0 | c >> 18),
				 (int)(0x80 | (c >> 12 & 0x3f)), (int)(0x80 | (c >> 6 & 0x3f)),
				 (int)(0x80 | (c & 0x3f)));
		if (utf8_char(text, &point) != (c >= 0xd800 && c < 0xe000 ? 0 : strlen(text)) ||
		    point != c)
			break;
	}
	CHECK_U64(c, 0x110000);
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		CHECK_U64(utf8_char(none[i], &point), 0);
}

static char as_it_is(char c)
{
	return c;
}

static char any_blank(char c)
{
	return c == '_' ? ' ' : c;
}

UNIT(a_distance_counts_letters_changed_added_and_taken)
{
	static const struct {
		const char *text, *name;
		unsigned int want;
	} pairs[] = {{"cycles", "cycles", 0},  {"cycels", "cycles", 2}, {"cycle", "cycles", 1},
		     {"cyclles", "cycles", 1}, {"", "abc", 3},		{"abc", "", 3},
		     {"kitten", "sitting", 3}, {"a_b", "a b", 1}};
	unsigned int row[16];
	size_t i, m;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		m = strlen(pairs[i].name);
		edit_distances(pairs[i].text, strlen(pairs[i].text), pairs[i].name, m, as_it_is,
			       row);
		CHECK_U64(row[m], pairs[i].want);
	}
	edit_distances("a_b", 3, "a bcd", 5, any_blank, row);
	CHECK_U64(row[3], 0);
	CHECK_U64(row[5], 2);
}

UNIT(a_hexadecimal_number_is_taken_up_to_what_is_none)
{
	uint64_t n;

	CHECK(numbers_take_hex("ffffffff81000000 T _text", &n) == 16 && n == 0xffffffff81000000);
	CHECK(numbers_take_hex("aBc9g", &n) == 4 && n == 0xabc9);
	CHECK(numbers_take_hex("0000ffffffffffffffff", &n) == 20 && n == UINT64_MAX);
	CHECK(numbers_take_hex("10000000000000000", &n) == 0);
	CHECK(numbers_take_hex("", &n) == 0);
	CHECK(numbers_take_hex("g", &n) == 0);
	CHECK(numbers_take_hex("/@:`", &n) == 0);
}

UNIT(a_list_of_numbers_is_taken_range_by_range)
{
	static const char *const none[] = {"", "x", "-", "3-", "5-2", "1;2", "1-2-3", ",1"};
	const char *text = "0,2-5,18446744073709551615,";
	uint64_t first, last;
	size_t i;

	CHECK(numbers_take_range(&text, &first, &last));
	CHECK(first == 0 && last == 0);
	CHECK(numbers_take_range(&text, &first, &last));
	CHECK(first == 2 && last == 5);
	CHECK(numbers_take_range(&text, &first, &last));
	CHECK(first == UINT64_MAX && last == UINT64_MAX);
	CHECK_STR(text, "");
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		text = none[i];
		CHECK(!numbers_take_range(&text, &first, &last));
		CHECK(text == none[i]);
	}
}

UNIT(ranges_of_seconds)
{
	static const char *const bad[] = {"",	   "..",    "1",      "1.5",	"2..1",
					  "1..1",  "-1..2", "1..nan", "nan..1", "1...2",
					  "1..2x", "x1..2", "1..1e12"};
	double from, to;
	size_t i;

	CHECK(numbers_seconds_range("1.5..3", &from, &to) && from == 1.5 && to == 3);
	CHECK(numbers_seconds_range("1..3", &from, &to) && from == 1 && to == 3);
	CHECK(numbers_seconds_range("2..", &from, &to) && from == 2 && to == 0);
	CHECK(numbers_seconds_range("..10", &from, &to) && from == 0 && to == 10);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!numbers_seconds_range(bad[i], &from, &to));
}

UNIT(names_are_shortened_by_one_rule)
{
	static const struct {
		const char *name, *shown;
	} of[] = {
		{"main", "main"},
		{"std::vector<int>::push_back(int&&)", "std::vector<int>::push_back(int&&)"},
		{"sixteen<abcdefghijklmnop>::f", "sixteen<abcdefghijklmnop>::f"},
		{"more<abcdefghijklmnopq>::f", "more<..>::f"},
		{"std::map<int, std::set<long>, std::less<int> >::at(std::vector<unsigned short>)",
		 "std::map<..>::at(std::vector<unsigned short>)"},
		{"void f<std::pair<int, long> >(std::pair<int, long>)",
		 "void f<..>(std::pair<int, long>)"},
		{"operator<(A const&, B const&)", "operator<(A const&, B const&)"},
		{"bool operator< <std::pair<int, long> >(A)", "bool operator< <..>(A)"},
		{"S::operator->() const", "S::operator->() const"},
		{"std::ostream& std::operator<< <std::char_traits<char> >(int)",
		 "std::ostream& std::operator<< <..>(int)"},
		{"bool operator<=><std::pair<int, long> >(A)", "bool operator<=><..>(A)"},
		{"my_operator<std::pair<int, long> >::f", "my_operator<..>::f"},
		{"F<decltype(((a)->b)), 17 characters>::g", "F<..>::g"},
		{"core::fmt::Write::write_fmt::h0123456789abcdef", "core::fmt::Write::write_fmt"},
		{"a::h0123456789abcdef0", "a::h0123456789abcdef0"},
		{"a::h0123456789abcde", "a::h0123456789abcde"},
		{"a::h0123456789abcdef::b", "a::h0123456789abcdef::b"},
		{"a::h0123456789abcdef.llvm.1234+0x1c", "a+0x1c"},
		{"<core[846817f741e54dfd]::fmt::Arg as core[846817f741e54dfd]::fmt::Write>::w",
		 "<core::fmt::Arg as core::fmt::Write>::w"},
		{"std[0]::mem::align_of::<alloc::vec::Vec<u8>>", "std::mem::align_of::<..>"},
		{"<alloc::vec::Vec<alloc::string::String> as core::ops::Drop>::drop",
		 "<alloc::vec::Vec<..> as core::ops::Drop>::drop"},
		{"<F as core::ops::FnOnce<(fn(u8) -> bool, u64)>>::call_once",
		 "<F as core::ops::FnOnce<..>>::call_once"},
		{"<[u8; 32] as Key>::get", "<[u8; 32] as Key>::get"},
		{"py::<module>:/tmp/a.py", "py::<module>:/tmp/a.py"},
		{"A<&Longer::operator> >::f", "A<..>::f"},
		{"never<closed and so no template", "never<closed and so no template"},
		{"a>b", "a>b"},
		{"operator<", "operator<"},
		{"", ""},
	};
	char shown[256], cut[8];
	size_t i;

	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		short_name(of[i].name, shown, sizeof(shown));
		CHECK_STR(shown, of[i].shown);
	}
	short_name("0123456789", cut, sizeof(cut));
	CHECK_STR(cut, "0123456");
	short_name("abc", cut, 1);
	CHECK_STR(cut, "");
}

/* As long as a name can be, and such that each character could be looked at for each other one. */
UNIT(hostile_names_are_shortened_at_once)
{
	static const char *const units[] = {"<", "<a", "a<b>", ">", "operator<", "::h", "[0", " <"};
	static char name[16 << 10], shown[16 << 10];
	size_t i, j, n;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		n = strlen(units[i]);
		for (j = 0; j + n < sizeof(name); j += n)
			memcpy(name + j, units[i], n);
		name[j] = '\0';
		short_name(name, shown, sizeof(shown));
		CHECK(strlen(shown) <= j);
		for (j /= 2; j < sizeof(name) - 1; j++)
			name[j] = '>';
		name[j] = '\0';
		short_name(name, shown, sizeof(shown));
		CHECK(strlen(shown) <= j);
	}
}

UNIT_MAIN(UNIT_ENTRY(errors_have_an_errno_value_and_a_kind),
	  UNIT_ENTRY(names_are_shortened_by_one_rule),
	  UNIT_ENTRY(hostile_names_are_shortened_at_once),
	  UNIT_ENTRY(a_distance_counts_letters_changed_added_and_taken),
	  UNIT_ENTRY(a_hexadecimal_number_is_taken_up_to_what_is_none),
	  UNIT_ENTRY(a_list_of_numbers_is_taken_range_by_range), UNIT_ENTRY(ranges_of_seconds),
	  UNIT_ENTRY(an_error_is_wrapped_from_the_inside_out),
	  UNIT_ENTRY(an_error_longer_than_its_buffer_is_cut),
	  UNIT_ENTRY(a_vector_inserts_and_removes_in_place),
	  UNIT_ENTRY(a_vector_refuses_a_size_that_cannot_be),
	  UNIT_ENTRY(a_table_finds_every_index_of_a_hash),
	  UNIT_ENTRY(a_table_from_which_much_is_removed_finds_the_rest),
	  UNIT_ENTRY(what_is_written_by_a_hash_stays),
	  UNIT_ENTRY(nobody_can_have_hashes_collide),
	  UNIT_ENTRY(hashes_differ_for_every_single_changed_bit),
	  UNIT_ENTRY(who_chooses_what_is_hashed_cannot_have_it_collide),
	  UNIT_ENTRY(a_hash_is_made_of_a_whole_product),
	  UNIT_ENTRY(the_same_text_has_one_id_and_one_address),
	  UNIT_ENTRY(a_tar_says_in_a_pax_header_what_a_header_has_no_room_for),
	  UNIT_ENTRY(a_tar_of_what_has_room_is_headers_and_whole_blocks),
	  UNIT_ENTRY(a_sink_formats_numbers_and_grows),
	  UNIT_ENTRY(a_sink_remembers_its_first_failure),
	  UNIT_ENTRY(a_sink_waits_for_a_reader_where_its_descriptor_does_not_block),
	  UNIT_ENTRY(a_sink_stops_where_the_reader_of_its_descriptor_has_gone),
	  UNIT_ENTRY(a_build_id_is_read_from_the_notes),
	  UNIT_ENTRY(a_build_id_that_does_not_fit_is_none),
	  UNIT_ENTRY(every_character_is_read_and_nothing_else))
