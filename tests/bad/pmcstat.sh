#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What pmclog says of damaged logs pmcstat --dump -R says too, under its own name.
program=pmcstat reads='--dump -R' exec sh "${srcdir:?}/tests/bad/run.sh"
