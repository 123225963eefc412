// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmclog/reader.h"
#include "pmclog/recv/recv_kept.h"

/* Says of which host the log is; empty: it does not say. */
static void read_host(int directory, struct recv_kept *kept)
{
	int fd = openat(directory, kept->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct pmclog_reader *r;
	struct pmclog_record rec;

	if (fd < 0)
		return;
	r = file_mark_is_of(&kept->mark, fd) ? pmclog_reader_open_fd(fd, kept->name, NULL) : NULL;
	if (r && pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK &&
	    rec.type == PMCLOG_WIRE_INITIALIZE && rec.u.init.host.s)
		snprintf(kept->host, sizeof(kept->host), "%s", rec.u.init.host.s);
	pmclog_reader_close(r);
	close(fd);
}

static bool is_same_sender(const struct recv_kept *a, const struct recv_kept *b)
{
	return !strcmp(a->address, b->address) && !strcmp(a->host, b->host);
}

/* Deletes the oldest file of who sent the last one, if he has too many. */
static void delete_oldest(struct recv_keeper *k, struct recv_files *f)
{
	const struct recv_kept *last = &k->list.v[k->list.n - 1];
	size_t i, oldest = k->list.n;
	uint64_t n = 0;

	for (i = k->list.n; i-- > 0;)
		if (is_same_sender(&k->list.v[i], last)) {
			n++;
			oldest = i;
		}
	if (n <= k->files)
		return;
	/* Its bytes are free for others. */
	if (file_mark_delete(&k->list.v[oldest].mark, f->directory, k->list.v[oldest].name) > 0)
		f->bytes -= k->list.v[oldest].bytes;
	vec_remove(&k->list, oldest, 1);
}

void pmclogint_recv_keep(struct recv_keeper *k, struct recv_files *f, const struct recv_part *p)
{
	struct recv_kept kept = {.bytes = p->bytes};

	if (!k->files || file_mark_take(&kept.mark, p->file))
		return;
	memcpy(kept.address, p->address, sizeof(kept.address));
	memcpy(kept.name, p->name, sizeof(kept.name));
	read_host(f->directory, &kept);
	if (k->list.n == RECV_KEPT)
		vec_remove(&k->list, 0, 1);
	if (!vec_push(&k->list, kept))
		delete_oldest(k, f);
}

void pmclogint_recv_keeper_fini(struct recv_keeper *k)
{
	vec_free(&k->list);
}
