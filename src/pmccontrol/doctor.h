/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this machine can count and sample, what refuses, why, and what to do about it.
 *
 * Nothing is called working on the word of a file: it was opened through libpmc, as pmcstat would,
 * and seen to count.  Files below root, which is "" but for tests, tell why something refuses.
 */
#ifndef PMCCONTROL_DOCTOR_H
#define PMCCONTROL_DOCTOR_H

#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/sink.h"
#include "pmc/counters.h"
#include "pmc/pmc.h"

/* A PMC to try. */
struct doctor_trial {
	const char *spec;
	enum pmc_mode mode;
	int cpu;      /* in system scope */
	pid_t target; /* in process scope; 0 is this process */
};

enum doctor_result {
	DOCTOR_WORKS,	/* opened, and seen to count or to sample */
	DOCTOR_OPENS,	/* opened, but nothing came while this program worked */
	DOCTOR_REFUSED, /* the outcome's err says why */
};

struct doctor_outcome {
	enum doctor_result result;
	uint64_t seen; /* events or samples */
	struct err err;
};

struct doctor_machine {
	const char *root; /* its /proc, /sys, /dev ... are below */
	/* 0, or -1 with err set where no event at all can be opened. */
	int (*open)(struct err *err);
	void (*try)(const struct doctor_trial *trial, struct doctor_outcome *outcome);
	/* The counters of a CPU: how many there are said to be, and how to try them. */
	unsigned int (*counters)(void);
	const struct counters_trial *trial;
	const char *remember; /* the file for what is found; NULL: counters_path() */
};

extern const struct doctor_machine doctor_this_machine;

/*
 * Writes the findings.  EX_OK when at least programs of the same user can be sampled, else
 * EX_UNAVAILABLE.  libpmc must not be in use; no PMC is left.
 */
int doctor_examine(const struct doctor_machine *machine, struct sink *sink);

/* doctor_examine() of this machine. */
int doctor_write(struct sink *sink);

/* The part of the findings that is read from files. */
void doctor_write_facts(const char *root, struct sink *sink);

/* Why there may be no hardware counters, and what to do: "" where the machine has a PMU. */
void doctor_missing_pmu(const char *root, char *advice, size_t size);

#endif
