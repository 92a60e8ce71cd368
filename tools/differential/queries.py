"""Random query conditions: mostly ones that hold for the document, so that the update after them is reached."""

from . import values
from .bson import Int64, Regex

_COMPARISONS = ("$eq", "$gt", "$gte", "$lt", "$lte", "$ne")
_TYPES = ("double", "string", "object", "array", "int", "long", "number", "null", "bool", "decimal", "date", 1, 2, 3, 4, 16, 18, 19, "nothing")


def _near(r, known):
    return r.choice(known)[1] if known and r.random() < 0.6 else values.value(r, 1)


def predicate(r, known):
    """{operator: argument} for one path."""
    roll = r.random()
    if roll < 0.45:
        return {r.choice(_COMPARISONS): _near(r, known)}
    if roll < 0.6:
        return {r.choice(("$in", "$nin")): [_near(r, known) for _ in range(r.choice((0, 1, 2, 3)))]}
    if roll < 0.66:
        return {"$exists": r.choice((True, True, False, 1, 0))}
    if roll < 0.72:
        return {"$type": r.choice(_TYPES)}
    if roll < 0.77:
        return {"$size": r.choice((0, 1, 2, 3, Int64(2), 2.0, -1))}
    if roll < 0.80:
        return {"$mod": [r.choice((2, 3, 2.0, 0)), r.choice((0, 1))]}
    if roll < 0.85:
        return {"$all": [_near(r, known) for _ in range(r.choice((1, 2)))]}
    if roll < 0.92:
        return {"$elemMatch": predicate(r, known) if r.random() < 0.5 else condition(r, [(path.rsplit(".", 1)[-1], item) for path, item in known])}
    if roll < 0.96:
        return {"$not": predicate(r, known)}
    return {"$regex": r.choice(("a", "^a", "B")), "$options": r.choice(("", "i"))}


def condition(r, known):
    """{path: value or predicate, …}, or a logical operator over such."""
    roll = r.random()
    if roll < 0.12:
        return {r.choice(("$and", "$or", "$nor")): [condition(r, known) for _ in range(r.choice((1, 2)))]}
    found = {}
    for _ in range(r.choice((1, 1, 2))):
        if known and r.random() < 0.75:
            path, item = r.choice(known)
            if r.random() < 0.3:
                path = ".".join(step for step in path.split(".") if not step.isdigit()) or path
            if r.random() < 0.5 and not isinstance(item, Regex):
                found[path] = item
                continue
        else:
            path = values.fresh_path(r)
        found[path] = predicate(r, known) if r.random() < 0.8 else _near(r, known)
    return found


def of_array(r, known):
    """A condition that matches an element of an array, for the positional operator; with that array's path."""
    arrays = [(path, item) for path, item in known if type(item) is list and item]
    if not arrays:
        return condition(r, known), None
    path, items = r.choice(arrays)
    item = r.choice(items)
    roll = r.random()
    if type(item) is dict and item and roll < 0.6:
        inner = r.choice(list(item))
        if roll < 0.3:
            return {path: {"$elemMatch": {inner: item[inner]}}}, path
        return {f"{path}.{inner}": item[inner]}, path
    if roll < 0.75:
        return {path: item}, path
    return {path: r.choice(({"$elemMatch": predicate(r, known)}, predicate(r, known)))}, path
