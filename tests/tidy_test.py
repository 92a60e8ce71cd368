"""tools/tidy's own tests: each rule meets a small file that breaks it, and one that does not."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import cpp_text  # noqa: E402
import shape  # noqa: E402

HEADER = "// Knows frames and nothing of their meaning.\n#pragma once\n"


def faults(**files):
    """The sentences of every fault in a tree of these files; in a name, `__` stands for `/` and a last `_` for `.`."""
    with tempfile.TemporaryDirectory() as folder:
        for key, text in files.items():
            stem, ending = key.replace("__", "/").rsplit("_", 1)
            path = pathlib.Path(folder, f"{stem}.{ending}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return [f"{name}:{line}: {sentence}" for name, line, sentence in shape.faults(folder)]


def in_namespace(folder, body):
    return f"namespace {folder} {{\n{body}\n}}\n"


class Tidy(unittest.TestCase):
    def assert_one(self, found, *parts):
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_a_tree_that_keeps_the_rules_has_no_fault(self):
        header = HEADER + '#include "wire/other.h"\n' + in_namespace("wire", "void read(int bytes);")
        self.assertEqual(faults(wire__frame_h=header, wire__other_h=HEADER + in_namespace("wire", "")), [])

    def test_an_include_to_the_right_is_named_with_its_line(self):
        text = '#include "emulator/engine.h"\n' + in_namespace("wire", "")
        self.assert_one(faults(wire__frame_cpp=text), "wire/frame.cpp:1:", "to the right of wire/")

    def test_an_include_without_its_folder_is_a_fault(self):
        self.assert_one(faults(wire__frame_cpp='#include "frame.h"\n' + in_namespace("wire", "")), "from the root")

    def test_a_commented_include_is_none(self):
        self.assertEqual(faults(wire__frame_cpp='// #include "emulator/engine.h"\n' + in_namespace("wire", "")), [])

    def test_clocks_sleeps_threads_chance_environment_and_files_are_banned_below_server(self):
        for body, word in (("auto t = std::chrono::steady_clock::now();", "clock"), ("auto t = my_clock::now();", "clock"),
                           ("void f() { std::this_thread::sleep_for(s); }", "sleeps"), ("std::thread t;", "threads"),
                           ("int n = rand();", "chance"), ('auto v = getenv("A");', "environment"),
                           ("std::ifstream in;", "files"), ("int s = socket(1, 2, 3);", "sockets")):
            with self.subTest(body):
                self.assert_one(faults(emulator__x_cpp=in_namespace("emulator", body)), "emulator/x.cpp:2:", word)
                self.assertEqual(faults(server__x_cpp=in_namespace("server", body)), [])

    def test_banned_words_in_strings_and_comments_are_none(self):
        body = 'const char* a = "std::thread rand()";  // std::thread\nconst char* b = R"(getenv)";'
        self.assertEqual(faults(emulator__x_cpp=in_namespace("emulator", body)), [])

    def test_asio_belongs_to_server(self):
        self.assert_one(faults(scenarios__x_cpp=in_namespace("scenarios", "boost::asio::io_context c;")), "Asio")

    def test_libbson_is_named_nowhere(self):
        self.assert_one(faults(wire__x_cpp=in_namespace("wire", "bson_t* b;")), "libbson")

    def test_wire_knows_no_word_of_the_emulator(self):
        self.assert_one(faults(wire__x_cpp=in_namespace("wire", "struct Engine {};")), "word of the emulator")

    def test_a_long_file_is_a_fault(self):
        text = in_namespace("wire", "\n" * 400)
        self.assert_one(faults(wire__x_cpp=text), "403 lines")

    def test_a_long_function_is_a_fault_at_its_first_line(self):
        body = "int f(int n) {\n" + "  ++n;\n" * 60 + "  return n;\n}"
        self.assert_one(faults(wire__x_cpp=in_namespace("wire", body)), "wire/x.cpp:2: f has 63 lines")

    def test_functions_are_found_through_initializers_lambdas_and_templates(self):
        code = in_namespace("wire", "struct S {\n S() : a_{1}, b_(2) {\n }\n int a_{0};\n};\n"
                            "template <class T>\nauto g(T t) -> int {\n auto l = [&](int x) { return x; };\n return l(t);\n}\n"
                            "constexpr int rows[] = {\n1,\n2};\nconstexpr auto table = to_array<Row>({\n{1, 2},\n});\n"
                            "bool operator==(S a, S b) {\n return true;\n}")
        self.assertEqual([name for name, _, _ in cpp_text.functions(cpp_text.code_only(code))], ["S", "g", "operator=="])

    def test_a_namespace_equals_its_folder(self):
        found = faults(wire__x_cpp="namespace codec {\n}\n")
        self.assertEqual(len(found), 2, found)
        self.assertIn("opens namespace codec", found[1] + found[0])

    def test_anonymous_and_nested_namespaces_are_fine(self):
        text = in_namespace("wire", "namespace {\nint x;\n}\nnamespace detail {\n}")
        self.assertEqual(faults(wire__x_cpp=text), [])

    def test_a_header_has_pragma_once_and_an_opening_sentence(self):
        self.assert_one(faults(wire__x_h="// Knows frames.\n" + in_namespace("wire", "")), "pragma once")
        self.assert_one(faults(wire__x_h="#pragma once\n" + in_namespace("wire", "")), "open with a comment")

    def test_work_left_behind_names_its_issue(self):
        self.assert_one(faults(wire__x_cpp=in_namespace("wire", "// TODO later")), "wire/x.cpp:2:", "TODO(#n)")
        self.assertEqual(faults(wire__x_cpp=in_namespace("wire", "// TODO(#12) later")), [])

    def test_vague_names_of_files_types_and_functions_are_faults(self):
        self.assert_one(faults(wire__frame_utils_cpp=in_namespace("wire", "")), "vague")
        self.assert_one(faults(wire__x_cpp=in_namespace("wire", "class FrameManager {};")), "vague")
        self.assert_one(faults(wire__x_cpp=in_namespace("wire", "void handle(int frame);")), "vague")

    def test_a_bool_parameter_is_a_fault_unless_it_is_a_value(self):
        self.assert_one(faults(wire__x_h=HEADER + in_namespace("wire", "void send(int a, bool now = false);")), "send takes a bool")
        self.assert_one(faults(wire__x_h=HEADER + in_namespace("wire", "void send(bool);")), "send takes a bool")
        fine = "void append_bool(int key, bool value);\nbool ready(int member);\nstruct S {\n bool on = false;\n};"
        self.assertEqual(faults(wire__x_h=HEADER + in_namespace("wire", fine)), [])

    def test_a_command_name_stands_in_its_own_file_only(self):
        command = in_namespace("emulator", 'auto name = "killCursors";')
        self.assertEqual(faults(emulator__commands__kill_cursors_cpp=command), [])
        found = faults(emulator__commands__kill_cursors_cpp=command, server__x_cpp=in_namespace("server", 'auto n = "killCursors";'))
        self.assert_one(found, "server/x.cpp:2:", "killCursors")

    def test_a_skipped_test_says_why(self):
        self.assert_one(faults(tests__unit__x_test_cpp="TEST(A, B) { GTEST_SKIP(); }\n"), "without a reason")
        self.assertEqual(faults(tests__unit__x_test_cpp='TEST(A, B) { GTEST_SKIP() << "no IPv6"; }\n'), [])


if __name__ == "__main__":
    unittest.main()
