"""A case as a golden: a line of updates.json where one update of one document says it all, else a case for run_case.py."""

import dataclasses
import json
import pathlib
import subprocess
import sys

from . import bson, rounds
from .extended_json import tree
from .masks import GENERATED_ID

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ANY_DOCUMENT = {"_id": 1}
LINE_OPTIONS = {"q", "u", "arrayFilters", "upsert"}


def _statement(case):
    """The only statement of the only update of at most one document; None: the case is more than that."""
    if len(case.commands) != 1 or len(case.documents) > 1 or case.commands[0].keys() - {"update", "updates"}:
        return None
    statements = case.commands[0].get("updates", ())
    if len(statements) != 1 or statements[0].keys() - LINE_OPTIONS or bool(case.documents) == ("upsert" in statements[0]):
        return None
    return statements[0]


def _outcome(evidence, command_reply):
    """What came of the statement, as a line says it; None: nothing that a line can say."""
    reply = bson.decode((len(command_reply) + 5).to_bytes(4, "little") + command_reply + b"\0")
    if reply["ok"] != 1:
        return {"error": {"code": reply["code"], "errmsg": reply["errmsg"]}, "command": True}
    if "writeErrors" in reply:
        error = reply["writeErrors"][0]
        return {"error": {"code": error["code"], "errmsg": error["errmsg"]}}
    if reply["n"] == 0:
        return None
    entries = [entry for entry in map(bson.decode, evidence.oplog) if entry["op"] == "u" or "upserted" in reply]
    if not entries:
        return {"result": "noop"}
    entry = entries[0]
    outcome = {"op": entry["op"], "o": entry["o"]}
    if entry["op"] == "i":
        if entry["o"].get("_id") == GENERATED_ID:
            del entry["o"]["_id"]
        return outcome
    outcome["post"] = bson.decode(evidence.documents[0])
    if description := bson.decode(evidence.events[-1]).get("updateDescription"):
        outcome["updateDescription"] = description
    return outcome


def line_of(case, evidence):
    statement = _statement(case)
    outcome = _outcome(evidence, evidence.replies[-1]) if statement else None
    if outcome is None:
        return None
    line = {"pre": case.documents[0]} if case.documents else {}
    if statement["q"] or not case.documents:
        line["q"] = statement["q"]
    line |= {name: statement[name] for name in ("u", "arrayFilters", "upsert") if name in statement}
    return tree({**line, **outcome})


def append_line(path, line):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_text(encoding="utf-8").strip()[1:-1].strip() if path.exists() else ""
    text = json.dumps(line)
    if text not in lines:
        path.write_text("[\n" + (lines + ",\n" if lines else "") + text + "\n]\n", encoding="utf-8")


def whole_case(name, about, case, images):
    """A case of tests/golden/FORMAT.md, without what is expected."""
    setup = [{"db": "golden", "command": {"create": "c", **images}}]
    if case.documents:
        setup.append({"db": "golden", "command": {"insert": "c", "documents": case.documents}})
    wanted = {"fullDocument": "whenAvailable", "fullDocumentBeforeChange": "whenAvailable"} if images else {}
    steps = [{"db": "golden", "command": command} for command in case.commands]
    steps.append({"db": "golden", "command": {"find": "c"}, "keep": ["cursor"]})
    return {"name": name, "about": about, "requires": ["mongod605"], "setup": setup,
            "streams": [{"id": "s", "target": {"db": "golden", "coll": "c"}, "pipeline": [{"$changeStream": wanted}]}], "steps": steps}


def record(folder, seed, case, player, collection):
    """Writes the case with what mongod says into a tree like tests/golden; gives the path."""
    if not case.documents and _statement(dataclasses.replace(case, documents=[ANY_DOCUMENT])):
        # An error of the request needs no document, but a line does.
        case = dataclasses.replace(case, documents=[ANY_DOCUMENT])
    evidence, = rounds.play([player], rounds.messages([case], collection, player.version), collection)
    line = line_of(case, evidence)
    if line:
        path = folder / "updates/updates.json"
        append_line(path, line)
        return path
    images = {"changeStreamPreAndPostImages": {"enabled": True}} if collection == rounds.WITH_IMAGES and player.version >= (6, 0) else {}
    name = f"differ-{seed}-{case.number}"
    path = folder / "cases" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(tree(whole_case(name, "a difference that tools/differ found and shrank", case, images))), encoding="utf-8")
    python = ROOT / ".setup/python/bin/python"
    program = [str(python) if python.exists() else sys.executable, str(ROOT / "tests/golden/run_case.py")]
    subprocess.run([*program, "--uri", "mongodb://%s:%d" % player.connection.place, "--record", str(path)], check=True)
    return path
