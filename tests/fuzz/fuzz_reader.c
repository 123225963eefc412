// SPDX-License-Identifier: BSD-2-Clause
/*
 * The reader on any bytes.  The first byte chooses how the rest arrives: with bit 7 through a
 * descriptor, which also unpacks gzip, else fed; the lower bits are the size of a piece, 0 for all.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sink.h"
#include "pmclog/reader.h"
#include "pmclog/text/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_LIMIT = 1 << 20 };

static volatile uint64_t seen; /* so that no read of a field is optimised away */

/* Fields that the text does not show. */
static uint64_t touch(const struct pmclog_record *rec)
{
	const uint8_t *raw = rec->raw;
	uint64_t sum = rec->index + rec->offset + rec->tsc + raw[rec->length - 1];
	uint32_t i;

	switch (rec->type) {
	case PMCLOG_WIRE_INITIALIZE:
		sum += rec->u.init.host.s ? strlen(rec->u.init.host.s) : 0;
		sum += rec->u.init.command.s ? strlen(rec->u.init.command.s) : 0;
		sum += rec->u.init.cpuid.s ? strlen(rec->u.init.cpuid.s) : 0;
		break;
	case PMCLOG_WIRE_MAP_IN:
		for (i = 0; i < rec->u.map_in.build_id_len; i++)
			sum += rec->u.map_in.build_id[i];
		break;
	case PMCLOG_WIRE_CALLCHAIN:
		for (i = 0; i < rec->u.chain.npcs; i++)
			sum += rec->u.chain.pcs[i];
		for (i = 0; i < rec->u.chain.nfolded; i++)
			sum += rec->u.chain.folded[i];
		break;
	case PMCLOG_WIRE_PMCALLOCATEDYN: sum += rec->u.alloc.name.s[rec->u.alloc.name.len]; break;
	default: break;
	}
	return sum;
}

/* The descriptor of an anonymous file that holds the bytes. */
static int file_of(const uint8_t *data, size_t size)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (write(fd, data, size) == (ssize_t)size && !lseek(fd, 0, SEEK_SET))
		return fd;
	close(fd);
	return -1;
}

/* Feeds the next piece; true when there was none left. */
static bool feed(struct pmclog_reader *r, const uint8_t **data, size_t *size, size_t piece)
{
	size_t n = piece && piece < *size ? piece : *size;

	if (!n) {
		pmclog_reader_feed_end(r);
		return true;
	}
	pmclog_reader_feed(r, *data, n, NULL);
	*data += n;
	*size -= n;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sink *text = sink_to_memory();
	struct pmclog_record rec;
	enum pmclog_result res;
	struct pmclog_reader *r;
	bool ended = false;
	struct err err;
	size_t piece, len = 0;
	int fd = -1;

	if (!size || !text) {
		sink_free(text);
		return 0;
	}
	piece = *data & 0x7f;
	if (*data & 0x80)
		fd = file_of(data + 1, size - 1);
	r = fd < 0 ? pmclog_reader_open_feed("log", NULL) : pmclog_reader_open_fd(fd, "log", NULL);
	data++;
	size--;
	while (r && (res = pmclog_reader_next(r, &rec, &err)) <= PMCLOG_RESULT_NEED_DATA) {
		if (res == PMCLOG_RESULT_NEED_DATA) {
			if (ended)
				abort();
			ended = feed(r, &data, &size, piece);
			continue;
		}
		seen += touch(&rec);
		if (len < TEXT_LIMIT)
			pmclog_text_record(text, &rec);
		sink_text(text, &len);
	}
	pmclog_reader_close(r);
	sink_free(text);
	if (fd >= 0)
		close(fd);
	return 0;
}
