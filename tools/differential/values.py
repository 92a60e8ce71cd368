"""Random values, documents and paths into them: small alphabets, so that names meet, and the edges of every type."""

from .bson import (MAX_KEY, MIN_KEY, UNDEFINED, Binary, Code, Date, Decimal128, Int64, ObjectId, Regex, Symbol, Timestamp)

NAMES = ("a", "b", "c", "d", "e", "x", "y")
NUMERIC_NAMES = ("0", "1", "2", "3", "10")
STRANGE_NAMES = ("$a", "a.b", "", "é", "00", "-1", "__proto__", "A", "$inc", "a b")
INTS = (0, 1, 2, 3, 4, 5, 7, 10, -1, -2, 100, 2**31 - 1, -(2**31), 255)
INT64S = (0, 1, 2, 5, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 10**12, -7)
DOUBLES = (0.0, -0.0, 1.0, 1.5, 2.0, -2.5, 0.1, 1e308, -1e308, 5e-324, 2.0**63, -(2.0**63), 1e20, float("nan"), float("inf"),
           float("-inf"), 2147483647.0, 2147483648.0, 3.0, 1e-7, 123456.789)
DECIMALS = ("0", "-0", "1", "1.0", "1.50", "-2.5", "0.1", "1E+3", "9.999999999999999999999999999999999E+6144", "1E-6176", "NaN",
            "Infinity", "-Infinity", "2", "3.00", "9223372036854775808", "1234567890123456789012345678901234", "0E-10", "5E-1")
STRINGS = ("", "a", "b", "ab", "abc", "hello world", "A", "é", "1", "12", "-3.5", "x y z", "a\0b", "$a", "a.b", "😀", "2020-01-02")
DATES = (0, 1, -1, 1577923200000, 951782400000, 1609459199999, -62135596800000, 1e12)
PATTERNS = (("a", ""), ("^a", ""), ("B", "i"), ("^ab?c$", ""), (".", "s"))
LONG_STRING_LENGTHS = (16, 40, 64, 128, 200, 300, 1000)
TYPED = (
    (24, lambda r: r.choice(INTS)),
    (8, lambda r: Int64(r.choice(INT64S))),
    (12, lambda r: r.choice(DOUBLES)),
    (6, lambda r: Decimal128(r.choice(DECIMALS))),
    (16, lambda r: r.choice(STRINGS)),
    (5, lambda r: r.random() < 0.5),
    (6, lambda r: None),
    (5, lambda r: Date(r.choice(DATES))),
    (2, lambda r: Timestamp((r.randrange(1, 9), r.randrange(3)))),
    (2, lambda r: ObjectId(bytes([r.randrange(3)]) * 12)),
    (3, lambda r: Binary(bytes([r.choice((0, 0, 4, 5, 128))]) + bytes(r.randrange(256) for _ in range(16)))),
    (1, lambda r: Binary(b"\0" + b"ab"[:r.randrange(3)])),
    (2, lambda r: Regex(r.choice(PATTERNS))),
    (2, lambda r: r.choice((MIN_KEY, MAX_KEY))),
    (1, lambda r: r.choice((Code("f()"), Symbol("a"), UNDEFINED))),
    (2, lambda r: r.choice("xyz") * r.choice(LONG_STRING_LENGTHS)),
)
_SCALARS = [make for weight, make in TYPED for _ in range(weight)]


def scalar(r):
    return r.choice(_SCALARS)(r)


def number(r):
    roll = r.random()
    if roll < 0.5:
        return r.choice(INTS)
    if roll < 0.65:
        return Int64(r.choice(INT64S))
    if roll < 0.88:
        return r.choice(DOUBLES)
    return Decimal128(r.choice(DECIMALS))


def name(r):
    roll = r.random()
    if roll < 0.9:
        return r.choice(NAMES)
    if roll < 0.985:
        return r.choice(NUMERIC_NAMES)
    return r.choice(STRANGE_NAMES)


def value(r, depth=2):
    roll = r.random()
    if depth <= 0 or roll < 0.62:
        return scalar(r)
    if roll < 0.80:
        return {name(r): value(r, depth - 1) for _ in range(r.choice((0, 1, 1, 2, 2, 3)))}
    return array(r, depth - 1)


def array(r, depth=1):
    roll = r.random()
    length = r.choice((0, 1, 2, 2, 3, 3, 4, 5)) if roll < 0.93 else r.randrange(6, 60)
    if roll > 0.9 or r.random() < 0.4:
        same = r.choice((number, scalar, lambda r: r.choice(INTS[:8]), lambda r: {n: r.choice(INTS[:6]) for n in r.sample(NAMES[:3], 2)}))
        return [same(r) for _ in range(length)]
    return [value(r, depth) for _ in range(length)]


def fields(r, depth=3):
    """The fields of a document but its _id."""
    count = r.choice((0, 1, 2, 3, 3, 4, 4, 5, 6)) if r.random() < 0.96 else 15
    return {name(r): value(r, depth) for _ in range(count)}


def walk(item, prefix=""):
    """(path, value) of everything inside."""
    pairs = item.items() if type(item) is dict else enumerate(item) if type(item) is list else ()
    for key, child in pairs:
        path = f"{prefix}.{key}" if prefix else str(key)
        yield path, child
        yield from walk(child, path)


def known_paths(documents):
    return [entry for document in documents for entry in walk({k: v for k, v in document.items() if k not in ("_id", "k")})]


def fresh_path(r):
    steps = [name(r) for _ in range(r.choice((1, 1, 1, 2, 2, 3)))]
    return ".".join(steps)


def path(r, known, positional=()):
    """A path to update: mostly one that is there, sometimes one below or beside it, sometimes any."""
    roll = r.random()
    if not known or roll < 0.2:
        found = fresh_path(r)
    else:
        found = r.choice(known)[0]
        if roll < 0.4:
            found += "." + (name(r) if r.random() < 0.6 else r.choice(NUMERIC_NAMES))
        elif roll < 0.45 and "." in found:
            found = found.rsplit(".", 1)[0]
    if positional and r.random() < 0.7:
        steps = [r.choice(positional) if step.isdigit() else step for step in found.split(".")]
        if not any(step in positional for step in steps):
            steps.insert(r.randrange(1, len(steps) + 1), r.choice(positional))
        found = ".".join(steps)
    if r.random() < 0.01:
        found = r.choice(("_id", "", "a.", ".a", "a..b", "a.$", "$a", "_id.a", "a.1500001", "a.01", "a.$[]", "a.$[zz]", "k2", "$[].a", "a.$[].$"))
    return found
