#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the scripts of this directory share.
#
# Kernels: x61 x612 x73 (amd64, 6.1, 6.12 and 7.3), a61 a612 a73 (arm64), d61 (amd64, 6.1 with every
# check), rt61 (amd64, 6.1 with PREEMPT_RT).
# Those who make make are no part of the one that called this.
unset MAKEFLAGS MFLAGS MAKELEVEL
cache=${PMCSTAT_VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pmcstat-vm}

say() {
	printf '%s\n' "${0##*/}: $*"
}

# stop SENTENCE
stop() {
	say "$*" >&2
	exit 1
}

# needs PROGRAM PACKAGE
needs() {
	command -v "$1" >/dev/null 2>&1 || stop "$1 is missing: apt-get install $2"
}

# kernel_is NAME: sets $kernel (where it is), $arch (Debian's name), $karch (the kernel's), $cross.
kernel_is() {
	kernel=$cache/kernel/$1
	# shellcheck disable=SC2034
	case $1 in
	x61 | x612 | x73 | d61 | rt61) arch=amd64 karch=x86 cross= ;;
	a61 | a612 | a73) arch=arm64 karch=arm64 cross=aarch64-linux-gnu- ;;
	*) stop "$1: no such kernel; x61, x612, x73, a61, a612, a73, d61, rt61" ;;
	esac
	[ -e "$kernel/complete" ] || case $1 in
	d61) stop "the debug kernel is not built: tests/vm/debug-kernel.sh" ;;
	*) stop "the kernel $1 is not there: tests/vm/fetch.sh $1" ;;
	esac
}
