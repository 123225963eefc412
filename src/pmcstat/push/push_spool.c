// SPDX-License-Identifier: BSD-2-Clause
#include "pmcstat/push/push_spool.h"

bool push_spool_take(struct push_spool *s, struct push_request *r)
{
	if (!s->waiting.n)
		return false;
	*r = s->waiting.v[0];
	vec_remove(&s->waiting, 0, 1);
	s->bytes -= r->len;
	return true;
}

unsigned int push_spool_add(struct push_spool *s, struct push_request *r)
{
	struct push_request oldest;
	unsigned int gone = 0;

	while (s->bytes + r->len > s->limit && push_spool_take(s, &oldest)) {
		push_request_free(&oldest);
		gone++;
	}
	if (r->len > s->limit || vec_push(&s->waiting, *r)) {
		push_request_free(r);
		return gone + 1;
	}
	s->bytes += r->len;
	*r = (struct push_request){0};
	return gone;
}

void push_spool_fini(struct push_spool *s)
{
	struct push_request r;

	while (push_spool_take(s, &r))
		push_request_free(&r);
	vec_free(&s->waiting);
}
