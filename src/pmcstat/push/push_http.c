// SPDX-License-Identifier: BSD-2-Clause
#include "pmcstat/push/push_http.h"

#ifdef HAVE_LIBCURL
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct push_http {
	void *library;
	CURL *curl;
	struct curl_slist *headers; /* of the file, and what every request has */
	push_give_up *give_up;
	void *arg;
	char body[16384]; /* the beginning of what the server answers to the request in hand */
	size_t filled;	  /* of it */
	char why[CURL_ERROR_SIZE];

	CURLcode (*global_init)(long flags);
	CURL *(*easy_init)(void);
	CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
	CURLcode (*easy_perform)(CURL *curl);
	CURLcode (*easy_getinfo)(CURL *curl, CURLINFO info, ...);
	const char *(*easy_strerror)(CURLcode code);
	void (*easy_cleanup)(CURL *curl);
	struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
	void (*slist_free_all)(struct curl_slist *list);
};

static int find_functions(struct push_http *h)
{
	const struct {
		void *function;
		const char *name;
	} all[] = {{&h->global_init, "curl_global_init"},
		   {&h->easy_init, "curl_easy_init"},
		   {&h->easy_setopt, "curl_easy_setopt"},
		   {&h->easy_perform, "curl_easy_perform"},
		   {&h->easy_getinfo, "curl_easy_getinfo"},
		   {&h->easy_strerror, "curl_easy_strerror"},
		   {&h->easy_cleanup, "curl_easy_cleanup"},
		   {&h->slist_append, "curl_slist_append"},
		   {&h->slist_free_all, "curl_slist_free_all"}};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!(*(void **)all[i].function = dlsym(h->library, all[i].name)))
			return -1;
	return 0;
}

/* The two that Debian has differ in the library for TLS. */
static int load(struct push_http *h, struct err *err)
{
	/* It stays when it is closed: what it brings with it leaves things behind. */
	const int how = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;

	h->library = dlopen("libcurl.so.4", how);
	if (!h->library)
		h->library = dlopen("libcurl-gnutls.so.4", how);
	if (!h->library) {
		err_set(err, EX_UNAVAILABLE, "--push: cannot load libcurl: %s", dlerror());
		return err_hint(err, "on Debian and Ubuntu: apt-get install libcurl4");
	}
	if (find_functions(h) || h->global_init(CURL_GLOBAL_DEFAULT))
		return err_set(err, EX_UNAVAILABLE, "--push: libcurl.so.4 lacks functions");
	return 0;
}

static size_t keep(char *data, size_t size, size_t n, void *arg)
{
	struct push_http *h = arg;
	size_t room = sizeof(h->body) - h->filled, len = size * n < room ? size * n : room;

	memcpy(h->body + h->filled, data, len);
	h->filled += len;
	return size * n;
}

static int look(void *arg, curl_off_t dltotal, curl_off_t dlnow, curl_off_t ultotal,
		curl_off_t ulnow)
{
	struct push_http *h = arg;

	(void)dltotal, (void)dlnow, (void)ultotal, (void)ulnow;
	return h->give_up(h->arg);
}

static int add_header(struct push_http *h, const char *line)
{
	struct curl_slist *list = h->slist_append(h->headers, line);

	if (!list)
		return -1;
	h->headers = list;
	return 0;
}

/* Lines of a file, so that no secret is among the arguments, which every user sees. */
static int read_headers(struct push_http *h, const char *path, struct err *err)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t cap = 0, number = 0;
	int status = 0;

	if (!f)
		return err_set(err, EX_NOINPUT, "--push-headers %s: %s", path, strerror(errno));
	while (!status && getline(&line, &cap, f) >= 0) {
		number++;
		line[strcspn(line, "\r\n")] = '\0';
		if (!*line)
			continue;
		if (!strchr(line, ':'))
			status = err_set(err, EX_CONFIG,
					 "--push-headers %s: line %zu is not like \"Name: value\"",
					 path, number);
		else if (add_header(h, line))
			status = err_nomem(err);
	}
	if (!status && ferror(f))
		status = err_set(err, EX_NOINPUT, "--push-headers %s: %s", path, strerror(EIO));
	free(line);
	fclose(f);
	return status;
}

/* What all requests have in common. */
static void set_options(struct push_http *h)
{
	h->easy_setopt(h->curl, CURLOPT_ERRORBUFFER, h->why);
	h->easy_setopt(h->curl, CURLOPT_NOSIGNAL, 1L);
	h->easy_setopt(h->curl, CURLOPT_USERAGENT, "pmcstat/" PACKAGE_VERSION);
	h->easy_setopt(h->curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	h->easy_setopt(h->curl, CURLOPT_WRITEFUNCTION, keep);
	h->easy_setopt(h->curl, CURLOPT_WRITEDATA, h);
	h->easy_setopt(h->curl, CURLOPT_XFERINFOFUNCTION, look);
	h->easy_setopt(h->curl, CURLOPT_XFERINFODATA, h);
	h->easy_setopt(h->curl, CURLOPT_NOPROGRESS, 0L);
}

struct push_http *push_http_open(const char *headers, push_give_up *give_up, void *arg,
				 struct err *err)
{
	struct push_http *h = calloc(1, sizeof(*h));

	if (!h) {
		err_nomem(err);
		return NULL;
	}
	h->give_up = give_up;
	h->arg = arg;
	if (load(h, err) || (headers && read_headers(h, headers, err))) {
		push_http_close(h);
		return NULL;
	}
	/* A server that is asked first, whether it wants the body, costs a round trip. */
	if (!(h->curl = h->easy_init()) || add_header(h, "Expect:")) {
		err_nomem(err);
		push_http_close(h);
		return NULL;
	}
	set_options(h);
	return h;
}

void push_http_close(struct push_http *h)
{
	if (!h)
		return;
	if (h->curl)
		h->easy_cleanup(h->curl);
	if (h->headers)
		h->slist_free_all(h->headers);
	if (h->library)
		dlclose(h->library);
	free(h);
}

static CURLcode perform(struct push_http *h, const struct push_request *r, double seconds)
{
	char encoding_line[128], type_line[128];
	struct curl_slist encoding = {.data = encoding_line, .next = h->headers};
	struct curl_slist type = {.data = type_line,
				  .next = r->encoding ? &encoding : h->headers};

	snprintf(type_line, sizeof(type_line), "Content-Type: %s", r->type);
	snprintf(encoding_line, sizeof(encoding_line), "Content-Encoding: %s",
		 r->encoding ? r->encoding : "");
	h->easy_setopt(h->curl, CURLOPT_URL, r->url);
	h->easy_setopt(h->curl, CURLOPT_HTTPHEADER, &type);
	h->easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->len);
	h->easy_setopt(h->curl, CURLOPT_POSTFIELDS, r->body);
	h->easy_setopt(h->curl, CURLOPT_TIMEOUT_MS, (long)(seconds * 1000));
	return h->easy_perform(h->curl);
}

/* The beginning of what the server answers becomes a line. */
static void make_line(struct push_reply *reply, const char *said, size_t len)
{
	size_t i;

	for (i = 0; i < len && i < sizeof(reply->text) - 1; i++) {
		unsigned char c = (unsigned char)said[i];

		reply->text[i] = c < ' ' || c >= 0x7f ? ' ' : (char)c;
	}
	reply->text[i] = '\0';
}

void push_http_post(struct push_http *h, const struct push_request *r, double seconds,
		    struct push_reply *reply)
{
	char why[sizeof(reply->text)] = "";
	CURLcode code;

	*reply = (struct push_reply){0};
	h->filled = 0;
	h->why[0] = '\0';
	code = perform(h, r, seconds);
	if (code) {
		snprintf(reply->text, sizeof(reply->text), "%s",
			 h->why[0] ? h->why : h->easy_strerror(code));
		return;
	}
	h->easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &reply->status);
	make_line(reply, h->body, h->filled);
	if (reply->status / 100 == 2 && r->rejected)
		reply->rejected = r->rejected(h->body, h->filled, why, sizeof(why));
	if (reply->rejected)
		make_line(reply, why, strlen(why));
}

#else

struct push_http *push_http_open(const char *headers, push_give_up *give_up, void *arg,
				 struct err *err)
{
	(void)headers, (void)give_up, (void)arg;
	err_set(err, EX_UNAVAILABLE, "--push: this pmcstat was built without libcurl");
	return NULL;
}

void push_http_close(struct push_http *h)
{
	(void)h;
}

void push_http_post(struct push_http *h, const struct push_request *r, double seconds,
		    struct push_reply *reply)
{
	(void)h, (void)r, (void)seconds;
	*reply = (struct push_reply){0};
}

#endif
