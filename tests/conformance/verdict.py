"""What a run of a suite comes to: against what mongod passes, and against the list of tests that Oplogue is known not to pass."""

import dataclasses
import enum

BASELINE_PROFILE = "mongodb-6.0"


class Extent(enum.Enum):
    """Of a run: all of a suite or a part of it."""
    WHOLE = 0
    PART = 1


@dataclasses.dataclass(frozen=True)
class Row:
    """A line of the table."""
    suite: str
    profile: str
    passed: int
    failed: dict  # unexpected: name → why
    known: list  # failed as listed
    skipped: int
    mended: list  # listed, but passed
    absent: list  # mongod passes them; here they did not run
    mongod_passes: int
    seconds: float

    def is_good(self):
        return self.passed > 0 and not self.failed and not self.absent and not self.mended


def read_known(text):
    """{test: reason} of lines `TEST  # REASON`."""
    known = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        test, mark, reason = line.partition("  # ")
        if not mark or not reason.strip():
            raise ValueError(f"known_failures.txt:{number} gives no reason for {test}")
        known[test.strip()] = reason.strip()
    return known


def judge(suite, profile, outcomes, known, passes, seconds, extent=Extent.WHOLE):
    """`passes`: names that mongod passes, of those that this run was to run; empty when it is not known which."""
    ran = outcomes.passed | set(outcomes.failed)
    # A part of a suite is run to see what broke; the list is kept by whole runs.
    mended = [] if extent is Extent.PART else sorted(name for name in outcomes.passed if name in known)
    return Row(suite=suite.name, profile=profile, passed=len(outcomes.passed),
               failed={name: why for name, why in sorted(outcomes.failed.items()) if name not in known},
               known=sorted(name for name in outcomes.failed if name in known), skipped=len(outcomes.skipped),
               mended=mended,
               absent=sorted(passes - ran) if profile == BASELINE_PROFILE else [],
               mongod_passes=suite.mongod_passes, seconds=seconds)


def table(rows):
    """The rows in Markdown; mongod's number is 6.0.5's, so it stands beside that profile alone."""
    lines = ["| suite | profile | passed | mongod 6.0.5 | failed | known | skipped | seconds |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for row in rows:
        mongod = row.mongod_passes if row.profile == BASELINE_PROFILE else ""
        lines.append(f"| {row.suite} | {row.profile} | {row.passed} | {mongod} | {len(row.failed) + len(row.absent)} | "
                     f"{len(row.known)} | {row.skipped} | {row.seconds:.0f} |")
    return "\n".join(lines)


def complaints(row):
    """One line for each thing that is wrong, as tools/test counts them."""
    name = f"{row.suite} as {row.profile}"
    for test, why in row.failed.items():
        yield f"FAIL {name} {test}: {why}"
    for test in row.absent:
        yield f"FAIL {name} {test}: mongod passes it, here it did not run"
    for test in row.mended:
        yield f"FAIL {name} {test}: passes now; take it from known_failures.txt"
    if row.passed == 0:
        yield f"FAIL {name}: no test passed"
