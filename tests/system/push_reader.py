#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Prints requests of --push: what each says of itself, and whether its profile goes on where the last ended.

Writes each profile to the file N.pb.gz, for pprof_reader.py.  --brief: only what the parts are of.
A request of OTLP is written to N.otlp for otlp_reader.py, which says what is in it.
"""
import base64
import email
import gzip
import json
import sys
import urllib.parse

from protobuf_reader import fields


def read(path):
    """The request's line, headers and body."""
    head, body = open(path, "rb").read().split(b"\n\n", 1)
    line, headers = head.split(b"\r\n", 1)
    return line.decode(), email.message_from_bytes(headers), body


def form(headers, body):
    """The parts of a form by name: file name, type, bytes."""
    whole = b"Content-Type: " + headers["Content-Type"].encode() + b"\r\n\r\n" + body
    parts = {}
    for part in email.message_from_bytes(whole).get_payload():
        name = part.get_param("name", header="Content-Disposition")
        parts[name] = part.get_filename(), part.get_content_type(), part.get_payload(decode=True)
    return parts


def main():
    end, gaps, profiles = 0, 0, 0
    brief = sys.argv[1] == "--brief"
    for path in sys.argv[1 + brief:]:
        line, headers, body = read(path)
        method, url, _ = line.split()
        query = urllib.parse.urlsplit(url)
        if not brief:
            print(method, query.path)
            for key, value in urllib.parse.parse_qsl(query.query):
                print(" ", key, "N" if key in ("from", "until") else value)
            for name in headers:
                if name.startswith("X-"):
                    print("  %s: %s" % (name, headers[name]))
        if headers["Content-Type"] == "application/x-protobuf":
            print("encoding", headers["Content-Encoding"])
            with open(path.replace("request", "otlp"), "wb") as f:
                f.write(gzip.decompress(body))
            continue
        if headers["Content-Type"] == "application/json":
            message = json.loads(body)
            data = message["series"][0]["samples"][0]
            parts = {"profile": (None, None, base64.b64decode(data["rawProfile"], validate=True))}
            data["rawProfile"] = "N"
            if not brief:
                print(json.dumps(message))
        else:
            parts = form(headers, body)
        for name in parts:
            if not brief and name != "profile":
                print("part", name, *parts[name][:2], parts[name][2].decode())
            elif not brief and parts[name][0]:
                print("part", name, *parts[name][:2])
        data = parts["profile"][2]
        with open(path.replace("request", "pb.gz"), "wb") as f:
            f.write(data)
        top = fields(gzip.decompress(data))
        began, lasted = top[9][0], top[10][0]
        seconds = dict(urllib.parse.parse_qsl(query.query))
        if seconds and not int(seconds["from"]) <= began / 1e9 < began / 1e9 + lasted / 1e9 <= int(seconds["until"]):
            print("its time is not that of its request")
        gaps += end not in (0, began)
        end = began + lasted
        profiles += 1
    if profiles:
        print("%d profiles, %d gaps" % (profiles, gaps))


main()
