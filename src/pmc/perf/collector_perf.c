// SPDX-License-Identifier: BSD-2-Clause
/* The collector over perf_event_open(2). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/open_files.h"
#include "base/proc_text.h"
#include "pmc/perf/perf_errors.h"
#include "pmc/perf/perf_rows.h"
#include "pmc/perf/perf_session.h"
#include "pmc/perf/perf_settle.h"
#include "pmc/perf/perf_soft.h"
#include "pmc/perf/perf_system.h"
#include "pmc/perf/unwind/perf_window.h"

enum {
	RING_KIB_PRIVILEGED = 1024, /* without stacks; else perf_window_ring_pages() */
	RING_KIB = 512, /* with its control page just the default of perf_event_mlock_kb */
	CPUTYPE_GENERIC = 0x400,
	VISIBLE_NS = 10000000, /* what is older has come into the rings of all CPUs */
};

#define ONLINE	  "/sys/devices/system/cpu/online"
#define LOG_FLAGS (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT)

static void lock(struct pmc_collector *c)
{
	pthread_mutex_lock(&c->log_lock);
}

static void unlock(struct pmc_collector *c)
{
	pthread_mutex_unlock(&c->log_lock);
}

static struct perf_session *session(const struct pmc_collector *c)
{
	return c->priv;
}

/* The kernel does not hold those with CAP_IPC_LOCK to perf_event_mlock_kb. */
static bool may_lock(void)
{
	struct perf_settings st;

	perf_settings_read(&st, "", 0);
	return st.has_ipc_lock;
}

/* Bytes that it lets all rings of this process have, if no other of the user has any. */
static size_t lockable(size_t cpus)
{
	long long kib = proc_read_number("/proc/sys/kernel/perf_event_mlock_kb", 0);
	struct rlimit lim;

	if (may_lock() || getrlimit(RLIMIT_MEMLOCK, &lim) || lim.rlim_cur > SIZE_MAX / 2)
		return SIZE_MAX;
	return (size_t)lim.rlim_cur + (kib > 0 ? (size_t)kib * 1024 * cpus : 0);
}

static size_t ring_pages(long page_size)
{
	size_t kib = may_lock() ? RING_KIB_PRIVILEGED : RING_KIB;

	return kib * 1024 > (size_t)page_size ? kib * 1024 / (size_t)page_size : 1;
}

/*
 * Without it no process has threads or maps, and none of that would be an error; with that of
 * another pid namespace they would be those of another process.
 */
static int check_proc(struct err *err)
{
	char self[16];
	ssize_t n;

	if (access("/proc/self/stat", R_OK)) {
		err_set(err, EX_OSFILE, "there is no /proc/self/stat: /proc is not mounted");
		return err_hint(err, "try: sudo mount -t proc nodev /proc");
	}
	n = readlink("/proc/self", self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = '\0';
	if (!self[0] || atoi(self) == getpid())
		return 0;
	err_set(err, EX_OSFILE,
		"/proc is that of another pid namespace: this process is %s there and %d here",
		self, (int)getpid());
	return err_hint(err, "try: unshare --mount-proc, nsenter -m, or sudo mount -t proc nodev "
			     "/proc");
}

static int machine_init(struct perf_machine *m, struct err *err)
{
	char text[4096];
	ssize_t n;

	if (check_proc(err))
		return -1;
	m->page_size = sysconf(_SC_PAGESIZE);
	m->ring_pages = ring_pages(m->page_size);
	m->max_stack = (unsigned int)proc_read_number("/proc/sys/kernel/perf_event_max_stack", 127);
	n = proc_read_text(ONLINE, text, sizeof(text));
	if (n < 0 && errno == EMFILE)
		return open_files_fail(err, EX_OSERR, ONLINE);
	if (n <= 0 || !proc_parse_cpus(text, &m->online)) {
		err_set(err, EX_OSFILE, ONLINE " does not tell which CPUs there are");
		if (n < 0 && errno == ENOENT)
			err_hint(err, "try: sudo mount -t sysfs nodev /sys");
		return -1;
	}
	perf_probe_features(m);
	return 0;
}

static void session_free(struct perf_session *s)
{
	perf_pump_join(s);
	perf_targets_fini(&s->targets);
	perf_rings_fini(&s->rings);
	perf_watch_fini(&s->watch);
	vec_free(&s->pmcs.v);
	free(s);
}

static int perf_op_open(struct pmc_collector *c, const char *arg, struct err *err)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_DUMMY,
				       .exclude_kernel = 1};
	struct perf_session *s;
	int fd;

	if (arg[0])
		return err_set(err, EX_USAGE,
			       "the collector \"perf\" takes no argument, not \"%s\"", arg);
	s = calloc(1, sizeof(*s));
	if (!s)
		return err_nomem(err);
	s->c = c;
	s->targets.rings = &s->rings;
	s->targets.pmcs = &s->pmcs;
	s->share = (struct perf_share){&s->rings.machine, &s->pmcs, &s->rings.records, 0};
	s->watch.records = &s->rings.records;
	s->self_choice.now = perf_now;
	s->self_choice.call = perf_self_call;
	if (perf_rings_init(&s->rings, &c->stats, err) || machine_init(&s->rings.machine, err)) {
		session_free(s);
		return -1;
	}
	fd = perf_open(&attr, 0, -1);
	if (fd < 0) {
		perf_errors_open(&s->rings.machine, &s->pmcs,
				 &(struct perf_failure){.error = -fd, .cpu = -1}, err);
		session_free(s);
		return -1;
	}
	close(fd);
	c->priv = s;
	return 0;
}

static void perf_op_close(struct pmc_collector *c)
{
	if (!c->priv)
		return;
	session_free(c->priv);
	c->priv = NULL;
}

static void tally_free(struct perf_session *s, struct perf_pmc *p)
{
	size_t i;

	if (!p->tally)
		return;
	s->rings.records.sources.v[p->source].tally = NULL;
	for (i = 0; i < s->rings.records.tallies.n; i++)
		if (s->rings.records.tallies.v[i] == p->tally) {
			vec_remove(&s->rings.records.tallies, i, 1);
			break;
		}
	perf_tally_fini(p->tally);
	free(p->tally);
}

static int read_process(void *arg, uint32_t pid, uint64_t *value)
{
	const struct perf_pmc *p = arg;
	struct pmc_count sum;
	int r = perf_fds_sum(&p->fds, (pid_t)pid, &sum);

	*value = sum.value;
	return r;
}

/* For a PMC that logs its counts. */
static int tally_new(struct perf_session *s, struct perf_pmc *p, struct err *err)
{
	const struct pmc *pmc = p->pmc;

	if (!(pmc->flags & LOG_FLAGS))
		return 0;
	p->tally = calloc(1, sizeof(*p->tally));
	if (!p->tally || vec_push(&s->rings.records.tallies, p->tally)) {
		free(p->tally);
		p->tally = NULL;
		return err_nomem(err);
	}
	p->tally->pmcid = pmc->id;
	p->tally->flags = pmc->flags;
	p->tally->shares = perf_can_share(pmc);
	p->tally->arg = p;
	p->tally->read = pmc->flags & PMC_F_DESCENDANTS ? NULL : read_process;
	s->rings.records.sources.v[p->source].tally = p->tally;
	return 0;
}

static void detach_self(struct perf_session *s, struct perf_pmc *p)
{
	perf_self_unmap(&p->self);
	perf_rings_close_events(&s->rings, &p->fds, 0);
}

static bool wants_arguments(const struct perf_session *s)
{
	struct perf_pmc *const *p;

	vec_each(p, &s->pmcs.v)
		if ((*p)->pmc->flags & PMC_F_LOG_ARGUMENTS)
			return true;
	return false;
}

static void pmc_free(struct perf_session *s, struct perf_pmc *p)
{
	size_t i;

	perf_pmc_ioctl(p, 0, PERF_EVENT_IOC_DISABLE);
	perf_rings_drain(&s->rings, perf_now());
	perf_share_tell(&s->share, p, true);
	if (p->pmc->flags & PMC_F_SELF)
		detach_self(s, p);
	else if (!p->pmc->leader)
		perf_targets_detach_all(&s->targets, p);
	perf_rings_close_pmc(&s->rings, p, 0);
	if (p->source < s->rings.records.sources.n)
		s->rings.records.sources.v[p->source].soft = false;
	tally_free(s, p);
	for (i = 0; i < s->pmcs.v.n; i++)
		if (s->pmcs.v.v[i] == p) {
			vec_remove(&s->pmcs.v, i, 1);
			break;
		}
	s->rings.records.execs.wanted = wants_arguments(s);
	perf_coverage_fini(&p->coverage);
	p->pmc->priv = NULL;
	free(p);
}

static int refuse_dwarf(const struct pmc *pmc, struct err *err)
{
	err_fail(err, EOPNOTSUPP,
		 "%s: this kernel samples no registers and stacks, which --unwind=dwarf needs",
		 pmc->event.name);
	return err_hint(err, "--unwind=fp");
}

/* Once it is known what the kernel gives: how chains are found, and how deep they may be. */
static int settle_chains(struct perf_session *s, struct perf_pmc *p, struct err *err)
{
	struct perf_source *source = &s->rings.records.sources.v[p->source];
	struct pmc *pmc = p->pmc;

	if (!PMC_IS_SAMPLING_MODE(pmc->mode))
		return 0;
	if (!p->unwinds && perf_window_wanted(pmc) && pmc->unwind == PMC_UNWIND_DWARF)
		return refuse_dwarf(pmc, err);
	source->user_only = pmc->event.exclude_kernel;
	if (!p->unwinds) {
		pmc->max_depth = source->depth;
		return 0;
	}
	source->has_window = true;
	source->depth = pmc->max_depth;
	return perf_rings_unwind(&s->rings, lockable(s->rings.machine.online.cpus.n))
		       ? err_nomem(err)
		       : 0;
}

static int allocate_locked(struct perf_session *s, struct perf_pmc *p, struct err *err)
{
	const struct pmc *pmc = p->pmc;
	struct perf_source source = {
		.pmcid = pmc->id,
		.flags = pmc->flags,
		.system = PMC_IS_SYSTEM_MODE(pmc->mode),
		.soft = PMC_IS_SAMPLING_MODE(pmc->mode) && perf_soft_is(&pmc->event),
		.cpu = pmc->cpu,
		.depth = pmc->max_depth < s->rings.machine.max_stack ? pmc->max_depth
								     : s->rings.machine.max_stack,
	};

	p->source = perf_record_add_source(&s->rings.records, &source);
	if (p->source == UINT32_MAX)
		return err_nomem(err);
	if (perf_soft_check(&s->rings.machine, p, &s->pmcs, err) || tally_new(s, p, err) ||
	    perf_settle_event(&s->rings.machine, &s->pmcs, p, err) || settle_chains(s, p, err) ||
	    perf_settle_counts(&s->rings.machine, &s->pmcs, p, err) ||
	    perf_share_check(&s->share, p, err) || perf_share_check_group(&s->share, p, err))
		return -1;
	if (PMC_IS_COUNTING_MODE(pmc->mode))
		p->base = pmc->rate;
	if (pmc->flags & PMC_F_LOG_ARGUMENTS) {
		perf_rings_open_execs(&s->rings);
		s->rings.records.execs.wanted = true;
		perf_rings_wake(&s->rings);
	}
	return PMC_IS_SYSTEM_MODE(pmc->mode) ? perf_system_open(&s->targets, p, err) : 0;
}

static int perf_op_allocate(struct pmc_collector *c, struct pmc *pmc, struct err *err)
{
	struct perf_session *s = session(c);
	struct perf_pmc *p;
	int r;

	/* Before anything is attached, so that it never inherits an event. */
	if (perf_settle_request(&s->rings.machine, pmc, err) || perf_pump_start(s, err))
		return -1;
	p = calloc(1, sizeof(*p));
	if (!p)
		return err_nomem(err);
	lock(c);
	p->pmc = pmc;
	p->rate = pmc->rate;
	pmc->priv = p;
	if (vec_push(&s->pmcs.v, p)) {
		free(p);
		r = err_nomem(err);
	} else {
		r = allocate_locked(s, p, err);
		if (r)
			pmc_free(s, p);
	}
	unlock(c);
	return r;
}

static void perf_op_release(struct pmc_collector *c, struct pmc *pmc)
{
	lock(c);
	if (pmc->priv)
		pmc_free(session(c), pmc->priv);
	unlock(c);
}

/* The calling thread alone, without those that it will make, which have no page. */
static int attach_self(struct perf_session *s, struct perf_pmc *p, struct err *err)
{
	struct perf_event_attr attr;
	int fd;

	perf_attr_of_pmc(&s->rings.machine, p, &attr);
	attr.inherit = attr.inherit_thread = 0;
#ifdef __aarch64__
	/* Bit 1 of config1 is the PMU's "rdpmc"; others ignore it. */
	if (proc_read_number("/proc/sys/kernel/perf_user_access", 0) == 1 &&
	    p->pmc->event.pm_class == PMC_CLASS_CPU)
		attr.config1 |= 2;
#endif
	fd = perf_open(&attr, 0, -1);
	if (fd < 0)
		return perf_errors_open_pmc(&s->rings.machine, &s->pmcs, p, -fd, err);
	if (vec_push(&p->fds.v, (struct perf_fd){fd, -1, getpid()})) {
		close(fd);
		return err_nomem(err);
	}
	perf_self_map(&p->self, fd, (size_t)s->rings.machine.page_size);
	return 0;
}

static int perf_op_attach(struct pmc_collector *c, struct pmc *pmc, pid_t pid, struct err *err)
{
	int r;

	/* The leader has done it. */
	if (pmc->leader)
		return 0;
	lock(c);
	r = pmc->flags & PMC_F_SELF
		    ? attach_self(session(c), pmc->priv, err)
		    : perf_targets_attach(&session(c)->targets, pmc->priv, pid, err);
	unlock(c);
	return r;
}

static int perf_op_detach(struct pmc_collector *c, struct pmc *pmc, pid_t pid, struct err *err)
{
	int r = 0;

	if (pmc->leader)
		return 0;
	lock(c);
	if (pmc->flags & PMC_F_SELF)
		detach_self(session(c), pmc->priv);
	else
		r = perf_targets_detach(&session(c)->targets, pmc->priv, pid, err);
	unlock(c);
	return r;
}

/* The rate may have been set since the events were opened. */
static int update_rate(struct perf_pmc *p, struct err *err)
{
	const struct pmc *pmc = p->pmc;
	uint64_t rate = pmc->rate;
	struct perf_fd *f;

	if (PMC_IS_COUNTING_MODE(pmc->mode) || rate == p->rate)
		return 0;
	if (perf_settle_rate(pmc, err))
		return -1;
	vec_each(f, &p->fds.v)
		if (ioctl(f->fd, PERF_EVENT_IOC_PERIOD, &rate))
			return err_set(err, EX_UNAVAILABLE,
				       "%s: the kernel refuses the rate %llu: %s", pmc->event.name,
				       (unsigned long long)rate, strerror(errno));
	p->rate = rate;
	return 0;
}

/* What a CPU that went off is asked for is not done, and perf does not say so. */
static int check_online(const struct pmc *pmc, struct err *err)
{
	if (PMC_IS_VIRTUAL_MODE(pmc->mode) || pmc_cpu_is_online(pmc->cpu))
		return 0;
	return err_set(err, EX_UNAVAILABLE, "%s: CPU %d is not online", pmc->event.name, pmc->cpu);
}

static int perf_op_start(struct pmc_collector *c, struct pmc *pmc, struct err *err)
{
	struct perf_pmc *p = pmc->priv;
	int r;

	if (check_online(pmc, err))
		return -1;
	lock(c);
	r = update_rate(p, err);
	/* The first start is the exec's, and a member's its leader's. */
	if (!r && !pmc->leader && PMC_IS_SYSTEM_MODE(pmc->mode))
		r = perf_system_start(&session(c)->targets, p, err);
	else if (!r && !pmc->leader && (!(pmc->flags & PMC_F_START_ON_EXEC) || p->armed))
		perf_pmc_ioctl(p, 0, PERF_EVENT_IOC_ENABLE);
	p->armed |= !r;
	unlock(c);
	return r;
}

static int perf_op_stop(struct pmc_collector *c, struct pmc *pmc, struct err *err)
{
	struct perf_pmc *p = pmc->priv;

	if (pmc->leader)
		return 0;
	lock(c);
	if (perf_system_stands_still(p))
		perf_system_look(&session(c)->targets, true);
	perf_system_stop(p);
	perf_pmc_ioctl(p, 0, PERF_EVENT_IOC_DISABLE);
	unlock(c);
	return check_online(pmc, err);
}

/* Without the lock, which the pump holds while the log's reader does not read: see perf_pump.c. */
static int total_of(const struct pmc *pmc, struct pmc_count *total, struct err *err)
{
	const struct perf_pmc *p = pmc->priv;
	int r = perf_pmc_total(p, total);

	if (r == -ENODATA && pmc->flags & PMC_F_NO_SHARING) {
		err_set(err, EX_UNAVAILABLE,
			"%s: it has no count, for it is pinned and found or kept no counter",
			pmc->event.name);
		return err_hint(err, "stop other users of counters, or let it share: without "
				     "\":D\" and --no-sharing");
	}
	return r ? err_fail(err, -r, "%s: cannot read the count: %s", pmc->event.name, strerror(-r))
		 : 0;
}

static int perf_op_read(struct pmc_collector *c, struct pmc *pmc, struct pmc_count *count,
			struct err *err)
{
	if (perf_system_stands_still(pmc->priv)) {
		lock(c);
		perf_system_look(&session(c)->targets, true);
		unlock(c);
	}
	return total_of(pmc, count, err);
}

static int perf_op_times(struct pmc_collector *c, struct pmc *pmc, struct pmc_count *count,
			 struct err *err)
{
	const bool samples = PMC_IS_SAMPLING_MODE(pmc->mode);
	struct pmc_count total;
	int r;

	/* Which the pump may open anew meanwhile. */
	if (samples)
		lock(c);
	r = total_of(pmc, &total, err);
	if (samples)
		unlock(c);
	if (r)
		return -1;
	count->enabled = total.enabled;
	count->running = total.running;
	/* One that samples has events of each CPU, which were read one after the other. */
	if (samples)
		count->running = perf_share_running(pmc, total.enabled, total.running);
	return 0;
}

static bool perf_op_read_self(struct pmc_collector *c, struct pmc *pmc, uint64_t *value)
{
	const struct perf_pmc *p = pmc->priv;

	if (!perf_self_read(&p->self, &session(c)->self_choice, value))
		return false;
	*value += p->base;
	return true;
}

static int perf_op_get_msr(struct pmc_collector *c, struct pmc *pmc, uint32_t *msr, struct err *err)
{
	const struct perf_pmc *p = pmc->priv;

	(void)c;
	if (perf_self_index(&p->self, msr))
		return 0;
	if (!(pmc->flags & PMC_F_SELF))
		return err_fail(err, ENOSYS,
				"%s: perf tells the counters of PMCs with PMC_F_SELF alone",
				pmc->event.name);
	return err_fail(err, ENOSYS, "%s is in no counter now that this thread may read by itself",
			pmc->event.name);
}

/* The kernel's counts only ever grow: what is written is kept as a difference to them. */
static int perf_op_write(struct pmc_collector *c, struct pmc *pmc, uint64_t value, struct err *err)
{
	struct perf_pmc *p = pmc->priv;
	struct pmc_count total;

	(void)c;
	if (total_of(pmc, &total, err))
		return -1;
	p->base += value - total.value;
	return 0;
}

static int perf_op_log_origin(struct pmc_collector *c, struct pmclog_origin *o, struct err *err)
{
	struct timespec ts;

	(void)c;
	(void)err;
	clock_gettime(CLOCK_REALTIME, &ts);
	o->cputype = CPUTYPE_GENERIC;
	o->tsc_freq = 1000000000;
	o->ts_sec = (uint64_t)ts.tv_sec;
	o->ts_nsec = (uint64_t)ts.tv_nsec;
	return 0;
}

static int perf_op_log_start(struct pmc_collector *c, struct err *err)
{
	struct perf_session *s = session(c);
	struct perf_tally **tally;
	int r;

	lock(c);
	vec_each(tally, &s->rings.records.tallies)
		perf_tally_resume(*tally);
	r = perf_targets_begin_log(&s->targets, c->writer, &s->watch.modules, err);
	if (!r) {
		s->rings.records.writer = c->writer;
		s->last_round = s->last_flush = s->watch.last = s->rings.drained = perf_now();
		perf_share_begin(&s->share);
		s->logging = true;
		perf_rings_wake(&s->rings);
	}
	unlock(c);
	return r;
}

static int flush_locked(struct perf_session *s, struct err *err)
{
	struct perf_tally **tally;

	perf_rings_drain(&s->rings, perf_now());
	if (pmclog_writer_flush(s->c->writer, err))
		return -1;
	vec_each(tally, &s->rings.records.tallies)
		s->rings.records.nomem |= (*tally)->nomem;
	return s->rings.records.nomem ? err_nomem(err) : 0;
}

static int perf_op_log_flush(struct pmc_collector *c, struct err *err)
{
	struct perf_session *s = session(c);
	int r;

	lock(c);
	r = s->logging ? flush_locked(s, err) : 0;
	unlock(c);
	return r;
}

/*
 * What the file has is of before this time and what the rings have is of after it, unless one of
 * them was so full that it was read out of turn.
 */
static uint64_t perf_op_log_turn(struct pmc_collector *c)
{
	struct perf_session *s = session(c);
	uint64_t until;

	perf_rings_drain(&s->rings, perf_now() - VISIBLE_NS);
	until = s->rings.records.last_time > s->rings.drained ? s->rings.records.last_time
							      : s->rings.drained;
	perf_share_turn(&s->share);
	perf_jit_turn(&s->rings.records.jit, c->writer, until);
	perf_targets_tell_ran(&s->targets, until);
	return until;
}

static int perf_op_log_stop(struct pmc_collector *c, struct err *err)
{
	struct perf_session *s = session(c);
	struct perf_tally **tally;
	int r = 0;

	lock(c);
	if (s->logging) {
		perf_system_look(&s->targets, false);
		perf_targets_end_log(&s->targets);
		perf_rings_drain(&s->rings, UINT64_MAX);
		perf_pump_tell_lost(s);
		perf_share_end(&s->share);
		vec_each(tally, &s->rings.records.tallies)
			c->stats.drops[PMCLOG_DROP_SWITCH] +=
				perf_tally_end(*tally, c->writer, perf_now());
		perf_jit_end_all(&s->rings.records.jit, c->writer, perf_now());
		perf_watch_look(&s->watch, perf_now());
		perf_targets_tell_ran(&s->targets, perf_now());
		r = flush_locked(s, err);
		s->logging = false;
		s->rings.records.writer = NULL;
	}
	unlock(c);
	return r;
}

static int perf_op_cpu_info(struct pmc_collector *c, struct pmc_cpuinfo *info, struct err *err)
{
	(void)err;
	perf_cpu_info(session(c)->rings.machine.page_size, info);
	return 0;
}

static uint64_t perf_op_now(struct pmc_collector *c)
{
	(void)c;
	return perf_now();
}

static bool perf_op_finished(struct pmc_collector *c)
{
	(void)c;
	return false;
}

const struct pmc_collector_ops pmc_collector_perf = {
	.name = "perf",
	.summary = "perf_event_open(2): no set-up, no module",
	.open = perf_op_open,
	.close = perf_op_close,
	.allocate = perf_op_allocate,
	.release = perf_op_release,
	.attach = perf_op_attach,
	.detach = perf_op_detach,
	.start = perf_op_start,
	.stop = perf_op_stop,
	.read = perf_op_read,
	.times = perf_op_times,
	.write = perf_op_write,
	.log_origin = perf_op_log_origin,
	.log_start = perf_op_log_start,
	.log_flush = perf_op_log_flush,
	.log_turn = perf_op_log_turn,
	.log_stop = perf_op_log_stop,
	.cpu_info = perf_op_cpu_info,
	.read_self = perf_op_read_self,
	.get_msr = perf_op_get_msr,
	.now = perf_op_now,
	.finished = perf_op_finished,
};
