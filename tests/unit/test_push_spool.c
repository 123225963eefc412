// SPDX-License-Identifier: BSD-2-Clause
/* Requests that wait: none is kept for which there is no room, and the newest are. */
#include "pmcstat/push/push_spool.h"
#include "unit.h"

static struct push_request request(size_t len)
{
	struct push_request r = {.url = strdup("u"), .body = calloc(1, len + 1), .len = len};

	CHECK(r.url && r.body);
	return r;
}

/* Adds one of so many bytes.  How many had to go. */
static unsigned int add(struct push_spool *s, size_t len)
{
	struct push_request r = request(len);
	unsigned int gone = push_spool_add(s, &r);

	CHECK(!r.url && !r.body);
	return gone;
}

static size_t take(struct push_spool *s)
{
	struct push_request r = {.len = 0};

	if (push_spool_take(s, &r)) {
		size_t len = r.len;

		push_request_free(&r);
		return len;
	}
	return 0;
}

UNIT(what_waits_comes_in_its_order)
{
	struct push_spool s = {.limit = 100};

	CHECK(!take(&s));
	CHECK(!add(&s, 10) && !add(&s, 20) && !add(&s, 70));
	CHECK(s.bytes == 100);
	CHECK(take(&s) == 10 && take(&s) == 20 && take(&s) == 70 && !take(&s));
	CHECK(!s.bytes);
	push_spool_fini(&s);
}

UNIT(the_oldest_make_room)
{
	struct push_spool s = {.limit = 100};

	CHECK(!add(&s, 10) && !add(&s, 20) && !add(&s, 70));
	CHECK(add(&s, 11) == 2);
	CHECK(s.bytes == 81);
	CHECK(take(&s) == 70 && take(&s) == 11 && !take(&s));
	push_spool_fini(&s);
}

UNIT(what_is_larger_than_all_room_goes_itself)
{
	struct push_spool s = {.limit = 100};

	CHECK(!add(&s, 10));
	CHECK(add(&s, 101) == 2);
	CHECK(!take(&s) && !s.bytes);
	CHECK(!add(&s, 100));
	push_spool_fini(&s);
	CHECK(!s.bytes && !s.waiting.v);
}

UNIT_MAIN(UNIT_ENTRY(what_waits_comes_in_its_order), UNIT_ENTRY(the_oldest_make_room),
	  UNIT_ENTRY(what_is_larger_than_all_room_goes_itself))
