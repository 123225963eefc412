// SPDX-License-Identifier: BSD-2-Clause
/*
 * Debug files from the servers that $DEBUGINFOD_URLS names, when the user wants that.  The library
 * is loaded only then: it brings forty others with it.
 */
#ifdef HAVE_DEBUGINFOD
#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <unistd.h>
#endif

#include "symbol/image.h"

#ifdef HAVE_DEBUGINFOD

/* The library and what is used of it. */
struct debuginfod {
	void *library;
	debuginfod_client *client;
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_find_debuginfo) *find;
	__typeof__(debuginfod_end) *end;
};

static int load(struct debuginfod *d, struct err *err)
{
	/* It stays when it is closed: what it brings with it leaves things behind. */
	*d = (struct debuginfod){
		.library = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)};
	if (!d->library)
		return err_set(err, EX_UNAVAILABLE, "cannot load libdebuginfod: %s", dlerror());
	*(void **)&d->begin = dlsym(d->library, "debuginfod_begin");
	*(void **)&d->find = dlsym(d->library, "debuginfod_find_debuginfo");
	*(void **)&d->end = dlsym(d->library, "debuginfod_end");
	if (d->begin && d->find && d->end)
		return 0;
	dlclose(d->library);
	return err_set(err, EX_UNAVAILABLE, "libdebuginfod.so.1 lacks functions");
}

static int check_library(struct err *err)
{
	struct debuginfod d;

	if (load(&d, err))
		return -1;
	dlclose(d.library);
	return 0;
}

int debuginfod_fetch(struct symbol_store *store, const uint8_t *id, size_t len, char **path,
		     struct err *why)
{
	struct debuginfod *d = store->debuginfod_library;
	int fd;

	if (!store->debuginfod || !len)
		return 0;
	if (!d) {
		d = calloc(1, sizeof(*d));
		if (!d)
			return -1;
		store->debuginfod_library = d;
		if (!load(d, NULL))
			d->client = d->begin();
	}
	if (!d->client)
		return 0;
	fd = d->find(d->client, id, (int)len, path);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	*path = NULL;
	if (why && fd != -ENOENT)
		err_set(why, EX_UNAVAILABLE, "no server of $DEBUGINFOD_URLS answered: %s",
			strerror(-fd));
	return 0;
}

void debuginfod_close(struct symbol_store *store)
{
	struct debuginfod *d = store->debuginfod_library;

	if (d && d->client) {
		d->end(d->client);
		dlclose(d->library);
	}
	free(d);
}

#else

static int check_library(struct err *err)
{
	return err_set(err, EX_UNAVAILABLE, "this pmcstat is built without libdebuginfod");
}

int debuginfod_fetch(struct symbol_store *store, const uint8_t *id, size_t len, char **path,
		     struct err *why)
{
	(void)store, (void)id, (void)len, (void)path, (void)why;
	return 0;
}

void debuginfod_close(struct symbol_store *store)
{
	(void)store;
}

#endif

int symbol_debuginfod_check(struct err *err)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (urls && *urls)
		return check_library(err);
	err_set(err, EX_USAGE, "DEBUGINFOD_URLS names no server to ask");
	return err_hint(err, "https://debuginfod.elfutils.org knows many distributions");
}
