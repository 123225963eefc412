// SPDX-License-Identifier: BSD-2-Clause
/*
 * Call frame information: the sections, an index of their FDEs by address, one FDE and its CIE.
 *
 * A section is held in memory as a whole: 0.1 to 2 ms for most files, and an FDE is then at hand
 * without a look at the file.  The index is that of .eh_frame_hdr where there is a usable one, else
 * our own; both have the same form.  CIEs are parsed again for each FDE: that costs less than a
 * cache of them would be worth.
 */
#include <stdlib.h>
#include <string.h>

#include "base/dwarf_constants.h"
#include "unwind/unwind_int.h"

enum {
	PE_FORMAT = 0x0f, /* bits of an encoding */
	PE_BASE = 0x70,
	PE_INDIRECT = 0x80,
	CODE_MAX = 1 << 18 /* bytes of instructions that we run */
};

#define TABLE_MAX (UINT64_C(512) << 20)

bool unwindint_pointer(const struct unwind_image *image, const struct unwindint_table *table,
		       struct dwarf_cursor *c, uint8_t encoding, uint64_t data_vaddr,
		       uint64_t *value)
{
	uint64_t at = table->vaddr + (uint64_t)(c->p - table->bytes), v;

	switch (encoding & PE_FORMAT) {
	case DW_EH_PE_absptr: v = dwarf_sized(c, image->m->word); break;
	case DW_EH_PE_uleb128: v = dwarf_uleb(c); break;
	case DW_EH_PE_udata2: v = dwarf_u16(c); break;
	case DW_EH_PE_udata4: v = dwarf_u32(c); break;
	case DW_EH_PE_sleb128: v = (uint64_t)dwarf_sleb(c); break;
	case DW_EH_PE_sdata2: v = (uint64_t)(int16_t)dwarf_u16(c); break;
	case DW_EH_PE_sdata4: v = (uint64_t)(int32_t)dwarf_u32(c); break;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8: v = dwarf_u64(c); break;
	default: return false;
	}
	switch (encoding & (PE_BASE | PE_INDIRECT)) {
	case 0: break;
	case DW_EH_PE_pcrel: v += at; break;
	case DW_EH_PE_datarel: v += data_vaddr; break;
	default: return false;
	}
	*value = v & image->m->mask;
	return !c->bad;
}

/* ---- Entries: CIEs and FDEs. */

struct entry {
	uint64_t next; /* offset of the entry behind it */
	uint64_t cie;  /* offset of an FDE's CIE */
	bool is_cie;
	struct dwarf_cursor body; /* behind the id */
};

/* False at the end of the section, or of what can be read of it. */
static bool entry_at(const struct unwindint_table *table, uint64_t offset, struct entry *e)
{
	struct dwarf_cursor c = dwarf_cursor((struct dwarf_bytes){table->bytes, table->length},
					     offset, UNWINDINT_SWAP);
	uint64_t length = dwarf_u32(&c), id, id_at, none = table->debug ? UINT32_MAX : 0;
	unsigned int size = 4;

	if (length == UINT32_MAX) {
		length = dwarf_u64(&c);
		/* In .eh_frame the id has four bytes all the same. */
		if (table->debug) {
			size = 8;
			none = UINT64_MAX;
		}
	}
	if (c.bad || length < size || length > dwarf_left(&c))
		return false;
	c.end = c.p + length;
	id_at = (uint64_t)(c.p - table->bytes);
	id = dwarf_sized(&c, size);
	e->next = id_at + length;
	e->is_cie = id == none;
	e->cie = table->debug ? id : id_at - id;
	e->body = c;
	return true;
}

/* The letters of an augmentation that begins with z. */
static bool augmentation_read(const struct unwind_image *image, const struct unwindint_table *table,
			      const char *letters, struct dwarf_cursor *c,
			      struct unwindint_cie *cie)
{
	uint64_t length = dwarf_uleb(c), ignored;
	struct dwarf_cursor data = *c;

	dwarf_skip(c, length);
	if (c->bad)
		return false;
	data.end = c->p;
	for (; *letters; letters++) {
		switch (*letters) {
		case 'L': dwarf_u8(&data); break;
		case 'R': cie->encoding = dwarf_u8(&data); break;
		case 'P':
			/* A personality may be indirect: we read over it. */
			if (!unwindint_pointer(image, table, &data, dwarf_u8(&data) & PE_FORMAT, 0,
					       &ignored))
				return false;
			break;
		case 'S': cie->signal = true; break;
		case 'B': /* arm64: return addresses signed with key B */
		case 'G': /* arm64: memory tags on the stack */ break;
		default: return false;
		}
	}
	return !data.bad;
}

static bool cie_read(const struct unwind_image *image, const struct unwindint_table *table,
		     uint64_t offset, struct unwindint_cie *cie)
{
	const char *letters;
	struct entry e;
	uint8_t version;

	*cie = (struct unwindint_cie){.encoding = DW_EH_PE_absptr};
	if (!entry_at(table, offset, &e) || !e.is_cie)
		return false;
	version = dwarf_u8(&e.body);
	if (version != 1 && version != 3 && version != 4)
		return false;
	letters = dwarf_text(&e.body);
	/* Version 4: bytes of an address and of a segment selector. */
	if (version == 4 && (dwarf_u8(&e.body) != image->m->word || dwarf_u8(&e.body) != 0))
		return false;
	cie->code_align = dwarf_uleb(&e.body);
	cie->data_align = dwarf_sleb(&e.body);
	cie->ra = version == 1 ? dwarf_u8(&e.body) : dwarf_uleb(&e.body);
	if (*letters == 'z') {
		cie->augmented = true;
		if (!augmentation_read(image, table, letters + 1, &e.body, cie))
			return false;
	} else if (*letters) {
		return false;
	}
	cie->code = (struct dwarf_bytes){e.body.p, dwarf_left(&e.body)};
	return !e.body.bad && cie->ra == image->m->ra;
}

static bool fde_read(const struct unwind_image *image, const struct unwindint_table *table,
		     uint64_t offset, struct unwindint_fde *fde)
{
	uint64_t length;
	struct entry e;

	if (!entry_at(table, offset, &e) || e.is_cie || !cie_read(image, table, e.cie, &fde->cie) ||
	    !unwindint_pointer(image, table, &e.body, fde->cie.encoding, 0, &fde->start) ||
	    !unwindint_pointer(image, table, &e.body, fde->cie.encoding & PE_FORMAT, 0, &length))
		return false;
	if (fde->cie.augmented)
		dwarf_skip(&e.body, dwarf_uleb(&e.body));
	fde->image = image;
	fde->table = table;
	fde->end = fde->start + length;
	fde->code = (struct dwarf_bytes){e.body.p, dwarf_left(&e.body)};
	return !e.body.bad && fde->end > fde->start && fde->code.n <= CODE_MAX &&
	       fde->cie.code.n <= CODE_MAX;
}

/* ---- The index. */

static int ref_order(const void *a, const void *b)
{
	const struct unwindint_fde_ref *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Adds an FDE whose address and offset fit; false when out of memory. */
static bool ref_add(struct unwindint_table *table, uint64_t start, uint64_t offset)
{
	int64_t from = (int64_t)(start - table->vaddr);

	if (from != (int32_t)from || offset >= table->length)
		return true;
	return !vec_push(&table->refs, (struct unwindint_fde_ref){(int32_t)from, (uint32_t)offset});
}

/* By reading all entries.  False when out of memory. */
static bool index_make(const struct unwind_image *image, struct unwindint_table *table)
{
	uint64_t offset, start, cie_offset = UINT64_MAX;
	struct unwindint_cie cie;
	bool usable = false;
	struct entry e;

	table->refs.n = 0;
	for (offset = 0; entry_at(table, offset, &e); offset = e.next) {
		if (e.is_cie)
			continue;
		if (e.cie != cie_offset) {
			usable = cie_read(image, table, e.cie, &cie);
			cie_offset = e.cie;
		}
		/* Linkers leave FDEs of functions that they dropped, at 0. */
		if (usable && unwindint_pointer(image, table, &e.body, cie.encoding, 0, &start) &&
		    (start || !table->debug) && !ref_add(table, start, offset))
			return false;
	}
	if (table->refs.n)
		qsort(table->refs.v, table->refs.n, sizeof(table->refs.v[0]), ref_order);
	return true;
}

/* The table of .eh_frame_hdr, whose entries are pairs of 4 bytes from its own address. */
static bool index_take(const struct unwind_image *image, struct unwindint_table *table,
		       const struct unwindint_table *hdr, struct dwarf_cursor c, uint64_t count)
{
	uint64_t i, last = 0;

	if (count > dwarf_left(&c) / 8 || vec_reserve(&table->refs, (size_t)count))
		return false;
	for (i = 0; i < count; i++) {
		uint64_t start = (hdr->vaddr + (uint64_t)(int32_t)dwarf_u32(&c)) & image->m->mask;
		uint64_t fde = (hdr->vaddr + (uint64_t)(int32_t)dwarf_u32(&c)) & image->m->mask;

		if (start < last || !ref_add(table, start, fde - table->vaddr))
			return false;
		last = start;
	}
	return table->refs.n == count;
}

/* ---- Sections. */

static bool table_load(const struct unwind_image *image, const struct unwindint_section *s,
		       struct unwindint_table *table)
{
	if (s->length > TABLE_MAX)
		return false;
	table->bytes = unwindint_load(image, s->offset, s->length);
	table->length = table->bytes ? (size_t)s->length : 0;
	table->vaddr = s->vaddr;
	return table->bytes;
}

/* What is at vaddr of the section of that name, or, without section headers, of the segment. */
static bool eh_section(const struct unwind_image *image, uint64_t vaddr,
		       struct unwindint_section *s)
{
	if (unwindint_section(image, ".eh_frame", s) && s->vaddr == vaddr && !s->compressed)
		return true;
	*s = (struct unwindint_section){.vaddr = vaddr};
	return unwindint_offset(image, vaddr, &s->offset, &s->length);
}

/* .eh_frame and its index, by .eh_frame_hdr. */
static enum unwind_cfi eh_by_hdr(struct unwind_image *image)
{
	struct unwindint_table hdr = {0}, *eh = &image->eh;
	enum unwind_cfi cfi = UNWIND_CFI_DAMAGED;
	struct unwindint_section s;
	struct dwarf_cursor c;
	uint64_t vaddr, count;
	uint8_t version, of_vaddr, of_count, of_table;

	if (!table_load(image, &image->hdr, &hdr))
		return UNWIND_CFI_UNREAD;
	c = dwarf_cursor((struct dwarf_bytes){hdr.bytes, hdr.length}, 0, UNWINDINT_SWAP);
	version = dwarf_u8(&c);
	of_vaddr = dwarf_u8(&c);
	of_count = dwarf_u8(&c);
	of_table = dwarf_u8(&c);
	if (version == 1 && unwindint_pointer(image, &hdr, &c, of_vaddr, hdr.vaddr, &vaddr) &&
	    eh_section(image, vaddr, &s)) {
		cfi = table_load(image, &s, eh) ? UNWIND_CFI_THERE : UNWIND_CFI_UNREAD;
		if (eh->bytes &&
		    (of_table != (DW_EH_PE_datarel | DW_EH_PE_sdata4) ||
		     !unwindint_pointer(image, &hdr, &c, of_count, hdr.vaddr, &count) ||
		     !index_take(image, eh, &hdr, c, count)) &&
		    !index_make(image, eh))
			cfi = UNWIND_CFI_UNREAD;
	}
	free(hdr.bytes);
	return cfi;
}

/* By a section of that name. */
static enum unwind_cfi by_section(struct unwind_image *image, const char *name,
				  struct unwindint_table *table)
{
	struct unwindint_section s;

	if (!unwindint_section(image, name, &s) || !s.length)
		return UNWIND_CFI_NONE;
	if (s.compressed)
		return UNWIND_CFI_COMPRESSED;
	if (!table_load(image, &s, table) || !index_make(image, table))
		return UNWIND_CFI_UNREAD;
	return table->refs.n ? UNWIND_CFI_THERE : UNWIND_CFI_NONE;
}

void unwindint_cfi_read(struct unwind_image *image)
{
	enum unwind_cfi eh, debug;

	if (image->cfi_read)
		return;
	image->cfi_read = true;
	eh = image->hdr.length ? eh_by_hdr(image) : UNWIND_CFI_NONE;
	if (eh != UNWIND_CFI_THERE) {
		enum unwind_cfi by_name = by_section(image, ".eh_frame", &image->eh);

		if (by_name != UNWIND_CFI_NONE)
			eh = by_name;
	}
	image->debug.debug = true;
	debug = by_section(image, ".debug_frame", &image->debug);
	if (!unwindint_section(image, ".debug_frame", &(struct unwindint_section){0}) &&
	    unwindint_section(image, ".zdebug_frame", &(struct unwindint_section){0}))
		debug = UNWIND_CFI_COMPRESSED;
	image->cfi = eh == UNWIND_CFI_NONE || debug == UNWIND_CFI_THERE ? debug : eh;
}

static void table_free(struct unwindint_table *table)
{
	free(table->bytes);
	vec_free(&table->refs);
}

void unwindint_cfi_free(struct unwind_image *image)
{
	table_free(&image->eh);
	table_free(&image->debug);
}

static size_t table_size(const struct unwindint_table *table)
{
	return table->length + table->refs.cap * sizeof(*table->refs.v);
}

size_t unwind_image_size(const struct unwind_image *image)
{
	return image ? table_size(&image->eh) + table_size(&image->debug) : 0;
}

enum unwind_cfi unwind_image_cfi(struct unwind_image *image)
{
	unwindint_cfi_read(image);
	return image->cfi;
}

/* ---- FDEs. */

static bool table_find(const struct unwind_image *image, const struct unwindint_table *table,
		       uint64_t vaddr, struct unwindint_fde *fde)
{
	int64_t at = (int64_t)(vaddr - table->vaddr);
	size_t low = 0, high = table->refs.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->refs.v[middle].start <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && unwindint_fde_at(image, table, low - 1, fde) && vaddr >= fde->start &&
	       vaddr < fde->end;
}

bool unwindint_fde_at(const struct unwind_image *image, const struct unwindint_table *table,
		      size_t i, struct unwindint_fde *fde)
{
	return fde_read(image, table, table->refs.v[i].offset, fde);
}

bool unwindint_fde_find(struct unwind_image *image, uint64_t vaddr, struct unwindint_fde *fde)
{
	unwindint_cfi_read(image);
	return table_find(image, &image->eh, vaddr, fde) ||
	       table_find(image, &image->debug, vaddr, fde);
}

bool unwind_image_function(struct unwind_image *image, uint64_t vaddr, uint64_t *start,
			   uint64_t *end)
{
	struct unwindint_fde fde;

	if (!unwindint_fde_find(image, vaddr, &fde))
		return false;
	*start = fde.start;
	*end = fde.end;
	return true;
}
