/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What differs between the kernels that hwpmc.ko builds for, Linux 6.1 and later. */
#ifndef HWPMC_COMPAT_H
#define HWPMC_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error hwpmc.ko needs Linux 6.1 or later
#endif

/* Tables of register_sysctl() ended with an empty row before they had a size. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define HWPMC_SYSCTL_END {}
#else
#define HWPMC_SYSCTL_END
#endif

#endif
