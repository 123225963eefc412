/* SPDX-License-Identifier: BSD-2-Clause */
/* What ring.c has of the kernel's header, in user space. */
#ifndef SHIM_COMPILER_H
#define SHIM_COMPILER_H

#define READ_ONCE(x)	 __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define barrier()	 __atomic_signal_fence(__ATOMIC_SEQ_CST)
#define likely(x)	 __builtin_expect(!!(x), 1)
#define unlikely(x)	 __builtin_expect(!!(x), 0)
#define noinline	 __attribute__((__noinline__))
#define __maybe_unused	 __attribute__((__unused__))
#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif

#endif
