#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kernel-hook.sh VERSION	has hwpmc built for a kernel that a package brings, or its headers
#
# Debian runs it below /etc/kernel/postinst.d and header_postinst.d, where it stays, as it was edited, when
# the package of hwpmc is removed or another version comes: so it names none.
build=${HWPMC_BUILD:-/usr/lib/hwpmc/dkms-build}
[ ! -x "$build" ] || "$build" "$@"
exit 0
