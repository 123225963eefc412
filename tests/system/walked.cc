// SPDX-License-Identifier: BSD-2-Clause
/* Throws through frames with destructors, twice. */
#include <stdexcept>
#include <string>

volatile unsigned int sink;

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
		throw std::runtime_error("thrown");
	throws(n - 1);
	sink = sink + 1;
}

int main()
{
	for (unsigned int i = 0; i < 2; i++) {
		try {
			throws(3);
		} catch (const std::exception &e) {
			sink = sink + (unsigned int)std::string(e.what()).size();
		}
	}
	return 0;
}
