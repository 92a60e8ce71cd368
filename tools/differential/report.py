"""A difference for people, and what kind it is."""

import re

from . import bson
from .extended_json import brief

_MASKED = {"oplog": ("ns", "ui", "ts", "t", "v", "wall"), "events": ("clusterTime", "wallTime", "ns"),
           "replies": ("electionId", "opTime", "$clusterTime", "operationTime")}


def _shown(part, raw):
    if raw is None:
        return "nothing"
    if part == "replies":  # its volatile values are gone, so it is no document any more
        raw = _whole(raw)
    try:
        return brief({name: item for name, item in bson.decode(raw).items() if name not in _MASKED.get(part, ())}) + _doubled(raw)
    except (ValueError, KeyError, IndexError):
        return repr(raw)


def _doubled(raw):
    """A document may have a name twice, which the text of one cannot show."""
    names = [name for _, name, _ in bson.elements(raw)]
    inside = "".join(_doubled(value) for kind, _, value in bson.elements(raw) if kind in (3, 4))
    return (f" (twice: {', '.join(sorted({name.decode() for name in names if names.count(name) > 1}))})" if len(set(names)) < len(names) else "") + inside


def _whole(elements):
    return (len(elements) + 5).to_bytes(4, "little") + elements + b"\0"


def _case_lines(case):
    return [f"  document {brief(document)}" for document in case.documents] + [f"  command  {brief(command)}" for command in case.commands]


def played(seed, cases):
    """What was played when a server fell: a case, or the numbers of several."""
    if len(cases) > 1:
        return f"seed {seed}, cases {cases[0].number} to {cases[-1].number}"
    return "\n".join([f"seed {seed}, case {cases[0].number}", *_case_lines(cases[0])])


def text(seed, case, differences):
    lines = [f"difference: seed {seed}, case {case.number}", *_case_lines(case)]
    for part, index, ours, theirs in differences:
        lines += [f"  {part}[{index}]", f"    oplogue {_shown(part, ours)}", f"    mongod  {_shown(part, theirs)}"]
    return "\n".join(lines)


def kind(differences):
    """Equal for differences that most likely have one cause: where it shows first, and both answers without their particulars."""
    part, _, ours, theirs = differences[0]
    if part != "replies":
        return (part, ours is None, theirs is None)
    return (part, *(re.sub(r"'[^']*'|\d+|: \{ .*", "", _shown(part, raw)) for raw in (ours, theirs)))
