"""C++ source as tools/tidy reads it: text without comments or strings, and where functions begin and end."""

import re

_LITERAL = re.compile(
    r'(?P<raw>R"(?P<mark>[^()\\\s]{0,16})\((?:.|\n)*?\)(?P=mark)")'
    r'|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+')"
    r"|(?P<line>//[^\n]*)|(?P<block>/\*(?:.|\n)*?\*/)")
_SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
_INITIALIZER = re.compile(r"\)\s*(?:noexcept(?:\([^)]*\))?\s*)?:[^:]")


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    """The same text, line for line, with comments blanked."""
    return _LITERAL.sub(lambda m: _blank(m.group()) if m.group("line") or m.group("block") else m.group(), text)


def code_only(text):
    """The same text, line for line, with comments blanked and literals emptied."""

    def replace(match):
        if match.group("line") or match.group("block"):
            return _blank(match.group())
        return match.group()[0] + _blank(match.group()[1:-1]) + match.group()[-1]

    return _LITERAL.sub(replace, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def functions(code):
    """[(name, first line, last line)] of the function definitions in code_only text. A heuristic: a brace that follows a
    parameter list where a declaration may stand opens a function."""
    code = re.sub(r"^[ \t]*#.*$", lambda m: _blank(m.group()), code, flags=re.M)
    found = []
    stack = []  # (kind, name, offset of the head)
    head_start = 0
    for match in re.finditer(r"[{};]", code):
        at, sign = match.start(), match.group()
        kind = stack[-1][0] if stack else "scope"
        if sign == ";":
            head_start = at + 1 if kind == "scope" else head_start
        elif sign == "{":
            head = code[head_start:at]
            stack.append((_kind_of(head, kind), _name_of(head), head_start + len(head) - len(head.lstrip())))
            if stack[-1][0] == "scope":
                head_start = at + 1
        elif stack:
            kind, name, start = stack.pop()
            if kind == "function":
                found.append((name, line_of(code, start), line_of(code, at)))
            if kind in ("function", "scope"):
                head_start = at + 1
    return found


def _kind_of(head, outer):
    if outer != "scope":
        return "inner"
    before = head.rstrip()
    if _SCOPE.search(re.sub(r"template\s*<[^{]*?>\s*(?=\w)", "", head)) and "(" not in re.sub(r"alignas\(.*?\)", "", head):
        return "scope"
    if _INITIALIZER.search(head) and re.search(r"[\w>]$", before):
        return "inner"  # a member's initializer: its function is still to come
    declarator = re.sub(r"template\s*<[^{]*?>\s*(?=\w)", "", head).split("(")[0]
    is_initializer = "=" in declarator and "operator" not in declarator
    if "(" in head and not is_initializer and not re.search(r"=[^()]*$", before):
        return "function"
    return "inner"


def _name_of(head):
    match = re.search(r"([\w:~]+|operator[^(]+)\s*\(", head)
    return match.group(1) if match else "?"
