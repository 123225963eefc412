// SPDX-License-Identifier: BSD-2-Clause
/* Counters that count nothing: found on machines that the test plays, and kept for one boot. */
#include "pmc/counters.h"
#include "tree.h"
#include "unit.h"

enum { LOAD = 1000 };

/* A machine whose kernel gives out counters from the lowest. */
static struct {
	unsigned int counters, refused_from, dead_at; /* of as many PMCs at once one is dead */
	unsigned int taken; /* runs that are left in which the host has the last counter */
	unsigned int others; /* ... in which others here have it, for half of the time */
	bool dead[COUNTERS_MAX];
	bool clock_stands;
} machine;

static int run(unsigned int n, struct pmc_count *counts, struct err *err)
{
	unsigned int i;

	if (machine.refused_from && n >= machine.refused_from)
		return err_set(err, EX_UNAVAILABLE, "refused");
	for (i = 0; i < n; i++) {
		bool shares = n > machine.counters && !machine.clock_stands;

		counts[i].enabled = 100;
		counts[i].running = shares ? 60 : 100;
		counts[i].value =
			(i < machine.counters && machine.dead[i]) || (!i && n == machine.dead_at)
				? 0
				: 2 * LOAD + 100 - i;
		if (shares)
			counts[i].value = LOAD / 2;
	}
	if (machine.clock_stands && n > machine.counters)
		counts[n - 1] = (struct pmc_count){0};
	if (n == machine.counters && machine.others) {
		machine.others--;
		counts[n - 1].running = 50;
		counts[n - 1].value = 0;
	}
	if (n == machine.counters && machine.taken) {
		machine.taken--;
		counts[n - 1].value = 0;
	}
	return 0;
}

static void check_try(unsigned int max, unsigned int tried, unsigned int good, unsigned int dead)
{
	const struct counters_trial trial = {run, LOAD};
	struct counters c = counters_try(&trial, max, NULL);

	CHECK_U64(c.tried, tried);
	CHECK_U64(c.good, good);
	CHECK_U64(c.dead, dead);
}

static void machine_is_good(unsigned int counters)
{
	memset(&machine, 0, sizeof(machine));
	machine.counters = counters;
}

UNIT(counters_that_all_count_are_good)
{
	machine_is_good(6);
	check_try(6, 6, 6, 0);
	check_try(1, 1, 1, 0);
}

UNIT(a_counter_that_others_have_for_a_moment_is_none_less)
{
	machine_is_good(6);
	machine.others = 2;
	check_try(6, 6, 6, 0);
	machine.dead[5] = true;
	machine.others = 2;
	check_try(6, 6, 5, 1);
	machine.others = 100;
	check_try(6, 5, 5, 0);
}

UNIT(a_dead_counter_bounds_what_can_be_used_at_once)
{
	machine_is_good(6);
	machine.dead[5] = true;
	check_try(6, 6, 5, 1);
	machine.dead[3] = true;
	check_try(6, 6, 3, 2);
	machine.dead[0] = true;
	check_try(6, 6, 0, 3);
}

UNIT(more_at_once_that_count_do_not_excuse_fewer_that_did_not)
{
	machine_is_good(6);
	machine.dead_at = 2;
	check_try(6, 6, 1, 0);
}

UNIT(counters_that_all_count_too_little_are_dead)
{
	const struct counters_trial hungry = {run, 10 * LOAD};
	struct counters c;

	machine_is_good(2);
	c = counters_try(&hungry, 2, NULL);
	CHECK(c.tried == 2 && c.good == 0 && c.dead == 2);
}

UNIT(what_a_host_takes_for_a_while_is_not_dead)
{
	machine_is_good(6);
	machine.taken = 2;
	check_try(6, 6, 6, 0);
	machine.taken = 99;
	check_try(6, 6, 5, 1);
}

UNIT(where_pmcs_share_nothing_is_said)
{
	machine_is_good(4);
	check_try(7, 4, 4, 0);
	machine_is_good(0);
	check_try(6, 0, 0, 0);
	machine_is_good(4);
	machine.clock_stands = true;
	check_try(7, 4, 4, 0);
}

UNIT(what_is_refused_ends_the_trial)
{
	machine_is_good(6);
	machine.refused_from = 3;
	check_try(6, 2, 2, 0);
	machine.refused_from = 1;
	check_try(6, 0, 0, 0);
}

/* What a trial of up to max leaves in the file. */
static void check_learn(unsigned int max, unsigned int good, const char *kept)
{
	const struct counters_trial trial = {run, LOAD};
	struct tree t = tree_new();
	char path[PATH_MAX], text[256] = "";
	FILE *f;

	tree_file(&t, "proc/sys/kernel/random/boot_id", "3a-b\n");
	CHECK_U64(counters_learn(t.root, tree_path(&t, "kept", path), &trial, max).good, good);
	f = fopen(path, "r");
	if (f) {
		text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
		fclose(f);
	}
	CHECK_STR(text, kept);
	CHECK_U64(counters_learn(t.root, NULL, &trial, max).good, good);
	tree_free(&t);
}

UNIT(a_trial_of_all_counters_is_kept)
{
	machine_is_good(4);
	check_learn(4, 4, "pmcstat counters 1\nboot 3a-b\ntried 4\ngood 4\ndead 0\n");
	machine.dead[2] = true;
	check_learn(4, 2, "pmcstat counters 1\nboot 3a-b\ntried 4\ngood 2\ndead 1\n");
}

UNIT(what_others_had_at_a_trial_is_not_known_for_a_boot)
{
	/* Of six, two: the others may count or not when they are free. */
	machine_is_good(4);
	check_learn(6, 4, "");
	machine.dead[2] = true;
	check_learn(6, 2, "");
	machine.refused_from = 1;
	check_learn(6, 0, "");
	check_learn(0, 0, "");
}

UNIT(what_was_found_is_known_until_the_next_boot)
{
	const struct counters found = {6, 5, 1};
	struct tree t = tree_new();
	char path[PATH_MAX];
	struct counters c;
	struct stat st;

	tree_path(&t, "kept", path);
	CHECK(counters_write(t.root, path, &found, NULL) == -1);
	tree_file(&t, "proc/sys/kernel/random/boot_id", "1-one\n");
	CHECK(!counters_read(t.root, path, geteuid(), &c));
	CHECK(counters_write(t.root, path, &found, NULL) == 0);
	CHECK(!stat(path, &st) && (st.st_mode & 0777) == (geteuid() ? 0600 : 0644));
	CHECK(counters_read(t.root, path, geteuid(), &c));
	CHECK(c.tried == 6 && c.good == 5 && c.dead == 1);
	tree_file(&t, "proc/sys/kernel/random/boot_id", "1-on\n");
	CHECK(!counters_read(t.root, path, geteuid(), &c));
	CHECK(c.tried == 0 && c.good == 0);
	tree_free(&t);
}

UNIT(only_what_the_user_wrote_is_believed)
{
	static const char right[] = "pmcstat counters 1\nboot 1\ntried 6\ngood 5\ndead 1\n";
	static const char *const wrong[] = {
		"",
		"pmcstat counters 2\nboot 1\ntried 6\ngood 5\ndead 1\n",
		"pmcstat counters 1\nboot 1\ntried 6\ngood 5\n",
		"pmcstat counters 1\nboot 1\ntried 6\ngood 7\ndead 1\n",
		"pmcstat counters 1\nboot 1\ntried 6\ngood 5\ndead 7\n",
		"pmcstat counters 1\nboot 1\ntried 65\ngood 5\ndead 1\n",
		"pmcstat counters 1\nboot 1\ntried 4294967297\ngood -1\ndead 1\n",
		"pmcstat counters 1\nboot 1\ntried 6\ngood 5\ndead 1\nmore\n"};
	struct tree t = tree_new();
	char path[PATH_MAX], link[PATH_MAX];
	struct counters c;
	size_t i;

	tree_file(&t, "proc/sys/kernel/random/boot_id", "1\n");
	tree_path(&t, "kept", path);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		tree_file(&t, "kept", wrong[i]);
		chmod(path, 0600);
		if (counters_read(t.root, path, geteuid(), &c)) {
			printf("# believed: %s\n", wrong[i]);
			unit_failures++;
		}
		CHECK(!c.tried && !c.good);
	}
	tree_file(&t, "kept", right);
	CHECK(counters_read(t.root, path, geteuid(), &c));
	CHECK(!counters_read(t.root, path, geteuid() + 1, &c));
	CHECK(!symlink(path, tree_path(&t, "link", link)));
	CHECK(!counters_read(t.root, link, geteuid(), &c));
	chmod(path, 0620);
	CHECK(!counters_read(t.root, path, geteuid(), &c));
	tree_free(&t);
}

static void check_path(const char *right)
{
	char path[PATH_MAX];

	CHECK(counters_path(path, sizeof(path)));
	CHECK_STR(path, right);
}

UNIT(the_file_is_the_users_own)
{
	setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
	setenv("XDG_CACHE_HOME", "/home/x/cache", 1);
	setenv("HOME", "/home/x", 1);
	/* As root has them by "sudo -E": the user would not believe what is root's. */
	if (!geteuid())
		check_path("/run/pmcstat-counters");
	CHECK(geteuid() || !seteuid(65534));
	check_path("/run/user/7/pmcstat-counters");
	setenv("XDG_RUNTIME_DIR", "relative", 1);
	check_path("/home/x/cache/pmcstat-counters");
	unsetenv("XDG_CACHE_HOME");
	check_path("/home/x/.cache/pmcstat-counters");
	/* Sanitizers end their work as who began it. */
	CHECK(getuid() || !seteuid(0));
}

UNIT_MAIN(UNIT_ENTRY(counters_that_all_count_are_good),
	  UNIT_ENTRY(a_counter_that_others_have_for_a_moment_is_none_less),
	  UNIT_ENTRY(a_dead_counter_bounds_what_can_be_used_at_once),
	  UNIT_ENTRY(more_at_once_that_count_do_not_excuse_fewer_that_did_not),
	  UNIT_ENTRY(counters_that_all_count_too_little_are_dead),
	  UNIT_ENTRY(what_a_host_takes_for_a_while_is_not_dead),
	  UNIT_ENTRY(where_pmcs_share_nothing_is_said), UNIT_ENTRY(what_is_refused_ends_the_trial),
	  UNIT_ENTRY(a_trial_of_all_counters_is_kept),
	  UNIT_ENTRY(what_others_had_at_a_trial_is_not_known_for_a_boot),
	  UNIT_ENTRY(what_was_found_is_known_until_the_next_boot),
	  UNIT_ENTRY(only_what_the_user_wrote_is_believed), UNIT_ENTRY(the_file_is_the_users_own))
