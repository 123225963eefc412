/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The pmclog stream on the wire, version 9, as FreeBSD 12 and later lay it out.
 *
 * Shared by the reader, the writer and the kernel module, so it holds fixed-width types only.
 * Records are little endian on every machine that writes them here, begin on a multiple of 8, and
 * have every pad byte zero.  man/pmclog.5 is the normative text.
 *
 * Do not change a struct: FreeBSD's tools read these logs.  New facts go into trailers.
 */
#ifndef PMCLOG_WIRE_H
#define PMCLOG_WIRE_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/build_bug.h>
#define pmclog_assert(cond) static_assert(cond)
typedef u16 pmclog_u16;
typedef u32 pmclog_u32;
typedef u64 pmclog_u64;
#else
#include <stddef.h>
#include <stdint.h>
#define pmclog_assert(cond) _Static_assert(cond, #cond)
typedef uint16_t pmclog_u16;
typedef uint32_t pmclog_u32;
typedef uint64_t pmclog_u64;
#endif

#define PMCLOG_WIRE_MAGIC   0xEEu
#define PMCLOG_WIRE_VERSION 0x09030000u
#define PMCLOG_WIRE_VERSION_10 0x0a000000u /* of FreeBSD 14; PROCEXEC differs */
#define PMCLOG_MAX_RECORD   4128u /* bytes, with the header */
#define PMCLOG_MAX_PATH	    1024u /* bytes, with the NUL */
#define PMCLOG_MAX_DEPTH    512u  /* program counters in one CALLCHAIN record */
#define PMCLOG_MAX_FRAMES   4096u /* frames of a call chain, with those that are repeated */
#define PMCLOG_MAX_REPEATS  64u	  /* of one call chain */
#define PMCLOG_MAX_BUILD_ID 32u	  /* bytes */
#define PMCLOG_MAX_ARGUMENTS 3048u /* bytes, with the NULs */

enum pmclog_wire_type {
	PMCLOG_WIRE_CLOSELOG = 1,
	PMCLOG_WIRE_DROPNOTIFY = 2,
	PMCLOG_WIRE_INITIALIZE = 3,
	PMCLOG_WIRE_PMCALLOCATE = 5,
	PMCLOG_WIRE_PMCATTACH = 6,
	PMCLOG_WIRE_PMCDETACH = 7,
	PMCLOG_WIRE_PROCCSW = 8,
	PMCLOG_WIRE_PROCEXEC = 9,
	PMCLOG_WIRE_PROCEXIT = 10,
	PMCLOG_WIRE_PROCFORK = 11,
	PMCLOG_WIRE_SYSEXIT = 12,
	PMCLOG_WIRE_USERDATA = 13,
	PMCLOG_WIRE_MAP_IN = 14,
	PMCLOG_WIRE_MAP_OUT = 15,
	PMCLOG_WIRE_CALLCHAIN = 16,
	PMCLOG_WIRE_PMCALLOCATEDYN = 17,
	PMCLOG_WIRE_THR_CREATE = 18,
	PMCLOG_WIRE_THR_EXIT = 19,
	PMCLOG_WIRE_PROC_CREATE = 20,
	PMCLOG_WIRE_GROUP_INHERIT_MISS = 21, /* FreeBSD 2026; read only */
	PMCLOG_WIRE_APPENDIX = 22, /* behind CLOSELOG, where FreeBSD's readers have stopped */
	PMCLOG_WIRE_NTYPES = 23,
};

/* The first word of every record: magic, type, length in bytes with this header. */
#define PMCLOG_WIRE_HEADER(type, length) \
	(PMCLOG_WIRE_MAGIC << 24 | (pmclog_u32)(type) << 16 | (pmclog_u32)(length))

struct pmclog_wire_header {
	pmclog_u32 header;
	pmclog_u32 spare;
	pmclog_u64 tsc; /* ticks of INITIALIZE's tsc_freq */
};

struct pmclog_wire_initialize {
	struct pmclog_wire_header h;
	pmclog_u32 version;
	pmclog_u32 cputype;
	pmclog_u64 tsc_freq; /* ticks a second */
	pmclog_u64 ts_sec;   /* wall clock at this record's tsc, seconds since 1970 */
	pmclog_u64 ts_nsec;
	char cpuid[64];
};

struct pmclog_wire_pmcallocate {
	struct pmclog_wire_header h;
	pmclog_u32 pmcid;
	pmclog_u32 event;
	pmclog_u32 flags;
	pmclog_u32 pad;
	pmclog_u64 rate;
};

struct pmclog_wire_pmcallocatedyn {
	struct pmclog_wire_header h;
	pmclog_u32 pmcid;
	pmclog_u32 event;
	pmclog_u32 flags;
	pmclog_u32 pad;
	char name[64];
};

struct pmclog_wire_pmcattach {
	struct pmclog_wire_header h;
	pmclog_u32 pmcid;
	pmclog_u32 pid;
	/* char path[]; NUL-terminated */
};

struct pmclog_wire_pmcdetach {
	struct pmclog_wire_header h;
	pmclog_u32 pmcid;
	pmclog_u32 pid;
	/* a trailer */
};

struct pmclog_wire_proccsw {
	struct pmclog_wire_header h;
	pmclog_u64 value;
	pmclog_u32 pmcid;
	pmclog_u32 pid;
	pmclog_u32 tid;
	pmclog_u32 pad;
};

struct pmclog_wire_procexec {
	struct pmclog_wire_header h;
	pmclog_u32 pid;
	pmclog_u32 pmcid; /* that has the process as target; UINT32_MAX: system scope, hwpmc */
	pmclog_u64 entry;
	/* char path[]; NUL-terminated, then a trailer */
};

/* Of version 10. */
struct pmclog_wire_procexec_10 {
	struct pmclog_wire_header h;
	pmclog_u32 pid;
	pmclog_u32 pmcid;
	pmclog_u64 base;
	pmclog_u64 dyn;
	/* char path[]; NUL-terminated, then a trailer */
};

struct pmclog_wire_procexit {
	struct pmclog_wire_header h;
	pmclog_u32 pmcid;
	pmclog_u32 pid;
	pmclog_u64 value;
};

struct pmclog_wire_procfork {
	struct pmclog_wire_header h;
	pmclog_u32 oldpid;
	pmclog_u32 newpid;
};

struct pmclog_wire_sysexit {
	struct pmclog_wire_header h;
	pmclog_u32 pid;
	pmclog_u32 pad;
};

struct pmclog_wire_userdata {
	struct pmclog_wire_header h;
	pmclog_u32 userdata;
	pmclog_u32 pad;
};

struct pmclog_wire_map_in {
	struct pmclog_wire_header h;
	pmclog_u32 pid; /* UINT32_MAX: the kernel */
	pmclog_u32 pad;
	pmclog_u64 start;
	/* char path[]; NUL-terminated, then a trailer */
};

struct pmclog_wire_map_out {
	struct pmclog_wire_header h;
	pmclog_u32 pid;
	pmclog_u32 pad;
	pmclog_u64 start;
	pmclog_u64 end; /* first byte behind the range */
};

struct pmclog_wire_callchain {
	struct pmclog_wire_header h;
	pmclog_u32 pid;
	pmclog_u32 tid;
	pmclog_u32 pmcid;
	pmclog_u32 cpuflags; /* cpu << 16 | words of a trailer << 8 | end << 2 | PMCLOG_CC_* */
	/* pmclog_u64 pc[]; leaf first, then a trailer where frames are marked */
};

/* A flag of PMCALLOCATE in version 10: event is an index of FreeBSD's table of vendors' events. */
#define PMCLOG_F_EV_PMU 0x200u

#define PMCLOG_CC_USERMODE  0x1u /* the leaf ran in user mode */
#define PMCLOG_CC_MULTIPART 0x2u /* version 10: pc[] opens with a table of parts */

/* cpuflags has more of a chain; FreeBSD leaves these bits 0 and its readers do not look at them. */
#define PMCLOG_CC_END_SHIFT	2 /* 4 bits, enum pmclog_chain_end */
#define PMCLOG_CC_END_MASK	0xfu
#define PMCLOG_CC_TRAILER_SHIFT 8 /* 8 bits: 64-bit words of the trailer behind pc[] */
#define PMCLOG_CC_TRAILER_MASK	0xffu

/* How the user frames of a chain end. */
enum pmclog_chain_end {
	PMCLOG_END_UNSAID = 0,	   /* the log does not say */
	PMCLOG_END_COMPLETE = 1,   /* where the thread began */
	PMCLOG_END_WINDOW = 2,	   /* where the part of the stack that was copied ends */
	PMCLOG_END_NO_DATA = 3,	   /* in code without unwind data */
	PMCLOG_END_BAD_RETURN = 4, /* the next return address follows no call */
	PMCLOG_END_DEPTH = 5,	   /* at the most frames that a chain may have */
	PMCLOG_END_STALE = 6,	   /* the user's registers were not those of the sample */
	PMCLOG_END_OVERLOAD = 7,   /* the collector had no time: frame pointers alone, unchecked */
	PMCLOG_END_NO_STACK = 8,   /* no stack could be copied: in exec or exit */
	PMCLOG_NENDS = 9,
};

struct pmclog_wire_thr_create {
	struct pmclog_wire_header h;
	pmclog_u32 tid;
	pmclog_u32 pid;
	pmclog_u32 flags;
	pmclog_u32 pad;
	char name[20];
	pmclog_u32 pad2; /* so that the record is a multiple of 8; FreeBSD's ends at 52 */
};

struct pmclog_wire_thr_exit {
	struct pmclog_wire_header h;
	pmclog_u32 tid;
	pmclog_u32 pad;
};

struct pmclog_wire_proc_create {
	struct pmclog_wire_header h;
	pmclog_u32 pid;
	pmclog_u32 flags;
	char comm[20];
	pmclog_u32 pad; /* as in THR_CREATE; FreeBSD's ends at 44 */
};

/*
 * A part of a block of the appendix.  Its first 8 bytes are how many zlib makes of the others.  Of
 * the type of the record, which FreeBSD may give to another, those without the magic are not known.
 */
#define PMCLOG_APPENDIX_MAGIC 0x3141584Cu /* "LXA1" */

struct pmclog_wire_appendix {
	struct pmclog_wire_header h;
	pmclog_u32 magic;
	pmclog_u32 type; /* enum pmclog_appendix_type; readers skip others */
	pmclog_u32 crc;	 /* CRC-32 of the bytes */
	pmclog_u32 size; /* bytes of the block in this record, then padding to a multiple of 8 */
	pmclog_u64 left; /* bytes of it in later records */
	/* bytes */
};

enum pmclog_appendix_type {
	PMCLOG_APPENDIX_IMAGE = 1,  /* what a mapped file says of its functions with samples */
	PMCLOG_APPENDIX_SOURCE = 2, /* the lines of a source file that they are in */
	PMCLOG_APPENDIX_JIT = 3,    /* names of JIT-compiled code with samples, of perf-PID.map */
};

/*
 * A trailer holds what Linux needs and FreeBSD's layout lacks.  It begins at the first multiple of
 * 8 behind the NUL of a path or behind the fixed fields, where FreeBSD's readers do not look.
 * After its header come fields, each with its own header and padded to a multiple of 8, and each
 * at most once.  A text is NUL-terminated and its length counts the NUL.
 */
#define PMCLOG_TRAILER_MAGIC 0x3150584Cu /* "LXP1" */

struct pmclog_wire_trailer {
	pmclog_u32 magic;
	pmclog_u32 length; /* bytes, with this header */
};

struct pmclog_wire_field {
	pmclog_u16 type;   /* enum pmclog_field */
	pmclog_u16 length; /* bytes of value, without this header and without padding */
	pmclog_u32 pad;
	/* value, padded to a multiple of 8 */
};

enum pmclog_field {
	PMCLOG_FIELD_MAP_LENGTH = 1,  /* u64 bytes; MAP_IN */
	PMCLOG_FIELD_FILE_OFFSET = 2, /* u64 bytes; MAP_IN */
	PMCLOG_FIELD_DEVICE = 3,      /* u64 major << 32 | minor; MAP_IN */
	PMCLOG_FIELD_INODE = 4,	      /* u64; MAP_IN */
	PMCLOG_FIELD_BUILD_ID = 5,    /* 1 to 32 bytes; MAP_IN */
	PMCLOG_FIELD_HOST_NAME = 6,   /* text; INITIALIZE, and PMCALLOCATE* of merged logs */
	PMCLOG_FIELD_RELEASE = 7,     /* text, uname -r; INITIALIZE */
	PMCLOG_FIELD_MACHINE = 8,     /* text, uname -m; INITIALIZE */
	PMCLOG_FIELD_BOOT_ID = 9,     /* text; INITIALIZE */
	PMCLOG_FIELD_COMMAND = 10,    /* text, the command line of the recorder; INITIALIZE */
	PMCLOG_FIELD_COUNT = 11,      /* u64 what was lost, by its cause; DROPNOTIFY */
	PMCLOG_FIELD_CPU = 12,	      /* u32; DROPNOTIFY */
	PMCLOG_FIELD_CAUSE = 13,      /* u32 enum pmclog_drop_cause; DROPNOTIFY */
	PMCLOG_FIELD_RATE = 14,	      /* u64 events a sample, or Hz under FREQUENCY; PMCALLOCATE* */
	PMCLOG_FIELD_EVENT_SPEC = 15, /* text, as the user wrote it; PMCALLOCATE* */
	PMCLOG_FIELD_FREQUENCY = 16,  /* u32, 1: the rate is samples a second; PMCALLOCATE* */
	PMCLOG_FIELD_MAX_DEPTH = 17,  /* u32 frames a chain is cut at; PMCALLOCATE* */
	PMCLOG_FIELD_COLLECTOR = 18,  /* text, "perf", "hwpmc" or "fake"; INITIALIZE */
	PMCLOG_FIELD_PMCID = 19,      /* u32; DROPNOTIFY */
	PMCLOG_FIELD_SYMBOL = 20,     /* text, the function that a JIT compiler put there; MAP_IN */
	/* Each ends with a NUL, but for the last where the rest was cut off; PROCEXEC */
	PMCLOG_FIELD_ARGUMENTS = 21,
	PMCLOG_FIELD_ENABLED = 22, /* u64 ns that the PMC was to run; DROPNOTIFY */
	PMCLOG_FIELD_RUNNING = 23, /* u64 ns of them that it had a counter; DROPNOTIFY */
	PMCLOG_FIELD_PAUSED = 24,  /* u64 ns, the length of one pause; DROPNOTIFY */
	/* u64 ns that who was attached to ran for meanwhile, in user mode and not; PMCDETACH */
	PMCLOG_FIELD_USER_TIME = 25,
	PMCLOG_FIELD_SYSTEM_TIME = 26,
	/* 1 to 64 bytes: bit i % 8 of byte i / 8: frame i was found by frame pointer; CALLCHAIN */
	PMCLOG_FIELD_GUESSED = 30,
	PMCLOG_FIELD_STITCHED = 31, /* u32 outermost frames, of an earlier sample; CALLCHAIN */
	/* As 30: frame i is the instruction that runs next, no return address; CALLCHAIN */
	PMCLOG_FIELD_EXACT = 32,
	PMCLOG_FIELD_REPEATS = 33, /* 1 to 64 struct pmclog_wire_repeat; CALLCHAIN */
};

/*
 * Frames of a record that stand in the call chain so many times, one turn behind the other.  As a
 * word, which FreeBSD's readers take for a program counter, it is no address.
 */
struct pmclog_wire_repeat {
	pmclog_u32 first;  /* of these frames, the leaf is 0; behind those of the repeat before */
	pmclog_u16 frames; /* 1 and more */
	pmclog_u16 times;  /* 2 and more */
};

enum pmclog_drop_cause {
	PMCLOG_DROP_RING = 0,	  /* the collector's ring was full; COUNT samples lost */
	PMCLOG_DROP_THROTTLE = 1, /* the kernel paused the PMC; COUNT pauses, samples not taken */
	PMCLOG_DROP_UNREADABLE =
		2,		   /* at most COUNT records that the collector did not understand */
	PMCLOG_DROP_RECORD = 3,	   /* no room for COUNT records that are no samples: maps, forks */
	PMCLOG_DROP_STARVED = 4,   /* others took COUNT counters: nothing counted from there on */
	PMCLOG_DROP_UNCOUNTED = 5, /* COUNT threads got no counter: nothing of them is counted */
	/* PMCs took turns: this one had a counter for RUNNING of ENABLED; COUNT is 0 */
	PMCLOG_DROP_SHARED = 6,
	PMCLOG_DROP_EXIT = 7,	/* COUNT threads exited while the PMC had no counter */
	PMCLOG_DROP_SWITCH = 8, /* COUNT times a thread left a CPU then: no PROCCSW */
	PMCLOG_DROP_UNSENT = 9, /* at most COUNT samples did not arrive: a connection was lost */
	/* COUNT programs began with rights of their own: the kernel ended their events */
	PMCLOG_DROP_HIDDEN = 10,
	PMCLOG_DROP_LATE_CPU = 11, /* COUNT times a CPU came online: nothing is sampled there */
	PMCLOG_DROP_CPU_GAP = 12,  /* COUNT times one was off: nor just after it came back */
};

pmclog_assert(sizeof(struct pmclog_wire_header) == 16);
pmclog_assert(sizeof(struct pmclog_wire_initialize) == 112);
pmclog_assert(sizeof(struct pmclog_wire_pmcallocate) == 40);
pmclog_assert(sizeof(struct pmclog_wire_pmcallocatedyn) == 96);
pmclog_assert(sizeof(struct pmclog_wire_pmcattach) == 24);
pmclog_assert(sizeof(struct pmclog_wire_pmcdetach) == 24);
pmclog_assert(sizeof(struct pmclog_wire_proccsw) == 40);
pmclog_assert(sizeof(struct pmclog_wire_procexec) == 32);
pmclog_assert(sizeof(struct pmclog_wire_procexec_10) == 40);
pmclog_assert(sizeof(struct pmclog_wire_procexit) == 32);
pmclog_assert(sizeof(struct pmclog_wire_procfork) == 24);
pmclog_assert(sizeof(struct pmclog_wire_sysexit) == 24);
pmclog_assert(sizeof(struct pmclog_wire_userdata) == 24);
pmclog_assert(sizeof(struct pmclog_wire_map_in) == 32);
pmclog_assert(sizeof(struct pmclog_wire_map_out) == 40);
pmclog_assert(sizeof(struct pmclog_wire_callchain) == 32);
pmclog_assert(sizeof(struct pmclog_wire_thr_create) == 56);
pmclog_assert(sizeof(struct pmclog_wire_thr_exit) == 24);
pmclog_assert(sizeof(struct pmclog_wire_proc_create) == 48);
pmclog_assert(sizeof(struct pmclog_wire_appendix) == 40);
pmclog_assert(sizeof(struct pmclog_wire_trailer) == 8);
pmclog_assert(sizeof(struct pmclog_wire_field) == 8);
pmclog_assert(sizeof(struct pmclog_wire_repeat) == 8);
pmclog_assert(offsetof(struct pmclog_wire_initialize, tsc_freq) == 24);
pmclog_assert(offsetof(struct pmclog_wire_initialize, ts_sec) == 32);
pmclog_assert(offsetof(struct pmclog_wire_initialize, cpuid) == 48);
pmclog_assert(offsetof(struct pmclog_wire_pmcallocate, rate) == 32);
pmclog_assert(offsetof(struct pmclog_wire_pmcallocatedyn, name) == 32);
pmclog_assert(offsetof(struct pmclog_wire_proccsw, pmcid) == 24);
pmclog_assert(offsetof(struct pmclog_wire_procexec, entry) == 24);
pmclog_assert(offsetof(struct pmclog_wire_procexit, value) == 24);
pmclog_assert(offsetof(struct pmclog_wire_map_in, start) == 24);
pmclog_assert(offsetof(struct pmclog_wire_map_out, end) == 32);
pmclog_assert(offsetof(struct pmclog_wire_callchain, cpuflags) == 28);
pmclog_assert(offsetof(struct pmclog_wire_thr_create, name) == 32);
pmclog_assert(offsetof(struct pmclog_wire_proc_create, comm) == 24);

#endif
