// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pmcstat/push/push.h"
#include "pmcstat/push/push_sender.h"
#include "pmcstat/push/push_target.h"
#include "pmcstat/say.h"
#include "pmcstat/status.h"
#include "pmcstat/top/top_source.h"

enum { DEFAULT_INTERVAL = 10 }; /* seconds */

/* What a profile may take before its interval ends early. */
enum { PROFILE_LIMIT = 64 << 20 };

/* Seconds: what a request may take, and what waits at the end. */
enum { SHORTEST_POST = 2, LONGEST_POST = 30, LAST_POSTS = 5 };

struct push {
	bool quiet;
	const struct cg_output *output; /* pprof's */
	struct push_target target;
	struct push_sender *sender;
	struct cg_builder *builder;
	struct top_source source;
	bool has_source, over;
	double interval;	/* seconds */
	double next;		/* monotonic seconds: when it ends */
	int64_t began;		/* nanoseconds since 1970: the interval in hand */
	struct cg_quality told; /* by the intervals before it */
	size_t lasting;		/* bytes of the profile after they were forgotten */
	unsigned int made;
	bool said_failing, said_refused;
	struct err err;	    /* the first that stopped it */
};

static void fail(struct push *p, const struct err *err)
{
	if (!p->err.code)
		p->err = *err;
	p->over = true;
}

static int64_t wall_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static const struct cg_output *find_pushed(struct err *err)
{
	size_t i;

	for (i = 0; cg_outputs[i]; i++)
		if (cg_outputs[i]->traits & CG_IS_PUSHED)
			return cg_outputs[i];
	err_set(err, EX_UNAVAILABLE, "--push: this pmcstat was built without libprotobuf-c");
	return NULL;
}

/* Processes are told apart by name alone: a label with every pid would be a series of its own. */
static struct cg_builder *open_builder(const struct report_options *o, struct err *err)
{
	const struct cg_config config = {.symbols = o->symbols, .select = &o->select};

	return cg_builder_new(&config, err);
}

struct push *push_open(const struct push_options *options, const struct report_options *report,
		       double interval, struct err *err)
{
	struct push *p = calloc(1, sizeof(*p));

	if (!p) {
		err_nomem(err);
		return NULL;
	}
	p->quiet = report->quiet;
	p->interval = interval > 0 ? interval : DEFAULT_INTERVAL;
	if (!(p->output = find_pushed(err)) || push_target_init(&p->target, options, err) ||
	    !(p->builder = open_builder(report, err)) ||
	    !(p->sender = push_sender_start(options->headers,
					    fmax(SHORTEST_POST, fmin(p->interval, LONGEST_POST)),
					    err))) {
		push_close(p);
		return NULL;
	}
	return p;
}

void push_close(struct push *p)
{
	if (!p)
		return;
	push_sender_free(p->sender);
	if (p->has_source)
		top_source_close(&p->source);
	cg_builder_free(p->builder);
	push_target_fini(&p->target);
	free(p);
}

int push_start(struct push *p, int *log_fd, struct err *err)
{
	if (top_source_pipe(&p->source, log_fd, err))
		return -1;
	p->has_source = true;
	p->began = wall_clock();
	p->next = status_now() + p->interval;
	return 0;
}

/* ---- An interval's profile. ---- */

/* Of what is said of the whole recording what is said of the interval. */
static struct cg_quality narrow_quality(struct push *p, const struct cg_quality *all)
{
	struct cg_quality q = *all;
	unsigned int i;

	q.samples -= p->told.samples;
	q.paused -= p->told.paused;
	q.foreign -= p->told.foreign;
	q.drops.unsaid -= p->told.drops.unsaid;
	for (i = 0; i < PMCLOG_NCAUSES; i++)
		q.drops.of[i] -= p->told.drops.of[i];
	p->told = *all;
	return q;
}

/* Hands a profile to the sender.  0, or -1 with err set. */
static int hand_over(struct push *p, const struct cg_profile *profile, struct sink *sink,
		     int64_t until, struct err *err)
{
	struct push_part part = {.profile = profile, .from = p->began, .until = until};
	struct push_request r;

	part.data = sink_text(sink, &part.len);
	if (sink_flush(sink) || push_request_make(&p->target, &part, &r))
		return err_nomem(err);
	push_sender_add(p->sender, &r);
	p->made++;
	return 0;
}

/* Makes a profile of the interval.  0, or -1 with err set. */
static int make_profile(struct push *p, const struct cg_profile *profile, struct err *err)
{
	const struct cg_quality quality = narrow_quality(p, &profile->quality);
	struct cg_output_options options = {0};
	struct cg_view view = cg_view_all(profile);
	struct sink *sink = sink_to_memory();
	struct push_state state;
	int64_t until = wall_clock();
	char remark[96] = "";
	int status;

	if (!sink)
		return err_nomem(err);
	view.quality = &quality;
	push_sender_state(p->sender, &state);
	if (state.counts.dropped)
		snprintf(remark, sizeof(remark), "%u profiles of this recording were dropped",
			 state.counts.dropped);
	options.began = p->began;
	options.lasted = until - p->began;
	options.remark = remark;
	status = p->output->write(&view, &options, sink, err);
	if (!status)
		status = hand_over(p, profile, sink, until, err);
	sink_free(sink);
	p->began = until;
	return status;
}

/* Ends an interval: one without samples has no profile. */
static void end_interval(struct push *p)
{
	struct err err = {0};
	const struct cg_profile *profile = cg_builder_look(p->builder, &err);

	if (!profile || (profile->stacks.n && make_profile(p, profile, &err)) ||
	    cg_builder_forget(p->builder, &err))
		fail(p, &err);
	p->lasting = cg_builder_size(p->builder);
	/* A machine that slept has no intervals to make up for. */
	p->next = fmax(p->next + p->interval, status_now());
}

/* ---- Events. ---- */

static void take(struct push *p)
{
	struct err err = {0};

	if (!p->over && top_source_read(&p->source, p->builder, 0, &p->over, &err))
		fail(p, &err);
}

/* Says it once when the server begins to fail, and when it takes profiles again. */
static void tell_state(struct push *p)
{
	struct push_state s;

	push_sender_state(p->sender, &s);
	if (s.failing && !p->said_failing && s.reply.status)
		say("%s answers %ld (%s): profiles wait", p->target.url, s.reply.status,
		    s.reply.text);
	else if (s.failing && !p->said_failing)
		say("%s: %s: profiles wait", p->target.url, s.reply.text);
	else if (!s.failing && p->said_failing && !p->quiet)
		say("%s takes profiles again; dropped so far: %u", p->target.url,
		    s.counts.dropped);
	p->said_failing = s.failing;
	if (s.counts.refused && !p->said_refused && s.reply.rejected)
		say("%s rejects %" PRId64 " profiles of an interval (%s)", p->target.url,
		    s.reply.rejected, s.reply.text);
	else if (s.counts.refused && !p->said_refused)
		say("%s refuses a profile with %ld (%s)", p->target.url, s.reply.status,
		    s.reply.text);
	p->said_refused = s.counts.refused != 0;
}

bool push_wait(struct push *p, int fd, int ms)
{
	struct pollfd f[] = {{.fd = fd, .events = POLLIN},
			     {.fd = top_source_event_fd(&p->source), .events = POLLIN}};
	double left = fmax(0, p->next - status_now());

	poll(f, p->over ? 1 : 2, (int)fmin(ms, left * 1000 + 1));
	if (f[1].revents || status_now() >= p->next)
		take(p);
	if (!p->over && (status_now() >= p->next ||
			 cg_builder_size(p->builder) > p->lasting + PROFILE_LIMIT))
		end_interval(p);
	tell_state(p);
	return p->err.code != 0;
}

void push_ends(struct push *p)
{
	top_source_end(&p->source);
}

/* What became of all profiles, where that is not what was wanted. */
static int tell_end(struct push *p, const struct push_counts *c)
{
	unsigned int lost = c->dropped + c->refused + c->left;

	if (!lost)
		return EX_OK;
	say("%u of %u profiles were not taken by %s: %u for want of room while they waited, %u "
	    "refused, %u left at the end",
	    lost, p->made, p->target.url, c->dropped, c->refused, c->left);
	return c->sent ? EX_OK : EX_UNAVAILABLE;
}

int push_finish(struct push *p)
{
	struct pollfd f = {.fd = top_source_event_fd(&p->source), .events = POLLIN};
	struct push_state state;
	int status;

	while (!p->over) {
		take(p);
		if (!p->over)
			poll(&f, 1, -1);
	}
	if (!p->err.code)
		end_interval(p);
	push_sender_finish(p->sender, LAST_POSTS);
	tell_state(p);
	push_sender_state(p->sender, &state);
	status = tell_end(p, &state.counts);
	return p->err.code ? say_error(&p->err) : status;
}
