// SPDX-License-Identifier: BSD-2-Clause
/* The doctor on machines of files, with counters that answer as the test says. */
#include "pmccontrol/doctor.h"
#include "tree.h"
#include "unit.h"

#define DEVICES "sys/bus/event_source/devices/"
#define SYSCTL	"proc/sys/kernel/"

static const char vm_without_pmu[] =
	"this machine has no counters for %s (a virtual machine without a PMU?)";

/* How the counters of this test answer: by event, the first that fits; what is not there works. */
struct answer {
	const char *spec; /* "*": any */
	int modes;	  /* 1 << mode, 0: all */
	enum doctor_result result;
	const char *msg; /* of a refusal; %s is the event's name */
};

static const struct answer *answers;
static unsigned int tried;

static int opens(struct err *err)
{
	(void)err;
	return 0;
}

static int denies(struct err *err)
{
	err_set(err, EX_NOPERM, "a filter denies it");
	return err_hint(err, "remove the filter");
}

static void answer(const struct doctor_trial *trial, struct doctor_outcome *outcome)
{
	const struct answer *a;

	tried++;
	*outcome = (struct doctor_outcome){.result = trial->target ? DOCTOR_OPENS : DOCTOR_WORKS,
					   .seen = 1};
	for (a = answers; a && a->spec; a++) {
		const char *hole = a->msg ? strstr(a->msg, "%s") : NULL;

		if ((strcmp(a->spec, trial->spec) && strcmp(a->spec, "*")) ||
		    (a->modes && !(a->modes & 1 << trial->mode)))
			continue;
		outcome->result = a->result;
		if (hole)
			err_set(&outcome->err, EX_UNAVAILABLE, "%.*s%s%s", (int)(hole - a->msg),
				a->msg, trial->spec, hole + 2);
		return;
	}
}

/* The findings, to be freed. */
static struct sink *examine(const struct tree *t, const struct answer *with, int *status)
{
	const struct doctor_machine machine = {.root = t->root, .open = opens, .try = answer};
	struct sink *sink = sink_to_memory();

	answers = with;
	*status = doctor_examine(&machine, sink);
	return sink;
}

static void check_line(struct sink *sink, const char *line)
{
	const char *text = sink_text(sink, NULL), *at = strstr(text, line);
	size_t len = strlen(line);

	while (at && ((at > text && at[-1] != '\n') || at[len] != '\n'))
		at = strstr(at + 1, line);
	if (at)
		return;
	printf("# no line \"%s\" in:\n", line);
	for (; *text; text += strcspn(text, "\n") + 1)
		printf("#   %.*s\n", (int)strcspn(text, "\n"), text);
	unit_failures++;
}

/* What files alone say of the machine t, which is removed. */
static struct sink *facts(const struct tree *t)
{
	struct sink *sink = sink_to_memory();

	doctor_write_facts(t->root, sink);
	tree_free(t);
	return sink;
}

UNIT(what_was_seen_is_ok)
{
	struct tree t = tree_new();
	struct sink *s;
	int status;

	tree_file(&t, "proc/kallsyms", "ffffffff81000000 T _text\n");
	s = examine(&t, NULL, &status);
	CHECK_U64(status, EX_OK);
	check_line(s, "ok  sample own programs    cpu-clock: samples seen");
	check_line(s, "ok  count in own programs  task-clock: counts seen");
	check_line(s, "ok  sample whole CPUs      cpu-clock: samples seen");
	check_line(s, "ok  others' processes      task-clock can be opened on process 1");
	check_line(s, "ok  hardware sampling      cycles: samples seen");
	check_line(s, "programs of this user can be sampled");
	CHECK(!strstr(sink_text(s, NULL), "\nno  "));
	sink_free(s);
	tree_free(&t);
}

UNIT(what_was_opened_but_not_seen_does_not_work)
{
	static const struct answer still[] = {{"cpu-clock", 0, DOCTOR_OPENS, NULL},
					      {"major-faults", 0, DOCTOR_OPENS, NULL},
					      {NULL, 0, 0, NULL}};
	struct tree t = tree_new();
	struct sink *s;
	int status;

	s = examine(&t, still, &status);
	CHECK_U64(status, EX_UNAVAILABLE);
	check_line(s, "no  sample own programs    cpu-clock can be opened, but nothing was sampled "
		      "while this program worked");
	check_line(s, "?   opened, not moved      cpu-clock major-faults");
	check_line(s, "nothing can be sampled here by this user");
	sink_free(s);
	tree_free(&t);
}

UNIT(where_nothing_opens_nothing_is_tried)
{
	struct tree t = tree_new();
	const struct doctor_machine machine = {.root = t.root, .open = denies, .try = answer};
	struct sink *s = sink_to_memory();

	tried = 0;
	CHECK_U64(doctor_examine(&machine, s), EX_UNAVAILABLE);
	CHECK_U64(tried, 0);
	check_line(s, "no  perf_event_open(2)     a filter denies it");
	check_line(s, "                           fix: remove the filter");
	check_line(s, "-   perf_event_paranoid    cannot be read: is this kernel without perf?");
	sink_free(s);
	tree_free(&t);
}

static const struct answer no_cycles[] = {
	{"cycles", 0, DOCTOR_REFUSED, vm_without_pmu},
	{"instructions", 0, DOCTOR_REFUSED, vm_without_pmu},
	{"branches", 0, DOCTOR_REFUSED, "%s is reserved"},
	{NULL, 0, 0, NULL},
};

UNIT(a_virtual_machine_without_a_pmu_is_told_how_to_get_one)
{
	struct tree t = tree_new();
	struct sink *s;
	int status;

	tree_file(&t, DEVICES "software/type", "1\n");
	tree_file(&t, "proc/cpuinfo", "flags\t\t: fpu hypervisor lahf_lm\n");
	s = examine(&t, no_cycles, &status);
	CHECK_U64(status, EX_OK);
	check_line(s,
		   "no  hardware counters      this machine has no counters for cycles (a virtual "
		   "machine without a PMU?)");
	CHECK(strstr(sink_text(s, NULL), "fix: give the virtual machine a PMU"));
	CHECK(!strstr(sink_text(s, NULL), "hardware sampling"));
	check_line(s, "-   machine                virtual: a hypervisor is below");
	check_line(s, "-   PMUs                   software");
	sink_free(s);
	tree_free(&t);
}

UNIT(events_refused_for_the_same_reason_are_one_finding)
{
	struct tree t = tree_new();
	struct sink *s;
	int status;

	s = examine(&t, no_cycles, &status);
	check_line(s, "no  refused                cycles instructions");
	check_line(s, "                           why: this machine has no counters for cycles (a "
		      "virtual machine without a PMU?)");
	check_line(s, "no  refused                branches");
	check_line(s, "                           why: branches is reserved");
	CHECK(strstr(sink_text(s, NULL), "dmesg | grep"));
	sink_free(s);
	tree_free(&t);
}

/* Which of the events are listed as counting. */
static void check_counting(const struct tree *t, const struct answer *with, const char *event,
			   bool counts)
{
	int status;
	struct sink *s = examine(t, with, &status);
	const char *text = strstr(sink_text(s, NULL), "\nok  events that count"), *end;
	const char *at = strstr(sink_text(s, NULL), event);

	CHECK(text);
	end = text ? strstr(text, "\n?") : NULL;
	end = end ? end : text ? strstr(text, "\n-") : NULL;
	while (at && at < text)
		at = strstr(at + 1, event);
	CHECK((at && at < end) == counts);
	sink_free(s);
}

UNIT(a_pmu_of_the_chip_is_tried_in_system_scope)
{
	static const struct answer uncore[] = {
		{"uncore_imc/reads/", 1 << PMC_MODE_TC, DOCTOR_REFUSED, "%s: invalid"},
		{"uncore_dead/reads/", 0, DOCTOR_REFUSED, "%s: invalid"},
		{NULL, 0, 0, NULL}};
	struct tree t = tree_new();

	tree_file(&t, DEVICES "uncore_imc/type", "21\n");
	tree_file(&t, DEVICES "uncore_imc/cpumask", "0\n");
	tree_file(&t, DEVICES "uncore_imc/format/event", "config:0-7\n");
	tree_file(&t, DEVICES "uncore_imc/events/reads", "event=4\n");
	tree_file(&t, DEVICES "uncore_dead/type", "22\n");
	tree_file(&t, DEVICES "uncore_dead/cpumask", "0\n");
	tree_file(&t, DEVICES "uncore_dead/format/event", "config:0-7\n");
	tree_file(&t, DEVICES "uncore_dead/events/reads", "event=4\n");
	check_counting(&t, uncore, "uncore_imc/reads/", true);
	check_counting(&t, uncore, "uncore_dead/reads/", false);
	tree_free(&t);
}

UNIT(of_a_pmu_events_are_tried_until_one_counts)
{
	static const struct answer first[] = {{"msr/aperf/", 0, DOCTOR_OPENS, NULL},
					      {NULL, 0, 0, NULL}};
	struct tree t = tree_new();

	tree_file(&t, DEVICES "msr/type", "9\n");
	tree_file(&t, DEVICES "msr/events/aperf", "event=1\n");
	tree_file(&t, DEVICES "msr/events/tsc", "event=0\n");
	tree_file(&t, DEVICES "msr/events/zzz", "event=2\n");
	check_counting(&t, first, "msr/aperf/", false);
	check_counting(&t, first, "msr/tsc/", true);
	check_counting(&t, first, "msr/zzz/", false);
	tree_free(&t);
}

UNIT(hybrid_cpus_and_the_watchdog_are_told)
{
	struct tree t = tree_new();
	struct sink *s;

	tree_file(&t, DEVICES "cpu_core/cpus", "0-7\n");
	tree_file(&t, DEVICES "cpu_atom/cpus", "8-15\n");
	tree_file(&t, SYSCTL "nmi_watchdog", "1\n");
	tree_file(&t, "dev/hwpmc", "");
	s = facts(&t);
	check_line(s,
		   "-   hybrid CPUs            cpu_atom on CPUs 8-15, cpu_core on CPUs 0-7; name "
		   "a kind as PMU/EVENT/, cycles alone is of one");
	check_line(s, "no  NMI watchdog           it holds one hardware counter of each CPU");
	check_line(s, "                           fix: sysctl kernel.nmi_watchdog=0");
	check_line(s, "-   hwpmc(4)               /dev/hwpmc is there; the collector is hwpmc");
	sink_free(s);
}

UNIT(a_module_that_this_user_may_not_open_is_told)
{
	struct tree t = tree_new();
	char path[PATH_MAX];
	struct sink *s;

	tree_file(&t, "dev/hwpmc", "");
	CHECK(!chmod(tree_path(&t, "dev/hwpmc", path), 0));
	/* Root may open all files. */
	CHECK(geteuid() || !seteuid(65534));
	s = facts(&t);
	CHECK(getuid() || !seteuid(0));
	check_line(s, "no  hwpmc(4)               /dev/hwpmc may not be opened: Permission denied; "
		      "the collector is perf");
	check_line(s, "                           fix: join the group of /dev/hwpmc, which "
		      "hwpmc(4) calls \"profile\"");
	sink_free(s);
	tree_free(&t);
}

UNIT(the_watchdog_without_a_pmu_is_no_finding)
{
	struct tree t = tree_new();
	struct sink *s;

	tree_file(&t, DEVICES "software/type", "1\n");
	tree_file(&t, SYSCTL "nmi_watchdog", "1\n");
	s = facts(&t);
	CHECK(!strstr(sink_text(s, NULL), "watchdog"));
	sink_free(s);
}

UNIT(what_confines_the_process_is_told)
{
	struct tree t = tree_new();
	struct sink *s;

	tree_file(&t, SYSCTL "perf_event_paranoid", "3\n");
	tree_file(&t, "proc/self/status",
		  "Name:\tx\nCapPrm:\t0000000000000000\nCapEff:\t0000000400080000\nSeccomp:\t2\n");
	tree_file(&t, "sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	tree_file(&t, "proc/1/cgroup", "0::/kubepods/besteffort/pod1\n");
	s = facts(&t);
	check_line(s,
		   "-   perf_event_paranoid    3: ordinary users may profile own programs without "
		   "the kernel, or nothing where the distribution's kernel has a setting above 2, "
		   "as Debian's");
	check_line(
		s,
		"-   capabilities           CAP_PERFMON or CAP_SYS_ADMIN no, CAP_SYS_PTRACE yes, "
		"CAP_SYSLOG yes");
	check_line(s, "-   seccomp                a filter is in force, as in containers; it may "
		      "refuse events");
	check_line(s, "-   lockdown               integrity");
	check_line(s, "-   container              process 1 is in a cgroup of kubepods");
	sink_free(s);
}

UNIT(limits_that_are_too_low_are_told_with_the_command)
{
	struct tree t = tree_new();
	struct sink *s;

	tree_file(&t, SYSCTL "perf_event_max_sample_rate", "500\n");
	tree_file(&t, SYSCTL "perf_event_max_stack", "64\n");
	tree_file(&t, SYSCTL "perf_event_mlock_kb", "516\n");
	tree_file(&t, "proc/self/limits", "Max locked memory         65536   65536   bytes\n");
	s = facts(&t);
	check_line(s, "no  sample rate            at most 500 samples a second and CPU, not the "
		      "usual 100000, and fewer than the default rates ask for: the kernel lowers "
		      "it when sampling takes more than kernel.perf_cpu_time_max_percent (25)");
	check_line(
		s,
		"                           fix: sysctl kernel.perf_event_max_sample_rate=100000");
	check_line(s, "no  call chains            cut at 64 frames, where logs have room for 127");
	check_line(
		s,
		"-   ring buffers           kernel.perf_event_mlock_kb 516 KiB a CPU for all of a "
		"user; RLIMIT_MEMLOCK 65536 bytes more");
	sink_free(s);
}

/* Of the counters that are used lowest first, one does not count. */
static unsigned int dead_counter;

static unsigned int six_counters(void)
{
	return 6;
}

static bool counting_refused;
static unsigned int free_counters = 6;

static int count_at_once(unsigned int n, struct pmc_count *counts, struct err *err)
{
	unsigned int i;

	if (counting_refused)
		return err_set(err, EX_NOPERM, "perf_event_open(2): Permission denied");
	for (i = 0; i < n; i++)
		counts[i] = (struct pmc_count){.value = i == dead_counter ? 0 : 2000,
					       .enabled = 9,
					       .running = n <= free_counters ? 9 : 5};
	return 0;
}

/* The findings on t's counters, which are kept in its file "kept". */
static struct sink *examine_counters(const struct tree *t)
{
	const struct counters_trial trial = {count_at_once, 1000};
	char kept[PATH_MAX];
	struct doctor_machine machine = {.root = t->root,
					 .open = opens,
					 .try = answer,
					 .counters = six_counters,
					 .trial = &trial};
	struct sink *sink = sink_to_memory();

	machine.remember = tree_path(t, "kept", kept);
	answers = NULL;
	doctor_examine(&machine, sink);
	return sink;
}

UNIT(counters_that_count_nothing_are_told_and_kept)
{
	struct tree t = tree_new();
	char kept[PATH_MAX];
	struct counters c;
	struct sink *s;

	tree_file(&t, "proc/sys/kernel/random/boot_id", "3a-b\n");
	dead_counter = 5;
	s = examine_counters(&t);
	check_line(s,
		   "no  counters at once       of 6, 1 count nothing: 5 PMCs at once count right, "
		   "and more are refused until the next boot");
	sink_free(s);
	CHECK(counters_read(t.root, tree_path(&t, "kept", kept), geteuid(), &c));
	CHECK(c.tried == 6 && c.good == 5 && c.dead == 1);
	dead_counter = 99;
	s = examine_counters(&t);
	check_line(s, "ok  counters at once       6 of 6 tried, all count");
	sink_free(s);
	CHECK(counters_read(t.root, kept, geteuid(), &c) && c.good == 6);
	CHECK(!unlink(kept));
	free_counters = 3;
	s = examine_counters(&t);
	check_line(s, "ok  counters at once       3 of 6 tried, all count");
	sink_free(s);
	CHECK(!counters_read(t.root, kept, geteuid(), &c));
	tree_free(&t);
}

/* Perf does not say how many counters there are: six are asked for, and the machine has three. */
UNIT(a_dead_counter_that_counts_again_is_forgotten_when_as_many_were_tried)
{
	struct tree t = tree_new();
	char kept[PATH_MAX];
	struct counters c;

	tree_file(&t, "proc/sys/kernel/random/boot_id", "3a-b\n");
	free_counters = 3;
	dead_counter = 1;
	sink_free(examine_counters(&t));
	CHECK(counters_read(t.root, tree_path(&t, "kept", kept), geteuid(), &c) && c.dead == 1);
	dead_counter = 99;
	free_counters = 2;
	sink_free(examine_counters(&t));
	CHECK(counters_read(t.root, kept, geteuid(), &c) && c.dead == 1);
	free_counters = 3;
	sink_free(examine_counters(&t));
	CHECK(counters_read(t.root, kept, geteuid(), &c) && c.tried == 3 && c.good == 3);
	free_counters = 6;
	tree_free(&t);
}

UNIT(why_no_counter_can_be_tried_is_told)
{
	struct tree t = tree_new();
	struct sink *s;

	counting_refused = true;
	s = examine_counters(&t);
	check_line(s, "?   counters at once       not even one could be tried: "
		      "perf_event_open(2): Permission denied");
	sink_free(s);
	tree_free(&t);
}

UNIT(counters_that_cannot_be_kept_are_told)
{
	struct tree t = tree_new();
	struct sink *s;

	dead_counter = 0;
	s = examine_counters(&t);
	check_line(s, "no  what was found         cannot be kept for pmcstat, which will try them "
		      "itself: /proc/sys/kernel/random/boot_id does not tell which boot this is");
	sink_free(s);
	tree_free(&t);
}

UNIT(a_sample_rate_that_the_kernel_has_lowered_is_told)
{
	struct tree t = tree_new();
	struct sink *s;

	tree_file(&t, SYSCTL "perf_event_max_sample_rate", "7750\n");
	tree_file(&t, SYSCTL "perf_cpu_time_max_percent", "10\n");
	s = facts(&t);
	check_line(s, "?   sample rate            at most 7750 samples a second and CPU, not the "
		      "usual 100000: the kernel lowers it when sampling takes more than "
		      "kernel.perf_cpu_time_max_percent (10)");
	check_line(
		s,
		"                           fix: sysctl kernel.perf_event_max_sample_rate=100000");
	sink_free(s);
	t = tree_new();
	tree_file(&t, SYSCTL "perf_event_max_sample_rate", "100000\n");
	s = facts(&t);
	check_line(s, "ok  sample rate            at most 100000 samples a second and CPU");
	sink_free(s);
}

UNIT(the_time_stamp_counter_is_tried_on_a_cpu)
{
	static const struct answer of_cpus[] = {
		{"TSC", 1 << PMC_MODE_TC, DOCTOR_REFUSED, "%s counts in system scope alone"},
		{NULL, 0, 0, NULL}};
	static const struct answer dead[] = {{"TSC", 0, DOCTOR_REFUSED, "%s is dead"},
					     {NULL, 0, 0, NULL}};
	struct tree t = tree_new();

	tree_file(&t, DEVICES "msr/type", "9\n");
	tree_file(&t, DEVICES "msr/format/event", "config:0-63\n");
	tree_file(&t, DEVICES "msr/events/tsc", "event=0\n");
	check_counting(&t, of_cpus, " TSC ", true);
	check_counting(&t, dead, " TSC ", false);
	tree_free(&t);
}

UNIT(kernel_addresses_are_looked_for_behind_the_zeros)
{
	struct tree t = tree_new();
	struct sink *s;

	tree_file(&t, "proc/kallsyms",
		  "0000000000000000 A fixed_percpu_data\nffffffff81000000 T _text\n");
	s = facts(&t);
	check_line(s, "ok  kernel functions       /proc/kallsyms has their addresses");
	sink_free(s);
	t = tree_new();
	tree_file(&t, "proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T _etext\n");
	tree_file(&t, SYSCTL "kptr_restrict", "2\n");
	s = facts(&t);
	check_line(
		s,
		"no  kernel functions       kernel.kptr_restrict 2 hides their addresses from all");
	check_line(s, "                           fix: sysctl kernel.kptr_restrict=1");
	sink_free(s);
}

UNIT(a_vmlinux_of_the_running_kernel_is_found)
{
	struct tree t = tree_new();
	struct sink *s;

	tree_file(&t, SYSCTL "osrelease", "6.1.0-9\n");
	tree_file(&t, "usr/lib/debug/lib/modules/6.1.0-9/vmlinux", "");
	s = facts(&t);
	check_line(s, "-   kernel's source lines  /usr/lib/debug/lib/modules/6.1.0-9/vmlinux");
	sink_free(s);
}

UNIT(files_full_of_nonsense_do_no_harm)
{
	char nonsense[9000];
	struct tree t = tree_new();
	struct sink *s;
	size_t i;
	static const char *const paths[] = {SYSCTL "perf_event_paranoid",
					    SYSCTL "osrelease",
					    "proc/self/status",
					    "proc/self/limits",
					    "sys/kernel/security/lockdown",
					    "proc/1/cgroup",
					    "proc/cpuinfo",
					    DEVICES "cpu_core/cpus",
					    DEVICES "cpu_atom/cpus",
					    "proc/kallsyms"};

	memset(nonsense, '[', sizeof(nonsense) - 1);
	nonsense[sizeof(nonsense) - 1] = '\0';
	memcpy(nonsense, "Max locked memory", 17);
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		tree_file(&t, paths[i], nonsense);
	s = facts(&t);
	check_line(s, "-   lockdown               none that can be seen");
	sink_free(s);
}

UNIT_MAIN(UNIT_ENTRY(what_was_seen_is_ok), UNIT_ENTRY(what_was_opened_but_not_seen_does_not_work),
	  UNIT_ENTRY(where_nothing_opens_nothing_is_tried),
	  UNIT_ENTRY(a_virtual_machine_without_a_pmu_is_told_how_to_get_one),
	  UNIT_ENTRY(events_refused_for_the_same_reason_are_one_finding),
	  UNIT_ENTRY(a_pmu_of_the_chip_is_tried_in_system_scope),
	  UNIT_ENTRY(of_a_pmu_events_are_tried_until_one_counts),
	  UNIT_ENTRY(hybrid_cpus_and_the_watchdog_are_told),
	  UNIT_ENTRY(a_module_that_this_user_may_not_open_is_told),
	  UNIT_ENTRY(the_watchdog_without_a_pmu_is_no_finding),
	  UNIT_ENTRY(what_confines_the_process_is_told),
	  UNIT_ENTRY(limits_that_are_too_low_are_told_with_the_command),
	  UNIT_ENTRY(counters_that_count_nothing_are_told_and_kept),
	  UNIT_ENTRY(a_dead_counter_that_counts_again_is_forgotten_when_as_many_were_tried),
	  UNIT_ENTRY(why_no_counter_can_be_tried_is_told),
	  UNIT_ENTRY(counters_that_cannot_be_kept_are_told),
	  UNIT_ENTRY(a_sample_rate_that_the_kernel_has_lowered_is_told),
	  UNIT_ENTRY(the_time_stamp_counter_is_tried_on_a_cpu),
	  UNIT_ENTRY(kernel_addresses_are_looked_for_behind_the_zeros),
	  UNIT_ENTRY(a_vmlinux_of_the_running_kernel_is_found),
	  UNIT_ENTRY(files_full_of_nonsense_do_no_harm))
