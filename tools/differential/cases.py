"""A case: a few documents of its own and the commands that change them. Its number and the seed make it; nothing else does."""

import dataclasses
import random

from . import pipelines, queries, updates, values
from .bson import Date, Decimal128, Int64, ObjectId

COLLECTION = "c"
# Features by the first release that knows them; a case for an older server leaves them out.
LET, UNSET_PIPELINE = (5, 0), (4, 2)


@dataclasses.dataclass
class Case:
    number: int
    documents: list
    commands: list

    def updates(self):
        """How many updates it counts for."""
        return sum(len(command.get("updates", command.get("deletes", command.get("documents", "1")))) for command in self.commands)


def _identity(r, number, index):
    """An _id that no other case has, of any type that keeps such apart."""
    base = number * 8 + index
    roll = r.random()
    if roll < 0.7:
        return base
    return r.choice((lambda: Int64(base), lambda: float(base), lambda: base + 0.5, lambda: f"s{base}", lambda: {"n": base, "x": 1},
                     lambda: Date(base), lambda: Decimal128(f"{base}.0"), lambda: ObjectId(b"LITERAL." + base.to_bytes(4, "big"))))()


class Maker:
    """Makes one case; `known` are the paths and values that its documents began with."""

    def __init__(self, seed, number, version):
        self.r = random.Random(f"{seed}:{number}")
        self.number, self.version = number, version
        r = self.r
        self.identities = [_identity(r, number, index) for index in range(r.choice((1, 1, 1, 1, 1, 2, 3)))]
        self.documents = [{"_id": identity, "k": number, **values.fields(r)} for identity in self.identities]
        if r.random() < 0.02:
            self.documents[0][r.choice(values.NAMES)] = r.choice("xyz") * r.choice((3000, 17000))
        self.known = values.known_paths(self.documents)

    def case(self):
        r = self.r
        return Case(self.number, self.documents, [self.command() for _ in range(r.choice((1, 1, 1, 2, 2, 3)))])

    def command(self):
        roll = self.r.random()
        if roll < 0.80:
            return self.update()
        if roll < 0.92:
            return self.find_and_modify()
        return self.delete() if roll < 0.97 else self.insert()

    def base_query(self):
        """Names documents of this case and no others."""
        r, roll = self.r, self.r.random()
        if roll < 0.75:
            return {"_id": r.choice(self.identities)}
        if roll < 0.85:
            return {"k": self.number}
        if roll < 0.9:
            return {"_id": {"$in": list(self.identities)}}
        return {"k": self.number, "_id": r.choice(self.identities)}

    def query(self):
        """(query, may the positional operator stand)"""
        r, roll = self.r, self.r.random()
        base = self.base_query()
        if roll < 0.72:
            return base, False
        if roll < 0.86:
            extra, array = queries.of_array(r, self.known)
            return self.joined(base, extra), array is not None
        return self.joined(base, queries.condition(r, self.known)), False

    def joined(self, base, extra):
        if set(base) & set(extra) or self.r.random() < 0.15:
            return {"$and": [base, extra]}
        return {**base, **extra}

    def change(self, positional):
        """(update, array filters or None)"""
        r, roll = self.r, self.r.random()
        if roll < 0.09:
            return updates.replacement(r, self.identities[0]), None
        if roll < 0.30:
            return pipelines.pipeline(r, self.known), [{"e": 1}] if roll < 0.0905 else None
        if roll < 0.42:
            identifiers = r.choice((["e"], ["e"], ["e"], ["e", "f"], []))
            steps = [f"$[{identifier}]" for identifier in identifiers] or ["$[]"]
            arrays = [entry for entry in self.known if any(step.isdigit() for step in entry[0].split("."))]
            update = updates.operators(r, arrays or self.known, [*steps, *(["$[]"] if r.random() < 0.3 else [])])
            return update, updates.array_filters(r, self.known, identifiers) or None
        return updates.operators(r, self.known, ["$"] if positional else ()), None

    def statement(self):
        r = self.r
        query, positional = self.query()
        update, filters = self.change(positional)
        statement = {"q": query, "u": update}
        if r.random() < (0.4 if "k" in query else 0.03) and not (type(update) is dict and next(iter(update), "")[:1] != "$"):
            statement["multi"] = True
        if r.random() < 0.1:
            statement["upsert"] = True
            if r.random() < 0.8:
                statement["q"] = self.upsert_query()
        if filters is not None:
            statement["arrayFilters"] = filters
        return statement

    def upsert_query(self):
        """One that nothing matches: what it says becomes the document."""
        r, roll = self.r, self.r.random()
        base = {"k": self.number, "_id": _identity(r, self.number, r.choice((5, 6, 7)))} if roll < 0.6 else {"k": self.number, "new": roll}
        for _ in range(r.choice((0, 1, 1, 2))):
            path = values.fresh_path(r)
            base[path] = values.value(r, 1) if r.random() < 0.6 else queries.predicate(r, self.known)
        if r.random() < 0.15:
            return {"$and": [base, {"e": values.scalar(r)}]}
        return base

    def update(self):
        r = self.r
        command = {"update": COLLECTION, "updates": [self.statement() for _ in range(r.choice((1, 1, 1, 1, 2, 3)))]}
        if r.random() < 0.4:
            command["ordered"] = r.random() < 0.3
        return command

    def find_and_modify(self):
        r = self.r
        query, positional = self.query()
        command = {"findAndModify": COLLECTION, "query": query}
        if r.random() < 0.15:
            command["remove"] = True
        else:
            update, filters = self.change(positional)
            command["update"] = update
            if r.random() < 0.5:
                command["new"] = True
            if filters is not None:
                command["arrayFilters"] = filters
            if r.random() < 0.15:
                command["query"], command["upsert"] = self.upsert_query(), True
        if r.random() < 0.25:
            command["fields"] = r.choice(({"a": 1}, {"a": 0}, {"_id": 0, "a": 1}, {"a.b": 1}, {"b": {"$slice": 1}}, {"x": "$a"}, {"a": {"$elemMatch": {"$gt": 1}}}))
        if r.random() < 0.2:
            command["sort"] = r.choice(({"_id": 1}, {"_id": -1}, {"a": 1}, {"a": -1, "b": 1}))
        return command

    def delete(self):
        r = self.r
        statements = []
        for _ in range(r.choice((1, 1, 2))):
            query, _ = self.query()
            statements.append({"q": query, "limit": r.choice((0, 1, 1))})
        return {"delete": COLLECTION, "deletes": statements}

    def insert(self):
        r = self.r
        identity = r.choice(self.identities) if r.random() < 0.5 else _identity(r, self.number, 4)
        return {"insert": COLLECTION, "documents": [{"_id": identity, "k": self.number, **values.fields(r, 2)}]}


def make(seed, number, version=(6, 0)):
    return Maker(seed, number, version).case()
