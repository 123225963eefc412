// SPDX-License-Identifier: BSD-2-Clause
/* What called.c opens and closes. */
void in_library(void (*spin)(double), double until)
{
	volatile char room[100] = {0};

	spin(until);
	room[1]++;
}

/* A hundred functions that are found when they are first called. */
#define EACH(f) TEN(f##0) TEN(f##1) TEN(f##2) TEN(f##3) TEN(f##4) \
	TEN(f##5) TEN(f##6) TEN(f##7) TEN(f##8) TEN(f##9)
#define TEN(f) ONE(f##0) ONE(f##1) ONE(f##2) ONE(f##3) ONE(f##4) \
	ONE(f##5) ONE(f##6) ONE(f##7) ONE(f##8) ONE(f##9)
#define ONE(f) void f(void); __attribute__((noinline)) void f(void) { __asm__ volatile(""); }
EACH(bound)
#undef ONE
#define ONE(f) f();

void binds(void)
{
	EACH(bound)
	__asm__ volatile("");
}
