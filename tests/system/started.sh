#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What make-check.sh has make check start: how a test was started.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
line=$(head -n 1)
verdict "$([ -z "$line" ] && echo yes || echo no)" 'standard input is empty' "$line"
# The mask of what is ignored has bit 1 for SIGINT, which is 2.
ignored=$(sed -n 's/^SigIgn:[[:blank:]]*//p' /proc/self/status)
verdict "$([ $((0x$ignored & 2)) -eq 0 ] && echo yes || echo no)" 'SIGINT is not ignored' "$ignored"
finish
