"""The table of tools/bench: medians, spreads, ratios and targets from measured figures. Measures nothing itself."""

import dataclasses
import statistics
import typing


@dataclasses.dataclass(frozen=True)
class Target:
    """What a row has to reach. `of` says whether `bound` is on Oplogue's median or on its ratio to mongod's."""
    of: str       # "ratio" or "value"
    side: str     # "least" or "most"
    bound: float

    def reached(self, value, ratio):
        measured = ratio if self.of == "ratio" else value
        if measured is None:
            return None
        return measured >= self.bound if self.side == "least" else measured <= self.bound

    def text(self, unit):
        sign = "≥" if self.side == "least" else "≤"
        return f"{sign} {self.bound:g}×" if self.of == "ratio" else f"{sign} {self.bound:g} {unit}"


@dataclasses.dataclass(frozen=True)
class Row:
    key: str      # of the figure, as the client prints it
    title: str
    unit: str
    target: typing.Optional[Target] = None
    above_floor: bool = False  # the ratio is of what exceeds the floor of the same run


ROWS = (
    Row("drain_events_per_s", "drain of 100,000 events in history", "events/s", Target("ratio", "least", 20)),
    Row("ping_p50_us", "ping p50, one core (ratio above the floor)", "µs", Target("ratio", "most", 0.20), above_floor=True),
    Row("event_p50_us", "insert sent → event received p50, one core", "µs", Target("ratio", "most", 0.10)),
    Row("fanout_deliveries_per_s", "200 streams × 100 inserts", "deliveries/s", Target("ratio", "least", 20)),
    Row("load_documents_per_s", "load of 100,000 documents", "documents/s", Target("ratio", "least", 3)),
    Row("startup_ms", "exec → hello of a writable primary", "ms", Target("value", "most", 20)),
    Row("idle_MiB", "resident, idle", "MiB", Target("value", "most", 10)),
    Row("loaded_MiB", "resident after 100,000 events", "MiB", Target("value", "most", 60)),
)
FLOOR = "floor_p50_us"


@dataclasses.dataclass(frozen=True)
class Spread:
    median: float
    least: float
    most: float
    count: int

    @staticmethod
    def of(values):
        return Spread(statistics.median(values), min(values), max(values), len(values)) if values else None

    def text(self):
        median, least, most = map(number, (self.median, self.least, self.most))
        return median if self.count == 1 else f"{median} ({least}–{most})"


def number(value):
    """As few digits as mean something: 3 significant ones below 100, whole numbers with commas above."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def collect(runs, key):
    """[{figure: value}] of one server → the Spread of one figure, None when no run has it."""
    return Spread.of([run[key] for run in runs if key in run])


def ratio(row, ours, theirs):
    """Oplogue's part over mongod's, of medians; None when either is unknown or mongod's is nothing."""
    mine, other = collect(ours, row.key), collect(theirs, row.key)
    if mine is None or other is None:
        return None
    if not row.above_floor:
        return mine.median / other.median if other.median else None
    floor = collect(ours + theirs, FLOOR)
    if floor is None or other.median <= floor.median:
        return None
    return (mine.median - floor.median) / (other.median - floor.median)


@dataclasses.dataclass(frozen=True)
class Line:
    title: str
    ours: str
    theirs: str
    ratio: str
    target: str
    verdict: str  # "reached", "NOT reached", or empty when there is nothing to judge


def line(row, ours, theirs):
    mine, other = collect(ours, row.key), collect(theirs, row.key)
    quotient = ratio(row, ours, theirs)
    verdict = ""
    if row.target and mine:
        verdict = {True: "reached", False: "NOT reached", None: ""}[row.target.reached(mine.median, quotient)]
    return Line(f"{row.title}, {row.unit}", mine.text() if mine else "–", other.text() if other else "–",
                f"{number(quotient)}×" if quotient is not None else "–",
                row.target.text(row.unit) if row.target else "", verdict)


def lines(ours, theirs):
    """Every row that either server has a figure for, then the floors."""
    found = [line(row, ours, theirs) for row in ROWS if collect(ours + theirs, row.key)]
    floor = collect(ours + theirs, FLOOR)
    if floor:
        found.append(Line("floor: a bare TCP echo p50, one core, µs", floor.text(), "", "–", "", ""))
    canned, drained = collect(ours, "canned_events_per_s"), collect(ours, "drain_events_per_s")
    if canned:
        share = f"{drained.median / canned.median:.0%} of it" if drained else "–"
        found.append(Line("floor: the same events canned, events/s", canned.text(), "", share, "", ""))
    return found


HEAD = Line("what", "Oplogue", "mongod", "ratio", "target", "")


def markdown(table):
    def cells(entry):
        return "| " + " | ".join(dataclasses.astuple(entry)) + " |"
    return "\n".join([cells(HEAD), "| --- | ---: | ---: | ---: | ---: | --- |", *map(cells, table)])


def aligned(table):
    """Columns for a terminal: the first to the left, the figures to the right."""
    cells = [dataclasses.astuple(entry) for entry in (HEAD, *table)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return "\n".join("  ".join(cell.ljust(width) if index in (0, len(widths) - 1) else cell.rjust(width)
                               for index, (cell, width) in enumerate(zip(entry, widths))).rstrip() for entry in cells)


def figures(text):
    """`name value` lines → {name: value}."""
    pairs = (entry.split() for entry in text.splitlines())
    return {pair[0]: float(pair[1]) for pair in pairs if len(pair) == 2}
