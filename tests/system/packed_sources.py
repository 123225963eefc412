#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Prints what of sources plain packed logs have: each file, and the numbers of its lines."""
import struct
import sys
import zlib

APPENDIX, SOURCE = 22, 2


def blocks(log):
    at, block = 0, b""
    while at < len(log):
        header, = struct.unpack_from("<I", log, at)
        if header >> 16 & 0xFF == APPENDIX:
            kind, crc, size, left = struct.unpack_from("<IIIQ", log, at + 20)
            part = log[at + 40:at + 40 + size]
            assert zlib.crc32(part) == crc
            block += part
            if not left:
                yield kind, zlib.decompress(block[8:])
                block = b""
        at += header & 0xFFFF


def uleb(data, at):
    v = shift = 0
    while True:
        b = data[at]
        v |= (b & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if b < 0x80:
            return v, at


def text(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1


def show(data):
    version, at = uleb(data, 0)
    assert version == 1
    path, at = text(data, at)
    problem, at = text(data, at)
    n, at = uleb(data, at)
    for _ in range(n):
        _, at = text(data, at)
    line, lines = 0, []
    while at < len(data):
        skipped, at = uleb(data, at)
        _, at = text(data, at)
        line += skipped + 1
        lines.append(str(line))
    print(path.rsplit("/", 1)[-1], problem, ",".join(lines))


for name in sys.argv[1:]:
    print(name)
    with open(name, "rb") as f:
        for kind, data in blocks(f.read()):
            if kind == SOURCE:
                show(data)
