// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "callgraph/output/gmon_file.h"
#include "pmcstat/record/kgmon.h"
#include "pmcstat/output_files.h"

/* Adds a histogram's bins with samples. */
static int add_hits(struct gmon_file *f, const struct pmc_kgmon *h)
{
	uint32_t i;

	for (i = 0; i < h->nbins; i++) {
		struct gmon_hit hit = {.address = h->low + (uint64_t)i * h->width,
				       .count = h->bins[i]};

		if (hit.count && vec_push(&f->hits, hit))
			return -1;
	}
	return 0;
}

/* Adds the samples of all PMCs; *outside becomes those that were elsewhere. */
static int add_pmcs(struct gmon_file *f, const pmc_id_t *ids, size_t n, uint64_t *outside,
		    struct err *err)
{
	struct pmc_kgmon *h;
	int status;
	size_t i;

	for (i = 0; i < n; i++) {
		if (pmc_get_kgmon(ids[i], &h))
			return err_set(err, pmc_error_code(), "%s", pmc_error());
		*outside += h->outside;
		status = add_hits(f, h);
		free(h);
		if (status)
			return err_nomem(err);
	}
	return 0;
}

static int write_file(const char *file, struct gmon_file *f, struct err *err)
{
	int fd = output_file_open(file, err), status;
	struct sink *sink;

	if (fd < 0)
		return -1;
	sink = sink_to_fd(fd);
	status = sink ? gmon_file_write(f, sink) : -1;
	if (status) {
		output_file_close(file, fd, sink, NULL);
		return err_nomem(err);
	}
	return output_file_close(file, fd, sink, err);
}

int kgmon_write(const char *file, const pmc_id_t *ids, size_t n, uint64_t nanoseconds,
		struct err *err)
{
	struct gmon_file f = {.layout = {.is32 = sizeof(void *) == 4,
					 .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__}};
	uint64_t outside = 0;
	int status = add_pmcs(&f, ids, n, &outside, err);

	gmon_file_set_rate(&f, nanoseconds);
	if (!status && !f.hits.n)
		status = err_set(err, EX_DATAERR,
				 "%s is not written: no sample was in the kernel's text, and %llu "
				 "elsewhere",
				 file, (unsigned long long)outside);
	if (!status)
		status = write_file(file, &f, err);
	gmon_file_fini(&f);
	return status;
}
