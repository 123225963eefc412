// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/held_files.h"
#include "base/open_files.h"
#include "base/same_file.h"
#include "base/shell_word.h"
#include "pmclog/drops.h"
#include "pmcstat/analyse.h"
#include "pmcstat/record/count.h"
#include "pmcstat/record/default_event.h"
#include "pmcstat/record/kgmon.h"
#include "pmcstat/record/live.h"
#include "pmcstat/log_file.h"
#include "pmcstat/log_socket.h"
#include "pmcstat/options/option_modes.h"
#include "pmcstat/output_files.h"
#include "pmcstat/record/record.h"
#include "pmcstat/record/record_command.h"
#include "pmcstat/record/record_pmcs.h"
#include "pmcstat/record/record_remarks.h"
#include "pmcstat/record/record_signals.h"
#include "pmcstat/record/record_targets.h"
#include "pmcstat/push/push.h"
#include "pmcstat/record/rotation.h"
#include "pmcstat/say.h"
#include "pmcstat/record/sharing.h"
#include "pmcstat/status.h"
#include "pmcstat/top/top.h"

struct recording {
	const struct record_options *options;
	const struct count_options *count;
	const struct report_options *report;
	const struct action_options *action;
	const char *log_file; /* -O, or own_log; NULL: none, or not yet */
	char own_log[DEFAULT_LOG_SIZE];
	struct record_command command;
	struct record_targets targets;
	struct record_pmcs pmcs;
	struct record_signals signals;
	struct rotated_log files;  /* --rotate */
	bool rotate_now;	   /* a signal asks for it */
	bool lost, was_lost;	   /* there is no connection; there was none once */
	bool cut_off;		   /* that, or none for the next file; and it is said */
	int failed;		   /* exit status: the log could not go on; 0: it could */
	int log_fd;		   /* the log file, or the writing end of live's pipe; -1 before */
	struct live *live;	   /* NULL when the log goes to a file */
	struct top *top;	   /* -T; then there is no live */
	struct push *push;	   /* --push; neither is there then */
	struct counting *counting; /* NULL: nothing is counted */
	bool can_block;		   /* -O is a pipe or the like, whose reader may stop to read */
	bool logging;		   /* libpmc writes to log_fd */
	double end;		   /* monotonic seconds: when -l is over; 0: never */
	struct status_line status;
	bool released;	    /* what is recorded runs */
	unsigned int asked; /* to stop, by so many signals */
	bool stop;
};

static bool rotates(const struct recording *rec)
{
	return rotation_is_asked(&rec->options->rotation);
}

/* Whether the log goes to another host. */
static bool is_sent(const struct recording *rec)
{
	const struct record_options *o = rec->options;

	return o->log && !o->keeps_log && log_socket_is(o->log);
}

/* A copy of standard output, which the log is closed with. */
static int open_standard_output(struct err *err)
{
	int mode = fcntl(STDOUT_FILENO, F_GETFL);
	int fd;

	if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY)
		return err_set(err, EX_CANTCREAT, "standard output is not open for writing");
	fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (fd < 0)
		open_files_fail(err, EX_CANTCREAT, "standard output");
	return fd;
}

typedef int check_output_fn(const struct recording *rec, const char *file, struct err *err);

/* Has the files of all outputs checked: 0, or -1 at the first that is refused. */
static int check_outputs(const struct recording *rec, check_output_fn *check, struct err *err)
{
	const struct report_options *report = rec->report;
	const char *const others[] = {rec->count->file, rec->options->kgmon, report->text_file,
				      report->output.gmon_map};
	const struct output_request *r;
	size_t i;

	vec_each(r, &report->outputs)
		if (check(rec, r->file, err))
			return -1;
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i] && check(rec, others[i], err))
			return -1;
	return 0;
}

/* An output is written at the end, when it is too late to find that its file cannot be made. */
static int check_writable(const struct recording *rec, const char *file, struct err *err)
{
	(void)rec;
	return output_file_check(file, W_OK, err);
}

/* A log that is not named by its user got its name just now. */
static int check_no_log(const struct recording *rec, const char *file, struct err *err)
{
	if (!is_same_file(file, rec->log_file))
		return 0;
	err_set(err, EX_USAGE, "%s: an output would overwrite the log of this recording", file);
	return err_hint(err, "give the output another name");
}

/* Opens the file or the connection of -O, if there is one. */
static int open_log(struct recording *rec, struct err *err)
{
	const char *file = rec->options->log;
	struct stat st;

	if (rec->options->keeps_log) {
		file = rec->own_log;
		rec->log_fd = default_log_create(rec->own_log, err);
	} else if (rotates(rec)) {
		file = rec->files.path;
		rec->log_fd = rotated_log_create(&rec->files, err);
	} else if (file && is_sent(rec)) {
		rec->log_fd = log_socket_open(file, err);
	} else if (file && !strcmp(file, "-")) {
		rec->log_fd = open_standard_output(err);
	} else if (file) {
		rec->log_fd = log_file_open(file, err);
	} else {
		return 0;
	}
	if (rec->log_fd < 0)
		return -1;
	rec->log_file = file;
	if ((rec->options->keeps_log || rotates(rec)) && check_outputs(rec, check_no_log, err))
		return -1;
	rec->can_block = fstat(rec->log_fd, &st) || !S_ISREG(st.st_mode);
	if (rec->can_block && (rec->report->outputs.n || rec->action->dump || rec->top)) {
		err_set(err, EX_USAGE, "%s is not a file that outputs can be made from", file);
		return err_hint(err, "name a file, or leave -O out to have outputs and no log");
	}
	/* Counts show it to be alive. */
	if (!rec->report->quiet && strcmp(file, "-") != 0 && (!rec->counting || rec->count->file))
		status_start(&rec->status);
	return 0;
}

/* Has the log shown where that is wanted, and with no file to write it to, written there. */
static int start_showing(struct recording *rec, struct err *err)
{
	if (rec->options->kgmon ||
	    (!options_have(rec->options, mode_is_sampling) && !options_log_counts(rec->options)))
		return 0;
	/* Names are looked up at the end, when files may be gone. */
	if (rec->top || rec->push || rec->report->outputs.n)
		held_files_begin();
	if (rec->top)
		return top_start(rec->top, rec->log_file, &rec->log_fd, err);
	if (rec->push)
		return push_start(rec->push, &rec->log_fd, err);
	if (!rec->log_file && !(rec->live = live_start(rec->report, &rec->log_fd, err)))
		return -1;
	return 0;
}

/* Forks the command, and finds what -t names. */
static int find_targets(struct recording *rec, struct err *err)
{
	int failed = record_targets_find(&rec->targets, rec->options, err);

	if (rec->options->command && rec->targets.list.n)
		rec->command.pid = rec->targets.list.v->pid;
	return failed;
}

/* From nothing to running PMCs.  0, or an exit status after having said why. */
static int start(struct recording *rec)
{
	const char *gmon_dir = rec->report->gmon_dir;
	struct err err = {0};
	int status;

	if (check_outputs(rec, check_writable, &err) ||
	    (gmon_dir && output_file_check(gmon_dir, W_OK | X_OK, &err)))
		return say_error(&err);
	if (options_have(rec->options, mode_is_counting) &&
	    !(rec->counting = counting_new(rec->count, &err)))
		return say_error(&err);
	/* A command must not have the terminal. */
	if (rec->action->top && !(rec->top = top_open(rec->report, rec->count->interval, &err)))
		return say_error(&err);
	if (rec->options->push.url &&
	    !(rec->push = push_open(&rec->options->push, rec->report, rec->count->interval, &err)))
		return say_error(&err);
	if (find_targets(rec, &err))
		return say_error(&err);
	if ((status = record_pmcs_allocate(&rec->pmcs, rec->options, rec->counting)) ||
	    (status = record_targets_attach(&rec->targets, &rec->pmcs)))
		return status;
	/*
	 * Only now, so that a recording that cannot be does not cost an old log; and before signals
	 * are blocked, so that one ends us while we wait for the reader of a fifo.
	 */
	if (open_log(rec, &err) || (rec->counting && counting_open(rec->counting, &err)) ||
	    record_signals_open(&rec->signals, rotates(rec), &err) || start_showing(rec, &err))
		return say_error(&err);
	if (rec->log_fd >= 0) {
		if (pmc_configure_logfile(rec->log_fd))
			return say_pmc_error();
		rec->logging = true;
		rotated_log_begins(&rec->files, rec->log_fd);
	}
	if ((status = record_pmcs_start(&rec->pmcs)))
		return status;
	record_command_begins(&rec->command);
	if (rec->command.name &&
	    target_release_command(rec->targets.list.v, rec->command.name, &err))
		return say_error(&err);
	rec->released = true;
	if (rec->counting)
		counting_begin(rec->counting);
	if (rec->options->duration > 0)
		rec->end = status_now() + rec->options->duration;
	return 0;
}

static void look_at_command(struct recording *rec)
{
	rec->stop |= record_command_has_ended(&rec->command);
}

/*
 * Ctrl-C reaches the command from the terminal, a signal to us alone is passed on; either way the
 * recording goes on until the command has ended, or until a second signal.
 */
static void take_signal(struct recording *rec, const struct signalfd_siginfo *info)
{
	if (info->ssi_signo == SIGCHLD) {
		look_at_command(rec);
		return;
	}
	if (info->ssi_signo == SIGUSR2)
		rec->rotate_now = true;
	if (info->ssi_signo == SIGIO || info->ssi_signo == SIGUSR2)
		return;
	rec->asked++;
	if (!rec->command.name || rec->command.gone || rec->asked > 1)
		rec->stop = true;
	else if (info->ssi_code <= 0)
		kill(rec->command.pid, (int)info->ssi_signo);
}

static void read_signals(struct recording *rec)
{
	struct signalfd_siginfo info;

	while (record_signals_read(&rec->signals, &info))
		take_signal(rec, &info);
}

/* Whether signals that end a recording end us at once. */
static void let_signals_kill(struct recording *rec, bool kills)
{
	read_signals(rec);
	record_signals_kill(&rec->signals, kills);
}

/* Whether -t's processes have all exited. */
static bool targets_are_gone(const struct recording *rec)
{
	return !rec->command.name && rec->options->targets.n &&
	       record_targets_are_gone(&rec->targets);
}

static int poll_timeout(const struct recording *rec)
{
	/* Half a second: the status line, and whether -t's processes still run. */
	double left = fmin(0.5, record_targets_next_look(&rec->targets) - status_now());

	if (rec->end > 0)
		left = fmin(left, rec->end - status_now());
	if (rec->counting)
		left = fmin(left, counting_wait(rec->counting));
	if (rotates(rec))
		left = fmin(left, rotated_log_wait(&rec->files));
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

/* Closes a file of the log.  Only that tells of a delayed failure: false, after it is said. */
static bool close_file(struct recording *rec, const char *name)
{
	const bool sent = is_sent(rec);

	if (!(sent ? log_socket_close(rec->log_fd) : close(rec->log_fd)))
		return true;
	status_end(&rec->status);
	say("%s: %s%s", name, sent ? "the end of the log has not arrived: " : "", strerror(errno));
	return false;
}

/* Says once that no connection is there, or none for the next file. */
static void tell_cut_off(struct recording *rec, const char *what, const char *then)
{
	if (rec->cut_off)
		return;
	rec->cut_off = true;
	status_end(&rec->status);
	say("%s; %s", what, then);
}

/* There is no next file.  Whether the recording can go on: without a connection it can. */
static bool has_no_next(struct recording *rec, const struct err *err)
{
	if (is_sent(rec)) {
		tell_cut_off(rec, err->msg, "the connection that is there is kept");
		return true;
	}
	status_end(&rec->status);
	rec->failed = say_error(err);
	return false;
}

/* What is recorded from now on is lost until there is another connection. */
static void lose_connection(struct recording *rec, int error)
{
	char what[PATH_MAX + 128];

	if (rec->lost)
		return;
	rec->lost = rec->was_lost = true;
	rec->cut_off = false;
	rotated_log_pause(&rec->files);
	snprintf(what, sizeof(what), "%s: the connection is lost: %s", rec->files.path,
		 strerror(error));
	tell_cut_off(rec, what, "samples are, too, until there is another");
}

/* The next file could not be begun, or the last one not be ended.  Whether that ends it. */
static bool ends_by_failure(struct recording *rec, int fd)
{
	struct stat st;

	status_end(&rec->status);
	rec->failed = say_pmc_error();
	if (is_sent(rec)) {
		rec->failed = 0;
		return false;
	}
	if (!fstat(fd, &st) && !st.st_size)
		unlink(rec->files.path);
	close(fd);
	return true;
}

/* The log goes on in fd. */
static void take_next(struct recording *rec, int fd, const char *old, bool failed)
{
	struct pmc_log_stats stats;

	rotated_log_ended(&rec->files, rec->log_fd);
	if (rec->lost || failed)
		close(rec->log_fd);
	else if (!close_file(rec, old) && !is_sent(rec))
		rec->failed = EX_IOERR;
	rec->log_fd = fd;
	if (!rec->cut_off)
		return;
	rec->lost = rec->cut_off = false;
	pmc_get_log_stats(&stats);
	status_end(&rec->status);
	say("%s takes the log again; samples lost so far: %" PRIu64, rec->options->log,
	    stats.dropped);
}

/* Has the log go on in the next file when it is time.  Whether the recording can go on. */
static bool rotate(struct recording *rec, const struct pmc_log_stats *stats)
{
	bool failed;
	char old[PATH_MAX];
	struct err err = {0};
	int fd;

	if (!rotates(rec))
		return true;
	if (stats->error)
		lose_connection(rec, stats->error);
	if (!rotated_log_is_due(&rec->files, rec->log_fd, rec->lost || rec->rotate_now))
		return true;
	memcpy(old, rec->files.path, sizeof(old));
	fd = rotated_log_create(&rec->files, &err);
	if (fd < 0)
		return has_no_next(rec, &err);
	rec->rotate_now = false;
	failed = pmc_rotate_logfile(fd);
	if (failed && ends_by_failure(rec, fd))
		return false;
	take_next(rec, fd, old, failed);
	rotated_log_begins(&rec->files, fd);
	if (rotated_log_delete(&rec->files, &err))
		say_error(&err);
	return !rec->failed;
}

/* Whether the log cannot go on, or all that is recorded has gone. */
static bool is_over(const struct recording *rec, const struct pmc_log_stats *stats)
{
	return (stats->error && !(rotates(rec) && is_sent(rec))) || pmc_finished() ||
	       targets_are_gone(rec) || (rec->end > 0 && status_now() >= rec->end);
}

/* Waits for the end. */
static void run(struct recording *rec)
{
	look_at_command(rec);
	while (!rec->stop) {
		struct pollfd p[] = {{.fd = rec->signals.fd, .events = POLLIN},
				     {.fd = rec->targets.exec_fd, .events = POLLIN}};
		struct pmc_log_stats stats;

		if (rec->top)
			rec->stop |= top_wait(rec->top, rec->signals.fd, poll_timeout(rec));
		else if (rec->push)
			rec->stop |= push_wait(rec->push, rec->signals.fd, poll_timeout(rec));
		else
			poll(p, 2, poll_timeout(rec));
		read_signals(rec);
		pmc_get_log_stats(&stats);
		status_update(&rec->status, &stats);
		record_targets_look(&rec->targets, rec->options, &rec->pmcs, &rec->status);
		rec->stop |= is_over(rec, &stats);
		rec->stop |= !rec->stop && !(count(rec) && rotate(rec, &stats));
	}
}

/* The last counts.  0, or an exit status after having said why. */
static int finish_counting(struct recording *rec)
{
	if (!rec->counting || !rec->released)
		return 0;
	status_end(&rec->status);
	return counting_finish(rec->counting);
}

/* Writes the file of --kgmon.  0, or an exit status after having said why. */
static int save_kgmon(const struct recording *rec)
{
	const struct record_options *o = rec->options;
	struct err err = {0};

	if (!o->kgmon || !rec->released)
		return 0;
	return kgmon_write(o->kgmon, rec->pmcs.all.v, rec->pmcs.all.n,
			   record_pmc_nanoseconds(o->requests.v), &err)
		       ? say_error(&err)
		       : 0;
}

/* Closes the log.  0, or an exit status after having said why. */
static int close_log(struct recording *rec)
{
	struct pmc_log_stats stats = {0};
	int status, failed = rec->logging && pmc_close_logfile();
	bool shared;

	record_command_reap(&rec->command);
	pmc_get_log_stats(&stats);
	status_end(&rec->status);
	if (failed && !rec->failed)
		rec->failed = say_pmc_error();
	if (rec->failed)
		close(rec->log_fd);
	else if (!close_file(rec, rec->log_file))
		rec->failed = EX_IOERR;
	status = rec->failed;
	record_remarks_losses(&stats);
	if (rec->released)
		record_remarks_nameless(rec->options);
	if (rec->was_lost || (stats.error && is_sent(rec)))
		say("bytes that had arrived when the connection was lost are not counted here: "
		    "the receiver says how many of them it has not written, unless it was killed");
	shared = sharing_tell(rec->pmcs.all.v, rec->pmcs.all.n);
	if (shared)
		return status;
	if (!status && rec->released)
		record_remarks_few(rec->options, &rec->command, &stats, rec->pmcs.all.v[0]);
	if (!status && rec->released && !rec->report->quiet)
		record_remarks_asleep(rec->options, &stats, rec->pmcs.all.v, rec->pmcs.all.n);
	return status;
}

/* Stops the PMCs and closes the log.  0, or an exit status after having said why. */
static int finish(struct recording *rec)
{
	int status, counted;

	/* A reader that never reads would hold us for ever. */
	if (rec->can_block || rec->counting)
		let_signals_kill(rec, true);
	record_pmcs_stop(&rec->pmcs);
	counted = finish_counting(rec);
	status = rec->log_fd >= 0 ? close_log(rec) : save_kgmon(rec);
	record_command_reap(&rec->command);
	let_signals_kill(rec, false);
	if (rec->counting && rec->released && rec->command.gone &&
	    counting_has_processes(rec->counting))
		record_remarks_uncounted(&rec->command, counting_clock(rec->counting));
	record_remarks_partial();
	record_pmcs_release(&rec->pmcs);
	return status ? status : counted;
}

/* When the log has failed the command goes on in the foreground, as its user expects. */
static void wait_for_command(struct recording *rec)
{
	while (rec->command.name && !rec->command.gone && rec->asked < 2) {
		poll(&(struct pollfd){.fd = rec->signals.fd, .events = POLLIN}, 1, -1);
		read_signals(rec);
	}
	record_command_reap(&rec->command);
}

/* The last of top: what was recorded, and why that has ended. */
static int finish_top(struct recording *rec, bool log_failed)
{
	char why[64] = "the recording has ended";
	int status;

	if (log_failed)
		snprintf(why, sizeof(why), "the log could not be written");
	else if (rec->command.gone)
		snprintf(why, sizeof(why), "the command has ended with status %d",
			 record_command_status(&rec->command));
	/* Who stopped the recording needs not be told. */
	if (rec->asked)
		return top_finish(rec->top, -1, NULL);
	/* A command or target that ends from now on does not end the last screen. */
	record_signals_only_enders(&rec->signals, true);
	status = top_finish(rec->top, rec->signals.fd, why);
	record_signals_only_enders(&rec->signals, false);
	return status;
}

static int record_all(struct recording *rec)
{
	int failed = start(rec), closed, shown = 0;

	if (failed)
		record_command_abandon(&rec->command, rec->targets.list.v);
	else
		run(rec);
	if (rec->top)
		top_ends(rec->top);
	if (rec->push && !failed)
		push_ends(rec->push);
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
	if (rec->push && !failed)
		shown = push_finish(rec->push);
	push_close(rec->push);
	if (failed && rec->own_log[0])
		unlink(rec->own_log);
	if (failed && rec->files.last)
		unlink(rec->files.path);
	if (!failed && !closed && rec->log_file && (rec->report->outputs.n || rec->action->dump)) {
		if (rec->own_log[0] && !rec->report->quiet)
			record_remarks_end(&rec->command, rec->own_log);
		shown = analyse_log(rec->report, rec->log_file);
	}
	if (failed || closed || shown)
		return failed ? failed : closed ? closed : shown;
	return record_command_status(&rec->command);
}

/* What the log says of the command line: what a shell would be given; NULL: out of memory. */
static char *join(char **argv)
{
	struct sink *line = sink_to_memory();
	char *text = NULL;

	if (!line)
		return NULL;
	sink_shell_words(line, argv);
	if (!sink_flush(line))
		text = strdup(sink_text(line, NULL));
	sink_free(line);
	return text;
}

/* After pmc_init(). */
static void name_default_event(struct record_options *options)
{
	struct pmc_request *r;

	vec_each(r, &options->requests)
		if (!r->spec)
			r->spec = default_event();
}

int record(struct record_options *options, const struct count_options *count,
	   const struct report_options *report, const struct action_options *action, char **argv)
{
	struct recording rec = {
		.options = options,
		.count = count,
		.report = report,
		.action = action,
		.command.name = options->command ? options->command[0] : NULL,
		.targets.exec_fd = -1,
		.signals.fd = -1,
		.log_fd = -1,
		.files = {.name = options->log, .how = &options->rotation},
	};
	char *command = join(argv);
	int status;

	record_signals_outlive_io();
	if (!command || pmc_set_collector(options->collector) || pmc_set_command(command) ||
	    (options->depth && pmc_set_callchain_depth(options->depth)) ||
	    (options->compression && pmc_set_compression(options->compression)) ||
	    (options->log_version && pmc_set_log_version(options->log_version)) ||
	    pmc_set_rotation(rotation_is_asked(&options->rotation)) ||
	    pmc_set_unwind(options->unwind) || pmc_init()) {
		status = say_pmc_error();
	} else {
		name_default_event(options);
		status = record_all(&rec);
	}
	free(command);
	record_signals_close(&rec.signals);
	counting_free(rec.counting);
	record_targets_fini(&rec.targets);
	record_pmcs_fini(&rec.pmcs);
	rotated_log_fini(&rec.files);
	held_files_end();
	return status;
}
