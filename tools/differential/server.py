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


class Closed(Failure):
    """A server ended the connection; `answered` commands of what was played had replies."""

    def __init__(self, name):
        super().__init__(f"{name} closed the connection")
        self.name, self.answered = name, None


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
        with contextlib.suppress(ConnectionError):  # what it said before it went is still to be read
            self.socket.sendall(b"".join(out))

    def receive(self):
        try:
            head = self.replies.read(16)
        except ConnectionError:
            head = b""
        if len(head) < 16:
            raise Closed(self.name)
        length, = struct.unpack_from("<i", head)
        try:
            body = self.replies.read(length - 16)
        except ConnectionError:
            raise Closed(self.name) from None
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
    start = os.getpid() % len(PORTS)  # runs that begin at the same time do not take the same one
    for port in (*PORTS[start:], *PORTS[:start]):
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


class Mongod:
    """A real mongod, a replica set of one member, which may fall and be started again; PROGRAM may need libraries that LD_LIBRARY_PATH names."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.place = "127.0.0.1", free_port()
        os.mkdir(f"{folder}/db")
        self.start()

    def start(self):
        """Until it is a writable primary."""
        self.process = subprocess.Popen(
            [str(self.program), "--dbpath", f"{self.folder}/db", "--port", str(self.place[1]), "--replSet", "rs0", "--bind_ip", "127.0.0.1",
             "--logpath", self.log, "--logappend"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        _wait_for(self.place[1], self.process)
        subprocess.run([sys.executable, str(ROOT / "tools/initiate.py"), str(self.place[1])], check=True)

    @property
    def log(self):
        return f"{self.folder}/log"

    def start_again(self):
        """After a fall."""
        self.process.wait(TIMEOUT_SECONDS)
        self.start()

    def last_words(self):
        """The first fatal line of its last run, which says why it fell."""
        words = ""
        for line in pathlib.Path(self.log).read_text(encoding="utf-8", errors="replace").splitlines():
            if "SERVER RESTARTED" in line:
                words = ""
            elif '"s":"F"' in line and not words:
                entry = json.loads(line)
                words = " ".join((entry["msg"].strip(), *map(str, entry.get("attr", {}).values())))
        return words

    def end(self):
        _end(self.process.pid, self.process)


@contextlib.contextmanager
def mongod(program):
    with tempfile.TemporaryDirectory(prefix="differ-") as folder:
        its = Mongod(program, folder)
        try:
            yield its
        finally:
            its.end()


def _wait_for(port, process):
    began = time.monotonic()
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if process.poll() is not None or time.monotonic() - began > TIMEOUT_SECONDS:
            raise Failure("mongod did not start")
        time.sleep(0.1)
