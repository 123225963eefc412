#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Prints a profile of pprof as text, and whatever in it readers would reject.

It shares no code with the writer that it checks.  With --flat it prints each function's own samples
and total instead, by name and object.
"""
import collections
import gzip
import sys

from protobuf_reader import fields, numbers, one


class Profile:
    def __init__(self, data):
        top = fields(data)
        self.texts = [text.decode("utf-8") for text in top[6]]
        if not self.texts or self.texts[0]:
            sys.exit("the first text is not empty")
        if len(set(self.texts)) != len(self.texts):
            print("a text comes twice")
        self.types = [fields(t) for t in top[1]]
        self.functions = self.by_id(top[5])
        self.mappings = self.by_id(top[3])
        self.locations = self.by_id(top[4])
        self.samples = [fields(s) for s in top[2]]
        self.top = top

    @staticmethod
    def by_id(messages):
        found = {}
        for message in map(fields, messages):
            number = one(message, 1)
            if not number or number in found:
                sys.exit("an id is 0 or comes twice")
            found[number] = message
        return found

    def text(self, message, number):
        return self.texts[one(message, number)]

    def frames(self, sample):
        """Innermost first: function, source place, and whether the next is inlined into it."""
        for number in numbers(sample[1]):
            location = self.locations[number]
            address = one(location, 3)
            mapping = self.mappings[one(location, 2)] if one(location, 2) else None
            if mapping and not one(mapping, 2) <= address < one(mapping, 3):
                print("0x%x is not in its mapping" % address)
            lines = [fields(line) for line in location[4]]
            for i, line in enumerate(lines):
                function = self.functions[one(line, 1)]
                yield (self.text(function, 2), self.text(function, 4), one(line, 2),
                       i + 1 < len(lines), address, self.text(mapping, 5) if mapping else "")

    def labels(self, sample):
        out = []
        for label in map(fields, sample[3]):
            value = self.text(label, 2) if one(label, 2) else str(one(label, 3))
            out.append(self.text(label, 1) + "=" + value)
        return " ".join(out)

    def print_all(self):
        for t in self.types:
            print("type", self.text(t, 1), self.text(t, 2))
        for m in self.mappings.values():
            has = "".join(letter for i, letter in enumerate("FNLI") if one(m, 7 + i))
            print("mapping 0x%x-0x%x at 0x%x %s [%s] %s" % (
                one(m, 2), one(m, 3), one(m, 4), self.text(m, 5), self.text(m, 6), has))
        for s in self.samples:
            print("sample", *numbers(s[2]), self.labels(s))
            for name, file, line, inlined, address, path in self.frames(s):
                place = " %s:%d" % (file, line) if file else ""
                note = " (inlined)" if inlined else ""
                print("  0x%x %s%s%s  %s" % (address, name, place, note, path or "[unknown]"))
        period = fields(self.top[11][0]) if self.top[11] else None
        if period:
            print("period", one(self.top, 12), self.text(period, 1), self.text(period, 2))
        print("duration", one(self.top, 10))
        print("default", self.text(self.top, 14))
        for index in numbers(self.top[13]):
            print("comment", self.texts[index])

    def print_flat(self):
        """Of every type that counts samples the functions as pmcstat's --flat has them, in no order."""
        for i, t in enumerate(self.types):
            if self.text(t, 2) != "count":
                continue
            own, total = collections.Counter(), collections.Counter()
            for s in self.samples:
                values = numbers(s[2])
                if len(values) != len(self.types):
                    sys.exit("a sample has %d values, not %d" % (len(values), len(self.types)))
                # Inlined functions are not the flat profile's, unless asked for.
                frames = [(f[0], f[5] or "[unknown]") for f in self.frames(s) if not f[3]]
                own[frames[0]] += values[i]
                for frame in set(frames):
                    total[frame] += values[i]
            print("@ %s [%d samples]" % (self.text(t, 1), sum(own.values())))
            for name, path in sorted(f for f in total if total[f]):
                print("%d\t%d\t%s  %s" % (own[name, path], total[name, path], name, path))


def main():
    with open(sys.argv[-1], "rb") as stream:
        profile = Profile(gzip.decompress(stream.read()))
    if sys.argv[1] == "--flat":
        profile.print_flat()
    else:
        profile.print_all()


main()
