"""What differs between two servers by right, replaced in the bytes by as many others: times, terms, UUIDs, generated ObjectIds, tokens' variable parts."""

import re

from .bson import elements

GENERATED_ID = b"GENERATED-ID"
LITERAL_ID = b"LITERAL."  # how the ObjectIds begin that a case itself gives as _id

_BYTES = [
    (re.compile(rb"(\x11(?:ts|clusterTime|operationTime)\x00).{8}", re.S), rb"\g<1>TIMETIME"),
    (re.compile(rb"(\x12t\x00).{8}", re.S), rb"\g<1>TERMTERM"),
    (re.compile(rb"(\x09(?:wall|wallTime)\x00).{8}", re.S), rb"\g<1>WALLTIME"),
    (re.compile(rb"(\x12h\x00).{8}", re.S), rb"\g<1>HASHHASH"),
    (re.compile(rb"(\x05ui\x00\x10\x00\x00\x00\x04).{16}", re.S), rb"\g<1>UUIDUUIDUUIDUUID"),
    (re.compile(rb"(\x07(?:_id|upserted)\x00)(?!" + re.escape(LITERAL_ID) + rb").{12}", re.S), rb"\g<1>" + GENERATED_ID),
    (re.compile(rb"(\x09(?:[a-z0-9.]+\.)?zd\x00).{8}", re.S), rb"\g<1>NOW-DATE"),
    (re.compile(rb"(\x11(?:[a-z0-9.]+\.)?zt\x00).{8}", re.S), rb"\g<1>NOW-TIME"),
    # A $currentDate's value in a message, in the milliseconds of these years.
    (re.compile(rb"new Date\(1[789]\d{11}\)"), b"new Date(NOW-MILLISECO)"),
    (re.compile(rb"Timestamp\(1[789]\d{8}, \d{1,6}\)"), lambda found: b"T" * len(found[0])),
    # A resume token: 82, cluster time; then the fixed part; 5A1004 and the collection's UUID; an ObjectId as _id.
    (re.compile(rb"(\x02_data\x00.{4}82)[0-9A-F]{16}", re.S), rb"\g<1>TTTTTTTTTTTTTTTT"),
    (re.compile(rb"5A1004[0-9A-F]{32}"), b"5A1004" + b"U" * 32),
    (re.compile(rb"(645F69640064)(?!4C49544552414C2E)[0-9A-F]{24}"), rb"\g<1>" + b"I" * 24),
    (re.compile(rb"ObjectId\('(?!4c49544552414c2e)[0-9a-f]{24}'\)"), b"ObjectId('" + b"I" * 24 + b"')"),
]
# Values of a reply that say when and where, not what.
_VOLATILE_REPLY_FIELDS = frozenset((b"electionId", b"opTime", b"operationTime", b"$clusterTime", b"$gleStats", b"lastCommittedOpTime"))
_BETWEEN = b"\0-between-two-documents-\xff"


def mask(documents):
    """A list of documents' bytes, masked in one pass."""
    raw = _BETWEEN.join(documents)
    for pattern, replacement in _BYTES:
        raw = pattern.sub(replacement, raw)
    return raw.split(_BETWEEN) if documents else []


def reply(raw):
    """A reply's elements with the values gone that say only when and where."""
    return b"".join(b"\x0a%b\0" % name if name in _VOLATILE_REPLY_FIELDS else b"%c%b\0%b" % (kind, name, value) for kind, name, value in elements(raw))
