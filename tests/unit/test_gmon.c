// SPDX-License-Identifier: BSD-2-Clause
/* The bytes of gmon.out files, read back as gprof reads them. */
#include "callgraph/output/gmon_file.h"
#include "unit.h"

/* What a file says. */
struct reading {
	const uint8_t *p;
	size_t left;
	struct symbol_layout layout;
	VEC(struct gmon_hit) bins; /* start and end are those of the bin */
	VEC(struct gmon_arc) arcs;
	uint64_t width; /* of bins */
	uint64_t rate;
	char unit[17];
	size_t histograms;
};

static uint64_t take(struct reading *r, unsigned int bytes)
{
	uint64_t value = 0;
	unsigned int i;

	CHECK(r->left >= bytes);
	for (i = 0; i < bytes && r->left >= bytes; i++)
		value |= (uint64_t)r->p[i] << 8 * (r->layout.big_endian ? bytes - 1 - i : i);
	r->left -= r->left >= bytes ? bytes : r->left;
	r->p += bytes;
	return value;
}

static uint64_t take_address(struct reading *r)
{
	return take(r, r->layout.is32 ? 4 : 8);
}

/* Counters of a range; those of a range that was there before add up. */
static void take_bins(struct reading *r, uint64_t low, uint64_t high, uint64_t bins,
		      unsigned int bytes)
{
	uint64_t width = (high - low) / bins, i;
	struct gmon_hit *h = NULL, *known;

	CHECK(high > low && bins && width * bins == high - low);
	CHECK(!r->histograms || width == r->width);
	r->width = width;
	r->histograms++;
	vec_each(known, &r->bins) {
		if (known->start == low)
			h = known;
		CHECK(known->end <= low || known->start >= high || h);
	}
	for (i = 0; i < bins && r->left; i++) {
		struct gmon_hit bin = {.start = low + i * width, .end = low + (i + 1) * width};

		bin.count = take(r, bytes);
		if (h) {
			CHECK(h[i].start == bin.start);
			h[i].count += bin.count;
		} else {
			CHECK(!vec_push(&r->bins, bin));
		}
	}
}

static void read_gnu(struct reading *r)
{
	uint64_t low, high, bins;
	struct gmon_arc arc;

	CHECK(!memcmp(r->p, "gmon", 4));
	take(r, 4);
	CHECK_U64(take(r, 4), 1);
	take(r, 4);
	take(r, 4);
	take(r, 4);
	while (r->left) {
		if (take(r, 1)) {
			arc.from = take_address(r);
			arc.self = take_address(r);
			arc.count = take(r, 4);
			CHECK(!vec_push(&r->arcs, arc));
			continue;
		}
		low = take_address(r);
		high = take_address(r);
		bins = take(r, 4);
		r->rate = take(r, 4);
		memcpy(r->unit, r->p, 16);
		take(r, 8);
		take(r, 8);
		take_bins(r, low, high, bins, 2);
	}
}

static void read_bsd(struct reading *r)
{
	size_t size = r->left, bytes;
	uint64_t low = take_address(r), high = take_address(r);
	struct gmon_arc arc;

	bytes = take(r, 4);
	CHECK_U64(take(r, 4), 0x51879);
	r->rate = take(r, 4);
	CHECK_U64(take(r, 4), 64);
	take(r, 8);
	bytes -= size - r->left;
	CHECK(bytes % 8 == 0 && bytes <= r->left);
	take_bins(r, low, high, bytes / 8, 8);
	while (r->left) {
		arc.from = take_address(r);
		arc.self = take_address(r);
		arc.count = take_address(r);
		CHECK(!vec_push(&r->arcs, arc));
	}
}

/* Writes f, frees it, and reads it back; returns the bytes. */
static size_t read_back(struct gmon_file *f, struct reading *r)
{
	struct sink *sink = sink_to_memory();
	size_t len;

	*r = (struct reading){.layout = f->layout};
	CHECK(sink && !gmon_file_write(f, sink) && !sink_flush(sink));
	r->p = (const uint8_t *)sink_text(sink, &len);
	r->left = len;
	if (f->bsd)
		read_bsd(r);
	else
		read_gnu(r);
	sink_free(sink);
	gmon_file_fini(f);
	return len;
}

static void reading_fini(struct reading *r)
{
	vec_free(&r->bins);
	vec_free(&r->arcs);
}

/* The samples in bins that begin in [start, end). */
static uint64_t samples_in(const struct reading *r, uint64_t start, uint64_t end)
{
	const struct gmon_hit *h;
	uint64_t sum = 0;

	vec_each(h, &r->bins)
		sum += h->start >= start && h->start < end ? h->count : 0;
	return sum;
}

static void add_hit(struct gmon_file *f, uint64_t address, uint64_t start, uint64_t end,
		    uint64_t count)
{
	CHECK(!vec_push(&f->hits, (struct gmon_hit){address, start, end, count}));
}

UNIT(counts_above_16_bits_add_up)
{
	static const uint64_t counts[] = {1, 65534, 65535, 65536, 131070, 131071, 1000000};
	struct gmon_file f = {.rate = 1000, .unit = "seconds", .unit_letter = 's'};
	struct reading r;
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		add_hit(&f, 0x401010 + 0x100 * i, 0x401000 + 0x100 * i, 0x401100 + 0x100 * i,
			counts[i]);
	add_hit(&f, 0x401018, 0x401000, 0x401100, 5);
	CHECK(!vec_push(&f.arcs, (struct gmon_arc){0x401110, 0x401200, (UINT64_C(3) << 32) + 7}));
	CHECK(read_back(&f, &r) < 4000);
	CHECK_U64(r.rate, 1000);
	CHECK_STR(r.unit, "seconds");
	CHECK(r.unit[15] == 's');
	CHECK_U64(r.width, 2);
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		CHECK_U64(samples_in(&r, 0x401000 + 0x100 * i, 0x401100 + 0x100 * i),
			  counts[i] + (i ? 0 : 5));
	CHECK_U64(samples_in(&r, 0x401018, 0x40101a), 5);
	CHECK_U64(r.arcs.n, 4);
	CHECK_U64(r.arcs.v[0].count + r.arcs.v[1].count + r.arcs.v[2].count + r.arcs.v[3].count,
		  (UINT64_C(3) << 32) + 7);
	reading_fini(&r);
}

/* Readers give a bin to the function that has it, and take odd starts for even ones. */
UNIT(samples_stay_in_their_functions)
{
	struct gmon_file f = {.rate = 1, .unit = "samples"};
	struct reading r;

	add_hit(&f, 0x1004, 0x1000, 0x1005, 3);
	add_hit(&f, 0x1005, 0x1005, 0x100b, 4);
	add_hit(&f, 0x100a, 0x1005, 0x100b, 5);
	add_hit(&f, 0x100b, 0x100b, 0x1010, 6);
	read_back(&f, &r);
	CHECK_U64(samples_in(&r, 0x1000, 0x1004), 3);
	CHECK_U64(samples_in(&r, 0x1004, 0x100a), 9);
	CHECK_U64(samples_in(&r, 0x100a, 0x1010), 6);
	reading_fini(&r);
}

UNIT(wide_counters_and_other_layouts)
{
	struct gmon_file f = {
		.layout = {.is32 = true, .big_endian = true}, .bsd = true, .rate = 99};
	struct reading r;

	add_hit(&f, 0x10011, 0x10010, 0x10021, UINT64_C(5) << 32);
	add_hit(&f, 0x10020, 0x10010, 0x10021, 1);
	add_hit(&f, 0x10022, 0x10021, 0x10023, 2); /* has no bin of its own */
	add_hit(&f, UINT64_C(1) << 40, 0, 0, 7);   /* is not in a 32-bit file */
	CHECK(!vec_push(&f.arcs, (struct gmon_arc){0x10012, 0x10024, (UINT64_C(1) << 32) + 1}));
	read_back(&f, &r);
	CHECK_U64(r.rate, 99);
	CHECK_U64(r.width & (r.width - 1), 0);
	CHECK_U64(samples_in(&r, 0, UINT64_MAX), (UINT64_C(5) << 32) + 10);
	CHECK_U64(r.arcs.n, 3);
	CHECK_U64(r.arcs.v[2].count, 3);
	reading_fini(&r);

	f = (struct gmon_file){.bsd = true, .rate = 1};
	add_hit(&f, 0x401011, 0x401010, 0x401021, UINT64_C(5) << 32);
	add_hit(&f, 0x401020, 0x401010, 0x401021, 1);
	add_hit(&f, 0x401028, 0x401021, 0x401040, 2);
	read_back(&f, &r);
	CHECK_U64(r.width, 8);
	CHECK_U64(samples_in(&r, 0x401010, 0x401020), (UINT64_C(5) << 32) + 1);
	CHECK_U64(samples_in(&r, 0x401028, 0x401040), 2);
	reading_fini(&r);

	f = (struct gmon_file){
		.layout = {.is32 = true, .big_endian = true}, .rate = 1, .unit = "x"};
	add_hit(&f, 0xfffffffe, 0, 0, 70000);
	read_back(&f, &r);
	CHECK_U64(samples_in(&r, 0, UINT64_MAX), 70000);
	reading_fini(&r);
}

/* Text of gigabytes with samples all over it, in functions of one bin and more. */
static void check_size(bool bsd, uint64_t step)
{
	struct gmon_file f = {.bsd = bsd, .rate = 1, .unit = "samples"};
	uint64_t i, sum = 0;
	struct reading r;
	size_t len;

	for (i = 0; i < 20000; i++)
		add_hit(&f, 0x10000000 + i * step, 0x10000000 + i * step,
			0x10000000 + i * step + step / 2, 1 + i);
	len = read_back(&f, &r);
	CHECK(len < (70u << 20));
	for (i = 0; i < 20000; i++)
		sum += 1 + i;
	CHECK_U64(samples_in(&r, 0, UINT64_MAX), sum);
	CHECK(r.width <= step || bsd);
	reading_fini(&r);
}

UNIT(files_of_large_objects_stay_small)
{
	check_size(false, 1 << 14);
	check_size(false, 1 << 20);
	check_size(true, 1 << 14);
	check_size(true, UINT64_C(1) << 48);
}

UNIT_MAIN(UNIT_ENTRY(counts_above_16_bits_add_up), UNIT_ENTRY(samples_stay_in_their_functions),
	  UNIT_ENTRY(wide_counters_and_other_layouts),
	  UNIT_ENTRY(files_of_large_objects_stay_small))
