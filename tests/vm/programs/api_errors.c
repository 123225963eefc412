// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/pmc.h"

#include "../../unit/test_errors.c"
