/* SPDX-License-Identifier: BSD-2-Clause */
/* Installed as <sys/pmclog.h>, for programs that ask for it as on FreeBSD. */
#ifndef SYS_PMCLOG_H
#define SYS_PMCLOG_H

#include <pmclog.h>

#endif
