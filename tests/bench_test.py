"""The arithmetic and the table of tools/bench, on figures that are written here."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import bench_table  # noqa: E402
from bench_table import Row, Spread, Target  # noqa: E402

ROWS = {row.key: row for row in bench_table.ROWS}


def runs(**figures):
    """{figure: [a value a run]} → one dictionary a run."""
    return [dict(zip(figures, values)) for values in zip(*figures.values())]


class Figures(unittest.TestCase):
    def test_lines_of_name_and_value_are_figures_and_others_are_not(self):
        self.assertEqual(bench_table.figures("ping_p50_us 7.5\nstray line of words\n\ndrain_events 100000\n"),
                         {"ping_p50_us": 7.5, "drain_events": 100000.0})

    def test_a_spread_is_median_least_and_most(self):
        self.assertEqual(Spread.of([5.0, 1.0, 3.0]), Spread(3.0, 1.0, 5.0, 3))
        self.assertEqual(Spread.of([4.0, 1.0, 3.0, 2.0]).median, 2.5)
        self.assertIsNone(Spread.of([]))

    def test_runs_without_the_figure_are_left_out(self):
        self.assertEqual(bench_table.collect([{"a": 1.0}, {}, {"a": 3.0}], "a").count, 2)

    def test_numbers_show_what_means_something(self):
        self.assertEqual(bench_table.number(2_345_678.9), "2,345,679")
        self.assertEqual(bench_table.number(7.846), "7.85")
        self.assertEqual(bench_table.number(0.0234), "0.0234")
        self.assertEqual(bench_table.number(-250.0), "-250")

    def test_one_run_has_no_spread(self):
        self.assertEqual(Spread.of([7.0]).text(), "7")
        self.assertEqual(Spread.of([7.0, 9.0, 8.0]).text(), "8 (7–9)")


class Ratios(unittest.TestCase):
    def test_a_ratio_is_of_medians(self):
        row = ROWS["drain_events_per_s"]
        ours, theirs = runs(drain_events_per_s=[10.0, 30.0, 20.0]), runs(drain_events_per_s=[1.0, 9.0, 2.0])
        self.assertEqual(bench_table.ratio(row, ours, theirs), 10)

    def test_ping_is_compared_above_the_floor_of_all_runs(self):
        ours = runs(ping_p50_us=[8.0, 8.0], floor_p50_us=[5.0, 6.0])
        theirs = runs(ping_p50_us=[26.0, 26.0], floor_p50_us=[6.0, 7.0])
        self.assertEqual(bench_table.ratio(ROWS["ping_p50_us"], ours, theirs), 0.1)

    def test_without_a_floor_or_with_one_above_mongod_there_is_no_ratio(self):
        row = ROWS["ping_p50_us"]
        self.assertIsNone(bench_table.ratio(row, runs(ping_p50_us=[8.0]), runs(ping_p50_us=[26.0])))
        self.assertIsNone(bench_table.ratio(row, runs(ping_p50_us=[8.0], floor_p50_us=[30.0]), runs(ping_p50_us=[26.0])))

    def test_without_mongod_there_is_no_ratio(self):
        self.assertIsNone(bench_table.ratio(ROWS["startup_ms"], runs(startup_ms=[3.0]), []))


class Targets(unittest.TestCase):
    def test_a_bound_itself_is_reached(self):
        self.assertTrue(Target("ratio", "least", 20).reached(None, 20))
        self.assertTrue(Target("value", "most", 10).reached(10, None))

    def test_a_bound_missed_is_not(self):
        self.assertFalse(Target("ratio", "least", 20).reached(1e9, 19.9))
        self.assertFalse(Target("value", "most", 10).reached(10.1, 0.01))

    def test_a_ratio_that_is_unknown_is_neither(self):
        self.assertIsNone(Target("ratio", "most", 0.1).reached(5, None))

    def test_the_targets_are_those_that_were_promised(self):
        said = {key: row.target.text(row.unit) for key, row in ROWS.items()}
        self.assertEqual(said, {
            "drain_events_per_s": "≥ 20×", "ping_p50_us": "≤ 0.2×", "event_p50_us": "≤ 0.1×",
            "fanout_deliveries_per_s": "≥ 20×", "load_documents_per_s": "≥ 3×", "startup_ms": "≤ 20 ms",
            "idle_MiB": "≤ 10 MiB", "loaded_MiB": "≤ 60 MiB"})


class Table(unittest.TestCase):
    def line(self, row, ours, theirs):
        return bench_table.line(row, runs(**{row.key: ours}), runs(**{row.key: theirs}) if theirs else [])

    def test_what_is_not_reached_is_marked(self):
        self.assertEqual(self.line(ROWS["load_documents_per_s"], [600.0], [300.0]).verdict, "NOT reached")
        self.assertEqual(self.line(ROWS["load_documents_per_s"], [900.0], [300.0]).verdict, "reached")

    def test_without_mongod_only_absolute_targets_are_judged(self):
        self.assertEqual(self.line(ROWS["load_documents_per_s"], [600.0], None).verdict, "")
        self.assertEqual(self.line(ROWS["idle_MiB"], [6.0], None).verdict, "reached")

    def test_a_row_without_figures_is_left_out(self):
        titles = [entry.title for entry in bench_table.lines(runs(startup_ms=[3.0]), [])]
        self.assertEqual(titles, ["exec → hello of a writable primary, ms"])

    def test_the_share_of_the_canned_floor_is_shown(self):
        found = bench_table.lines(runs(drain_events_per_s=[3e6], canned_events_per_s=[4e6]), [])
        self.assertEqual(found[-1].ratio, "75% of it")

    def test_markdown_has_a_head_a_rule_and_a_line_a_row(self):
        text = bench_table.markdown(bench_table.lines(runs(startup_ms=[3.0, 4.0, 9.0]), runs(startup_ms=[800.0])))
        self.assertEqual(text.splitlines()[2], "| exec → hello of a writable primary, ms | 4 (3–9) | 800 | 0.005× | ≤ 20 ms | reached |")

    def test_columns_align(self):
        ours = runs(startup_ms=[3.0], drain_events_per_s=[3e6])
        rows = bench_table.aligned(bench_table.lines(ours, [])).splitlines()
        self.assertEqual({row.index("–") for row in rows[1:]}, {rows[0].index("mongod") + len("mongod") - 1}, rows)

    def test_a_row_may_have_no_target(self):
        self.assertEqual(self.line(Row("x", "x", "s"), [1.0], [2.0]).target, "")


if __name__ == "__main__":
    unittest.main()
