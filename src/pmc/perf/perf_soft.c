// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmc/perf/perf_soft.h"

bool perf_soft_is(const struct pmc_eventspec *e)
{
	return e->type == PERF_TYPE_SOFTWARE && e->config != PERF_COUNT_SW_CPU_CLOCK &&
	       e->config != PERF_COUNT_SW_TASK_CLOCK && e->config != PERF_COUNT_SW_DUMMY;
}

/* An event of this thread's page faults, with a ring of one page. */
struct trial {
	int fd;
	const struct perf_event_mmap_page *ring;
};

static bool trial_open(const struct perf_machine *m, struct trial *t)
{
	struct perf_event_attr attr;
	void *ring;

	perf_attr_of_nothing(m, &attr);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	attr.sample_period = 1;
	attr.disabled = 0;
	t->ring = NULL;
	t->fd = perf_open(&attr, 0, -1);
	if (t->fd < 0)
		return false;
	ring = mmap(NULL, 2 * (size_t)m->page_size, PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, 0);
	t->ring = ring == MAP_FAILED ? NULL : ring;
	return t->ring;
}

static bool has_own_id(const struct perf_machine *m, const struct trial *t)
{
	const struct perf_ring_sample *sample =
		(const void *)((const char *)t->ring + m->page_size);
	uint64_t head = __atomic_load_n(&t->ring->data_head, __ATOMIC_ACQUIRE), id;

	return head >= sizeof(*sample) && sample->header.type == PERF_RECORD_SAMPLE &&
	       !ioctl(t->fd, PERF_EVENT_IOC_ID, &id) && sample->id == id;
}

static void trial_close(const struct perf_machine *m, struct trial *t)
{
	if (t->ring)
		munmap((void *)(uintptr_t)t->ring, 2 * (size_t)m->page_size);
	if (t->fd >= 0)
		close(t->fd);
}

/* Whether this kernel gives samples their own id, tried by a page fault. */
static bool ids_are_own(const struct perf_machine *m)
{
	struct trial a, b = {.fd = -1};
	bool own = false;
	char *page;

	if (trial_open(m, &a) && trial_open(m, &b)) {
		page = mmap(NULL, (size_t)m->page_size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page != MAP_FAILED) {
			*(volatile char *)page = 1;
			munmap(page, (size_t)m->page_size);
		}
		own = has_own_id(m, &a) && has_own_id(m, &b);
	}
	trial_close(m, &a);
	trial_close(m, &b);
	return own;
}

/* Whether both sample the same events at the same time. */
static bool clash(const struct pmc *a, const struct pmc *b)
{
	return a != b && PMC_IS_SAMPLING_MODE(b->mode) && perf_soft_is(&b->event) &&
	       a->event.config == b->event.config &&
	       !(PMC_IS_SYSTEM_MODE(a->mode) && PMC_IS_SYSTEM_MODE(b->mode) && a->cpu != b->cpu);
}

int perf_soft_check(const struct perf_machine *m, const struct perf_pmc *p,
		    const struct perf_pmcs *others, struct err *err)
{
	const struct pmc *pmc = p->pmc;
	struct perf_pmc *const *other;

	if (!perf_soft_is(&pmc->event) || !PMC_IS_SAMPLING_MODE(pmc->mode))
		return 0;
	vec_each(other, &others->v) {
		if (!clash(pmc, (*other)->pmc))
			continue;
		if (ids_are_own(m))
			return 0;
		err_set(err, EX_UNAVAILABLE,
			"%s is sampled by %s already, and this kernel gives each sample of a "
			"software event to one of its PMCs alone",
			pmc->event.name, (*other)->pmc->event.name);
		err_hint(err, "sample it once, and tell apart afterwards: --by, --pid, -i, -c");
		return err_errno(err, EBUSY);
	}
	return 0;
}
