// SPDX-License-Identifier: BSD-2-Clause
/* The kernel, its modules, code that it makes, and what it maps into processes. */
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include "base/build_id.h"
#include "symbol_story.h"

#define ID   "0123456789abcdef0123456789abcdef01234567"
#define BOOT "11111111-2222-3333-4444-555555555555"

static const char kallsyms[] = "0000000000000000 A per_cpu\n"
			       "ffffffff81000000 T _text\n"
			       "ffffffff81000000 T startup_64\n"
			       "ffffffff81000100 t do_idle\n"
			       "ffffffff81000200 W arch_idle\n"
			       "ffffffff81000280 D not_code\n"
			       "ffffffff81000300 T _RNvC6kernel5print\n"
			       "ffffffff81000400 T last\n"
			       "ffffffffc0001000 t ext4_read\t[ext4]\n"
			       "ffffffffc0001080 t ext4_write\t[ext4]\n"
			       "ffffffffc0002000 t xfs_read\t[xfs]\n"
			       "ffffffffc0003000 t kprobe_slot\t[__builtin__kprobes]\n"
			       "nonsense\n";

static struct symbol_store *kernel_store(const char *boot_id, const char *kernel)
{
	struct symbol_config config = {
		.fsroot = at("root"), .kernel = kernel, .log_boot_id = boot_id};

	write_text("root/proc/kallsyms", kallsyms);
	write_text("root/proc/sys/kernel/random/boot_id", BOOT "\n");
	return symbol_store_new(&config, NULL);
}

static struct symbol_image *kernel_image(struct symbol_store *store, const char *path,
					 const char *build_id, uint64_t start, uint64_t length)
{
	uint8_t id[20];
	struct symbol_ref ref = {
		.path = path, .kernel = true, .start = start, .length = length, .build_id = id};
	unsigned int byte;

	for (; build_id && sscanf(build_id, "%2x", &byte) == 1; build_id += 2)
		id[ref.build_id_len++] = (uint8_t)byte;
	return symbol_image_get(store, &ref);
}

/* The name at a runtime address of an image mapped at start. */
static const char *kernel_name(struct symbol_image *image, uint64_t start, uint64_t runtime)
{
	return name_at(image, symbol_image_address(image, start, 0, false, 0, runtime));
}

UNIT(the_running_kernel_names_its_functions)
{
	const uint64_t base = 0xffffffff81000000;
	struct symbol_store *store;
	struct symbol_image *image;
	uint64_t start, end;

	story_begin();
	store = kernel_store(BOOT, NULL);
	image = kernel_image(store, "[kernel]", NULL, base, 0);
	CHECK_U64(symbol_image_status(image), SYMBOL_OK);
	CHECK_STR(symbol_image_problem(image), "");
	CHECK_STR(kernel_name(image, base, base), "startup_64");
	CHECK_STR(kernel_name(image, base, base + 0x1ff), "do_idle");
	CHECK_STR(kernel_name(image, base, base + 0x200), "arch_idle");
	CHECK_STR(kernel_name(image, base, base + 0x280), "-");
	CHECK_STR(kernel_name(image, base, base + 0x4ff), "last");
	CHECK_STR(kernel_name(image, base, base + 0x1000), "-");
	CHECK(symbol_image_span(image, &start, &end));
	CHECK_U64(start, base);
	CHECK_U64(end, base + 0x1000);
	symbol_store_free(store);
}

UNIT(and_those_of_its_modules)
{
	const uint64_t base = 0xffffffffc0001000;
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	store = kernel_store(BOOT, NULL);
	image = kernel_image(store, "[ext4]", NULL, base, 0x1000);
	CHECK_STR(kernel_name(image, base, base + 0x10), "ext4_read");
	CHECK_STR(kernel_name(image, base, base + 0xfff), "ext4_write");
	CHECK_STR(kernel_name(image, base, base + 0x1000), "-");
	image = kernel_image(store, "/lib/modules/6.1.0/kernel/fs/xfs/xfs.ko.xz", NULL,
			     base + 0x1000, 0);
	CHECK_STR(kernel_name(image, base + 0x1000, base + 0x1010), "xfs_read");
	image = kernel_image(store, "[__builtin__kprobes]", NULL, base + 0x2000, 0x1000);
	CHECK_STR(kernel_name(image, base + 0x2000, base + 0x2010), "kprobe_slot");
	symbol_store_free(store);
}

UNIT(modules_may_be_in_no_order_and_below_the_kernel)
{
	const uint64_t base = 0xffff800080000000, module = 0xffff800079000000;
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	store = kernel_store(BOOT, NULL);
	write_text("root/proc/kallsyms", "ffff800080000000 T _text\n"
					 "ffff800080000000 T _stext\n"
					 "ffff800080000100 t do_idle\n"
					 "ffff800080000200 T last\n"
					 "ffff800079000200 t nfs_write\t[nfs]\n"
					 "ffff800079000000 t nfs_read\t[nfs]\n"
					 "ffff800079000100 d nfs_table\t[nfs]\n"
					 "ffff800079000300 t tun_read\t[tun]\n");
	image = kernel_image(store, "[kernel]", NULL, base, 0);
	CHECK_STR(kernel_name(image, base, base), "_text");
	CHECK_STR(kernel_name(image, base, base + 0x1ff), "do_idle");
	CHECK_STR(kernel_name(image, base, base + 0xfff), "last");
	image = kernel_image(store, "[nfs]", NULL, module, 0x300);
	CHECK_STR(kernel_name(image, module, module + 0xff), "nfs_read");
	CHECK_STR(kernel_name(image, module, module + 0x100), "-");
	CHECK_STR(kernel_name(image, module, module + 0x2ff), "nfs_write");
	CHECK_STR(kernel_name(image, module, module + 0x300), "-");
	symbol_store_free(store);
}

/* What the kernel tells of a module below /sys: a note with its build-id. */
static void write_module_note(const char *file, const uint8_t *id, uint8_t n)
{
	const uint8_t head[] = {4, 0, 0, 0, n, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
	const char *path = at(file);
	FILE *f;

	run("mkdir -p root/sys/module/ext4/notes");
	f = fopen(path, "w");
	CHECK(f && fwrite(head, 1, sizeof(head), f) == sizeof(head) && fwrite(id, 1, n, f) == n);
	if (f)
		fclose(f);
}

UNIT(a_module_that_was_loaded_again_is_another_one)
{
	const uint64_t base = 0xffffffffc0001000;
	const uint64_t places[] = {base - 0x800, base - 0x1000, base + 0x40, base + 0x100000};
	struct symbol_store *store;
	struct symbol_image *image;
	size_t i;

	story_begin();
	store = kernel_store(BOOT, NULL);
	/* It reached from place on for length bytes, which are not those of now. */
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		image = kernel_image(store, "[ext4]", NULL, places[i], 0x880);
		CHECK_U64(symbol_image_status(image), SYMBOL_NO_FILE);
		CHECK_STR(kernel_name(image, places[i], base + 0x10), "-");
		CHECK(strstr(symbol_image_problem(image), "[ext4] at 0xffffffffc0001000 now"));
	}
	printf("# %s\n", symbol_image_problem(image));
	image = kernel_image(store, "[ext4]", NULL, base, 0x81);
	CHECK_STR(kernel_name(image, base, base + 0x10), "ext4_read");
	symbol_store_free(store);
}

UNIT(a_module_of_another_build_has_other_functions)
{
	const uint8_t same[] = {1, 2, 3, 4}, other[] = {1, 2, 3, 5};
	const uint64_t base = 0xffffffffc0001000;
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_module_note("root/sys/module/ext4/notes/.note.gnu.build-id", other, sizeof(other));
	store = kernel_store(BOOT, NULL);
	image = kernel_image(store, "[ext4]", "01020304", base, 0x1000);
	CHECK_STR(kernel_name(image, base, base + 0x10), "-");
	CHECK_STR(symbol_image_problem(image),
		  "the kernel has [ext4] with build-id 01020305 now, the log with 01020304");
	symbol_store_free(store);
	write_module_note("root/sys/module/ext4/notes/.note.gnu.build-id", same, sizeof(same));
	store = kernel_store(BOOT, NULL);
	image = kernel_image(store, "[ext4]", "01020304", base, 0x1000);
	CHECK_STR(kernel_name(image, base, base + 0x10), "ext4_read");
	symbol_store_free(store);
}

UNIT(another_boot_has_other_addresses)
{
	const char *const boots[] = {"99999999-2222-3333-4444-555555555555", NULL};
	size_t i;

	story_begin();
	for (i = 0; i < 2; i++) {
		struct symbol_store *store = kernel_store(boots[i], NULL);
		struct symbol_image *image =
			kernel_image(store, "[kernel]", NULL, 0xffffffff81000000, 0);

		CHECK_U64(symbol_image_status(image), SYMBOL_NO_FILE);
		CHECK(strstr(symbol_image_problem(image), "-k"));
		printf("# %s\n", symbol_image_problem(image));
		CHECK_STR(kernel_name(image, 0, 0xffffffff81000100), "-");
		image = kernel_image(store, "[ext4]", NULL, 0xffffffffc0001000, 0x1000);
		CHECK_U64(symbol_image_status(image), SYMBOL_NO_FILE);
		CHECK_STR(kernel_name(image, 0, 0xffffffffc0001000), "-");
		symbol_store_free(store);
	}
}

UNIT(hidden_addresses_name_the_setting)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	store = kernel_store(BOOT, NULL);
	write_text("root/proc/kallsyms", "0000000000000000 T _text\n0000000000000000 t do_idle\n");
	image = kernel_image(store, "[kernel]", NULL, 0xffffffff81000000, 0);
	CHECK_U64(symbol_image_status(image), SYMBOL_NO_FILE);
	CHECK(strstr(symbol_image_problem(image), "sysctl kernel.kptr_restrict=0"));
	printf("# %s\n", symbol_image_problem(image));
	symbol_store_free(store);
}

UNIT(code_that_the_kernel_makes_is_one_function)
{
	struct symbol_store *store;
	struct symbol_image *image, *again;
	struct symbol s;

	story_begin();
	store = kernel_store(BOOT, NULL);
	image = kernel_image(store, "[bpf_prog_1234_name]", NULL, 0xffffffffc0800000, 0x200);
	CHECK_U64(symbol_image_status(image), SYMBOL_OK);
	CHECK(symbol_find(image, 0xffffffffc08001ff, &s));
	CHECK_STR(s.name, "bpf_prog_1234_name");
	CHECK_U64(s.start, 0xffffffffc0800000);
	CHECK_U64(s.end, 0xffffffffc0800200);
	CHECK_STR(name_at(image, 0xffffffffc0800200), "-");
	/* Loaded again it is elsewhere. */
	again = kernel_image(store, "[bpf_prog_1234_name]", NULL, 0xffffffffc0900000, 0x200);
	CHECK_STR(name_at(again, 0xffffffffc0900000), "bpf_prog_1234_name");
	symbol_store_free(store);
	/* Its name is known on any machine, as a module's functions are not. */
	store = kernel_store(NULL, NULL);
	image = kernel_image(store, "[bpf_prog_1234_name]", NULL, 0xffffffffc0800000, 0x200);
	CHECK_STR(name_at(image, 0xffffffffc0800000), "bpf_prog_1234_name");
	image = kernel_image(store, "[nfs]", NULL, 0xffffffffc0800000, 0x200);
	CHECK_STR(name_at(image, 0xffffffffc0800000), "-");
	symbol_store_free(store);
}

static const char vmlinux[] = "type exec\nbuild-id " ID "\n"
			      "text 0xffffffff81000000 0x10000 0x1000\n"
			      "symbol _text 0xffffffff81000000 0 notype\n"
			      "symbol _stext 0xffffffff81000800 0 notype\n"
			      "symbol do_idle 0xffffffff81001000 0x100\n";

UNIT(a_named_vmlinux_is_moved_to_where_the_kernel_was)
{
	const uint64_t slide = 0x1e000000;
	uint64_t base = 0xffffffff81000000 + slide;
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("root/boot/vmlinux", vmlinux);
	store = kernel_store(NULL, "/boot/vmlinux");
	image = kernel_image(store, "[kernel]", ID, base, 0);
	CHECK_STR(symbol_image_problem(image), "");
	CHECK_STR(kernel_name(image, base, base + 0x10ff), "do_idle");
	CHECK_U64(symbol_image_address(image, base, 0, false, 0, base + 0x1010),
		  0xffffffff81001010);
	/* The log may give _stext instead. */
	CHECK_U64(symbol_image_address(image, base + 0x800, 0, false, 0, base + 0x1010),
		  0xffffffff81001010);
	symbol_store_free(store);
	/* A directory holds it as vmlinux. */
	store = kernel_store(NULL, "/boot");
	image = kernel_image(store, "[kernel]", NULL, base, 0);
	CHECK_STR(kernel_name(image, base, base + 0x1000), "do_idle");
	symbol_store_free(store);
}

UNIT(a_named_vmlinux_must_be_the_right_one)
{
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("root/boot/vmlinux", vmlinux);
	store = kernel_store(BOOT, "/boot/vmlinux");
	image = kernel_image(store, "[kernel]", "ffff", 0xffffffff81000000, 0);
	CHECK_U64(symbol_image_status(image), SYMBOL_WRONG_BUILD_ID);
	CHECK_STR(kernel_name(image, 0xffffffff81000000, 0xffffffff81001000), "-");
	symbol_store_free(store);
	store = kernel_store(BOOT, "/boot/missing");
	image = kernel_image(store, "[kernel]", NULL, 0xffffffff81000000, 0);
	CHECK_U64(symbol_image_status(image), SYMBOL_NO_FILE);
	symbol_store_free(store);
}

UNIT(a_vmlinux_is_found_by_its_build_id)
{
	const uint64_t base = 0xffffffff91000000;
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("root/usr/lib/debug/.build-id/01/23456789abcdef0123456789abcdef01234567.debug",
		  vmlinux);
	store = kernel_store(NULL, NULL);
	image = kernel_image(store, "[kernel]", ID, base, 0);
	CHECK_STR(symbol_image_problem(image), "");
	CHECK_STR(kernel_name(image, base, base + 0x1010), "do_idle");
	symbol_store_free(store);
	run("mkdir -p root/boot && mv root/usr/lib/debug/.build-id/01/* root/boot/vmlinux-$(uname "
	    "-r)");
	store = kernel_store(NULL, NULL);
	image = kernel_image(store, "[kernel]", ID, base, 0);
	CHECK_STR(kernel_name(image, base, base + 0x1010), "do_idle");
	symbol_store_free(store);
}

/* Modules are laid out when they are loaded: code one after the other, but for the start-up's. */
UNIT(a_module_file_is_laid_out_as_the_kernel_does)
{
	static const char spec[] = "type rel\nbuild-id " ID "\n"
				   "text 0x100000 0x100 0x1000 .init.text\n"
				   "text 0x200000 0x180 0x2000 .text\n"
				   "data 0x300000 0x100 0x3000\n"
				   "text 0x400000 0x100 0x4000 .text.unlikely\n"
				   "symbol init_module 0x100000 0x20\n"
				   "symbol snd_read 0x200100 0x20\n"
				   "symbol snd_fail 0x400010 0x20\n";
	const uint64_t base = 0xffffffffc0100000;
	struct symbol_store *store;
	struct symbol_image *image;

	story_begin();
	write_elf("root/lib/modules/x/kernel/sound/snd-pcm.ko", spec);
	write_text("root/lib/modules/x/modules.dep",
		   "kernel/sound/snd.ko:\nkernel/sound/snd-pcm.ko: kernel/sound/snd.ko\n");
	store = kernel_store(NULL, "/lib/modules/x");
	image = kernel_image(store, "[snd_pcm]", NULL, base, 0x1000);
	CHECK_STR(symbol_image_problem(image), "");
	CHECK_STR(kernel_name(image, base, base + 0x11f), "snd_read");
	CHECK_STR(kernel_name(image, base, base + 0x190), "snd_fail");
	CHECK_STR(kernel_name(image, base, base), "-");
	symbol_store_free(store);
	store = kernel_store(NULL, NULL);
	image = kernel_image(store, "/lib/modules/x/kernel/sound/snd-pcm.ko", ID, base, 0x1000);
	CHECK_STR(kernel_name(image, base, base + 0x100), "snd_read");
	symbol_store_free(store);
}

/* The build-id of this process's vdso as hex; "" when there is none. */
static const char *own_vdso_id(void)
{
	static char text[2 * BUILD_ID_MAX + 1];
	const ElfW(Ehdr) *eh = (const void *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Phdr) *ph = eh ? (const void *)((const char *)eh + eh->e_phoff) : NULL;
	uint8_t id[BUILD_ID_MAX];
	int i;

	for (i = 0; eh && i < eh->e_phnum; i++) {
		size_t n = ph[i].p_type == PT_NOTE
				   ? build_id_of_notes((const char *)eh + ph[i].p_offset,
						       ph[i].p_filesz, id)
				   : 0;
		if (n)
			return build_id_text(id, n, text);
	}
	return text;
}

static bool has_clock(struct symbol_image *image)
{
	uint64_t start, end, a;

	if (!symbol_image_span(image, &start, &end))
		return false;
	for (a = start; a < end; a++)
		if (strstr(name_at(image, a), "clock_gettime"))
			return true;
	return false;
}

UNIT(the_vdso_is_this_process_s_own_if_it_is_the_same)
{
	const char *id;
	struct symbol_config config = {0};
	struct symbol_store *store;
	struct symbol_image *image;
	char boot_id[64] = "";
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");

	story_begin();
	id = own_vdso_id();
	if (!f || !fgets(boot_id, sizeof(boot_id), f) || !*id) {
		printf("# SKIP no vdso here\n");
		return;
	}
	fclose(f);
	boot_id[strcspn(boot_id, "\n")] = '\0';
	store = symbol_store_new(&config, NULL);
	CHECK(has_clock(image_of(store, "[vdso]", id)));
	image = image_of(store, "[vdso]", "0102");
	CHECK_U64(symbol_image_status(image), SYMBOL_WRONG_BUILD_ID);
	image = image_of(store, "[vdso]", NULL);
	CHECK_U64(symbol_image_status(image), SYMBOL_NO_FILE);
	CHECK(*symbol_image_problem(image) != '\0');
	symbol_store_free(store);
	config.log_boot_id = boot_id;
	store = symbol_store_new(&config, NULL);
	CHECK(has_clock(image_of(store, "[vdso]", NULL)));
	symbol_store_free(store);
}

UNIT_MAIN(UNIT_ENTRY(the_running_kernel_names_its_functions), UNIT_ENTRY(and_those_of_its_modules),
	  UNIT_ENTRY(modules_may_be_in_no_order_and_below_the_kernel),
	  UNIT_ENTRY(a_module_that_was_loaded_again_is_another_one),
	  UNIT_ENTRY(a_module_of_another_build_has_other_functions),
	  UNIT_ENTRY(another_boot_has_other_addresses),
	  UNIT_ENTRY(hidden_addresses_name_the_setting),
	  UNIT_ENTRY(code_that_the_kernel_makes_is_one_function),
	  UNIT_ENTRY(a_named_vmlinux_is_moved_to_where_the_kernel_was),
	  UNIT_ENTRY(a_named_vmlinux_must_be_the_right_one),
	  UNIT_ENTRY(a_vmlinux_is_found_by_its_build_id),
	  UNIT_ENTRY(a_module_file_is_laid_out_as_the_kernel_does),
	  UNIT_ENTRY(the_vdso_is_this_process_s_own_if_it_is_the_same))
