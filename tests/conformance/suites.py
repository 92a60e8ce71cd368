"""The drivers' own suites: where each comes from, how it is run against a URI, and how what it prints is read.

Each comes from its registry (pip, npm, apt) and is kept below .setup/. A suite gives the names of its tests by outcome.
"""

import dataclasses
import json
import os
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from command import run as to_its_end  # noqa: E402

HERE = ROOT / "tests/conformance"
KEPT = ROOT / ".setup/conformance"

PYMONGO_VERSION = "4.20.1"
TEST_SECONDS_MAX = 120


class Failure(Exception):
    """One sentence for the user."""


@dataclasses.dataclass
class Outcomes:
    """Test names by outcome; why a test failed beside its name."""
    passed: set = dataclasses.field(default_factory=set)
    failed: dict = dataclasses.field(default_factory=dict)
    skipped: set = dataclasses.field(default_factory=set)


def run(command, **options):
    """Runs it to its end, at most `seconds`; gives (exit code, output)."""
    return to_its_end(command, options.pop("seconds", 3600), **options)


def environment(**more):
    """This process's, with the language tools that tools/setup placed first in PATH."""
    return {**os.environ, "PATH": f"{ROOT}/.setup/bin:{os.environ['PATH']}", **more}


def must(command, **options):
    code, output = run(command, **options)
    if code != 0:
        raise Failure(f"{command[0]} ended with {code}:\n{output[-3000:]}")


def once(stamp, text, make):
    """Calls make() unless it was called before with this text."""
    if stamp.is_file() and stamp.read_text() == text:
        return
    stamp.parent.mkdir(parents=True, exist_ok=True)
    make()
    stamp.write_text(text)


def read_checks(code, output):
    """Of a program of ours that prints `ok NAME` and `not ok NAME: why`."""
    outcomes = Outcomes(passed=set(re.findall(r"^ok (.+)$", output, re.M)),
                        failed=dict(re.findall(r"^not ok (.+?): (.*)$", output, re.M)))
    if code != 0 and not outcomes.failed:
        outcomes.failed["the program runs to its end"] = f"it ended with {code}: {output[-300:]}"
    return outcomes


# --- PyMongo: the tests of its source distribution

PYMONGO = KEPT / "pymongo"
PYMONGO_SOURCE = PYMONGO / f"pymongo-{PYMONGO_VERSION}"

CORE_MODULES = (
    "session", "sessions_unified", "retryable_reads", "retryable_reads_unified", "streaming_protocol", "heartbeat_monitoring",
    "monitoring", "command_monitoring", "command_logging", "handshake_unified", "run_command", "collection_management",
    "causal_consistency", "discovery_and_monitoring", "sdam_monitoring_spec", "connection_monitoring", "hello_latched", "logger",
    "unified_format", "cursor", "custom_types", "examples", "pooling", "compression_support", "comment",
    "read_write_concern_spec", "versioned_api_integration")
WIDE_MODULES = ("crud_unified", "retryable_writes", "retryable_writes_unified", "transactions", "transactions_unified",
                "collection", "bulk", "database")
CHANGE_STREAMS = ["test", "-k", "change_stream or changestream or ChangeStream or watch"]


def modules(names):
    return ["-m", "default", *(f"test/test_{name}.py" for name in names)]


def set_up_pymongo():
    def make():
        must(["python3", "-m", "venv", PYMONGO / "venv"])
        pip = PYMONGO / "venv/bin/pip"
        must([pip, "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", PYMONGO, f"pymongo=={PYMONGO_VERSION}"])
        must(["tar", "xzf", f"{PYMONGO_SOURCE}.tar.gz", "-C", PYMONGO])
        must([pip, "install", "-q", PYMONGO_SOURCE, "-r", HERE / "requirements.txt"])

    once(PYMONGO / "stamp", PYMONGO_VERSION + (HERE / "requirements.txt").read_text(), make)


def read_junit(path):
    outcomes = Outcomes()
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        by_tag = {child.tag: child for child in case}
        wrong = by_tag.get("failure", by_tag.get("error"))
        if wrong is not None:
            outcomes.failed[name] = (wrong.get("message") or "no message").splitlines()[0]
        elif "skipped" in by_tag:
            outcomes.skipped.add(name)
        else:
            outcomes.passed.add(name)
    return outcomes


def run_pymongo(uri, selection):
    left_out = [line.split("  ")[0] for line in (HERE / "lists/pymongo_left_out.txt").read_text().splitlines()
                if line and not line.startswith("#")]
    host, port = re.match(r"mongodb://([^/:]+):(\d+)", uri).groups()
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.xml"
        (PYMONGO_SOURCE / "xunit-results").mkdir(exist_ok=True)  # its pytest.ini writes there
        deselected = [word for test in left_out for word in ("--deselect", test)]
        code, output = run([PYMONGO / "venv/bin/python", "-m", "pytest", *selection, *deselected, "-q", "-p", "no:cacheprovider",
                            f"--timeout={TEST_SECONDS_MAX}", f"--junitxml={result}"],
                           cwd=PYMONGO_SOURCE, env={**os.environ, "DB_IP": host, "DB_PORT": port})
        if not result.is_file():
            raise Failure(f"pytest ended with {code} and no result:\n{output[-3000:]}")
        return read_junit(result)


# --- libmongoc: test-libmongoc of Debian's source package

LIBMONGOC = KEPT / "libmongoc"
LIBMONGOC_TESTS = ("/change_stream*", "/retryable_reads/changeStreams*", "/Session/watch*", "/Session/change_stream*",
                   "/inheritance/*watch*", "/long_namespace/change_stream", "/collection-management/*")
LIBMONGOC_SHORT = ("/change_streams/unified/*", "/change_stream/live/watch", "/change_stream/resumable_error",
                   "/collection-management/*")
LIBMONGOC_LEFT_OUT = "/change_stream/live/read_prefs # reads from a secondary: fails on one mongod as well\n"


def set_up_libmongoc():
    once(LIBMONGOC.with_suffix(".stamp"), (HERE / "build_libmongoc").read_text(),
         lambda: must([HERE / "build_libmongoc", LIBMONGOC]))


def read_libmongoc(text, code, output):
    outcomes = Outcomes()
    for status, name in re.findall(r'"status": "(\w+)", "test_file": "([^"]+)"', text):
        if status == "pass":
            outcomes.passed.add(name)
        elif status == "skip":
            outcomes.skipped.add(name)
        else:
            outcomes.failed[name] = "its words are in test-libmongoc's output"
    if code != 0 and not outcomes.failed:
        last = re.findall(r"^Begin (\S+?),", output, re.M)
        outcomes.failed[last[-1] if last else "test-libmongoc"] = f"ended with {code}: {output[-300:]}"
    return outcomes


def run_libmongoc(uri, selection):
    with tempfile.TemporaryDirectory() as folder:
        result, left_out = pathlib.Path(folder) / "result.json", pathlib.Path(folder) / "left_out.txt"
        left_out.write_text(LIBMONGOC_LEFT_OUT)
        chosen = [word for name in selection for word in ("-l", name)]
        code, output = run([LIBMONGOC / "test-libmongoc", "--skip-tests", left_out, *chosen, "-F", result],
                           cwd=LIBMONGOC / "source", env={**os.environ, "MONGOC_TEST_URI": uri}, seconds=900)
        return read_libmongoc(result.read_text() if result.is_file() else "", code, output)


# --- mongosh: a script of ours in the shell that tools/setup fetched

MONGOSH = ROOT / ".setup/mongosh/node_modules/.bin/mongosh"


def set_up_mongosh():
    if not MONGOSH.exists():
        must([ROOT / "tools/setup", "test"])


def run_mongosh(uri, _):
    with tempfile.TemporaryDirectory() as home:  # it writes its history and settings there
        code, output = run([MONGOSH, "--quiet", "--norc", uri, "--file", HERE / "mongosh_smoke.js"],
                           env=environment(HOME=home), seconds=240)
        return read_checks(code, output)


# --- the table of suites

@dataclasses.dataclass(frozen=True)
class Suite:
    name: str
    set_up: object
    run: object
    selection: object  # what run() gets: tests of the suite
    short: object  # a part that takes seconds; None: all of it
    mongod_passes: int  # tests that a mongod 6.0.5 of one member passes
    passes_list: str = ""  # a file of lists/ that has their names (and may have others)
    is_quick: bool = True  # it takes seconds to set up, so a short run has it


SUITES = (
    Suite("pymongo-change-streams", set_up_pymongo, run_pymongo, CHANGE_STREAMS,
          ["test/test_change_stream.py", "-k", "TestUnified"], 400, "pymongo_change_streams.txt"),
    Suite("pymongo-core", set_up_pymongo, run_pymongo, modules(CORE_MODULES),
          modules(("sessions_unified", "command_monitoring", "command_logging", "collection_management")), 1135,
          "pymongo_wide.txt"),
    Suite("pymongo-wide", set_up_pymongo, run_pymongo, modules(CORE_MODULES + WIDE_MODULES),
          modules(("crud_unified",)), 1916, "pymongo_wide.txt"),
    Suite("libmongoc", set_up_libmongoc, run_libmongoc, LIBMONGOC_TESTS, LIBMONGOC_SHORT, 47, "libmongoc.txt"),
    Suite("mongosh", set_up_mongosh, run_mongosh, None, None, 17),
)
