"""Messages built and read by hand, over one TCP connection."""
import socket
import struct

from bson import decode, decode_all, encode
from bson.codec_options import CodecOptions, DatetimeConversion
from bson.binary import UuidRepresentation
from bson.int64 import Int64

CODEC = CodecOptions(document_class=dict, uuid_representation=UuidRepresentation.UNSPECIFIED,
                     datetime_conversion=DatetimeConversion.DATETIME_MS)
STEP_TIMEOUT = 20.0
QUERY_FLAGS = {"tailable": 1, "slaveOk": 2, "oplogReplay": 3, "noCursorTimeout": 4, "awaitData": 5, "exhaust": 6, "partial": 7}


class CaseError(Exception):
    pass


class Closed(Exception):
    pass


class Connection:
    """One TCP connection speaking OP_MSG (and OP_QUERY)."""
    next_id = 1000

    def __init__(self, host, port):
        self.sock = socket.create_connection((host, port), timeout=STEP_TIMEOUT)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        self.sock.close()

    def _send(self, opcode, body):
        Connection.next_id += 1
        self.sock.sendall(struct.pack("<iiii", 16 + len(body), Connection.next_id, 0, opcode) + body)

    def send_msg(self, db, command, flags=0, sequence=None):
        doc = dict(command)
        doc["$db"] = db
        body = struct.pack("<I", flags) + b"\0" + encode(doc, codec_options=CODEC)
        if sequence:
            part = sequence["id"].encode() + b"\0"
            part += b"".join(encode(d, codec_options=CODEC) for d in sequence["documents"])
            body += b"\1" + struct.pack("<i", len(part) + 4) + part
        self._send(2013, body)

    def send_query(self, db, command):
        self._send(2004, struct.pack("<i", 0) + (db + ".$cmd").encode() + b"\0" +
                   struct.pack("<ii", 0, -1) + encode(command, codec_options=CODEC))

    def send_legacy(self, kind, m):
        """m: the step with references resolved."""
        enc = lambda d: encode(d, codec_options=CODEC)
        ns = m.get("ns", "").encode() + b"\0"
        def bits(names):
            flags = m.get("flags", [])
            return int(flags) if isinstance(flags, int) else sum(1 << names[f] for f in flags)
        if kind == "OP_QUERY":
            body = struct.pack("<i", bits(QUERY_FLAGS)) + ns + struct.pack(
                "<ii", int(m.get("skip", 0)), int(m.get("numberToReturn", 0))) + enc(m["query"])
            if "fields" in m: body += enc(m["fields"])
            self._send(2004, body)
        elif kind == "OP_GET_MORE":
            self._send(2005, struct.pack("<i", 0) + ns + struct.pack("<iq", int(m.get("numberToReturn", 0)), m["cursorID"]))
        elif kind == "OP_KILL_CURSORS":
            ids = m["cursorIDs"]
            self._send(2007, struct.pack("<ii", 0, len(ids)) + b"".join(struct.pack("<q", c) for c in ids))
        elif kind == "OP_INSERT":
            self._send(2002, struct.pack("<i", bits({"continueOnError": 0})) + ns + b"".join(enc(d) for d in m["documents"]))
        elif kind == "OP_UPDATE":
            self._send(2001, struct.pack("<i", 0) + ns + struct.pack("<i", bits({"upsert": 0, "multi": 1})) +
                       enc(m["query"]) + enc(m["update"]))
        elif kind == "OP_DELETE":
            self._send(2006, struct.pack("<i", 0) + ns + struct.pack("<i", bits({"single": 0})) + enc(m["query"]))
        elif kind == "OP_MSG_OLD":
            self._send(1000, m["text"].encode() + b"\0")
        else:
            raise CaseError("unknown legacy message %s" % kind)

    def receive_reply(self):
        """An OP_REPLY -> {"responseFlags", "cursorID", "startingFrom", "numberReturned", "documents"}"""
        length, _, _, opcode = struct.unpack("<iiii", self._exact(16))
        body = self._exact(length - 16)
        if opcode != 1: raise ValueError("unexpected opcode %d" % opcode)
        flags, cursor, start, count = struct.unpack_from("<iqii", body)
        return {"responseFlags": flags, "cursorID": Int64(cursor), "startingFrom": start, "numberReturned": count,
                "documents": decode_all(body[20:], CODEC)}

    def closed_within(self, seconds):
        self.sock.settimeout(seconds)
        try:
            return self.sock.recv(1) == b""
        except ConnectionResetError:
            return True
        except socket.timeout:
            return False
        finally:
            self.sock.settimeout(STEP_TIMEOUT)

    def _exact(self, n):
        data = bytearray()
        while len(data) < n:
            try:
                part = self.sock.recv(min(n - len(data), 1 << 20))
            except ConnectionResetError:
                part = b""
            if not part:
                raise Closed()
            data += part
        return bytes(data)

    def receive(self):
        """-> (opcode, flags, document, op_reply_fields or None)"""
        length, _, _, opcode = struct.unpack("<iiii", self._exact(16))
        body = self._exact(length - 16)
        if opcode == 2013:
            flags = struct.unpack_from("<I", body)[0]
            size = struct.unpack_from("<i", body, 5)[0]
            return opcode, flags, decode(body[5:5 + size], CODEC), None
        if opcode == 1:
            flags, cursor, start, count = struct.unpack_from("<iqii", body)
            doc = decode(body[20:], CODEC) if count else None
            return opcode, flags, doc, {"responseFlags": flags, "cursorID": Int64(cursor),
                                        "startingFrom": start, "numberReturned": count}
        raise ValueError("unexpected opcode %d" % opcode)

    def command(self, db, command):
        self.send_msg(db, command)
        return self.receive()[2]
