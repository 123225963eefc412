// SPDX-License-Identifier: BSD-2-Clause
/*
 * --archive: a tar of the files that names, places and code come from, under the names by which -r
 * finds them on another machine.
 *
 * Those are the paths at which the symbol part opened them, without the root that they were below.
 * What is looked for by the release of the kernel that runs, or came from a server, lies at its
 * build-id instead.  Files are streamed; one that is not the file that was read is an error.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/perf_map.h"
#include "base/same_file.h"
#include "base/tar.h"
#include "callgraph/output/output.h"

enum { CHUNK = 64 << 10, MEMORY_MAX = 256 << 20 /* bytes of a file below /proc */ };

struct member {
	char *name;		 /* in the archive */
	char *path;		 /* NULL: it is bytes, or a directory */
	struct symbol_file file; /* at path */
};

struct archive {
	const struct cg_profile *p;
	const char *fsroot; /* without slashes at its end */
	size_t fsroot_len;
	VEC(struct member) members;
	struct sink *missing; /* a line each */
	uint32_t nmissing;
	uint32_t sources_missing;
};

static int add_member(struct archive *a, const char *name, const char *path,
		      const struct symbol_file *file)
{
	struct member m = {.name = strdup(name), .path = path ? strdup(path) : NULL};

	if (file)
		m.file = *file;
	m.file.path = m.path;
	if (m.name && (m.path || !path) && !vec_push(&a->members, m))
		return 0;
	free(m.name);
	free(m.path);
	return -1;
}

static void add_missing(struct archive *a, const char *path, const char *why)
{
	sink_str(a->missing, "  ");
	cg_write_text(a->missing, path);
	sink_str(a->missing, ": ");
	cg_write_text(a->missing, why);
	sink_char(a->missing, '\n');
	a->nmissing++;
}

/*
 * Makes name of a path: without . and .., relative.  Where a .. leaves a directory that directory
 * is a member, since who follows the path needs it.  1: the path leaves the root; -1: no memory.
 */
static int make_name(struct archive *a, const char *path, char name[PATH_MAX])
{
	char dir[PATH_MAX + 1];
	size_t n = 0, len;

	for (; *path; path += len) {
		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (!len || (len == 1 && *path == '.'))
			continue;
		if (len == 2 && !strncmp(path, "..", 2)) {
			if (!n)
				return 1;
			snprintf(dir, sizeof(dir), "%.*s/", (int)n, name);
			if (add_member(a, dir, NULL, NULL))
				return -1;
			while (n && name[--n] != '/')
				;
			continue;
		}
		if (n + len + 2 > PATH_MAX)
			return 1;
		if (n)
			name[n++] = '/';
		memcpy(name + n, path, len);
		n += len;
	}
	name[n] = '\0';
	return n ? 0 : 1;
}

/* Adds the file at path, which is looked for as one below the root or already there. */
static int add_path(struct archive *a, const char *path, const char *as,
		    const struct symbol_file *file)
{
	const char *below = as;
	char name[PATH_MAX];
	int left;

	if (a->fsroot_len && !strncmp(as, a->fsroot, a->fsroot_len) && as[a->fsroot_len] == '/')
		below += a->fsroot_len;
	left = make_name(a, below, name);
	if (left < 0)
		return -1;
	if (!left)
		return add_member(a, name, path, file);
	add_missing(a, path, "its path leads out of the root directory");
	return 0;
}

static int add_file(struct archive *a, const char *image, const struct symbol_file *file)
{
	char id[2 * BUILD_ID_MAX + 1], name[sizeof(id) + 64];

	if (file->by_build_id && file->build_id_len > 1) {
		build_id_text(file->build_id, file->build_id_len, id);
		snprintf(name, sizeof(name), "usr/lib/debug/.build-id/%.2s/%s%s", id, id + 2,
			 file->is_debug ? ".debug" : "");
		return add_member(a, name, file->path, file);
	}
	if (file->path && file->by_build_id)
		add_missing(a, image, "only its process has the file, and no build-id names it");
	else if (file->path)
		return add_path(a, file->path, file->as ? file->as : file->path, file);
	else
		add_missing(a, image, "the log does not say which build-id it has");
	return 0;
}

/* Whether it is a file that was not found, and not memory without one. */
static bool lacks_file(const struct cg_image *image)
{
	switch (symbol_image_status(image->symbols)) {
	case SYMBOL_NO_FILE:
	case SYMBOL_BAD_FILE:
	case SYMBOL_WRONG_BUILD_ID: break;
	default: return false;
	}
	return image->kernel || !strcmp(image->path, "[vdso]") ||
	       (*image->path != '[' && !perf_map_is_anonymous(image->path));
}

static int add_image(struct archive *a, const struct cg_image *image)
{
	struct symbol_file file;
	bool has_code = false;
	uint32_t n;

	for (n = 0; symbol_image_file(image->symbols, n, &file); n++) {
		has_code |= !file.is_debug;
		if (add_file(a, image->path, &file))
			return -1;
	}
	if (!has_code && lacks_file(image))
		add_missing(a, image->path, symbol_image_problem(image->symbols));
	else if (symbol_image_is_packed(image->symbols) &&
		 symbol_image_status(image->symbols) != SYMBOL_NO_FILE)
		add_missing(a, image->path, "the log has an excerpt of it, not the file");
	return 0;
}

static int by_address(const void *pa, const void *pb)
{
	const char *const *a = pa, *const *b = pb;

	return (*a > *b) - (*a < *b);
}

/* Equal texts have equal addresses. */
static int add_sources(struct archive *a)
{
	VEC(const char *) files = {0};
	const struct cg_frame *frame;
	char path[PATH_MAX];
	struct stat st;
	int ret = 0;
	size_t i;

	vec_each(frame, &a->p->frames)
		if (frame->file && vec_push(&files, frame->file))
			ret = -1;
	if (files.n)
		qsort(files.v, files.n, sizeof(*files.v), by_address);
	for (i = 0; i < files.n && !ret; i++) {
		if (i && files.v[i] == files.v[i - 1])
			continue;
		if ((size_t)snprintf(path, sizeof(path), "%.*s%s%s", (int)a->fsroot_len, a->fsroot,
				     a->fsroot_len && *files.v[i] != '/' ? "/" : "",
				     files.v[i]) < sizeof(path) &&
		    !stat(path, &st) && S_ISREG(st.st_mode))
			ret = add_path(a, path, path, NULL);
		else
			a->sources_missing++;
	}
	vec_free(&files);
	return ret;
}

static int by_name(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	int diff = strcmp(a->name, b->name);

	return diff ? diff : strcmp(a->path ? a->path : "", b->path ? b->path : "");
}

static int collect(struct archive *a, bool sources, struct err *err)
{
	const struct cg_image *image;
	int ret = 0;

	vec_each(image, &a->p->images)
		if (image->symbols && !ret)
			ret = add_image(a, image);
	if (!ret && sources)
		ret = add_sources(a);
	if (a->members.n)
		qsort(a->members.v, a->members.n, sizeof(*a->members.v), by_name);
	return ret ? err_nomem(err) : 0;
}

/* To open the output would end the file that it is to hold. */
static int check_output(const struct archive *a, const char *output, struct err *err)
{
	const struct member *m;

	vec_each(m, &a->members)
		if (m->path && is_same_file(output, m->path))
			return err_set(err, EX_USAGE, "--archive would overwrite %s", m->path);
	return 0;
}

static void write_bytes(struct sink *sink, const char *name, const void *bytes, size_t len)
{
	struct tar_member m = {.name = name, .size = len};

	tar_begin(sink, &m);
	sink_write(sink, bytes, len);
	tar_end(sink, len);
}

static int cannot_read(const struct member *m, int error, struct err *err)
{
	err_set(err, EX_IOERR, "cannot read %s: %s", m->path, strerror(error));
	return err_errno(err, error);
}

/* What is below /proc has no size that could be written before it is read. */
static int write_unsized(struct sink *sink, const struct member *m, int fd, struct err *err)
{
	struct sink *memory = sink_to_memory();
	char buf[CHUNK];
	const char *text;
	size_t len = 0;
	ssize_t n;

	if (!memory)
		return err_nomem(err);
	while ((n = read(fd, buf, sizeof(buf))) > 0 && (len += (size_t)n) <= MEMORY_MAX)
		sink_write(memory, buf, (size_t)n);
	if (n)
		cannot_read(m, n < 0 ? errno : EFBIG, err);
	else if (sink_flush(memory))
		n = err_nomem(err);
	text = sink_text(memory, &len);
	if (!n)
		write_bytes(sink, m->name, text, len);
	sink_free(memory);
	return n ? -1 : 0;
}

static bool is_unchanged(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int write_sized(struct sink *sink, const struct member *m, int fd, const struct stat *st,
		       struct err *err)
{
	struct tar_member header = {.name = m->name,
				    .size = (uint64_t)st->st_size,
				    .time = st->st_mtim.tv_sec,
				    .executable = st->st_mode & 0111};
	uint64_t at = 0;
	char buf[CHUNK];
	struct stat now;
	ssize_t n = 1;

	tar_begin(sink, &header);
	while (at < header.size && n > 0 && !sink_flush(sink)) {
		n = pread(fd, buf, header.size - at < CHUNK ? header.size - at : CHUNK, (off_t)at);
		sink_write(sink, buf, n > 0 ? (size_t)n : 0);
		at += n > 0 ? (uint64_t)n : 0;
	}
	tar_end(sink, header.size);
	if (n < 0)
		return cannot_read(m, errno, err);
	if (!n || fstat(fd, &now) || !is_unchanged(st, &now))
		return err_set(err, EX_IOERR, "%s changed while it was read", m->path);
	return 0;
}

static int write_file(struct sink *sink, const struct member *m, struct err *err)
{
	int fd = symbol_file_open(&m->file, err), ret;
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st))
		ret = cannot_read(m, errno, err);
	else if (st.st_size)
		ret = write_sized(sink, m, fd, &st, err);
	else
		ret = write_unsized(sink, m, fd, err);
	close(fd);
	return ret;
}

static int write_members(const struct archive *a, struct sink *sink, struct err *err)
{
	const struct member *m, *last = NULL;

	vec_each(m, &a->members) {
		/* Images may share a file. */
		if (last && !strcmp(m->name, last->name))
			continue;
		last = m;
		if (m->path && write_file(sink, m, err))
			return -1;
		if (!m->path)
			write_bytes(sink, m->name, m->file.bytes, m->file.len);
	}
	tar_close(sink);
	return 0;
}

/* Tells what is not in it. */
static void tell_missing(const struct archive *a, const char *name, struct cg_files *files)
{
	struct sink *text = sink_to_memory();

	if (!text)
		return;
	if (a->nmissing) {
		cg_write_text(text, name);
		sink_printf(text, ": without %u file%s that samples are in:\n", a->nmissing,
			    a->nmissing == 1 ? "" : "s");
		sink_str(text, sink_text(a->missing, NULL));
	}
	if (a->sources_missing) {
		cg_write_text(text, name);
		sink_printf(text, ": without %u source file%s that %s not here\n",
			    a->sources_missing, a->sources_missing == 1 ? "" : "s",
			    a->sources_missing == 1 ? "is" : "are");
	}
	files->remark(files, sink_text(text, NULL));
	sink_free(text);
}

static int write_archive(const struct cg_view *view, const struct cg_output_options *options,
			 struct cg_files *files, struct err *err)
{
	struct archive a = {.p = view->profile,
			    .fsroot = options->fsroot ? options->fsroot : "",
			    .missing = sink_to_memory()};
	struct sink *sink = NULL;
	struct member *m;
	int ret, unwritten;

	a.fsroot_len = strlen(a.fsroot);
	while (a.fsroot_len && a.fsroot[a.fsroot_len - 1] == '/')
		a.fsroot_len--;
	ret = a.missing ? collect(&a, options->archive_sources, err) : err_nomem(err);
	if (!ret)
		ret = check_output(&a, options->argument, err);
	if (!ret && !(sink = files->open(files, NULL, options->argument, err)))
		ret = -1;
	if (!ret && !(ret = write_members(&a, sink, err)) && (unwritten = sink_flush(sink)))
		ret = err_unwritten(err, options->argument, unwritten);
	if (sink && ret)
		files->discard(files, sink);
	else if (sink)
		ret = files->close(files, sink, err);
	if (!ret && (a.nmissing || a.sources_missing))
		tell_missing(&a, options->argument, files);
	vec_each(m, &a.members) {
		free(m->name);
		free(m->path);
	}
	vec_free(&a.members);
	sink_free(a.missing);
	return ret;
}

const struct cg_output cg_output_archive = {
	.name = "archive",
	.argument = CG_MUST_NAME_FILE,
	.needs = CG_NEEDS_LINES,
	.traits = CG_HEEDS_ARCHIVE_SOURCES,
	.summary = "a tar of the files that samples are in, for -r elsewhere",
	.write_files = write_archive,
};
