"""Plays one case: its setup, streams and steps."""
import time
import uuid

from bson.binary import Binary
from bson.timestamp import Timestamp

from golden_normalise import Normaliser, json_value, shape
from golden_tokens import decode_token
from golden_wire import CaseError, Closed, Connection

REPLY_FLAGS = ["cursorNotFound", "queryFailure", "shardConfigStale", "awaitCapable"]


class Stream:
    def __init__(self, spec):
        self.spec, self.events, self.cursor, self.end, self.coll = spec, [], None, None, None
        self.taken = 0                                 # events claimed by "read" steps
        t = spec["target"]
        self.db = "admin" if t == "cluster" else t["db"]
        self.opened = False


class Runner:
    def __init__(self, host, port, case):
        self.host, self.port, self.case = host, port, case
        self.conns, self.responses, self.setup, self.uuids = {}, [], [], {}
        self.norm = Normaliser(case, ["%s:%d" % (host, port)])
        self.streams = {s["id"]: Stream(s) for s in case.get("streams", [])}
        self.pending = {}

    # -- references
    def resolve(self, v):
        if isinstance(v, dict):
            if len(v) == 1:
                k, x = next(iter(v.items()))
                if k == "$$from": return self.lookup(x)
                if k == "$$newUUID": return self.uuids.setdefault(x, Binary(uuid.uuid4().bytes, 4))
                if k == "$$bytes": return bytes(int(x))
                if k == "$$string": return "x" * int(x)
                if k == "$$plusSeconds":
                    t = self.lookup(x["from"])
                    return Timestamp(t.time + int(x["n"]), t.inc)
                if k == "$$plusIncrement":
                    t = self.lookup(x["from"])
                    return Timestamp(t.time, t.inc + int(x["n"]))
            return {k: self.resolve(x) for k, x in v.items()}
        if isinstance(v, list): return [self.resolve(x) for x in v]
        return v

    def lookup(self, path):
        parts = path.split(".")
        root = {"responses": self.responses, "setup": self.setup,
                "events": {k: s.events for k, s in self.streams.items()}}[parts[0]]
        for p in parts[1:]:
            root = root[int(p)] if isinstance(root, list) else root[p]
        return root

    # -- connections
    def conn(self, name="main"):
        if name not in self.conns:
            self.conns[name] = Connection(self.host, self.port)
        return self.conns[name]

    def drop(self, name):
        c = self.conns.pop(name, None)
        if c: c.close()

    def admin(self, db, command):
        return self.conn("runner").command(db, command)

    # -- streams
    def open_stream(self, sid):
        s = self.streams[sid]
        t = s.spec["target"]
        cmd = {"aggregate": t["coll"] if isinstance(t, dict) and "coll" in t else 1,
               "pipeline": self.resolve(s.spec["pipeline"]), "cursor": {}}
        cmd.update(self.resolve(s.spec.get("aggregateOptions", {})))
        s.opened = True
        reply = self.admin(s.db, cmd)
        if reply.get("ok") != 1:
            s.end = {"openError": reply}
            return
        s.coll = reply["cursor"]["ns"].split(".", 1)[1]
        self._take(s, reply["cursor"], "firstBatch")

    def _take(self, s, cursor, batch):
        s.events += cursor[batch]
        s.cursor = cursor["id"]
        if s.cursor == 0:
            s.end = "closed"
        return len(cursor[batch])

    def get_more(self, s, ms):
        reply = self.admin(s.db, {"getMore": s.cursor, "collection": s.coll, "maxTimeMS": ms})
        if reply.get("ok") != 1:
            s.end = {"getMoreError": reply}
            return 0
        return self._take(s, reply["cursor"], "nextBatch")

    def read(self, sid, count):
        s, want, stop = self.streams[sid], self.streams[sid].taken + count, time.time() + 10
        s.taken = want
        while len(s.events) < want and s.end is None and time.time() < stop:
            self.get_more(s, 500)
        if len(s.events) < want:
            raise CaseError("stream %s: %d events wanted, %d seen, end %r" % (sid, want, len(s.events), s.end))

    def drain(self, s, expected):
        quiet, stop = 0, time.time() + 3
        while s.end is None:
            quiet = 0 if self.get_more(s, 60) else quiet + 1
            if quiet >= 2 and (expected is None or len(s.events) >= expected or time.time() > stop):
                break

    # -- steps
    def step(self, step):
        if "open" in step: return self.open_stream(step["open"])
        if "read" in step: return self.read(step["read"], int(step["count"]))
        if "sleepMS" in step: return time.sleep(int(step["sleepMS"]) / 1000.0)
        if "close" in step:
            s = self.streams[step["close"]]
            if s.end is None:
                self.admin(s.db, {"killCursors": s.coll, "cursors": [s.cursor]})
                s.end = "open"
            return None
        if "wait" in step:
            command, opts = self.pending.pop(step["wait"])
            if "legacy" in opts: return self.receive_legacy(step["wait"], opts)
            return self.receive(step["wait"], command, opts)
        if "legacy" in step: return self.legacy(step)
        name, command = step.get("conn", "main"), self.resolve(step["command"])
        stop = time.time() + (15 if "poll" in step else 5)
        while True:
            began = time.time()
            c = self.conn(name)
            if step.get("opcode") == "OP_QUERY":
                c.send_query(step["db"], command)
            else:
                flags = (1 << 16 if "exhaust" in step else 0) | (2 if step.get("moreToCome") else 0)
                c.send_msg(step["db"], command, flags, self.resolve(step.get("sequence")))
            if step.get("moreToCome"): return None
            if step.get("background"):
                self.pending[name] = (command, step)
                return None
            out = self.receive(name, command, step)
            if time.time() > stop: break
            raw = self.last
            if "untilEvent" in step and raw.get("ok") == 1 and raw["cursor"]["id"] and not raw["cursor"]["nextBatch"]:
                continue
            if "afterTime" in step and raw.get("ok") == 1 and not raw["cursor"]["nextBatch"]:
                t = decode_token(raw["cursor"]["postBatchResumeToken"]["_data"])["clusterTime"]["$timestamp"]
                w = self.lookup(step["afterTime"])
                if (t["t"], t["i"]) < (w.time, w.inc): continue
            if "poll" in step:
                v = raw
                for p in step["poll"]["path"].split("."):
                    v = v[int(p)] if isinstance(v, list) and p.isdigit() and int(p) < len(v) else \
                        (v.get(p) if isinstance(v, dict) else None)
                if v != step["poll"]["value"]:
                    time.sleep(0.1)
                    continue
            break
        if "minMS" in step and (time.time() - began) * 1000 < int(step["minMS"]):
            raise CaseError("reply came before minMS")
        if "maxMS" in step and (time.time() - began) * 1000 > int(step["maxMS"]):
            raise CaseError("reply came after maxMS")
        return out

    def legacy(self, step):
        name, m, stop = step.get("conn", "main"), self.resolve(step), time.time() + 5
        while True:
            began, c = time.time(), self.conn(name)
            c.send_legacy(step["legacy"], m)
            if step["legacy"] not in ("OP_QUERY", "OP_GET_MORE"):
                if not step.get("expectClose"): return None
                closed = c.closed_within(1.0)
                self.drop(name)
                return {"connectionClosed": closed}
            if step.get("background"):
                self.pending[name] = (None, step)
                return None
            out = self.receive_legacy(name, step)
            if "untilEvent" in step and "cursorID" in self.last and self.last["cursorID"] and \
                    not self.last["documents"] and time.time() < stop:
                continue
            took = (time.time() - began) * 1000
            if took < int(step.get("minMS", 0)): raise CaseError("reply came before minMS")
            if took > int(step.get("maxMS", 1 << 30)): raise CaseError("reply came after maxMS")
            return out

    def receive_legacy(self, name, step):
        c, self.last = self.conn(name), {}
        command = step.get("query", {}) if step.get("ns", "").endswith(".$cmd") else {}
        def one():
            self.last = r = c.receive_reply()
            flags = [REPLY_FLAGS[n] for n in range(4) if r["responseFlags"] >> n & 1]
            head = self.norm.walk({"responseFlags": flags, "cursorID": r["cursorID"]})
            head.update(startingFrom=r["startingFrom"], numberReturned=r["numberReturned"])
            return {"opReply": head, "documents": [self.present(command, d, step) if command or "keep" in step or "shape" in step
                                                   else self.norm.walk(d) for d in r["documents"]]}
        try:
            if "exhaust" in step:
                out = [one() for _ in range(int(step["exhaust"]))]
                self.drop(name)
                return {"replies": out}
            return one()
        except Closed:
            self.drop(name)
            return {"connectionClosed": True}

    def receive(self, name, command, step):
        c, self.last = self.conn(name), {}
        try:
            if "exhaust" in step:
                replies = []
                for _ in range(int(step["exhaust"])):
                    _, flags, doc, _ = c.receive()
                    self.last = doc
                    replies.append({"moreToCome": bool(flags & 2), "body": self.present(command, doc, step)})
                self.drop(name)
                return {"replies": replies}
            opcode, flags, doc, legacy = c.receive()
        except Closed:
            self.drop(name)
            return {"connectionClosed": True}
        self.last = doc
        body = self.present(command, doc, step)
        if legacy:
            return {"opReply": json_value(legacy), "body": body}
        return body

    def present(self, command, doc, step):
        if "keep" in step: doc = {k: v for k, v in doc.items() if k in step["keep"]}
        return shape(doc) if step.get("shape") else self.norm.response(command, doc)

    def run(self):
        case = self.case
        try:
            for db in case.get("databases", ["golden"]):
                # A server whose oplog has rolled over has played cases before this one: what they left goes now, and that is an event.
                if "rolledOplog" in case.get("requires", []): self.admin(db, {"create": "c"})
                self.admin(db, {"dropDatabase": 1})
            for item in case.get("setup", []):
                reply = self.admin(item["db"], self.resolve(item["command"]))
                if not item.get("mayFail") and (reply.get("ok") != 1 or "writeErrors" in reply):
                    raise CaseError("setup failed: %s" % json_value(reply))
                self.setup.append(reply)
            later = {st["open"] for st in case["steps"] if "open" in st}
            for sid in self.streams:
                if sid not in later: self.open_stream(sid)
            recorded = []
            for st in case["steps"]:
                self.last = None
                result = self.step(st)
                self.responses.append(self.last)
                recorded.append(result)
            want = case.get("expect", {}).get("events", {})
            for sid, s in self.streams.items():
                if s.opened and s.end is None:
                    self.drain(s, len(want[sid]) if sid in want else None)
            tree = {"responses": recorded, "events": {}, "streamEnd": {}}
            for sid, s in self.streams.items():
                tree["events"][sid] = [self.norm.walk(e) for e in s.events]
                end = s.end or "open"
                if isinstance(end, dict):
                    end = {k: self.norm.response({}, v) for k, v in end.items()}
                tree["streamEnd"][sid] = end
            if not self.streams: del tree["events"], tree["streamEnd"]
            return Normaliser.finish(tree)
        finally:
            try:
                for s in self.streams.values():
                    if s.end is None and s.cursor:
                        self.admin(s.db, {"killCursors": s.coll, "cursors": [s.cursor]})
                for item in case.get("teardown", []):
                    self.admin(item["db"], self.resolve(item["command"]))
            finally:
                for name in list(self.conns): self.drop(name)
