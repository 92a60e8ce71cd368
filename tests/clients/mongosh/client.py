#!/usr/bin/env python3
"""The examples of MongoDB's manual page on update events, through the real mongosh: its printed output is the page's.

The page's pipeline example calls the key of a truncated array `fields`; the server's is `field`, and so it is expected here.
"""

import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
MONGOSH = HERE.parent.parent.parent / ".setup/mongosh/node_modules/.bin/mongosh"

SUBFIELDS = [
    "--- Change Stream Results ---",
    "Operation: standard_remove_1_of_3",
    '{"updatedFields":{},"removedFields":["contactMethods.email"],"truncatedArrays":[]}',
    "Operation: pipeline_remove_1_of_3",
    '{"updatedFields":{},"removedFields":["contactMethods.email"],"truncatedArrays":[]}',
    "Operation: standard_remove_2_of_3",
    '{"updatedFields":{},"removedFields":["contactMethods.email","contactMethods.phone"],"truncatedArrays":[]}',
    "Operation: pipeline_remove_2_of_3",
    '{"updatedFields":{"contactMethods":{"mobile":"555-0101"}},"removedFields":[],"truncatedArrays":[]}',
]
ARRAYS = {
    "$push to an empty array reports the array": '{"updatedFields":{"scores":[0.85]},"removedFields":[],"truncatedArrays":[]}',
    "$push to a filled array reports the element": '{"updatedFields":{"scores.1":0.94},"removedFields":[],"truncatedArrays":[]}',
    "$pull reports the array": '{"updatedFields":{"scores":[0.85]},"removedFields":[],"truncatedArrays":[]}',
    "a pipeline that shortens an array reports its new size":
        '{"updatedFields":{},"removedFields":[],"truncatedArrays":[{"field":"scores","newSize":2}]}',
    "a pipeline that lengthens an array reports the element":
        '{"updatedFields":{"scores.2":0.78},"removedFields":[],"truncatedArrays":[]}',
}


def lines_of(script):
    result = subprocess.run([str(MONGOSH), os.environ["MONGODB_URI"], "--quiet", "--file", str(HERE / script)],
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    # Blank lines only set the page's paragraphs apart; the warnings are mongosh's own, about cursors that block.
    return [line for line in result.stdout.splitlines() if line and not line.startswith("Warning: ")] or [result.stderr.strip()[-300:]]


def report(name, want, got):
    print(f"ok {name}" if want == got else f"FAIL {name}: expected {want!r}, got {got!r}", flush=True)


def main():
    report("the script on removed subfields prints the page's output", SUBFIELDS, lines_of("subfields.js"))
    printed = lines_of("arrays.js")
    for index, (name, want) in enumerate(ARRAYS.items()):
        report(name, want, printed[index] if index < len(printed) else "")


if __name__ == "__main__":
    main()
