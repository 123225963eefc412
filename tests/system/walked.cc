// SPDX-License-Identifier: BSD-2-Clause
/*
 * walked_cc [SECONDS]: throws through frames with destructors: twice, or until so much processor
 * time is spent.  It needs little of the library, whose start alone is a million instructions.
 */
#include <stdlib.h>
#include <time.h>

static volatile unsigned int sink;

struct thrown {
	unsigned int n;
};

struct counts {
	__attribute__((noinline)) ~counts()
	{
		sink = sink + 1;
	}
};

__attribute__((noinline)) static void throws(unsigned int n)
{
	counts c;

	if (!n)
		throw thrown{1};
	throws(n - 1);
	sink = sink + 1;
}

__attribute__((noinline)) static void catches()
{
	for (unsigned int i = 0; i < 2; i++) {
		try {
			throws(3);
		} catch (const thrown &e) {
			sink = sink + e.n;
		}
	}
}

int main(int argc, char **argv)
{
	double until = argc > 1 ? atof(argv[1]) : 0;

	do
		catches();
	while ((double)clock() / CLOCKS_PER_SEC < until);
	return 0;
}
