"""Real programs that read change streams, each a small program of ours around one of theirs: a folder of programs/ each.

A folder with a package.json is run by Node (program.js), one with a pom.xml by Java (programs.FOLDER.Program); each gets the
server's URI as its argument and prints `ok NAME` or `not ok NAME: why` a check. Its checks.txt names what a mongod 6.0.5 passes.
"""

import dataclasses
import shutil

from suites import HERE, KEPT, ROOT, Suite, environment, must, once, read_checks, run

FOLDER = HERE / "programs"
SECONDS_MAX = 300


def texts(*paths):
    return "".join(path.read_text() for path in paths)


def need(tool):
    if not shutil.which(tool, path=environment()["PATH"]):
        must([ROOT / "tools/setup", "test"])


def set_up_node(folder):
    need("npm")
    kept = KEPT / "programs" / folder.name

    def make():
        kept.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            (kept / name).write_text((folder / name).read_text())
        must(["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", kept], env=environment())

    once(kept.with_suffix(".stamp"), texts(folder / "package-lock.json"), make)


def set_up_java(folder):
    need("mvn")
    kept = KEPT / "programs" / folder.name

    def make():
        shutil.rmtree(kept, ignore_errors=True)  # jars of other versions would stay
        must(["mvn", "-q", "-B", "-ntp", "compile", f"-Dbuild.folder={kept}"], cwd=folder, env=environment())

    once(kept.with_suffix(".stamp"), texts(FOLDER / "pom.xml", folder / "pom.xml", *sorted(FOLDER.glob("*.java")), *sorted(folder.glob("*.java"))), make)


def node_command(folder):
    return ["node", folder / "program.js"]


def java_command(folder):
    kept = KEPT / "programs" / folder.name
    return ["java", "-XX:TieredStopAtLevel=1", "-Xmx512m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp", f"{kept}/classes:{kept}/jars/*", f"programs.{folder.name}.Program"]


@dataclasses.dataclass(frozen=True)
class Kind:
    """How a program of a language is set up and called."""
    set_up: object
    command: object
    is_quick: bool


# By the file that its folder has.
KINDS = {"package.json": Kind(set_up_node, node_command, True), "pom.xml": Kind(set_up_java, java_command, False)}


def suite_of(folder):
    kind = next(kind for file, kind in KINDS.items() if (folder / file).is_file())
    checks = folder / "checks.txt"

    def run_program(uri, _):
        code, output = run([*kind.command(folder), uri], seconds=SECONDS_MAX,
                           env=environment(NODE_PATH=str(KEPT / "programs" / folder.name / "node_modules")))
        return read_checks(code, output)

    return Suite(folder.name, lambda: kind.set_up(folder), run_program, selection=None, short=None,
                 mongod_passes=len(checks.read_text().splitlines()), passes_list=str(checks), is_quick=kind.is_quick)


PROGRAMS = tuple(suite_of(folder) for folder in sorted(FOLDER.iterdir()) if folder.is_dir())
