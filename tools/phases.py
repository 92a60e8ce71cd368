"""The phases of tools/test: what each builds and runs, and how what it ran is counted."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

from command import run as to_its_end

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM_SECONDS_MAX = 900
FUZZ_SECONDS, FUZZ_SECONDS_LONG = 20, 60
# Programs of C++ tests by phase; whatever else ctest knows belongs to "scripts".
CPP_PHASES = ("unit", "playbook", "golden", "runner")
# Nothing below server/ has threads: only what contains server/ can have a race.
TSAN_TARGETS = ("unit_server", "oplogue")
SANITIZER_ENVIRONMENT = {
    "ASAN_OPTIONS": "check_initialization_order=1:strict_init_order=1:detect_stack_use_after_return=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1",
}


class Tally:
    """Counts checks by phase and remembers what failed; safe to use from two threads."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.failures = []
        self._lock = threading.Lock()

    def add(self, passed, failures):
        with self._lock:
            self.passed += passed
            self.failed += len(failures)
            self.failures += failures


def run(command, **options):
    """Runs a command to its end; gives (exit code, output). A command that hangs is killed and fails."""
    environment = {**os.environ, **SANITIZER_ENVIRONMENT, **options.pop("env", {})}
    return to_its_end(command, options.pop("seconds", PROGRAM_SECONDS_MAX), env=environment, cwd=options.pop("cwd", ROOT), **options)


def count_gtest(name, code, output):
    """(passed, failures) of a GoogleTest program; a crash is the failure of the test that was running."""
    started = re.findall(r"^\[ RUN      \] (\S+)", output, re.M)
    good = re.findall(r"^\[       OK \] (\S+)", output, re.M)
    skipped = re.findall(r"^\[  SKIPPED \] (\S+?),? \(\d+ ms\)", output, re.M)
    bad = re.findall(r"^\[  FAILED  \] (\S+?)(?:, where .*)? \(\d+ ms\)", output, re.M)
    failures = [f"{name}: {test}" for test in bad]
    if code != 0 and not bad:
        last = started[-1] if started else "nothing ran"
        failures.append(f"{name}: exit {code} in {last}")
    if not started and code == 0:
        failures.append(f"{name}: holds no test")
    for test in skipped:
        print(f"    skipped {name}: {test}")
    return len(good), failures


def count_lines(name, code, output):
    """(passed, failures) of a script that prints `ok NAME` and `FAIL NAME: why`; one without such lines is one check."""
    good = re.findall(r"^ok (.+)$", output, re.M)
    bad = re.findall(r"^FAIL (.+)$", output, re.M)
    failures = [f"{name}: {line}" for line in bad]
    if code != 0 and not bad:
        failures.append(f"{name}: exit {code}")
    return (len(good) or (0 if failures else 1)), failures


def judge(name, code, output, tally):
    count = count_gtest if "[==========]" in output else count_lines
    passed, failures = count(name, code, output)
    tally.add(passed, failures)
    if failures:
        print(f"--- {name}\n{output[-6000:]}\n--- {name}: exit {code}", flush=True)


def build(preset, *targets):
    code, output = run(["tools/build", preset, *targets], seconds=3600)
    if code != 0:
        raise RuntimeError(f"build {preset} failed:\n{output[-8000:]}")
    print("    " + output.strip().splitlines()[-1], flush=True)


def programs(preset):
    """[(name, command, directory)] of every test that ctest knows in build/PRESET."""
    code, output = run(["ctest", "--test-dir", f"build/{preset}", "--show-only=json-v1"])
    if code != 0:
        raise RuntimeError(f"ctest: {output}")
    found = []
    for test in json.loads(output[output.index("{"):])["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        found.append((test["name"], test.get("command"), properties.get("WORKING_DIRECTORY", str(ROOT))))
    return found


def phase_of(name):
    return next((phase for phase in CPP_PHASES if name == phase or name.startswith(phase + "_")), "scripts")


def run_programs(chosen, label, tally):
    if not chosen:
        raise RuntimeError("there is no such test program")

    def one(entry):
        name, command, directory = entry
        if command is None:
            return name, 127, "the program was not built"
        return (name, *run(command, cwd=directory))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, code, output in pool.map(one, chosen):
            judge(label + name, code, output, tally)


class Phases:
    """Each method is a phase; it raises RuntimeError when it cannot run."""

    def __init__(self, tally, fuzz_seconds):
        self.tally = tally
        self.fuzz_seconds = fuzz_seconds

    def of_release(self, phase):
        build("release")
        chosen = [entry for entry in programs("release") if phase_of(entry[0]) == phase]
        run_programs(chosen, "", self.tally)

    def unit(self):
        self.of_release("unit")

    def playbook(self):
        self.of_release("playbook")

    def golden(self):
        self.of_release("golden")

    def runner(self):
        self.of_release("runner")

    def scripts(self):
        """Tests that are scripts: of tidy, of the README's commands, of one file adding a command."""
        build("release")
        for script in sorted((ROOT / "tests").glob("*_test.*")) + sorted((ROOT / "tests/golden").glob("*_test.py")):
            command = [sys.executable, str(script)] if script.suffix == ".py" else ["bash", str(script)]
            judge(script.stem, *run(command), self.tally)

    def scenarios(self):
        build("release", "oplogue", "quickstart_consumer")
        code, output = run(["build/release/oplogue", "run", "scenarios/library/quickstart.yaml", "--",
                            "build/release/quickstart_consumer"])
        judge("scenarios/library/quickstart.yaml", code, output, self.tally)
        library = sorted(path for path in (ROOT / "scenarios/library").rglob("*.yaml") if path.name != "quickstart.yaml")
        if library:
            judge("check scenarios/library", *run(["build/release/oplogue", "check", *map(str, library)]), self.tally)

    def clients(self):
        build("release", "oplogue", "client_test_libmongoc")
        judge("clients", *run(["tests/clients/run", "build/release/oplogue"], seconds=1800), self.tally)
        judge("golden over TCP", *run([".setup/python/bin/python", "tests/golden/over_tcp", "build/release/oplogue"]), self.tally)

    def conformance(self):
        """A part of each of the drivers' own suites; tools/conformance runs the whole of them."""
        build("release", "oplogue")
        judge("conformance", *run(["tools/conformance", "--short"], seconds=1800), self.tally)

    def asan(self):
        build("asan")
        run_programs([entry for entry in programs("asan") if phase_of(entry[0]) in CPP_PHASES], "asan ", self.tally)

    def tsan(self):
        build("tsan", *TSAN_TARGETS)
        run_programs([entry for entry in programs("tsan") if entry[0] in TSAN_TARGETS], "tsan ", self.tally)
        judge("tsan clients", *run(["tests/clients/run", "build/tsan/oplogue", "python"]), self.tally)

    def fuzz(self):
        build("asan")
        folder = ROOT / "build/asan/tests/fuzz"
        targets = sorted(path for path in folder.glob("*_fuzz") if path.is_file() and os.access(path, os.X_OK))
        if not targets:
            raise RuntimeError("there is no fuzz target")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for target, (code, output) in zip(targets, pool.map(self.fuzz_one, targets)):
                tail = output if code == 0 else output[-4000:]
                judge(target.name, code, tail, self.tally)

    def fuzz_one(self, target):
        corpus = ROOT / "build/asan/corpus" / target.name
        corpus.mkdir(parents=True, exist_ok=True)
        seeds = [str(path) for path in [ROOT / "tests/fuzz/seeds" / target.name.removesuffix("_fuzz")] if path.is_dir()]
        return run([str(target), f"-max_total_time={self.fuzz_seconds}", "-timeout=10", "-rss_limit_mb=2048",
                    "-print_final_stats=0", f"-artifact_prefix={corpus.parent}/", str(corpus), *seeds],
                   seconds=self.fuzz_seconds + 120)

    def tidy(self):
        build("release")  # clang-tidy reads how each file is compiled
        judge("tidy", *run(["tools/tidy"], seconds=3600), self.tally)


ORDER = ("tidy", "unit", "playbook", "golden", "runner", "scripts", "scenarios", "asan", "fuzz", "tsan", "clients", "conformance")


def run_phase(phases, name, tally):
    began = time.monotonic()
    before = tally.passed, tally.failed
    print(f"{name} …", flush=True)
    try:
        getattr(phases, name)()
    except RuntimeError as error:
        print(error)
        tally.add(0, [f"{name}: could not run: {str(error).splitlines()[0]}"])
    passed, failed = tally.passed - before[0], tally.failed - before[1]
    print(f"{name}: {passed} passed, {failed} failed, {time.monotonic() - began:.0f} s", flush=True)


def prebuild_clients():
    """The clients' compilers wait for networks more than for processors, so they run beside the second sanitizer build."""
    return subprocess.Popen(["tests/clients/run", "--build-only"], cwd=ROOT, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(prog="tools/test")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("phases", nargs="*", metavar="PHASE")
    options = parser.parse_args()
    unknown = [name for name in options.phases if name not in ORDER and name != "all"]
    if unknown:
        print(f"tools/test: there is no phase {unknown[0]!r}; there are {', '.join(ORDER)}", file=sys.stderr)
        return 2
    chosen = [name for name in ORDER if not options.phases or "all" in options.phases or name in options.phases]
    tally = Tally()
    phases = Phases(tally, FUZZ_SECONDS_LONG if options.long else FUZZ_SECONDS)
    early = None
    for name in chosen:
        if name == "tsan" and "clients" in chosen and shutil.which("cargo"):
            early = prebuild_clients()
        if name == "clients" and early:
            early.wait()
        run_phase(phases, name, tally)
    for failure in tally.failures:
        print(f"failed: {failure}")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
