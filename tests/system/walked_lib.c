// SPDX-License-Identifier: BSD-2-Clause
/* A library to be opened and closed by walked. */
void call(void (*f)(void));

void call(void (*f)(void))
{
	volatile char frame[100];

	frame[0] = 0;
	f();
	frame[1] = 1;
}
