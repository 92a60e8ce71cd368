#!/usr/bin/env python3
"""The legacy Java driver tails the oplog, and prints, entry by entry, what it printed against the real servers (recorded/).

Each check has a server of its own, under the profile of the recorded one. OPLOGUE is the program.
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
SETUP = HERE.parent.parent.parent / ".setup"
TAIL = ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{SETUP}/java_legacy/classes:{SETUP}/java_legacy/jars/*", "OplogTail"]
SECONDS_MAX, AT_ONCE = 90, 3

# Check → the profile, the recording, and what else is wanted.
CHECKS = {
    "tails 4.2 as a real 4.2.6": ("mongodb-4.2", "4.2.6.txt", []),
    "tails 4.2 with a new cursor": ("mongodb-4.2", "4.2.6-reconnect.txt", ["reconnect"]),
    "tails 4.4 as a real 4.4.2": ("mongodb-4.4", "4.4.2.txt", []),
    "tails 4.4 with a new cursor": ("mongodb-4.4", "4.4.2-reconnect.txt", ["reconnect"]),
    "tails 5.0 as a real 5.0.4": ("mongodb-5.0", "5.0.4.txt", []),
    # No 4.0 was recorded: its entries are 4.2's, but that h is a number of its own in each.
    "tails 4.0 with h": ("mongodb-4.0", "4.2.6.txt", []),
    # The driver speaks the legacy opcodes only to a server that names no wire version after 3.
    "tails by the legacy opcodes as a real 4.2.6": ("mongodb-4.2", "4.2.6.txt", ["legacy"]),
    "tails by the legacy opcodes as a real 4.4.2": ("mongodb-4.4", "4.4.2.txt", ["legacy"]),
}

TIMES = re.compile(r'"ts": \{"\$timestamp": \{"t": (\d{9,}), "i": (\d+)\}\}')
UUIDS = re.compile(r'"\$binary": "([^"]{24})", "\$type": "03"')
DATES = re.compile(r'"\$date": \d+')
HASHES = re.compile(r'"h": \{"\$numberLong": "(-?\d+)"\}')


def numbered(pattern, kind, text, put):
    """Each different match gets the next number."""
    seen = {}
    return pattern.sub(lambda match: put(f"<{kind} {seen.setdefault(match.groups(), len(seen) + 1)}>"), text)


def normal(printed):
    """What differs between runs, replaced as in the recordings."""
    text = re.sub(r"(?m)^time:       \d+$", "time:       <seconds>", printed)
    text = numbered(TIMES, "ts", text, lambda name: f'"ts": "{name}"')
    text = numbered(UUIDS, "uuid", text, lambda name: f'"$binary": "{name}", "$type": "03"')
    return DATES.sub('"$date": "<now>"', text)


class OlderServer:
    """Stands before a server and tells its clients that it knows no wire version after 3."""

    FIELD = re.compile(rb"\x10maxWireVersion\0.{4}", re.DOTALL)

    def __init__(self, port):
        self.port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.port))
            for source, sink, edit in ((client, server, bytes), (server, client, self.edit)):
                threading.Thread(target=self.forward, args=(source, sink, edit), daemon=True).start()

    def edit(self, message):
        return self.FIELD.sub(b"\x10maxWireVersion\0\x03\0\0\0", message)

    @staticmethod
    def forward(source, sink, edit):
        """Message by message, so that no field is cut in two."""
        with source, sink, source.makefile("rb") as stream:
            try:
                while len(head := stream.read(4)) == 4:
                    sink.sendall(edit(head + stream.read(int.from_bytes(head, "little") - 4)))
            except OSError:
                pass

    def close(self):
        self.listener.close()


def run_tail(uri, more):
    """What OplogTail prints, by the server itself or as one that is older."""
    port = int(re.search(r":(\d+)", uri.removeprefix("mongodb://")).group(1))
    older = OlderServer(port) if "legacy" in more else None
    reads_from = f"mongodb://{older.address}" if older else uri
    try:
        result = subprocess.run([*TAIL, reads_from, uri, *(word for word in more if word != "legacy")], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=SECONDS_MAX, check=False)
        return result.stdout + ("" if result.returncode == 0 else f"exit {result.returncode}: {result.stderr[-300:]}")
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode() + f"not done in {SECONDS_MAX} s\n"
    finally:
        if older:
            older.close()


def tail(profile, more):
    with subprocess.Popen([os.environ["OPLOGUE"], "serve", "--profile", profile, "--port", "0", "--exit-with-parent"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as server:
        killer = threading.Timer(2 * SECONDS_MAX, server.kill)
        killer.start()
        try:
            line = server.stdout.readline()
            return run_tail(json.loads(line)["uri"], more) if line else "the server did not start\n"
        finally:
            killer.cancel()
            server.terminate()


def fault_of(name, printed, recorded):
    """The first line that differs, or nothing."""
    if name == "tails 4.0 with h":
        hashes = HASHES.findall(printed)
        if len(set(hashes)) != recorded.count("whole: "):
            return f"each entry has an h of its own: {hashes}"
        printed = HASHES.sub('"h": {"$numberLong": "0"}', printed)
    want, got = recorded.splitlines(), normal(printed).splitlines()
    for index in range(max(len(want), len(got))):
        expected, found = (lines[index] if index < len(lines) else "nothing" for lines in (want, got))
        if expected != found:
            return f"line {index + 1}: expected {expected!r}, got {found!r}"
    return ""


def check(name):
    profile, recording, more = CHECKS[name]
    fault = fault_of(name, tail(profile, more), (HERE / "recorded" / recording).read_text())
    return f"FAIL {name}: {fault}" if fault else f"ok {name}"


def main():
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for line in pool.map(check, CHECKS):
            print(line, flush=True)


if __name__ == "__main__":
    main()
