/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls what the first argument points to: with CFI, with a frame pointer alone, with neither; and
 * with CFI, behind a signal to the process (second argument) that nobody handles (28, SIGWINCH); and
 * by a jump.
 */
	.section .note.GNU-stack, "", %progbits
	.text
	.globl	asm_with_cfi, asm_with_frame, asm_without, asm_behind_signal, asm_tail
	.type	asm_with_cfi, %function
	.type	asm_with_frame, %function
	.type	asm_without, %function
	.type	asm_behind_signal, %function
	.type	asm_tail, %function
#if defined(__x86_64__)
asm_with_cfi:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	mov	%rsp, %rbx
	.cfi_def_cfa_register rbx
	and	$-64, %rsp
	sub	$64, %rsp
	call	*%rdi
	mov	%rbx, %rsp
	.cfi_def_cfa_register rsp
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
asm_with_frame:
	push	%rbp
	mov	%rsp, %rbp
	sub	$32, %rsp
	call	*%rdi
	leave
	ret
asm_without:
	sub	$40, %rsp
	call	*%rdi
	add	$40, %rsp
	ret
asm_behind_signal:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	mov	%rdi, %rbx
	mov	%esi, %edi
	mov	$28, %esi
	mov	$62, %eax
	syscall
	call	*%rbx
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
asm_tail:
	.cfi_startproc
	jmp	*%rdi
	.cfi_endproc
#elif defined(__i386__)
asm_with_cfi:
	.cfi_startproc
	push	%ebx
	.cfi_adjust_cfa_offset 4
	.cfi_rel_offset ebx, 0
	mov	%esp, %ebx
	.cfi_def_cfa_register ebx
	and	$-64, %esp
	sub	$64, %esp
	call	*8(%ebx)
	mov	%ebx, %esp
	.cfi_def_cfa_register esp
	pop	%ebx
	.cfi_adjust_cfa_offset -4
	.cfi_restore ebx
	ret
	.cfi_endproc
asm_with_frame:
	push	%ebp
	mov	%esp, %ebp
	sub	$32, %esp
	call	*8(%ebp)
	leave
	ret
asm_without:
	sub	$44, %esp
	call	*48(%esp)
	add	$44, %esp
	ret
asm_behind_signal:
	.cfi_startproc
	push	%ebx
	.cfi_adjust_cfa_offset 4
	.cfi_rel_offset ebx, 0
	mov	12(%esp), %ebx
	mov	$28, %ecx
	mov	$37, %eax
	int	$0x80
	call	*8(%esp)
	pop	%ebx
	.cfi_adjust_cfa_offset -4
	.cfi_restore ebx
	ret
	.cfi_endproc
asm_tail:
	.cfi_startproc
	jmp	*4(%esp)
	.cfi_endproc
#elif defined(__aarch64__)
asm_with_cfi:
	.cfi_startproc
	stp	x19, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x19, -16
	.cfi_offset x30, -8
	mov	x19, sp
	.cfi_def_cfa x19, 16
	sub	sp, sp, 64
	blr	x0
	mov	sp, x19
	.cfi_def_cfa sp, 16
	ldp	x19, x30, [sp], 16
	.cfi_def_cfa_offset 0
	.cfi_restore x19
	.cfi_restore x30
	ret
	.cfi_endproc
asm_with_frame:
	stp	x29, x30, [sp, -16]!
	mov	x29, sp
	blr	x0
	ldp	x29, x30, [sp], 16
	ret
asm_without:
	sub	sp, sp, 32
	str	x30, [sp, 8]
	blr	x0
	ldr	x30, [sp, 8]
	add	sp, sp, 32
	ret
asm_behind_signal:
	.cfi_startproc
	stp	x19, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x19, -16
	.cfi_offset x30, -8
	mov	x19, x0
	mov	x0, x1
	mov	x1, 28
	mov	x8, 129
	svc	0
	blr	x19
	ldp	x19, x30, [sp], 16
	.cfi_def_cfa_offset 0
	.cfi_restore x19
	.cfi_restore x30
	ret
	.cfi_endproc
asm_tail:
	.cfi_startproc
	mov	x16, x0
	br	x16
	.cfi_endproc
#endif
