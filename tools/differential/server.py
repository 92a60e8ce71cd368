"""A server to compare: one connection that sends commands ahead of their replies, and the process when we started it."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

from . import bson

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OP_MSG = 2013
TIMEOUT_SECONDS = 120
# Below the range in which the kernel gives ports to clients: a poller there could connect to itself.
PORTS = range(21_000, 32_000)


class Failure(Exception):
    """One sentence for the user."""


class Connection:
    def __init__(self, host, port, name="server"):
        self.name, self.place = name, (host, port)
        self.socket = socket.create_connection((host, port), timeout=TIMEOUT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.replies = self.socket.makefile("rb", buffering=1 << 20)
        self.requests = 0

    def send(self, messages):
        """Bodies of commands as bytes; all of them leave at once."""
        out = []
        for body in messages:
            self.requests += 1
            out.append(struct.pack("<iiiiIB", 21 + len(body), self.requests, 0, OP_MSG, 0, 0) + body)
        self.socket.sendall(b"".join(out))

    def receive(self):
        try:
            head = self.replies.read(16)
        except ConnectionError:
            head = b""
        if len(head) < 16:
            raise Failure(f"{self.name} closed the connection")
        length, = struct.unpack_from("<i", head)
        body = self.replies.read(length - 16)
        return body[5:]

    def ask(self, command, database="admin"):
        self.send([bson.encode({**command, "$db": database})])
        return bson.decode(self.receive())

    def must(self, command, database="admin"):
        reply = self.ask(command, database)
        if reply.get("ok") != 1:
            raise Failure(f"{next(iter(command))} answered {reply.get('errmsg')}")
        return reply

    def close(self):
        self.socket.close()


def address(uri):
    text = uri.removeprefix("mongodb://").split("/")[0].split("?")[0]
    host, _, port = text.partition(":")
    return host, int(port or 27017)


def free_port():
    for port in PORTS:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise Failure("there is no free port")


def _end(pid, process=None):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    if process:
        process.wait()
        return
    while pathlib.Path(f"/proc/{pid}").exists():
        time.sleep(0.05)


@contextlib.contextmanager
def oplogue(program, profile):
    """(host, port) of a fresh Oplogue."""
    command = [str(program), "serve", "--profile", profile, "--port", "0", "--exit-with-parent", "--journal", "off"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        if not line:
            raise Failure(f"{program} did not start")
        yield address(json.loads(line)["members"][0]["address"])
    finally:
        _end(process.pid, process)


@contextlib.contextmanager
def mongod(program):
    """(host, port) of a real mongod, a replica set of one member; PROGRAM may need libraries that LD_LIBRARY_PATH names."""
    with tempfile.TemporaryDirectory(prefix="differ-") as folder:
        port = free_port()
        os.mkdir(f"{folder}/db")
        process = subprocess.Popen(
            [str(program), "--dbpath", f"{folder}/db", "--port", str(port), "--replSet", "rs0", "--bind_ip", "127.0.0.1", "--logpath", f"{folder}/log"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            _wait_for(port, process)
            subprocess.run([sys.executable, str(ROOT / "tools/initiate.py"), str(port)], check=True)
            yield "127.0.0.1", port
        finally:
            _end(process.pid, process)


def _wait_for(port, process):
    began = time.monotonic()
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if process.poll() is not None or time.monotonic() - began > TIMEOUT_SECONDS:
            raise Failure("mongod did not start")
        time.sleep(0.1)
