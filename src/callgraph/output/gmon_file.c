// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/output/gmon_file.h"

enum {
	GNU_VERSION = 1,
	GNU_SPARE = 12, /* bytes of the header behind the version */
	TAG_HISTOGRAM = 0,
	TAG_ARC = 1,
	GNU_MAX = UINT16_MAX, /* of a counter */
	UNIT_LENGTH = 15,
	BSD_VERSION = 0x51879,
	BSD_COUNTER_BITS = 64,
	BSD_SPARE = 8,
};

#define HISTOGRAMS_MAX (UINT64_C(64) << 20) /* bytes that bins become wider for */
#define WIDTH_MAX      (UINT64_C(1) << 40)

/* Empty text between samples that a histogram is not cut for. */
#define GAP (UINT64_C(64) << 10)

/* A histogram: the hits [first, last) and the text around them. */
struct part {
	size_t first, last;
	uint64_t low, high; /* addresses */
	uint64_t max;	    /* the largest count */
};

/* Rates are whole numbers in a file; seconds that this makes worse than so are not told. */
#define RATE_ERROR 0.005

struct plan {
	const struct gmon_file *f;
	struct sink *sink;
	uint64_t width; /* of a bin, bytes; a power of two */
	VEC(struct part) parts;
};

static void put(const struct plan *plan, uint64_t value, unsigned int bytes)
{
	uint8_t text[8];
	unsigned int i;

	for (i = 0; i < bytes; i++) {
		unsigned int at = plan->f->layout.big_endian ? bytes - 1 - i : i;

		text[at] = (uint8_t)(value >> 8 * i);
	}
	sink_write(plan->sink, text, bytes);
}

static unsigned int address_bytes(const struct plan *plan)
{
	return plan->f->layout.is32 ? 4 : 8;
}

static void put_address(const struct plan *plan, uint64_t address)
{
	put(plan, address, address_bytes(plan));
}

/*
 * The start of a hit's bin: the nearest one that is wholly in its function, else one that begins
 * there, else the one that has the address.
 */
static uint64_t bin_of(const struct plan *plan, const struct gmon_hit *h)
{
	uint64_t width = plan->width, bin = h->address & -width;
	uint64_t last = ((plan->f->layout.is32 ? UINT32_MAX : UINT64_MAX) & -width) - width;
	/* gprof takes functions to begin at even addresses. */
	uint64_t start = h->start & -UINT64_C(2), end = h->end & -UINT64_C(2);
	uint64_t from = (start + width - 1) & -width, to = end & -width;

	if (from >= start && from < to)
		bin = bin < from ? from : bin < to ? bin : to - width;
	else if (from >= start && from < end)
		bin = from;
	/* What lies behind what a header can say is no text: hits there are kept at its end. */
	return bin < last ? bin : last;
}

static int by_address(const void *a, const void *b)
{
	const struct gmon_hit *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Moves each hit to its bin, and adds up those of one bin. */
static void fill_bins(const struct plan *plan, struct gmon_file *f)
{
	struct gmon_hit *h, *to = f->hits.v;

	vec_each(h, &f->hits)
		h->address = bin_of(plan, h);
	qsort(f->hits.v, f->hits.n, sizeof(*f->hits.v), by_address);
	vec_each(h, &f->hits) {
		if (h == to)
			continue;
		if (h->address != to->address) {
			*++to = *h;
			continue;
		}
		to->count += h->count;
		to->end = h->end > to->end ? h->end : to->end;
	}
	f->hits.n = (size_t)(to - f->hits.v) + 1;
}

/*
 * Cuts the text into parts, never within a function: gprof allows no function in two histograms.
 * Functions with more samples in a bin than a counter has room for are parts of their own.
 */
static int cut(struct plan *plan)
{
	const struct gmon_file *f = plan->f;
	uint64_t behind = 0; /* the end of the last function */
	size_t i;

	plan->parts.n = 0;
	for (i = 0; i < f->hits.n; i++) {
		const struct gmon_hit *h = &f->hits.v[i];
		struct part *p = plan->parts.n ? &plan->parts.v[plan->parts.n - 1] : NULL;
		bool same = p && h->address < behind;

		behind = same && behind > h->end ? behind : h->end;
		if (same || (p && f->bsd)) {
			p->last = i + 1;
			p->high = h->address + plan->width;
			p->max = p->max > h->count ? p->max : h->count;
			continue;
		}
		if (vec_push(&plan->parts, (struct part){i, i + 1, h->address,
							 h->address + plan->width, h->count}))
			return -1;
	}
	return 0;
}

/* Makes parts that are near to each other and have room in their counters one. */
static void join(struct plan *plan)
{
	struct part *p, *to = plan->parts.v;

	vec_each(p, &plan->parts) {
		if (p == to)
			continue;
		if (p->low - to->high > GAP || p->max > GNU_MAX || to->max > GNU_MAX) {
			*++to = *p;
			continue;
		}
		to->last = p->last;
		to->high = p->high;
		to->max = p->max > to->max ? p->max : to->max;
	}
	plan->parts.n = (size_t)(to - plan->parts.v) + 1;
}

/* How often a part's histogram is written, each time with the next GNU_MAX of each bin. */
static uint64_t rounds_of(const struct plan *plan, const struct part *p)
{
	return plan->f->bsd ? 1 : (p->max + GNU_MAX - 1) / GNU_MAX;
}

static uint64_t bins_of(const struct plan *plan, const struct part *p)
{
	return (p->high - p->low) / plan->width;
}

static unsigned int counter_bytes(const struct plan *plan)
{
	return plan->f->bsd ? BSD_COUNTER_BITS / 8 : 2;
}

/* Whether the histograms are larger than they should be. */
static bool is_large(const struct plan *plan)
{
	uint64_t room = HISTOGRAMS_MAX / counter_bytes(plan);
	const struct part *p;

	vec_each(p, &plan->parts) {
		uint64_t bins = bins_of(plan, p), rounds = rounds_of(plan, p);

		/* One bin in many rounds is what it takes. */
		if (bins > 1 && bins > room / rounds)
			return true;
		room -= bins > 1 ? bins * rounds : 0;
	}
	return false;
}

static int make_plan(struct plan *plan, struct gmon_file *f)
{
	plan->width = f->bsd ? 8 : 2;
	for (;; plan->width *= 2) {
		fill_bins(plan, f);
		if (cut(plan))
			return -1;
		if (!f->bsd)
			join(plan);
		if (!is_large(plan) || plan->width == WIDTH_MAX)
			return 0;
	}
}

/* The counters of a part in a round. */
static void write_counters(const struct plan *plan, const struct part *p, uint64_t round)
{
	unsigned int bytes = counter_bytes(plan);
	uint64_t next = p->low;
	size_t i;

	for (i = p->first; i < p->last; i++) {
		const struct gmon_hit *h = &plan->f->hits.v[i];
		uint64_t count = h->count;

		if (!plan->f->bsd) {
			count = count > round * GNU_MAX ? count - round * GNU_MAX : 0;
			count = count > GNU_MAX ? GNU_MAX : count;
		}
		sink_fill(plan->sink, '\0', (h->address - next) / plan->width * bytes);
		put(plan, count, bytes);
		next = h->address + plan->width;
	}
}

static void write_gnu_part(const struct plan *plan, const struct part *p)
{
	char unit[UNIT_LENGTH + 1] = "";
	uint64_t round;

	memcpy(unit, plan->f->unit, strnlen(plan->f->unit, UNIT_LENGTH));
	unit[UNIT_LENGTH] = plan->f->unit_letter;
	for (round = 0; round < rounds_of(plan, p); round++) {
		put(plan, TAG_HISTOGRAM, 1);
		put_address(plan, p->low);
		put_address(plan, p->high);
		put(plan, bins_of(plan, p), 4);
		put(plan, plan->f->rate, 4);
		sink_write(plan->sink, unit, sizeof(unit));
		write_counters(plan, p, round);
	}
}

static void write_gnu(const struct plan *plan)
{
	const struct gmon_arc *arc;
	const struct part *p;

	sink_str(plan->sink, "gmon");
	put(plan, GNU_VERSION, 4);
	sink_fill(plan->sink, '\0', GNU_SPARE);
	vec_each(p, &plan->parts)
		write_gnu_part(plan, p);
	vec_each(arc, &plan->f->arcs) {
		uint64_t left, count;

		for (left = arc->count; left; left -= count) {
			count = left < UINT32_MAX ? left : UINT32_MAX;
			put(plan, TAG_ARC, 1);
			put_address(plan, arc->from);
			put_address(plan, arc->self);
			put(plan, count, 4);
		}
	}
}

static void write_bsd(const struct plan *plan)
{
	const struct part *p = plan->parts.v;
	const unsigned int header = 2 * address_bytes(plan) + 16 + BSD_SPARE;
	const struct gmon_arc *arc;

	put_address(plan, p->low);
	put_address(plan, p->high);
	put(plan, header + bins_of(plan, p) * counter_bytes(plan), 4);
	put(plan, BSD_VERSION, 4);
	put(plan, plan->f->rate, 4);
	put(plan, BSD_COUNTER_BITS, 4);
	sink_fill(plan->sink, '\0', BSD_SPARE);
	write_counters(plan, p, 0);
	vec_each(arc, &plan->f->arcs) {
		uint64_t max = plan->f->layout.is32 ? INT32_MAX : INT64_MAX, left, count;

		for (left = arc->count; left; left -= count) {
			count = left < max ? left : max;
			put_address(plan, arc->from);
			put_address(plan, arc->self);
			put_address(plan, count);
		}
	}
}

void gmon_file_set_rate(struct gmon_file *f, uint64_t nanoseconds)
{
	double hz = nanoseconds ? 1e9 / (double)nanoseconds : 0, error;

	f->rate = 1;
	f->unit = "samples";
	f->unit_letter = '#';
	if (hz < 1 || hz > INT32_MAX)
		return;
	error = hz / (double)(uint32_t)(hz + 0.5) - 1;
	if (error > RATE_ERROR || error < -RATE_ERROR)
		return;
	f->rate = (uint32_t)(hz + 0.5);
	f->unit = "seconds";
	f->unit_letter = 's';
}

int gmon_file_write(struct gmon_file *f, struct sink *sink)
{
	struct plan plan = {.f = f, .sink = sink};
	int status = make_plan(&plan, f);

	if (!status && f->bsd)
		write_bsd(&plan);
	else if (!status)
		write_gnu(&plan);
	vec_free(&plan.parts);
	return status;
}

void gmon_file_fini(struct gmon_file *f)
{
	vec_free(&f->hits);
	vec_free(&f->arcs);
}
