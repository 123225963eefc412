// SPDX-License-Identifier: BSD-2-Clause
/* The symbols that a running kernel shows of itself and its modules. */
#include <stdio.h>
#include <unistd.h>

#include "base/numbers.h"
#include "symbol/image.h"
#include "symbol/regular.h"

enum { TEXT_MAX = 256 << 20, PAGE = 4096, BOOT_ID = 36 };

bool same_boot(const struct symbol_store *store, const char *boot_id_file, struct err *err)
{
	char here[BOOT_ID + 1] = "";
	uint64_t size;
	int fd = regular_open(boot_id_file, &size, NULL);
	ssize_t n = fd >= 0 ? read(fd, here, BOOT_ID) : 0;

	if (fd >= 0)
		close(fd);
	here[n > 0 ? n : 0] = '\0';
	here[strcspn(here, "\n")] = '\0';
	if (!store->boot_id) {
		err_set(err, EX_NOINPUT,
			"the log does not say which boot of which machine it is of");
		return false;
	}
	if (*here && !strcmp(here, store->boot_id))
		return true;
	err_set(err, EX_NOINPUT,
		"the log is of another machine or an earlier boot (boot id %.40s, here %s)",
		store->boot_id, *here ? here : "none");
	return false;
}

/* Reads all of fd behind one NUL, with another one behind it. */
static int read_text(struct kallsyms *k, int fd)
{
	ssize_t n = 1;

	if (vec_push(&k->text, '\0'))
		return -1;
	while (n > 0 && k->text.n < TEXT_MAX) {
		if (vec_reserve(&k->text, k->text.n + (256 << 10)))
			return -1;
		n = read(fd, k->text.v + k->text.n, k->text.cap - k->text.n - 1);
		k->text.n += n > 0 ? (size_t)n : 0;
	}
	k->text.v[k->text.n] = '\0';
	return 0;
}

/* One line: address, type, name and perhaps a tab and [module].  False when it is none. */
static bool parse_line(char *base, char *line, struct kallsyms_sym *s)
{
	char *p = line + numbers_take_hex(line, &s->start), *tab, type;

	if (p == line || p[0] != ' ' || !p[1] || p[2] != ' ')
		return false;
	type = p[1];
	p += 3;
	tab = strchr(p, '\t');
	s->module = 0;
	if (tab && tab[1] == '[') {
		s->module = (uint32_t)(tab + 2 - base);
		tab[2 + strcspn(tab + 2, "]")] = '\0';
	}
	if (tab)
		*tab = '\0';
	s->name = (uint32_t)(p - base);
	s->code = strchr("tTwW", type) && *p && *p != '$';
	s->rank = type == 'T' ? RANK_GLOBAL : type == 't' ? RANK_LOCAL : RANK_WEAK;
	return true;
}

static int by_start(const void *pa, const void *pb)
{
	const struct kallsyms_sym *a = pa, *b = pb;

	return (a->start > b->start) - (a->start < b->start);
}

/* The kernel's own come in order, those of modules behind them do not, and may be below. */
static void sort(struct kallsyms_sym *v, size_t n)
{
	uint64_t least = UINT64_MAX;
	size_t first = 1, i;

	while (first < n && v[first - 1].start <= v[first].start)
		first++;
	for (i = first; i < n; i++)
		least = v[i].start < least ? v[i].start : least;
	while (first > 0 && v[first - 1].start > least)
		first--;
	if (first < n)
		qsort(v + first, n - first, sizeof(*v), by_start);
}

static int parse(struct kallsyms *k, bool *any_address)
{
	char *line = k->text.v + 1, *end;

	for (; *line; line = end) {
		struct kallsyms_sym s;

		end = strchrnul(line, '\n');
		if (*end)
			*end++ = '\0';
		if (!parse_line(k->text.v, line, &s))
			continue;
		*any_address |= s.start != 0;
		if (vec_push(&k->syms, s))
			return -1;
	}
	sort(k->syms.v, k->syms.n);
	return 0;
}

static int load(struct symbol_store *store, struct kallsyms *k)
{
	image_path path, boot_id;
	bool any = false;
	uint64_t size;
	int fd, ret;

	image_path_set(path, store, "%s", KALLSYMS);
	image_path_set(boot_id, store, "%s", PROC_BOOT_ID);
	if (*store->fsroot && access(path, F_OK)) {
		snprintf(path, sizeof(path), "%s", KALLSYMS);
		snprintf(boot_id, sizeof(boot_id), "%s", PROC_BOOT_ID);
	}
	if (!same_boot(store, boot_id, &k->err))
		return 0;
	fd = regular_open(path, &size, &k->err);
	if (fd < 0)
		return 0;
	k->path = strdup(path);
	k->boot_id = strdup(boot_id);
	ret = !k->path || !k->boot_id || read_text(k, fd) || parse(k, &any) ? -1 : 0;
	close(fd);
	if (!ret && !any)
		err_set(&k->err, EX_NOPERM,
			"%s shows no addresses to this user because of kernel.kptr_restrict: run "
			"as root or set \"sysctl kernel.kptr_restrict=0\"",
			path);
	return ret;
}

const struct kallsyms *kallsyms_get(struct symbol_store *store, struct err *err)
{
	struct kallsyms *k = &store->kallsyms;

	if (!k->tried && load(store, k)) {
		kallsyms_fini(k);
		err_nomem(err);
		return NULL;
	}
	k->tried = true;
	if (!k->err.code)
		return k;
	*err = k->err;
	return NULL;
}

bool kallsyms_bounds(const struct kallsyms *k, const char *module, uint64_t *first, uint64_t *last)
{
	const struct kallsyms_sym *s;
	bool any = false;

	vec_each(s, &k->syms) {
		/* Weak ones may be data, which modules have elsewhere. */
		if (!s->code || s->rank == RANK_WEAK || strcmp(k->text.v + s->module, module))
			continue;
		*first = any ? *first : s->start;
		*last = s->start;
		any = true;
	}
	return any;
}

int kallsyms_add(const struct kallsyms *k, const char *module, struct symtab *t, bool *found)
{
	const struct kallsyms_sym *s = k->syms.v, *end = s + k->syms.n, *next = s;
	uint64_t limit;

	t->names = k->text.v;
	for (; s < end; s++) {
		/* The next address. */
		while (next < end && next->start == s->start)
			next++;
		if (!s->code || strcmp(k->text.v + s->module, module))
			continue;
		*found = true;
		/* The last one of a module reaches to the end of its page. */
		limit = s->start > UINT64_MAX - PAGE ? UINT64_MAX : (s->start + PAGE) / PAGE * PAGE;
		if (next < end &&
		    (!strcmp(k->text.v + next->module, module) || next->start < limit))
			limit = next->start;
		if (symtab_add(t, s->start, 0, limit, s->name, s->rank))
			return -1;
	}
	return symtab_build(t);
}

void kallsyms_fini(struct kallsyms *k)
{
	vec_free(&k->text);
	vec_free(&k->syms);
	free(k->path);
	free(k->boot_id);
	memset(k, 0, sizeof(*k));
}
