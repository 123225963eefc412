#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Prints a request of OTLP's profiles as text, and whatever in it its definitions do not have or forbid.

They are those of v1development in opentelemetry-proto 1.11.
"""
import collections
import sys

from protobuf_reader import fields, numbers, one

# Of each message the names of its fields, by number.
REQUEST = {1: "resource_profiles", 2: "dictionary"}
RESOURCE_PROFILES = {1: "resource", 2: "scope_profiles", 3: "schema_url"}
RESOURCE = {1: "attributes"}
SCOPE_PROFILES = {1: "scope", 2: "profiles", 3: "schema_url"}
SCOPE = {1: "name", 2: "version"}
KEY_VALUE = {1: "key", 2: "value"}
ANY_VALUE = {1: "string", 5: "array"}
ARRAY = {1: "values"}
TABLES = {1: "mapping", 2: "location", 3: "function", 4: "link", 5: "string", 6: "attribute", 7: "stack"}
MAPPING = {1: "start", 2: "limit", 3: "offset", 4: "filename", 5: "attributes"}
LOCATION = {1: "mapping", 2: "address", 3: "lines", 4: "attributes"}
LINE = {1: "function", 2: "line", 3: "column"}
FUNCTION = {1: "name", 2: "system_name", 3: "filename", 4: "start_line"}
LINK = {1: "trace_id", 2: "span_id"}
ATTRIBUTE = {1: "key", 2: "value", 3: "unit"}
STACK = {1: "locations"}
PROFILE = {1: "type", 2: "samples", 3: "time", 4: "duration", 5: "period_type", 6: "period", 11: "attributes"}
TYPE = {1: "type", 2: "unit"}
SAMPLE = {1: "stack", 2: "attributes", 3: "link", 4: "values", 5: "times"}
MESSAGES = {"mapping": MAPPING, "location": LOCATION, "function": FUNCTION, "link": LINK,
            "attribute": ATTRIBUTE, "stack": STACK}


def message(data, names):
    """Fields by name; a field that comes once may be had with get()."""
    found = collections.defaultdict(list)
    for number, values in fields(data).items():
        if number not in names:
            sys.exit("a field has the number %d" % number)
        found[names[number]] = values
    return found


def get(m, name):
    return one(m, name)


def value_of(data):
    value = message(data, ANY_VALUE)
    if value["array"]:
        return [value_of(v) for v in message(get(value, "array"), ARRAY)["values"]]
    return get(value, "string").decode("utf-8")


class Request:
    def __init__(self, data):
        top = message(data, REQUEST)
        tables = message(get(top, "dictionary"), TABLES)
        self.tables, self.used = {}, collections.defaultdict(set)
        for name in TABLES.values():
            table = tables[name]
            if not table or table[0].strip(b"\0") != (b"\x0a\x10" + bytes(16) + b"\x12\x08" if name == "link" else b""):
                sys.exit("the first %s is not empty" % name)
            if len(set(table)) != len(table):
                print("a %s comes twice" % name)
            self.tables[name] = [t.decode("utf-8") if name == "string" else message(t, MESSAGES[name])
                                 for t in table]
        self.resources = [message(r, RESOURCE_PROFILES) for r in top["resource_profiles"]]

    def entry(self, table, index):
        """What an index refers to; 0 is nothing."""
        self.used[table].add(index)
        if not 0 <= index < len(self.tables[table]):
            sys.exit("there is no %s %d" % (table, index))
        return self.tables[table][index]

    def text(self, m, name):
        return self.entry("string", get(m, name))

    def attributes(self, m):
        out = []
        for index in numbers(m["attributes"]):
            a = self.entry("attribute", index)
            out.append("%s=%s" % (self.text(a, "key"), value_of(get(a, "value"))))
        return out

    def print_location(self, location):
        mapping = self.entry("mapping", get(location, "mapping"))
        address = get(location, "address")
        if get(location, "mapping") and not get(mapping, "start") <= address < get(mapping, "limit"):
            print("0x%x is not in its mapping" % address)
        for i, data in enumerate(location["lines"]):
            line = message(data, LINE)
            function = self.entry("function", get(line, "function"))
            if not get(line, "function"):
                sys.exit("a line has no function")
            file = self.text(function, "filename")
            print("    0x%x %s%s%s  %s" % (
                address, self.text(function, "name"), " %s:%d" % (file, get(line, "line")) if file else "",
                " (inlined)" if i + 1 < len(location["lines"]) else "", self.text(mapping, "filename") or "[unknown]"))

    def type(self, data):
        t = message(data, TYPE)
        return self.text(t, "type") + " " + self.text(t, "unit")

    def print_profile(self, profile):
        print("profile", self.type(get(profile, "type")))
        for data in profile["samples"]:
            s = message(data, SAMPLE)
            print("  sample", *numbers(s["values"]), *self.attributes(s))
            for index in numbers(self.entry("stack", get(s, "stack"))["locations"]):
                self.print_location(self.entry("location", index))
        if profile["period_type"]:
            print("  period", get(profile, "period"), self.type(get(profile, "period_type")))
        print("  time", get(profile, "time"))
        print("  duration", get(profile, "duration"))
        for text in self.attributes(profile):
            print(" ", text)

    def print_all(self):
        for r in self.resources:
            for data in message(get(r, "resource"), RESOURCE)["attributes"]:
                pair = message(data, KEY_VALUE)
                print("resource %s=%s" % (get(pair, "key").decode(), value_of(get(pair, "value"))))
            for data in r["scope_profiles"]:
                scope = message(data, SCOPE_PROFILES)
                print("scope", get(message(get(scope, "scope"), SCOPE), "name").decode())
                for p in scope["profiles"]:
                    self.print_profile(message(p, PROFILE))
        for m in self.tables["mapping"][1:]:
            print("mapping 0x%x-0x%x at 0x%x %s" % (
                get(m, "start"), get(m, "limit"), get(m, "offset"), self.text(m, "filename")), *self.attributes(m))
        for name, table in self.tables.items():
            if len(set(str(entry) for entry in table)) != len(table):
                print("a %s is there twice" % name)
            for i in set(range(1, len(table))) - self.used[name]:
                print("nobody has %s %d" % (name, i))


def main():
    with open(sys.argv[1], "rb") as stream:
        Request(stream.read()).print_all()


main()
