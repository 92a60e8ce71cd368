"""Which commands a suite sends, and how they are answered: a relay between the two, and a page of what it counted."""

import collections
import json
import subprocess

import suites

GENERIC = ("lsid", "$db", "$clusterTime", "$readPreference", "apiVersion")
REFUSED_BY_NAME = "238"


class Relay:
    """Runs while the suite does; `counted` afterwards."""

    def __init__(self):
        self.counted = {}
        self.process = subprocess.Popen([suites.PYMONGO / "venv/bin/python", suites.HERE / "relay.py"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def pass_on_to(self, server_uri):
        """-> the URI that the suite is given"""
        port = server_uri.removeprefix("mongodb://").split("/")[0].rsplit(":", 1)[1]
        self.process.stdin.write(f"{port}\n")
        self.process.stdin.flush()
        return server_uri.replace(f":{port}", f":{self.port}")

    def finish(self):
        self.process.stdin.close()
        self.counted = json.loads(self.process.stdout.read())
        self.process.wait(10)


def in_order(counts):
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def answered(answers):
    codes = [(code, count) for code, count in in_order(answers) if code not in ("ok", REFUSED_BY_NAME)]
    words = []
    if answers.get("ok"):
        words.append(f"served {answers['ok']}")
    if answers.get(REFUSED_BY_NAME):
        words.append(f"refused by name {answers[REFUSED_BY_NAME]}")
    if codes:
        words.append("errors " + ", ".join(f"{code}: {count}" for code, count in codes))
    return "; ".join(words) or "no reply"


def page(suite, profile, counted):
    lines = ["# Commands that a driver's suite sends", "",
             f"Written by `tools/conformance --sent docs/commands.md {suite}`: what PyMongo {suites.PYMONGO_VERSION} sent in one run of",
             f"its tier against Oplogue as {profile}, and what came back. Errors are mostly what the tests ask for (fail points among them);",
             "what a closed connection cut off has no answer. The wide tier holds the core one. Options leave out what nearly every command",
             "carries (" + ", ".join(f"`{name}`" for name in GENERIC) + ").", "",
             "| command | sent | options | answered |", "| --- | ---: | --- | --- |"]
    stages = collections.Counter()
    for name, counts in sorted(counted.items(), key=lambda item: (-item[1]["count"], item[0])):
        options = ", ".join(f"{field} {count}" for field, count in in_order(counts["fields"]) if field not in GENERIC)
        lines.append(f"| {name} | {counts['count']} | {options} | {answered(counts['answers'])} |")
        stages.update(counts["stages"])
    lines += ["", "Stages of pipelines: " + ", ".join(f"`{stage}` {count}" for stage, count in in_order(stages)) + ".", ""]
    return "\n".join(lines)
