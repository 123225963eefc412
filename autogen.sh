#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes ./configure from configure.ac, in a checkout that has none yet.
set -eu
cd "$(dirname "$0")"
mkdir -p build-aux m4
exec autoreconf --install --force
