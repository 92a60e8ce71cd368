"""Makes a case that differs smaller, as long as it still differs."""

from .cases import Case

SMALLEST = (1, "", "a")
PROBES_MAX = 600


def _smaller_values(value):
    """Simpler ones in its place, the simplest first."""
    kind = type(value)
    if kind is dict:
        for name in value:
            yield {other: item for other, item in value.items() if other != name}
        for name, item in value.items():
            for smaller in _smaller_values(item):
                yield {**value, name: smaller}
        return
    if kind is list:
        if len(value) > 3:
            yield value[:len(value) // 2]
            yield value[len(value) // 2:]
        for index in range(len(value)):
            yield value[:index] + value[index + 1:]
        for index, item in enumerate(value):
            for smaller in _smaller_values(item):
                yield value[:index] + [smaller] + value[index + 1:]
        return
    if kind is str and len(value) > 3 and not value.startswith("$"):
        yield value[:len(value) // 2]
    if value not in SMALLEST or kind is not int and kind is not str:
        yield 1


def _smaller_documents(documents):
    for index in range(len(documents)):
        yield documents[:index] + documents[index + 1:]
    for index, document in enumerate(documents):
        identity = {"_id": document["_id"]}
        for smaller in _smaller_values({name: item for name, item in document.items() if name != "_id"}):
            yield documents[:index] + [{**identity, **smaller}] + documents[index + 1:]


def _smaller_command(command):
    """The command's collection and shape stay; its statements and options shrink."""
    for name, value in command.items():
        if name in ("updates", "deletes", "documents"):
            for index, statement in enumerate(value):
                if len(value) > 1:
                    yield {**command, name: value[:index] + value[index + 1:]}
                for smaller in _smaller_values(statement):
                    if {"q", "u"} <= smaller.keys() or {"q", "limit"} <= smaller.keys() or name == "documents" and smaller.keys():
                        yield {**command, name: value[:index] + [smaller] + value[index + 1:]}
        elif value != next(iter(command.values())):
            if name not in ("query", "update", "remove"):
                yield {other: item for other, item in command.items() if other != name}
            for smaller in _smaller_values(value):
                yield {**command, name: smaller}


def candidates(case):
    """Cases a step smaller."""
    if len(case.commands) > 1:
        for index in range(len(case.commands)):
            yield Case(case.number, case.documents, case.commands[:index] + case.commands[index + 1:])
    for documents in _smaller_documents(case.documents):
        yield Case(case.number, documents, case.commands)
    for index, command in enumerate(case.commands):
        for smaller in _smaller_command(command):
            yield Case(case.number, case.documents, case.commands[:index] + [smaller] + case.commands[index + 1:])


def shrink(case, found, differs, probes_max=PROBES_MAX):
    """(the smallest case that still differs, its differences); `differs` plays one and gives its differences."""
    probes = 0
    while True:
        for smaller in candidates(case):
            probes += 1
            if probes > probes_max:
                return case, found
            if now := differs(smaller):
                case, found = smaller, now
                break
        else:
            return case, found
