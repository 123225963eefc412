// SPDX-License-Identifier: BSD-2-Clause
/* What called.c opens and closes. */
void in_library(void (*spin)(double), double until)
{
	volatile char room[100] = {0};

	spin(until);
	room[1]++;
}
