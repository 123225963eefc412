#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What pmclog says of damaged logs pmcstat -R says too, under its own name.
program=pmcstat reads=-R exec sh "${srcdir:?}/tests/bad/run.sh"
