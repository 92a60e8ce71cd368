"""Plays cases on a server and takes what it said, stored and told: replies, documents, oplog entries, change events."""

import dataclasses
import os
import time

from . import bson, masks
from .server import Closed, Failure

DATABASE = f"differ_{os.getpid()}"  # several runs may share a mongod
PLAIN, WITH_IMAGES, SENTINELS = "c", "p", "sentinels"
AHEAD = 100  # commands sent before their replies are read: neither side's socket fills
BEGIN, END = "begin", "end"
EVENTS_SECONDS = 60
_END_ID = b"\x02_id\x00\x04\x00\x00\x00end\x00"
_BEGIN_ID = b"\x02_id\x00\x06\x00\x00\x00begin\x00"
PARTS = ("replies", "documents", "oplog", "events")


@dataclasses.dataclass
class Evidence:
    """Each a list of documents' bytes, masked."""
    replies: list
    documents: list
    oplog: list
    events: list

    def of(self, part):
        return getattr(self, part)


def differences(one, other):
    """[(part, index, ours or None, theirs or None)]"""
    found = []
    for part in PARTS:
        left, right = one.of(part), other.of(part)
        if left == right:
            continue
        for index in range(max(len(left), len(right))):
            pair = left[index] if index < len(left) else None, right[index] if index < len(right) else None
            if pair[0] != pair[1]:
                found.append((part, index, *pair))
    return found


BEFORE_CASES = 4  # messages of a round


def case_of_message(cases, index):
    """Whose command a round's message of that number is; None: no case's."""
    whose = [case for case in cases for _ in case.commands]
    return whose[index - BEFORE_CASES] if 0 <= index - BEFORE_CASES < len(whose) else None


def messages(cases, collection, version):
    """The bodies of all commands of a round, between its two sentinels."""
    tail = {"$db": DATABASE}

    def insert(where, documents, **options):
        return bson.encode({"insert": where, "documents": documents, **options, **tail})

    def clear(where):
        return bson.encode({"delete": where, "deletes": [{"q": {}, "limit": 0}], "writeConcern": {"w": 1}, **tail})

    bodies = [clear(collection), clear(SENTINELS),
              insert(SENTINELS, [{"_id": BEGIN}], writeConcern={"w": 1}),
              insert(collection, [document for case in cases for document in case.documents], ordered=False, writeConcern={"w": 1})]
    for case in cases:
        for command in case.commands:
            name = next(iter(command))
            bodies.append(bson.encode({**command, name: collection, "writeConcern": {"w": 1}, **tail}))
    bodies.append(insert(SENTINELS, [{"_id": END}], writeConcern={"w": "majority"}))
    return bodies


class Player:
    """One server: its connection, its change stream over the database, which it begins anew."""

    def __init__(self, connection, version):
        self.connection, self.version = connection, version
        connection.must({"dropDatabase": 1}, DATABASE)
        connection.must({"create": PLAIN}, DATABASE)
        images = {"changeStreamPreAndPostImages": {"enabled": True}} if version >= (6, 0) else {}
        connection.must({"create": WITH_IMAGES, **images}, DATABASE)
        full = {"fullDocument": "whenAvailable", "fullDocumentBeforeChange": "whenAvailable"} if version >= (6, 0) else {}
        reply = connection.must({"aggregate": 1, "pipeline": [{"$changeStream": full}], "cursor": {}}, DATABASE)
        self.stream = bson.Int64(reply["cursor"]["id"])

    def send(self, bodies):
        self.connection.send(bodies)

    def receive(self, count, replies):
        for _ in range(count):
            replies.append(self.connection.receive())

    def evidence(self, replies, collection):
        """After a round's replies: the rest of what there is to see. The first replies are of clearing and beginning, the last of the end."""
        begin = bson.find(replies[2], b"operationTime")
        return Evidence(masks.mask([masks.reply(raw) for raw in replies[3:-1]]), masks.mask(self.documents(collection)),
                        masks.mask(self.oplog(collection, begin)), masks.mask(self.events()))

    def batch(self, command, database, which):
        """A cursor command's documents as bytes."""
        self.send([bson.encode({**command, "$db": database})])
        raw = self.connection.receive()
        found = bson.find(raw, b"cursor", which)
        if found is None:
            raise Failure(f"{next(iter(command))} answered {bson.decode(raw)}")
        return [value for _, _, value in bson.elements(found)], bson.find(raw, b"cursor", b"id")

    def all(self, command, database):
        documents, cursor = self.batch(command, database, b"firstBatch")
        while cursor != bytes(8):
            more, cursor = self.batch({"getMore": bson.decode(b"\x11\0\0\0\x12i\0" + cursor + b"\0")["i"], "collection": command["find"]}, database, b"nextBatch")
            documents += more
        return documents

    def documents(self, collection):
        return self.all({"find": collection, "filter": {}, "batchSize": 100_000}, DATABASE)

    def oplog(self, collection, begin):
        since = bson.decode(b"\x11\0\0\0\x11t\0" + begin + b"\0")["t"]
        entries = self.all({"find": "oplog.rs", "filter": {"ts": {"$gte": since}, "ns": {"$in": [f"{DATABASE}.{collection}", f"{DATABASE}.{SENTINELS}"]}}, "batchSize": 100_000}, "local")
        if not entries or _BEGIN_ID not in entries[0] or _END_ID not in entries[-1]:
            raise Failure(f"{self.connection.name}: the oplog has {len(entries)} entries, not from one sentinel to the other")
        return entries[1:-1]

    def events(self):
        events, began = [], time.monotonic()
        while not events or not _is_insert_of(events[-1], _END_ID):
            more, _ = self.batch({"getMore": self.stream, "collection": "$cmd.aggregate", "batchSize": 100_000, "maxTimeMS": 1000}, DATABASE, b"nextBatch")
            events += more
            if time.monotonic() - began > EVENTS_SECONDS:
                raise Failure(f"{self.connection.name}: the change stream did not reach the end of the round")
        first = next(index for index, event in enumerate(events) if _is_insert_of(event, _BEGIN_ID))
        return events[first + 1:-1]


def _is_insert_of(event, sentinel):
    """The next round's clearing deletes the sentinel, which is an event too."""
    return sentinel in event and b"\x02operationType\x00\x07\x00\x00\x00insert\x00" in event


def play(players, bodies, collection):
    """The evidence of each player of a round's messages; they work at the same time."""
    replies = [[] for _ in players]
    for at in range(0, len(bodies), AHEAD):
        part = bodies[at:at + AHEAD]
        for player in players:
            player.send(part)
        for player, own in zip(players, replies):
            try:
                player.receive(len(part), own)
            except Closed as closed:
                closed.answered = len(own)
                raise
    return [player.evidence(own, collection) for player, own in zip(players, replies)]


def differing(play_cases, cases, found):
    """The cases that differ, found by halves; `play_cases` gives a list of differences, `found` is what all of them gave."""
    if not found:
        return []
    if len(cases) == 1:
        return [(cases[0], found)]
    half = len(cases) // 2
    return [each for part in (cases[:half], cases[half:]) for each in differing(play_cases, part, play_cases(part))]
