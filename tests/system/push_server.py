#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A server of profiles that answers as its arguments say: ok, 500, 400, stall, gone or part, a request each.

Its port is in the file port.  A request that was answered with ok is in the file N.request: its first
line and headers, an empty line, its body.  Behind the last argument all are ok, and there is the file
done.  "gone": taken, and then nobody listens for so long that the next one cannot come.
"part": two profiles of the request are rejected, as OTLP says it.
"""
import http.server
import os
import socket
import sys
import time


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        server = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        what = server.plan.pop(0) if server.plan else "ok"
        if what == "stall":
            # Nothing is said until the other end has had enough.
            self.rfile.read(1)
            self.close_connection = True
            return
        if what in ("ok", "gone", "part"):
            server.taken += 1
            with open("%d.request" % server.taken, "wb") as f:
                f.write(self.requestline.encode() + b"\r\n" + self.headers.as_bytes() + body)
        answer = b"that\nis %d" % (server.taken % 10)
        if what == "part":
            answer = b"\x0a\x0d\x08\x02\x12\x09too\nlarge"
        self.send_response(200 if what in ("ok", "gone", "part") else int(what))
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
        if what == "gone":
            self.close_connection = True
            server.is_gone = True
        if not server.plan:
            open("done", "w").close()

    def log_message(self, *args):
        pass


def make(port, plan, taken):
    server = http.server.HTTPServer(("127.0.0.1", port), Handler)
    server.plan, server.taken, server.is_gone = plan, taken, False
    return server


def main():
    server = make(0, sys.argv[1:], 0)
    port = server.server_address[1]
    with open("port.new", "w") as f:
        f.write("%d\n" % port)
    os.rename("port.new", "port")
    while True:
        server.handle_request()
        if server.is_gone:
            server.server_close()
            time.sleep(2.5)
            server = make(port, server.plan, server.taken)


main()
