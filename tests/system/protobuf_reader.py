# SPDX-License-Identifier: BSD-2-Clause
"""The wire format of protobuf, decoded by hand, for readers that share no code with the writers."""
import collections
import sys

VARINT, FIXED64, BYTES = 0, 1, 2


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a message: of each number the list of its values."""
    found = collections.defaultdict(list)
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == VARINT:
            value, at = varint(data, at)
        elif key & 7 in (BYTES, FIXED64):
            size, at = (8, at) if key & 7 == FIXED64 else varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                sys.exit("a field is cut")
            if key & 7 == FIXED64:
                value = int.from_bytes(value, "little")
        else:
            sys.exit("a field of type %d" % (key & 7))
        found[key >> 3].append(value)
    return found


def numbers(values):
    """A repeated number, packed or not."""
    out = []
    for value in values:
        if isinstance(value, int):
            out.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            out.append(number)
    return out


def one(message, number):
    return message[number][-1] if message[number] else 0
