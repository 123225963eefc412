// SPDX-License-Identifier: BSD-2-Clause
/* FreeBSD's pmclog(3) on top of the reader. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmclog/pmclog.h"
#include "pmclog/reader.h"

_Static_assert(PMC_VERSION == PMCLOG_WIRE_VERSION, "<sys/pmc.h> names the version of the logs");

/* What a cookie is. */
struct parser {
	struct pmclog_reader *reader;
	bool fed;
	bool failed;
	bool old;	 /* a record's time is a time of day */
	char evname[16]; /* stands for the name of a PMCALLOCATE record that has none */
	struct err err;
};

void *pmclog_open(int fd)
{
	struct parser *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->fed = fd == PMCLOG_FD_NONE;
	p->reader = p->fed ? pmclog_reader_open_feed("log", &p->err)
			   : pmclog_reader_open_fd(fd, "log", &p->err);
	if (!p->reader) {
		free(p);
		return NULL;
	}
	return p;
}

void pmclog_close(void *cookie)
{
	struct parser *p = cookie;

	if (!p)
		return;
	pmclog_reader_close(p->reader);
	free(p);
}

static int bad_address(void)
{
	errno = EFAULT;
	return -1;
}

int pmclog_feed(void *cookie, char *data, int len)
{
	struct parser *p = cookie;

	if (!p || (!data && len))
		return bad_address();
	if (len < 0 || !p->fed || p->failed)
		return -1;
	return pmclog_reader_feed(p->reader, data, (size_t)len, &p->err);
}

const char *pmclog_error(const void *cookie)
{
	const struct parser *p = cookie;

	return p ? p->err.msg : "there is no parser: pmclog_open() has returned NULL";
}

/* A text of the log into an array of the API; what does not fit is cut. */
static void copy_text(char *to, size_t size, const struct pmclog_text *from)
{
	size_t len = from->len < size - 1 ? from->len : size - 1;

	if (len)
		memcpy(to, from->s, len);
	to[len] = '\0';
}

static void from_chain(struct pmclog_ev_callchain *cc, const struct pmclog_record *rec)
{
	bool folded;

	cc->pl_pid = rec->u.chain.pid;
	cc->pl_tid = rec->u.chain.tid;
	cc->pl_pmcid = rec->u.chain.pmcid;
	cc->pl_cpuflags = PMC_CALLCHAIN_TO_CPUFLAGS(
		rec->u.chain.cpu, rec->u.chain.usermode ? PMC_CC_F_USERSPACE : 0u);
	cc->pl_cpuflags2 = 0;
	/* There is no room for more frames than a record has. */
	folded = rec->u.chain.nfolded != 0;
	cc->pl_npc = folded ? rec->u.chain.nfolded : rec->u.chain.npcs;
	if (cc->pl_npc)
		memcpy(cc->pl_pc, folded ? rec->u.chain.folded : rec->u.chain.pcs,
		       cc->pl_npc * sizeof(cc->pl_pc[0]));
	memset(cc->pl_pc + cc->pl_npc, 0,
	       (PMC_CALLCHAIN_DEPTH_MAX - cc->pl_npc) * sizeof(cc->pl_pc[0]));
}

static void from_initialize(struct pmclog_ev_initialize *i, const struct pmclog_record *rec)
{
	i->pl_version = rec->u.init.version;
	i->pl_arch = rec->u.init.cputype;
	i->pl_tsc_freq = rec->u.init.tsc_freq;
	i->pl_ts.tv_sec = (time_t)rec->u.init.ts_sec;
	i->pl_ts.tv_nsec = (long)rec->u.init.ts_nsec;
	copy_text(i->pl_cpuid, sizeof(i->pl_cpuid), &rec->u.init.cpuid);
}

static void from_allocate(struct parser *p, struct pmclog_ev_pmcallocate *a,
			  const struct pmclog_record *rec)
{
	a->pl_pmcid = rec->u.alloc.pmcid;
	a->pl_event = rec->u.alloc.event;
	a->pl_flags = rec->u.alloc.flags;
	a->pl_rate = rec->u.alloc.rate;
	snprintf(p->evname, sizeof(p->evname), "0x%x", rec->u.alloc.event);
	a->pl_evname = rec->u.alloc.spec.len ? rec->u.alloc.spec.s : p->evname;
}

/* The records of processes and threads. */
static void from_process(struct pmclog_ev *ev, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PROCEXEC:
		ev->pl_u.pl_x.pl_pid = (pid_t)rec->u.exec.pid;
		ev->pl_u.pl_x.pl_pmcid = rec->u.exec.pmcid;
		ev->pl_u.pl_x.pl_entryaddr = rec->u.exec.entry;
		ev->pl_u.pl_x.pl_baseaddr = rec->u.exec.base;
		ev->pl_u.pl_x.pl_dynaddr = rec->u.exec.dyn;
		copy_text(ev->pl_u.pl_x.pl_pathname, PATH_MAX, &rec->u.exec.path);
		break;
	case PMCLOG_WIRE_PROCFORK:
		ev->pl_u.pl_f.pl_oldpid = (pid_t)rec->u.fork.oldpid;
		ev->pl_u.pl_f.pl_newpid = (pid_t)rec->u.fork.newpid;
		break;
	case PMCLOG_WIRE_SYSEXIT: ev->pl_u.pl_se.pl_pid = (pid_t)rec->u.sysexit.pid; break;
	case PMCLOG_WIRE_PROC_CREATE:
		ev->pl_u.pl_pc.pl_pid = (pid_t)rec->u.proc.pid;
		ev->pl_u.pl_pc.pl_flags = rec->u.proc.flags;
		copy_text(ev->pl_u.pl_pc.pl_pcomm, MAXCOMLEN + 1, &rec->u.proc.comm);
		break;
	case PMCLOG_WIRE_THR_CREATE:
		ev->pl_u.pl_tc.pl_tid = (pid_t)rec->u.thr.tid;
		ev->pl_u.pl_tc.pl_pid = (pid_t)rec->u.thr.pid;
		ev->pl_u.pl_tc.pl_flags = rec->u.thr.flags;
		copy_text(ev->pl_u.pl_tc.pl_tdname, MAXCOMLEN + 1, &rec->u.thr.name);
		break;
	case PMCLOG_WIRE_THR_EXIT: ev->pl_u.pl_te.pl_tid = (pid_t)rec->u.thr.tid; break;
	default: break;
	}
}

/* The records of a PMC's targets and values, and of maps. */
static void from_pmc(struct pmclog_ev *ev, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PMCALLOCATEDYN:
		ev->pl_u.pl_ad.pl_pmcid = rec->u.alloc.pmcid;
		ev->pl_u.pl_ad.pl_event = rec->u.alloc.event;
		ev->pl_u.pl_ad.pl_flags = rec->u.alloc.flags;
		copy_text(ev->pl_u.pl_ad.pl_evname, PMC_NAME_MAX, &rec->u.alloc.name);
		break;
	case PMCLOG_WIRE_PMCATTACH:
		ev->pl_u.pl_t.pl_pmcid = rec->u.attach.pmcid;
		ev->pl_u.pl_t.pl_pid = (pid_t)rec->u.attach.pid;
		copy_text(ev->pl_u.pl_t.pl_pathname, PATH_MAX, &rec->u.attach.path);
		break;
	case PMCLOG_WIRE_PMCDETACH:
		ev->pl_u.pl_d.pl_pmcid = rec->u.attach.pmcid;
		ev->pl_u.pl_d.pl_pid = (pid_t)rec->u.attach.pid;
		break;
	case PMCLOG_WIRE_PROCCSW:
		ev->pl_u.pl_c.pl_pmcid = rec->u.csw.pmcid;
		ev->pl_u.pl_c.pl_pid = (pid_t)rec->u.csw.pid;
		ev->pl_u.pl_c.pl_tid = (pid_t)rec->u.csw.tid;
		ev->pl_u.pl_c.pl_value = rec->u.csw.value;
		break;
	case PMCLOG_WIRE_PROCEXIT:
		ev->pl_u.pl_e.pl_pmcid = rec->u.exit.pmcid;
		ev->pl_u.pl_e.pl_pid = rec->u.exit.pid;
		ev->pl_u.pl_e.pl_value = rec->u.exit.value;
		break;
	case PMCLOG_WIRE_MAP_IN:
		ev->pl_u.pl_mi.pl_pid = (pid_t)rec->u.map_in.pid;
		ev->pl_u.pl_mi.pl_start = rec->u.map_in.start;
		copy_text(ev->pl_u.pl_mi.pl_pathname, PATH_MAX, &rec->u.map_in.path);
		break;
	case PMCLOG_WIRE_MAP_OUT:
		ev->pl_u.pl_mo.pl_pid = (pid_t)rec->u.map_out.pid;
		ev->pl_u.pl_mo.pl_start = rec->u.map_out.start;
		ev->pl_u.pl_mo.pl_end = rec->u.map_out.end;
		break;
	default: from_process(ev, rec); break;
	}
}

static void from_record(struct parser *p, struct pmclog_ev *ev, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_CALLCHAIN: from_chain(&ev->pl_u.pl_cc, rec); break;
	case PMCLOG_WIRE_INITIALIZE: from_initialize(&ev->pl_u.pl_i, rec); break;
	case PMCLOG_WIRE_PMCALLOCATE: from_allocate(p, &ev->pl_u.pl_a, rec); break;
	case PMCLOG_WIRE_USERDATA: ev->pl_u.pl_u.pl_userdata = rec->u.user.userdata; break;
	case PMCLOG_WIRE_DROPNOTIFY:
		ev->pl_u.pl_dn.pl_known = rec->u.drop.count_known;
		ev->pl_u.pl_dn.pl_cpu = rec->u.drop.cpu;
		ev->pl_u.pl_dn.pl_count = rec->u.drop.count;
		ev->pl_u.pl_dn.pl_cause = rec->u.drop.cause;
		break;
	default: from_pmc(ev, rec); break;
	}
}

static int ends(struct pmclog_ev *ev, enum pmclog_state state)
{
	ev->pl_state = state;
	return -1;
}

/* A cut-off log is an end of file here, as on FreeBSD; a damaged one is an error. */
int pmclog_read(void *cookie, struct pmclog_ev *ev)
{
	struct parser *p = cookie;
	struct pmclog_record rec;

	if (!ev)
		return bad_address();
	if (!p) {
		bad_address();
		return ends(ev, PMCLOG_ERROR);
	}
	switch (pmclog_reader_next(p->reader, &rec, &p->err)) {
	case PMCLOG_RESULT_OK: break;
	case PMCLOG_RESULT_NEED_DATA: return ends(ev, PMCLOG_REQUIRE_DATA);
	case PMCLOG_RESULT_EOF: return ends(ev, PMCLOG_EOF);
	case PMCLOG_RESULT_TRUNCATED: return ends(ev, PMCLOG_EOF);
	default: p->failed = true; return ends(ev, PMCLOG_ERROR);
	}
	ev->pl_offset = (off_t)(rec.offset + rec.length);
	ev->pl_count = (size_t)rec.index;
	if (rec.type == PMCLOG_WIRE_INITIALIZE)
		p->old = rec.u.init.version >> 24 < 6;
	ev->pl_ts.tv_sec = (time_t)(p->old ? rec.tsc / 1000000000 : rec.tsc);
	ev->pl_ts.tv_nsec = p->old ? (long)(rec.tsc % 1000000000) : 0;
	ev->pl_type = (enum pmclog_type)rec.type;
	ev->pl_data = (void *)(uintptr_t)rec.raw;
	ev->pl_len = (int)rec.length;
	if (rec.type == PMCLOG_WIRE_CLOSELOG)
		return ends(ev, PMCLOG_EOF);
	from_record(p, ev, &rec);
	ev->pl_state = PMCLOG_OK;
	return 0;
}
