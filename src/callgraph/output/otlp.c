// SPDX-License-Identifier: BSD-2-Clause
/*
 * What is different from pprof: all profiles of a request share one dictionary, whose messages are
 * known by their index; a chain is one of them; and a profile has one type of samples.
 */
#include <stdbool.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/vec.h"
#include "callgraph/output/gzip.h"
#include "callgraph/output/otlp.h"
#include "callgraph/output/otlp.pb-c.h"
#include "callgraph/output/pprof.pb-c.h"

/* Names that OpenTelemetry's conventions have, as texts behind those of pprof. */
enum { KEY_COMM, KEY_BUILD_ID, KEY_COMMENT };
static const char *const keys[] = {"process.executable.name", "process.executable.build_id.gnu",
				   "pprof.profile.comment"};

struct bytes {
	uint8_t *v;
	size_t n, cap;
};

/* Of pprof's numbers, 0 for none, indices in a table of the dictionary, in order of their use. */
struct index {
	VEC(int32_t) of;
	int32_t last;
};

struct otlp {
	const Pprof__Profile *p;
	struct bytes dictionary;
	struct index mappings, locations, functions, texts;
	struct index attributes; /* by the text that is their value */
	VEC(int32_t) words;	 /* of all stacks */
	VEC(size_t) stacks;	 /* where each begins; it ends where the next one does */
	struct table stack_of_words;
	VEC(int32_t) stack; /* of every sample */
	bool failed;	    /* out of memory: nothing more is written */
};

static void put(struct otlp *o, struct bytes *to, const ProtobufCMessage *part)
{
	size_t size = protobuf_c_message_get_packed_size(part);

	if (o->failed || vec_reserve(to, to->n + size + 1))
		o->failed = true;
	else
		to->n += protobuf_c_message_pack(part, to->v + to->n);
}

static ProtobufCBinaryData binary(const struct bytes *b)
{
	return (ProtobufCBinaryData){.len = b->n, .data = b->v};
}

/* The index of pprof's number; *is_first: it is to be put into the table now. */
static int32_t index_of(struct otlp *o, struct index *x, uint64_t number, bool *is_first)
{
	*is_first = false;
	while (!o->failed && x->of.n <= number)
		o->failed = vec_push(&x->of, 0);
	if (o->failed || !number)
		return 0;
	*is_first = !x->of.v[number];
	if (*is_first)
		x->of.v[number] = ++x->last;
	return x->of.v[number];
}

static char *text_of(const struct otlp *o, uint64_t text)
{
	return text < o->p->n_string_table
		       ? o->p->string_table[text]
		       : (char *)(uintptr_t)keys[text - o->p->n_string_table];
}

static int32_t text_index(struct otlp *o, uint64_t text)
{
	Otlp__Dictionary part = OTLP__DICTIONARY__INIT;
	char *one = text_of(o, text);
	bool is_first;
	int32_t index = index_of(o, &o->texts, text, &is_first);

	part.n_string_table = 1;
	part.string_table = &one;
	if (is_first)
		put(o, &o->dictionary, &part.base);
	return index;
}

static uint64_t key(const struct otlp *o, unsigned int k)
{
	return o->p->n_string_table + k;
}

static void set_text(Otlp__AnyValue *value, char *text)
{
	otlp__any_value__init(value);
	value->value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
	value->string_value = text;
}

static void put_attribute(struct otlp *o, unsigned int k, Otlp__AnyValue *value)
{
	Otlp__Attribute attribute = OTLP__ATTRIBUTE__INIT, *one = &attribute;
	Otlp__Dictionary part = OTLP__DICTIONARY__INIT;

	attribute.key_strindex = text_index(o, key(o, k));
	attribute.value = value;
	part.n_attribute_table = 1;
	part.attribute_table = &one;
	put(o, &o->dictionary, &part.base);
}

/* The attribute with that text; no text is the value of two names. */
static int32_t attribute_index(struct otlp *o, unsigned int k, uint64_t text)
{
	Otlp__AnyValue value;
	bool is_first;
	int32_t index = index_of(o, &o->attributes, text, &is_first);

	set_text(&value, text_of(o, text));
	if (is_first)
		put_attribute(o, k, &value);
	return index;
}

/* What is said of the profile. */
static int32_t comments_index(struct otlp *o)
{
	Otlp__AnyValue value = OTLP__ANY_VALUE__INIT, line[CG_PPROF_COMMENTS],
		       *lines[CG_PPROF_COMMENTS];
	Otlp__ArrayValue array = OTLP__ARRAY_VALUE__INIT;
	bool is_first;
	int32_t index = index_of(o, &o->attributes, key(o, KEY_COMMENT), &is_first);

	value.value_case = OTLP__ANY_VALUE__VALUE_ARRAY_VALUE;
	value.array_value = &array;
	array.values = lines;
	for (; array.n_values < o->p->n_comment && array.n_values < CG_PPROF_COMMENTS;
	     array.n_values++) {
		lines[array.n_values] = &line[array.n_values];
		set_text(&line[array.n_values], text_of(o, o->p->comment[array.n_values]));
	}
	if (is_first)
		put_attribute(o, KEY_COMMENT, &value);
	return index;
}

/* ---- The dictionary. ---- */

/* The first of each table. */
static void put_nothing(struct otlp *o)
{
	static uint8_t zeros[16];
	Otlp__Dictionary d = OTLP__DICTIONARY__INIT;
	Otlp__Mapping mapping = OTLP__MAPPING__INIT, *mappings = &mapping;
	Otlp__Location location = OTLP__LOCATION__INIT, *locations = &location;
	Otlp__Function function = OTLP__FUNCTION__INIT, *functions = &function;
	Otlp__Link link = OTLP__LINK__INIT, *links = &link;
	Otlp__Attribute attribute = OTLP__ATTRIBUTE__INIT, *attributes = &attribute;
	Otlp__Stack stack = OTLP__STACK__INIT, *stacks = &stack;
	char *text = o->p->string_table[0];

	/* Readers want them as long as those of a trace. */
	link.trace_id = (ProtobufCBinaryData){.len = 16, .data = zeros};
	link.span_id = (ProtobufCBinaryData){.len = 8, .data = zeros};
	d.n_mapping_table = d.n_location_table = d.n_function_table = d.n_link_table = 1;
	d.n_string_table = d.n_attribute_table = d.n_stack_table = 1;
	d.mapping_table = &mappings;
	d.location_table = &locations;
	d.function_table = &functions;
	d.link_table = &links;
	d.string_table = &text;
	d.attribute_table = &attributes;
	d.stack_table = &stacks;
	put(o, &o->dictionary, &d.base);
}

static void put_mapping(struct otlp *o, const Pprof__Mapping *m)
{
	Otlp__Mapping mapping = OTLP__MAPPING__INIT, *one = &mapping;
	Otlp__Dictionary part = OTLP__DICTIONARY__INIT;
	int32_t build_id;
	bool is_first;

	index_of(o, &o->mappings, m->id, &is_first);
	mapping.memory_start = m->memory_start;
	mapping.memory_limit = m->memory_limit;
	mapping.file_offset = m->file_offset;
	mapping.filename_strindex = text_index(o, (uint64_t)m->filename);
	build_id = attribute_index(o, KEY_BUILD_ID, (uint64_t)m->build_id);
	mapping.n_attribute_indices = m->build_id != 0;
	mapping.attribute_indices = &build_id;
	part.n_mapping_table = 1;
	part.mapping_table = &one;
	put(o, &o->dictionary, &part.base);
}

static void put_function(struct otlp *o, const Pprof__Function *f)
{
	Otlp__Function function = OTLP__FUNCTION__INIT, *one = &function;
	Otlp__Dictionary part = OTLP__DICTIONARY__INIT;
	bool is_first;

	index_of(o, &o->functions, f->id, &is_first);
	function.name_strindex = text_index(o, (uint64_t)f->name);
	function.filename_strindex = text_index(o, (uint64_t)f->filename);
	part.n_function_table = 1;
	part.function_table = &one;
	put(o, &o->dictionary, &part.base);
}

static void put_location(struct otlp *o, const Pprof__Location *l)
{
	Otlp__Location location = OTLP__LOCATION__INIT, *one = &location;
	Otlp__Dictionary part = OTLP__DICTIONARY__INIT;
	VEC(Otlp__Line) line = {0};
	VEC(Otlp__Line *) lines = {0};
	bool is_first;
	size_t i;

	index_of(o, &o->locations, l->id, &is_first);
	location.mapping_index = index_of(o, &o->mappings, l->mapping_id, &is_first);
	location.address = l->address;
	if (vec_reserve(&line, l->n_line) || vec_reserve(&lines, l->n_line))
		o->failed = true;
	for (i = 0; !o->failed && i < l->n_line; i++) {
		otlp__line__init(&line.v[i]);
		line.v[i].function_index =
			index_of(o, &o->functions, l->line[i]->function_id, &is_first);
		line.v[i].line = l->line[i]->line;
		lines.v[i] = &line.v[i];
	}
	location.n_lines = i;
	location.lines = lines.v;
	part.n_location_table = 1;
	part.location_table = &one;
	put(o, &o->dictionary, &part.base);
	vec_free(&line);
	vec_free(&lines);
}

/* The words from there on are a stack's: its index, and they are gone if there was one of them. */
static int32_t stack_index(struct otlp *o, size_t first)
{
	size_t n = o->words.n - first;
	uint32_t hash = hash_bytes(o->words.v + first, n * sizeof(*o->words.v)), i;
	Otlp__Stack stack = OTLP__STACK__INIT, *one = &stack;
	Otlp__Dictionary part = OTLP__DICTIONARY__INIT;
	struct table_iter it;

	for (i = table_first(&o->stack_of_words, hash, &it); i != TABLE_NONE;
	     i = table_next(&o->stack_of_words, &it)) {
		const int32_t *words = o->words.v + o->stacks.v[i];
		size_t end = i + 1 < o->stacks.n ? o->stacks.v[i + 1] : first;

		if (end - o->stacks.v[i] == n &&
		    !memcmp(words, o->words.v + first, n * sizeof(*words))) {
			o->words.n = first;
			return (int32_t)i + 1;
		}
	}
	stack.n_location_indices = n;
	stack.location_indices = o->words.v + first;
	part.n_stack_table = 1;
	part.stack_table = &one;
	put(o, &o->dictionary, &part.base);
	if (vec_push(&o->stacks, first) ||
	    table_insert(&o->stack_of_words, hash, (uint32_t)o->stacks.n - 1))
		o->failed = true;
	return (int32_t)o->stacks.n;
}

static void put_stack(struct otlp *o, const Pprof__Sample *s)
{
	size_t first = o->words.n, i;
	bool is_first;

	for (i = 0; !o->failed && i < s->n_location_id; i++)
		o->failed = vec_push(&o->words, index_of(o, &o->locations, s->location_id[i],
							 &is_first));
	if (!o->failed)
		/* No stack is the table's first one. */
		o->failed |= vec_push(&o->stack, s->n_location_id ? stack_index(o, first) : 0) != 0;
}

static void put_dictionary(struct otlp *o)
{
	size_t i;

	put_nothing(o);
	for (i = 0; i < o->p->n_mapping; i++)
		put_mapping(o, o->p->mapping[i]);
	for (i = 0; i < o->p->n_function; i++)
		put_function(o, o->p->function[i]);
	for (i = 0; i < o->p->n_location; i++)
		put_location(o, o->p->location[i]);
	for (i = 0; i < o->p->n_sample; i++)
		put_stack(o, o->p->sample[i]);
}

/* ---- Profiles. ---- */

/* The name of the process is the only text among labels, and there are no others. */
static void put_sample(struct otlp *o, struct bytes *profile, size_t index, int64_t value)
{
	const Pprof__Sample *s = o->p->sample[index];
	Otlp__Sample sample = OTLP__SAMPLE__INIT, *one = &sample;
	Otlp__Profile part = OTLP__PROFILE__INIT;
	int32_t comm = s->n_label ? attribute_index(o, KEY_COMM, (uint64_t)s->label[0]->str) : 0;

	if (o->failed)
		return;
	sample.stack_index = o->stack.v[index];
	sample.n_attribute_indices = comm != 0;
	sample.attribute_indices = &comm;
	sample.n_values = 1;
	sample.values = &value;
	part.n_samples = 1;
	part.samples = &one;
	put(o, profile, &part.base);
}

static void set_type(struct otlp *o, const Pprof__ValueType *from, Otlp__ValueType *type)
{
	otlp__value_type__init(type);
	type->type_strindex = text_index(o, (uint64_t)from->type);
	type->unit_strindex = text_index(o, (uint64_t)from->unit);
}

/* What is behind a profile's samples.  pprof's period is that of the type to show first. */
static void put_rest(struct otlp *o, struct bytes *profile, const Pprof__ValueType *from)
{
	Otlp__ValueType type, period;
	Otlp__Profile part = OTLP__PROFILE__INIT;
	int32_t comments = comments_index(o);

	set_type(o, from, &type);
	part.sample_type = &type;
	part.time_unix_nano = (uint64_t)o->p->time_nanos;
	part.duration_nano = (uint64_t)o->p->duration_nanos;
	if (o->p->period_type && from->type == o->p->default_sample_type) {
		set_type(o, o->p->period_type, &period);
		part.period_type = &period;
		part.period = o->p->period;
	}
	part.n_attribute_indices = 1;
	part.attribute_indices = &comments;
	put(o, profile, &part.base);
}

static void put_profile(struct otlp *o, struct bytes *scope, size_t type)
{
	Otlp__ScopeProfiles part = OTLP__SCOPE_PROFILES__INIT;
	struct bytes profile = {0};
	size_t i;

	for (i = 0; i < o->p->n_sample; i++)
		if (o->p->sample[i]->value[type])
			put_sample(o, &profile, i, o->p->sample[i]->value[type]);
	if (profile.n) {
		put_rest(o, &profile, o->p->sample_type[type]);
		part.profiles = binary(&profile);
		put(o, scope, &part.base);
	}
	vec_free(&profile);
}

static void put_resource(struct otlp *o, struct bytes *to, const struct cg_otlp_attribute *a)
{
	Otlp__Resource part = OTLP__RESOURCE__INIT;
	Otlp__KeyValue pair = OTLP__KEY_VALUE__INIT, *one = &pair;
	Otlp__AnyValue value;

	set_text(&value, (char *)(uintptr_t)a->value);
	pair.key = (char *)(uintptr_t)a->name;
	pair.value = &value;
	part.n_attributes = 1;
	part.attributes = &one;
	put(o, to, &part.base);
}

static void put_scope(struct otlp *o, struct bytes *to)
{
	Otlp__ScopeProfiles part = OTLP__SCOPE_PROFILES__INIT;
	Otlp__Scope scope = OTLP__SCOPE__INIT;
	size_t i;

	scope.name = (char *)(uintptr_t) "pmcstat";
	scope.version = (char *)(uintptr_t)PACKAGE_VERSION;
	part.scope = &scope;
	put(o, to, &part.base);
	for (i = 0; i < o->p->n_sample_type; i++)
		put_profile(o, to, i);
}

static void put_request(struct otlp *o, struct bytes *to, const struct cg_otlp_attribute *a,
			size_t n)
{
	Otlp__Request request = OTLP__REQUEST__INIT;
	Otlp__ResourceProfiles part = OTLP__RESOURCE_PROFILES__INIT;
	struct bytes resource = {0}, scope = {0}, profiles = {0};

	put_dictionary(o);
	for (; n; n--, a++)
		put_resource(o, &resource, a);
	put_scope(o, &scope);
	part.resource = binary(&resource);
	part.scope_profiles = binary(&scope);
	put(o, &profiles, &part.base);
	request.resource_profiles = binary(&profiles);
	/* Samples have put texts and attributes into it, too. */
	request.dictionary = binary(&o->dictionary);
	put(o, to, &request.base);
	vec_free(&resource);
	vec_free(&scope);
	vec_free(&profiles);
}

/* What --pprof has written; NULL when out of memory. */
static Pprof__Profile *unpack(const uint8_t *pprof, size_t len)
{
	/* Its last bytes say how many it has. */
	const uint8_t *size = pprof + len - 4;
	const size_t n = size[0] | size[1] << 8 | size[2] << 16 | (size_t)size[3] << 24;
	z_stream z = {.next_in = (uint8_t *)(uintptr_t)pprof, .avail_in = (uInt)len};
	uint8_t *plain = malloc(n + 1);
	Pprof__Profile *p = NULL;

	if (plain && inflateInit2(&z, 16 + MAX_WBITS) == Z_OK) {
		z.next_out = plain;
		z.avail_out = (uInt)n;
		if (inflate(&z, Z_FINISH) == Z_STREAM_END)
			p = pprof__profile__unpack(NULL, n, plain);
		inflateEnd(&z);
	}
	free(plain);
	return p;
}

int cg_write_otlp(const void *pprof, size_t len, const struct cg_otlp_attribute *attributes,
		  size_t n, struct sink *sink)
{
	Pprof__Profile *p = unpack(pprof, len);
	struct otlp o = {.p = p};
	struct bytes request = {0};
	struct cg_gzip gzip;

	if (!p)
		return -1;
	put_request(&o, &request, attributes, n);
	if (!o.failed && cg_gzip_init(&gzip, sink)) {
		o.failed = true;
	} else if (!o.failed) {
		cg_gzip_write(&gzip, request.v, request.n);
		cg_gzip_fini(&gzip);
	}
	vec_free(&request);
	vec_free(&o.dictionary);
	vec_free(&o.mappings.of);
	vec_free(&o.locations.of);
	vec_free(&o.functions.of);
	vec_free(&o.texts.of);
	vec_free(&o.attributes.of);
	vec_free(&o.words);
	vec_free(&o.stacks);
	vec_free(&o.stack);
	table_clear(&o.stack_of_words);
	pprof__profile__free_unpacked(p, NULL);
	return o.failed ? -1 : 0;
}

int64_t cg_otlp_rejected(const void *reply, size_t len, char *why, size_t size)
{
	Otlp__Reply *r = otlp__reply__unpack(NULL, len, reply);
	int64_t n = 0;

	if (r && r->partial_success) {
		n = r->partial_success->rejected_profiles;
		snprintf(why, size, "%s", r->partial_success->error_message);
	}
	if (r)
		otlp__reply__free_unpacked(r, NULL);
	return n > 0 ? n : 0;
}
