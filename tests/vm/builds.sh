#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The module builds without a warning for a kernel that no test machine runs yet.
set -u
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
build=${builddir:?}/vm
mkdir -p "$build" || exit 99
case $(cd "$build" && pwd) in
*[[:blank:]]*) skip_all "the kernel's make builds nothing below directories with blanks in their names" ;;
esac

kernel=a73
said=$(sh "$srcdir/tests/vm/fetch.sh" $kernel 2>&1) || skip_all "$(printf '%s\n' "$said" | tail -n 1)"
title="$kernel: $(cat "${PMCSTAT_VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pmcstat-vm}/kernel/$kernel/complete")"
said=$(sh "$srcdir/tests/vm/build-module.sh" $kernel "$build" "$srcdir" 2>&1) && built=yes || built=no
verdict "$built" "$title" "$said"
finish
