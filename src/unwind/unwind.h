/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call chains from the registers and a piece of the stack of a thread, by the call frame
 * information (CFI) that compilers leave in executables: no frame pointers needed.
 *
 *	image	the CFI, segments and text of one file; read from it as needed
 *	rule	how to get from one frame to its caller at one pc; a plain value
 *	cache	image and pc -> rule, for all images and processes of a recording
 *	chain	registers, window and what is mapped where -> frames, and why there are no more
 *
 * It knows of addresses and bytes alone: not who sampled them, nor whose they are.  Nothing here is
 * global, waits or maps memory; all of it is for one thread at a time.  A chain allocates nothing
 * but what images and cache have to learn.  Registers, stack, files and maps may be hostile: the
 * worst that they bring about is a chain that ends, after a bounded time.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum unwind_machine { UNWIND_NO_MACHINE, UNWIND_X86_64, UNWIND_X86, UNWIND_ARM64 };

/* ---- Registers, by their numbers in DWARF. */

enum {
	UNWIND_X86_64_RBX = 3,
	UNWIND_X86_64_RBP = 6,
	UNWIND_X86_64_RSP = 7,
	UNWIND_X86_64_RA = 16, /* a column of CFI, no register: struct unwind_regs has pc */
	UNWIND_X86_ESP = 4,
	UNWIND_X86_EBP = 5,
	UNWIND_X86_RA = 8,
	UNWIND_ARM64_FP = 29,
	UNWIND_ARM64_LR = 30,
	UNWIND_ARM64_SP = 31,
	UNWIND_REGS = 33
};

/* What 48 bits of address leave for pointer authentication on arm64. */
#define UNWIND_PAC_48 0xffff000000000000u

/* Of a thread in user mode.  The stack pointer must be known, the others as many as there are. */
struct unwind_regs {
	uint64_t pc;
	uint64_t pac_mask; /* bits of return addresses that are no address: 0, or arm64's */
	uint64_t known;	   /* bit n: reg[n] is */
	uint64_t reg[UNWIND_REGS];
};

/* Bytes of the stack as they were with the registers, from address (the stack pointer) upwards. */
struct unwind_window {
	uint64_t address;
	const uint8_t *bytes;
	size_t length; /* 0: registers alone */
};

/* ---- Images. */

struct unwind_image;

/* What is mapped executable of a file. */
struct unwind_segment {
	uint64_t offset; /* in the file */
	uint64_t vaddr;	 /* as the file has it */
	uint64_t length; /* in the file */
};

/*
 * Opens the ELF file that fd has; fd is borrowed, the image has its own duplicate.  Reads the
 * headers only; CFI is read when it is first asked for.  NULL with err set: EX_DATAERR for what is
 * no ELF file of a machine above, is damaged or is no regular file; EX_IOERR; EX_OSERR when out of
 * memory or descriptors.  name is for messages alone.
 */
struct unwind_image *unwind_image_open(const char *name, int fd, struct err *err);
/* The same of a file in memory, which is copied: the vDSO. */
struct unwind_image *unwind_image_of_memory(const char *name, const void *bytes, size_t length,
					    struct err *err);
/* A cache may be left with its rules: they are never found again. */
void unwind_image_free(struct unwind_image *image);

/* The bytes that its CFI takes as far as it was read; of NULL 0. */
size_t unwind_image_size(const struct unwind_image *image);

enum unwind_machine unwind_image_machine(const struct unwind_image *image);

/* The executable segments, by offset. */
const struct unwind_segment *unwind_image_segments(const struct unwind_image *image, size_t *n);

/*
 * What to add to the file's addresses where its byte offset is mapped executable at address: 0, or
 * -1 when no executable segment has that byte.
 */
int unwind_image_bias(const struct unwind_image *image, uint64_t address, uint64_t offset,
		      uint64_t *bias);

/*
 * Which CFI there is, and why there is none.  Reads what is needed to say so; what is damaged
 * counts as not there.
 */
enum unwind_cfi {
	UNWIND_CFI_NONE,       /* no section has any */
	UNWIND_CFI_THERE,      /* .eh_frame, .debug_frame or both */
	UNWIND_CFI_COMPRESSED, /* only a .debug_frame that is compressed */
	UNWIND_CFI_DAMAGED,    /* its headers contradict each other or the file */
	UNWIND_CFI_UNREAD      /* the file could not be read, or no memory held it */
};

enum unwind_cfi unwind_image_cfi(struct unwind_image *image);

/*
 * Whether the image's functions keep the frame pointer for frames: in less than a tenth of the code
 * is it saved for anything else (on arm64: is the return address saved without it).  Judged by at
 * most 500 functions all over the image; code without CFI is not looked at.
 */
bool unwind_image_keeps_frame_pointer(struct unwind_image *image);

/* The bounds of what one FDE describes around vaddr, commonly a function.  Whether there are. */
bool unwind_image_function(struct unwind_image *image, uint64_t vaddr, uint64_t *start,
			   uint64_t *end);

/*
 * Code at vaddr, read through a small cache: how many of n bytes there are before it ends, the file
 * ends or it cannot be read.
 */
size_t unwind_image_text(struct unwind_image *image, uint64_t vaddr, void *buf, size_t n);

/* ---- Rules. */

enum unwind_cfa {
	UNWIND_CFA_UNKNOWN, /* no rule */
	UNWIND_CFA_REG,	    /* reg + cfa_offset */
	UNWIND_CFA_DEREF,   /* *(reg + cfa_offset) + cfa_add */
	UNWIND_CFA_PLT,	    /* reg + cfa_offset, a word more where pc & 15 >= cfa_add */
	UNWIND_CFA_ROW	    /* rare: run the FDE again for all registers and expressions */
};

/* Where the caller's value of a register is. */
enum unwind_saved {
	UNWIND_SAVED_SAME,	/* still in the register */
	UNWIND_SAVED_UNDEFINED, /* nowhere; of the return address: there is no caller */
	UNWIND_SAVED_AT_CFA,	/* at CFA + offset */
	UNWIND_SAVED_AT_REG	/* at the CFA's register + offset */
};

/*
 * From one frame to its caller, for one pc.  Small, without pointers and the same for every
 * process, so that rules can be kept, compared and put into tables.
 */
struct unwind_rule {
	int32_t cfa_offset;
	int32_t ra_offset, fp_offset;
	int16_t cfa_add;
	uint8_t cfa;	 /* enum unwind_cfa */
	uint8_t cfa_reg; /* by DWARF number */
	uint8_t ra, fp;	 /* enum unwind_saved, of return address and frame pointer */
	bool signal;	 /* a signal frame: the caller did not call, it was interrupted */
};

/* Runs the FDE of vaddr.  False: nothing covers it, or what does cannot be used. */
bool unwind_image_rule(struct unwind_image *image, uint64_t vaddr, struct unwind_rule *rule);

struct unwind_cache;

struct unwind_cache_stats {
	uint64_t hits, misses;
};

/* NULL when out of memory (0.5 MB).  An image must be used with one cache only. */
struct unwind_cache *unwind_cache_new(void);
void unwind_cache_free(struct unwind_cache *cache);
void unwind_cache_get_stats(const struct unwind_cache *cache, struct unwind_cache_stats *stats);

/* ---- Chains. */

enum unwind_code {
	UNWIND_CODE_NONE, /* nothing executable is there: no return address leads here */
	UNWIND_CODE_FILE, /* an image; NULL where the file could not be opened */
	UNWIND_CODE_JIT	  /* written at run time, or what is there is not known */
};

/* What executable mapping an address is in. */
struct unwind_place {
	uint64_t start, end; /* of the mapping; all of [start, end) has this answer */
	uint64_t bias;	     /* address = bias + address in the image's file */
	struct unwind_image *image;
	enum unwind_code code;
};

/*
 * Fills place for an address in the memory that the window is of.  Called once for each mapping
 * that a chain comes to, so place must stay true until the chain ends.
 */
typedef void unwind_resolve_fn(void *arg, uint64_t address, struct unwind_place *place);

/* Reads n bytes of code that is in no image; false: they are not to be had. */
typedef bool unwind_code_fn(void *arg, uint64_t address, void *buf, size_t n);

/* How a frame's pc was found, from the frame before it. */
enum unwind_how {
	UNWIND_HOW_SAMPLED,  /* the first frame: the registers' pc */
	UNWIND_HOW_CFI,	     /* by the CFI of the callee, wherever it said */
	UNWIND_HOW_FP,	     /* by the callee's frame pointer or code, where it has no CFI */
	UNWIND_HOW_STITCHED, /* by another chain; for the caller's use: nothing here sets it */
	UNWIND_HOWS
};

struct unwind_frame {
	uint64_t pc;  /* a return address, unless exact: may already be the next function's */
	uint64_t cfa; /* the stack pointer in the caller behind the call; 0: not found */
	uint8_t how;  /* enum unwind_how */
	bool exact;   /* pc is the very instruction */
	bool unread;  /* a return address, but the text before it could not be read */
	bool link;    /* pc came from the link register, not from the stack */
};

enum unwind_end {
	UNWIND_COMPLETE,   /* the last frame has no caller: _start, clone3 */
	UNWIND_WINDOW,	   /* what comes next is on the stack, but not in the window */
	UNWIND_NO_RULE,	   /* no CFI for the last frame's pc, and no frame pointer that works */
	UNWIND_BAD_RETURN, /* what comes next is no return address: no call is before it */
	UNWIND_DEPTH,	   /* no room for more frames */
	UNWIND_ENDS
};

struct unwind_job {
	enum unwind_machine machine; /* that the registers are of */
	const struct unwind_regs *regs;
	struct unwind_window window;
	/* That of what a signal interrupted whose handler has a stack of its own; empty: none. */
	struct unwind_window interrupted;
	/*
	 * The chain of frame pointers that the kernel followed when it took the sample, the leaf
	 * first; 0: none.  It leads on where the stack was switched, which is not in the window.
	 */
	const uint64_t *followed;
	size_t nfollowed;
	unwind_resolve_fn *resolve;
	unwind_code_fn *code;	    /* NULL: none can be read */
	void *resolve_arg;	    /* of both */
	struct unwind_cache *cache; /* NULL: none */
	struct unwind_frame *frames;
	size_t max; /* room in frames, at least 1 */
};

/*
 * Finds the callers, innermost first.  Gives the number of frames, at least 1: the first is that of
 * the registers.  Every pc but that one and those behind signal frames follows a call instruction,
 * or is marked unread.  A chain that ends at the window's end has the last frame's CFA where that
 * could still be computed: with its pc, it is how the rest of an earlier chain is recognised.
 *
 * Without a window and on arm64 it finds the caller of a leaf function, which is in the link
 * register where the leaf's CFI says so: the one frame that chains of frame pointers lack.
 */
size_t unwind_chain(const struct unwind_job *job, enum unwind_end *end);

/* A word for each end and how, for messages and logs: "complete", "window", "no rule", ... */
const char *unwind_end_name(enum unwind_end end);

#endif
