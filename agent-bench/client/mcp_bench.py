#!/usr/bin/env python3
"""Measures an MCP server over stdio from the outside; plain Python 3, no packages.

Latency: the first calls of route_status after initialize and one server_info.
Routes: CSV to JSON lines, one after the other, by the client's clock, from start_route until the
first reply that says finished; row count and SHA-256 of each output are checked.

    mcp_bench.py --server "./drover mcp --root /data" --csv /data/bench.csv

The fixture comes from `drover demo --dir DIR`. `drover bench mcp` is the same in Java.
"""

import argparse
import hashlib
import json
import math
import os
import shlex
import subprocess
import sys
import threading
import time

LINES_SHA256 = "1b595ef86f69c46196aa9e53ebf0ac40bc881998f8330358d68d4543822f85ac"
DEFAULT_ROWS = 1_000_000


class BenchError(Exception):
    """What went wrong, in one line."""


class Client:
    """One server process; one call at a time."""

    def __init__(self, command, timeout):
        self.timeout = timeout
        self.last_id = 0
        self.started = time.perf_counter()
        self.timed_out = False
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as e:
            raise BenchError(f"cannot start {command[0]}: {e.strerror}") from None
        self.deadline = None
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while self.process.poll() is None:
            time.sleep(0.1)
            deadline = self.deadline
            if deadline is not None and time.perf_counter() > deadline:
                self.timed_out = True
                self.process.kill()

    def send(self, message):
        line = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._gone(message["method"]) from None
        return len(line)

    def _gone(self, method):
        if self.timed_out:
            return BenchError(f"no reply to {method} within {self.timeout} s")
        return BenchError(f"the server ended before it answered {method}")

    def request(self, method, params):
        """Returns (result, request bytes, reply bytes, seconds)."""
        self.last_id += 1
        received = 0
        begun = time.perf_counter()
        self.deadline = begun + self.timeout
        sent = self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise self._gone(method)
            received += len(line)
            if not line.strip():
                continue
            try:
                reply = json.loads(line)
            except ValueError:
                raise BenchError(f"a line from the server is not JSON: {line[:300]!r}") from None
            if reply.get("id") == self.last_id:
                break
        seconds = time.perf_counter() - begun
        self.deadline = None
        if "error" in reply:
            raise BenchError(f"{method} was refused: {json.dumps(reply['error'])[:300]}")
        return reply["result"], sent, received, seconds

    def initialize(self, protocol):
        result, _, _, _ = self.request(
            "initialize",
            {
                "protocolVersion": protocol,
                "capabilities": {},
                "clientInfo": {"name": "drover-bench", "version": "1"},
            },
        )
        ready = time.perf_counter() - self.started
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}})
        return result, ready

    def call(self, tool, arguments):
        """Calls a tool that has to succeed; returns (document, request bytes, reply bytes, seconds)."""
        result, sent, received, seconds = self.request(
            "tools/call", {"name": tool, "arguments": arguments}
        )
        text = "".join(c["text"] for c in result["content"] if c["type"] == "text")
        if result.get("isError"):
            raise BenchError(f"{tool} failed: {text[:300]}")
        return json.loads(text), sent, received, seconds

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()


def percentiles(seconds):
    ordered = sorted(s * 1000 for s in seconds)

    def rank(share):
        return round(ordered[max(0, math.ceil(share * len(ordered)) - 1)], 4)

    return {
        "calls": len(ordered),
        "min": rank(0),
        "p50": rank(0.50),
        "p95": rank(0.95),
        "p99": rank(0.99),
        "max": rank(1),
    }


def digest(path):
    sha256, newlines = hashlib.sha256(), 0
    with open(path, "rb") as f:
        while block := f.read(1 << 20):
            sha256.update(block)
            newlines += block.count(b"\n")
    return newlines, sha256.hexdigest()


def run_route(client, name, args):
    if os.path.exists(args.out):
        os.remove(args.out)
    arguments = {
        "name": name,
        "route": {
            "input": {"file": {"path": args.csv, "format": "csv"}},
            "output": {"file": {"path": args.out, "format": "raw"}},
            "exit_on_empty": True,
        },
        "batch_size": 1024,
    }
    if args.concurrency:
        arguments["concurrency"] = args.concurrency
    begun = time.perf_counter()
    start = client.call("start_route", arguments)
    calls = 0
    while True:
        if args.wait:
            status = client.call("wait_route", {"name": name, "timeout_ms": 240_000})
        else:
            status = client.call("route_status", {"name": name})
        calls += 1
        if status[0]["finished"]:
            break
        if time.perf_counter() - begun > args.timeout:
            raise BenchError(f"route {name} did not end within {args.timeout} s")
        if not args.wait:
            time.sleep(args.poll_ms / 1000)
    wall = time.perf_counter() - begun
    if status[0]["outcome"] != "completed":
        raise BenchError(f"route {name} did not complete: {json.dumps(status[0])[:300]}")
    stop = client.call("stop_route", {"name": name})
    newlines, sha256 = digest(args.out)
    os.remove(args.out)
    rows = stop[0]["messages"]
    if rows != args.rows or newlines != args.rows:
        raise BenchError(f"{rows} rows told and {newlines} lines written, expected {args.rows}")
    if args.sha256 and sha256 != args.sha256:
        raise BenchError(f"SHA-256 of the output is {sha256}, expected {args.sha256}")
    print(f"{name}  {wall:.3f} s  {rows / wall:,.0f} rows/s", file=sys.stderr)
    return {
        "name": name,
        "waiting": "wait" if args.wait else "poll",
        "rows": rows,
        "wall_s": round(wall, 4),
        "rows_per_s": round(rows / wall),
        "server_elapsed_s": status[0].get("elapsed_s"),
        "server_rows_per_s": status[0].get("average_messages_per_second"),
        "status_calls": calls,
        "bytes": {
            "start_route": [start[1], start[2]],
            "last_status": [status[1], status[2]],
            "stop_route": [stop[1], stop[2]],
            "total": sum(reply[i] for reply in (start, status, stop) for i in (1, 2)),
        },
        "sha256": sha256,
    }


def measure(args):
    client = Client(shlex.split(args.server), args.timeout)
    try:
        opened, ready = client.initialize(args.protocol)
        info = client.call("server_info", {})[0]
        if info.get("profile") != "release" and not args.allow_debug:
            raise BenchError(f"not a release build: server_info says {json.dumps(info)[:300]}")
        latency = [client.call("route_status", {})[3] for _ in range(args.latency_calls)]
        tools = client.request("tools/list", {})[2]
        routes = [run_route(client, f"mcp_bench_{i}", args) for i in range(args.routes)]
    finally:
        client.close()
    return {
        "server": info.get("name"),
        "version": info.get("version"),
        "protocol": opened["protocolVersion"],
        "start_to_initialize_ms": round(ready * 1000, 2),
        "route_status_ms": percentiles(latency),
        "tools_list_bytes": tools,
        "routes": routes,
    }


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", required=True, help="command of the MCP server")
    parser.add_argument("--csv", required=True, help="the fixture")
    parser.add_argument("--out", help="output, overwritten and removed (default: beside the CSV)")
    parser.add_argument("--rows", type=int, default=DEFAULT_ROWS)
    parser.add_argument("--routes", type=int, default=2, help="routes to run")
    parser.add_argument("--latency-calls", type=int, default=200)
    parser.add_argument("--wait", action="store_true", help="wait_route instead of polling")
    parser.add_argument("--poll-ms", type=float, default=50)
    parser.add_argument("--concurrency", type=int, help="decoding workers (default: the server's)")
    parser.add_argument("--sha256", help="of the output (default: known for 1,000,000 rows)")
    parser.add_argument("--protocol", default="2024-11-05")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for a reply or a route")
    parser.add_argument("--json", help="write the result there too")
    parser.add_argument("--allow-debug", action="store_true")
    args = parser.parse_args()
    if args.rows < 1 or args.routes < 0 or args.latency_calls < 1:
        parser.error("--rows and --latency-calls must be at least 1, --routes at least 0")
    args.csv = os.path.realpath(args.csv)
    if not os.path.isfile(args.csv):
        parser.error(f"no such file: {args.csv}")
    args.out = os.path.abspath(args.out or os.path.join(os.path.dirname(args.csv), "out.jsonl"))
    if args.sha256 is None and args.rows == DEFAULT_ROWS:
        args.sha256 = LINES_SHA256
    return args


def main():
    args = arguments()
    try:
        result = json.dumps(measure(args), indent=2)
    except BenchError as e:
        print(f"mcp_bench: {e}", file=sys.stderr)
        return 1
    print(result)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            f.write(result + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
