// SPDX-License-Identifier: BSD-2-Clause
#include "base/edit.h"

void edit_distances(const char *text, size_t n, const char *name, size_t m, char (*fold)(char),
		    unsigned int row[])
{
	size_t i, j;

	for (j = 0; j <= m; j++)
		row[j] = (unsigned int)j;
	for (i = 0; i < n; i++) {
		unsigned int before = row[0];

		row[0] = (unsigned int)i + 1;
		for (j = 0; j < m; j++) {
			unsigned int best = before + (fold(text[i]) != fold(name[j]));

			before = row[j + 1];
			best = row[j] + 1 < best ? row[j] + 1 : best;
			row[j + 1] = before + 1 < best ? before + 1 : best;
		}
	}
}
