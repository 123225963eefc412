// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmclog/drops.h"
#include "pmcstat/analyse.h"
#include "pmcstat/count.h"
#include "pmcstat/default_event.h"
#include "pmcstat/exec_watch.h"
#include "pmcstat/kgmon.h"
#include "pmcstat/live.h"
#include "pmcstat/option_modes.h"
#include "pmcstat/record.h"
#include "pmcstat/say.h"
#include "pmcstat/sharing.h"
#include "pmcstat/status.h"
#include "pmcstat/target.h"
#include "pmcstat/top/top.h"

/* Seconds between two looks for processes that match -t: at most, and at least. */
#define LOOK_INTERVAL 1
#define LOOK_SOON     0.05

/* CPU seconds in which a command is sampled at any sensible rate. */
#define WORTH_TELLING 0.05

struct recording {
	const struct options *options;
	const char *log_file; /* -O, or own_log; NULL: none, or not yet */
	char own_log[DEFAULT_LOG_SIZE];
	target_list targets;
	VEC(pmc_id_t) pmcs;
	VEC(pmc_id_t) leaders;	   /* those of pmcs that are no members of groups */
	int log_fd;		   /* the log file, or the writing end of live's pipe; -1 before */
	struct live *live;	   /* NULL when the log goes to a file */
	struct top *top;	   /* -T; then there is no live */
	struct counting *counting; /* NULL: nothing is counted */
	bool can_block;		   /* -O is a pipe or the like, whose reader may stop to read */
	bool logging;		   /* libpmc writes to log_fd */
	int signal_fd;
	sigset_t enders; /* the signals that end a recording */
	sigset_t heard;	 /* those of signal_fd: enders, and what wakes run() */
	double ended;	   /* the command; monotonic seconds */
	double began, end; /* monotonic seconds: when it ran, when -l is over; 0: not yet, never */
	struct status_line status;
	int command_status;	     /* of wait(2) */
	struct rusage command_usage; /* with that of its children */
	double children_seconds;     /* of command_usage, at the kernel's clock ticks */
	bool command_gone;
	bool released;	      /* what is recorded runs */
	unsigned int signals; /* that asked to stop */
	bool by_name;	      /* -t has a regular expression */
	double last_look;     /* for more processes of -t; monotonic seconds */
	bool looks_soon;      /* one may have appeared */
	int exec_fd;	      /* of exec_watch_open(); -1: not there */
	bool told_missed;     /* that one of them could not be attached to */
	bool stop;
};

static void ignore(int sig)
{
	(void)sig;
}

/*
 * hwpmc(4) sends SIGIO when the last target of a PMC has gone and when the log has failed: it wakes
 * run(), which looks for both, and must not kill us before.  A handler, unlike an ignored signal,
 * is not inherited by the command.
 */
static void outlive_sigio(void)
{
	struct sigaction sa = {.sa_handler = ignore, .sa_flags = SA_RESTART};

	sigaction(SIGIO, &sa, NULL);
}

/* Signals are read from a descriptor, so that none interrupts the closing of a log. */
static int open_signals(struct recording *rec, struct err *err)
{
	struct sigaction old;

	sigaddset(&rec->enders, SIGINT);
	sigaddset(&rec->enders, SIGTERM);
	/* nohup(1) means it; shells have every background job ignore SIGINT. */
	if (!sigaction(SIGHUP, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaddset(&rec->enders, SIGHUP);
	signal(SIGINT, SIG_DFL);
	rec->heard = rec->enders;
	sigaddset(&rec->heard, SIGCHLD);
	sigaddset(&rec->heard, SIGIO);
	sigprocmask(SIG_BLOCK, &rec->heard, NULL);
	/* A closed pipe and a file size limit are errors of write(2), to be reported. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	rec->signal_fd = signalfd(-1, &rec->heard, SFD_CLOEXEC | SFD_NONBLOCK);
	return rec->signal_fd < 0 ? err_set(err, EX_OSERR, "signalfd: %s", strerror(errno)) : 0;
}

/* Opens the file of -O, if there is one. */
static int open_log(struct recording *rec, struct err *err)
{
	const char *file = rec->options->write_log;
	struct stat st;

	if (rec->options->keeps_log) {
		file = rec->own_log;
		rec->log_fd = default_log_create(rec->own_log, err);
	} else if (file) {
		rec->log_fd = !strcmp(file, "-")
				      ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
				      : open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (rec->log_fd < 0)
			err_set(err, EX_CANTCREAT, "%s: %s", file, strerror(errno));
	} else {
		return 0;
	}
	if (rec->log_fd < 0)
		return -1;
	rec->log_file = file;
	rec->can_block = fstat(rec->log_fd, &st) || !S_ISREG(st.st_mode);
	if (rec->can_block && (rec->options->outputs.n || rec->options->dump || rec->top)) {
		err_set(err, EX_USAGE, "%s is not a file that outputs can be made from", file);
		return err_hint(err, "leave -O out to have outputs and no log");
	}
	/* Counts show it to be alive. */
	if (!rec->options->quiet && strcmp(file, "-") != 0 &&
	    (!rec->counting || rec->options->count_file))
		status_start(&rec->status);
	return 0;
}

/* leader: of the group that the PMC is a member of; PMC_ID_INVALID: it leads, or is alone. */
static int allocate_one(struct recording *rec, const struct pmc_request *r, int cpu,
			pmc_id_t leader)
{
	uint32_t flags = r->flags;
	struct err err = {0};
	pmc_id_t id;

	if (rec->options->command && PMC_IS_VIRTUAL_MODE(r->mode))
		flags |= PMC_F_START_ON_EXEC;
	if (flags & PMC_F_LOG_PROCEXIT && !rec->options->no_arguments)
		flags |= PMC_F_LOG_ARGUMENTS;
	if (rec->options->no_sharing)
		flags |= PMC_F_NO_SHARING;
	if (rec->options->kgmon)
		flags = PMC_F_KGMON | (flags & PMC_F_FREQUENCY);
	if (r->member ? pmc_allocate_member(leader, r->spec, &id, r->rate)
		      : pmc_allocate(r->spec, r->mode, flags, cpu, &id, r->rate))
		return say_pmc_error();
	if (vec_push(&rec->pmcs, id) || (!r->member && vec_push(&rec->leaders, id))) {
		err_nomem(&err);
		return say_error(&err);
	}
	if (PMC_IS_COUNTING_MODE(r->mode) && counting_add(rec->counting, id, r, &err))
		return say_error(&err);
	return 0;
}

/* A PMC, and those that are members of its group. */
static int allocate_group(struct recording *rec, const struct pmc_request *r, int cpu)
{
	const struct pmc_request *end = rec->options->requests.v + rec->options->requests.n;
	int status = allocate_one(rec, r, cpu, PMC_ID_INVALID);
	pmc_id_t leader;

	if (status)
		return status;
	leader = rec->pmcs.v[rec->pmcs.n - 1];
	while (++r < end && r->member && !status)
		status = allocate_one(rec, r, cpu, leader);
	return status;
}

/* One PMC in process scope, one for each CPU in system scope. */
static int allocate(struct recording *rec, const struct pmc_request *r)
{
	const uint32_t *cpu;
	int i, status = 0, n = pmc_ncpu();

	if (r->member)
		return 0;
	if (PMC_IS_VIRTUAL_MODE(r->mode))
		return allocate_group(rec, r, PMC_CPU_ANY);
	if (r->cpus.n) {
		vec_each(cpu, &r->cpus)
			if (!status)
				status = allocate_group(rec, r, (int)*cpu);
		return status;
	}
	for (i = 0; i < n && !status; i++)
		if (pmc_cpu_is_online(i))
			status = allocate_group(rec, r, i);
	return status;
}

static int find_targets(struct recording *rec, struct err *err)
{
	const char *const *t;

	if (rec->options->command)
		return target_prepare_command(&rec->targets, rec->options->command, err);
	vec_each(t, &rec->options->targets)
		rec->by_name |= target_is_regex(*t);
	/* It wakes us for every fork of the machine, so it is opened for those that need it. */
	if (rec->by_name)
		rec->exec_fd = exec_watch_open();
	vec_each(t, &rec->options->targets) {
		if (target_find(&rec->targets, *t, err))
			return -1;
	}
	return 0;
}

static bool is_process_pmc(pmc_id_t id)
{
	return PMC_IS_VIRTUAL_MODE((enum pmc_mode)PMC_ID_TO_MODE(id));
}

/* A target that was found by its name and has exited since is missed only when it was the last. */
static int attach(struct recording *rec)
{
	size_t left = rec->targets.n;
	struct target *t;
	const pmc_id_t *id;

	vec_each(id, &rec->leaders) {
		if (!is_process_pmc(*id))
			continue;
		vec_each(t, &rec->targets) {
			if (t->gone || !pmc_attach(*id, t->pid))
				continue;
			if (!t->by_name || errno != ESRCH || !--left)
				return say_pmc_error();
			t->gone = true;
		}
	}
	return 0;
}

static int start_pmcs(struct recording *rec)
{
	const pmc_id_t *id;

	vec_each(id, &rec->leaders) {
		if (pmc_start(*id))
			return say_pmc_error();
	}
	return 0;
}

/* Whether a file, or with X_OK a directory, can be written or made; if not, err says so. */
static int check_writable(const char *path, int mode, struct err *err)
{
	char dir[PATH_MAX];

	if (!strcmp(path, "-") || !eaccess(path, mode))
		return 0;
	snprintf(dir, sizeof(dir), "%s", path);
	if (errno != ENOENT || eaccess(dirname(dir), W_OK | X_OK))
		return err_set(err, EX_CANTCREAT, "%s: %s", path, strerror(errno));
	return 0;
}

/* An output is written at the end, when it is too late to find that its file cannot be made. */
static int check_outputs(const struct options *options, struct err *err)
{
	const char *map = options->output_options.gmon_map;
	const struct output_request *r;

	vec_each(r, &options->outputs)
		if (check_writable(r->file, W_OK, err))
			return -1;
	if (options->count_file && check_writable(options->count_file, W_OK, err))
		return -1;
	if (options->gmon_dir && check_writable(options->gmon_dir, W_OK | X_OK, err))
		return -1;
	if (options->kgmon && check_writable(options->kgmon, W_OK, err))
		return -1;
	return map ? check_writable(map, W_OK, err) : 0;
}

/* Has the log shown where that is wanted, and with no file to write it to, written there. */
static int start_showing(struct recording *rec, struct err *err)
{
	if (rec->options->kgmon ||
	    (!options_have(rec->options, mode_is_sampling) && !options_log_counts(rec->options)))
		return 0;
	if (rec->top)
		return top_start(rec->top, &rec->log_fd, err);
	if (!rec->log_file && !(rec->live = live_start(rec->options, &rec->log_fd, err)))
		return -1;
	return 0;
}

/* From nothing to running PMCs.  0, or an exit status after having said why. */
static int start(struct recording *rec)
{
	const struct pmc_request *r;
	struct err err = {0};
	int status;

	if (check_outputs(rec->options, &err))
		return say_error(&err);
	if (options_have(rec->options, mode_is_counting) &&
	    !(rec->counting = counting_new(rec->options, &err)))
		return say_error(&err);
	/* A command must not have the terminal. */
	if (rec->options->top && !(rec->top = top_open(rec->options, &err)))
		return say_error(&err);
	if (find_targets(rec, &err))
		return say_error(&err);
	vec_each(r, &rec->options->requests) {
		if ((status = allocate(rec, r)))
			return status;
	}
	if ((status = attach(rec)))
		return status;
	/*
	 * Only now, so that a recording that cannot be does not cost an old log; and before signals
	 * are blocked, so that one ends us while we wait for the reader of a fifo.
	 */
	if (open_log(rec, &err) || (rec->counting && counting_open(rec->counting, &err)) ||
	    open_signals(rec, &err) || start_showing(rec, &err))
		return say_error(&err);
	if (rec->log_fd >= 0) {
		if (pmc_configure_logfile(rec->log_fd))
			return say_pmc_error();
		rec->logging = true;
	}
	if ((status = start_pmcs(rec)))
		return status;
	if (rec->options->command &&
	    target_release_command(rec->targets.v, rec->options->command[0], &err))
		return say_error(&err);
	rec->released = true;
	rec->began = status_now();
	if (rec->counting)
		counting_begin(rec->counting);
	if (rec->options->duration > 0)
		rec->end = status_now() + rec->options->duration;
	return 0;
}

static void reap(struct recording *rec)
{
	siginfo_t info = {0};

	/* What tells of children goes with the process. */
	if (rec->options->command && !rec->command_gone &&
	    !waitid(P_PID, (id_t)rec->targets.v->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
	    info.si_pid)
		rec->children_seconds = target_children_seconds(rec->targets.v->pid);
	if (rec->options->command && !rec->command_gone &&
	    wait4(rec->targets.v->pid, &rec->command_status, WNOHANG, &rec->command_usage) ==
		    rec->targets.v->pid)
		rec->command_gone = rec->stop = true;
	if (rec->command_gone && rec->ended <= 0)
		rec->ended = status_now();
}

/*
 * Ctrl-C reaches the command from the terminal, a signal to us alone is passed on; either way the
 * recording goes on until the command has ended, or until a second signal.
 */
static void take_signal(struct recording *rec, const struct signalfd_siginfo *info)
{
	if (info->ssi_signo == SIGCHLD) {
		reap(rec);
		return;
	}
	if (info->ssi_signo == SIGIO)
		return;
	rec->signals++;
	if (!rec->options->command || rec->command_gone || rec->signals > 1)
		rec->stop = true;
	else if (info->ssi_code <= 0)
		kill(rec->targets.v->pid, (int)info->ssi_signo);
}

static void read_signals(struct recording *rec)
{
	struct signalfd_siginfo info;

	while (read(rec->signal_fd, &info, sizeof(info)) == sizeof(info))
		take_signal(rec, &info);
}

/* Whether signals that end a recording end us at once. */
static void let_signals_kill(struct recording *rec, bool kills)
{
	read_signals(rec);
	sigprocmask(kills ? SIG_UNBLOCK : SIG_BLOCK, &rec->enders, NULL);
}

/* Attaches what runs to a process that has appeared. */
static int attach_late(const struct recording *rec, pid_t pid)
{
	const pmc_id_t *id;

	vec_each(id, &rec->leaders)
		if (is_process_pmc(*id) && pmc_attach_running(*id, pid))
			return -1;
	return 0;
}

/*
 * Gives up processes of -t that have exited, and with them their descriptors; what descends from
 * one is still recorded by its PMCs.
 */
static void drop_exited(struct recording *rec)
{
	const struct pmc_request *r;
	const pmc_id_t *id;
	size_t i;

	vec_each(r, &rec->options->requests)
		if (r->flags & PMC_F_DESCENDANTS)
			return;
	for (i = rec->targets.n; i-- > 0;) {
		const struct target *t = &rec->targets.v[i];

		if (!t->by_name || !target_has_exited(t))
			continue;
		vec_each(id, &rec->leaders)
			if (is_process_pmc(*id))
				pmc_detach(*id, t->pid);
		target_remove(&rec->targets, i);
	}
}

/* When to look next for processes that match -t by now; INFINITY: never. */
static double next_look(const struct recording *rec)
{
	if (!rec->by_name)
		return INFINITY;
	return rec->last_look + (rec->looks_soon ? LOOK_SOON : LOOK_INTERVAL);
}

/* They become targets. */
static void look_for_targets(struct recording *rec)
{
	const char *const *t;
	bool missed;
	size_t i;

	rec->looks_soon |= rec->exec_fd >= 0 && exec_watch_heard(rec->exec_fd);
	if (status_now() < next_look(rec))
		return;
	rec->last_look = status_now();
	rec->looks_soon = false;
	drop_exited(rec);
	i = rec->targets.n;
	vec_each(t, &rec->options->targets)
		target_find_more(&rec->targets, *t, NULL);
	for (; i < rec->targets.n; i++) {
		if (!attach_late(rec, rec->targets.v[i].pid))
			continue;
		missed = errno != ESRCH;
		rec->targets.v[i].gone = true;
		if (!missed || rec->told_missed)
			continue;
		status_end(&rec->status);
		say_pmc_error();
		rec->told_missed = true;
	}
}

/* Whether -t's processes have all exited. */
static bool targets_are_gone(const struct recording *rec)
{
	const struct target *t;

	if (rec->options->command || !rec->options->targets.n)
		return false;
	vec_each(t, &rec->targets) {
		if (!t->gone && !target_has_exited(t))
			return false;
	}
	return true;
}

static int poll_timeout(const struct recording *rec)
{
	/* Half a second: the status line, and whether -t's processes still run. */
	double left = fmin(0.5, next_look(rec) - status_now());

	if (rec->end > 0)
		left = fmin(left, rec->end - status_now());
	if (rec->counting)
		left = fmin(left, counting_wait(rec->counting));
	return left > 0 ? (int)(left * 1000) + 1 : 0;
}

/* Writes a line of counts when it is time.  Whether the recording can go on. */
static bool count(struct recording *rec)
{
	if (!rec->counting || counting_wait(rec->counting) > 0)
		return true;
	status_end(&rec->status);
	return !counting_line(rec->counting);
}

/* Waits for the end. */
static void run(struct recording *rec)
{
	reap(rec);
	while (!rec->stop) {
		struct pollfd p[] = {{.fd = rec->signal_fd, .events = POLLIN},
				     {.fd = rec->exec_fd, .events = POLLIN}};
		struct pmc_log_stats stats;

		if (rec->top)
			rec->stop |= top_wait(rec->top, rec->signal_fd, poll_timeout(rec));
		else
			poll(p, 2, poll_timeout(rec));
		read_signals(rec);
		pmc_get_log_stats(&stats);
		status_update(&rec->status, &stats);
		look_for_targets(rec);
		rec->stop |= stats.error != 0 || pmc_finished() || targets_are_gone(rec) ||
			     (rec->end > 0 && status_now() >= rec->end);
		rec->stop |= !rec->stop && !count(rec);
	}
}

static void tell_pauses(const struct pmc_log_stats *s)
{
	uint64_t throttled = s->drops[PMCLOG_DROP_THROTTLE];

	if (s->paused)
		say("the kernel paused PMCs %" PRIu64 " times, for %.1f ms in all, because samples "
		    "came too fast; see kernel.perf_event_max_sample_rate",
		    throttled, (double)s->paused / 1e6);
	else if (throttled)
		say("the kernel paused a PMC %" PRIu64 " times because samples came too fast; see "
		    "kernel.perf_event_max_sample_rate",
		    throttled);
}

/* What was lost, in one sentence each. */
static void tell_losses(const struct pmc_log_stats *s)
{
	uint64_t all = s->samples + pmclog_drops_with(s->drops, PMCLOG_DROP_RING);
	const struct pmclog_cause *c;
	struct sink *text;

	for (c = pmclog_causes; c < pmclog_causes + pmclog_ncauses; c++) {
		if (c->cause == PMCLOG_DROP_THROTTLE)
			tell_pauses(s);
		if (!c->sentence || !s->drops[c->cause] || !(text = sink_to_memory()))
			continue;
		pmclog_cause_write(text, c->sentence, s->drops[c->cause], all);
		say("%s", sink_text(text, NULL));
		sink_free(text);
	}
	if (s->late_cpus)
		say("%" PRIu64
		    " CPUs came online while the recording went on: nothing was sampled there",
		    s->late_cpus);
	if (s->dropped)
		say("%" PRIu64 " samples could not be written to the log", s->dropped);
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

/* Children that were waited for are in the time, and may be all of it. */
static void tell_unsampled(const char *command, double seconds, double children, bool descends)
{
	if (children <= 0)
		say("no samples of %s, which used %.2f s of CPU time", command, seconds);
	else
		say("no samples of %s, which used %.2f s of CPU time, %.2f s of it in its "
		    "children%s",
		    command, seconds, children, descends ? "" : "; -d samples those too");
}

/* A command that ran and was never sampled: an empty profile does not say why. */
static void tell_nothing(const struct recording *rec)
{
	const struct options *o = rec->options;
	double seconds =
		seconds_of(&rec->command_usage.ru_utime) + seconds_of(&rec->command_usage.ru_stime);
	const struct pmc_request *r;
	bool descends = true;
	const char *why;

	if (!o->command || options_have(o, mode_is_system) || !options_have(o, mode_is_sampling))
		return;
	vec_each(r, &o->requests)
		descends &= (r->flags & PMC_F_DESCENDANTS) != 0;
	if ((why = target_why_hidden(o->command[0])))
		say("no samples of %s: it is %s, and the kernel takes the PMCs from such a program "
		    "when it starts",
		    o->command[0], why);
	else if (seconds >= WORTH_TELLING)
		tell_unsampled(o->command[0], seconds, rec->children_seconds, descends);
}

/* How often a PMC samples; 0: not by time. */
static uint64_t nanoseconds_of(const struct pmc_request *r)
{
	struct cg_event e = {.whole = r->spec, .rate = r->rate};

	if (!e.rate && pmc_default_rate(r->spec, &e.rate))
		return 0;
	e.frequency = (r->flags & PMC_F_FREQUENCY) != 0;
	return cg_event_nanoseconds(&e);
}

/* A clock begins anew in each process: one that ends before its first sample is never seen. */
static void tell_short_processes(const struct recording *rec, uint64_t samples)
{
	const struct pmc_request *r = rec->options->requests.v;
	double used = seconds_of(&rec->command_usage.ru_utime), shown;
	uint64_t period;

	if (!rec->command_gone || rec->options->requests.n != 1 || r->mode != PMC_MODE_TS ||
	    !(r->flags & PMC_F_DESCENDANTS) || strstr(r->spec, ":k"))
		return;
	period = nanoseconds_of(r);
	shown = (double)samples * (double)period / 1e9;
	if (!period || shown > used / 2 || used - shown < WORTH_TELLING)
		return;
	say("%" PRIu64 " samples stand for %.2f s of the %.2f s that %s and its children ran in "
	    "user mode: a process is only sampled after %g ms on a CPU",
	    samples, shown, used, rec->options->command[0], (double)period / 1e6);
	say("hint: a smaller -n, or -S, samples short processes too");
}

/* The last counts.  0, or an exit status after having said why. */
static int finish_counting(struct recording *rec)
{
	const struct options *o = rec->options;
	const char *why;
	int status;

	if (!rec->counting || !rec->released)
		return 0;
	status_end(&rec->status);
	status = counting_finish(rec->counting);
	if (o->command && counting_missed_processes(rec->counting) &&
	    (why = target_why_hidden(o->command[0])))
		say("nothing was counted of %s: it is %s, and the kernel takes the PMCs from such "
		    "a program when it starts",
		    o->command[0], why);
	return status;
}

/* Writes the file of --kgmon.  0, or an exit status after having said why. */
static int save_kgmon(const struct recording *rec)
{
	const struct options *o = rec->options;
	struct err err = {0};

	if (!o->kgmon || !rec->released)
		return 0;
	return kgmon_write(o->kgmon, rec->pmcs.v, rec->pmcs.n, nanoseconds_of(o->requests.v), &err)
		       ? say_error(&err)
		       : 0;
}

/* Closes the log.  0, or an exit status after having said why. */
static int close_log(struct recording *rec)
{
	struct pmc_log_stats stats = {0};
	int status = 0, failed = rec->logging && pmc_close_logfile();
	uint64_t taken;
	bool shared;

	pmc_get_log_stats(&stats);
	status_end(&rec->status);
	if (failed)
		status = say_pmc_error();
	/* Only close tells of a delayed failure. */
	if (close(rec->log_fd) && !status) {
		say("%s: %s", rec->log_file, strerror(errno));
		status = EX_IOERR;
	}
	tell_losses(&stats);
	shared = sharing_tell(rec->pmcs.v, rec->pmcs.n);
	if (shared)
		return status;
	taken = stats.samples + pmclog_drops_with(stats.drops, PMCLOG_DROP_RING);
	if (!status && !taken && rec->released)
		tell_nothing(rec);
	else if (!status && rec->released)
		tell_short_processes(rec, taken);
	return status;
}

static void tell_partial(void)
{
	struct pmc_log_stats stats;

	if (!pmc_get_log_stats(&stats) && stats.partial)
		say("%" PRIu64 " threads were created just while their process was attached to: "
		    "some of what they did may be missing",
		    stats.partial);
}

/* Stops the PMCs and closes the log.  0, or an exit status after having said why. */
static int finish(struct recording *rec)
{
	int status, counted;
	const pmc_id_t *id;

	/* A reader that never reads would hold us for ever. */
	if (rec->can_block || rec->counting)
		let_signals_kill(rec, true);
	vec_each(id, &rec->leaders)
		pmc_stop(*id);
	counted = finish_counting(rec);
	status = rec->log_fd >= 0 ? close_log(rec) : save_kgmon(rec);
	let_signals_kill(rec, false);
	tell_partial();
	vec_each(id, &rec->leaders)
		pmc_release(*id);
	return status ? status : counted;
}

/* A command that we leave behind unreleased must not stay. */
static void end_command(struct recording *rec)
{
	struct target *t = rec->targets.v;

	if (!rec->options->command || !rec->targets.n || rec->command_gone)
		return;
	close(t->release_fd);
	t->release_fd = -1;
	waitpid(t->pid, &rec->command_status, 0);
}

/* When the log has failed the command goes on in the foreground, as its user expects. */
static void wait_for_command(struct recording *rec)
{
	while (rec->options->command && !rec->command_gone && rec->signals < 2) {
		poll(&(struct pollfd){.fd = rec->signal_fd, .events = POLLIN}, 1, -1);
		read_signals(rec);
	}
}

static int exit_status(const struct recording *rec)
{
	if (!rec->options->command || !rec->command_gone)
		return EX_OK;
	if (WIFSIGNALED(rec->command_status))
		return 128 + WTERMSIG(rec->command_status);
	return WEXITSTATUS(rec->command_status);
}

/* The last of top: what was recorded, and why that has ended. */
static int finish_top(struct recording *rec, bool log_failed)
{
	char why[64] = "the recording has ended";
	int status;

	if (log_failed)
		snprintf(why, sizeof(why), "the log could not be written");
	else if (rec->command_gone)
		snprintf(why, sizeof(why), "the command has ended with status %d",
			 exit_status(rec));
	/* Who stopped the recording needs not be told. */
	if (rec->signals)
		return top_finish(rec->top, -1, NULL);
	/* A command or target that ends from now on does not end the last screen. */
	signalfd(rec->signal_fd, &rec->enders, 0);
	status = top_finish(rec->top, rec->signal_fd, why);
	signalfd(rec->signal_fd, &rec->heard, 0);
	return status;
}

/* Where the log of a recording is that named none, and how much of its time the command ran. */
static void tell_end(const struct recording *rec)
{
	const struct rusage *u = &rec->command_usage;
	const double user = seconds_of(&u->ru_utime), system = seconds_of(&u->ru_stime);

	if (!rec->own_log[0] || rec->options->quiet)
		return;
	if (rec->command_gone)
		say("%s ran for %.2f s: on a CPU %.2f s (user %.2f, system %.2f); the log is %s",
		    rec->options->command[0], rec->ended - rec->began, user + system, user, system,
		    rec->own_log);
	else
		say("the log is %s", rec->own_log);
}

static int record_all(struct recording *rec)
{
	int failed = start(rec), closed, shown = 0;

	if (failed)
		end_command(rec);
	else
		run(rec);
	if (rec->top)
		top_ends(rec->top);
	closed = finish(rec);
	if (rec->top && !failed)
		shown = finish_top(rec, closed);
	top_close(rec->top);
	if (closed && !failed)
		wait_for_command(rec);
	/* A report may take long: a signal ends it as it ends any program. */
	let_signals_kill(rec, true);
	if (rec->live)
		shown = live_finish(rec->live, !failed);
	if (failed && rec->own_log[0])
		unlink(rec->own_log);
	if (!failed && !closed && rec->log_file &&
	    (rec->options->outputs.n || rec->options->dump)) {
		tell_end(rec);
		shown = analyse_log(rec->options, rec->log_file);
	}
	if (failed || closed || shown)
		return failed ? failed : closed ? closed : shown;
	return exit_status(rec);
}

/* What the log says of the command line. */
static char *join(int argc, char **argv)
{
	size_t len = 1;
	char *text;
	int i;

	for (i = 0; i < argc; i++)
		len += strlen(argv[i]) + 1;
	if (!(text = calloc(1, len)))
		return NULL;
	for (i = 0; i < argc; i++) {
		strcat(text, i ? " " : "");
		strcat(text, argv[i]);
	}
	return text;
}

/* After pmc_init(). */
static void name_default_event(struct options *options)
{
	struct pmc_request *r;

	vec_each(r, &options->requests)
		if (!r->spec)
			r->spec = default_event();
}

int record(struct options *options, int argc, char **argv)
{
	struct recording rec = {.options = options, .log_fd = -1, .signal_fd = -1, .exec_fd = -1};
	char *command = join(argc, argv);
	int status;

	outlive_sigio();
	if (!command || pmc_set_collector(options->collector) || pmc_set_command(command) ||
	    (options->depth && pmc_set_callchain_depth(options->depth)) ||
	    pmc_set_unwind(options->unwind) || pmc_init()) {
		status = say_pmc_error();
	} else {
		name_default_event(options);
		status = record_all(&rec);
	}
	free(command);
	if (rec.signal_fd >= 0)
		close(rec.signal_fd);
	if (rec.exec_fd >= 0)
		close(rec.exec_fd);
	counting_free(rec.counting);
	target_list_free(&rec.targets);
	vec_free(&rec.pmcs);
	vec_free(&rec.leaders);
	return status;
}
