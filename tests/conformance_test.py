"""How tools/conformance reads what suites print, and what it makes of it."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "conformance"))
import programs  # noqa: E402
import sent  # noqa: E402
import suites  # noqa: E402
import verdict  # noqa: E402

SUITE = suites.Suite("drivers", None, None, None, None, 3)


def judged(passed=(), failed=(), known=None, passes=(), profile="mongodb-6.0", extent=verdict.Extent.WHOLE):
    outcomes = suites.Outcomes(set(passed), {name: "why" for name in failed}, {"skipped"})
    return verdict.judge(SUITE, profile, outcomes, known or {}, set(passes), 1.0, extent)


class Reading(unittest.TestCase):
    def test_junit_cases_are_passed_failed_or_skipped(self):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write('<testsuites><testsuite><testcase classname="a.B" name="good"/><testcase classname="a.B" name="bad">'
                       '<failure message="1 != 2&#10;more"/></testcase><testcase classname="a.B" name="broken"><error/></testcase>'
                       '<testcase classname="a.B" name="left"><skipped/></testcase></testsuite></testsuites>')
            file.flush()
            outcomes = suites.read_junit(file.name)
        self.assertEqual(outcomes.passed, {"a.B::good"})
        self.assertEqual(outcomes.failed, {"a.B::bad": "1 != 2", "a.B::broken": "no message"})
        self.assertEqual(outcomes.skipped, {"a.B::left"})

    def test_libmongoc_that_crashes_fails_the_test_it_was_in(self):
        text = '{ "status": "pass", "test_file": "/a", "x": 1 }, { "status": "skip", "test_file": "/b" }'
        outcomes = suites.read_libmongoc(text, -11, "Begin /a, seed 1\nBegin /c, seed 2\n")
        self.assertEqual((outcomes.passed, outcomes.skipped, list(outcomes.failed)), ({"/a"}, {"/b"}, ["/c"]))

    def test_a_program_that_dies_without_a_word_fails(self):
        outcomes = suites.read_checks(0, "ok one\nnot ok two: not equal\n")
        self.assertEqual((outcomes.passed, outcomes.failed), ({"one"}, {"two": "not equal"}))
        self.assertEqual(list(suites.read_checks(1, "ok one\n").failed), ["the program runs to its end"])


class Verdicts(unittest.TestCase):
    def test_all_that_mongod_passes_passed(self):
        row = judged(passed=["a", "b"], passes=["a", "b"])
        self.assertTrue(row.is_good())
        self.assertEqual(list(verdict.complaints(row)), [])

    def test_an_unexpected_failure_is_told_with_its_reason(self):
        row = judged(passed=["a"], failed=["b"])
        self.assertFalse(row.is_good())
        self.assertEqual(list(verdict.complaints(row)), ["FAIL drivers as mongodb-6.0 b: why"])

    def test_a_known_failure_is_counted_and_nothing_more(self):
        row = judged(passed=["a"], failed=["b"], known={"b": "$where"}, passes=["a", "b"])
        self.assertTrue(row.is_good())
        self.assertEqual(row.known, ["b"])

    def test_a_known_failure_that_passes_must_leave_the_list(self):
        self.assertFalse(judged(passed=["a", "b"], known={"b": "$where"}).is_good())
        self.assertTrue(judged(passed=["a", "b"], known={"b": "$where"}, extent=verdict.Extent.PART).is_good())

    def test_a_test_that_mongod_passes_must_run(self):
        self.assertEqual(judged(passed=["a"], passes=["a", "b"]).absent, ["b"])
        # What other versions pass nobody wrote down by name.
        self.assertEqual(judged(passed=["a"], passes=["a", "b"], profile="mongodb-5.0").absent, [])

    def test_no_test_at_all_is_no_success(self):
        self.assertFalse(judged().is_good())

    def test_a_known_failure_has_a_reason(self):
        self.assertEqual(verdict.read_known("# heading\n\na.B::c  # needs $where\n"), {"a.B::c": "needs $where"})
        with self.assertRaisesRegex(ValueError, "known_failures.txt:1 gives no reason for a.B::c"):
            verdict.read_known("a.B::c\n")

    def test_every_listed_failure_is_one_that_mongod_passes(self):
        known = verdict.read_known((suites.HERE / "known_failures.txt").read_text())
        passes = {name for file in (suites.HERE / "lists").glob("*.txt") for name in file.read_text().splitlines()}
        self.assertEqual([name for name in known if name not in passes], [])


class Programs(unittest.TestCase):
    def test_each_folder_is_a_program_that_names_its_checks(self):
        folders = sorted(path.name for path in programs.FOLDER.iterdir() if path.is_dir())
        self.assertEqual([suite.name for suite in programs.PROGRAMS], folders)
        for suite in programs.PROGRAMS:
            self.assertEqual(len(set(pathlib.Path(suite.passes_list).read_text().splitlines())), suite.mongod_passes, suite.name)

    def test_a_short_run_has_none_that_fetches_for_minutes(self):
        self.assertEqual([suite.name for suite in programs.PROGRAMS if suite.is_quick and (programs.FOLDER / suite.name / "pom.xml").is_file()], [])


class Sent(unittest.TestCase):
    def test_a_command_has_its_options_and_answers_most_frequent_first(self):
        counted = {"find": {"count": 3, "fields": {"filter": 2, "hint": 3, "lsid": 3}, "stages": {},
                            "answers": {"ok": 1, "238": 1, "2": 1}},
                   "aggregate": {"count": 1, "fields": {}, "stages": {"$match": 1}, "answers": {}}}
        page = sent.page("pymongo-core", "mongodb-6.0", counted)
        self.assertIn("| find | 3 | hint 3, filter 2 | served 1; refused by name 1; errors 2: 1 |", page)
        self.assertIn("| aggregate | 1 |  | no reply |", page)
        self.assertIn("Stages of pipelines: `$match` 1.", page)


if __name__ == "__main__":
    unittest.main()
