#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""How whole call chains are: pmcstat beside perf, on programs as distributions build them.

For each program and each way to record it at 1000 samples a second of user code: the share of
samples whose chain reaches where a thread begins (_start, clone3), chains that end at a return
address that was none, bytes a sample in the log, how many times as large the log is as one of the
same frames found by frame pointer would be, the recorder's own CPU time in percent of the run, and
samples lost.  What is not installed is left out, and said.  Run by root, it records as an ordinary
user too, whose rings are smaller.
"""
import bisect
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

ROOTS = re.compile(r"^(_start|_*clone3?|_dl_start.*|runtime\.goexit.*)$")
LIMIT = 300  # seconds for any step

PYTHON_LOOP = """
def f(n): return sum(i * i for i in range(n))
for _ in range(60000): f(1000)
"""
PYTHON_DEEP = """
import sys
sys.setrecursionlimit(100000)
def f(n): return sorted([3, 1, 2] * 50)[0] if n == 0 else list(map(f, [n - 1]))[0] + 1
for _ in range(36000): f(100)
"""
CPP = """#include <map>
#include <regex>
#include <string>
#include <iostream>
#include <functional>
#include <algorithm>
std::regex r("(a|b)*c+[d-f]{2,3}");
int main() { std::map<std::string, std::regex> m; m["x"] = r; return (int)m.size(); }
"""
NODE = """function f(n) { return n < 2 ? 1 : f(n - 1) + f(n - 2) }
for (let i = 0; i < 30; i++) f(30)"""
SQL = ("with recursive c(x) as (select 1 union all select x+1 from c where x<3000000) "
       "select count(*), sum(x*x), max(x%77) from c")


def compiler_proper(driver, name):
    """cc1 and cc1plus themselves, and what they need to know of the driver."""
    if not shutil.which(driver):
        return None
    path = subprocess.run([driver, "-print-prog-name=" + name], capture_output=True, text=True)
    if not os.path.isabs(path.stdout.strip()):
        return None
    where = subprocess.run([driver, "-print-multiarch"], capture_output=True, text=True).stdout
    return [path.stdout.strip(), "-quiet"] + (["-imultiarch", where.strip()] if where.strip() else [])


def programs(room):
    def file(name, text):
        path = os.path.join(room, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    cpp, data = file("big.cc", CPP), os.path.join(room, "data")
    with open(data, "wb") as f:
        for i in range(4000000):
            f.write(b"%d," % (i * 7919 % 104729))
    c = file("big.c", "".join(f"int f{i}(int *p, int n) {{ int s = {i}; for (int k = 0; k < n; k++)"
                              f" s += p[k] * (s ^ {i}); return s; }}\n" for i in range(3000)))
    cc1, cc1plus = compiler_proper("gcc", "cc1"), compiler_proper("g++", "cc1plus")
    yield "python3, loop", ["python3", file("loop.py", PYTHON_LOOP)]
    yield "python3, deep", ["python3", file("deep.py", PYTHON_DEEP)]
    yield "perl", ["perl", "-e", "for (1..40) { $x{$_ % 100} += sqrt($_) for (1..200000) }"]
    yield "sqlite3", ["sqlite3", ":memory:", SQL]
    yield "xz -T2", ["xz", "-T2", "-3", "-kfc"] + [data] * 6
    yield "cc1", cc1 + ["-O2", c, "-o", "/dev/null"] if cc1 else ["cc1"]
    yield "cc1plus", cc1plus + ["-O2", "-D_GNU_SOURCE", cpp, "-o", "/dev/null"] \
        if cc1plus else ["cc1plus"]
    yield "git", ["git", "-c", "safe.directory=*", "-C", os.environ.get("srcdir", "."),
                  "log", "--stat", "-p", "-1500"]
    yield "bash", ["bash", "-c", "for ((i = 0; i < 500000; i++)); do x=$((i * i % 77)); done"]
    yield "clang (large C++)", ["clang++", "-O2", "-c", cpp, "-o", "/dev/null"]
    yield "node", ["node", file("fib.js", NODE)]


def own_cpu(pid):
    """Seconds of the recorder's own threads, without its children."""
    try:
        return sum(int(open(f"/proc/{pid}/task/{tid}/schedstat", encoding="ascii").read().split()[0])
                   for tid in os.listdir(f"/proc/{pid}/task")) / 1e9
    except (OSError, IndexError):
        return None


def record(command, log):
    """Runs a recorder: its CPU time in percent of the time that it ran."""
    begin, cpu = time.monotonic(), 0
    with open(log + ".err", "wb") as err:
        p = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err)
        while p.poll() is None and time.monotonic() - begin < LIMIT:
            cpu = own_cpu(p.pid) or cpu
            time.sleep(0.02)
        if p.poll() is None:
            p.kill()
        p.wait()
    return 100 * cpu / (time.monotonic() - begin)


def is_whole(chain):
    """A chain, the leaf first: of stripped programs _start has no name, but its callee has."""
    return bool(chain) and (bool(ROOTS.match(chain[-1])) or
                            len(chain) > 1 and chain[-2].startswith("__libc_start_main"))


def of_pmcstat(log):
    folded = subprocess.run(["pmcstat", "-q", "-R", log, "--folded"], capture_output=True,
                            text=True, timeout=LIMIT, check=False).stdout
    quality = json.loads(subprocess.run(["pmcstat", "-q", "-R", log, "--json"],
                                        capture_output=True, text=True, timeout=LIMIT,
                                        check=True).stdout)["quality"]
    samples = whole = 0
    for line in folded.splitlines():
        chain, count = line.rsplit(" ", 1)
        samples += int(count)
        whole += int(count) * is_whole(chain.split(";")[1:][::-1])
    return samples, whole, quality["ends"]["bad-return"], quality["lost"], marked_ratio(log)


def marked_ratio(log):
    """The log's size by that without what only unwinding puts there: the trailers of chains."""
    with open(log, "rb") as f:
        data = f.read()
    at = trailers = 0
    while at + 16 <= len(data):
        header, = struct.unpack_from("<I", data, at)
        if header >> 16 & 0xff == 16:  # CALLCHAIN
            trailers += 8 * (struct.unpack_from("<I", data, at + 28)[0] >> 8 & 0xff)
        at += header & 0xffff or len(data)
    return len(data) / max(len(data) - trailers, 1)


def of_perf(log):
    text = subprocess.run(["perf", "script", "-i", log, "--max-stack", "512", "-F", "ip,sym"],
                          capture_output=True, text=True, errors="replace", timeout=LIMIT,
                          check=False, stdin=subprocess.DEVNULL).stdout
    samples = whole = 0
    for block in text.split("\n\n"):
        chain = [line.split(None, 1)[1] if len(line.split(None, 1)) > 1 else ""
                 for line in block.splitlines() if line.strip()]
        samples += bool(chain)
        whole += is_whole(chain)
    stats = subprocess.run(["perf", "report", "-i", log, "--stats"], capture_output=True, text=True,
                           timeout=LIMIT, check=False, stdin=subprocess.DEVNULL).stdout
    lost = re.search(r"LOST_SAMPLES events:\s+(\d+)|LOST events:\s+(\d+)", stats)
    return samples, whole, None, int(lost.group(1) or lost.group(2)) if lost else 0, None


def symbols_of(log):
    """What samply's second file says of every library: first addresses, and names."""
    found = {}
    for path in glob.glob(log + "*.syms.json"):
        with open(path, encoding="utf-8") as f:
            file = json.load(f)
        os.unlink(path)
        for lib in file["data"]:
            table = sorted((s["rva"], file["string_table"][s["symbol"]])
                           for s in lib["symbol_table"])
            found[lib["debug_name"]] = [s[0] for s in table], [s[1] for s in table]
    return found


def of_samply(log):
    with open(log, encoding="utf-8") as f:
        profile = json.load(f)
    symbols, samples, whole = symbols_of(log), 0, 0
    for thread in profile["threads"]:
        stacks, frames, funcs = thread["stackTable"], thread["frameTable"], thread["funcTable"]

        def name(stack):
            frame = stacks["frame"][stack]
            resource = funcs["resource"][frames["func"][frame]]
            if resource is None or resource < 0:
                return ""
            lib = profile["libs"][thread["resourceTable"]["lib"][resource]]["debugName"]
            starts, names = symbols.get(lib, ([], []))
            i = bisect.bisect_right(starts, frames["address"][frame]) - 1
            # It takes the first underscore off.
            return "_" + names[i] if i >= 0 else ""

        known = {}
        for stack in thread["samples"]["stack"]:
            if stack is None:
                continue
            if stack not in known:
                chain = [stack]
                while stacks["prefix"][chain[-1]] is not None:
                    chain.append(stacks["prefix"][chain[-1]])
                known[stack] = is_whole([name(s) for s in chain[-2:]])
            samples += 1
            whole += known[stack]
    return samples, whole, None, None, None


def ways():
    pmcstat = ["pmcstat", "-q", "-d", "-P", "cpu-clock:u"]
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    perf = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "1000"]
    yield "pmcstat", lambda log: pmcstat + ["-O", log, "--"], of_pmcstat
    if os.geteuid() == 0 and shutil.which("setpriv"):
        yield "pmcstat user", lambda log: user + pmcstat + ["-O", log, "--"], of_pmcstat
    yield "pmcstat fp", lambda log: pmcstat + ["--unwind=fp", "-O", log, "--"], of_pmcstat
    if shutil.which("perf"):
        yield "perf dwarf", lambda log: perf + ["--call-graph", "dwarf", "-o", log, "--"], of_perf
        yield "perf fp", lambda log: perf + ["--call-graph", "fp", "-o", log, "--"], of_perf
    else:
        print("perf is not installed")
    if shutil.which("samply"):
        yield "samply", lambda log: ["samply", "record", "-s", "-n", "-r", "1000", "-o", log,
                                     "--unstable-presymbolicate", "--"], of_samply
    else:
        print("samply is not installed")


def last_line(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return (f.read().split("\n\n")[0].strip().splitlines() or ["nothing was said"])[-1]


def main():
    only = sys.argv[1:]
    recorders = list(ways())
    print(f"{'program':20} {'recorder':12} {'samples':>7} {'whole %':>8} {'bad':>4} {'B/sample':>8}"
          f" {'ratio':>6} {'CPU %':>6} {'lost':>6}")
    with tempfile.TemporaryDirectory(prefix="pmcstat-bench.") as room:
        os.chmod(room, 0o755)
        logs = os.path.join(room, "logs")
        os.mkdir(logs)
        os.chmod(logs, 0o777)
        for name, command in programs(room):
            if only and not any(word in name for word in only):
                continue
            # As the distribution has it, not a wrapper.
            command[0] = shutil.which(command[0], path="/usr/bin:/bin") or command[0]
            if not shutil.which(command[0]):
                print(f"{name:20} is not installed")
                continue
            for way, recorder, reader in recorders:
                log = os.path.join(logs, "log")
                cpu = record(recorder(log) + command, log)
                try:
                    samples, whole, bad, lost, ratio = reader(log)
                    size = os.path.getsize(log)
                except (OSError, ValueError, subprocess.SubprocessError) as e:
                    print(f"{name:20} {way:12} failed: {e}: {last_line(log + '.err')}")
                    continue
                print(f"{name:20} {way:12} {samples:7} {100 * whole / max(samples, 1):8.2f}"
                      f" {'' if bad is None else bad:>4} {size // max(samples, 1):8}"
                      f" {'' if ratio is None else format(ratio, '.3f'):>6} {cpu:6.1f}"
                      f" {'' if lost is None else lost:>6}", flush=True)
                os.unlink(log)


main()
