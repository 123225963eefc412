// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmclog/reader.h"
#include "pmclog/recv_kept.h"

static bool is_what_came(const struct recv_kept *kept, const struct stat *st)
{
	return st->st_dev == kept->device && st->st_ino == kept->inode &&
	       st->st_mtim.tv_sec == kept->written.tv_sec &&
	       st->st_mtim.tv_nsec == kept->written.tv_nsec;
}

/* Says of which host the log is; empty: it does not say. */
static void read_host(int directory, struct recv_kept *kept)
{
	int fd = openat(directory, kept->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct pmclog_reader *r;
	struct pmclog_record rec;
	struct stat st;

	if (fd < 0)
		return;
	r = fstat(fd, &st) || !is_what_came(kept, &st)
		    ? NULL
		    : pmclog_reader_open_fd(fd, kept->name, NULL);
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

/* The file's bytes are free for others. */
static void delete_file(struct recv_files *f, const struct recv_kept *kept)
{
	struct stat st;

	if (fstatat(f->directory, kept->name, &st, AT_SYMLINK_NOFOLLOW) ||
	    (is_what_came(kept, &st) && !unlinkat(f->directory, kept->name, 0)))
		f->bytes -= kept->bytes;
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
	delete_file(f, &k->list.v[oldest]);
	vec_remove(&k->list, oldest, 1);
}

void pmclogint_recv_keep(struct recv_keeper *k, struct recv_files *f, const struct recv_part *p)
{
	struct recv_kept kept = {.bytes = p->bytes};
	struct stat st;

	if (!k->files || fstatat(f->directory, p->name, &st, AT_SYMLINK_NOFOLLOW))
		return;
	kept.device = st.st_dev;
	kept.inode = st.st_ino;
	kept.written = st.st_mtim;
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
