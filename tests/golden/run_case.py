#!/usr/bin/env python3
"""Run golden change-stream cases against a server that speaks the MongoDB wire protocol.

    run_case.py --uri mongodb://HOST:PORT CASE.json ...           print normalised actual results
    run_case.py --uri mongodb://HOST:PORT --check CASE.json ...   compare with "expect"; exit 1 on any failure
    run_case.py --uri mongodb://HOST:PORT --record CASE.json ...  overwrite "expect" with what was seen

Only the `bson` package (part of pymongo) is needed.  Messages are built by hand, so nothing but
`$db` is added to a command: no session, no read preference, no cluster time.

The format of a case is described in FORMAT.md beside this file.
"""
import argparse
import json
import re
import sys

from bson import json_util

from golden_normalise import JSON, opaque_tokens
from golden_runner import Runner
from golden_wire import CaseError, Closed

FEATURES = ["testCommands", "smallOplog", "rolledOplog", "fastPreImageExpiry", "storedPreImages", "oplog", "mongod605",
            "splitLargeEvent", "mongod6027", "legacyOpcodes", "noLegacyOpcodes", "mongod42", "mongod44", "mongod50"]


def differences(want, got, path="expect"):
    if isinstance(want, dict) and isinstance(got, dict):
        out = []
        if list(want) != list(got):
            out.append("%s: fields %s, got %s" % (path, list(want), list(got)))
        for k in want:
            if k in got: out += differences(want[k], got[k], path + "." + k)
        return out
    if isinstance(want, list) and isinstance(got, list):
        out = [] if len(want) == len(got) else ["%s: %d items, got %d" % (path, len(want), len(got))]
        for n, (a, b) in enumerate(zip(want, got)): out += differences(a, b, "%s.%d" % (path, n))
        return out
    return [] if want == got and type(want) is type(got) else \
        ["%s: %s, got %s" % (path, json.dumps(want)[:600], json.dumps(got)[:600])]


def pretty(v, indent=0, width=118):
    """JSON text with short objects and lists kept on one line."""
    flat = json.dumps(v)
    if len(flat) + indent <= width or not isinstance(v, (dict, list)) or not v:
        return flat
    pad = " " * (indent + 1)
    if isinstance(v, dict):
        rows = ["%s%s: %s" % (pad, json.dumps(k), pretty(x, indent + 1, width - len(k) - 4)) for k, x in v.items()]
        return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(pad + pretty(x, indent + 1, width) for x in v) + "\n" + " " * indent + "]"


def load(path):
    """-> (the case with BSON values, the file as plain JSON).  "expect" stays plain JSON in both."""
    with open(path) as f:
        plain = json.load(f)
    body = {k: v for k, v in plain.items() if k != "expect"}
    case = json_util.loads(json.dumps(body), json_options=JSON)
    if "expect" in plain: case["expect"] = plain["expect"]
    return case, plain


def main():
    p = argparse.ArgumentParser(description="Run golden change-stream cases (see the top of this file).")
    p.add_argument("--uri", required=True)
    mode = p.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--record", action="store_true")
    p.add_argument("--opaque-tokens", action="store_true")
    p.add_argument("--skip", action="append", default=[], choices=FEATURES)
    p.add_argument("-v", "--verbose", action="store_true", help="show all differences, and each case's name")
    p.add_argument("cases", nargs="+")
    a = p.parse_args()
    m = re.match(r"mongodb://([^/:,@]+|\[[^\]]+\])(?::(\d+))?(?:[/?].*)?$", a.uri)
    if not m: p.error("want mongodb://HOST[:PORT]")
    host, port = m.group(1).strip("[]"), int(m.group(2) or 27017)
    passed = failed = skipped = 0
    for path in a.cases:
        case, plain = load(path)
        if set(case.get("requires", [])) & set(a.skip):
            skipped += 1
            continue
        if a.record: case.pop("expect", None)
        try:
            actual, problem = Runner(host, port, case).run(), None
        except (CaseError, OSError, KeyError, IndexError, TypeError, Closed, ValueError) as e:
            actual, problem = None, "%s: %s" % (type(e).__name__, e)
        if a.check:
            diff = [problem] if problem else None
            if not problem:
                want = case["expect"]
                if a.opaque_tokens: want, actual = opaque_tokens(want), opaque_tokens(actual)
                diff = differences(want, actual)
            if diff:
                failed += 1
                print("FAIL %s" % case["name"])
                for d in diff if a.verbose else diff[:5]: print("     " + d)
            else:
                passed += 1
                if a.verbose: print("ok   %s" % case["name"])
        elif problem:
            failed += 1
            print("ERROR %s: %s" % (case["name"], problem))
        elif a.record:
            plain["expect"] = actual
            with open(path, "w") as f:
                f.write(pretty(plain) + "\n")
            passed += 1
        else:
            print(pretty({"name": case["name"], "actual": actual}))
            passed += 1
    if a.check or a.record:
        print("%d passed, %d failed%s" % (passed, failed, ", %d skipped" % skipped if skipped else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
