// SPDX-License-Identifier: BSD-2-Clause
/* Who forbids profiling, in words, with the command that allows it. */
#include "pmc/perf_errors.h"
#include "tree.h"
#include "unit.h"

static const struct perf_settings ordinary_user = {
	.paranoid = 2, .owns_target = true, .lockdown = "none"};

static void check(const struct perf_settings *st, bool system, bool kernel, const char *msg,
		  const char *hint)
{
	struct err err = {0};

	CHECK(perf_errors_denied(&err, st, 13, "cpu-clock", system, kernel) == -1);
	CHECK_U64(err.code, EX_NOPERM);
	if (!strstr(err.msg, msg))
		CHECK_STR(err.msg, msg);
	if (!strstr(err.hint, hint))
		CHECK_STR(err.hint, hint);
}

UNIT(paranoid_names_the_value_that_is_needed)
{
	check(&ordinary_user, true, true, "kernel.perf_event_paranoid is 2",
	      "sysctl kernel.perf_event_paranoid=0");
	check(&ordinary_user, false, true, "without CAP_PERFMON",
	      "sysctl kernel.perf_event_paranoid=1");
}

UNIT(a_setting_above_two_forbids_even_user_code)
{
	struct perf_settings st = ordinary_user;

	st.paranoid = 3;
	check(&st, false, false, "kernel.perf_event_paranoid is 3",
	      "sysctl kernel.perf_event_paranoid=2");
}

UNIT(root_without_the_capability_is_told_of_the_container)
{
	struct perf_settings st = ordinary_user;

	st.root = true;
	check(&st, true, true, "to a process without CAP_PERFMON", "--cap-add PERFMON");
}

UNIT(another_users_process_needs_ptrace)
{
	struct perf_settings st = ordinary_user;

	st.owns_target = false;
	check(&st, false, false, "the target belongs to another user", "cap_sys_ptrace");
}

UNIT(a_process_with_more_capabilities_needs_ptrace)
{
	struct perf_settings st = ordinary_user;

	st.root = st.outranked = true;
	check(&st, false, false, "the target has more capabilities", "cap_sys_ptrace");
}

UNIT(settings_are_read_of_this_process_and_the_target)
{
	struct tree t = tree_new();
	struct perf_settings st;

	tree_file(&t, "proc/sys/kernel/perf_event_paranoid", "-1\n");
	tree_file(&t, "proc/self/status",
		  "CapPrm:\t0000004400080000\nCapEff:\t0000004000000000\nSeccomp:\t0\n");
	tree_file(&t, "proc/7/status", "CapPrm:\t0000000400080000\n");
	tree_file(&t, "proc/8/status", "CapPrm:\t0000000400200000\n");
	tree_file(&t, "sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	perf_settings_read(&st, t.root, 7);
	CHECK(st.paranoid == -1);
	CHECK(st.has_perfmon && !st.has_ptrace && !st.has_syslog && !st.seccomp);
	CHECK(st.owns_target && !st.outranked);
	CHECK_STR(st.lockdown, "confidentiality");
	perf_settings_read(&st, t.root, 8);
	CHECK(st.outranked);
	tree_file(&t, "proc/self/uid_map", "         0          0 4294967295\n");
	perf_settings_read(&st, t.root, 0);
	CHECK(st.has_perfmon && !st.user_namespace);
	tree_free(&t);
}

UNIT(capabilities_of_a_user_namespace_do_not_count)
{
	struct tree t = tree_new();
	struct perf_settings st;

	tree_file(&t, "proc/sys/kernel/perf_event_paranoid", "2\n");
	tree_file(&t, "proc/self/status", "CapPrm:\t000001ffffffffff\nCapEff:\t000001ffffffffff\n");
	tree_file(&t, "proc/self/uid_map", "         0       1000          1\n");
	perf_settings_read(&st, t.root, 0);
	CHECK(st.user_namespace && !st.has_perfmon && !st.has_ptrace && !st.has_syslog);
	check(&st, false, true, "kernel.perf_event_paranoid is 2",
	      "as root of the machine: sysctl kernel.perf_event_paranoid=1");
	tree_free(&t);
}

UNIT(where_nothing_else_forbids_it_seccomp_does)
{
	struct perf_settings st = {.paranoid = -1,
				   .has_perfmon = true,
				   .root = true,
				   .seccomp = true,
				   .owns_target = true};

	check(&st, false, false, "a seccomp filter denies perf_event_open(2)",
	      "--security-opt seccomp=");
}

UNIT(lockdown_forbids_the_kernel_even_to_root)
{
	struct perf_settings st = {.paranoid = 2,
				   .has_perfmon = true,
				   .root = true,
				   .owns_target = true,
				   .lockdown = "confidentiality"};

	check(&st, true, true, "lockdown in \"confidentiality\" mode", "lockdown=integrity");
}

UNIT(what_is_left_is_a_security_module)
{
	struct perf_settings st = {.paranoid = -1, .has_perfmon = true, .owns_target = true};

	check(&st, false, false, "perf_event_open(2) is not permitted", "audit log");
}

UNIT_MAIN(UNIT_ENTRY(paranoid_names_the_value_that_is_needed),
	  UNIT_ENTRY(a_setting_above_two_forbids_even_user_code),
	  UNIT_ENTRY(root_without_the_capability_is_told_of_the_container),
	  UNIT_ENTRY(another_users_process_needs_ptrace),
	  UNIT_ENTRY(a_process_with_more_capabilities_needs_ptrace),
	  UNIT_ENTRY(settings_are_read_of_this_process_and_the_target),
	  UNIT_ENTRY(capabilities_of_a_user_namespace_do_not_count),
	  UNIT_ENTRY(where_nothing_else_forbids_it_seccomp_does),
	  UNIT_ENTRY(lockdown_forbids_the_kernel_even_to_root),
	  UNIT_ENTRY(what_is_left_is_a_security_module))
