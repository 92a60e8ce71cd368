"""Runs the `console` blocks of README.md and docs/: what follows `$ ` is a command, the lines after it are what it prints.

In what it prints `…` stands for anything; a line that is only `…` for any number of lines. A command that ends with ` &`
is a server: the test waits for its ready line, gives its URI as MONGODB_URI to the rest of the block, and stops it there.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS_MAX = 120


def blocks(text):
    """[[(command, expected output)]] of the console blocks of a page."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        parts = re.split(r"^\$ ", block, flags=re.M)[1:]
        yield [tuple(part.split("\n", 1)) for part in parts]


def fits(expected, actual):
    lines = expected.strip().split("\n")
    pattern = "".join("(?:.*\n)*" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in lines)
    return re.fullmatch(pattern, actual.strip() + "\n") is not None


def start(command, environment):
    server = subprocess.Popen(command.removesuffix(" &").split(), cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline()


def check(block):
    """The sentences of what differs in a block."""
    environment = {**os.environ, "PATH": f"{ROOT}/.setup/bin:{os.environ['PATH']}", "NO_COLOR": "1"}
    server = None
    for command, expected in block:
        if command.endswith(" &"):
            server, actual = start(command, environment)
            if actual:
                environment["MONGODB_URI"] = json.loads(actual)["uri"]
        else:
            result = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS_MAX, check=False)
            actual = result.stdout
            if result.returncode != 0:
                yield f"{command}: exit {result.returncode}: {actual[-500:]}"
        if expected.strip() and not fits(expected, actual):
            yield f"{command}: expected {expected.strip()!r}, came {actual.strip()!r}"
    if server:
        server.terminate()
        if server.wait(10) != 0:
            yield f"the server ended with {server.returncode}"


def main():
    failed = False
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for block in blocks(page.read_text(encoding="utf-8")):
            name = f"{page.relative_to(ROOT)}: {block[0][0]}"
            faults = list(check(block))
            failed = failed or bool(faults)
            print(f"FAIL {name}: {'; '.join(faults)}".replace("\n", " ") if faults else f"ok {name}", flush=True)
    lines = (ROOT / "README.md").read_text(encoding="utf-8").count("\n")
    print("ok README.md has at most 120 lines" if lines <= 120 else f"FAIL README.md has {lines} lines")
    return 1 if failed or lines > 120 else 0


if __name__ == "__main__":
    sys.exit(main())
