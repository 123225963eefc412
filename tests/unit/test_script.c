// SPDX-License-Identifier: BSD-2-Clause
/* Scripts: every statement as it comes back from the reader, and every mistake as it is told. */
#include <sys/mman.h>

#include "pmclog/text/script.h"
#include "pmclog/reader.h"
#include "unit.h"

static struct script *load(const char *text, bool damage, struct err *err)
{
	FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	struct script *s = pmclog_script_load(f, "story", damage, err);

	fclose(f);
	return s;
}

static bool choose_pmc(void *arg, const struct script_stmt *stmt, struct pmclog_chain *chain,
		       uint32_t *pmcid)
{
	(void)arg;
	(void)chain;
	*pmcid = stmt->pmcid == UINT32_MAX ? 0x2f01 : stmt->pmcid;
	return true;
}

/* Plays text into a log of its own and opens that. */
static struct pmclog_reader *play(const char *text, int *fd)
{
	struct err err = {0};
	struct script *s = load(text, false, &err);
	struct script_player p = {.pmc = choose_pmc, .whole = true};
	struct pmclog_reader *r;

	*fd = memfd_create("log", MFD_CLOEXEC);
	p.writer = pmclog_writer_new(*fd, "log", &err);
	CHECK(s && p.writer);
	pmclog_write_initialize(p.writer, script_tick(&p.clock), &s->origin);
	CHECK(pmclog_script_play(s, &p, &err) == 0);
	CHECK(pmclog_writer_flush(p.writer, &err) == 0);
	CHECK_STR(err.msg, "");
	pmclog_writer_free(p.writer);
	pmclog_script_free(s);
	CHECK(lseek(*fd, 0, SEEK_SET) == 0);
	r = pmclog_reader_open_fd(*fd, "log", &err);
	CHECK(r != NULL);
	return r;
}

static struct pmclog_record next(struct pmclog_reader *r, enum pmclog_wire_type type)
{
	struct pmclog_record rec = {0};
	struct err err = {0};

	CHECK_U64(pmclog_reader_next(r, &rec, &err), PMCLOG_RESULT_OK);
	CHECK_STR(err.msg, "");
	CHECK_U64(rec.type, type);
	return rec;
}

static void finish(struct pmclog_reader *r, int fd)
{
	struct pmclog_record rec;

	CHECK_U64(pmclog_reader_next(r, &rec, NULL), PMCLOG_RESULT_EOF);
	pmclog_reader_close(r);
	close(fd);
}

UNIT(the_origin_is_said_or_fake)
{
	struct pmclog_record rec;
	struct pmclog_reader *r;
	int fd;

	r = play("origin host=\"my box\" cpuid=GenuineIntel-6-9E-A command=\"pmcstat -S x\"\n",
		 &fd);
	rec = next(r, PMCLOG_WIRE_INITIALIZE);
	CHECK_STR(rec.u.init.host.s, "my box");
	CHECK_STR(rec.u.init.cpuid.s, "GenuineIntel-6-9E-A");
	CHECK_STR(rec.u.init.command.s, "pmcstat -S x");
	CHECK_STR(rec.u.init.release.s, "fake");
	CHECK_STR(rec.u.init.boot_id.s, "fake");
	CHECK_U64(rec.u.init.cputype, 0x400);
	CHECK_U64(rec.u.init.tsc_freq, 1000000000);
	finish(r, fd);
}

UNIT(pmcs_are_declared)
{
	struct pmclog_record rec;
	struct pmclog_reader *r;
	int fd;

	r = play("pmc 0x2f00 CLOCK.HARD flags=0x180 depth=9 rate=1000 spec=clock-hard\n"
		 "pmc 5 cycles hz=99\n"
		 "attach 5 10 /bin/app # a comment\n"
		 "attach 5 11\n"
		 "detach 5 10\n",
		 &fd);
	next(r, PMCLOG_WIRE_INITIALIZE);
	rec = next(r, PMCLOG_WIRE_PMCALLOCATEDYN);
	CHECK_U64(rec.u.alloc.pmcid, 0x2f00);
	CHECK_U64(rec.u.alloc.flags, 0x180);
	CHECK_U64(rec.u.alloc.max_depth, 9);
	CHECK_U64(rec.u.alloc.rate, 1000);
	CHECK_STR(rec.u.alloc.name.s, "CLOCK.HARD");
	CHECK_STR(rec.u.alloc.spec.s, "clock-hard");
	rec = next(r, PMCLOG_WIRE_PMCALLOCATEDYN);
	CHECK_U64(rec.u.alloc.rate, 99);
	CHECK_U64(rec.u.alloc.frequency, 1);
	rec = next(r, PMCLOG_WIRE_PMCATTACH);
	CHECK_U64(rec.u.attach.pid, 10);
	CHECK_STR(rec.u.attach.path.s, "/bin/app");
	rec = next(r, PMCLOG_WIRE_PMCATTACH);
	CHECK_STR(rec.u.attach.path.s, "");
	rec = next(r, PMCLOG_WIRE_PMCDETACH);
	CHECK_U64(rec.u.attach.pmcid, 5);
	finish(r, fd);
}

UNIT(processes_live_and_die)
{
	struct pmclog_record rec;
	struct pmclog_reader *r;
	int fd;

	r = play("proc 10 app\n"
		 "thread 11 10 worker\n"
		 "exec 10 \"/opt/my app\\x41\" entry=0x401000 pmc=7\n"
		 "fork 10 12\n"
		 "csw 7 10 11 0x123456789a\n"
		 "exitval 7 10 99\n"
		 "thread-exit 11\n"
		 "exit 10\n"
		 "user 0xbeef\n"
		 "close\n",
		 &fd);
	next(r, PMCLOG_WIRE_INITIALIZE);
	rec = next(r, PMCLOG_WIRE_PROC_CREATE);
	CHECK_STR(rec.u.proc.comm.s, "app");
	rec = next(r, PMCLOG_WIRE_THR_CREATE);
	CHECK_U64(rec.u.thr.tid, 11);
	CHECK_U64(rec.u.thr.pid, 10);
	CHECK_STR(rec.u.thr.name.s, "worker");
	rec = next(r, PMCLOG_WIRE_PROCEXEC);
	CHECK_U64(rec.u.exec.pmcid, 7);
	CHECK_U64(rec.u.exec.entry, 0x401000);
	CHECK_STR(rec.u.exec.path.s, "/opt/my appA");
	rec = next(r, PMCLOG_WIRE_PROCFORK);
	CHECK_U64(rec.u.fork.oldpid, 10);
	CHECK_U64(rec.u.fork.newpid, 12);
	rec = next(r, PMCLOG_WIRE_PROCCSW);
	CHECK_U64(rec.u.csw.tid, 11);
	CHECK_U64(rec.u.csw.value, 0x123456789a);
	rec = next(r, PMCLOG_WIRE_PROCEXIT);
	CHECK_U64(rec.u.exit.value, 99);
	rec = next(r, PMCLOG_WIRE_THR_EXIT);
	CHECK_U64(rec.u.thr.tid, 11);
	rec = next(r, PMCLOG_WIRE_SYSEXIT);
	CHECK_U64(rec.u.sysexit.pid, 10);
	rec = next(r, PMCLOG_WIRE_USERDATA);
	CHECK_U64(rec.u.user.userdata, 0xbeef);
	next(r, PMCLOG_WIRE_CLOSELOG);
	finish(r, fd);
}

UNIT(maps_say_what_is_known)
{
	struct pmclog_record rec;
	struct pmclog_reader *r;
	int fd;

	r = play("map 10 0x400000 0x2000 /bin/app off=0x1000 build-id=00ff10 dev=8:1 inode=42\n"
		 "map kernel 0xffffffff81000000 0 /boot/vmlinux\n"
		 "unmap 10 0x400000 0x402000\n",
		 &fd);
	next(r, PMCLOG_WIRE_INITIALIZE);
	rec = next(r, PMCLOG_WIRE_MAP_IN);
	CHECK_U64(rec.u.map_in.pid, 10);
	CHECK_U64(rec.u.map_in.start, 0x400000);
	CHECK_U64(rec.u.map_in.length, 0x2000);
	CHECK(rec.u.map_in.has_file_offset);
	CHECK_U64(rec.u.map_in.file_offset, 0x1000);
	CHECK_U64(rec.u.map_in.build_id_len, 3);
	CHECK_U64(rec.u.map_in.build_id[1], 0xff);
	CHECK_U64(rec.u.map_in.device, 8ull << 32 | 1);
	CHECK_U64(rec.u.map_in.inode, 42);
	rec = next(r, PMCLOG_WIRE_MAP_IN);
	CHECK_U64(rec.u.map_in.pid, UINT32_MAX);
	CHECK_U64(rec.u.map_in.start, 0xffffffff81000000);
	CHECK_U64(rec.u.map_in.length, 0);
	CHECK(!rec.u.map_in.has_file_offset);
	rec = next(r, PMCLOG_WIRE_MAP_OUT);
	CHECK_U64(rec.u.map_out.end, 0x402000);
	finish(r, fd);
}

UNIT(samples_repeat_and_the_clock_goes_on)
{
	struct pmclog_record rec;
	struct pmclog_reader *r;
	int fd, i;

	r = play("time 5000000\n"
		 "sample 10/11 0x401000,0x402000,99 cpu=3 k x3 end=window stitched=1 guessed=1 "
		 "exact=2\n"
		 "drop 7 cpu=2 throttle pmc=1 paused=12\n"
		 "shared 100 25 pmc=1\n"
		 "time 1\n"
		 "drop 8\n",
		 &fd);
	next(r, PMCLOG_WIRE_INITIALIZE);
	for (i = 0; i < 3; i++) {
		rec = next(r, PMCLOG_WIRE_CALLCHAIN);
		CHECK_U64(rec.tsc, 5000000 + i * 1000);
		CHECK_U64(rec.u.chain.pid, 10);
		CHECK_U64(rec.u.chain.tid, 11);
		CHECK_U64(rec.u.chain.pmcid, 0x2f01);
		CHECK_U64(rec.u.chain.cpu, 3);
		CHECK(!rec.u.chain.usermode);
		CHECK_U64(rec.u.chain.npcs, 3);
		CHECK_U64(rec.u.chain.pcs[2], 99);
		CHECK_U64(rec.u.chain.end, PMCLOG_END_WINDOW);
		CHECK_U64(rec.u.chain.stitched, 1);
		CHECK(pmclog_is_marked(&rec.u.chain.guessed, 1));
		CHECK(!pmclog_is_marked(&rec.u.chain.guessed, 2));
		CHECK(pmclog_is_marked(&rec.u.chain.exact, 2));
		CHECK(!pmclog_is_marked(&rec.u.chain.exact, 1));
	}
	rec = next(r, PMCLOG_WIRE_DROPNOTIFY);
	CHECK_U64(rec.u.drop.count, 7);
	CHECK_U64(rec.u.drop.cpu, 2);
	CHECK_U64(rec.u.drop.cause, PMCLOG_DROP_THROTTLE);
	CHECK_U64(rec.u.drop.pmcid, 1);
	CHECK_U64(rec.u.drop.paused, 12);
	rec = next(r, PMCLOG_WIRE_DROPNOTIFY);
	CHECK_U64(rec.u.drop.cause, PMCLOG_DROP_SHARED);
	CHECK_U64(rec.u.drop.pmcid, 1);
	CHECK_U64(rec.u.drop.enabled, 100);
	CHECK_U64(rec.u.drop.running, 25);
	rec = next(r, PMCLOG_WIRE_DROPNOTIFY);
	CHECK_U64(rec.tsc, 1);
	CHECK_U64(rec.u.drop.pmcid, UINT32_MAX);
	finish(r, fd);
}

static void check_mistake(const char *text, const char *msg)
{
	struct err err = {0};
	struct script *s = load(text, false, &err);

	CHECK(s == NULL);
	CHECK_U64(err.code, EX_DATAERR);
	CHECK_STR(err.msg, msg);
	pmclog_script_free(s);
}

UNIT(mistakes_are_told_with_their_line)
{
	check_mistake("\n\nwalk 1\n", "story: line 3, column 1: unknown statement \"walk\"");
	check_mistake("sample 10\n", "story: line 1, column 8: sample needs 2 fields, not 1");
	check_mistake("attach 5\n", "story: line 1, column 8: attach needs 2 fields, not 1");
	check_mistake("exit ten\n", "story: line 1, column 6: \"ten\" is not a number");
	check_mistake("exit 0x100000000\n",
		      "story: line 1, column 6: 0x100000000 is above 0xffffffff");
	check_mistake("exit 0x\n", "story: line 1, column 6: \"0x\" is not a number");
	check_mistake("exit 1f\n", "story: line 1, column 6: \"1f\" is not a number");
	check_mistake("user 0x10000000000000001\n",
		      "story: line 1, column 6: 0x10000000000000001 is above 0xffffffff");
	check_mistake("time 18446744073709551616\n",
		      "story: line 1, column 6: 18446744073709551616 is above 0xffffffffffffffff");
	check_mistake("exit -1\n", "story: line 1, column 6: \"-1\" is not a number");
	check_mistake("exit 1 2\n", "story: line 1, column 8: exit: \"2\" is none of its fields");
	check_mistake("exit 1 pmc=2\n",
		      "story: line 1, column 8: exit: \"pmc=2\" is none of its fields");
	check_mistake("exec 1 \"/bin/a\n", "story: line 1, column 8: a quote is not closed");
	check_mistake("exec 1 \"\\x00\"\n",
		     
		      "story: line 1, column 9: a backslash stands before \", \\ or xHH (not x00) "
		      "alone");
	check_mistake("sample 1 1 end=far\n",
		      "story: line 1, column 12: \"far\" is no way how a chain ends");
	check_mistake("sample 1 0x10,,0x20\n", "story: line 1, column 10: \"\" is not a number");
	check_mistake("map 1 2 3 /a build-id=abc\n",
		      "story: line 1, column 14: \"abc\" is not pairs of hex digits");
	check_mistake("map 1 2 3 /a build-id=\n",
		      "story: line 1, column 14: a build-id has 1 to 32 bytes, not 0");
	check_mistake("sample 1 1 x10000001\n",
		      "story: line 1, column 12: 10000001 is above 0x989680");
	check_mistake("exit 1\norigin host=a\n",
		      "story: line 2, column 1: origin stands before all other statements");
	check_mistake("origin colour=red\n",
		      "story: line 1, column 8: origin: \"colour=red\" is none of its fields");
	check_mistake("raw 00\n",
		      "story: line 1, column 1: raw is for logs that pmclog assemble writes");
}

UNIT(damage_is_bytes_as_they_stand)
{
	static const uint8_t want[] = {0xde, 0xad, 2, 1, 4, 0, 0, 0, 0, 0, 0, 3, 'a', ' ', 0, 0};
	struct err err = {0};
	struct script *s =
		load("raw dead u16:0x102 u32:4 b32:3 \"s:a \" z:2\npoke 8 ff\ncut 4\n", true, &err);

	CHECK(s != NULL);
	CHECK_STR(err.msg, "");
	CHECK_U64(s->stmts.n, 3);
	CHECK_U64(s->stmts.v[0].ndata, sizeof(want));
	CHECK(memcmp(s->bytes.v, want, sizeof(want)) == 0);
	CHECK_U64(s->stmts.v[1].a, 8);
	CHECK_U64(s->stmts.v[1].ndata, 1);
	CHECK_U64(s->stmts.v[2].a, 4);
	pmclog_script_free(s);
	CHECK(!load("tick\n", true, &err));
	CHECK_STR(err.msg, "story: line 1, column 1: tick is for the fake collector");
}

UNIT_MAIN(UNIT_ENTRY(the_origin_is_said_or_fake), UNIT_ENTRY(pmcs_are_declared),
	  UNIT_ENTRY(processes_live_and_die), UNIT_ENTRY(maps_say_what_is_known),
	  UNIT_ENTRY(samples_repeat_and_the_clock_goes_on),
	  UNIT_ENTRY(mistakes_are_told_with_their_line), UNIT_ENTRY(damage_is_bytes_as_they_stand))
