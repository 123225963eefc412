#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mutant-test.sh COPY TEST: one test for tests/mutate.sh, in a build directory, which COPY has beside the source.
# Says what failed, and ends with 255, at which xargs starts no other; of one that passes "MS TEST" goes to COPY/passed.
set -u
copy=$1 test=$2
srcdir=$copy/source builddir=$copy/build CC=gcc PYTHON3=python3
export srcdir builddir CC PYTHON3
case $test in
*.sh) set -- sh "$srcdir/$test" ;;
*.story) set -- sh "$srcdir/tests/tools/story.sh" "$srcdir/$test" ;;
*) set -- "$builddir/$test" ;;
esac
log=$copy/logs/$(echo "$test" | tr / -)
# A mutant may ask for all the memory that there is: 16 GB.
# shellcheck disable=SC3045
ulimit -v 16000000
began=$(date +%s%N)
timeout -k 5 200 tests/tools/afresh "$@" >"$log" 2>&1
status=$?
[ $status != 124 ] || echo 'not ok - ends' >>"$log"
if [ $status != 0 ] || grep -q '^not ok' "$log"; then
	echo "FAIL: $test"
	exit 255
fi
echo "$((($(date +%s%N) - began) / 1000000)) $test" >>"$copy/passed"
