// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/held_files.h"
#include "base/vec.h"

#define MOST_BYTES (INT64_C(1) << 30) /* of disks */

enum { MOST_FILES = 256 };

struct held {
	struct held_file file;
	int fd;
	int64_t size;
};

static struct {
	pthread_mutex_t lock;
	VEC(struct held) v; /* the oldest first */
	int64_t size;	    /* of all */
	size_t most;	    /* files; 0: none is held */
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Events, logs and outputs need descriptors as well. */
static size_t most_files(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur / 4 > MOST_FILES)
		return MOST_FILES;
	return (size_t)lim.rlim_cur / 4;
}

static void give_up(size_t n)
{
	size_t i;

	if (!n)
		return;
	for (i = 0; i < n; i++) {
		close(list.v.v[i].fd);
		list.size -= list.v.v[i].size;
	}
	vec_remove(&list.v, 0, n);
}

void held_files_begin(void)
{
	pthread_mutex_lock(&list.lock);
	list.most = most_files();
	pthread_mutex_unlock(&list.lock);
}

bool held_files_end(void)
{
	bool any;

	pthread_mutex_lock(&list.lock);
	any = list.v.n;
	give_up(list.v.n);
	vec_free(&list.v);
	list.most = 0;
	pthread_mutex_unlock(&list.lock);
	return any;
}

static bool is_same(const struct held_file *a, const struct held_file *b)
{
	if (a->build_id_len != b->build_id_len)
		return false;
	if (a->build_id_len)
		return !memcmp(a->build_id, b->build_id, a->build_id_len);
	return a->inode && a->inode == b->inode && a->device == b->device;
}

static const struct held *find(const struct held_file *file)
{
	const struct held *h;

	vec_each(h, &list.v)
		if (is_same(&h->file, file))
			return h;
	return NULL;
}

/* Whether it is held now. */
static bool take(const struct held *add)
{
	size_t n = 0;
	int64_t size = list.size + add->size;

	if (!list.most || add->size > MOST_BYTES || find(&add->file))
		return false;
	while (list.v.n - n >= list.most || size > MOST_BYTES)
		size -= list.v.v[n++].size;
	give_up(n);
	if (vec_push(&list.v, *add))
		return false;
	list.size += add->size;
	return true;
}

void held_files_add(const struct held_file *file, int fd)
{
	struct held add = {.file = *file};
	struct stat st;
	bool taken;

	if (fstat(fd, &st))
		return;
	add.size = st.st_size;
	add.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (add.fd < 0)
		return;
	pthread_mutex_lock(&list.lock);
	taken = take(&add);
	pthread_mutex_unlock(&list.lock);
	if (!taken)
		close(add.fd);
}

int held_files_open(const struct held_file *file)
{
	const struct held *h;
	int fd = -1;

	pthread_mutex_lock(&list.lock);
	h = find(file);
	if (h)
		fd = fcntl(h->fd, F_DUPFD_CLOEXEC, 0);
	pthread_mutex_unlock(&list.lock);
	return fd;
}
