// SPDX-License-Identifier: BSD-2-Clause
/*
 * deep_frames WAY: callers that are further up the stack than what is copied of it with a sample.
 * All ways work in first() for a quarter of their time and in second() for the rest.
 *
 *	frame		work_of_first and work_of_second in a function with a large frame, whose
 *			contents and place are the same by either way
 *	recursion	in the 1000th call of a function
 *	leaf		in a function with a large frame that calls nothing
 *	untouched	in one that has not touched the page that its stack pointer is in
 */
#include <stdlib.h>
#include <string.h>

#define CALLED __attribute__((noinline, noclone))

typedef void work_fn(long n);

static volatile unsigned long sink;

static inline void spin(long n)
{
	unsigned long x = (unsigned long)n;

	for (long i = 0; i < n; i++)
		x = x * 6364136223846793005u + (unsigned long)i;
	sink = x;
}

CALLED static void work_of_first(long n)
{
	spin(n);
	sink++;
}

CALLED static void work_of_second(long n)
{
	spin(n);
	sink += 2;
}

CALLED static void frame(long n, work_fn *work)
{
	volatile char room[40000];

	memset((char *)room, 1, sizeof(room));
	for (int i = 0; i < 1000; i++)
		work(n / 1000);
	sink += (unsigned long)room[sizeof(room) - 1];
}

CALLED static void recurse(long n, int depth, work_fn *work)
{
	volatile char room[64];

	room[0] = 1;
	if (depth)
		recurse(n, depth - 1, work);
	else
		work(n);
	sink += (unsigned long)room[0];
}

CALLED static void recursion(long n, work_fn *work)
{
	recurse(n, 1000, work);
	sink++;
}

CALLED static void leaf(long n, work_fn *work)
{
	volatile char room[40000];

	for (size_t i = 0; i < sizeof(room); i++)
		room[i] = 1;
	spin(n);
	sink += (unsigned long)room[work == work_of_first];
}

CALLED static void untouched(long n, work_fn *work)
{
	volatile char room[20000];

	room[sizeof(room) - 1] = work == work_of_first;
	spin(n);
	sink += (unsigned long)room[sizeof(room) - 1];
}

typedef void way_fn(long n, work_fn *work);

CALLED static void first(way_fn *way, long n)
{
	way(n, work_of_first);
	sink++;
}

CALLED static void second(way_fn *way, long n)
{
	way(n, work_of_second);
	sink += 2;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	way_fn *way = frame;

	if (!strcmp(name, "recursion"))
		way = recursion;
	else if (!strcmp(name, "leaf"))
		way = leaf;
	else if (!strcmp(name, "untouched"))
		way = untouched;
	else if (strcmp(name, "frame") != 0)
		return 64;
	/* Few and long: a recorder on a busy machine reads the stack when the next has begun. */
	for (int i = 0; i < 5; i++) {
		first(way, 50000000);
		second(way, 150000000);
	}
	return 0;
}
