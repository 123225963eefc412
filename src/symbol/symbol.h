/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Images and their symbols: from a mapped file and an address in it to a function.
 *
 * A symbol store owns the images it opened and everything that they name; it is used by one thread
 * at a time.  Nothing here knows of samples or logs.
 */
#ifndef SYMBOL_SYMBOL_H
#define SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/err.h"

struct symbol_store;
struct symbol_image;

struct symbol_config {
	const char *fsroot;	 /* prefix of every path, NULL: none (-r) */
	const char *kernel;	 /* the kernel image or its directory, NULL: find it (-k) */
	const char *debug_dir;	 /* NULL: /usr/lib/debug; fsroot goes before it too */
	bool no_demangle;	 /* leave C++ and Rust names as the object has them */
	const char *log_boot_id; /* of the machine that was profiled, NULL: not known */
	const char *log_machine; /* what it is, as uname(1) -m says; likewise */
	const char *log_host;	 /* its name; likewise */
	bool debuginfod;	 /* ask the servers of $DEBUGINFOD_URLS for debug files */
};

enum { SYMBOL_PIDS = 2 };

/* What a mapping says of the file it maps. */
struct symbol_ref {
	const char *path; /* as mapped: "/usr/bin/xz", "[vdso]", "[kernel]", "[module]" ... */
	const uint8_t *build_id;
	size_t build_id_len; /* 0: not known */
	uint64_t device;     /* of a file without build-id: major number << 32, and minor */
	uint64_t inode;	     /* likewise; 0: not known */
	time_t mapped;	     /* likewise: when it was, by the machine's clock; 0: not known */
	const uint32_t *pids; /* SYMBOL_PIDS processes that mapped it; NULL: none are known */
	bool kernel;	     /* the kernel or one of its modules */
	uint64_t start;	     /* where it is mapped; the kernel and modules only */
	uint64_t length;
};

/* Whether debuginfod can be used and has a server to ask: 0, or -1 with err set. */
int symbol_debuginfod_check(struct err *err);

/* Texts of config are copied.  NULL with err set when out of memory. */
struct symbol_store *symbol_store_new(const struct symbol_config *config, struct err *err);
void symbol_store_free(struct symbol_store *store);

/* The bytes that its symbols and names take; what symbol_frames() reads has a limit of its own. */
size_t symbol_store_size(const struct symbol_store *store);

/*
 * Closes all images but those that were kept since the last call.  Every name that symbol_find()
 * or symbol_frames() gave is invalid.  0, or -1 when out of memory: then only symbol_store_free().
 */
void symbol_image_keep(struct symbol_image *image);
int symbol_store_forget(struct symbol_store *store);

/* Whether the profiled machine is this one, and was not restarted since. */
bool symbol_store_is_here(const struct symbol_store *store);

/*
 * The image of a mapped file, opened now or found among those opened before: the same path and
 * build-id give the same image (of bracketed kernel code also the same start).  Never NULL but when
 * out of memory: a file that is missing, damaged or not the one that was mapped gives an image
 * without symbols whose status says why.
 */
struct symbol_image *symbol_image_get(struct symbol_store *store, const struct symbol_ref *ref);

enum symbol_status {
	SYMBOL_OK,	       /* has a symbol table of its own or of a separate debug file */
	SYMBOL_DYNAMIC_ONLY,   /* only exported functions have names (.dynsym) */
	SYMBOL_STRIPPED,       /* opened, no symbols at all */
	SYMBOL_NO_FILE,	       /* cannot be opened */
	SYMBOL_BAD_FILE,       /* no ELF file, or damaged */
	SYMBOL_WRONG_BUILD_ID, /* not the file that was profiled */
};

enum symbol_status symbol_image_status(const struct symbol_image *image);

/* One sentence on the status, for reports; names the file, and both build-ids.  "" when OK. */
const char *symbol_image_problem(const struct symbol_image *image);

/* One sentence on why names may be those of another file than was profiled; "": they are not. */
const char *symbol_image_doubt(const struct symbol_image *image);

/* Whether an excerpt answers instead of a file. */
bool symbol_image_is_packed(const struct symbol_image *image);

/* The full path as mapped. */
const char *symbol_image_path(const struct symbol_image *image);

/*
 * From a runtime address to one of the image's own (a link-time address).
 *
 * start, length: of the mapping; length 0 when not known, never a guess.  file_offset: of the
 * mapping in the file; has_file_offset false for logs that do not say, where start is tried both as
 * the load base and as the address of the executable segment.
 */
uint64_t symbol_image_address(const struct symbol_image *image, uint64_t start, uint64_t length,
			      bool has_file_offset, uint64_t file_offset, uint64_t runtime);

/* The range of link-time addresses that its executable segments span; false: not known. */
bool symbol_image_span(const struct symbol_image *image, uint64_t *start, uint64_t *end);

/* An executable segment. */
struct symbol_segment {
	uint64_t address, length; /* at link time; bytes */
	uint64_t file_offset;
};

/* The n-th one of a mapped file, from 0; false: there are not as many. */
bool symbol_image_segment(const struct symbol_image *image, uint32_t n, struct symbol_segment *out);

/* What exec(2) goes by. */
struct symbol_program {
	bool is_fixed;	    /* it is mapped at its link-time addresses */
	uint64_t entry;	    /* link-time address of the first instruction */
	uint64_t lowest;    /* that of its first page */
	const char *linker; /* path of the run-time linker; NULL: none */
};

/* false: there is no file that could be a program. */
bool symbol_image_program(const struct symbol_image *image, struct symbol_program *out);

/* Where in the image's file the code at a link-time address is; false: not known. */
bool symbol_image_file_offset(const struct symbol_image *image, uint64_t address, uint64_t *offset);

/* How the image's file has numbers and code; as here, machine 0, where there is no file. */
struct symbol_layout {
	bool is32; /* addresses of 4 bytes, not 8 */
	bool big_endian;
	uint16_t machine; /* EM_X86_64 and so on of <elf.h> */
};

struct symbol_layout symbol_image_layout(const struct symbol_image *image);

struct symbol {
	const char *name;    /* demangled unless configured otherwise; owned by the store */
	uint64_t start, end; /* link-time addresses, end is the first byte behind it */
};

/* The function that holds a link-time address; false when no symbol covers it. */
bool symbol_find(struct symbol_image *image, uint64_t address, struct symbol *out);

/*
 * The function around a link-time address that no symbol covers, by the file's unwind data; its
 * name is where it begins in its file: "python3.11+0x1c40..".  False: nothing tells its bounds.
 */
bool symbol_find_unnamed(struct symbol_image *image, uint64_t address, struct symbol *out);

/* The function with a name as the object has it; false when there is none.  Looks at all. */
bool symbol_find_name(struct symbol_image *image, const char *name, struct symbol *out);

/* A place in the source. */
struct symbol_frame {
	const char *function; /* as struct symbol has it; NULL: what symbol_find() says */
	const char *file;     /* an absolute path where that is known; equal texts have equal
			       * addresses; owned by the store; NULL: not known */
	uint32_t line;	      /* from 1; 0: not known */
};

/* Inlining that nests deeper is cut at its outer end. */
enum { SYMBOL_MAX_FRAMES = 64 };

/*
 * The source places of a link-time address by the debug information, innermost first: each further
 * one is where the function before it was inlined, the last is in the function that symbol_find()
 * names.  How many; 0: none is known.  What this costs is reading the compilation unit once.
 */
uint32_t symbol_frames(struct symbol_image *image, uint64_t address,
		       struct symbol_frame frames[SYMBOL_MAX_FRAMES]);

/* One sentence on debug information that is damaged or was given up; "" when there is none. */
const char *symbol_image_lines_problem(const struct symbol_image *image);

/*
 * Copies the bytes of code at link-time addresses from address on into buf: how many of len the
 * image's file has; 0: none.
 */
size_t symbol_image_code(struct symbol_image *image, uint64_t address, void *buf, size_t len);

/* A file that an image has its code, names or places from. */
struct symbol_file {
	const char *path;  /* as it was opened, below fsroot; NULL: it is memory */
	const char *as;	   /* where it is looked for first; NULL: at path */
	const void *bytes; /* of memory */
	size_t len;
	const uint8_t *build_id; /* that the file must have */
	size_t build_id_len;	 /* 0: not known */
	const struct held_file *held; /* it is open, and not there any more; NULL: it is */
	bool by_build_id;	 /* another machine finds it by that, not by its path */
	bool is_debug;		 /* it is a separate one, without code */
};

/*
 * The n-th file, from 0, of those that answers came from so far; false: there are not as many.
 * What is found by no address alone is looked for first (dwz's file with parts of several).
 */
bool symbol_image_file(struct symbol_image *image, uint32_t n, struct symbol_file *out);

/*
 * What an image answers for some of its functions, to be read where its file is not.  It borrows
 * the image; the store that it is of must leave names as they are (no_demangle).
 */
struct symbol_excerpt;
struct sink;

struct symbol_excerpt *symbol_excerpt_new(struct symbol_image *image); /* NULL: no memory */
void symbol_excerpt_free(struct symbol_excerpt *e);

/* Adds the function at a link-time address, or that has a name.  0, or -1 when out of memory. */
int symbol_excerpt_add(struct symbol_excerpt *e, uint64_t address);
int symbol_excerpt_add_name(struct symbol_excerpt *e, const char *name);

/* Writes its bytes.  0, or -1 when out of memory. */
int symbol_excerpt_write(struct symbol_excerpt *e, struct sink *sink);

struct symbol_line {
	const char *file; /* as struct symbol_frame has it */
	uint32_t line;
};

/* The lines of the source in what was written, each once. */
const struct symbol_line *symbol_excerpt_lines(const struct symbol_excerpt *e, size_t *n);

/*
 * Has the store answer by an excerpt what is asked of the image that it is of, once that is opened.
 * Takes bytes, which are for free().  0, or -1 with err set: they are no excerpt (EX_DATAERR), or
 * out of memory.
 */
int symbol_store_add_excerpt(struct symbol_store *store, uint8_t *bytes, size_t len,
			     struct err *err);

/* A descriptor of file->path, if that still is the file; -1 with err set. */
int symbol_file_open(const struct symbol_file *file, struct err *err);

#endif
