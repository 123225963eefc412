// SPDX-License-Identifier: BSD-2-Clause
/* spin N: a loop of 2N instructions, not counting what starts and ends a program. */
#include <stdlib.h>

#include "loop.h"

int main(int argc, char **argv)
{
	loop(argc > 1 ? strtoul(argv[1], NULL, 0) : 10000000);
	return 0;
}
