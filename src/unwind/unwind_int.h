/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of this part share: images, their CFI, and what one run of an FDE finds. */
#ifndef UNWIND_UNWIND_INT_H
#define UNWIND_UNWIND_INT_H

#include "base/dwarf_read.h"
#include "base/vec.h"
#include "unwind/unwind.h"

/* Files and stacks of all machines here are little-endian. */
#define UNWINDINT_SWAP (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* What is special of a machine. */
struct unwindint_machine {
	unsigned int word;	 /* bytes of an address */
	uint64_t mask;		 /* of an address */
	uint8_t sp, fp, ra;	 /* by DWARF number; ra is the column */
	uint64_t kept;		 /* bit n: a call leaves reg n as it was */
	unsigned int call_bytes; /* of the longest call instruction */
};

const struct unwindint_machine *unwindint_machine(enum unwind_machine machine);

/* ---- Files. */

struct unwindint_load {
	uint64_t offset, vaddr, length; /* as far as the file has it */
};

/* Where .eh_frame or .debug_frame is. */
struct unwindint_section {
	uint64_t offset, vaddr, length;
	bool compressed;
};

struct unwindint_fde_ref {
	int32_t start;	 /* from the table's vaddr */
	uint32_t offset; /* in the table */
};

/* One section of CFI, in memory, and its FDEs by address. */
struct unwindint_table {
	uint8_t *bytes; /* NULL: none */
	size_t length;
	uint64_t vaddr;
	bool debug; /* .debug_frame, whose format differs */
	VEC(struct unwindint_fde_ref) refs;
};

struct unwindint_pages;

struct unwind_image {
	int fd;	      /* -1: in memory */
	uint8_t *mem; /* owned */
	uint64_t size;
	enum unwind_machine machine;
	const struct unwindint_machine *m;
	uint64_t entry; /* where a process starts */
	VEC(struct unwindint_load) loads;
	VEC(struct unwind_segment) exec;
	struct unwindint_section hdr; /* PT_GNU_EH_FRAME; length 0: none */
	uint64_t shoff;
	uint32_t shnum, shentsize, shstrndx;

	bool cfi_read; /* the next three are known */
	enum unwind_cfi cfi;
	struct unwindint_table eh, debug;

	struct unwindint_pages *pages; /* of text; NULL: none yet */
	uint32_t serial;	       /* in the cache it is used with; 0: not yet */
	int keeps_fp;		       /* -1: not yet judged */
};

/* Reads the headers of the file called name: its machine, segments, where its sections are. */
int unwindint_headers_read(struct unwind_image *image, const char *name, struct err *err);
/* How many of n bytes from offset on there are. */
size_t unwindint_read(const struct unwind_image *image, uint64_t offset, void *buf, size_t n);
/* All length bytes from offset on, to be freed; NULL: the file has or memory holds less. */
uint8_t *unwindint_load(const struct unwind_image *image, uint64_t offset, uint64_t length);
/* Where vaddr is in the file, and how many bytes are left behind it there.  Whether it is. */
bool unwindint_offset(const struct unwind_image *image, uint64_t vaddr, uint64_t *offset,
		      uint64_t *left);
/* A section by its name; false: none, or no usable section headers. */
bool unwindint_section(const struct unwind_image *image, const char *name,
		       struct unwindint_section *section);
/* Frees the text that is held. */
void unwindint_pages_free(struct unwind_image *image);

/* ---- CFI. */

struct unwindint_cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;
	uint8_t encoding; /* of addresses in FDEs */
	bool augmented;	  /* FDEs have augmentation data */
	bool signal;
	struct dwarf_bytes code;
};

struct unwindint_fde {
	const struct unwind_image *image;
	const struct unwindint_table *table;
	struct unwindint_cie cie;
	uint64_t start, end;
	struct dwarf_bytes code;
};

/* Reads the sections of CFI, unless that has been done. */
void unwindint_cfi_read(struct unwind_image *image);
void unwindint_cfi_free(struct unwind_image *image);
/* The FDE that covers vaddr.  Whether there is one that can be used. */
bool unwindint_fde_find(struct unwind_image *image, uint64_t vaddr, struct unwindint_fde *fde);
/* The FDE of a table's ref number i. */
bool unwindint_fde_at(const struct unwind_image *image, const struct unwindint_table *table,
		      size_t i, struct unwindint_fde *fde);
/* An address as encoding says, at the cursor in the table; false: cannot be read. */
bool unwindint_pointer(const struct unwind_image *image, const struct unwindint_table *table,
		       struct dwarf_cursor *c, uint8_t encoding, uint64_t data_vaddr,
		       uint64_t *value);

/* ---- Rows: what the instructions of an FDE say of one pc. */

enum unwindint_where {
	UNWINDINT_UNSAID,     /* no instruction names it: not changed, as far as calls keep it */
	UNWINDINT_SAME,	      /* not changed */
	UNWINDINT_UNDEFINED,  /* lost */
	UNWINDINT_AT_CFA,     /* in memory at CFA + number */
	UNWINDINT_CFA_PLUS,   /* CFA + number itself */
	UNWINDINT_IN_REG,     /* in register number */
	UNWINDINT_AT_EXPR,    /* in memory, where the expression says */
	UNWINDINT_VALUE_EXPR, /* what the expression says */
};

struct unwindint_saved {
	uint8_t where;
	uint32_t length; /* of the expression */
	union {
		int64_t number;
		const uint8_t *expr;
	};
};

struct unwindint_row {
	uint64_t cfa_reg;
	int64_t cfa_offset;
	struct dwarf_bytes cfa_expr; /* p not NULL: instead of register and offset */
	struct unwindint_saved saved[UNWIND_REGS];
};

/* False: an instruction is not known, or does not fit. */
bool unwindint_row(const struct unwindint_fde *fde, uint64_t vaddr, struct unwindint_row *row);

/* Calls each for all rows of fde in turn, [from, to); stops early when it returns false. */
typedef bool unwindint_row_fn(void *arg, const struct unwindint_row *row, uint64_t from,
			      uint64_t to);
bool unwindint_rows(const struct unwindint_fde *fde, unwindint_row_fn *each, void *arg);

/* A rule with cfa UNWIND_CFA_UNKNOWN: the row says nothing that can be used. */
void unwindint_rule_of_row(const struct unwindint_fde *fde, const struct unwindint_row *row,
			   struct unwind_rule *rule);

/* ---- Expressions. */

struct unwindint_machine_state {
	const struct unwindint_machine *m;
	/* Registers and memory; false: not known, which ends the expression. */
	bool (*reg)(void *arg, uint64_t reg, uint64_t *value);
	bool (*word)(void *arg, uint64_t address, unsigned int size, uint64_t *value);
	void *arg;
};

/* Evaluates with *value on the stack where pushed; leaves the top of the stack in *value. */
bool unwindint_expr(const struct unwindint_machine_state *state, struct dwarf_bytes expr,
		    bool pushed, uint64_t *value);

/* ---- Code. */

/* Whether vaddr is in an executable segment. */
bool unwindint_is_text(const struct unwind_image *image, uint64_t vaddr);

/* Whether a call instruction ends at the end of these bytes. */
bool unwindint_is_call(enum unwind_machine machine, const uint8_t *bytes, size_t n);

/*
 * Whether arm64's stub of a PLT is at vaddr, or the rest of one, and the bytes that it has pushed:
 * it has no CFI.
 */
bool unwindint_is_plt_arm64(struct unwind_image *image, uint64_t vaddr, unsigned int *pushed);

/* Where a signal frame has the registers that were interrupted, from the stack pointer. */
struct unwindint_sigframe {
	uint16_t pc, sp, fp;
	uint16_t lr; /* 0: none */
};

/* By the code at vaddr, where no CFI says it; NULL: it does not return from signals. */
const struct unwindint_sigframe *unwindint_sigframe(struct unwind_image *image, uint64_t vaddr);
/* Whether what is there was called by nobody, but is what the first function returns to. */
bool unwindint_is_beginning(struct unwind_image *image, uint64_t vaddr);

/* ---- The cache. */

enum unwindint_call { UNWINDINT_CALL_UNKNOWN, UNWINDINT_CALL, UNWINDINT_NO_CALL, UNWINDINT_UNREAD };

struct unwindint_entry {
	uint64_t vaddr;
	uint32_t serial : 30;
	uint32_t call : 2; /* whether a call ends behind vaddr: enum unwindint_call */
	struct unwind_rule rule;
};

/* The rule for vaddr, from the cache or made: valid until the next call.  local: without cache. */
struct unwindint_entry *unwindint_lookup(struct unwind_cache *cache, struct unwind_image *image,
					 uint64_t vaddr, struct unwindint_entry *local);

#endif
