// SPDX-License-Identifier: BSD-2-Clause
/*
 * The collector over /dev/hwpmc, the kernel module of src/kdrv: hwpmc(4).  The module has the PMCs
 * of this process, and its own thread writes the log; all that is here is what it is asked.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kdrv/hwpmc.h"
#include "pmc/collector.h"
#include "pmc/hwpmc/hwpmc_errors.h"

enum { DEPTH_MAX = 127 };

/* Numbers are handed on as they are; flags have one name in both headers. */
_Static_assert((int)PMC_DISP_STANDALONE == (int)HWPMC_DISP_STANDALONE, "one numbering");
_Static_assert((int)PMC_DISP_FREE == (int)HWPMC_DISP_FREE, "one numbering");
_Static_assert((int)PMC_DISP_THREAD == (int)HWPMC_DISP_THREAD, "one numbering");
_Static_assert((unsigned int)PMC_CLASS_MAX == HWPMC_CLASS_MAX, "one limit");

struct hwpmc {
	int fd;
	struct hwpmc_cpuinfo cpus;
	struct pmc_log_stats closed; /* of the logs before this one */
	struct pmc_log_stats told;   /* of this log, when it was last asked */
};

/* What the module was told of a PMC's rate. */
struct hwpmc_pmc {
	uint64_t rate;
};

static struct hwpmc *session(const struct pmc_collector *c)
{
	return c->priv;
}

/* Asks the module: 0 or an errno value. */
static int ask(const struct pmc_collector *c, unsigned long request, void *args)
{
	return ioctl(session(c)->fd, request, args) < 0 ? errno : 0;
}

static int check_version(int fd, struct err *err)
{
	const hwpmc_u32 minor = HWPMC_VERSION_MINOR;
	hwpmc_u32 version;

	if (ioctl(fd, HWPMC_GETMODULEVERSION, &version) < 0)
		return hwpmc_errors_other(err, errno, "the version of the module hwpmc");
	if (version >> 16 == HWPMC_VERSION_MAJOR && (version & 0xFFFF) >= minor)
		return 0;
	err_set(err, EX_UNAVAILABLE,
		"the module hwpmc that is loaded speaks version %u.%u, and this program %u.%u",
		version >> 16, version & 0xFFFF, HWPMC_VERSION_MAJOR, minor);
	return err_hint(err, "load the module that came with this program; " HWPMC_USE_PERF);
}

static int hwpmc_op_open(struct pmc_collector *c, const char *arg, struct err *err)
{
	struct hwpmc *s;

	if (arg[0])
		return err_set(err, EX_USAGE,
			       "the collector \"hwpmc\" takes no argument, not \"%s\"", arg);
	s = calloc(1, sizeof(*s));
	if (!s)
		return err_nomem(err);
	s->fd = open(HWPMC_DEVICE, O_RDWR | O_CLOEXEC);
	if (s->fd < 0) {
		hwpmc_errors_open(err, errno);
	} else if (!check_version(s->fd, err)) {
		if (!ioctl(s->fd, HWPMC_GETCPUINFO, &s->cpus) &&
		    s->cpus.nclass <= HWPMC_CLASS_MAX) {
			c->priv = s;
			return 0;
		}
		hwpmc_errors_other(err, errno, "the classes of counters");
	}
	if (s->fd >= 0)
		close(s->fd);
	free(s);
	return -1;
}

static void hwpmc_op_close(struct pmc_collector *c)
{
	close(session(c)->fd);
	free(c->priv);
	c->priv = NULL;
}

static int try_allocate(const struct pmc_collector *c, struct pmc *pmc)
{
	const struct pmc_eventspec *e = &pmc->event;
	struct hwpmc_allocate args = {
		.mode = pmc->mode,
		.pm_class = e->pm_class,
		/* No counter is ever shared. */
		.flags = pmc->flags & ~PMC_F_NO_SHARING,
		.cpu = pmc->cpu,
		.event = e->number,
		.type = e->type,
		/* Who wants all frames gets those that the module's callchaindepth allows. */
		.depth = pmc->max_depth < DEPTH_MAX ? pmc->max_depth : 0,
		.config = e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.count = pmc->rate,
		.precise = e->precise,
	};
	int error;

	if (e->exclude_user)
		args.flags |= HWPMC_F_EXCL_USER;
	if (e->exclude_kernel)
		args.flags |= HWPMC_F_EXCL_KERNEL;
	memcpy(args.name, e->name, strnlen(e->name, sizeof(args.name) - 1));
	memcpy(args.spec, e->spec, strnlen(e->spec, sizeof(args.spec) - 1));
	error = ask(c, HWPMC_PMCALLOCATE, &args);
	if (!error)
		pmc->id = args.id;
	return error;
}

/*
 * Who may not look into the kernel profiles user code alone, and the event's name says so; as the
 * collector "perf" does.
 */
static int allocate(const struct pmc_collector *c, struct pmc *pmc)
{
	struct pmc_eventspec *e = &pmc->event;
	size_t n = strlen(e->name);
	int error = try_allocate(c, pmc);

	if ((error != EPERM && error != EACCES) || PMC_IS_SYSTEM_MODE(pmc->mode) ||
	    e->exclude_kernel || e->exclude_user || n + 2 >= sizeof(e->name))
		return error;
	e->exclude_kernel = true;
	if (pmc_event_heeds_modes(e, pmc->mode))
		strcpy(e->name + n, ":u");
	if (!try_allocate(c, pmc))
		return 0;
	e->exclude_kernel = false;
	e->name[n] = '\0';
	return error;
}

/* What the module cannot be asked for. */
static int check_event(const struct pmc *pmc, struct err *err)
{
	const struct pmc_eventspec *e = &pmc->event;
	const char *what = NULL;

	if (e->exclusive)
		what = "keeps no PMC alone on a CPU";
	else if (e->hypervisor || e->host || e->guest)
		what = "does not tell host, guests and hypervisor apart";
	else if (e->not_idle && PMC_IS_SYSTEM_MODE(pmc->mode))
		what = "does not tell the idle task apart";
	if (!what)
		return 0;
	err_fail(err, EOPNOTSUPP, "%s: the collector \"hwpmc\" %s", e->spec, what);
	return err_hint(err, "leave that modifier out; " HWPMC_USE_PERF);
}

static int hwpmc_op_allocate(struct pmc_collector *c, struct pmc *pmc, struct err *err)
{
	struct hwpmc_pmc *p;
	int error;

	if (check_event(pmc, err))
		return -1;
	p = calloc(1, sizeof(*p));
	if (!p)
		return err_nomem(err);
	if (pmc->unwind == PMC_UNWIND_DWARF || pmc->unwind == PMC_UNWIND_OFF) {
		free(p);
		err_fail(err, EOPNOTSUPP,
			 "%s: the collector \"hwpmc\" finds callers by frame pointer alone",
			 pmc->event.spec);
		return err_hint(err, "--unwind=fp, or --collector perf");
	}
	error = allocate(c, pmc);
	if (error) {
		free(p);
		return hwpmc_errors_allocate(err, error, pmc);
	}
	p->rate = pmc->rate;
	pmc->priv = p;
	return 0;
}

static void hwpmc_op_release(struct pmc_collector *c, struct pmc *pmc)
{
	hwpmc_u32 id = pmc->id;

	ask(c, HWPMC_PMCRELEASE, &id);
	free(pmc->priv);
}

static int hwpmc_op_attach(struct pmc_collector *c, struct pmc *pmc, pid_t pid, struct err *err)
{
	struct hwpmc_attach args = {.id = pmc->id, .pid = pid};
	int error = ask(c, HWPMC_PMCATTACH, &args);

	return error ? hwpmc_errors_attach(err, error, pmc, pid) : 0;
}

static int hwpmc_op_detach(struct pmc_collector *c, struct pmc *pmc, pid_t pid, struct err *err)
{
	struct hwpmc_attach args = {.id = pmc->id, .pid = pid};
	int error = ask(c, HWPMC_PMCDETACH, &args);

	return error ? hwpmc_errors_attach(err, error, pmc, pid) : 0;
}

/* The rate may have been set since the module was told. */
static int update_rate(struct pmc_collector *c, const struct pmc *pmc, struct err *err)
{
	struct hwpmc_setcount args = {.id = pmc->id, .count = pmc->rate};
	struct hwpmc_pmc *p = pmc->priv;
	int error;

	if (PMC_IS_COUNTING_MODE(pmc->mode) || pmc->rate == p->rate)
		return 0;
	error = ask(c, HWPMC_PMCSETCOUNT, &args);
	if (error)
		return hwpmc_errors_rate(err, error, pmc);
	p->rate = pmc->rate;
	return 0;
}

static int hwpmc_op_start(struct pmc_collector *c, struct pmc *pmc, struct err *err)
{
	hwpmc_u32 id = pmc->id;
	int error;

	if (update_rate(c, pmc, err))
		return -1;
	error = ask(c, HWPMC_PMCSTART, &id);
	return error ? hwpmc_errors_start(err, error, pmc) : 0;
}

static int hwpmc_op_stop(struct pmc_collector *c, struct pmc *pmc, struct err *err)
{
	hwpmc_u32 id = pmc->id;
	int error = ask(c, HWPMC_PMCSTOP, &id);

	return error ? hwpmc_errors_pmc(err, error, pmc, "stopped") : 0;
}

static int hwpmc_op_read(struct pmc_collector *c, struct pmc *pmc, struct pmc_count *count,
			 struct err *err)
{
	struct hwpmc_rw args = {.id = pmc->id, .flags = PMC_F_OLDVALUE};
	int error = ask(c, HWPMC_PMCRW, &args);

	if (error)
		return hwpmc_errors_pmc(err, error, pmc, "read");
	count->value = args.value;
	count->enabled = args.enabled;
	count->running = args.running;
	return 0;
}

static int hwpmc_op_write(struct pmc_collector *c, struct pmc *pmc, uint64_t value, struct err *err)
{
	struct hwpmc_rw args = {.id = pmc->id, .flags = PMC_F_NEWVALUE, .value = value};
	int error = ask(c, HWPMC_PMCRW, &args);

	return error ? hwpmc_errors_pmc(err, error, pmc, "written") : 0;
}

static int hwpmc_op_cpu_info(struct pmc_collector *c, struct pmc_cpuinfo *info, struct err *err)
{
	const struct hwpmc_cpuinfo *cpus = &session(c)->cpus;
	uint32_t i;

	(void)err;
	info->pm_cputype = (enum pmc_cputype)cpus->cputype;
	info->pm_ncpu = cpus->ncpu;
	info->pm_npmc = cpus->npmc;
	info->pm_nclass = cpus->nclass;
	for (i = 0; i < cpus->nclass; i++)
		info->pm_classes[i] = (struct pmc_classinfo){
			.pm_class = (enum pmc_class)cpus->classes[i].pm_class,
			.pm_caps = cpus->classes[i].caps,
			.pm_width = cpus->classes[i].width,
			.pm_num = cpus->classes[i].num,
		};
	return 0;
}

static void take_row(const struct hwpmc_rowinfo *row, struct pmc_info *info)
{
	*info = (struct pmc_info){
		.pm_class = (enum pmc_class)row->pm_class,
		.pm_enabled = row->enabled != 0,
		.pm_rowdisp = (enum pmc_disp)row->disposition,
		.pm_ownerpid = row->owner,
		.pm_mode = (enum pmc_mode)row->mode,
		.pm_event = (enum pmc_event)row->event,
		.pm_flags = row->flags,
		.pm_reloadcount = row->rate,
	};
	memcpy(info->pm_name, row->name, strnlen(row->name, sizeof(row->name) - 1));
}

static int hwpmc_op_pmc_info(struct pmc_collector *c, int cpu, struct pmc_info *info,
			     uint32_t nrows, struct err *err)
{
	struct hwpmc_rowinfo *rows = calloc(nrows, sizeof(*rows));
	struct hwpmc_pmcinfo args = {.cpu = cpu, .nrows = nrows, .rows = (uintptr_t)rows};
	int error = rows ? ask(c, HWPMC_GETPMCINFO, &args) : ENOMEM;
	uint32_t i;

	for (i = 0; i < nrows && !error; i++)
		take_row(&rows[i], &info[i]);
	free(rows);
	return error ? hwpmc_errors_other(err, error, "the counters of a CPU") : 0;
}

static int hwpmc_op_admin(struct pmc_collector *c, int cpu, uint32_t row, bool enable,
			  struct err *err)
{
	struct hwpmc_admin args = {.cpu = cpu, .row = row, .enable = enable};
	int error = ask(c, HWPMC_PMCADMIN, &args);

	return error ? hwpmc_errors_admin(err, error, cpu, row, enable) : 0;
}

static int hwpmc_op_driver_stats(struct pmc_collector *c, struct pmc_driverstats *stats,
				 struct err *err)
{
	struct hwpmc_driverstats all;
	int error = ask(c, HWPMC_GETDRIVERSTATS, &all);

	if (error)
		return hwpmc_errors_other(err, error, "the module's statistics");
	*stats = (struct pmc_driverstats){
		.pm_intr_ignored = (unsigned int)all.intr_ignored,
		.pm_intr_processed = (unsigned int)all.intr_processed,
		.pm_intr_bufferfull = (unsigned int)all.intr_bufferfull,
		.pm_syscalls = (unsigned int)all.syscalls,
		.pm_syscall_errors = (unsigned int)all.syscall_errors,
		.pm_buffer_requests = (unsigned int)all.buffer_requests,
		.pm_buffer_requests_failed = (unsigned int)all.buffer_requests_failed,
		.pm_log_sweeps = (unsigned int)all.log_sweeps,
		.pm_records_lost = (unsigned int)all.records_lost,
		.pm_starved = (unsigned int)all.starved,
		.pm_uncounted = (unsigned int)all.threads_missed,
		.pm_throttled = (unsigned int)all.intr_throttled,
	};
	return 0;
}

static int hwpmc_op_get_msr(struct pmc_collector *c, struct pmc *pmc, uint32_t *msr,
			    struct err *err)
{
	struct hwpmc_getmsr args = {.id = pmc->id};
	int error = ask(c, HWPMC_PMCGETMSR, &args);

	*msr = args.msr;
	return error ? hwpmc_errors_pmc(err, error, pmc, "read by RDPMC") : 0;
}

static int hwpmc_op_kgmon(struct pmc_collector *c, struct pmc *pmc, struct pmc_kgmon **histogram,
			  struct err *err)
{
	struct hwpmc_kgmon args = {.id = pmc->id};
	int error = ask(c, HWPMC_GETKGMON, &args); /* how many bins there are */
	struct pmc_kgmon *h = NULL;

	if (!error) {
		h = calloc(1, sizeof(*h) + args.nbins * sizeof(h->bins[0]));
		if (!h)
			return err_nomem(err);
		args.bins = (uintptr_t)h->bins;
		error = ask(c, HWPMC_GETKGMON, &args);
	}
	if (error) {
		free(h);
		return hwpmc_errors_pmc(err, error, pmc, "read");
	}
	h->low = args.low;
	h->outside = args.outside;
	h->width = args.bin;
	h->nbins = (uint32_t)args.nbins;
	*histogram = h;
	return 0;
}

static int hwpmc_log_open(struct pmc_collector *c, int fd, const struct pmclog_origin *origin,
			  struct err *err)
{
	uint8_t trailer[PMCLOG_MAX_RECORD];
	struct hwpmc_configurelog args = {
		.fd = fd,
		.trailer_length = (uint32_t)pmclog_origin_trailer(origin, trailer),
		.trailer = (uintptr_t)trailer,
	};
	int error;

	memcpy(args.cpuid, origin->cpuid, strnlen(origin->cpuid, sizeof(args.cpuid) - 1));
	error = ask(c, HWPMC_CONFIGURELOG, &args);
	return error ? hwpmc_errors_log(err, error) : 0;
}

static int hwpmc_log_flush(struct pmc_collector *c, struct err *err)
{
	int error = ask(c, HWPMC_FLUSHLOG, NULL);

	return error ? hwpmc_errors_log(err, error) : 0;
}

/* Asks what the log has come to; while there is none, that is known already. */
static void update_stats(struct pmc_collector *c)
{
	struct pmc_log_stats *told = &session(c)->told;
	struct hwpmc_logstats stats;

	if (ask(c, HWPMC_GETLOGSTATS, &stats))
		return;
	told->samples = stats.samples;
	told->drops[PMCLOG_DROP_RING] = stats.lost;
	told->drops[PMCLOG_DROP_RECORD] = stats.records_lost;
	told->drops[PMCLOG_DROP_THROTTLE] = stats.throttled;
	told->drops[PMCLOG_DROP_STARVED] = stats.starved;
	told->drops[PMCLOG_DROP_UNCOUNTED] = stats.threads_missed;
	told->drops[PMCLOG_DROP_HIDDEN] = stats.hidden;
	told->drops[PMCLOG_DROP_LATE_CPU] = stats.late_cpus;
	told->paused = stats.paused;
	told->truncated = stats.truncated;
	told->dropped = stats.dropped;
	told->bytes = stats.bytes;
	told->error = stats.error;
}

/* All logs together. */
static struct pmc_log_stats total(const struct hwpmc *s)
{
	struct pmc_log_stats sum = s->closed;
	unsigned int i;

	sum.samples += s->told.samples;
	for (i = 0; i < PMC_LOG_CAUSES; i++)
		sum.drops[i] += s->told.drops[i];
	sum.paused += s->told.paused;
	sum.truncated += s->told.truncated;
	sum.dropped += s->told.dropped;
	sum.bytes += s->told.bytes;
	if (!sum.error)
		sum.error = s->told.error;
	return sum;
}

static void hwpmc_log_stats(struct pmc_collector *c, struct pmc_log_stats *stats)
{
	update_stats(c);
	*stats = total(session(c));
}

/* What a closed log came to cannot be asked: all is written first.  CLOSELOG follows. */
static int hwpmc_log_close(struct pmc_collector *c, struct err *err)
{
	struct hwpmc *s = session(c);
	int error = ask(c, HWPMC_FLUSHLOG, NULL), error_of_close;

	update_stats(c);
	error_of_close = ask(c, HWPMC_CLOSELOG, NULL);
	if (!error_of_close)
		s->told.bytes += sizeof(struct pmclog_wire_header);
	s->closed = total(s);
	memset(&s->told, 0, sizeof(s->told));
	/* The first failure is the one to tell; a signal that came is none, if all was written. */
	if (!error || error == EINTR)
		error = error_of_close;
	return error ? hwpmc_errors_log(err, error) : 0;
}

static int hwpmc_log_userdata(struct pmc_collector *c, uint32_t userdata, struct err *err)
{
	hwpmc_u32 word = userdata;
	int error = ask(c, HWPMC_WRITELOG, &word);

	return error ? hwpmc_errors_log(err, error) : 0;
}

static const struct pmc_log_ops log_ops = {
	.open = hwpmc_log_open,
	.flush = hwpmc_log_flush,
	.close = hwpmc_log_close,
	.userdata = hwpmc_log_userdata,
	.stats = hwpmc_log_stats,
};

const struct pmc_collector_ops pmc_collector_hwpmc = {
	.name = "hwpmc",
	.summary = "/dev/hwpmc, the kernel module: exact, and without a share of time",
	.open = hwpmc_op_open,
	.close = hwpmc_op_close,
	.allocate = hwpmc_op_allocate,
	.release = hwpmc_op_release,
	.attach = hwpmc_op_attach,
	.detach = hwpmc_op_detach,
	.start = hwpmc_op_start,
	.stop = hwpmc_op_stop,
	.read = hwpmc_op_read,
	.write = hwpmc_op_write,
	.log = &log_ops,
	.cpu_info = hwpmc_op_cpu_info,
	.pmc_info = hwpmc_op_pmc_info,
	.admin = hwpmc_op_admin,
	.driver_stats = hwpmc_op_driver_stats,
	.get_msr = hwpmc_op_get_msr,
	.kgmon = hwpmc_op_kgmon,
};
