// SPDX-License-Identifier: BSD-2-Clause
/* The code that the kernel maps into every process: taken from this process, if it is the same. */
#include <link.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#include "symbol/image.h"

/* How far the ELF header at p says that the image reaches: its section headers come last. */
static size_t vdso_size(const ElfW(Ehdr) * p)
{
	return p->e_shoff + (size_t)p->e_shnum * p->e_shentsize;
}

/* What an installed kernel has of it in files, as the mapping's build-id tells. */
static int from_kernel_files(struct symbol_image *image, bool *taken)
{
	static const char *const names[] = {"vdso64.so", "vdso32.so", "vdsox32.so", "vdso.so"};
	struct utsname u;
	image_path path;
	size_t i;

	if (!image->build_id_len || uname(&u))
		return 0;
	for (i = 0; i < sizeof(names) / sizeof(names[0]) && !*taken; i++) {
		struct err err = {0};

		image_path_set(path, image->store, "/lib/modules/%s/vdso/%s", u.release, names[i]);
		if (image_try(image, path, IMAGE_MAPPED, taken, &err))
			return -1;
	}
	return *taken ? 0 : image_by_build_id(image, IMAGE_MAPPED, taken);
}

/* Takes this process's own; *taken says whether it is the one. */
static int from_memory(struct symbol_image *image, bool *taken, struct err *err)
{
	const ElfW(Ehdr) *own = (const void *)getauxval(AT_SYSINFO_EHDR);
	struct elf_file f;
	int ret = 0;

	if (!own) {
		err_set(err, EX_NOINPUT, "this machine has no [vdso]");
		return 0;
	}
	if (elf_file_memory(&f, image->path, own, vdso_size(own), err))
		return err->code == EX_OSERR ? -1 : 0;
	if (image_accepts(image, &f, err) &&
	    (image->build_id_len || same_boot(image->store, PROC_BOOT_ID, err))) {
		image->mem = f.mem;
		image->mem_len = f.size;
		ret = image_take(image, &f, IMAGE_MAPPED);
		*taken = !ret;
	}
	elf_file_close(&f);
	return ret;
}

int image_open_vdso(struct symbol_image *image)
{
	struct err err = {0};
	bool taken = false;

	if (from_memory(image, &taken, &err) || (!taken && from_kernel_files(image, &taken)))
		return -1;
	if (taken)
		return 0;
	return image_fail(image, image_status_of(&err), &err);
}
