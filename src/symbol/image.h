/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of src/symbol share: the store, an image, and the steps from the one to the other.
 *
 * Opening an image finds its files and reads their headers; the symbols are read on the first
 * look-up.  Functions that return int return 0, or -1 when out of memory; anything else that goes
 * wrong becomes the status of the image.
 */
#ifndef SYMBOL_IMAGE_H
#define SYMBOL_IMAGE_H

#include <limits.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/held_files.h"
#include "base/proc_text.h"
#include "base/strpool.h"
#include "symbol/elf/elf_file.h"
#include "symbol/symbol.h"
#include "symbol/symtab.h"

/* How runtime addresses become link-time ones. */
enum image_kind {
	IMAGE_UNKNOWN, /* no file says */
	IMAGE_MAPPED,  /* by the PT_LOADs of an ELF file */
	IMAGE_VMLINUX, /* by where the kernel's text begins */
	IMAGE_MODULE,  /* by the start of the module */
	IMAGE_RUNTIME, /* they are the same */
};

/* A file besides the image's own that answers came from. */
struct image_source {
	char *path;
	char *as; /* where it is looked for first; NULL: at path */
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_len;
	bool by_build_id;
};

struct excerpt;

struct symbol_image {
	struct symbol_store *store;
	const char *path; /* as mapped */
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_len; /* of what was mapped; 0: not known */
	uint64_t device, inode; /* likewise, without a build-id */
	time_t mapped;		/* likewise; 0: not known */
	uint32_t pids[SYMBOL_PIDS]; /* that mapped it; 0: none */
	uint64_t start;	     /* where kernel code is mapped that is told apart by it; else 0 */
	bool kernel;
	bool kept; /* by the next symbol_store_forget() */

	enum symbol_status status;
	char *problem; /* NULL: none */
	char *doubt;   /* likewise, of what the names are from */

	const struct excerpt *excerpt; /* answers instead of a file; NULL: none */
	enum image_kind kind;
	char *file;	    /* the ELF file, NULL for none */
	bool by_process;    /* which a process has, and no path here */
	struct held_file held; /* which file of held_files.h it is, if is_held */
	bool is_held;	       /* which has no path here any more */
	char *debug;	    /* the separate debug file, NULL for none */
	VEC(struct image_source) sources; /* for symbol_image_file() alone */
	const uint8_t *mem; /* the ELF file in memory, borrowed; NULL: file is one */
	size_t mem_len;
	uint8_t file_id[BUILD_ID_MAX]; /* build-id of file */
	size_t file_id_len;
	uint16_t elf_type;
	uint64_t entry;	    /* of the ELF file */
	const char *linker; /* path of its run-time linker, interned; NULL: none */
	struct symbol_layout layout;
	bool offsets_lost; /* file is a debug file, whose segments have other offsets */
	VEC(struct elf_segment)
	segments;	      /* of IMAGE_RUNTIME: one, from the first to the last symbol */
	uint64_t text, stext; /* of IMAGE_VMLINUX; 0: none */

	bool loaded;
	struct symtab symtab;
	struct unwind_image *unwind; /* NULL: none, or not yet tried */
	bool unwind_tried;
	struct dwarf_lines *lines; /* NULL until a place in the source is asked for, and when others
				    * took its room */
	bool no_lines;		   /* for want of memory */
	char *lines_problem;	   /* of lines that are not open; NULL: none */
};

/* One line of a kernel's symbols. */
struct kallsyms_sym {
	uint64_t start;
	uint32_t name, module; /* where they begin in text; module 0: the kernel itself */
	uint8_t rank;
	bool code;
};

#define KALLSYMS "/proc/kallsyms"

/* That file, read once for all images. */
struct kallsyms {
	VEC(char) text;		       /* begins with an empty string */
	VEC(struct kallsyms_sym) syms; /* by address */
	bool tried;
	struct err err;	      /* why there are none; code 0: there are */
	char *path, *boot_id; /* the files that it was read from; NULL: none */
};

struct symbol_store {
	/* fsroot ""; the others NULL when not known */
	char *fsroot, *kernel, *debug_dir, *boot_id, *machine, *host;
	bool any_inode; /* files below the root that was given, be it "/", are the right ones */
	bool no_demangle, debuginfod;
	void *debuginfod_library; /* see debuginfod.c; NULL until it is needed */
	struct strpool *pool;
	VEC(struct symbol_image *) images;
	VEC(struct symbol_image *) with_lines; /* as they were opened */
	uint64_t lines_max;		       /* bytes that all their lines may take */
	struct table image_of_key;
	VEC(struct excerpt *) excerpts; /* what images of a packed log are opened by */
	struct table excerpt_of_key;
	struct kallsyms kallsyms;
};

/* A path below the store's fsroot. */
typedef char image_path[PATH_MAX];
void image_path_set(image_path out, const struct symbol_store *store, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A name in a directory; cut where it is too long. */
void image_path_join(image_path out, const char *dir, const char *name);

/* The length of a path as it was before the file was deleted; 0: it was not. */
size_t image_path_before_deletion(const char *path);

/* The n-th place below the debug directory for a build-id; false after the last. */
bool image_path_of_build_id(const struct symbol_image *image, const uint8_t *id, size_t len,
			    unsigned int n, image_path out);

/* Closes the lines of all images.  0, or -1 when out of memory. */
int image_close_lines(struct symbol_store *store);

/* Opens the debug information, and the files that it names and some address might need. */
void image_complete_lines(struct symbol_image *image);

/* Whether a file lies on the device that the image was mapped from. */
bool image_is_on_device(const struct symbol_image *image, const struct stat *st);

/*
 * Whether a file has the inode that was mapped.  Of file systems in layers the device is another
 * one than that of the map, and the upper half of an inode may be the number of a layer.
 */
bool image_has_inode(const struct symbol_image *image, const struct stat *st);

/*
 * Whether the file at path was written after it was mapped; or it is new, with an inode that was
 * freed.  err says so.
 */
bool image_was_written(const struct symbol_image *image, const char *path, const struct stat *st,
		       struct err *err);

/* Notes what makes it doubtful that the file at its path was mapped.  0, or -1: out of memory. */
int image_doubt(struct symbol_image *image);

/* Sets the status; err's message is the problem. */
int image_fail(struct symbol_image *image, enum symbol_status status, const struct err *err);

/* The status for an err that opening a file gave. */
enum symbol_status image_status_of(const struct err *err);

/* Whether f's build-id is the mapping's, or the mapping's is not known; if not, err says so. */
bool image_accepts(const struct symbol_image *image, const struct elf_file *f, struct err *err);

/* Makes f, opened from path, the file of the image, and finds where its symbols are. */
int image_take(struct symbol_image *image, struct elf_file *f, enum image_kind kind);

/*
 * The separate debug file of f, the image's file: sets image->debug where there is one.  Where
 * there is none, *why is of the first that could not be read; code 0: there was no such.
 */
int image_find_debug(struct symbol_image *image, struct elf_file *f, struct err *why);

/*
 * The separate debug file of f that has lines, with its path in *path for free(): image->debug, or
 * another where that has only symbols.  *path stays NULL where there is none; *why as above.
 */
int image_find_lines(struct symbol_image *image, struct elf_file *f, char **path, struct err *why);

/* Opens a file of held_files.h under the image's path.  0, or -1 with err set. */
int image_open_held(const struct symbol_image *image, struct elf_file *f, struct err *err);

/* Opens the image's file again, as long as it is still the same.  0, or -1 with err set. */
int image_reopen(const struct symbol_image *image, struct elf_file *f, struct err *err);

/* Looks for any file with the mapping's build-id and takes it; *taken says whether there was one.
 */
int image_by_build_id(struct symbol_image *image, enum image_kind kind, bool *taken);

/*
 * Notes that answers come from a file, for symbol_image_file().  by_build_id: its path would not
 * do elsewhere.  0, or -1 when out of memory.
 */
int image_note(struct symbol_image *image, const char *path, const uint8_t *build_id,
	       size_t build_id_len, bool by_build_id);

/* The same of a file without build-id that is looked for as another path first. */
int image_note_as(struct symbol_image *image, const char *path, const char *as);

/* Tries to open path and to take it; *taken says whether that went well, err why not. */
int image_try(struct symbol_image *image, const char *path, enum image_kind kind, bool *taken,
	      struct err *err);

/* Open an image by its kind of path. */
int image_open_file(struct symbol_image *image);
/*
 * A program in a root directory or mount namespace of its own, or in memory alone, is found by the
 * processes that run it, while they do and this is their machine.
 */
int image_by_process(struct symbol_image *image, bool *taken);
/* One that was deleted while it was recorded, by the descriptor that the recorder had. */
int image_by_held(struct symbol_image *image, bool *taken);
int image_open_vdso(struct symbol_image *image);
int image_open_kernel(struct symbol_image *image, const struct symbol_ref *ref);

/* The values of the symbols of f's .symtab that have these names; 0 for none. */
void elf_symbol_values(struct elf_file *f, const char *const names[], uint64_t values[], size_t n);

/*
 * Adds the functions of f's table of that type, if it has one.  *names is then where the texts of
 * its names begin in those of t.  0, or -1 with err set.
 */
int elf_add_symbols(struct symtab *t, struct elf_file *f, uint32_t type, uint32_t *names,
		    struct err *err);

/* Appends size bytes of f, NUL-terminated texts, to t's names.  0, or -1 with err set. */
int elf_add_names(struct symtab *t, const struct elf_file *f, uint64_t offset, uint64_t size,
		  struct err *err);

/*
 * Whether f has a .gnu_debugdata: a file with a table of the functions that it does not export,
 * compressed with xz; and adds what is in it.  0, or -1 with err set.
 */
bool elf_has_packed_symbols(const struct elf_file *f);
int elf_add_packed_symbols(struct symtab *t, struct elf_file *f, struct err *err);

/*
 * Whether f is a Go program, which has a table of its functions for its runtime that stripping
 * leaves; and adds what is in it.  0, or -1 with err set.
 */
bool elf_has_go_symbols(const struct elf_file *f);
int elf_add_go_symbols(struct symtab *t, struct elf_file *f, struct err *err);

/*
 * Adds NAME@plt for the entries of f's procedure linkage tables, once its SHT_DYNSYM is added with
 * texts at names.  0, or -1 with err set.
 */
int elf_add_plt(struct symtab *t, struct elf_file *f, uint32_t names, struct err *err);

/* The same for entries that lead to functions chosen at start; t must be built and is built again.
 */
int elf_add_ifunc_plt(struct symtab *t, struct elf_file *f, struct err *err);

/* The bounds that an excerpt has of a function without a name; false: none. */
bool excerpt_unnamed(const struct excerpt *x, uint64_t address, uint64_t *start, uint64_t *end);

/* Whether the profiled machine is this one, since it was last started; if not, err says so. */
bool same_boot(const struct symbol_store *store, const char *boot_id_file, struct err *err);

/* The kernel's symbols; NULL with err set when there are none that mean anything. */
const struct kallsyms *kallsyms_get(struct symbol_store *store, struct err *err);

/* Adds the symbols of a module, "" for the kernel itself; *found says whether there were any. */
int kallsyms_add(const struct kallsyms *k, const char *module, struct symtab *t, bool *found);
/* Where the first and the last function of a module begin; false: it has none. */
bool kallsyms_bounds(const struct kallsyms *k, const char *module, uint64_t *first, uint64_t *last);
void kallsyms_fini(struct kallsyms *k);

/*
 * Fetches the debug file with a build-id where the configuration allows it; *path is where it is
 * kept then, for free(), or NULL; why, which may be NULL, is set where no server could tell whether
 * it has one.  0, or -1 when out of memory.
 */
int debuginfod_fetch(struct symbol_store *store, const uint8_t *id, size_t len, char **path,
		     struct err *why);
void debuginfod_close(struct symbol_store *store);

/* The name for users: demangled if it is mangled, with suffix behind.  NULL when out of memory. */
const char *demangle(struct strpool *pool, const char *name, const char *suffix, bool raw);

/*
 * A name from a file as users see it: demangled and in one line, since control characters could
 * drive their terminals.  NULL when out of memory.
 */
const char *symbol_shown_name(struct symbol_store *store, const char *name, const char *suffix);

/* For tests: an image of an ELF file in memory, which must outlive the store. */
struct symbol_image *symbolint_image_of_memory(struct symbol_store *store, const char *path,
					       const void *mem, size_t len);

#endif
