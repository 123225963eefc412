#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# copy-sources.sh SOURCE TO	copies the module's sources of the source tree SOURCE to TO, as the kernel
#				and DKMS build them; what is there already and the same stays as it is
set -eu
source=$1
to=$2
mkdir -p "$to/kdrv" "$to/pmclog"
for file in "$source"/src/kdrv/*.[ch] "$source/src/kdrv/Kbuild"; do
	copy=$to/kdrv/${file##*/}
	cmp -s "$file" "$copy" || cp "$file" "$copy"
done
wire=$to/pmclog/pmclog_wire.h
cmp -s "$source/src/pmclog/pmclog_wire.h" "$wire" || cp "$source/src/pmclog/pmclog_wire.h" "$wire"
