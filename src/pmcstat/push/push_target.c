// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/sink.h"
#include "callgraph/output/otlp.h"
#include "pmcstat/push/push_target.h"

#define NAME "pmcstat"
#define HINT                                                                                      \
	"Pyroscope's is http://HOST:4040/ingest, Parca's http://HOST:7070/api/profiles/writeraw, " \
	"OTLP's http://HOST:4318/v1development/profiles"
/* Of the parts of a form; a profile is compressed, and does not have it by chance. */
#define BOUNDARY "pmcstat-profile-4b1c6f0a97d25e83"

enum { NANOS = 1000000000 };

/* How a server takes profiles: known by the end of its address. */
struct push_interface {
	const char *path, *type;
	const char *encoding;	/* of the body; NULL: none */
	const char *host_label; /* the label that is the host's name */
	const char *in_names;	/* what names of labels may have besides letters and digits */
	/* Writes what comes behind the address; NULL: nothing does. */
	void (*write_query)(const struct push_target *t, const struct push_part *p, struct sink *s);
	/* Writes what is posted there.  0, or -1 when out of memory. */
	int (*write_body)(const struct push_target *t, const struct push_part *p, struct sink *s);
	push_rejected *rejected; /* as in struct push_request */
};

/* ---- Pyroscope: a form, with what it is in the address. ---- */

/* ASCII's, whatever the locale. */
static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Letters and digits of a query, and the rest by number. */
static void write_escaped(struct sink *s, const char *text)
{
	for (; *text; text++)
		if (is_letter(*text) || is_digit(*text) || strchr("-._~", *text))
			sink_char(s, *text);
		else
			sink_printf(s, "%%%02X", (unsigned char)*text);
}

static bool has_label(const struct push_target *t, const char *name)
{
	const struct push_label *l;

	vec_each(l, &t->labels)
		if (!strcmp(l->name, name))
			return true;
	return false;
}

/* The host's name, which is a label unless the command line has another one; NULL: none. */
static const char *host_of(const struct push_target *t, const struct push_part *p)
{
	const char *host = p->profile->origin.host;

	return host && *host && !has_label(t, t->interface->host_label) ? host : NULL;
}

static void write_pyroscope_query(const struct push_target *t, const struct push_part *p,
				  struct sink *s)
{
	const char *host = host_of(t, p), *between = "";
	const struct push_label *l;

	sink_str(s, "?name=" NAME "%7B");
	if (host) {
		sink_str(s, "host%3D");
		write_escaped(s, host);
		between = "%2C";
	}
	vec_each(l, &t->labels) {
		sink_printf(s, "%s%s%%3D", between, l->name);
		write_escaped(s, l->value);
		between = "%2C";
	}
	sink_printf(s, "%%7D&from=%lld&until=%lld&format=pprof&spyName=" NAME,
		    (long long)(p->from / NANOS), (long long)((p->until + NANOS - 1) / NANOS));
}

/* Without it types that Go does not have are left out. */
static void write_type_config(const struct push_part *p, struct sink *s)
{
	const struct cg_event *e;

	sink_str(s, "{\"cpu\":{\"units\":\"nanoseconds\",\"aggregation\":\"sum\","
		    "\"display-name\":\"cpu\",\"sampled\":true}");
	vec_each(e, &p->profile->events) {
		sink_char(s, ',');
		json_string(s, e->whole);
		sink_str(s, ":{\"units\":\"samples\",\"aggregation\":\"sum\",\"display-name\":");
		json_string(s, e->whole);
		sink_str(s, ",\"sampled\":true}");
	}
	sink_char(s, '}');
}

static int write_pyroscope_body(const struct push_target *t, const struct push_part *p,
				struct sink *s)
{
	(void)t;
	sink_str(s, "--" BOUNDARY "\r\n"
		    "Content-Disposition: form-data; name=\"profile\"; "
		    "filename=\"profile.pprof\"\r\n"
		    "Content-Type: application/octet-stream\r\n\r\n");
	sink_write(s, p->data, p->len);
	sink_str(s, "\r\n--" BOUNDARY "\r\n"
		    "Content-Disposition: form-data; name=\"sample_type_config\"; "
		    "filename=\"sample_type_config.json\"\r\n"
		    "Content-Type: application/json\r\n\r\n");
	write_type_config(p, s);
	sink_str(s, "\r\n--" BOUNDARY "--\r\n");
	return 0;
}

/* ---- Parca: JSON of its WriteRawRequest. ---- */

/* As JSON has bytes. */
static void write_base64(struct sink *s, const unsigned char *data, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	uint32_t bits;

	for (; len; data += len < 3 ? len : 3, len -= len < 3 ? len : 3) {
		bits = (uint32_t)data[0] << 16;
		bits |= len > 1 ? (uint32_t)data[1] << 8 : 0;
		bits |= len > 2 ? data[2] : 0;
		sink_char(s, digits[bits >> 18]);
		sink_char(s, digits[bits >> 12 & 63]);
		sink_char(s, len > 1 ? digits[bits >> 6 & 63] : '=');
		sink_char(s, len > 2 ? digits[bits & 63] : '=');
	}
}

static void write_json_label(struct sink *s, const char *before, const char *name,
			     const char *value)
{
	sink_printf(s, "%s{\"name\":", before);
	json_string(s, name);
	sink_str(s, ",\"value\":");
	json_string(s, value);
	sink_char(s, '}');
}

/* Addresses are those of the files, whatever they were mapped at: normalized. */
static int write_parca_body(const struct push_target *t, const struct push_part *p, struct sink *s)
{
	const char *host = host_of(t, p);
	const struct push_label *l;

	sink_str(s, "{\"normalized\":true,\"series\":[{\"labels\":{\"labels\":[");
	write_json_label(s, "", "__name__", NAME);
	if (host)
		write_json_label(s, ",", "host", host);
	vec_each(l, &t->labels)
		write_json_label(s, ",", l->name, l->value);
	sink_str(s, "]},\"samples\":[{\"rawProfile\":\"");
	write_base64(s, p->data, p->len);
	sink_str(s, "\"}]}]}");
	return 0;
}

/* ---- OTLP: the profile in a form of its own. ---- */

#if HAVE_PROTOBUF_C
static int write_otlp_body(const struct push_target *t, const struct push_part *p, struct sink *s)
{
	VEC(struct cg_otlp_attribute) all = {0};
	const char *host = host_of(t, p);
	const struct push_label *l;
	int status = 0;

	/* What a server knows an application by. */
	if (!has_label(t, "service.name"))
		status |= vec_push(&all, (struct cg_otlp_attribute){"service.name", NAME});
	if (host)
		status |= vec_push(&all, (struct cg_otlp_attribute){"host.name", host});
	vec_each(l, &t->labels)
		status |= vec_push(&all, (struct cg_otlp_attribute){l->name, l->value});
	if (!status)
		status = cg_write_otlp(p->data, p->len, all.v, all.n, s);
	vec_free(&all);
	return status;
}
#endif

/* By the end of the address, so that a server may be below a path of its own. */
static const struct push_interface interfaces[] = {
	{"/profiles/writeraw", "application/json", NULL, "host", "_", NULL, write_parca_body,
	 NULL},
	{"/ingest", "multipart/form-data; boundary=" BOUNDARY, NULL, "host", "_",
	 write_pyroscope_query, write_pyroscope_body, NULL},
#if HAVE_PROTOBUF_C
	{"/v1development/profiles", "application/x-protobuf", "gzip", "host.name", "_.", NULL,
	 write_otlp_body, cg_otlp_rejected},
#endif
};

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static int find_interface(struct push_target *t, const char *url, struct err *err)
{
	size_t i;

	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0) {
		err_set(err, EX_USAGE, "--push \"%s\" is not an address of http or https", url);
		return err_hint(err, HINT);
	}
	for (i = 0; i < sizeof(interfaces) / sizeof(interfaces[0]); i++)
		if (ends_with(url, interfaces[i].path)) {
			t->url = url;
			t->interface = &interfaces[i];
			return 0;
		}
	err_set(err, EX_USAGE,
		"--push \"%s\" does not end as an interface that takes profiles does", url);
	return err_hint(err, HINT);
}

static bool is_name(const struct push_target *t, const char *name)
{
	const char *p = name;

	while (is_letter(*p) || (*p && strchr(t->interface->in_names, *p)) ||
	       (p > name && is_digit(*p)))
		p++;
	return p > name && !*p;
}

/* What some server takes for its own syntax. */
static bool is_value(const char *value)
{
	const char *p;

	for (p = value; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f || strchr("{}=\"\\", *p))
			return false;
	return p > value;
}

static int add_labels(struct push_target *t, const char *labels, struct err *err)
{
	char *rest, *one;

	if (!labels)
		return 0;
	if (!(rest = t->text = strdup(labels)))
		return err_nomem(err);
	while ((one = strsep(&rest, ","))) {
		struct push_label label = {.name = strsep(&one, "="), .value = one};

		if (!is_name(t, label.name) || !label.value || !is_value(label.value))
			return err_set(err, EX_USAGE,
				       "--labels \"%s\" is not a list like env=prod,zone=b",
				       labels);
		if (has_label(t, label.name))
			return err_set(err, EX_USAGE, "--labels \"%s\" has %s twice", labels,
				       label.name);
		if (vec_push(&t->labels, label))
			return err_nomem(err);
	}
	return 0;
}

int push_target_init(struct push_target *t, const struct push_options *options, struct err *err)
{
	*t = (struct push_target){0};
	if (!find_interface(t, options->url, err) && !add_labels(t, options->labels, err))
		return 0;
	push_target_fini(t);
	return -1;
}

void push_target_fini(struct push_target *t)
{
	vec_free(&t->labels);
	free(t->text);
	*t = (struct push_target){0};
}

/* A sink's bytes as memory of their own, NUL-terminated; NULL when out of memory. */
static char *take(struct sink *s, size_t *len)
{
	const char *text = sink_text(s, len);
	char *copy = sink_flush(s) ? NULL : malloc(*len + 1);

	if (copy)
		memcpy(copy, text, *len + 1);
	return copy;
}

int push_request_make(const struct push_target *t, const struct push_part *part,
		      struct push_request *r)
{
	const struct push_interface *interface = t->interface;
	struct sink *url = sink_to_memory(), *body = sink_to_memory();
	size_t len;

	*r = (struct push_request){.type = interface->type,
				   .encoding = interface->encoding,
				   .rejected = interface->rejected};
	if (url && body && !interface->write_body(t, part, body)) {
		sink_str(url, t->url);
		if (interface->write_query)
			interface->write_query(t, part, url);
		r->url = take(url, &len);
		r->body = take(body, &r->len);
	}
	sink_free(url);
	sink_free(body);
	if (r->url && r->body)
		return 0;
	push_request_free(r);
	return -1;
}

void push_request_free(struct push_request *r)
{
	free(r->url);
	free(r->body);
	*r = (struct push_request){0};
}
