// SPDX-License-Identifier: BSD-2-Clause
/* The kernel, its modules, and the code that it makes while it runs. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "symbol/image.h"
#include "symbol/regular.h"

enum { MODULE_NAME = 64 };

static bool is_bracketed(const char *path)
{
	return path[0] == '[' && path[1] && path[strlen(path) - 1] == ']';
}

/* The module's name as the kernel has it: of "[ext4]" or "/lib/.../snd-pcm.ko"; "" for the kernel.
 */
static void module_name(const char *path, char name[MODULE_NAME])
{
	const char *base = strrchr(path, '/'), *end;
	size_t n = 0;

	name[0] = '\0';
	if (is_bracketed(path)) {
		base = path + 1;
		end = path + strlen(path) - 1;
		if (!strncmp(base, "kernel]", 7) || !strncmp(base, "kernel.", 7))
			return;
	} else {
		base = base ? base + 1 : path;
		end = strstr(base, ".ko");
		if (!end)
			return;
	}
	for (; base < end && n < MODULE_NAME - 1; base++)
		name[n++] = *base == '-' ? '_' : *base;
	name[n] = '\0';
}

/* Whether it is named as FreeBSD's logs do it: by its file, often without the directory. */
static bool is_of_freebsd(const struct symbol_image *image)
{
	return image->path[0] != '[' && !image->build_id_len;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What the user names, below the fsroot or as it stands; whether it is a directory. */
static bool named_place(const struct symbol_store *store, image_path path)
{
	struct stat st;

	image_path_set(path, store, "%s", store->kernel);
	if (stat(path, &st)) {
		snprintf(path, PATH_MAX, "%s", store->kernel);
		if (stat(path, &st))
			return false;
	}
	return S_ISDIR(st.st_mode);
}

static bool is_there(const char *path)
{
	struct stat st;

	return !stat(path, &st);
}

/* Takes the kernel that the user names: a file, or that of a directory. */
static int open_named_kernel(struct symbol_image *image)
{
	static const char *const names[] = {"vmlinux", "kernel", "boot/kernel/kernel"};
	struct err err = {0};
	bool taken = false;
	image_path place, path;
	size_t i, n = sizeof(names) / sizeof(names[0]);

	if (!named_place(image->store, place)) {
		snprintf(path, sizeof(path), "%s", place);
	} else {
		for (i = 0; i < n; i++) {
			image_path_join(path, place, names[i]);
			if (is_there(path))
				break;
		}
		if (i == n) {
			err_set(&err, EX_NOINPUT,
				"%.1000s has none of vmlinux, kernel and boot/kernel/kernel",
				place);
			return image_fail(image, SYMBOL_NO_FILE, &err);
		}
	}
	if (image_try(image, path, IMAGE_VMLINUX, &taken, &err))
		return -1;
	return taken ? 0 : image_fail(image, image_status_of(&err), &err);
}

/* Looks for a file of FreeBSD's kernel where the log says, or else where FreeBSD has it. */
static int find_freebsd(struct symbol_image *image, enum image_kind kind, bool *taken,
			struct err *err)
{
	static const char *const dirs[] = {"", "/boot/kernel/", "/boot/modules/"};
	bool is_whole = image->path[0] == '/';
	image_path path;
	size_t i, first = !is_whole, n = is_whole ? 1 : sizeof(dirs) / sizeof(dirs[0]);

	for (i = first; i < n; i++) {
		image_path_set(path, image->store, "%s%s", dirs[i], image->path);
		if (is_there(path))
			return image_try(image, path, kind, taken, err);
	}
	image_path_set(path, image->store, "%s%s", dirs[first], image->path);
	err_set(err, EX_NOINPUT, "there is no %.1000s", path);
	return 0;
}

/* Looks where distributions put a vmlinux with symbols, by its build-id. */
static int find_vmlinux(struct symbol_image *image, bool *taken)
{
	static const struct {
		bool debug; /* below the debug directory */
		const char *before, *after;
	} places[] = {
		{true, "/boot/vmlinux-", ""},
		{true, "/lib/modules/", "/vmlinux"},
		{true, "/usr/lib/modules/", "/vmlinux"},
		{false, "/boot/vmlinux-", ""},
		{false, "/lib/modules/", "/vmlinux"},
		{false, "/lib/modules/", "/build/vmlinux"},
	};
	const struct symbol_store *store = image->store;
	struct err err = {0};
	struct utsname u;
	image_path path;
	size_t i;

	if (!image->build_id_len)
		return 0;
	image_path_set(path, store, "%s", image->path);
	if (image->path[0] == '/' && image_try(image, path, IMAGE_VMLINUX, taken, &err))
		return -1;
	for (i = 0; !*taken && i < sizeof(places) / sizeof(places[0]) && !uname(&u); i++) {
		image_path_set(path, store, "%s%s%s%s", places[i].debug ? store->debug_dir : "",
			       places[i].before, u.release, places[i].after);
		if (image_try(image, path, IMAGE_VMLINUX, taken, &err))
			return -1;
	}
	return *taken ? 0 : image_by_build_id(image, IMAGE_VMLINUX, taken);
}

/* Where the kernel that has these symbols says which build of a module it has loaded. */
static void module_notes(const struct kallsyms *k, const char *module, image_path path)
{
	int root = (int)(strlen(k->path) - strlen(KALLSYMS));

	if (snprintf(path, PATH_MAX, "%.*s/sys/module/%s/notes/.note.gnu.build-id", root, k->path,
		     module) >= PATH_MAX)
		path[0] = '\0';
}

/* Whether the kernel has the module where the log has it. */
static bool is_in_place(const struct symbol_ref *ref, const struct kallsyms *k, const char *module,
			struct err *err)
{
	uint64_t first, last;

	if (!kallsyms_bounds(k, module, &first, &last) ||
	    (first >= ref->start && (!ref->length || last - ref->start < ref->length)))
		return true;
	err_set(err, EX_DATAERR,
		"the kernel has %s at 0x%" PRIx64 " now, the log at 0x%" PRIx64
		": it was loaded again",
		ref->path, first, ref->start);
	return false;
}

/* Whether the kernel has the build of the module that the log has; notes says which it has. */
static bool is_build(const struct symbol_image *image, const char *notes, struct err *err)
{
	char now[2 * BUILD_ID_MAX + 1], then[2 * BUILD_ID_MAX + 1];
	uint8_t id[BUILD_ID_MAX];
	size_t n;

	if (!image->build_id_len)
		return true;
	n = build_id_of_notes_file(notes, id);
	if (n == image->build_id_len && !memcmp(id, image->build_id, n))
		return true;
	err_set(err, EX_DATAERR, "the kernel has %s with build-id %s now, the log with %s",
		image->path, n ? build_id_text(id, n, now) : "unknown",
		build_id_text(image->build_id, image->build_id_len, then));
	return false;
}

/* Takes the symbols that k has of a module, "" for the kernel itself. */
static int take_kallsyms(struct symbol_image *image, const struct kallsyms *k, const char *module,
			 bool *taken, struct err *err)
{
	const struct symtab *t = &image->symtab;
	struct elf_segment code = {.exec = true};

	if (kallsyms_add(k, module, &image->symtab, taken))
		return -1;
	if (!*taken) {
		err_set(err, EX_NOINPUT, "the kernel shows no symbols of %s", image->path);
		return 0;
	}
	code.vaddr = t->ranges.v[0].from;
	code.memsz = t->syms.v[t->syms.n - 1].start + t->syms.v[t->syms.n - 1].size - code.vaddr;
	image->kind = IMAGE_RUNTIME;
	return vec_push(&image->segments, code);
}

/* Notes the files that say what the running kernel has. */
static int note_kallsyms(struct symbol_image *image, const struct kallsyms *k)
{
	return image_note(image, k->path, NULL, 0, false) ||
			       image_note(image, k->boot_id, NULL, 0, false)
		       ? -1
		       : 0;
}

/* Takes the symbols of the running kernel for itself. */
static int from_kallsyms(struct symbol_image *image, bool *taken, struct err *err)
{
	const struct kallsyms *k = kallsyms_get(image->store, err);

	if (!k)
		return err->code == EX_OSERR ? -1 : 0;
	return note_kallsyms(image, k) ? -1 : take_kallsyms(image, k, "", taken, err);
}

/*
 * The same for a module, if it is the one of the log: it can have been unloaded since, and loaded
 * again elsewhere, or as another build of it.
 */
static int module_from_kallsyms(struct symbol_image *image, const struct symbol_ref *ref,
				const char *name, bool *taken, struct err *err)
{
	const struct kallsyms *k = kallsyms_get(image->store, err);
	image_path notes;

	if (!k)
		return err->code == EX_OSERR ? -1 : 0;
	module_notes(k, name, notes);
	if (note_kallsyms(image, k) || (image->build_id_len && is_there(notes) &&
					image_note(image, notes, NULL, 0, false)))
		return -1;
	if (!is_in_place(ref, k, name, err) || !is_build(image, notes, err))
		return 0;
	return take_kallsyms(image, k, name, taken, err);
}

static int open_kernel(struct symbol_image *image)
{
	struct err err = {0}, named = {0};
	bool taken = false;

	if (image->store->kernel)
		return open_named_kernel(image);
	if (is_of_freebsd(image)) {
		if (find_freebsd(image, IMAGE_VMLINUX, &taken, &err))
			return -1;
		err_set(&named, err.code,
			"%.800s; -r names a copy of the machine's files, -k its kernel", err.msg);
		return taken ? 0 : image_fail(image, image_status_of(&err), &named);
	}
	if (find_vmlinux(image, &taken) || (!taken && from_kallsyms(image, &taken, &err)))
		return -1;
	if (taken)
		return 0;
	err_set(&named, err.code, "no kernel symbols: %.800s; a vmlinux can be named with -k",
		err.msg);
	return image_fail(image, SYMBOL_NO_FILE, &named);
}

/* Whether a line of modules.dep, "kernel/fs/ext4.ko: ...", is of the module. */
static bool is_dep_of(const char *line, size_t len, const char *name)
{
	char of[MODULE_NAME], path[PATH_MAX];

	if (len >= sizeof(path))
		return false;
	memcpy(path, line, len);
	path[len] = '\0';
	module_name(path, of);
	return !strcmp(of, name);
}

/*
 * Looks for the module's file by modules.dep in a directory, or else in the directory itself.  name
 * is that in the kernel, which may differ from the file's.
 */
static int find_module(struct symbol_image *image, const char *dir, const char *name, bool *taken,
		       struct err *err)
{
	image_path path, file;
	char *line = NULL;
	size_t cap = 0;
	uint64_t size;
	FILE *dep;
	int fd, ret;

	snprintf(file, sizeof(file), "%s.ko", name);
	image_path_join(path, dir, is_of_freebsd(image) ? file_name(image->path) : file);
	ret = image_try(image, path, IMAGE_MODULE, taken, err);
	image_path_join(path, dir, "modules.dep");
	fd = ret || *taken ? -1 : regular_open(path, &size, NULL);
	if (fd < 0)
		return ret;
	dep = fdopen(fd, "r");
	if (!dep) {
		close(fd);
		return -1;
	}
	while (!ret && !*taken && getline(&line, &cap, dep) > 0) {
		size_t len = strcspn(line, ":\n");

		if (!is_dep_of(line, len, name))
			continue;
		line[len] = '\0';
		image_path_join(path, dir, line);
		ret = image_try(image, path, IMAGE_MODULE, taken, err);
	}
	free(line);
	fclose(dep);
	return ret;
}

/* Looks for the module's file where there is one that is surely the module: by its build-id. */
static int find_module_by_id(struct symbol_image *image, const char *name, bool *taken,
			     struct err *err)
{
	struct utsname u;
	image_path path;

	if (image->path[0] != '[') {
		image_path_set(path, image->store, "%s", image->path);
		if (image_try(image, path, IMAGE_MODULE, taken, err))
			return -1;
	}
	if (*taken || !image->build_id_len || uname(&u))
		return 0;
	image_path_set(path, image->store, "/lib/modules/%s", u.release);
	if (find_module(image, path, name, taken, err))
		return -1;
	return *taken ? 0 : image_by_build_id(image, IMAGE_MODULE, taken);
}

/*
 * Code that the kernel made, as for a BPF program: the mapping is one function.  Where the kernel's
 * list of modules is not at hand (known is false) only the names that it gives to such code count.
 */
static int take_generated(struct symbol_image *image, const struct symbol_ref *ref, bool known,
			  bool *taken)
{
	static const char *const made[] = {"[bpf_", "[ftrace_", "[kprobe_"};
	struct symtab *t = &image->symtab;
	struct elf_segment code = {.vaddr = ref->start, .memsz = ref->length, .exec = true};
	size_t n = strlen(image->path) - 2, i;

	for (i = 0; i < sizeof(made) / sizeof(made[0]) && !known; i++)
		known = !strncmp(image->path, made[i], strlen(made[i]));
	if (!known || image->build_id_len || !is_bracketed(image->path) || !n || !ref->length ||
	    ref->start + ref->length < ref->start)
		return 0;
	symtab_fini(t);
	t->names = t->own_names = strndup(image->path + 1, n);
	t->names_len = n + 1;
	if (!t->names || symtab_add(t, ref->start, 0, ref->start + ref->length, 0, RANK_GLOBAL) ||
	    symtab_build(t) || vec_push(&image->segments, code))
		return -1;
	image->kind = IMAGE_RUNTIME;
	*taken = true;
	return 0;
}

/* Looks for the module where the user names a kernel: in the directory, or in that of the file. */
static int find_named_module(struct symbol_image *image, const char *name, bool *taken,
			     struct err *err)
{
	image_path dir, below;
	char *slash;

	if (!named_place(image->store, dir) && (slash = strrchr(dir, '/')))
		*slash = '\0';
	if (find_module(image, dir, name, taken, err))
		return -1;
	image_path_join(below, dir, "boot/kernel");
	return *taken || !is_of_freebsd(image) ? 0 : find_module(image, below, name, taken, err);
}

static int open_module(struct symbol_image *image, const struct symbol_ref *ref, const char *name)
{
	struct err err = {0}, other = {0};
	bool taken = false, known;

	if (image->store->kernel && find_named_module(image, name, &taken, &other))
		return -1;
	if (!taken && module_from_kallsyms(image, ref, name, &taken, &err))
		return -1;
	if (!taken && find_module_by_id(image, name, &taken, &other))
		return -1;
	if (!taken && is_of_freebsd(image) && find_freebsd(image, IMAGE_MODULE, &taken, &err))
		return -1;
	known = !image->store->kallsyms.err.code && err.code != EX_DATAERR;
	if (!taken && take_generated(image, ref, known, &taken))
		return -1;
	return taken ? 0 : image_fail(image, SYMBOL_NO_FILE, &err);
}

int image_open_kernel(struct symbol_image *image, const struct symbol_ref *ref)
{
	char name[MODULE_NAME];

	module_name(image->path, name);
	return *name ? open_module(image, ref, name) : open_kernel(image);
}
