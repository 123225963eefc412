#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Lays the bytes of logs as FreeBSD's kernels write them, from their formats alone.

	freebsd_log.py OUTPUT VERSION little|big 32|64 <STATEMENTS

A statement a line:

	exec PID PATH ENTRY [BASE DYN]	version 10 writes BASE and DYN, the others ENTRY
	map PID START PATH		PID -1: the kernel
	unmap PID START END
	fork OLD NEW
	pmc PMCID EVENT RATE FLAGS	an event known by number; before version 9 without RATE
	sample PID PC[,PC...] [k] [PMCID]	the leaf first
	csw PMCID PID VALUE		exit PID
"""
import struct
import sys

TICKS = 1000000000


class Log:
    def __init__(self, version, order, bits):
        self.version, self.bits = version, bits
        self.old = version < 9
        self.end = "<" if order == "little" else ">"
        self.bytes = b""
        self.clock = 1

    def u32(self, v):
        return struct.pack(self.end + "I", v & 0xFFFFFFFF)

    def stored(self, v):
        return struct.pack(self.end + "Q", v)

    def u64(self, v):
        return self.u32(v) + self.u32(v >> 32)

    def pointer(self, v):
        return self.u64(v) if self.bits == 64 else self.u32(v)

    def record(self, kind, body):
        body += b"\0" * (-len(body) % 4)
        if self.old:
            time = self.u32(1500000000) + self.u32(self.clock)
        else:
            time = self.u32(0) + self.stored(self.clock)
        self.clock += 1
        size = 4 + len(time) + len(body)
        self.bytes += self.u32(0xEE << 24 | kind << 16 | size) + time + body

    def initialize(self):
        u32 = self.u32
        if self.old:
            self.record(2, u32(self.version << 24 | 0x10000) + u32(0x8B))
            return
        time = self.stored(1700000000) + self.stored(5)
        if self.bits == 32 and self.end == "<":
            time = u32(1700000000) + u32(5)
        elif self.bits == 32:
            time = self.stored(1700000000) + u32(5) + u32(0xDEADBEEF)
        version = {9: 0x09030000, 10: 0x0A000000}[self.version]
        head = u32(version) + u32(0x8B) + self.u64(TICKS)
        self.record(3, head + time + b"cpu".ljust(64, b"\0"))

    def allocate_named(self):
        name = b"CLOCK.HARD".ljust(64, b"\0")
        head = self.u32(0x2F01) + self.u32(0x20000) + self.u32(0x80)
        if not self.old:
            # As FreeBSD's kernel does: a rate where the name belongs, the name cut by 8 bytes.
            head += self.u32(0) + self.u64(5000000000)
            name = name[:56]
        self.record(17, head + name)

    def do_pmc(self, pmcid, event, rate, flags):
        body = self.u32(pmcid) + self.u32(event) + self.u32(flags)
        self.record(5, body if self.old else body + self.u32(0) + self.u64(rate))

    def do_exec(self, pid, path, entry, base=0, dyn=0):
        path = path.encode() + b"\0"
        if self.old:
            self.record(9, self.u32(pid) + self.pointer(entry) + self.u32(0x2F01) + path)
        elif self.version < 10:
            self.record(9, self.u32(pid) + self.u32(0x2F01) + self.pointer(entry) + path)
        else:
            places = self.pointer(base) + self.pointer(dyn)
            self.record(9, self.u32(pid) + self.u32(0x2F01) + places + path)

    def pid(self, pid):
        return self.u32(pid) if self.old else self.u32(pid) + self.u32(0)

    def do_map(self, pid, start, path):
        self.record(14, self.pid(pid) + self.pointer(start) + path.encode() + b"\0")

    def do_unmap(self, pid, start, end):
        self.record(15, self.pid(pid) + self.pointer(start) + self.pointer(end))

    def do_fork(self, old, new):
        self.record(11, self.u32(old) + self.u32(new))

    def do_exit(self, pid):
        self.record(12, self.pid(pid))

    def do_csw(self, pmcid, pid, value):
        if self.old:
            self.record(8, self.u32(pmcid) + self.u64(value) + self.u32(pid))
            return
        ids = self.u32(pmcid) + self.u32(pid) + self.u32(pid) + self.u32(0)
        self.record(8, self.u64(value) + ids)

    def do_sample(self, pid, pcs, kernel, pmcid):
        pcs = [int(pc, 0) for pc in pcs.split(",")]
        flags = self.u32(0 if kernel else 1)
        chain = b"".join(self.pointer(pc) for pc in pcs)
        if self.version == 1:
            # Before there were call chains.
            tail = self.u32(pmcid) + self.u32(not kernel)
            self.record(4, self.u32(pid) + self.pointer(pcs[0]) + tail)
        elif self.old:
            self.record(16, self.u32(pid) + self.u32(pmcid) + flags + chain)
        else:
            self.record(16, self.u32(pid) + self.u32(pid) + self.u32(pmcid) + flags + chain)

    def statement(self, word, args):
        def number(i):
            return int(args[i], 0)

        if word == "exec":
            self.do_exec(number(0), args[1], *[int(a, 0) for a in args[2:]])
        elif word == "map":
            self.do_map(number(0), number(1), args[2])
        elif word == "sample":
            rest = [a for a in args[2:] if a != "k"]
            self.do_sample(number(0), args[1], "k" in args, int(rest[0], 0) if rest else 0x2F01)
        else:
            getattr(self, "do_" + word)(*[int(a, 0) for a in args])


def main():
    output, version, order, bits = sys.argv[1:]
    log = Log(int(version), order, int(bits))
    log.initialize()
    log.allocate_named()
    for line in sys.stdin:
        words = line.split("#")[0].split()
        if words:
            log.statement(words[0], words[1:])
    log.record(0 if log.old else 1, b"")
    with open(output, "wb") as f:
        f.write(log.bytes)


main()
