"""Random classic updates: operators with what they take, and sometimes with what they refuse; array filters; replacements."""

from . import values
from .bson import Decimal128, Int64
from .queries import condition, predicate

BAD_SHARE = 0.05


def _any(r, known):
    # Often the value that some path already has: no-ops and equal elements matter.
    if known and r.random() < 0.25:
        return r.choice(known)[1]
    return values.value(r, 2)


def _each(r, known):
    return [_any(r, known) for _ in range(r.choice((0, 1, 2, 3)))]


def _push(r, known):
    if r.random() < 0.4:
        return _any(r, known)
    clauses = {"$each": _each(r, known)}
    if r.random() < 0.4:
        clauses["$slice"] = r.choice((0, 1, 2, 3, -1, -2, 5, -5, 2.0, Int64(1), "x", 1.5))
    if r.random() < 0.4:
        clauses["$sort"] = r.choice((1, -1, {"a": 1}, {"b": -1, "a": 1}, {"a.b": 1}, 1.0, {}, 2, {"a": 2}, "a"))
    if r.random() < 0.4:
        clauses["$position"] = r.choice((0, 1, 2, -1, -2, 10, Int64(1), 1.0, 1.5, "x"))
    if r.random() < BAD_SHARE:
        clauses[r.choice(("$x", "y", "$each"))] = values.scalar(r)
    items = list(clauses.items())
    r.shuffle(items)
    return dict(items)


def _add_to_set(r, known):
    roll = r.random()
    if roll < 0.5:
        return _any(r, known)
    found = {"$each": _each(r, known)}
    if roll > 0.95:
        found["x"] = 1
    return found


def _pull(r, known):
    roll = r.random()
    if roll < 0.35:
        return _any(r, known)
    if roll < 0.7:
        return predicate(r, known)
    return condition(r, known)


def _bit(r, _):
    found = {r.choice(("and", "or", "xor")): r.choice((r.choice(values.INTS), Int64(r.choice(values.INT64S)))) for _ in range(r.choice((1, 1, 2)))}
    if r.random() < BAD_SHARE:
        return r.choice(({}, 1, {"nand": 1}, {"and": 1.5}, {"or": "x"}))
    return found


def _number(r, _):
    return values.number(r) if r.random() > BAD_SHARE else values.scalar(r)


OPERATORS = {
    "$set": (9, _any),
    "$unset": (4, lambda r, known: r.choice((1, "", True, None))),
    "$inc": (4, _number),
    "$mul": (3, _number),
    "$min": (3, _any),
    "$max": (3, _any),
    "$rename": (3, lambda r, known: values.path(r, known) if r.random() > BAD_SHARE else values.scalar(r)),
    "$setOnInsert": (1, _any),
    "$push": (6, _push),
    "$addToSet": (3, _add_to_set),
    "$pop": (3, lambda r, known: r.choice((1, -1, 1, -1, 1.0, -1.0, Int64(1), Decimal128("1"), 0, 2, "1"))),
    "$pull": (4, _pull),
    "$pullAll": (2, lambda r, known: _each(r, known) if r.random() > BAD_SHARE else values.scalar(r)),
    "$bit": (2, _bit),
}
_NAMES = [name for name, (weight, _) in OPERATORS.items() for _ in range(weight)]
# Dates of now: the names that the masks know.
_CURRENT_DATE = {"zd": (True, {"$type": "date"}), "zt": ({"$type": "timestamp"},)}
_ARRAY_OPERATORS = ("$push", "$addToSet", "$pop", "$pull", "$pullAll")


def _paths(r, known, operator, positional):
    of_arrays = [entry for entry in known if type(entry[1]) is list]
    pool = of_arrays if of_arrays and operator in _ARRAY_OPERATORS and r.random() < 0.75 else known
    return [values.path(r, pool, positional) for _ in range(r.choice((1, 1, 1, 1, 2, 2, 3)))]


def operators(r, known, positional=()):
    """{operator: {path: argument}}"""
    update = {}
    for _ in range(r.choice((1, 1, 1, 2, 2, 3))):
        operator = r.choice(_NAMES)
        make = OPERATORS[operator][1]
        update.setdefault(operator, {}).update({path: make(r, known) for path in _paths(r, known, operator, positional)})
    if r.random() < 0.02:
        leaf = r.choice(("zd", "zt"))
        prefix = r.choice(("", "", "a.", "b.0."))
        update["$currentDate"] = {prefix + leaf: r.choice(_CURRENT_DATE[leaf])}
    if r.random() < 0.01:
        update[r.choice(("$x", "$set", "a", "$inc", "$pushAll"))] = values.scalar(r)
    return update


def replacement(r, identity):
    found = values.fields(r, 2)
    roll = r.random()
    if roll < 0.25:
        found = {"_id": identity, **found}
    elif roll < 0.29:
        found["_id"] = values.scalar(r)
    return {**found, "k": r.randrange(1000)} if roll > 0.6 else found


def array_filters(r, known, identifiers):
    filters = []
    for identifier in identifiers:
        inner = condition(r, [(path.rsplit(".", 1)[-1], value) for path, value in known])
        roll = r.random()
        if roll < 0.4:
            filters.append({identifier: predicate(r, known)})
        elif roll < 0.95:
            filters.append({f"{identifier}.{path}" if path[:1] != "$" else identifier: value for path, value in inner.items()} or {identifier: 1})
        else:
            filters.append(r.choice(({}, {"E": 1}, {identifier: 1, "f": 2}, {"$or": [{identifier: 1}, {f"{identifier}.a": {"$gt": 1}}]}, {"unused": 1})))
    return filters
