"""Random aggregation updates: the stages that an update takes, with common expressions over the document's own paths."""

from . import values
from .bson import Date, Decimal128, Int64


def _path(r, known):
    if known and r.random() < 0.85:
        steps = r.choice(known)[0].split(".")
        return ".".join(step for step in steps if not step.isdigit() and step[:1] != "$" and step) or "a"
    return ".".join(r.choice(values.NAMES) for _ in range(r.choice((1, 1, 2))))


def _literal(r):
    found = values.value(r, 1)
    # A string that begins with $ is a path, an object may hold operators: both on purpose, rarely.
    if type(found) in (str, dict, list) and r.random() < 0.8:
        return {"$literal": found}
    return found


def _number(r, known, depth):
    return values.number(r) if r.random() < 0.5 else expression(r, known, depth)


def _factor(r, known, depth):
    # No decimals: the last digit of their powers is the decimal library's, by its version.
    return r.choice((0, 1, 2, 3, -1, 10, Int64(2), 2.5, 0.5, -2.0, None))


def _date_like(r, known, depth):
    # What the text of a date may look like is a library of its own in mongod: no other texts here.
    return r.choice((0, 1.5, Int64(10**12), None, Decimal128("1E+3"), True, {"$literal": [1]}, {"$literal": "2020-01-02"}, {"$literal": "2020-01-02T03:04:05Z"}))


def _array(r, known, depth):
    arrays = [path for path, item in known if type(item) is list and not any(step.isdigit() for step in path.split("."))]
    roll = r.random()
    if arrays and roll < 0.6:
        return "$" + r.choice(arrays)
    if roll < 0.85:
        return {"$literal": values.array(r, 1)}
    return expression(r, known, depth)


def _string(r, known, depth):
    roll = r.random()
    strings = [path for path, item in known if type(item) is str and not any(step.isdigit() for step in path.split("."))]
    if strings and roll < 0.4:
        return "$" + r.choice(strings)
    if roll < 0.85:
        return {"$literal": r.choice(values.STRINGS)}
    return expression(r, known, depth)


def _date(r, known, depth):
    return Date(r.choice(values.DATES)) if r.random() < 0.85 else expression(r, known, depth)


def _object(r, known, depth):
    objects = [path for path, item in known if type(item) is dict and not any(step.isdigit() for step in path.split("."))]
    roll = r.random()
    if objects and roll < 0.5:
        return "$" + r.choice(objects)
    if roll < 0.85:
        return {"$literal": {values.name(r): values.scalar(r) for _ in range(r.randrange(3))}}
    return expression(r, known, depth)


def _one(operator, *makers):
    def build(r, known, depth):
        made = [make(r, known, depth) for make in makers]
        return {operator: made[0] if len(made) == 1 else made}
    return build


def _many(operator, make, counts=(1, 2, 2, 3)):
    return lambda r, known, depth: {operator: [make(r, known, depth) for _ in range(r.choice(counts))]}


def _any(r, known, depth):
    return expression(r, known, depth)


def _small(r, known, depth):
    return r.choice((0, 1, 2, 3, -1, -2, 5, Int64(2), 1.0, 2.5, None))


def _condition(r, known, depth):
    return {r.choice(("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")): [_any(r, known, depth), _any(r, known, depth)]}


def _branches(r, known, depth):
    found = {"branches": [{"case": _condition(r, known, depth), "then": _any(r, known, depth)} for _ in range(r.choice((1, 2)))]}
    if r.random() < 0.8:
        found["default"] = _any(r, known, depth)
    return {"$switch": found}


def _map(r, known, depth):
    inner = r.choice(("$$this", "$$this.a", {"$add": ["$$this", 1]}, {"$type": "$$this"}, {"v": "$$this"}, {"$ifNull": ["$$this.a", "none"]}))
    if r.random() < 0.3:
        inner = expression(r, known, depth)
    return {"$map": {"input": _array(r, known, depth), "in": inner}}


def _filter(r, known, depth):
    test = r.choice(({"$gt": ["$$this", 1]}, {"$ne": ["$$this", None]}, {"$eq": [{"$type": "$$this"}, "int"]}, {"$isArray": "$$this"}, "$$this"))
    return {"$filter": {"input": _array(r, known, depth), "cond": test}}


def _reduce(r, known, depth):
    start, step = r.choice(((0, {"$add": ["$$value", 1]}), ([], {"$concatArrays": ["$$value", ["$$this"]]}), ("", {"$concat": ["$$value", "x"]}),
                            (None, "$$this"), ({}, {"$mergeObjects": ["$$value", "$$this"]})))
    return {"$reduce": {"input": _array(r, known, depth), "initialValue": start, "in": step}}


def _let(r, known, depth):
    return {"$let": {"vars": {"v": _any(r, known, depth)}, "in": r.choice(("$$v", {"x": "$$v"}, ["$$v", "$$v"], {"$type": "$$v"}))}}


def _convert(r, known, depth):
    to = r.choice(("int", "long", "double", "string", "bool", "decimal", "date", "objectId", 16, "nothing"))
    found = {"input": (_date_like if to == "date" else _any)(r, known, depth), "to": to}
    if r.random() < 0.6:
        found["onError"] = r.choice(("error", None, {"$literal": {"e": 1}}))
    if r.random() < 0.4:
        found["onNull"] = "null"
    return {"$convert": found}


def _trim(r, known, depth):
    found = {"input": _string(r, known, depth)}
    if r.random() < 0.4:
        found["chars"] = r.choice(("a", " x", "é"))
    return {r.choice(("$trim", "$ltrim", "$rtrim")): found}


def _date_part(r, known, depth):
    part = r.choice(("$year", "$month", "$dayOfMonth", "$hour", "$minute", "$second", "$millisecond", "$dayOfWeek", "$dayOfYear", "$week", "$isoWeek",
                     "$isoWeekYear", "$isoDayOfWeek"))
    return {part: _date(r, known, depth)}


def _date_text(r, known, depth):
    return {"$dateToString": {"date": _date(r, known, depth), "format": r.choice(("%Y-%m-%d", "%H:%M:%S.%L", "%j %u %V %G %%"))}}


def _set_field(r, known, depth):
    return {"$setField": {"field": r.choice(("a", "b", "$x", "a.b")), "input": _object(r, known, depth), "value": _any(r, known, depth)}}


COMMON = (
    *(_many(name, _number, (0, 1, 2, 2, 3)) for name in ("$add", "$multiply", "$max", "$min", "$sum", "$avg")),
    *(_one(name, _number, _number) for name in ("$subtract", "$divide", "$mod")), _one("$pow", _factor, _factor),
    *(_one(name, _number) for name in ("$abs", "$ceil", "$floor", "$sqrt", "$toInt", "$toLong", "$toDouble", "$toDecimal", "$toBool", "$toString")),
    _one("$round", _number, _small), _one("$trunc", _number, _small),
    *(_one(name, _any, _any) for name in ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$cmp")),
    _many("$and", _any, (0, 1, 2)), _many("$or", _any, (0, 1, 2)), _one("$not", _any),
    _one("$cond", _condition, _any, _any), _many("$ifNull", _any, (2, 2, 1)), _branches,
    _one("$size", _array), _one("$arrayElemAt", _array, _small), _many("$concatArrays", _array), _one("$slice", _array, _small),
    _one("$slice", _array, _small, _small), _one("$reverseArray", _array), _one("$in", _any, _array), _one("$indexOfArray", _array, _any),
    _one("$isArray", _any), _one("$range", _small, _small), _map, _filter, _reduce, _let,
    _many("$setUnion", _array), _many("$setIntersection", _array), _one("$setDifference", _array, _array), _one("$setEquals", _array, _array),
    _one("$setIsSubset", _array, _array), _one("$anyElementTrue", lambda r, known, depth: [_array(r, known, depth)]),
    _many("$mergeObjects", _object, (1, 2)), _one("$objectToArray", _object),
    _one("$arrayToObject", lambda r, known, depth: {"$literal": r.choice(([["a", 1]], [{"k": "a", "v": 1}, {"k": "a", "v": 2}], [], [["a"]], 1))}),
    _many("$concat", _string), _one("$toUpper", _string), _one("$toLower", _string), _one("$strLenCP", _string), _one("$strLenBytes", _string),
    _one("$substrCP", _string, _small, _small), _one("$substrBytes", _string, _small, _small), _one("$split", _string, lambda r, known, depth: r.choice(("a", " ", ""))),
    _one("$indexOfCP", _string, _string), _one("$strcasecmp", _string, _string), _trim, _convert, _one("$type", _any), _one("$toDate", _date_like),
    _date_part, _date_text, _one("$literal", lambda r, known, depth: values.value(r, 1)), _one("$zip", lambda r, known, depth: {"inputs": [_array(r, known, depth)] * 2}),
    _one("$first", _array), _one("$last", _array), _one("$isNumber", _any), _one("$bsonSize", _object), _one("$binarySize", _string),
    _set_field, _one("$getField", lambda r, known, depth: r.choice(("a", "b", {"field": "a", "input": _object(r, known, depth)}))),
)


def expression(r, known, depth=2):
    roll = r.random()
    if depth <= 0 or roll < 0.45:
        return "$" + _path(r, known) if roll < 0.27 or roll > 0.8 else _literal(r)
    if roll < 0.52:
        return {r.choice(values.NAMES): expression(r, known, depth - 1) for _ in range(r.choice((0, 1, 2)))}
    if roll < 0.58:
        return [expression(r, known, depth - 1) for _ in range(r.choice((0, 1, 2)))]
    if roll < 0.60:
        return r.choice(("$$ROOT", "$$REMOVE", "$$CURRENT.a", "$$nothing", {"$nothing": 1}, "$$ROOT.b"))
    return r.choice(COMMON)(r, known, depth - 1)


def _target(r, known):
    return _path(r, known) if r.random() < 0.7 else ".".join(r.choice(values.NAMES) for _ in range(r.choice((1, 1, 2))))


def stage(r, known):
    roll = r.random()
    if roll < 0.62:
        return {r.choice(("$set", "$addFields")): {_target(r, known): expression(r, known) for _ in range(r.choice((1, 1, 2)))}}
    if roll < 0.76:
        names = [_target(r, known) for _ in range(r.choice((1, 1, 2)))]
        return {"$unset": names if len(names) > 1 or r.random() < 0.5 else names[0]}
    if roll < 0.86:
        root = r.choice(({"$mergeObjects": ["$$ROOT", {"z": expression(r, known)}]}, _object(r, known, 1), {"_id": "$_id", "a": expression(r, known)},
                         {"$mergeObjects": [_object(r, known, 1), "$$ROOT"]}))
        return {"$replaceWith": root} if r.random() < 0.7 else {"$replaceRoot": {"newRoot": root}}
    if roll < 0.97:
        if r.random() < 0.5:
            return {"$project": {_target(r, known): r.choice((1, True, expression(r, known))) for _ in range(r.choice((1, 2)))}}
        return {"$project": {_target(r, known): 0 for _ in range(r.choice((1, 2)))}}
    return r.choice(({"$match": {}}, {"$set": {}}, {"$set": 1}, {"$unset": []}, {"$unset": {"a": 1}}, {"$nothing": {}}, {}, {"$set": {"a": 1}, "$unset": "b"},
                     {"$set": {"_id": 5}}, {"$set": {"a..b": 1}}, {"$set": {"$a": 1}}, {"$project": {"a": 1, "b": 0}}, {"$project": {}}, {"$set": {"a": {"$add": [1], "b": 1}}}))


def pipeline(r, known):
    return [stage(r, known) for _ in range(r.choice((1, 1, 1, 2, 2, 3)))]
