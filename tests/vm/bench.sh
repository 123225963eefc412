#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bench.sh	runs bench/vm/*.sh in a machine where a nanosecond is an instruction, and prints what they say
set -u
: "${builddir:?}" "${srcdir:?}"
builddir=$(cd "$builddir" && pwd) && srcdir=$(cd "$srcdir" && pwd) || exit 1
export builddir
here=$srcdir/tests/vm
build=$builddir/vm
boot=$build/boot-bench
sh "$here/fetch.sh" a61 arm64 && sh "$here/build-module.sh" a61 "$build" "$srcdir" &&
	sh "$here/programs.sh" arm64 "$build" || exit 1
mkdir -p "$boot"
cat >"$boot/run" <<'END'
PATH=/pmc/bin:/bin
insmod /pmc/hwpmc.ko || exit
for script in /pmc/vm/*.sh; do
	echo "pmcstat-vm: ${script##*/}" >/dev/kmsg
	sh "$script" >>/out/said 2>&1
done
rmmod hwpmc
END
sh "$here/boot.sh" -e -t 1800 a61 "$boot" "$boot/run" "$srcdir/bench/vm" "$build/arm64/bin" \
	"$build/a61/hwpmc.ko" "$build/a61/probe_cost.ko" || exit 1
cat "$boot/out/said"
