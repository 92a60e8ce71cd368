"""The shape of the tree, as DESIGN and CONTRIBUTING state it: each rule is a function that yields (file, line, sentence)."""

import pathlib
import re
import subprocess

from cpp_text import code_only, functions, line_of, without_comments

LAYERS = ("wire", "emulator", "scenarios", "server", "tools")
PRODUCT = LAYERS
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60

# Files of rows, not of thought: (why it may be longer than FILE_LINES_MAX).
LONG_FILES = {"emulator/error_codes.cpp": "a table: every code and its name, one a line"}
# "file:function" → why it may be longer than FUNCTION_LINES_MAX.
LONG_FUNCTIONS = {
    "tests/unit/wire/compare_test.cpp:ladder": "a table: values of every type, in order",
}
# Functions whose bool is a value and not a switch, and what value.
BOOLEAN_VALUES = {
    "append_bool": "a BSON boolean", "boolean": "a BSON boolean", "append_bit": "a bit", "append_decimal_zero": "a sign bit",
    "flag": "what a missing BSON boolean means",
}
# Types whose name ends like a vague one, and why it is none.
NAMES_OF_THE_FIELD = {"AwaitData": "MongoDB's word for a cursor's option"}
# Command names that are also MongoDB's word for something else (an operation type, a field, an option, a label).
WORDS_BESIDE_COMMANDS = {
    "insert": "an operation type", "update": "an operation type", "delete": "an operation type", "drop": "an operation type",
    "create": "an operation type", "find": "a field of explain", "count": "a field of a reply", "distinct": "an option",
    "aggregate": "a field", "hello": "a field", "validate": "an option", "explain": "a field", "ping": "a field",
    "renameCollection": "an entry of the oplog", "createIndexes": "an entry of the oplog", "dropIndexes": "an entry of the oplog",
    "collMod": "an entry of the oplog", "dropDatabase": "an entry of the oplog", "applyOps": "an entry of the oplog",
    "profile": "a server build as a row of data",
    "shardCollection": "an operation type", "refineCollectionShardKey": "an operation type", "reshardCollection": "an operation type",
    "commitTransaction": "an entry of the oplog", "abortTransaction": "an entry of the oplog",
}
# "file:name" → why this file may quote that command's name.
COMMAND_NAME_EXEMPTIONS = {
    "emulator/operation_list.cpp:getMore": "describes a getMore that runs",
    "emulator/get_more_request.cpp:getMore": "reads what that command asks for",
    "emulator/legacy_request.cpp:getMore": "an opcode becomes the command that does the same",
    "emulator/legacy_request.cpp:killCursors": "an opcode becomes the command that does the same",
    "emulator/builtin_roles.cpp:killCursors": "an action that roles allow",
    "emulator/builtin_roles.cpp:listDatabases": "an action that roles allow",
    "emulator/builtin_roles.cpp:listCollections": "an action that roles allow",
    "emulator/builtin_roles.cpp:enableSharding": "the role of that name",
    "emulator/engine.cpp:createUser": "the users that a deployment is born with are made like all others",
    "scenarios/steps/drop_connections.cpp:dropConnections": "the step of that name",
    "scenarios/steps/kill_cursors.cpp:killCursors": "the step of that name",
    "scenarios/steps/lose_history.cpp:getMore": "a moment: `at: getMore`",
    "emulator/commands/hello.cpp:isdbgrid": "what a router answers in msg",
    "emulator/faults/split.cpp:split": "the fault of that name",
}

_BELOW_SERVER = (
    (r"\w*clock\s*::\s*now\b|\bgettimeofday\b|\bclock_gettime\b|\bstd::time\b", "reads a clock"),
    (r"\bsleep(?:_for|_until)?\s*\(|\bthis_thread\b|\busleep\b|\bnanosleep\b", "sleeps"),
    (r"\bstd::j?thread\b|\bstd::async\b|#\s*include\s*<(?:thread|mutex|condition_variable|future)>|\bthread_local\b", "uses threads"),
    (r"\bs?rand\s*\(|\brandom_device\b", "takes chance from outside"),
    (r"\bgetenv\b", "reads the environment"),
    (r"\bfopen\b|\b[io]?fstream\b|\bstd::filesystem\b|\bstd::c(?:out|err|in)\b|#\s*include\s*<(?:iostream|filesystem)>", "touches files"),
    (r"\bsocket\s*\(|#\s*include\s*<(?:sys/socket|netinet/in|arpa/inet|unistd)\.h>", "touches sockets"),
)
_ASIO = (r"\bboost::(?:asio|beast)\b|#\s*include\s*<boost/(?:asio|beast)", "names Asio or Beast, which only server/ may")
_BSON_T = (r"\bbson_\w+_t\b|\bbson_t\b|#\s*include\s*<(?:bson|mongoc)", "names libbson; documents are wire/document.h's")
_EMULATOR_WORDS = (r"\b(?:emulator|scenarios|Engine|Director|Deployment|oplog|change_?stream|pre_?image|failpoint)\b",
                   "uses a word of the emulator, of which wire knows nothing")
_VAGUE = ("util", "utils", "helper", "helpers", "manager", "common", "misc", "impl", "data")


class Tree:
    """The files of a checkout and their texts, read once."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self._texts = {}
        self.files = sorted(self._list())

    def _list(self):
        listed = subprocess.run(["git", "-C", str(self.root), "ls-files", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, text=True, check=False)
        if listed.returncode == 0 and listed.stdout:
            return [name for name in listed.stdout.splitlines() if (self.root / name).is_file()]
        return [str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file()]

    def text(self, name):
        if name not in self._texts:
            self._texts[name] = (self.root / name).read_text(encoding="utf-8", errors="replace")
        return self._texts[name]

    def cpp(self, *folders):
        """The C++ files below these folders (all when none is named)."""
        return [name for name in self.files if name.endswith((".h", ".cpp")) and (not folders or folder_of(name) in folders)]


def folder_of(name):
    return name.split("/", 1)[0]


def _search(tree, names, pattern, sentence, prepare=code_only):
    for name in names:
        code = prepare(tree.text(name))
        for match in re.finditer(pattern, code):
            yield name, line_of(code, match.start()), sentence


def includes_point_left(tree):
    for name in tree.cpp(*LAYERS):
        own = LAYERS.index(folder_of(name))
        text = without_comments(tree.text(name))
        for match in re.finditer(r'^\s*#\s*include\s*"([^"]+)"', text, re.M):
            target = folder_of(match.group(1))
            line = line_of(text, match.start(1))
            if target not in LAYERS:
                yield name, line, f'includes "{match.group(1)}": an include names its folder from the root'
            elif LAYERS.index(target) > own:
                yield name, line, f"includes {target}/, which stands to the right of {folder_of(name)}/"


def banned_words(tree):
    for pattern, sentence in _BELOW_SERVER:
        yield from _search(tree, tree.cpp("wire", "emulator", "scenarios"), pattern, f"{sentence}, which nothing below server/ may")
    yield from _search(tree, tree.cpp("wire", "emulator", "scenarios", "tools"), *_ASIO)
    yield from _search(tree, tree.cpp(*PRODUCT), *_BSON_T)
    yield from _search(tree, tree.cpp("wire"), *_EMULATOR_WORDS)


def sizes(tree):
    for name in tree.files:
        is_source = name.endswith((".h", ".cpp", ".py", ".cmake", ".sh", ".js", ".go", ".rs", ".java")) or folder_of(name) == "tools"
        lines = tree.text(name).count("\n") if is_source else 0
        if lines > FILE_LINES_MAX and name not in LONG_FILES:
            yield name, lines, f"has {lines} lines; {FILE_LINES_MAX} are the most"
    for name in tree.cpp():
        for function, first, last in functions(code_only(tree.text(name))):
            length = last - first + 1
            if length > FUNCTION_LINES_MAX and f"{name}:{function}" not in LONG_FUNCTIONS:
                yield name, first, f"{function} has {length} lines; {FUNCTION_LINES_MAX} are the most"


def namespaces_equal_folders(tree):
    for name in tree.cpp("wire", "emulator", "scenarios", "server"):
        folder = folder_of(name)
        code = code_only(tree.text(name))
        outer = [match for match in re.finditer(r"^(?:inline )?namespace\b[ \t]*([\w:]*)\s*\{", code, re.M)]
        for match in outer:
            top = match.group(1).split("::")[0]
            if top not in ("", "std", folder) and not _is_inside(code, match.start()):
                yield name, line_of(code, match.start()), f"opens namespace {top}; the namespace of {folder}/ is {folder}"
        if not any(match.group(1).split("::")[0] == folder for match in outer):
            yield name, 1, f"does not open namespace {folder}"


def _is_inside(code, offset):
    return code.count("{", 0, offset) > code.count("}", 0, offset)


def headers(tree):
    for name in tree.cpp():
        if not name.endswith(".h"):
            continue
        text = tree.text(name)
        if not re.search(r"^#pragma once$", text, re.M):
            yield name, 1, "lacks #pragma once"
        opening = re.match(r"(?:#pragma once\s+)?// (?!table-)([A-Z\"`].*)", text)
        if not opening:
            yield name, 1, "does not open with a comment: one sentence, what it is for and what it does not know"


def words(tree):
    for name in tree.files:
        if not name.endswith((".h", ".cpp", ".py", ".cmake", ".txt", ".sh", ".md", ".yaml", ".js", ".go", ".rs", ".java")):
            continue
        if name in ("tools/shape.py", "tests/tidy_test.py", "CONTRIBUTING.md"):
            continue
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            if re.search(r"\b(?:TODO\b(?!\(#\d+\))|FIXME\b|XXX\b|HACK\b)", line):
                yield name, number, "leaves work behind without an issue: TODO(#n) or nothing"
    for name in tree.files:
        stem = pathlib.PurePath(name).stem
        if any(part in _VAGUE for part in stem.split("_")) and name.endswith((".h", ".cpp", ".py")):
            yield name, 1, "has a vague name: say what it holds"
    vague = "|".join(word.capitalize() for word in _VAGUE)
    known = "|".join(NAMES_OF_THE_FIELD)
    for pattern in (rf"\b(?:class|struct|enum class|enum|using)\s+(?!(?:{known})\b)\w*(?:{vague})\b",
                    r"\b(?:void|auto|bool|int)\s+(?:process|handle)\s*\("):
        yield from _search(tree, tree.cpp(), pattern, "is a vague name: say what it holds or does")


def no_bool_parameters(tree):
    """Declarations in headers only; a heuristic on one parameter list."""
    for name in tree.cpp(*PRODUCT):
        if not name.endswith(".h"):
            continue
        code = code_only(tree.text(name))
        for match in re.finditer(r"(\w+)\s*\(([^(){};]*)\)", code):
            if match.group(1) in BOOLEAN_VALUES or match.group(1) in ("if", "while", "for", "switch"):
                continue
            parameters = match.group(2).split(",")
            if any(re.fullmatch(r"\s*(?:const\s+)?bool(?:\s+\w+)?\s*(?:=.*)?", parameter, re.S) for parameter in parameters):
                yield name, line_of(code, match.start()), f"{match.group(1)} takes a bool: an enum says at the call what it means"


def command_names(tree):
    """A command's name is quoted in its own file only."""
    own = {}
    for name in tree.files:
        match = re.fullmatch(r"emulator/commands/(\w+)\.cpp", name)
        if match:
            head, *rest = match.group(1).split("_")
            own[head + "".join(part.capitalize() for part in rest)] = name
    if not own:
        return
    pattern = re.compile(r'"(' + "|".join(map(re.escape, own)) + r')"')
    for name in tree.cpp("emulator", "scenarios", "server"):
        text = without_comments(tree.text(name))
        for match in pattern.finditer(text):
            word = match.group(1)
            if own[word] == name or word in WORDS_BESIDE_COMMANDS or f"{name}:{word}" in COMMAND_NAME_EXEMPTIONS:
                continue
            yield name, line_of(text, match.start()), f'names the command "{word}", which only {own[word]} may'


def skips_say_why(tree):
    yield from _search(tree, tree.cpp("tests"), r"\bGTEST_SKIP\(\)\s*;", "skips a test without a reason")
    yield from _search(tree, tree.cpp("tests"), r"\bsleep(?:_for|_until)?\s*\(", "sleeps in a test")


RULES = (includes_point_left, banned_words, sizes, namespaces_equal_folders, headers, words, no_bool_parameters, command_names,
         skips_say_why)


def faults(root):
    """Every breach of every rule, sorted: [(file, line, sentence)]."""
    tree = Tree(root)
    return sorted({fault for rule in RULES for fault in rule(tree)})
