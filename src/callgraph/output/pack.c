// SPDX-License-Identifier: BSD-2-Clause
/*
 * --pack: the log, and behind its end an excerpt of each file that its samples are in, so that it
 * can be read where none of them is.
 *
 * The records are those of the log, as they are; an appendix that it has is made anew, be it whole
 * or what is left of one whose writer was killed.
 */
#include "base/hash.h"
#include "base/same_file.h"
#include "callgraph/output/output.h"
#include "callgraph/output/pack_sources.h"
#include "pmclog/appendix.h"

static bool is_byte_order_of_ours(const struct pmclog_record *rec)
{
	return ((const uint8_t *)rec->raw)[3] == PMCLOG_WIRE_MAGIC;
}

/* Copies the records (sink NULL: only looks at them); *time is that of the log's end. */
static int copy(struct pmclog_reader *r, struct sink *sink, uint64_t *time, struct err *err)
{
	enum pmclog_result result;
	struct pmclog_record rec;
	bool at_end = false;

	pmclog_reader_keep_unknown(r);
	while ((result = pmclog_reader_next(r, &rec, err)) == PMCLOG_RESULT_OK) {
		if (rec.type == PMCLOG_WIRE_INITIALIZE &&
		    (!rec.u.init.maps_at_exec || !is_byte_order_of_ours(&rec)))
			return err_set(err, EX_DATAERR,
				       "a log of FreeBSD's needs its files before its samples");
		if (rec.type == PMCLOG_WIRE_APPENDIX)
			continue;
		at_end = rec.type == PMCLOG_WIRE_CLOSELOG;
		if (at_end)
			*time = rec.tsc;
		if (sink) {
			sink_write(sink, rec.raw, rec.length);
			sink_is_whole(sink);
		}
	}
	if (result != PMCLOG_RESULT_EOF && (!at_end || result == PMCLOG_RESULT_ERROR))
		return -1;
	if (!pmclog_reader_stats(r)->closed)
		return err_set(err, EX_DATAERR, "no CLOSELOG ends it");
	return 0;
}

/* Excerpts of the files that samples are in. */
struct excerpts {
	const struct cg_profile *p;
	VEC(struct symbol_excerpt *) all; /* in the order of the first images that they are of */
	VEC(const char *) objects;	  /* their paths */
	uint32_t *of_image;		  /* 1 + index of all; 0: nothing was asked of it */
	const char *fsroot;
	bool with_sources;
	struct cg_pack_sources sources;
};

/* The excerpt of what an image has of symbols, which others may share. */
static int add_image(struct excerpts *x, struct table *of_symbols, uint32_t image)
{
	struct symbol_image *symbols = x->p->images.v[image].symbols;
	uint32_t hash = hash_u64((uintptr_t)symbols), i;
	struct symbol_excerpt *e;
	struct table_iter it;

	for (i = table_first(of_symbols, hash, &it); i != TABLE_NONE;
	     i = table_next(of_symbols, &it)) {
		if (x->p->images.v[i].symbols != symbols)
			continue;
		x->of_image[image] = x->of_image[i];
		return 0;
	}
	e = symbol_excerpt_new(symbols);
	if (!e || vec_push(&x->objects, x->p->images.v[image].path) || vec_push(&x->all, e)) {
		symbol_excerpt_free(e);
		return -1;
	}
	x->of_image[image] = (uint32_t)x->all.n;
	/* gmon.out files have an arc from there. */
	return symbol_excerpt_add_name(e, "_init") || symbol_excerpt_add_name(e, "_start") ||
			       table_insert(of_symbols, hash, image)
		       ? -1
		       : 0;
}

static int add_images(struct excerpts *x)
{
	struct table of_symbols = {0};
	uint32_t i;
	int failed = 0;

	x->of_image = calloc(x->p->images.n + 1, sizeof(*x->of_image));
	if (!x->of_image)
		return -1;
	for (i = 0; i < x->p->images.n && !failed; i++)
		if (x->p->images.v[i].symbols)
			failed = add_image(x, &of_symbols, i);
	table_clear(&of_symbols);
	return failed;
}

/* The sources of a place that is in a sample. */
static int add_sources(struct excerpts *x, const struct cg_location *l)
{
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	uint32_t n =
		symbol_frames(x->p->images.v[l->image].symbols, l->address - l->is_return, frames);

	while (n--)
		if (frames[n].file && cg_pack_sources_add(&x->sources, frames[n].file))
			return -1;
	return 0;
}

/* The functions of all frames: what outputs may ask for. */
static int add_functions(struct excerpts *x)
{
	const struct cg_location *l;
	uint32_t i;

	vec_each(l, &x->p->locations) {
		i = l->image == CG_NONE ? 0 : x->of_image[l->image];
		if (i && symbol_excerpt_add(x->all.v[i - 1], l->address - l->is_return))
			return -1;
		if (i && x->with_sources && add_sources(x, l))
			return -1;
	}
	return 0;
}

static int write_excerpts(struct excerpts *x, uint64_t tsc, struct sink *sink, struct err *err)
{
	struct symbol_excerpt *const *e;
	struct sink *bytes;
	const char *text;
	size_t len;
	int failed;

	vec_each(e, &x->all) {
		if (!(bytes = sink_to_memory()))
			return err_nomem(err);
		if (symbol_excerpt_write(*e, bytes) || sink_flush(bytes)) {
			failed = err_nomem(err);
		} else {
			text = sink_text(bytes, &len);
			failed = pmclog_appendix_write(sink, PMCLOG_APPENDIX_IMAGE, tsc, text, len,
						       err);
		}
		sink_free(bytes);
		if (failed)
			return -1;
		if (x->with_sources &&
		    cg_pack_sources_add_lines(&x->sources, *e, x->objects.v[e - x->all.v]))
			return err_nomem(err);
	}
	return cg_pack_sources_write(&x->sources, x->p, x->fsroot, tsc, sink, err);
}

/* Names of code that no file has, and the log has not: in one block, if there are any. */
static int write_names(const struct cg_profile *p, uint64_t tsc, struct sink *sink, struct err *err)
{
	struct sink *bytes = p->jit_names.n ? sink_to_memory() : NULL;
	const struct cg_jit_name *n;
	const char *text;
	size_t len;
	int failed;

	if (!bytes)
		return p->jit_names.n ? err_nomem(err) : 0;
	sink_uleb(bytes, CG_JIT_VERSION);
	vec_each(n, &p->jit_names) {
		sink_uleb(bytes, n->pid);
		sink_uleb(bytes, n->end);
		sink_uleb(bytes, n->start);
		sink_uleb(bytes, n->length);
		sink_write(bytes, n->name, strlen(n->name) + 1);
	}
	text = sink_text(bytes, &len);
	failed = sink_flush(bytes)
			 ? err_nomem(err)
			 : pmclog_appendix_write(sink, PMCLOG_APPENDIX_JIT, tsc, text, len, err);
	sink_free(bytes);
	return failed;
}

static int copy_log(const char *log, struct sink *sink, uint64_t *time, struct err *err)
{
	struct pmclog_reader *r = pmclog_reader_open(log, err);
	int failed = !r;

	if (r && copy(r, sink, time, err)) {
		failed = 1;
		err_wrap(err, "%s cannot be packed", log);
		if (err->code == EX_DATAERR)
			err_hint(err, "--archive gathers the files that its samples are in");
	}
	pmclog_reader_close(r);
	return failed ? -1 : 0;
}

/*
 * copy: where the log's records go; NULL: they are there.  Without a log that can be read once more
 * there is the appendix alone.
 */
static int write_all(struct excerpts *x, const char *log, struct sink *copy, struct sink *sink,
		     struct err *err)
{
	uint64_t time = 0;

	if (log && copy_log(log, copy, &time, err))
		return -1;
	return write_names(x->p, time, sink, err) || write_excerpts(x, time, sink, err) ? -1 : 0;
}

/* To open the output would end a file that answers come from. */
static int check_output(const struct cg_profile *p, const char *output, struct err *err)
{
	const struct cg_image *image;
	struct symbol_file file;
	uint32_t n;

	vec_each(image, &p->images)
		for (n = 0; image->symbols && symbol_image_file(image->symbols, n, &file); n++)
			if (file.path && is_same_file(output, file.path))
				return err_set(err, EX_USAGE, "--pack would overwrite %s",
					       file.path);
	return 0;
}

/*
 * Writes the excerpts behind the end of the log itself.  They are made before, so that it is whole
 * but for the moment that it takes to write them.
 */
static int append(struct excerpts *x, const char *log, struct cg_files *files, struct err *err)
{
	struct sink *made = sink_to_memory(), *sink = NULL;
	const char *bytes;
	int failed = -1;
	size_t len;

	if (!made)
		err_nomem(err);
	else if (!write_all(x, log, NULL, made, err) && (!sink_flush(made) || err_nomem(err)))
		sink = files->append(files, log, err);
	if (sink) {
		bytes = sink_text(made, &len);
		sink_write(sink, bytes, len);
		failed = files->close(files, sink, err);
	}
	sink_free(made);
	if (failed)
		err_hint(err, "it is whole as it was recorded; pmcstat -R %s --pack FILE", log);
	return failed;
}

static void tell_left_out(const struct cg_pack_sources *s, const char *name, struct cg_files *files)
{
	struct sink *text = sink_to_memory();

	if (!text)
		return;
	cg_write_text(text, name);
	sink_printf(text, ": without %u source file%s: more than %d MB of them\n", s->left_out,
		    s->left_out == 1 ? "" : "s", CG_PACK_SOURCES_MOST >> 20);
	files->remark(files, sink_text(text, NULL));
	sink_free(text);
}

static int write_pack(const struct cg_view *view, const struct cg_output_options *options,
		      struct cg_files *files, struct err *err)
{
	struct excerpts x = {.p = view->profile,
			     .fsroot = options->fsroot,
			     .with_sources = !options->no_sources};
	struct symbol_excerpt **e;
	struct sink *sink = NULL;
	int failed = -1;

	if (add_images(&x) || add_functions(&x))
		err_nomem(err);
	else if (options->log && is_same_file(options->argument, options->log))
		failed = append(&x, options->log, files, err);
	else if (!check_output(x.p, options->argument, err) &&
		 (sink = files->open(files, NULL, options->argument, err)))
		failed = write_all(&x, options->log, sink, sink, err);
	if (sink && failed)
		files->discard(files, sink);
	else if (sink)
		failed = files->close(files, sink, err);
	if (!failed && x.sources.left_out)
		tell_left_out(&x.sources, options->argument, files);
	cg_pack_sources_fini(&x.sources);
	vec_free(&x.objects);
	vec_each(e, &x.all)
		symbol_excerpt_free(*e);
	vec_free(&x.all);
	free(x.of_image);
	return failed;
}

const struct cg_output cg_output_pack = {
	.name = "pack",
	.argument = CG_MUST_NAME_FILE,
	.needs = CG_NEEDS_RAW_NAMES,
	.traits = CG_IS_LOG,
	.summary = "the log with what its samples' files say of them, to be read without these",
	.write_files = write_pack,
};
