"""BSON as bytes, with the types a driver would hide: an int is Int32, Int64 and dates are classes of their own."""

import decimal
import struct

INT32_MIN, INT32_MAX = -(1 << 31), (1 << 31) - 1
DECIMAL_BIAS = 6176
DECIMAL_DIGITS = decimal.Context(prec=34, Emin=-6143, Emax=6144, clamp=1)

_int32 = struct.Struct("<i")
_int64 = struct.Struct("<q")
_double = struct.Struct("<d")


class Int64(int):
    pass


class Date(int):
    """Milliseconds after 1970."""


class Timestamp(tuple):
    """(seconds, increment)"""


class ObjectId(bytes):
    pass


class Binary(bytes):
    """Subtype first, then the data."""


class Decimal128(str):
    """As text, so that 1.0 and 1.00 stay apart: 1.50, -0, 1E+40, NaN, Infinity."""


class Regex(tuple):
    """(pattern, options)"""


class Code(str):
    pass


class Symbol(str):
    pass


class Constant(str):
    """minKey, maxKey or undefined."""


MIN_KEY, MAX_KEY, UNDEFINED = Constant("minKey"), Constant("maxKey"), Constant("undefined")
_CONSTANTS = {MIN_KEY: 0xFF, MAX_KEY: 0x7F, UNDEFINED: 0x06}


def decimal_bytes(text):
    """The 16 bytes (BID) of a decimal's text."""
    value = decimal.Decimal(text)
    sign = value.is_signed() << 127
    if value.is_nan():
        return (0x7C << 120).to_bytes(16, "little")
    if value.is_infinite():
        return (sign | 0x78 << 120).to_bytes(16, "little")
    _, digits, exponent = value.as_tuple()
    coefficient = int("".join(map(str, digits)) or "0")
    return (sign | (exponent + DECIMAL_BIAS) << 113 | coefficient).to_bytes(16, "little")


def decimal_text(raw):
    bits = int.from_bytes(raw, "little")
    sign = "-" if bits >> 127 else ""
    head = bits >> 122 & 0x1F
    if head == 0x1F:
        return "NaN"
    if head == 0x1E:
        return sign + "Infinity"
    exponent, coefficient = (bits >> 113 & 0x3FFF) - DECIMAL_BIAS, bits & (1 << 113) - 1
    if head >> 3 == 3:  # a coefficient over 34 digits counts as zero
        exponent, coefficient = (bits >> 111 & 0x3FFF) - DECIMAL_BIAS, 0
    digits = tuple(map(int, str(coefficient)))
    return str(decimal.Decimal((bits >> 127, digits, exponent)))


def _text(value):
    raw = value.encode("utf-8", "surrogateescape")
    return _int32.pack(len(raw) + 1) + raw + b"\0"


def _of_int(name, value):
    if INT32_MIN <= value <= INT32_MAX:
        return b"\x10" + name + b"\0" + _int32.pack(value)
    return b"\x12" + name + b"\0" + _int64.pack(value)


def _array(items):
    return encode({str(index): item for index, item in enumerate(items)})


_WRITERS = {
    int: _of_int,
    bool: lambda name, value: b"\x08" + name + (b"\0\1" if value else b"\0\0"),
    float: lambda name, value: b"\x01" + name + b"\0" + _double.pack(value),
    str: lambda name, value: b"\x02" + name + b"\0" + _text(value),
    dict: lambda name, value: b"\x03" + name + b"\0" + encode(value),
    list: lambda name, value: b"\x04" + name + b"\0" + _array(value),
    type(None): lambda name, value: b"\x0a" + name + b"\0",
    Int64: lambda name, value: b"\x12" + name + b"\0" + _int64.pack(value),
    Date: lambda name, value: b"\x09" + name + b"\0" + _int64.pack(value),
    Timestamp: lambda name, value: b"\x11" + name + b"\0" + struct.pack("<II", value[1], value[0]),
    ObjectId: lambda name, value: b"\x07" + name + b"\0" + value,
    Binary: lambda name, value: b"\x05" + name + b"\0" + _int32.pack(len(value) - 1) + value,
    Decimal128: lambda name, value: b"\x13" + name + b"\0" + decimal_bytes(value),
    Regex: lambda name, value: b"\x0b" + name + b"\0" + value[0].encode() + b"\0" + value[1].encode() + b"\0",
    Code: lambda name, value: b"\x0d" + name + b"\0" + _text(value),
    Symbol: lambda name, value: b"\x0e" + name + b"\0" + _text(value),
    Constant: lambda name, value: bytes([_CONSTANTS[value]]) + name + b"\0",
}


def encode(document):
    body = b"".join([_WRITERS[type(value)](name.encode("utf-8", "surrogateescape"), value) for name, value in document.items()])
    return _int32.pack(len(body) + 5) + body + b"\0"


_FIXED = {0x01: 8, 0x06: 0, 0x07: 12, 0x08: 1, 0x09: 8, 0x0A: 0, 0x10: 4, 0x11: 8, 0x12: 8, 0x13: 16, 0x7F: 0, 0xFF: 0}


def _size(kind, raw, at):
    """Bytes of the value of this type that begins at `at`."""
    if kind in _FIXED:
        return _FIXED[kind]
    if kind == 0x0B:
        return raw.index(b"\0", raw.index(b"\0", at) + 1) + 1 - at
    length, = _int32.unpack_from(raw, at)
    if kind in (0x03, 0x04, 0x0F):
        return length
    if kind in (0x02, 0x0D, 0x0E):
        return length + 4
    if kind == 0x05:
        return length + 5
    if kind == 0x0C:
        return length + 16
    raise ValueError(f"BSON type {kind:#x}")


def elements(raw):
    """(type, name's bytes, value's bytes) of each element of a document's bytes; nothing is decoded."""
    at, end = 4, len(raw) - 1
    while at < end:
        kind = raw[at]
        stop = raw.index(b"\0", at)
        size = _size(kind, raw, stop + 1)
        yield kind, raw[at + 1:stop], raw[stop + 1:stop + 1 + size]
        at = stop + 1 + size


def find(raw, *path):
    """The bytes of the value at a path of names, or None."""
    for step in path:
        raw = next((value for _, name, value in elements(raw) if name == step), None)
        if raw is None:
            return None
    return raw


def _decode_text(raw):
    return raw[4:-1].decode("utf-8", "surrogateescape")


def _decode_regex(raw):
    pattern, options, _ = raw.split(b"\0")
    return Regex((pattern.decode("utf-8", "surrogateescape"), options.decode()))


_READERS = {
    0x01: lambda raw: _double.unpack(raw)[0],
    0x02: _decode_text,
    0x03: lambda raw: decode(raw),
    0x04: lambda raw: [_READERS[kind](value) for kind, _, value in elements(raw)],
    0x05: lambda raw: Binary(raw[4:]),
    0x06: lambda raw: UNDEFINED,
    0x07: ObjectId,
    0x08: lambda raw: raw == b"\1",
    0x09: lambda raw: Date(_int64.unpack(raw)[0]),
    0x0A: lambda raw: None,
    0x0B: _decode_regex,
    0x0D: lambda raw: Code(_decode_text(raw)),
    0x0E: lambda raw: Symbol(_decode_text(raw)),
    0x10: lambda raw: _int32.unpack(raw)[0],
    0x11: lambda raw: Timestamp(struct.unpack("<II", raw)[::-1]),
    0x12: lambda raw: Int64(_int64.unpack(raw)[0]),
    0x13: lambda raw: Decimal128(decimal_text(raw)),
    0x7F: lambda raw: MAX_KEY,
    0xFF: lambda raw: MIN_KEY,
}


def decode(raw):
    return {name.decode("utf-8", "surrogateescape"): _READERS[kind](value) for kind, name, value in elements(raw)}
