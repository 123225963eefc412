// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "callgraph/read/disasm.h"

#ifdef HAVE_CAPSTONE
#include <capstone.h>

struct disasm {
	csh handle;
	cs_insn *insn;
};

struct disasm *disasm_new(uint16_t machine, const char **why)
{
	struct disasm *d = NULL;
	cs_arch arch = CS_ARCH_X86;
	cs_mode mode = CS_MODE_64;
	cs_err status;

	*why = "instructions of this machine are not known here";
	switch (machine) {
	case EM_X86_64: break;
	case EM_386: mode = CS_MODE_32; break;
	case EM_AARCH64:
		arch = CS_ARCH_ARM64;
		mode = CS_MODE_ARM;
		break;
	default: return NULL;
	}
	if (!(d = calloc(1, sizeof(*d)))) {
		*why = NULL;
		return NULL;
	}
	status = cs_open(arch, mode, &d->handle);
	if (!status)
		d->insn = cs_malloc(d->handle);
	/* A build of libcapstone may lack a machine. */
	if (status != CS_ERR_ARCH)
		*why = NULL;
	if (d->insn)
		return d;
	disasm_free(d);
	return NULL;
}

void disasm_free(struct disasm *d)
{
	if (!d)
		return;
	if (d->insn)
		cs_free(d->insn, 1);
	if (d->handle)
		cs_close(&d->handle);
	free(d);
}

size_t disasm_one(struct disasm *d, const uint8_t *code, size_t len, uint64_t address, char *text,
		  size_t size)
{
	if (!cs_disasm_iter(d->handle, &code, &len, &address, d->insn))
		return 0;
	snprintf(text, size, "%s%s%s", d->insn->mnemonic, *d->insn->op_str ? " " : "",
		 d->insn->op_str);
	return d->insn->size;
}

#else

struct disasm *disasm_new(uint16_t machine, const char **why)
{
	(void)machine;
	*why = "this pmcstat was built without libcapstone";
	return NULL;
}

void disasm_free(struct disasm *d)
{
	(void)d;
}

size_t disasm_one(struct disasm *d, const uint8_t *code, size_t len, uint64_t address, char *text,
		  size_t size)
{
	(void)d;
	(void)code;
	(void)len;
	(void)address;
	(void)text;
	(void)size;
	return 0;
}

#endif

size_t disasm_width(uint16_t machine)
{
	return machine == EM_AARCH64 ? 4 : 0;
}
