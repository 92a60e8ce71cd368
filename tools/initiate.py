"""Makes the mongod on a port of this machine a replica set of one member and waits until it is a writable primary."""

import socket
import struct
import sys
import time

PATIENCE_SECONDS = 60
ALREADY_INITIALIZED = 23


def element(name, value):
    """One element of a BSON document: as much of BSON as this needs."""
    key = name.encode() + b"\0"
    if isinstance(value, int):
        return b"\x10" + key + struct.pack("<i", value)
    if isinstance(value, str):
        text = value.encode() + b"\0"
        return b"\x02" + key + struct.pack("<i", len(text)) + text
    if isinstance(value, list):
        return b"\x04" + key + document({str(index): item for index, item in enumerate(value)})
    return b"\x03" + key + document(value)


def document(fields):
    body = b"".join(element(name, value) for name, value in fields.items())
    return struct.pack("<i", len(body) + 5) + body + b"\0"


def ask(port, command):
    """The reply's bytes."""
    body = b"\0\0\0\0\0" + document({**command, "$db": "admin"})
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as connection:
        connection.sendall(struct.pack("<iiii", 16 + len(body), 1, 0, 2013) + body)
        with connection.makefile("rb") as replies:
            length, = struct.unpack("<i", head := replies.read(4))
            return head + replies.read(length - 4)


def main():
    port = int(sys.argv[1])
    members = [{"_id": 0, "host": f"127.0.0.1:{port}"}]
    answer = ask(port, {"replSetInitiate": {"_id": "rs0", "members": members}})
    refused = b"\x01ok\0" + struct.pack("<d", 0) in answer
    if refused and element("code", ALREADY_INITIALIZED) not in answer:
        sys.exit(f"initiate: mongod answered {answer[21:]!r}")
    began = time.monotonic()
    while b"\x08ismaster\0\x01" not in ask(port, {"isMaster": 1}):
        if time.monotonic() - began > PATIENCE_SECONDS:
            sys.exit("initiate: mongod did not become a primary")
        time.sleep(0.02)


if __name__ == "__main__":
    main()
