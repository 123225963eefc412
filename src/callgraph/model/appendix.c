// SPDX-License-Identifier: BSD-2-Clause
/* What a packed log has of the files that it names, for the store of symbols. */
#include <inttypes.h>

#include "callgraph/model/state.h"

static int take(struct cg_builder *b, uint32_t type, uint8_t *block, size_t len, struct err *err)
{
	struct symbol_store *store;

	if (type != PMCLOG_APPENDIX_IMAGE) {
		free(block);
		return 0;
	}
	store = cg_symbol_store(b);
	if (store)
		return symbol_store_add_excerpt(store, block, len, err);
	free(block);
	return err_nomem(err);
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
