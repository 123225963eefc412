// SPDX-License-Identifier: BSD-2-Clause
/* The log of a PMC owner: what libpmc itself writes to it, beside what the collector does. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/address.h"
#include "base/open_files.h"
#include "base/proc_text.h"
#include "pmc/pmcint.h"

enum {
	CPUTYPE_GENERIC = 0x400,
	TICKS_A_SECOND = 1000000000,
	STATS_WAIT = 100000000, /* ns */
};

/* The flags that FreeBSD knows; a log carries no others. */
#define LOG_FLAGS                                                                       \
	(PMC_F_DESCENDANTS | PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT | PMC_F_CALLCHAIN | \
	 PMC_F_USERCALLCHAIN)

/* Takes the value of key from a line of /proc/cpuinfo, "key\t: value", the first time. */
static void take_value(const char *line, const char *key, char *value, size_t size)
{
	size_t len = strlen(key);
	const char *colon;

	if (value[0] || strncmp(line, key, len) || !(colon = strchr(line + len, ':')) ||
	    line[len + strspn(line + len, " \t")] != ':')
		return;
	colon += 1 + strspn(colon + 1, " \t");
	snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
}

/* "GenuineIntel-6-9E-A" on x86, "0x41-0xd0c-r3p1" on ARM, else the machine's name. */
static void cpu_text(char *text, size_t size, const char *machine)
{
	char line[256], vendor[32] = "", family[16] = "", model[16] = "", step[16] = "";
	char maker[16] = "", part[16] = "", variant[16] = "", revision[16] = "";
	FILE *f = fopen("/proc/cpuinfo", "re");

	/* The first CPU's paragraph ends with an empty line. */
	while (f && fgets(line, sizeof(line), f) && line[0] != '\n') {
		take_value(line, "vendor_id", vendor, sizeof(vendor));
		take_value(line, "cpu family", family, sizeof(family));
		take_value(line, "model", model, sizeof(model));
		take_value(line, "stepping", step, sizeof(step));
		take_value(line, "CPU implementer", maker, sizeof(maker));
		take_value(line, "CPU part", part, sizeof(part));
		take_value(line, "CPU variant", variant, sizeof(variant));
		take_value(line, "CPU revision", revision, sizeof(revision));
	}
	if (f)
		fclose(f);
	if (vendor[0] && family[0])
		snprintf(text, size, "%s-%s-%lX-%lX", vendor, family, strtoul(model, NULL, 10),
			 strtoul(step, NULL, 10));
	else if (maker[0] && part[0])
		snprintf(text, size, "%s-%s-r%lup%lu", maker, part, strtoul(variant, NULL, 0),
			 strtoul(revision, NULL, 0));
	else
		snprintf(text, size, "%s", machine);
}

/* A record's time.  The log_lock is held. */
static uint64_t now(struct pmcint *s)
{
	return s->collector.ops->now(&s->collector);
}

static void set_if_null(const char **field, const char *text)
{
	if (!*field)
		*field = text;
}

/* The texts of this machine. */
struct machine {
	struct utsname uts;
	char cpuid[72], boot_id[64];
};

/* Says what this machine is, where the collector has said nothing. */
static void complete_origin(const struct pmcint *s, struct machine *m, struct pmclog_origin *origin)
{
	memset(&m->uts, 0, sizeof(m->uts));
	uname(&m->uts);
	cpu_text(m->cpuid, sizeof(m->cpuid), m->uts.machine);
	proc_read_boot_id("", m->boot_id, sizeof(m->boot_id));
	set_if_null(&origin->cpuid, m->cpuid);
	set_if_null(&origin->host, m->uts.nodename);
	set_if_null(&origin->release, m->uts.release);
	set_if_null(&origin->machine, m->uts.machine);
	set_if_null(&origin->boot_id, m->boot_id);
	set_if_null(&origin->command, s->command);
	set_if_null(&origin->collector, s->collector.ops->name);
}

static int write_initialize(struct pmcint *s, struct err *err)
{
	struct pmclog_origin origin = {.cputype = CPUTYPE_GENERIC, .tsc_freq = TICKS_A_SECOND};
	struct machine machine;

	if (s->collector.ops->log_origin(&s->collector, &origin, err))
		return -1;
	complete_origin(s, &machine, &origin);
	pthread_mutex_lock(&s->collector.log_lock);
	pmclog_write_initialize(s->collector.writer, now(s), &origin);
	pthread_mutex_unlock(&s->collector.log_lock);
	return 0;
}

void pmcint_log_alloc(struct pmcint *s, const struct pmc *pmc)
{
	struct pmclog_alloc alloc = {
		.pmcid = pmc->id,
		.event = pmc->event.number,
		.flags = pmc->flags & LOG_FLAGS,
		.frequency = pmc->flags & PMC_F_FREQUENCY,
		.rate = PMC_IS_SAMPLING_MODE(pmc->mode) ? pmc->rate : 0,
		.name = pmc->event.name,
		.spec = pmc->event.spec,
	};

	if (!s->collector.writer)
		return;
	if (pmc->flags & PMC_F_CALLCHAIN)
		alloc.max_depth = pmc->max_depth;
	pthread_mutex_lock(&s->collector.log_lock);
	pmclog_write_allocatedyn(s->collector.writer, now(s), &alloc);
	pthread_mutex_unlock(&s->collector.log_lock);
}

void pmcint_log_attach(struct pmcint *s, const struct pmc *pmc, pid_t pid)
{
	char link[64], path[PATH_MAX];
	ssize_t n;

	if (!s->collector.writer)
		return;
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	pthread_mutex_lock(&s->collector.log_lock);
	pmclog_write_attach(s->collector.writer, now(s), pmc->id, (uint32_t)pid, path);
	pthread_mutex_unlock(&s->collector.log_lock);
}

void pmcint_log_detach(struct pmcint *s, const struct pmc *pmc, pid_t pid)
{
	if (!s->collector.writer)
		return;
	pthread_mutex_lock(&s->collector.log_lock);
	pmclog_write_detach(s->collector.writer, now(s), pmc->id, (uint32_t)pid, NULL);
	pthread_mutex_unlock(&s->collector.log_lock);
}

int pmcint_log_userdata(struct pmcint *s, uint32_t userdata, struct err *err)
{
	if (s->collector.ops->log)
		return s->collector.ops->log->userdata(&s->collector, userdata, err);
	pthread_mutex_lock(&s->collector.log_lock);
	pmclog_write_userdata(s->collector.writer, now(s), userdata);
	pthread_mutex_unlock(&s->collector.log_lock);
	return 0;
}

static bool is_standard_output(int fd)
{
	struct stat log, out;

	return !fstat(fd, &log) && !fstat(STDOUT_FILENO, &out) && log.st_dev == out.st_dev &&
	       log.st_ino == out.st_ino;
}

/* What the log's messages call it: the path behind fd, or where a connection or pipe leads. */
static void name_of_fd(int fd, char *name, size_t size)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, name, size - 1);
	name[n > 0 ? n : 0] = '\0';
	if (*name == '/' || address_of_peer(fd, name, size))
		return;
	if (is_standard_output(fd))
		snprintf(name, size, "standard output");
	else if (!*name)
		snprintf(name, size, "the log");
}

static void forget_writer(struct pmcint *s)
{
	struct pmclog_writer *w = s->collector.writer;

	pthread_mutex_lock(&s->collector.log_lock);
	s->closed.bytes += pmclog_writer_bytes(w);
	s->closed.dropped += pmclog_writer_dropped(w);
	if (!s->closed.error)
		s->closed.error = pmclog_writer_errno(w);
	s->collector.writer = NULL;
	pthread_mutex_unlock(&s->collector.log_lock);
	pmclog_writer_free(w);
	close(s->log_fd);
}

static int flush_writer(struct pmcint *s, struct err *err)
{
	int ret;

	pthread_mutex_lock(&s->collector.log_lock);
	ret = pmclog_writer_flush(s->collector.writer, err);
	pthread_mutex_unlock(&s->collector.log_lock);
	return ret;
}

/* The caller may close fd, whose number then soon is another file's: the log has its own. */
static int own_fd(int fd, const char *name, struct err *err)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	return own >= 0 ? own
			: open_files_fail(err, EX_OSERR, "%s: cannot duplicate descriptor %d", name,
					  fd);
}

static int new_writer(struct pmcint *s, int fd, struct err *err)
{
	struct pmclog_writer *w;
	char name[PATH_MAX];

	name_of_fd(fd, name, sizeof(name));
	s->log_fd = own_fd(fd, name, err);
	if (s->log_fd < 0)
		return -1;
	w = s->collector.writer = pmclog_writer_new(s->log_fd, name, err);
	if (w && s->log_version == 10)
		pmclog_writer_use_version_10(w);
	if (w && !pmclog_writer_compress(w, s->compression, err) &&
	    !(s->rotates && pmclog_writer_will_rotate(w, err)))
		return 0;
	pmclog_writer_free(s->collector.writer);
	s->collector.writer = NULL;
	close(s->log_fd);
	return -1;
}

static int open_writer(struct pmcint *s, int fd, struct err *err)
{
	struct pmc_collector *c = &s->collector;
	struct pmcint_pmc **p;
	pid_t *pid;

	if (new_writer(s, fd, err))
		return -1;
	if (write_initialize(s, err)) {
		forget_writer(s);
		return -1;
	}
	vec_each(p, &s->pmcs) {
		pmcint_log_alloc(s, &(*p)->pmc);
		vec_each(pid, &(*p)->pmc.targets)
			pmcint_log_attach(s, &(*p)->pmc, *pid);
	}
	/* A log that cannot be written is found out here, before anything runs. */
	if (flush_writer(s, err) || c->ops->log_start(c, err)) {
		forget_writer(s);
		return -1;
	}
	return 0;
}

/* The kernel knows one way to write a log. */
static int refuse_rotation(struct err *err)
{
	err_set(err, EX_UNAVAILABLE,
		"the module writes the log itself, and cannot go on in another file");
	return err_hint(err, "--collector=perf does it; of a log of the module, pmclog cut makes "
			     "several");
}

static int refuse_compression(struct err *err)
{
	err_set(err, EX_UNAVAILABLE, "the module writes the log itself, and cannot compress it");
	return err_hint(err, "-O - | pmclog compress - FILE does it, --collector=perf too");
}

static int refuse_version(unsigned int version, struct err *err)
{
	err_set(err, EX_UNAVAILABLE, "the module writes the log itself, and not in version %u",
		version);
	return err_hint(err,
			"pmclog convert --version %u makes one of its log; --collector=perf "
			"writes it",
			version);
}

int pmcint_log_open(struct pmcint *s, int fd, struct err *err)
{
	struct pmclog_origin origin = {0};
	struct pmc_collector *c = &s->collector;
	struct machine machine;
	int ret;

	if (c->ops->log && s->compression != PMCLOG_COMPRESS_NONE)
		return refuse_compression(err);
	if (c->ops->log && s->log_version == 10)
		return refuse_version(s->log_version, err);
	if (c->ops->log && s->rotates)
		return refuse_rotation(err);
	if (c->ops->log) {
		complete_origin(s, &machine, &origin);
		ret = c->ops->log->open(c, fd, &origin, err);
	} else {
		ret = open_writer(s, fd, err);
	}
	c->logging = !ret;
	return ret;
}

int pmcint_log_flush(struct pmcint *s, struct err *err)
{
	const struct pmc_collector_ops *ops = s->collector.ops;

	return ops->log ? ops->log->flush(&s->collector, err) : ops->log_flush(&s->collector, err);
}

int pmcint_log_rotate(struct pmcint *s, int fd, struct err *err)
{
	struct pmc_collector *c = &s->collector;
	char name[PATH_MAX];
	int own, old = s->log_fd, failed;
	uint64_t until;

	name_of_fd(fd, name, sizeof(name));
	own = own_fd(fd, name, err);
	if (own < 0)
		return -1;
	pthread_mutex_lock(&c->log_lock);
	until = c->ops->log_turn ? c->ops->log_turn(c) : now(s);
	failed = pmclog_writer_rotate(c->writer, own, name, until, err);
	pthread_mutex_unlock(&c->log_lock);
	s->log_fd = own;
	close(old);
	return failed;
}

static int close_writer(struct pmcint *s, struct err *err)
{
	struct pmc_collector *c = &s->collector;
	int ret = c->ops->log_stop(c, err);

	pthread_mutex_lock(&c->log_lock);
	pmclog_write_closelog(c->writer, now(s));
	pthread_mutex_unlock(&c->log_lock);
	/* The first failure is the one to tell. */
	if (flush_writer(s, ret ? NULL : err))
		ret = -1;
	forget_writer(s);
	return ret;
}

int pmcint_log_close(struct pmcint *s, struct err *err)
{
	struct pmc_collector *c = &s->collector;

	c->logging = false;
	return c->ops->log ? c->ops->log->close(c, err) : close_writer(s, err);
}

void pmcint_log_stats(struct pmcint *s, struct pmc_log_stats *stats)
{
	struct pmclog_writer *w = s->collector.writer;
	struct timespec until;

	if (s->collector.ops->log) {
		s->collector.ops->log->stats(&s->collector, stats);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += STATS_WAIT;
	until.tv_sec += until.tv_nsec / TICKS_A_SECOND;
	until.tv_nsec %= TICKS_A_SECOND;
	if (pthread_mutex_timedlock(&s->collector.log_lock, &until)) {
		*stats = s->told;
		return;
	}
	*stats = s->collector.stats;
	stats->bytes = s->closed.bytes + (w ? pmclog_writer_bytes(w) : 0);
	stats->dropped = s->closed.dropped + (w ? pmclog_writer_dropped(w) : 0);
	stats->error = s->closed.error;
	if (w && !stats->error)
		stats->error = pmclog_writer_errno(w);
	s->told = *stats;
	pthread_mutex_unlock(&s->collector.log_lock);
}
