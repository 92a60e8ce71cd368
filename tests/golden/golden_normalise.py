"""Replies and events with what differs between runs replaced by placeholders."""
import json
import re
import time

from bson import json_util
from bson.binary import Binary, UuidRepresentation
from bson.codec_options import DatetimeConversion
from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.json_util import JSONMode, JSONOptions
from bson.objectid import ObjectId
from bson.timestamp import Timestamp

from golden_tokens import TokenError, decode_token

JSON = JSONOptions(json_mode=JSONMode.CANONICAL, document_class=dict,
                   uuid_representation=UuidRepresentation.UNSPECIFIED,
                   datetime_conversion=DatetimeConversion.DATETIME_MS)


class Volatile:
    def __init__(self, kind, value):
        self.kind, self.value = kind, value


TIME_KEYS = {"clusterTime", "ts", "operationTime", "optime"}
WRITES = {"insert", "update", "delete", "findAndModify", "findandmodify", "create", "drop", "createIndexes",
          "dropIndexes", "renameCollection", "collMod", "dropDatabase", "commitTransaction"}
ANY_KEYS = {"electionId", "connectionId", "counter", "processId", "setVersion", "syncMillis", "wtime"}
TEXT = [(re.compile(r"\b82[0-9A-F]{20,}"), "<token>"),
        (re.compile(r"Timestamp\(\d{9,}, \d+\)"), "Timestamp(<timestamp>)"),
        (re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"), "<uuid>"),
        (re.compile(r"(cursor id:? )\d+"), r"\1<cursorId>"),
        (re.compile(r"ObjectId\('[0-9a-f]{24}'\)"), "ObjectId('<objectId>')"),
        (re.compile(r"\btmp\w{5}\.(renameCollection|convertToCapped)"), r"tmp<random>.\1"),
        (re.compile(r"\btmp\.agg_out\.\d+\b(?!-)"), "tmp.agg_out.<number>"),
        (re.compile(r"(?<![\w.])-?\d{15,20}(?![\w.])"), "<number>")]


def type_name(v):
    for t, n in ((bool, "bool"), (Int64, "long"), (int, "int"), (float, "double"), (str, "string"),
                 (Timestamp, "timestamp"), (DatetimeMS, "date"), (ObjectId, "objectId"),
                 (Binary, "binData"), (bytes, "binData"), (Decimal128, "decimal"), (dict, "object"), (list, "array")):
        if isinstance(v, t):
            return n
    return "null" if v is None else type(v).__name__


class Normaliser:
    def __init__(self, case, hosts):
        self.hosts = hosts
        self.literals = set()
        self._collect([case.get("setup", []), case.get("streams", []), case.get("steps", [])])

    def _collect(self, v):
        if isinstance(v, dict):
            for x in v.values(): self._collect(x)
        elif isinstance(v, list):
            for x in v: self._collect(x)
        elif isinstance(v, (ObjectId, Timestamp)):
            self.literals.add(v)
        elif isinstance(v, bytes):
            self.literals.add(bytes(v))
        elif isinstance(v, str) and re.match(r"82[0-9A-F]{16}", v):      # a literal resume token
            self.literals.add(Timestamp(int(v[2:10], 16), int(v[10:18], 16)))

    def walk(self, v, key="", parent="", number_time=True):
        """BSON value -> JSON tree with Volatile leaves."""
        if key in ANY_KEYS and not isinstance(v, (dict, list)):
            return {"$$any": type_name(v)}
        if isinstance(v, dict):
            nt = number_time and key not in ("$clusterTime", "lastWrite")
            return {k: self.walk(x, k, key, nt) for k, x in v.items()}
        if isinstance(v, list):
            return [self.walk(x, key, parent, number_time) for x in v]
        if key == "_data" and isinstance(v, str):
            return self.token(v, number_time)
        if isinstance(v, Timestamp):
            if v in self.literals or v.time < 1000000000:
                return json_value(v)
            if key in TIME_KEYS and number_time:
                return Volatile("clusterTime", (v.time, v.inc))
            return {"$$any": "timestamp"}
        if isinstance(v, DatetimeMS):
            if abs(int(v) - time.time() * 1000) < 86400000:
                return {"$$any": "date"}
        elif isinstance(v, Int64):
            if key in ("t", "term") and v != -1: return {"$$any": "long"}
            if key in ("id", "cursorId", "cursorID") and abs(v) > 1 << 31: return Volatile("cursorId", int(v))
            if key in ("cursorsUnknown", "cursorsKilled", "cursorsNotFound", "cursorsAlive") and abs(v) > 1 << 31:
                return Volatile("cursorId", int(v))
        elif isinstance(v, ObjectId):
            if v not in self.literals: return Volatile("objectId", v)
        elif isinstance(v, bytes):
            if len(v) > 1000 and v.count(v[:1]) == len(v): return {"$$bytes": len(v)}
            if getattr(v, "subtype", 0) == 4 and bytes(v) not in self.literals: return Volatile("uuid", bytes(v))
        elif isinstance(v, str):
            if len(v) > 1000 and v.count(v[0]) == len(v): return {"$$string": len(v)}
            return self.text(v)
        return json_value(v)

    def text(self, s):
        for h in self.hosts:
            s = s.replace(h, "<host>")
        if len(s) >= 12:
            for rx, sub in TEXT:
                s = rx.sub(sub, s)
        return s

    def token(self, data, number_time):
        try:
            d = decode_token(data)
        except TokenError:
            return self.text(data)
        t = d["clusterTime"]["$timestamp"]
        if t["t"] < 1000000000 or Timestamp(t["t"], t["i"]) in self.literals:
            pass
        elif d.get("tokenType", 128) == 0:
            d["clusterTime"] = {"$$any": "timestamp"}
        else:
            d["clusterTime"] = Volatile("clusterTime", (t["t"], t["i"]))
        if d.get("uuid") is not None:
            d["uuid"] = Volatile("uuid", bytes.fromhex(d["uuid"]["$binary"]["hex"]))
        if "documentKey" in d:
            d["documentKey"] = self.key_value(d["documentKey"])
        if "eventIdentifier" in d:
            d["eventIdentifier"] = self.key_value(d["eventIdentifier"])
        return {"$$token": d}

    def key_value(self, v):
        """Volatile ObjectIds and uuids inside a decoded documentKey."""
        if isinstance(v, dict):
            if list(v) == ["$oid"] and ObjectId(v["$oid"]) not in self.literals:
                return Volatile("objectId", ObjectId(v["$oid"]))
            if list(v) == ["$binary"]:
                b = bytes.fromhex(v["$binary"]["hex"])
                if v["$binary"]["subType"] == "04" and b not in self.literals: return Volatile("uuid", b)
            return {k: self.key_value(x) for k, x in v.items()}
        if isinstance(v, list):
            return [self.key_value(x) for x in v]
        if isinstance(v, str) and len(v) > 1000 and v.count(v[0]) == len(v): return {"$$string": len(v)}
        return v

    def response(self, command, reply):
        """A whole reply: operationTime is numbered only when the command wrote something."""
        name = next(iter(command), "")
        wrote = name in WRITES and reply.get("ok") == 1
        if name == "update": wrote = wrote and bool(reply.get("nModified") or reply.get("upserted"))
        elif name in ("insert", "delete"): wrote = wrote and bool(reply.get("n"))
        elif name.lower() == "findandmodify":
            leo = reply.get("lastErrorObject") or {}
            wrote = wrote and bool(leo.get("n"))
        elif name == "createIndexes": wrote = wrote and reply.get("numIndexesBefore") != reply.get("numIndexesAfter")
        elif name == "collMod": wrote = False
        if "txnNumber" in command and "autocommit" in command and name != "commitTransaction": wrote = False
        out = {}
        for k, v in reply.items():
            if k in ("operationTime", "opTime") and not wrote:
                out[k] = self.walk(v, k, number_time=False)
            else:
                out[k] = self.walk(v, k)
        return out

    @staticmethod
    def finish(tree):
        """Replace Volatile leaves by numbered placeholders."""
        times, firsts = set(), {}
        def scan(v):
            if isinstance(v, Volatile):
                if v.kind == "clusterTime": times.add(v.value)
                else:
                    seen = firsts.setdefault(v.kind, {})
                    seen.setdefault(v.value, len(seen) + 1)
            elif isinstance(v, dict):
                for x in v.values(): scan(x)
            elif isinstance(v, list):
                for x in v: scan(x)
        scan(tree)
        rank = {t: n + 1 for n, t in enumerate(sorted(times))}
        def put(v):
            if isinstance(v, Volatile):
                return {"$$" + v.kind: rank[v.value] if v.kind == "clusterTime" else firsts[v.kind][v.value]}
            if isinstance(v, dict): return {k: put(x) for k, x in v.items()}
            if isinstance(v, list): return [put(x) for x in v]
            return v
        return put(tree)


def json_value(v):
    return json.loads(json_util.dumps(v, json_options=JSON))


def shape(v):
    if isinstance(v, dict): return {k: shape(x) for k, x in v.items()}
    return {"$$any": type_name(v)}


def opaque_tokens(v):
    if isinstance(v, dict):
        if list(v) == ["$$token"] and isinstance(v["$$token"], dict):
            return {"$$token": "event" if v["$$token"].get("tokenType", 128) else "highWaterMark"}
        return {k: opaque_tokens(x) for k, x in v.items()}
    if isinstance(v, list): return [opaque_tokens(x) for x in v]
    return v
