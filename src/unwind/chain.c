// SPDX-License-Identifier: BSD-2-Clause
/*
 * The walk from frame to frame.
 *
 * Only pc, stack pointer and frame pointer are carried along (and the link register, where a frame
 * was interrupted): hardly any CFA needs more.  Where one does, the frames that were found are gone
 * through backwards for the one that saved the register.
 */
#include "unwind/unwind_int.h"

enum {
	PLACES = 4,  /* mappings that a chain is commonly in */
	RERUNS = 64, /* FDEs that are run again for registers, per chain */
	NESTED = 3,  /* expressions within the registers of expressions */
	ENTRY = 64   /* bytes of code at an entry without CFI: ld.so's has 61 */
};

/* No frame pointer is further up the stack. */
#define STACK_MAX (UINT64_C(64) << 20)

/* Nor is one so little below. */
#define STACK_LEFT UINT64_C(65536)

/* An address in code, and what is known of it. */
struct spot {
	const struct unwind_place *place;
	struct unwind_image *image; /* NULL: none that can be used; the others are then not set */
	uint64_t vaddr;
	struct unwindint_entry *entry;
};

struct walk {
	const struct unwind_job *job;
	const struct unwindint_machine *m;
	size_t n;	     /* frames, with the one whose caller is looked for */
	struct spot spot;    /* its pc */
	uint64_t sp, fp, lr; /* in it */
	bool fp_known, lr_known;
	bool sp_least;	     /* the stack pointer is at sp or above */
	bool follows;	     /* the kernel's chain: of the registers nothing is known */
	enum unwind_end end; /* why the last thing could not be done */
	unsigned int reruns, places, oldest;
	struct unwind_place place[PLACES];
	struct unwindint_entry local;
};

/* What a frame says of its caller. */
struct caller {
	uint64_t pc, sp, fp, lr;
	bool fp_known, lr_known;
	bool sp_least;	  /* its stack pointer is at sp or above */
	bool interrupted; /* it did not call */
	bool link;	  /* pc was in the link register */
	enum unwind_how how;
};

const char *unwind_end_name(enum unwind_end end)
{
	static const char *const names[UNWIND_ENDS] = {
		[UNWIND_COMPLETE] = "complete", [UNWIND_WINDOW] = "window",
		[UNWIND_NO_RULE] = "no rule",	[UNWIND_BAD_RETURN] = "bad return address",
		[UNWIND_DEPTH] = "depth",
	};

	return (unsigned int)end < UNWIND_ENDS ? names[end] : "unknown";
}

/* False, with the reason. */
static bool ends(struct walk *w, enum unwind_end end)
{
	w->end = end;
	return false;
}

/* ---- Places. */

static const struct unwind_place *place_of(struct walk *w, uint64_t address)
{
	struct unwind_place *p;
	unsigned int i;

	for (i = 0; i < w->places; i++)
		if (address - w->place[i].start < w->place[i].end - w->place[i].start)
			return &w->place[i];
	if (w->places < PLACES)
		p = &w->place[w->places++];
	else
		p = &w->place[w->oldest++ % PLACES];
	*p = (struct unwind_place){.start = address, .end = address + 1};
	w->job->resolve(w->job->resolve_arg, address, p);
	return p;
}

/* Makes the address the present spot; what the one before had from the cache is gone. */
static void spot_at(struct walk *w, uint64_t address)
{
	const struct unwind_place *p = place_of(w, address);
	struct spot *s = &w->spot;

	s->place = p;
	s->image = p->code == UNWIND_CODE_FILE && p->image && p->image->m == w->m ? p->image : NULL;
	if (!s->image)
		return;
	s->vaddr = (address - p->bias) & w->m->mask;
	s->entry = unwindint_lookup(w->job->cache, s->image, s->vaddr, &w->local);
}

/* NULL: none. */
static const struct unwind_rule *rule_here(const struct walk *w)
{
	const struct spot *s = &w->spot;

	return s->image && s->entry->rule.cfa != UNWIND_CFA_UNKNOWN ? &s->entry->rule : NULL;
}

/* ---- Memory and registers. */

/* size bytes at address in the window. */
static bool read_memory(struct walk *w, uint64_t address, unsigned int size, uint64_t *value)
{
	const struct unwind_window *window = &w->job->window;
	uint64_t at = address - window->address;
	struct dwarf_cursor c;

	if (at > window->length || size > window->length - at) {
		window = &w->job->interrupted;
		at = address - window->address;
	}
	if (at > window->length || size > window->length - at) {
		/* No stack is at odd addresses, at the lowest ones, or in the kernel. */
		return ends(w, address % w->m->word || address < 65536 || address >> 56
				       ? UNWIND_BAD_RETURN
				       : UNWIND_WINDOW);
	}
	c = dwarf_cursor((struct dwarf_bytes){window->bytes + at, size}, 0, UNWINDINT_SWAP);
	*value = dwarf_sized(&c, size);
	return true;
}

static bool read_word(struct walk *w, uint64_t address, uint64_t *value)
{
	const struct unwind_window *window = &w->job->window;
	uint64_t at = address - window->address;

	/* What nearly all are, without the rest. */
	if (!UNWINDINT_SWAP && w->m->word == 8 && window->length >= 8 && at <= window->length - 8) {
		memcpy(value, window->bytes + at, 8);
		return true;
	}
	return read_memory(w, address & w->m->mask, w->m->word, value);
}

static uint64_t sp_in(const struct walk *w, size_t frame)
{
	return frame ? w->job->frames[frame - 1].cfa : w->job->regs->reg[w->m->sp];
}

/* A moment in the walk whose registers an expression reads. */
struct moment {
	struct walk *w;
	size_t frame;
	unsigned int depth;
};

static bool reg_in(struct walk *w, size_t frame, uint64_t reg, unsigned int depth, uint64_t *value);

static bool moment_reg(void *arg, uint64_t reg, uint64_t *value)
{
	const struct moment *at = arg;

	return reg_in(at->w, at->frame, reg, at->depth + 1, value);
}

static bool moment_word(void *arg, uint64_t address, unsigned int size, uint64_t *value)
{
	const struct moment *at = arg;

	return read_memory(at->w, address & at->w->m->mask, size, value);
}

static bool evaluate(struct walk *w, size_t frame, unsigned int depth, struct dwarf_bytes expr,
		     bool pushed, uint64_t *value)
{
	struct moment at = {w, frame, depth};
	struct unwindint_machine_state state = {w->m, moment_reg, moment_word, &at};

	w->end = UNWIND_NO_RULE;
	return depth < NESTED && unwindint_expr(&state, expr, pushed, value);
}

/* The row of a frame that was passed by CFI. */
static bool row_of(struct walk *w, size_t frame, struct unwindint_row *row)
{
	const struct unwind_frame *f = &w->job->frames[frame];
	const struct unwind_place *p = place_of(w, f->pc - !f->exact);
	struct unwindint_fde fde;
	uint64_t vaddr = (f->pc - !f->exact - p->bias) & w->m->mask;

	if (p->code != UNWIND_CODE_FILE || !p->image || p->image->m != w->m || !w->reruns)
		return false;
	w->reruns--;
	return unwindint_fde_find(p->image, vaddr, &fde) && unwindint_row(&fde, vaddr, row);
}

/* Where frame saved what its caller had in *reg: 1 *value is it, 0 look in *reg before, -1 lost. */
static int saved_in(struct walk *w, size_t frame, const struct unwindint_row *row, uint64_t *reg,
		    unsigned int depth, uint64_t *value)
{
	const struct unwindint_saved *s = &row->saved[*reg];
	uint64_t cfa = w->job->frames[frame].cfa;

	switch (s->where) {
	case UNWINDINT_UNSAID: return w->m->kept >> *reg & 1 || w->m->ra == *reg ? 0 : -1;
	case UNWINDINT_SAME: return 0;
	case UNWINDINT_IN_REG: *reg = (uint64_t)s->number; return *reg < UNWIND_REGS ? 0 : -1;
	case UNWINDINT_AT_CFA:
		/* Compilers leave such rules behind the pop: then it is in its register again. */
		if (*reg != w->m->ra && cfa + (uint64_t)s->number < sp_in(w, frame))
			return 0;
		return read_word(w, cfa + (uint64_t)s->number, value) ? 1 : -1;
	case UNWINDINT_CFA_PLUS: *value = (cfa + (uint64_t)s->number) & w->m->mask; return 1;
	case UNWINDINT_AT_EXPR:
	case UNWINDINT_VALUE_EXPR:
		*value = cfa;
		if (!evaluate(w, frame, depth, (struct dwarf_bytes){s->expr, s->length}, true,
			      value))
			return -1;
		return s->where == UNWINDINT_VALUE_EXPR || read_word(w, *value, value) ? 1 : -1;
	}
	return -1;
}

/* A register as it was in a frame, found by the frames before it. */
static bool reg_in(struct walk *w, size_t frame, uint64_t reg, unsigned int depth, uint64_t *value)
{
	const struct unwind_regs *regs = w->job->regs;
	struct unwindint_row row;
	int found;

	if (reg >= UNWIND_REGS)
		return ends(w, UNWIND_NO_RULE);
	if (frame + 1 == w->n && reg == w->m->fp && w->fp_known) {
		*value = w->fp;
		return true;
	}
	if (reg == w->m->ra && w->job->machine != UNWIND_ARM64) {
		*value = w->job->frames[frame].pc;
		return true;
	}
	for (; frame && reg != w->m->sp; frame--) {
		/* Who knows what a function without CFI did to it. */
		if (w->job->frames[frame].how != UNWIND_HOW_CFI || !row_of(w, frame - 1, &row))
			return ends(w, UNWIND_NO_RULE);
		w->end = UNWIND_NO_RULE;
		found = saved_in(w, frame - 1, &row, &reg, depth, value);
		if (found)
			return found > 0;
	}
	if (reg == w->m->sp) {
		*value = sp_in(w, frame);
		return true;
	}
	*value = regs->reg[reg] & w->m->mask;
	return regs->known >> reg & 1 || ends(w, UNWIND_NO_RULE);
}

/* A register in the present frame. */
static bool reg_now(struct walk *w, uint64_t reg, uint64_t *value)
{
	if (reg == w->m->sp) {
		*value = w->sp;
		return true;
	}
	return reg_in(w, w->n - 1, reg, 0, value);
}

/* ---- From a frame to its caller. */

/* The CFA is up the stack, by a return address at least unless that is in a register (link). */
static bool cfa_found(struct walk *w, uint64_t cfa, bool signal, bool link)
{
	cfa &= w->m->mask;
	if (!signal && (cfa < w->sp || (cfa == w->sp && !link)))
		return ends(w, UNWIND_BAD_RETURN);
	w->job->frames[w->n - 1].cfa = cfa;
	return true;
}

/* The rare case: registers and expressions of the whole row. */
static bool by_row(struct walk *w, bool signal, struct caller *c)
{
	size_t frame = w->n - 1;
	struct unwindint_row row;
	uint64_t cfa, reg;
	int found;

	if (!row_of(w, frame, &row))
		return ends(w, UNWIND_NO_RULE);
	if (row.cfa_expr.p) {
		if (!evaluate(w, frame, 0, row.cfa_expr, false, &cfa))
			return false;
	} else {
		if (!reg_now(w, row.cfa_reg, &cfa))
			return false;
		cfa += (uint64_t)row.cfa_offset;
	}
	reg = w->m->ra;
	if (!cfa_found(w, cfa, signal, row.saved[reg].where == UNWINDINT_IN_REG))
		return false;
	c->sp = w->job->frames[frame].cfa;
	if (row.saved[reg].where == UNWINDINT_UNDEFINED)
		return ends(w, UNWIND_COMPLETE);
	w->end = UNWIND_NO_RULE;
	found = saved_in(w, frame, &row, &reg, 0, &c->pc);
	if (found < 0 || (!found && (reg == w->m->ra || !reg_now(w, reg, &c->pc))))
		return false;
	reg = w->m->fp;
	found = saved_in(w, frame, &row, &reg, 0, &c->fp);
	c->fp_known = found > 0 || (!found && reg_now(w, reg, &c->fp));
	return true;
}

/* The base register, or what an address of the rule is relative to. */
static bool cfa_by_rule(struct walk *w, const struct unwind_rule *r, uint64_t base, uint64_t *cfa)
{
	*cfa = base + (uint64_t)(int64_t)r->cfa_offset;
	switch (r->cfa) {
	case UNWIND_CFA_PLT:
		if ((w->spot.vaddr & 15) >= (uint64_t)r->cfa_add)
			*cfa += w->m->word;
		return true;
	case UNWIND_CFA_DEREF:
		if (!read_word(w, *cfa, cfa))
			return false;
		*cfa += (uint64_t)(int64_t)r->cfa_add;
		return true;
	}
	return true;
}

static void fp_by_rule(struct walk *w, const struct unwind_rule *r, uint64_t base, uint64_t cfa,
		       struct caller *c)
{
	uint64_t at = r->fp == UNWIND_SAVED_AT_REG ? base : cfa;

	at = (at + (uint64_t)(int64_t)r->fp_offset) & w->m->mask;
	c->fp = w->fp;
	c->fp_known = w->fp_known;
	if (r->fp == UNWIND_SAVED_UNDEFINED)
		c->fp_known = false;
	/* Compilers leave such rules behind the pop: then it is in its register again. */
	else if (r->fp != UNWIND_SAVED_SAME && at >= w->sp)
		c->fp_known = read_word(w, at, &c->fp);
}

/*
 * Where the callee's frame was found by its frame pointer and may end further up, this one's frame
 * record, the frame pointer and above it the return address, tells where.
 */
static void find_sp(struct walk *w, const struct unwind_rule *r)
{
	uint64_t sp = w->fp - (uint64_t)(int64_t)r->fp_offset - (uint64_t)(int64_t)r->cfa_offset;

	if (!w->fp_known || r->cfa != UNWIND_CFA_REG || r->fp != UNWIND_SAVED_AT_CFA ||
	    r->ra != UNWIND_SAVED_AT_CFA || r->ra_offset != r->fp_offset + (int)w->m->word ||
	    sp < w->sp || sp > w->fp)
		return;
	w->sp = w->job->frames[w->n - 2].cfa = sp;
}

static bool by_rule(struct walk *w, const struct unwind_rule *r, struct caller *c)
{
	uint64_t base, cfa;

	c->interrupted = r->signal;
	if (r->cfa == UNWIND_CFA_ROW)
		return by_row(w, r->signal, c);
	if (r->ra == UNWIND_SAVED_UNDEFINED)
		return ends(w, UNWIND_COMPLETE);
	if (w->sp_least && r->cfa_reg == w->m->sp)
		find_sp(w, r);
	if (r->cfa_reg == w->m->sp)
		base = w->sp;
	else if (!reg_now(w, r->cfa_reg, &base))
		return false;
	c->link = r->ra == UNWIND_SAVED_SAME;
	if (!cfa_by_rule(w, r, base, &cfa) || !cfa_found(w, cfa, r->signal, c->link))
		return false;
	c->sp = cfa = w->job->frames[w->n - 1].cfa;
	fp_by_rule(w, r, base, cfa, c);
	switch (r->ra) {
	case UNWIND_SAVED_AT_CFA:
		/* The first stub of the PLT pushed it, which the resolver's CFI leaves out. */
		if (r->ra_offset >= 0 && w->job->machine == UNWIND_ARM64)
			w->job->frames[w->n - 1].cfa = c->sp = cfa + (uint64_t)r->ra_offset + 8;
		return read_word(w, cfa + (uint64_t)(int64_t)r->ra_offset, &c->pc);
	case UNWIND_SAVED_AT_REG:
		return read_word(w, base + (uint64_t)(int64_t)r->ra_offset, &c->pc);
	}
	c->pc = w->lr;
	return w->lr_known || ends(w, UNWIND_NO_RULE);
}

static bool by_sigframe(struct walk *w, const struct unwindint_sigframe *f, struct caller *c)
{
	c->interrupted = true;
	if (!read_word(w, w->sp + f->pc, &c->pc) || !read_word(w, w->sp + f->sp, &c->sp) ||
	    !read_word(w, w->sp + f->fp, &c->fp))
		return false;
	c->fp_known = true;
	c->lr_known = f->lr && read_word(w, w->sp + f->lr, &c->lr);
	w->job->frames[w->n - 1].cfa = c->sp;
	return true;
}

/* A stub of the PLT leaves the return address where the call did. */
static bool by_plt(struct walk *w, unsigned int pushed, struct caller *c)
{
	c->link = true;
	c->pc = w->lr;
	c->fp = w->fp;
	c->fp_known = w->fp_known;
	w->job->frames[w->n - 1].cfa = c->sp = w->sp + pushed;
	return true;
}

/*
 * By what the kernel found, frame after frame as here until now: who kept frame pointers up to here
 * has them behind it as well.  What lies a little below the stack pointer is no other stack, but
 * what calls before have left there.
 */
static bool by_followed(struct walk *w, struct caller *c)
{
	const struct unwind_job *job = w->job;
	size_t last = w->n - 1;

	if (w->n < 2 || w->n >= job->nfollowed || job->frames[last].how != UNWIND_HOW_FP ||
	    job->followed[last] != job->frames[last].pc ||
	    (!w->follows && w->sp - w->fp <= STACK_LEFT))
		return false;
	w->follows = true;
	c->how = UNWIND_HOW_FP;
	c->pc = job->followed[w->n];
	c->sp = w->sp;
	c->fp_known = false;
	return true;
}

/* By the frame pointer: the caller's, and above it the return address. */
static bool by_fp(struct walk *w, struct caller *c)
{
	unsigned int word = w->m->word;

	c->how = UNWIND_HOW_FP;
	/* 0 marks the outermost frame, of code that keeps frame pointers instead of CFI. */
	if (w->fp_known && !w->fp && w->n > 1 &&
	    (w->spot.image ? unwind_image_cfi(w->spot.image) != UNWIND_CFI_THERE
			   : w->spot.place->code == UNWIND_CODE_JIT))
		return ends(w, UNWIND_COMPLETE);
	if (!w->fp_known || w->fp % word || w->fp < w->sp || w->fp - w->sp > STACK_MAX)
		return ends(w, UNWIND_NO_RULE);
	w->job->frames[w->n - 1].cfa = c->sp = (w->fp + 2 * word) & w->m->mask;
	/* Compilers for arm64 have both at the lower end of the frame. */
	c->sp_least = w->job->machine == UNWIND_ARM64;
	c->fp_known = true;
	return read_word(w, w->fp, &c->fp) && read_word(w, w->fp + word, &c->pc);
}

/*
 * Whether code without CFI returns at once behind the call, and so says itself how large its frame
 * is: Python's trampolines (-X perf) do, and keep no frame pointer.  Only what code with CFI
 * returns to is looked at, for compilers' code among itself keeps them or nothing.
 */
static bool returns_at_once(const struct walk *w, unsigned int *size)
{
	static const uint8_t add_rsp[] = {0x48, 0x83, 0xc4}, ret = 0xc3;
	const struct unwind_frame *f = &w->job->frames[w->n - 1];
	uint8_t code[sizeof(add_rsp) + 2];

	if (w->job->machine != UNWIND_X86_64 || w->spot.place->code != UNWIND_CODE_JIT ||
	    f->how != UNWIND_HOW_CFI || !w->job->code ||
	    !w->job->code(w->job->resolve_arg, f->pc, code, sizeof(code)) ||
	    memcmp(code, add_rsp, sizeof(add_rsp)) != 0 || code[4] != ret)
		return false;
	*size = code[3];
	return *size % 8 == 0 && *size < 128;
}

static bool by_return(struct walk *w, unsigned int size, struct caller *c)
{
	c->how = UNWIND_HOW_FP;
	c->fp = w->fp;
	c->fp_known = w->fp_known;
	w->job->frames[w->n - 1].cfa = c->sp = w->sp + size + 8;
	return read_word(w, w->sp + size, &c->pc);
}

/* False: there is no caller, or none that can be found; w->end says which. */
static bool find_caller(struct walk *w, struct caller *c)
{
	const struct unwind_rule *r = rule_here(w);
	const struct unwindint_sigframe *f;
	struct unwindint_fde fde;
	unsigned int pushed;

	c->how = UNWIND_HOW_CFI;
	c->interrupted = c->link = c->lr_known = c->sp_least = false;
	if (w->follows)
		return by_followed(w, c) || ends(w, UNWIND_NO_RULE);
	if (r)
		return by_rule(w, r, c);
	if (w->spot.place->code == UNWIND_CODE_NONE)
		return ends(w, UNWIND_NO_RULE);
	if (w->spot.image && w->spot.vaddr - w->spot.image->entry < ENTRY &&
	    !unwindint_fde_find(w->spot.image, w->spot.image->entry, &fde))
		return ends(w, UNWIND_COMPLETE);
	if (w->lr_known && w->spot.image &&
	    unwindint_is_plt_arm64(w->spot.image, w->spot.vaddr, &pushed))
		return by_plt(w, pushed, c);
	f = w->spot.image ? unwindint_sigframe(w->spot.image, w->spot.vaddr) : NULL;
	if (f)
		return by_sigframe(w, f, c);
	if (returns_at_once(w, &pushed))
		return by_return(w, pushed, c);
	return by_fp(w, c) || (w->end != UNWIND_COMPLETE && by_followed(w, c));
}

/* ---- Whether it can be the caller. */

/*
 * Whether a call ends behind the spot: UNWINDINT_CALL and so on.  An image is first mapped with the
 * rights of its first segment, then others take their places: what was executable may be data.
 */
static unsigned int call_behind(struct walk *w)
{
	struct spot *s = &w->spot;
	uint8_t code[8];
	unsigned int before = w->m->call_bytes - 1;
	uint64_t from;
	size_t want;

	if (!s->image)
		return UNWINDINT_UNREAD;
	if (s->entry->call == UNWINDINT_CALL_UNKNOWN) {
		from = s->vaddr >= before ? s->vaddr - before : 0;
		want = (size_t)(s->vaddr - from) + 1;
		/* The segment may begin less than the longest call before. */
		while (want > 1 && unwind_image_text(s->image, from, code, want) != want)
			from++, want--;
		if (want <= 1)
			s->entry->call = unwindint_is_text(s->image, s->vaddr) ? UNWINDINT_UNREAD
									       : UNWINDINT_NO_CALL;
		else if (unwindint_is_call(w->job->machine, code, want))
			s->entry->call = UNWINDINT_CALL;
		else
			s->entry->call = UNWINDINT_NO_CALL;
	}
	return s->entry->call;
}

/* What no call leads to but return addresses do: signal trampolines, and where contexts begin. */
static bool planted(struct walk *w, bool *outermost)
{
	const struct unwind_rule *r = rule_here(w);

	if (w->spot.image && unwindint_is_beginning(w->spot.image, w->spot.vaddr))
		return *outermost = true;
	if (r)
		return r->signal || r->ra == UNWIND_SAVED_UNDEFINED;
	return w->spot.image && unwindint_sigframe(w->spot.image, w->spot.vaddr);
}

/* Makes the caller the present frame, unless it cannot be one. */
static bool enter(struct walk *w, struct caller *c)
{
	struct unwind_frame f = {.pc = c->pc & w->m->mask & ~w->job->regs->pac_mask,
				 .how = (uint8_t)c->how,
				 .exact = c->interrupted,
				 .link = c->link};
	bool no_fp = c->fp_known && !c->fp, outermost = false;

	if (!f.pc && no_fp)
		return ends(w, UNWIND_COMPLETE);
	spot_at(w, f.pc - !f.exact);
	if (!f.pc || w->spot.place->code == UNWIND_CODE_NONE)
		return ends(w, c->how == UNWIND_HOW_FP ? UNWIND_NO_RULE : UNWIND_BAD_RETURN);
	if (!f.exact) {
		unsigned int call = call_behind(w);

		f.unread = call == UNWINDINT_UNREAD;
		if (call == UNWINDINT_NO_CALL) {
			f.exact = true;
			spot_at(w, f.pc);
			if (!planted(w, &outermost) && !(c->how == UNWIND_HOW_FP && no_fp))
				return ends(w, c->how == UNWIND_HOW_FP ? UNWIND_NO_RULE
								       : UNWIND_BAD_RETURN);
		}
	}
	if (w->n == w->job->max)
		return ends(w, UNWIND_DEPTH);
	w->job->frames[w->n++] = f;
	w->sp = c->sp;
	w->fp = c->fp;
	w->fp_known = c->fp_known;
	w->lr = c->lr;
	w->lr_known = c->lr_known;
	w->sp_least = c->sp_least;
	return !outermost || ends(w, UNWIND_COMPLETE);
}

size_t unwind_chain(const struct unwind_job *job, enum unwind_end *end)
{
	const struct unwind_regs *regs = job->regs;
	struct walk w = {.job = job, .m = unwindint_machine(job->machine), .n = 1};
	struct caller c = {0};

	w.reruns = RERUNS;
	job->frames[0] = (struct unwind_frame){.pc = regs->pc & w.m->mask, .exact = true};
	w.sp = regs->reg[w.m->sp] & w.m->mask;
	w.fp = regs->reg[w.m->fp] & w.m->mask;
	w.fp_known = regs->known >> w.m->fp & 1;
	if (job->machine == UNWIND_ARM64) {
		w.lr = regs->reg[w.m->ra];
		w.lr_known = regs->known >> w.m->ra & 1;
	}
	spot_at(&w, job->frames[0].pc);
	while (find_caller(&w, &c) && enter(&w, &c))
		;
	*end = w.end;
	return w.n;
}
