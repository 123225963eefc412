// SPDX-License-Identifier: BSD-2-Clause
/* The symbols that stripped files keep in .gnu_debugdata ("MiniDebugInfo"). */
#include <inttypes.h>

#ifdef HAVE_LIBLZMA
#include <lzma.h>
#endif

#include "symbol/image.h"

/* What is unpacked at most, and what the decoder may need for that. */
enum { UNPACKED_MAX = 256 << 20, DECODER_MAX = 128 << 20 };

static const GElf_Shdr *packed_section(const struct elf_file *f)
{
	const GElf_Shdr *s = elf_section_of_name(f, ".gnu_debugdata");

	return s && elf_section_held(f, s) ? s : NULL;
}

bool elf_has_packed_symbols(const struct elf_file *f)
{
	return packed_section(f) != NULL;
}

#ifdef HAVE_LIBLZMA

typedef VEC(uint8_t) bytes_vec;

/* Decodes all of it into out, which grows with what comes; says why not. */
static lzma_ret decode(lzma_stream *z, const uint8_t *in, size_t len, bytes_vec *out)
{
	lzma_ret ret = lzma_stream_decoder(z, DECODER_MAX, LZMA_CONCATENATED);

	z->next_in = in;
	z->avail_in = len;
	while (ret == LZMA_OK) {
		if (out->n == UNPACKED_MAX)
			return LZMA_MEMLIMIT_ERROR;
		if (vec_reserve(out, out->n + 1))
			return LZMA_MEM_ERROR;
		z->next_out = out->v + out->n;
		z->avail_out = (out->cap < UNPACKED_MAX ? out->cap : UNPACKED_MAX) - out->n;
		ret = lzma_code(z, LZMA_FINISH);
		out->n = (size_t)(z->next_out - out->v);
	}
	return ret;
}

static int unpack(struct elf_file *f, const GElf_Shdr *s, bytes_vec *out, struct err *err)
{
	lzma_stream z = LZMA_STREAM_INIT;
	uint8_t *packed = malloc(s->sh_size + 1);
	lzma_ret ret = LZMA_MEM_ERROR;

	if (packed)
		ret = elf_file_read(f, s->sh_offset, packed, s->sh_size)
			      ? LZMA_DATA_ERROR
			      : decode(&z, packed, s->sh_size, out);
	lzma_end(&z);
	free(packed);
	if (ret == LZMA_STREAM_END)
		return 0;
	if (ret == LZMA_MEM_ERROR)
		return err_nomem(err);
	return err_set(err, EX_DATAERR,
		       "%s: the section .gnu_debugdata of %" PRIu64 " bytes is damaged after "
		       "%zu unpacked ones, or would need too much memory",
		       f->path, s->sh_size, out->n);
}

int elf_add_packed_symbols(struct symtab *t, struct elf_file *f, struct err *err)
{
	const GElf_Shdr *s = packed_section(f);
	bytes_vec bytes = {0};
	struct elf_file inner;
	int ret;

	if (!s)
		return 0;
	if (s->sh_size > UNPACKED_MAX)
		return err_set(err, EX_DATAERR,
			       "%s: the section .gnu_debugdata has %" PRIu64 " bytes", f->path,
			       s->sh_size);
	ret = unpack(f, s, &bytes, err);
	if (!ret)
		ret = elf_file_memory(&inner, f->path, bytes.v, bytes.n, err);
	if (!ret) {
		ret = elf_add_symbols(t, &inner, SHT_SYMTAB, NULL, err);
		elf_file_close(&inner);
	}
	vec_free(&bytes);
	return ret ? err_wrap(err, "the symbols in .gnu_debugdata") : 0;
}

#else

int elf_add_packed_symbols(struct symtab *t, struct elf_file *f, struct err *err)
{
	(void)t, (void)f, (void)err;
	return 0;
}

#endif
