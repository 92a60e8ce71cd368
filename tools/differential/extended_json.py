"""Canonical Extended JSON of BSON values, as the goldens are written."""

import base64
import json
import math

from .bson import (INT32_MAX, INT32_MIN, Binary, Code, Constant, Date, Decimal128, Int64, ObjectId, Regex, Symbol, Timestamp)


def _double(value):
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def _int(value):
    return {"$numberInt" if INT32_MIN <= value <= INT32_MAX else "$numberLong": str(value)}


_FORMS = {
    int: _int,
    float: lambda value: {"$numberDouble": _double(value)},
    dict: lambda value: {name: tree(item) for name, item in value.items()},
    list: lambda value: [tree(item) for item in value],
    Int64: lambda value: {"$numberLong": str(int(value))},
    Date: lambda value: {"$date": {"$numberLong": str(int(value))}},
    Timestamp: lambda value: {"$timestamp": {"t": value[0], "i": value[1]}},
    ObjectId: lambda value: {"$oid": value.hex()},
    Binary: lambda value: {"$binary": {"base64": base64.b64encode(value[1:]).decode(), "subType": f"{value[0]:02x}"}},
    Decimal128: lambda value: {"$numberDecimal": str(value)},
    Regex: lambda value: {"$regularExpression": {"pattern": value[0], "options": value[1]}},
    Code: lambda value: {"$code": str(value)},
    Symbol: lambda value: {"$symbol": str(value)},
    Constant: lambda value: {"$undefined": True} if value == "undefined" else {f"${value}": 1},
}


def tree(value):
    """What json.dumps writes canonically."""
    form = _FORMS.get(type(value))
    return form(value) if form else value


def text(value):
    return json.dumps(tree(value))


def brief(value):
    """Short and typed, for people: Int32 bare, the others by name."""
    kind = type(value)
    if kind is dict:
        return "{" + ", ".join(f"{name if name.isidentifier() or name[:1] == '$' else json.dumps(name)}: {brief(item)}"
                               for name, item in value.items()) + "}"
    if kind is list:
        return "[" + ", ".join(map(brief, value)) + "]"
    if kind is float:
        return _double(value)
    if kind is int:
        return str(value) if INT32_MIN <= value <= INT32_MAX else f"Long({value})"
    if kind in (bool, type(None), str):
        return json.dumps(value) if len(str(value)) < 200 else f"{value[0]!r}×{len(value)}"
    if kind in (ObjectId, Binary):
        return f"{kind.__name__}({value.hex()})"
    return f"{kind.__name__}({tuple(value) if isinstance(value, tuple) else value})"
