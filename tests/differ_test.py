"""tools/differ without servers: the generator is a function of seed and number, the bytes survive, the shrinker shrinks."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from differential import bson, cases, extended_json, masks, report, rounds, server, shrink  # noqa: E402
from differential.cases import Case  # noqa: E402

MANY = 400


def all_bytes(case):
    return [bson.encode(part) for part in (*case.documents, *case.commands)]


def holds(value, wanted):
    """Whether `wanted` stands somewhere inside."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value is wanted or any(holds(item, wanted) for item in inner) or (type(value) is type(wanted) and value == wanted)


class Generator(unittest.TestCase):
    def test_the_same_seed_and_number_make_the_same_case(self):
        for number in range(MANY):
            self.assertEqual(all_bytes(cases.make("7", number)), all_bytes(cases.make("7", number)))

    def test_other_seeds_and_numbers_make_other_cases(self):
        self.assertEqual(len({tuple(all_bytes(cases.make(seed, number))) for seed in "12" for number in range(MANY)}), 2 * MANY)

    def test_no_two_cases_share_an_id(self):
        made = [bson.encode({"": document["_id"]})[4:] for number in range(MANY) for document in cases.make("1", number).documents]
        self.assertEqual(len(set(made)), len(made))

    def test_every_kind_of_command_update_and_value_comes_up(self):
        made = [cases.make("1", number) for number in range(2000)]
        commands = [command for case in made for command in case.commands]
        self.assertEqual({next(iter(command)) for command in commands}, {"update", "findAndModify", "delete", "insert"})
        statements = [statement for command in commands for statement in command.get("updates", ())]
        self.assertEqual({type(statement["u"]) for statement in statements}, {dict, list})
        for option in ("multi", "upsert", "arrayFilters"):
            self.assertTrue(any(option in statement for statement in statements), option)
        kinds = {kind for case in made for document in case.documents for kind, _, _ in bson.elements(bson.encode(document))}
        self.assertEqual(kinds, {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0D, 0x0E, 0x10, 0x11, 0x12, 0x13, 0x7F, 0xFF})


class Bytes(unittest.TestCase):
    def test_a_document_decoded_and_encoded_again_is_the_same_bytes(self):
        for number in range(MANY):
            for raw in all_bytes(cases.make("3", number)):
                self.assertEqual(bson.encode(bson.decode(raw)), raw)

    def test_extended_json_is_canonical(self):
        document = {"i": 1, "l": bson.Int64(1), "d": -0.0, "n": float("nan"), "m": bson.Decimal128("1.50"), "t": bson.Timestamp((5, 6)), "z": bson.Date(-1)}
        self.assertEqual(extended_json.text(document), (
            '{"i": {"$numberInt": "1"}, "l": {"$numberLong": "1"}, "d": {"$numberDouble": "-0.0"}, "n": {"$numberDouble": "NaN"}, '
            '"m": {"$numberDecimal": "1.50"}, "t": {"$timestamp": {"t": 5, "i": 6}}, "z": {"$date": {"$numberLong": "-1"}}}'))


class Masks(unittest.TestCase):
    def masked(self, document):
        return bson.decode(masks.mask([bson.encode(document)])[0])

    def test_times_and_generated_ids_are_masked_and_others_are_not(self):
        one = {"_id": bson.ObjectId(b"a" * 12), "ts": bson.Timestamp((9, 9)), "wall": bson.Date(1), "a": bson.Timestamp((1, 1))}
        other = {**one, "_id": bson.ObjectId(b"b" * 12), "ts": bson.Timestamp((8, 8)), "wall": bson.Date(2)}
        self.assertEqual(self.masked(one), self.masked(other))
        self.assertNotEqual(self.masked(one), self.masked({**one, "a": bson.Timestamp((1, 2))}))
        self.assertNotEqual(self.masked(one), self.masked({**one, "_id": bson.ObjectId(masks.LITERAL_ID + b"0000")}))

    def test_a_token_keeps_its_document_key(self):
        token = "82" + "6B0D4F8F00000001" + "2B022C0100296E5A1004" + "F195DBDB0ED543D6A3D3A2C7977417FD" + "461E5F6964002B020004"
        masked = self.masked({"_id": {"_data": token}})["_id"]["_data"]
        self.assertEqual(masked, "82" + "T" * 16 + "2B022C0100296E5A1004" + "U" * 32 + "461E5F6964002B020004")

    def test_a_reply_keeps_what_is_no_time(self):
        raw = bson.encode({"n": 1, "opTime": {"ts": bson.Timestamp((5, 5))}, "ok": 1.0})
        self.assertEqual(masks.reply(raw), bson.encode({"n": 1, "opTime": None, "ok": 1.0})[4:-1])


class Differences(unittest.TestCase):
    def evidence(self, **parts):
        return rounds.Evidence(**{part: parts.get(part, []) for part in rounds.PARTS})

    def test_equal_evidence_has_none_and_each_part_is_looked_at(self):
        for part in rounds.PARTS:
            self.assertEqual(rounds.differences(self.evidence(**{part: [b"x"]}), self.evidence(**{part: [b"x"]})), [])
            self.assertEqual(rounds.differences(self.evidence(**{part: [b"x", b"y"]}), self.evidence(**{part: [b"x"]})), [(part, 1, b"y", None)])

    def test_halves_lead_to_the_cases_that_differ(self):
        made = [cases.make("1", number) for number in range(37)]
        bad = {0, 17, 36}
        found = rounds.differing(lambda some: [case.number for case in some if case.number in bad], made, [*bad])
        self.assertEqual([case.number for case, _ in found], sorted(bad))


class Falls(unittest.TestCase):
    def test_the_first_message_without_an_answer_names_the_case(self):
        made = [cases.make("1", number) for number in range(20)]
        whose = [rounds.case_of_message(made, index) for index in range(len(rounds.messages(made, rounds.PLAIN, (6, 0))))]
        self.assertEqual(whose[:rounds.BEFORE_CASES], [None] * rounds.BEFORE_CASES)
        self.assertIsNone(whose[-1])
        self.assertEqual([case.number for case in whose[rounds.BEFORE_CASES:-1]], [case.number for case in made for _ in case.commands])

    def test_the_last_words_are_the_first_fatal_line_of_the_last_run(self):
        with tempfile.TemporaryDirectory() as folder:
            fatal = '{"s":"F","msg":"%s","attr":{"expr":"%s"}}\n'
            (pathlib.Path(folder) / "log").write_text(
                fatal % ("Invariant failure", "old") + '{"s":"I","msg":"***** SERVER RESTARTED *****"}\n{"s":"I","msg":"x"}\n'
                + fatal % ("Invariant failure", "itr.second") + fatal % ("\\n\\n***aborting", ""), encoding="utf-8")
            mongod = server.Mongod.__new__(server.Mongod)
            mongod.folder = folder
            self.assertEqual(mongod.last_words(), "Invariant failure itr.second")


class Shrinker(unittest.TestCase):
    def test_a_difference_shrinks_to_what_makes_it(self):
        # The fake difference: an update whose $set somewhere holds NaN, on a document with an array in it.
        def differs(case):
            nan = any(holds(command, NAN) for command in case.commands)
            array = any(isinstance(item, list) for document in case.documents for item in document.values())
            return [("replies", 0, b"", b"")] if nan and array else []

        NAN = float("nan")
        case = Case(1, [{"_id": 1, "k": 1, "a": [1, {"b": "long text"}], "b": {"c": 5}}, {"_id": 2, "k": 1}],
                    [{"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$set": {"x": 5}}}]},
                     {"update": "c", "updates": [{"q": {"k": 1}, "u": {"$set": {"x": {"y": [1, NAN]}, "z": 1}}, "multi": True}, {"q": {}, "u": {}}],
                      "ordered": False}])
        small, found = shrink.shrink(case, differs(case), differs)
        self.assertTrue(found)
        self.assertEqual(small.documents, [{"_id": 1, "a": []}])
        self.assertEqual(len(small.commands), 1)
        self.assertLessEqual(len(bson.encode(small.commands[0])), 100)

    def test_it_ends_when_nothing_smaller_differs(self):
        case = cases.make("1", 5)
        small, found = shrink.shrink(case, ["as it is"], lambda smaller: [])
        self.assertEqual((small, found), (case, ["as it is"]))

    def test_it_ends_after_so_many_probes(self):
        probes = []
        shrink.shrink(cases.make("1", 5), ["as it is"], lambda smaller: probes.append(smaller), probes_max=10)
        self.assertEqual(len(probes), 10)


class Report(unittest.TestCase):
    def test_it_names_seed_case_documents_commands_and_both_answers(self):
        case = Case(3, [{"_id": 1}], [{"delete": "c", "deletes": []}])
        text = report.text("9", case, [("documents", 0, bson.encode({"_id": 1}), None)])
        self.assertEqual(text.splitlines(), ["difference: seed 9, case 3", "  document {_id: 1}", '  command  {delete: "c", deletes: []}',
                                             "  documents[0]", "    oplogue {_id: 1}", "    mongod  nothing"])


if __name__ == "__main__":
    unittest.main()
