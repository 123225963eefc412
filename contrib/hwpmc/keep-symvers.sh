#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# keep-symvers.sh DIR	run by DKMS where it has built hwpmc: keeps in DIR, which is this kernel's, what
#			modules that use pmc_kapi(9) are built with
mkdir -p "$1" && cp kdrv/Module.symvers "$1"
