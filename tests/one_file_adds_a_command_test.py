"""One new file in emulator/commands/ adds a command: builds a copy of the tree with such a file, and asks for it as a client."""

import filecmp
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build/one_file"
COMMAND = """\
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  context.reply.append_string("heard", "loud and clear");
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec say_loudly_command{
    .name = "sayLoudly", .run = run, .help = "Answers a request that no other file knows of."};

}  // namespace emulator
"""
# A client in a process of its own: this test needs no driver's package, the client has it.
CLIENT = """\
import os, pymongo
print(pymongo.MongoClient(os.environ["MONGODB_URI"]).admin.command("sayLoudly")["heard"])
"""


def copy_tree():
    """Brings the copy to the tree's state; what is equal keeps its time, so that a second run builds nothing."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout.split("\0")
    names = {name for name in listed if name and (ROOT / name).is_file()}
    for name in names:
        target = COPY / name
        if not target.is_file() or not filecmp.cmp(ROOT / name, target, shallow=False):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    for folder in ("wire", "emulator", "scenarios", "server", "tools"):
        for path in (COPY / folder).rglob("*.*"):
            if path.is_file() and str(path.relative_to(COPY)) not in names:
                path.unlink()
    (COPY / "emulator/commands/say_loudly.cpp").write_text(COMMAND, encoding="utf-8")


def ask():
    """What the server of the copy answers."""
    server = subprocess.Popen([COPY / "build/release/oplogue", "serve", "--port", "0"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True)
    try:
        uri = json.loads(server.stdout.readline())["uri"]
        client = subprocess.run([ROOT / ".setup/python/bin/python", "-c", CLIENT], env={"MONGODB_URI": uri}, capture_output=True,
                                text=True, timeout=60, check=False)
        return client.stdout.strip() or client.stderr[-500:]
    finally:
        server.terminate()
        server.wait(10)


def main():
    copy_tree()
    build = subprocess.run([COPY / "tools/build", "release", "oplogue"], cwd=COPY, capture_output=True, text=True, check=False)
    if build.returncode != 0:
        print(f"FAIL a new file alone builds: {build.stderr[-2000:]}")
        return 1
    print("ok a new file alone builds")
    answer = ask()
    if answer != "loud and clear":
        print(f"FAIL a new file alone adds a command: {answer}".replace("\n", " "))
        return 1
    print("ok a new file alone adds a command")
    return 0


if __name__ == "__main__":
    sys.exit(main())
