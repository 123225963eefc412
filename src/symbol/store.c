// SPDX-License-Identifier: BSD-2-Clause
/* The symbol store: its configuration and its cache of images. */
#include "base/perf_map.h"
#include "symbol/dwarf/dwarf.h"
#include "symbol/excerpt.h"
#include "unwind/unwind.h"

/* Of all images but the one that is asked, which may have more. */
#define LINES_MAX (UINT64_C(384) << 20)

static bool copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return *to || !from;
}

struct symbol_store *symbol_store_new(const struct symbol_config *config, struct err *err)
{
	struct symbol_store *store = calloc(1, sizeof(*store));
	const char *debug = config->debug_dir ? config->debug_dir : "/usr/lib/debug";
	size_t n;

	if (store && (store->pool = strpool_new()) &&
	    copy_text(&store->fsroot, config->fsroot ? config->fsroot : "") &&
	    copy_text(&store->kernel, config->kernel) && copy_text(&store->debug_dir, debug) &&
	    copy_text(&store->boot_id, config->log_boot_id) &&
	    copy_text(&store->machine, config->log_machine) &&
	    copy_text(&store->host, config->log_host)) {
		store->no_demangle = config->no_demangle;
		store->debuginfod = config->debuginfod;
		store->lines_max = LINES_MAX;
		store->any_inode = *store->fsroot;
		for (n = strlen(store->fsroot); n && store->fsroot[n - 1] == '/'; n--)
			store->fsroot[n - 1] = '\0';
		return store;
	}
	symbol_store_free(store);
	err_nomem(err);
	return NULL;
}

bool symbol_store_is_here(const struct symbol_store *store)
{
	return same_boot(store, PROC_BOOT_ID, NULL);
}

static void image_free(struct symbol_image *image)
{
	struct image_source *source;

	if (!image)
		return;
	dwarf_lines_free(image->lines);
	symtab_fini(&image->symtab);
	unwind_image_free(image->unwind);
	vec_free(&image->segments);
	vec_each(source, &image->sources) {
		free(source->path);
		free(source->as);
	}
	vec_free(&image->sources);
	free(image->problem);
	free(image->doubt);
	free(image->lines_problem);
	free(image->file);
	free(image->debug);
	free(image);
}

void symbol_store_free(struct symbol_store *store)
{
	struct symbol_image **image;
	struct excerpt **excerpt;

	if (!store)
		return;
	vec_each(image, &store->images)
		image_free(*image);
	vec_free(&store->images);
	vec_each(excerpt, &store->excerpts)
		excerpt_free(*excerpt);
	vec_free(&store->excerpts);
	table_clear(&store->excerpt_of_key);
	vec_free(&store->with_lines);
	table_clear(&store->image_of_key);
	kallsyms_fini(&store->kallsyms);
	debuginfod_close(store);
	strpool_free(store->pool);
	free(store->fsroot);
	free(store->kernel);
	free(store->debug_dir);
	free(store->boot_id);
	free(store->machine);
	free(store->host);
	free(store);
}

size_t symbol_store_size(const struct symbol_store *store)
{
	size_t size = strpool_size(store->pool) + table_size(&store->image_of_key) +
		      store->kallsyms.text.cap +
		      store->kallsyms.syms.cap * sizeof(*store->kallsyms.syms.v);
	struct symbol_image *const *image;

	vec_each(image, &store->images)
		size += sizeof(**image) + symtab_size(&(*image)->symtab) +
			unwind_image_size((*image)->unwind);
	return size;
}

static uint32_t hash_of(const struct symbol_image *key)
{
	return hash_bytes(key->build_id, sizeof(key->build_id)) ^
	       hash_u64((uintptr_t)key->path ^ key->start);
}

void symbol_image_keep(struct symbol_image *image)
{
	image->kept = true;
}

/* The texts of an image move to another pool; those of its symbols are made again when needed. */
static int move_texts(struct symbol_image *image, struct strpool *pool)
{
	struct symtab_sym *s;

	vec_each(s, &image->symtab.syms)
		s->shown = NULL;
	image->path = strpool_intern(pool, image->path);
	if (image->linker)
		image->linker = strpool_intern(pool, image->linker);
	return image->path ? 0 : -1;
}

int symbol_store_forget(struct symbol_store *store)
{
	struct strpool *pool = strpool_new();
	struct symbol_image *image;
	size_t i, n = 0, all = store->images.n;
	int ret = pool ? image_close_lines(store) : -1;

	table_clear(&store->image_of_key);
	for (i = 0; i < all && !ret; i++) {
		image = store->images.v[i];
		store->images.v[i] = NULL;
		if (!image->kept) {
			image_free(image);
			continue;
		}
		image->kept = false;
		store->images.v[n] = image;
		ret = move_texts(image, pool) ||
		      table_insert(&store->image_of_key, hash_of(image), (uint32_t)n++);
	}
	if (ret) {
		strpool_free(pool);
		return -1;
	}
	store->images.n = n;
	strpool_free(store->pool);
	store->pool = pool;
	return 0;
}

static struct symbol_image *new_image(struct symbol_store *store, const struct symbol_image *key)
{
	struct symbol_image *image = malloc(sizeof(*image));

	if (!image)
		return NULL;
	*image = *key;
	if (!vec_push(&store->images, image))
		return image;
	free(image);
	return NULL;
}

static bool is_same(const struct symbol_image *a, const struct symbol_image *b)
{
	return a->path == b->path && a->kernel == b->kernel && a->start == b->start &&
	       a->device == b->device && a->inode == b->inode &&
	       a->build_id_len == b->build_id_len &&
	       !memcmp(a->build_id, b->build_id, a->build_id_len);
}

static int image_open(struct symbol_image *image, const struct symbol_ref *ref)
{
	const struct excerpt *excerpt = excerpt_find(image->store, image);
	struct err err = {0};
	bool taken = false;

	if (excerpt)
		return excerpt_open(image, excerpt);
	if (image->kernel)
		return image_open_kernel(image, ref);
	if (!strcmp(image->path, "[vdso]"))
		return image_open_vdso(image);
	if (!strcmp(image->path, PERF_MAP_OBJECT)) {
		image->kind = IMAGE_RUNTIME;
		return 0;
	}
	if (perf_map_is_anonymous(image->path)) {
		if (image_by_process(image, &taken) || (!taken && image_by_held(image, &taken)))
			return -1;
		if (taken)
			return 0;
		image->kind = IMAGE_RUNTIME;
		err_set(&err, EX_NOINPUT,
			"%s is memory without a file, and no perf-PID.map named what was in it; a "
			"JIT compiler writes one when asked, as node --perf-basic-prof does",
			image->path);
		return image_fail(image, SYMBOL_NO_FILE, &err);
	}
	if (image->path[0] != '[')
		return image_open_file(image);
	err_set(&err, EX_NOINPUT, "%s is memory without a file", image->path);
	return image_fail(image, SYMBOL_NO_FILE, &err);
}

struct symbol_image *symbol_image_get(struct symbol_store *store, const struct symbol_ref *ref)
{
	struct symbol_image key = {.store = store,
				   .path = strpool_intern(store->pool, ref->path),
				   .kernel = ref->kernel,
				   .build_id_len = ref->build_id_len,
				   .device = ref->device,
				   .inode = ref->inode,
				   .mapped = ref->mapped};
	struct symbol_image *image;
	struct table_iter it;
	uint32_t hash, i;

	if (!key.path)
		return NULL;
	if (key.build_id_len > BUILD_ID_MAX)
		key.build_id_len = BUILD_ID_MAX;
	if (key.build_id_len)
		memcpy(key.build_id, ref->build_id, key.build_id_len);
	if (ref->pids)
		memcpy(key.pids, ref->pids, sizeof(key.pids));
	if (ref->kernel && ref->path[0] == '[' && strcmp(ref->path, "[kernel]"))
		key.start = ref->start;
	hash = hash_of(&key);
	for (i = table_first(&store->image_of_key, hash, &it); i != TABLE_NONE;
	     i = table_next(&store->image_of_key, &it))
		if (is_same(store->images.v[i], &key))
			return store->images.v[i];
	image = new_image(store, &key);
	if (!image || image_open(image, ref) ||
	    table_insert(&store->image_of_key, hash, (uint32_t)(store->images.n - 1)))
		return NULL;
	return image;
}

struct symbol_image *symbolint_image_of_memory(struct symbol_store *store, const char *path,
					       const void *mem, size_t len)
{
	struct symbol_image key = {.store = store,
				   .path = strpool_intern(store->pool, path),
				   .mem = mem,
				   .mem_len = len};
	struct symbol_image *image = key.path ? new_image(store, &key) : NULL;
	struct err err = {0};
	struct elf_file f;

	if (!image)
		return NULL;
	if (elf_file_memory(&f, path, mem, len, &err))
		return image_fail(image, SYMBOL_BAD_FILE, &err) ? NULL : image;
	if (image_take(image, &f, IMAGE_MAPPED))
		image = NULL;
	elf_file_close(&f);
	return image;
}
