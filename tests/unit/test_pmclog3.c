// SPDX-License-Identifier: BSD-2-Clause
/* pmclog(3) as a program written for FreeBSD uses it. */
#include <errno.h>

#include "pmclog/pmclog.h"

#include "logbuf.h"

static const uint64_t pcs[] = {0x401000, 0x402000};

/* A file with a log of one record of each kind that the API knows. */
static int make_log(void)
{
	struct pmclog_origin o = {.cputype = 0x400,
				  .tsc_freq = 1000000000,
				  .ts_sec = 1700000000,
				  .cpuid = "GenuineIntel-6-55-4"};
	struct pmclog_alloc a = {
		.pmcid = 0x2f01, .event = 0x20001, .flags = 0x80, .name = "cpu-clock"};
	struct pmclog_map m = {.pid = UINT32_MAX, .start = 0xffffffff81000000, .path = "[kernel]"};
	struct pmclog_chain c = {.pid = 10,
				 .tid = 11,
				 .pmcid = 0x2f01,
				 .cpu = 3,
				 .usermode = true,
				 .npcs = 2,
				 .pcs = pcs};
	struct pmclog_drop d = {.cpu = 2, .pmcid = UINT32_MAX, .count = 5};
	int fd = logbuf_file();
	struct pmclog_writer *w = pmclog_writer_new(fd, "t.log", NULL);

	pmclog_write_initialize(w, 1, &o);
	pmclog_write_allocatedyn(w, 2, &a);
	pmclog_write_attach(w, 3, 0x2f01, 10, "/bin/app");
	pmclog_write_map_in(w, 4, &m);
	pmclog_write_procexec(
		w, 5,
		&(struct pmclog_exec){
			.pid = 10, .pmcid = 0x2f01, .entry = 0x401000, .path = "/bin/app"});
	pmclog_write_callchain(w, 6, &c);
	pmclog_write_thr_create(w, 7, 11, 10, "worker");
	pmclog_write_thr_exit(w, 8, 11);
	pmclog_write_proc_create(w, 9, 10, "app");
	pmclog_write_procfork(w, 10, 10, 12);
	pmclog_write_proccsw(w, 11, 0x2f01, 10, 11, 77);
	pmclog_write_procexit(w, 12, 0x2f01, 10, 99);
	pmclog_write_sysexit(w, 13, 10);
	pmclog_write_userdata(w, 14, 0xabcd);
	pmclog_write_map_out(w, 15, 10, 0x1000, 0x2000);
	pmclog_write_dropnotify(w, 16, &d);
	pmclog_write_detach(w, 17, 0x2f01, 10, &(struct pmclog_times){5, 6});
	pmclog_write_closelog(w, 18);
	CHECK(!pmclog_writer_flush(w, NULL));
	pmclog_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

enum { RECORDS = 18 }; /* with CLOSELOG */

static void check_process(const struct pmclog_ev *ev)
{
	switch (ev->pl_type) {
	case PMCLOG_TYPE_PROCEXEC:
		CHECK_U64(ev->pl_u.pl_x.pl_entryaddr, 0x401000);
		CHECK_U64(ev->pl_u.pl_x.pl_baseaddr, 0);
		CHECK_U64(ev->pl_u.pl_x.pl_dynaddr, 0);
		CHECK_STR(ev->pl_u.pl_x.pl_pathname, "/bin/app");
		break;
	case PMCLOG_TYPE_THR_CREATE:
		CHECK_U64(ev->pl_u.pl_tc.pl_tid, 11);
		CHECK_STR(ev->pl_u.pl_tc.pl_tdname, "worker");
		break;
	case PMCLOG_TYPE_THR_EXIT: CHECK_U64(ev->pl_u.pl_te.pl_tid, 11); break;
	case PMCLOG_TYPE_PROC_CREATE: CHECK_STR(ev->pl_u.pl_pc.pl_pcomm, "app"); break;
	case PMCLOG_TYPE_PROCFORK: CHECK_U64(ev->pl_u.pl_f.pl_newpid, 12); break;
	case PMCLOG_TYPE_PROCCSW: CHECK_U64(ev->pl_u.pl_c.pl_value, 77); break;
	case PMCLOG_TYPE_PROCEXIT: CHECK_U64(ev->pl_u.pl_e.pl_value, 99); break;
	case PMCLOG_TYPE_SYSEXIT: CHECK_U64(ev->pl_u.pl_se.pl_pid, 10); break;
	default: CHECK(!"a type that the log does not have"); break;
	}
}

/* Checks the fields of the record in ev, which is one of make_log(). */
static void check_event(const struct pmclog_ev *ev)
{
	const struct pmclog_header *h = ev->pl_data;

	CHECK_U64(ev->pl_ts.tv_sec, ev->pl_count);
	CHECK_U64(h->pl_tsc, ev->pl_count);
	CHECK_U64(PMCLOG_HEADER_TO_LENGTH(h->pl_header), ev->pl_len);
	CHECK(PMCLOG_HEADER_CHECK_MAGIC(h->pl_header));
	switch (ev->pl_type) {
	case PMCLOG_TYPE_INITIALIZE:
		CHECK_U64(ev->pl_u.pl_i.pl_version, 0x09030000);
		CHECK_U64(ev->pl_u.pl_i.pl_arch, 0x400);
		CHECK_U64(ev->pl_u.pl_i.pl_ts.tv_sec, 1700000000);
		CHECK_STR(ev->pl_u.pl_i.pl_cpuid, "GenuineIntel-6-55-4");
		break;
	case PMCLOG_TYPE_PMCALLOCATEDYN:
		CHECK_U64(ev->pl_u.pl_ad.pl_flags, 0x80);
		CHECK_STR(ev->pl_u.pl_ad.pl_evname, "cpu-clock");
		break;
	case PMCLOG_TYPE_PMCATTACH: CHECK_STR(ev->pl_u.pl_t.pl_pathname, "/bin/app"); break;
	case PMCLOG_TYPE_PMCDETACH: CHECK_U64(ev->pl_u.pl_d.pl_pid, 10); break;
	case PMCLOG_TYPE_MAP_IN:
		CHECK(ev->pl_u.pl_mi.pl_pid == -1);
		CHECK_U64(ev->pl_u.pl_mi.pl_start, 0xffffffff81000000);
		CHECK_STR(ev->pl_u.pl_mi.pl_pathname, "[kernel]");
		break;
	case PMCLOG_TYPE_MAP_OUT: CHECK_U64(ev->pl_u.pl_mo.pl_end, 0x2000); break;
	case PMCLOG_TYPE_CALLCHAIN:
		CHECK_U64(ev->pl_u.pl_cc.pl_npc, 2);
		CHECK_U64(ev->pl_u.pl_cc.pl_pc[1], 0x402000);
		CHECK_U64(ev->pl_u.pl_cc.pl_pc[2], 0);
		CHECK_U64(PMC_CALLCHAIN_CPUFLAGS_TO_CPU(ev->pl_u.pl_cc.pl_cpuflags), 3);
		CHECK(PMC_CALLCHAIN_CPUFLAGS_TO_USERMODE(ev->pl_u.pl_cc.pl_cpuflags));
		break;
	case PMCLOG_TYPE_USERDATA: CHECK_U64(ev->pl_u.pl_u.pl_userdata, 0xabcd); break;
	case PMCLOG_TYPE_DROPNOTIFY: CHECK_U64(ev->pl_u.pl_dn.pl_count, 5); break;
	default: check_process(ev); break;
	}
}

UNIT(a_descriptor_is_read_to_closelog)
{
	static struct pmclog_ev ev;
	int fd = make_log();
	void *log = pmclog_open(fd);
	size_t n = 0;

	while (pmclog_read(log, &ev) == 0) {
		CHECK(ev.pl_state == PMCLOG_OK);
		CHECK_U64(ev.pl_count, ++n);
		check_event(&ev);
	}
	CHECK(ev.pl_state == PMCLOG_EOF);
	CHECK_U64(n, RECORDS - 1);
	CHECK_U64(ev.pl_offset, lseek(fd, 0, SEEK_END));
	CHECK_STR(pmclog_error(log), "");
	CHECK(pmclog_feed(log, (char *)"x", 1) == -1);
	pmclog_close(log);
	close(fd);
}

/* FreeBSD's struct has room for 512 frames: those of the record itself. */
UNIT(a_chain_that_repeats_frames_is_given_without_the_turns)
{
	static const struct pmclog_origin o = {.cputype = 0x400, .tsc_freq = 1000000000};
	static uint64_t deep[4000];
	static struct pmclog_ev ev;
	struct pmclog_chain c = {.pid = 10, .pmcid = 0x2f01, .npcs = 4000, .pcs = deep};
	int fd = logbuf_file();
	struct pmclog_writer *w = pmclog_writer_new(fd, "t.log", NULL);
	void *log;
	size_t i;

	for (i = 0; i < 4000; i++)
		deep[i] = 0x401000 + i % 2;
	deep[3999] = 0x402000;
	pmclog_write_initialize(w, 1, &o);
	pmclog_write_callchain(w, 2, &c);
	CHECK(!pmclog_writer_flush(w, NULL));
	pmclog_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	log = pmclog_open(fd);
	CHECK(!pmclog_read(log, &ev) && !pmclog_read(log, &ev));
	CHECK_U64(ev.pl_u.pl_cc.pl_npc, 4);
	CHECK_U64(ev.pl_u.pl_cc.pl_pc[0], 0x401000);
	CHECK_U64(ev.pl_u.pl_cc.pl_pc[1], 0x401001);
	CHECK_U64(ev.pl_u.pl_cc.pl_pc[3], 0x402000);
	CHECK_U64(ev.pl_u.pl_cc.pl_pc[4], 0);
	pmclog_close(log);
	close(fd);
}

UNIT(bytes_can_be_fed_one_by_one)
{
	static struct pmclog_ev ev;
	int fd = make_log();
	void *log = pmclog_open(PMCLOG_FD_NONE);
	size_t len, i, n = 0;
	uint8_t *p = logbuf_bytes(fd, &len);

	CHECK(pmclog_read(log, &ev) == -1);
	CHECK(ev.pl_state == PMCLOG_REQUIRE_DATA);
	for (i = 0; i < len; i++) {
		CHECK(!pmclog_feed(log, (char *)p + i, 1));
		while (pmclog_read(log, &ev) == 0) {
			n++;
			check_event(&ev);
			CHECK_U64(ev.pl_offset, i + 1);
		}
		CHECK(ev.pl_state == (i + 1 < len ? PMCLOG_REQUIRE_DATA : PMCLOG_EOF));
	}
	CHECK_U64(n, RECORDS - 1);
	CHECK(pmclog_feed(log, (char *)p, -1) == -1);
	pmclog_close(log);
	free(p);
	close(fd);
}

UNIT(damage_is_an_error_that_stays)
{
	static struct pmclog_ev ev;
	int fd = make_log();
	void *log;

	CHECK(pwrite(fd, "\003\000", 2, 0) == 2);
	log = pmclog_open(fd);
	CHECK(pmclog_read(log, &ev) == -1 && ev.pl_state == PMCLOG_ERROR);
	CHECK(pmclog_read(log, &ev) == -1 && ev.pl_state == PMCLOG_ERROR);
	CHECK_STR(pmclog_error(log), "log: record 1 at 0x0: length 3 is below the 16-byte header");
	pmclog_close(log);
	close(fd);
}

UNIT(a_cut_log_ends_and_says_so)
{
	static struct pmclog_ev ev;
	int fd = make_log();
	void *log;

	CHECK(!ftruncate(fd, 50));
	log = pmclog_open(fd);
	CHECK(pmclog_read(log, &ev) == -1 && ev.pl_state == PMCLOG_EOF);
	CHECK_STR(pmclog_error(log),
		  "log: record 1 at 0x0: the log ends after 50 of the record's 120 bytes");
	pmclog_close(log);
	close(fd);
}

UNIT(an_event_without_a_name_gets_its_number)
{
	static struct pmclog_ev ev;
	static struct logbuf l;
	void *log = pmclog_open(PMCLOG_FD_NONE);

	logbuf_init(&l, PMCLOG_WIRE_VERSION);
	logbuf_begin(&l, PMCLOG_WIRE_PMCALLOCATE, 2);
	logbuf_u32(&l, 0x2f01);
	logbuf_u32(&l, 0x20001);
	logbuf_u32(&l, 0x80);
	logbuf_u32(&l, 0);
	logbuf_u64(&l, 65536);
	logbuf_end(&l);
	CHECK(!pmclog_feed(log, (char *)l.b, (int)l.n));
	CHECK(!pmclog_read(log, &ev));
	CHECK(!pmclog_read(log, &ev));
	CHECK_STR(ev.pl_u.pl_a.pl_evname, "0x20001");
	CHECK_U64(ev.pl_u.pl_a.pl_rate, 65536);
	pmclog_close(log);
}

/* FreeBSD 14's two addresses of a program and its linker; 13's is not in its logs. */
UNIT(a_program_of_version_10_has_the_addresses_of_that_version)
{
	static struct pmclog_ev ev;
	static struct logbuf l;
	void *log = pmclog_open(PMCLOG_FD_NONE);

	logbuf_init(&l, 0x0a000000);
	logbuf_begin(&l, PMCLOG_WIRE_PROCEXEC, 2);
	logbuf_u32(&l, 10);
	logbuf_u32(&l, 0x2f01);
	logbuf_u64(&l, 0x20600000);
	logbuf_u64(&l, 0x1021000);
	logbuf_text(&l, "/bin/app", 12);
	logbuf_end(&l);
	CHECK(!pmclog_feed(log, (char *)l.b, (int)l.n));
	CHECK(!pmclog_read(log, &ev));
	CHECK(!pmclog_read(log, &ev));
	CHECK_U64(ev.pl_u.pl_x.pl_pid, 10);
	CHECK_U64(ev.pl_u.pl_x.pl_baseaddr, 0x20600000);
	CHECK_U64(ev.pl_u.pl_x.pl_dynaddr, 0x1021000);
	CHECK_U64(ev.pl_u.pl_x.pl_entryaddr, 0);
	CHECK_STR(ev.pl_u.pl_x.pl_pathname, "/bin/app");
	pmclog_close(log);
}

UNIT(null_is_a_bad_address)
{
	void *p = pmclog_open(PMCLOG_FD_NONE);
	struct pmclog_ev ev;
	char byte = 0;

	errno = 0;
	CHECK(pmclog_read(p, NULL) == -1 && errno == EFAULT);
	errno = 0;
	CHECK(pmclog_read(NULL, &ev) == -1 && errno == EFAULT && ev.pl_state == PMCLOG_ERROR);
	errno = 0;
	CHECK(pmclog_feed(NULL, &byte, 1) == -1 && errno == EFAULT);
	errno = 0;
	CHECK(pmclog_feed(p, NULL, 1) == -1 && errno == EFAULT);
	CHECK(!pmclog_feed(p, NULL, 0));
	CHECK_STR(pmclog_error(NULL), "there is no parser: pmclog_open() has returned NULL");
	CHECK_STR(pmclog_error(p), "");
	CHECK(pmclog_read(p, &ev) == -1 && ev.pl_state == PMCLOG_REQUIRE_DATA);
	pmclog_close(NULL);
	pmclog_close(p);
}

UNIT_MAIN(UNIT_ENTRY(a_descriptor_is_read_to_closelog),
	  UNIT_ENTRY(a_chain_that_repeats_frames_is_given_without_the_turns),
	  UNIT_ENTRY(bytes_can_be_fed_one_by_one),
	  UNIT_ENTRY(damage_is_an_error_that_stays), UNIT_ENTRY(a_cut_log_ends_and_says_so),
	  UNIT_ENTRY(an_event_without_a_name_gets_its_number),
	  UNIT_ENTRY(a_program_of_version_10_has_the_addresses_of_that_version),
	  UNIT_ENTRY(null_is_a_bad_address))
