#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Prints a pmclog as text, the same lines as "pmclog dump".

Written from the description of the format alone (man/pmclog.5); it shares no code with the reader
that it checks.  With --facts, what a record's trailer says follows it in lines that begin with "# ".
"""
import gzip
import struct
import sys

CPUTYPES = {0x400: "GENERIC", 0x8B: "INTEL_COREI7"}

# Trailer fields: number, name, and whether the value is a number, a text or bytes.
FIELDS = {
    1: ("map-length", "n"), 2: ("file-offset", "n"), 3: ("device", "n"), 4: ("inode", "n"),
    5: ("build-id", "b"), 6: ("host", "t"), 7: ("release", "t"), 8: ("machine", "t"),
    9: ("boot-id", "t"), 10: ("command", "t"), 11: ("count", "n"), 12: ("cpu", "n"),
    13: ("cause", "n"), 14: ("rate", "n"), 15: ("event-spec", "t"), 16: ("frequency", "n"),
    17: ("max-depth", "n"), 18: ("collector", "t"), 19: ("pmcid", "n"),
    20: ("symbol", "t"), 22: ("enabled", "n"), 23: ("running", "n"), 24: ("paused", "n"),
    25: ("user-time", "n"), 26: ("system-time", "n"),
    30: ("guessed", "b"), 31: ("stitched", "n"), 32: ("exact", "b"),
    33: ("repeats", "b"),
}


class Damaged(Exception):
    """The log is not what the format says."""


def signed(value, bits=32):
    return value - (1 << bits) if value >> (bits - 1) else value


def quoted(data):
    out = bytearray(b'"')
    for byte in data:
        out += b"\\%03o" % byte if byte < 0x20 or byte == 0x7F else bytes([byte])
    return bytes(out + b'"').decode("latin-1")


class Record:
    """One record's bytes, with its numbers in the log's byte order."""

    def __init__(self, data, order):
        self.data = data
        self.order = order

    def u32(self, at):
        return struct.unpack_from(self.order + "I", self.data, at)[0]

    def u64(self, at):
        """Two words, the low one first in either byte order."""
        return self.u32(at) | self.u32(at + 4) << 32

    def stored64(self, at):
        """A number that the machine stored as it stands: the time."""
        return struct.unpack_from(self.order + "Q", self.data, at)[0]

    def text(self, at, limit):
        """The text at an offset and the offset behind its NUL."""
        end = self.data.find(b"\0", at, at + limit)
        if end < 0:
            raise Damaged("text without an end")
        return self.data[at:end], end + 1

    def trailer(self, at):
        """The fields of the trailer at the first multiple of 8 from an offset on."""
        at = (at + 7) // 8 * 8
        if at + 8 > len(self.data) or self.u32(at) != 0x3150584C:
            return {}
        end = at + self.u32(at + 4)
        at += 8
        found = {}
        while at < end:
            kind, size = struct.unpack_from(self.order + "HH", self.data, at)
            value = self.data[at + 8:at + 8 + size]
            at += 8 + (size + 7) // 8 * 8
            if kind not in FIELDS:
                continue
            name, form = FIELDS[kind]
            if form == "n":
                words = struct.unpack(self.order + "I" * (size // 4), value)
                found[name] = words[0] | (words[1] << 32 if size == 8 else 0)
            elif form == "t":
                found[name] = value[:-1].decode("latin-1")
            else:
                found[name] = value.hex()
        return found


ENDS = ["", "complete", "window", "no-data", "bad-return", "depth", "stale", "overload", "no-stack"]


def chain_order(n, facts):
    """Which frames of a record the chain is made of, with the turns that repeat."""
    order, done = [], 0
    for first, frames, times in struct.iter_unpack("<IHH", bytes.fromhex(facts.get("repeats", ""))):
        order += list(range(done, first)) + list(range(first, first + frames)) * times
        done = first + frames
    return order + list(range(done, n))


def chain_marks(cpuflags, facts, n):
    """How the chain of a record with n frames ended, and which frames are marked."""
    end = cpuflags >> 2 & 0xF
    order = chain_order(n, facts)
    words = ["end=" + (ENDS[end] if end < len(ENDS) else str(end))] if end else []
    if facts.get("stitched"):
        words.append("stitched=%d" % sum(i >= n - facts["stitched"] for i in order))
    if len(order) > n:
        words.append("folded=%d" % n)
    for name in ("guessed", "exact"):
        bits = bytes.fromhex(facts.get(name, ""))
        marked = {i for i in range(8 * len(bits)) if bits[i // 8] >> i % 8 & 1}
        frames = [at for at, i in enumerate(order) if i in marked]
        if frames:
            words.append(name + "=" + ",".join(str(i) for i in frames))
    return "".join(" " + word for word in words)


def chain_lines(pid, pmcid, cpuflags, pcs, marks=""):
    mode = "u" if cpuflags & 1 else "s"
    yield "callchain %d 0x%x %d %d %s%s" % (signed(pid), pmcid, cpuflags >> 16, len(pcs), mode,
                                            marks)
    for pc in pcs:
        yield "...       0x%x" % pc


def line(keyword, *values):
    return "%-9s %s" % (keyword, " ".join(values))


def hexa(value):
    return "0x%x" % value


def dec(value):
    return str(signed(value))


def cpu_name(cputype):
    return '"%s"' % CPUTYPES.get(cputype, hexa(cputype))


def pieces(data, order, start=0):
    """Cuts a stream at its record headers: type, bytes."""
    at = start
    while at < len(data):
        if at + 4 > len(data):
            raise Damaged("cut header at 0x%x" % at)
        head = struct.unpack_from(order + "I", data, at)[0]
        size = head & 0xFFFF
        if head >> 24 != 0xEE or size < 12 or at + size > len(data):
            raise Damaged("bad record at 0x%x" % at)
        yield head >> 16 & 0xFF, Record(data[at:at + size], order)
        at += size


class New:
    """Versions 9 and 10."""

    def __init__(self, data, order):
        self.major = 0
        self.ptr = self.pointer_size(data, order)

    @staticmethod
    def pointer_size(data, order):
        """INITIALIZE tells, or the first record that has pointers."""
        for kind, r in pieces(data, order):
            size = len(r.data)
            if kind == 3 and size != 112:
                return 4 if size < 112 else 8
            if kind == 15:
                return 8 if size >= 40 else 4
            if kind == 14:
                return 8 if size >= 40 and r.u64(24) >> 48 in (0, 0xFFFF) else 4
        return 8

    def addr(self, r, at):
        return r.u64(at) if self.ptr == 8 else r.u32(at)

    def decode(self, kind, r):
        """Lines of text and the trailer's fields."""
        method = getattr(self, "t%d" % kind, None)
        if method is None:
            return [], {}
        result = method(r)
        return result if isinstance(result, tuple) else (result, {})

    def t1(self, _):
        return ["closelog"]

    def t2(self, r):
        facts = r.trailer(16)
        if "count" not in facts:
            return ["drop"], facts
        causes = ["", "throttle", "unreadable", "records", "starved", "uncounted", "shared",
                  "exits", "switches", "unsent"]
        words = [str(facts["count"]), str(signed(facts.get("cpu", 0)))]
        cause = facts.get("cause", 0)
        if 0 < cause < len(causes):
            words.append(causes[cause])
        if cause == 6:
            words += [str(facts.get("running", 0)), str(facts.get("enabled", 0))]
        elif facts.get("paused"):
            words.append(str(facts["paused"]))
        return [line("drop", *words)], facts

    def t3(self, r):
        self.major = r.u32(16) >> 24
        return [line("initlog", hexa(r.u32(16)), cpu_name(r.u32(20)))], r.trailer(112)

    def t5(self, r):
        facts = r.trailer(40)
        name = facts["event-spec"].encode("latin-1") if "event-spec" in facts else hexa(
            r.u32(20)).encode()
        return [line("allocate", hexa(r.u32(16)), quoted(name), hexa(r.u32(24)))], facts

    def t6(self, r):
        return [line("attach", hexa(r.u32(16)), dec(r.u32(20)), quoted(r.text(24, 1024)[0]))]

    def t7(self, r):
        facts = r.trailer(24)
        times = ["%s=%d" % (word, facts[word + "-time"])
                 for word in ("user", "system") if len(facts) == 2]
        return [line("detach", hexa(r.u32(16)), dec(r.u32(20)), *times)], facts

    def t8(self, r):
        return [line("cswval", hexa(r.u32(24)), dec(r.u32(28)), str(signed(r.u64(16), 64)))]

    def t9(self, r):
        pointers = [24, 24 + self.ptr][:2 if self.major >= 10 else 1]
        path, end = r.text(pointers[-1] + self.ptr, 1024)
        return [line("exec", hexa(r.u32(20)), dec(r.u32(16)),
                     *[hexa(self.addr(r, at)) for at in pointers],
                     quoted(path))], r.trailer(end)

    def t10(self, r):
        return [line("exitval", hexa(r.u32(16)), dec(r.u32(20)), str(signed(r.u64(24), 64)))]

    def t11(self, r):
        return [line("fork", dec(r.u32(16)), dec(r.u32(20)))]

    def t12(self, r):
        return [line("exit", dec(r.u32(16)))]

    def t13(self, r):
        return [line("userdata", hexa(r.u32(16)))]

    def t14(self, r):
        path, end = r.text(24 + self.ptr, 1024)
        return [line("map-in", dec(r.u32(16)), hexa(self.addr(r, 24)),
                     quoted(path))], r.trailer(end)

    def t15(self, r):
        return [line("map-out", dec(r.u32(16)), hexa(self.addr(r, 24)),
                     hexa(self.addr(r, 24 + self.ptr)))]

    def t16(self, r):
        flags = r.u32(28)
        words = flags >> 8 & 0xFF
        facts = r.trailer(len(r.data) - 8 * words) if words else {}
        count = (len(r.data) - 32 - 8 * words) // self.ptr
        pcs = [self.addr(r, 32 + self.ptr * i) for i in range(count)]
        if self.major >= 10 and flags & 2:
            pcs = self.call_chain(r.data[32:40], pcs)
        marks = chain_marks(flags, facts, len(pcs))
        pcs = [pcs[i] for i in chain_order(len(pcs), facts)]
        return list(chain_lines(r.u32(16), r.u32(24), flags, pcs, marks)), facts

    @staticmethod
    def call_chain(table, pcs):
        """The part of a multipart chain that is a call chain."""
        at = 1
        for i in range(0, 8, 2):
            if table[i] == 0:
                return []
            if table[i] == 1:
                return pcs[at:]
            at += table[i + 1]
        return []

    def t17(self, r):
        name = r.data[32:96].split(b"\0")[0]
        if len(name) < 8 and r.data[40]:
            name = r.data[40:96].split(b"\0")[0]
        return [line("allocatedyn", hexa(r.u32(16)), quoted(name), hexa(r.u32(24)))], r.trailer(96)

    def t18(self, r):
        return [line("thr-create", dec(r.u32(16)), dec(r.u32(20)), "%x" % r.u32(24),
                     quoted(r.text(32, 20)[0]))]

    def t19(self, r):
        return [line("thr-exit", dec(r.u32(16)))]

    def t20(self, r):
        return [line("create", dec(r.u32(16)), "%x" % r.u32(20), quoted(r.text(24, 20)[0]))]

    def t21(self, r):
        return ["group-inherit-miss 0x%x %s    %d" % (r.u32(16), dec(r.u32(20)), r.stored64(8))]

    def t22(self, r):
        if r.u32(16) != 0x3141584C:
            return []
        return [line("appendix", *(str(n) for n in (r.u32(20), r.u32(28), r.u64(32))))]


class Old:
    """Versions 1 to 5."""

    def __init__(self, data, order):
        self.ptr = self.pointer_size(data, order)

    @staticmethod
    def pointer_size(data, order):
        """Asks the whole log: the pointer size under which more of its records make sense."""
        votes = {4: 0, 8: 0}
        for kind, r in pieces(data, order):
            size = len(r.data)
            if kind == 15:
                votes[8 if size >= 32 else 4] += 1
            elif kind == 4:
                votes[8 if size >= 32 else 4] += 1
            elif kind == 16 and (size - 24) % 8:
                votes[4] += 1
            elif kind in (14, 9):
                path = {14: 16, 9: 20}[kind]
                for ptr in (4, 8):
                    votes[ptr] += r.data[path + ptr:path + ptr + 1] == b"/"
        return 4 if votes[4] > votes[8] else 8

    def addr(self, r, at):
        return r.u64(at) if self.ptr == 8 else r.u32(at)

    def decode(self, kind, r):
        method = getattr(self, "t%d" % kind, None)
        return (method(r) if method else []), {}

    def t0(self, _):
        return ["closelog"]

    def t1(self, _):
        return ["drop"]

    def t2(self, r):
        return [line("initlog", hexa(r.u32(12)), cpu_name(r.u32(16)))]

    def t4(self, r):
        mode = r.u32(20 + self.ptr)
        return list(chain_lines(r.u32(12), r.u32(16 + self.ptr), 1 if mode else 0,
                                [self.addr(r, 16)]))

    def t5(self, r):
        return [line("allocate", hexa(r.u32(12)), '"%s"' % hexa(r.u32(16)), hexa(r.u32(20)))]

    def t6(self, r):
        return [line("attach", hexa(r.u32(12)), dec(r.u32(16)), quoted(r.text(20, 1024)[0]))]

    def t7(self, r):
        return [line("detach", hexa(r.u32(12)), dec(r.u32(16)))]

    def t8(self, r):
        return [line("cswval", hexa(r.u32(12)), dec(r.u32(24)), str(signed(r.u64(16), 64)))]

    def t9(self, r):
        path = r.text(20 + self.ptr, 1024)[0]
        return [line("exec", hexa(r.u32(16 + self.ptr)), dec(r.u32(12)), hexa(self.addr(r, 16)),
                     quoted(path))]

    def t10(self, r):
        return [line("exitval", hexa(r.u32(12)), dec(r.u32(24)), str(signed(r.u64(16), 64)))]

    def t11(self, r):
        return [line("fork", dec(r.u32(12)), dec(r.u32(16)))]

    def t12(self, r):
        return [line("exit", dec(r.u32(12)))]

    def t13(self, r):
        return [line("userdata", hexa(r.u32(12)))]

    def t14(self, r):
        path = r.text(16 + self.ptr, 1024)[0]
        return [line("map-in", dec(r.u32(12)), hexa(self.addr(r, 16)), quoted(path))]

    def t15(self, r):
        return [line("map-out", dec(r.u32(12)), hexa(self.addr(r, 16)),
                     hexa(self.addr(r, 16 + self.ptr)))]

    def t16(self, r):
        count = (len(r.data) - 24) // self.ptr
        pcs = [self.addr(r, 24 + self.ptr * i) for i in range(count)]
        return list(chain_lines(r.u32(12), r.u32(16), r.u32(20), pcs))

    def t17(self, r):
        return [line("allocatedyn", hexa(r.u32(12)), quoted(r.text(24, 64)[0]), hexa(r.u32(20)))]


def read_log(path):
    with sys.stdin.buffer if path == "-" else open(path, "rb") as stream:
        data = stream.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def main(argv):
    facts_wanted = "--facts" in argv
    paths = [arg for arg in argv[1:] if arg != "--facts"]
    if len(paths) != 1:
        sys.exit("usage: independent_reader.py [--facts] LOG")
    data = read_log(paths[0])
    if len(data) < 4 or 0xEE not in (data[0], data[3]):
        sys.exit("not a log")
    order = "<" if data[3] == 0xEE else ">"
    head = struct.unpack_from(order + "I", data)[0]
    layout = Old(data, order) if head & 0xFFFFFF == 0x020014 else New(data, order)
    out = []
    for kind, record in pieces(data, order):
        lines, facts = layout.decode(kind, record)
        out += lines
        if facts_wanted:
            out += ["# %s %s" % item for item in facts.items()]
    sys.stdout.buffer.write("".join(text + "\n" for text in out).encode("latin-1"))


if __name__ == "__main__":
    try:
        main(sys.argv)
    except Damaged as damage:
        sys.exit("damaged: %s" % damage)
