"""Records what a real mongod says: record.py URI FILE.jsonl…  Each line has `pipeline` or `filter` (with `projection`, `sort`) and, where they
are not those of the line before, `docs`; it gets `result`, or `code` and `errmsg` without the words that say whose executor failed."""
import re
import sys
from pathlib import Path

import pymongo
from bson import json_util
from bson.codec_options import DatetimeConversion

PREFIX = re.compile(r"^(PlanExecutor error during aggregation|Executor error during find command)"
                    r"( :: caused by :: )")
CANONICAL = json_util.JSONOptions(json_mode=json_util.JSONMode.CANONICAL, document_class=dict, tz_aware=False,
                                 datetime_conversion=DatetimeConversion.DATETIME_MS)


def without_prefix(text):
    while PREFIX.match(text):
        text = PREFIX.sub("", text)
    return text


def ask(database, case):
    if "pipeline" in case:
        return {"aggregate": "answers", "pipeline": case["pipeline"], "cursor": {"batchSize": 10_000}}
    return {"find": "answers", "batchSize": 10_000, **{name: case[name] for name in ("filter", "projection", "sort") if name in case}}


def record(database, case, documents):
    database.answers.drop()
    if documents:
        database.answers.insert_many(documents)
    said = {name: case[name] for name in case if name not in ("result", "code", "errmsg")}
    try:
        said["result"] = database.command(ask(database, case), codec_options=database.codec_options)["cursor"]["firstBatch"]
    except pymongo.errors.OperationFailure as error:
        said["code"], said["errmsg"] = error.code, without_prefix(error.details["errmsg"])
    return said


def main(uri, *names):
    database = pymongo.MongoClient(uri, datetime_conversion="DATETIME_MS").golden_answers
    for name in names:
        lines, documents = [], []
        for line in Path(name).read_text(encoding="utf-8").splitlines():
            case = json_util.loads(line, json_options=CANONICAL)
            documents = case.get("docs", documents)
            lines.append(json_util.dumps(record(database, case, documents), json_options=CANONICAL, ensure_ascii=False))
        Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    database.client.drop_database(database)


if __name__ == "__main__":
    main(*sys.argv[1:])
