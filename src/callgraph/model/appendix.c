// SPDX-License-Identifier: BSD-2-Clause
/* What a packed log has of the files that it names. */
#include <inttypes.h>

#include "callgraph/model/state.h"

static int take_source(struct cg_builder *b, uint8_t *block, size_t len, struct err *err)
{
	struct cg_packed_source s;

	if (cg_packed_source_read(&s, block, len, err))
		return -1;
	if (!vec_push(&b->p.sources, s))
		return 0;
	cg_packed_source_fini(&s);
	return err_nomem(err);
}

static int take_names(struct cg_builder *b, uint8_t *block, size_t len, struct err *err)
{
	int status = cg_jit_unpack(b, block, len, err);

	free(block);
	return status;
}

static int take_image(struct cg_builder *b, uint8_t *block, size_t len, struct err *err)
{
	struct symbol_store *store = cg_symbol_store(b);

	if (store)
		return symbol_store_add_excerpt(store, block, len, err);
	free(block);
	return err_nomem(err);
}

static int take(struct cg_builder *b, uint32_t type, uint8_t *block, size_t len, struct err *err)
{
	switch (type) {
	case PMCLOG_APPENDIX_IMAGE: return take_image(b, block, len, err);
	case PMCLOG_APPENDIX_SOURCE: return take_source(b, block, len, err);
	case PMCLOG_APPENDIX_JIT: return take_names(b, block, len, err);
	default: free(block); return 0;
	}
}

static int fail(const struct pmclog_record *rec, struct err *err)
{
	if (err && err->code == EX_DATAERR)
		err_hint(err,
			 "pmcstat -R LOG --pack NEW.log packs it again, where its programs are");
	return err_wrap(err, "record %" PRIu64 " at 0x%" PRIx64, rec->index, rec->offset);
}

int cg_appendix_add(struct cg_builder *b, const struct pmclog_record *rec, struct err *err)
{
	uint8_t *block;
	size_t len;

	if (pmclog_appendix_add(&b->appendix, rec, &block, &len, err) ||
	    (block && take(b, rec->u.appendix.type, block, len, err)))
		return fail(rec, err);
	return 0;
}
