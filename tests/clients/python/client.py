"""What pymongo sees of a deployment: prints `ok NAME` or `FAIL NAME: why` a check. README.md beside this folder says which."""

import os
import sys
import time

import pymongo
from pymongo.errors import OperationFailure

URI = os.environ["MONGODB_URI"]
IS_OPLOGUE = os.environ.get("CLIENTS_AGAINST", "oplogue") == "oplogue"
PATIENCE_SECONDS = 20
DATABASE = "clients_python"

watcher = pymongo.MongoClient(URI, appname="watcher_python")
writer = pymongo.MongoClient(URI, appname="writer_python")


def read(stream, count):
    """The next `count` events of a stream; fewer when patience ends."""
    events = []
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(events) < count and time.monotonic() < deadline:
        event = stream.try_next()
        if event is not None:
            events.append(event)
    return events


def expect(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected}, came {actual}")


def operations(events):
    return [event["operationType"] for event in events]


def fresh(name):
    writer[DATABASE].drop_collection(name)
    return writer[DATABASE].create_collection(name)


def write_all(collection):
    collection.insert_one({"_id": 1, "a": 1})
    collection.update_one({"_id": 1}, {"$set": {"a": 2}})
    collection.replace_one({"_id": 1}, {"a": 3})
    collection.delete_one({"_id": 1})
    collection.drop()


def connects_by_replica_set():
    expect(watcher.admin.command("ping")["ok"], 1.0)
    expect(watcher.topology_description.topology_type_name, "ReplicaSetWithPrimary")


def watches_a_collection():
    collection = fresh("whole")
    with watcher[DATABASE].whole.watch(max_await_time_ms=200) as stream:
        write_all(collection)
        events = read(stream, 6)
        expect(operations(events), ["insert", "update", "replace", "delete", "drop", "invalidate"])
        expect(events[1]["updateDescription"]["updatedFields"], {"a": 2})
        expect(events[2]["fullDocument"], {"_id": 1, "a": 3})
        expect(events[3]["documentKey"], {"_id": 1})


def watches_a_database():
    writer.drop_database(DATABASE)
    collection = fresh("of_database")
    with watcher[DATABASE].watch(max_await_time_ms=200) as stream:
        write_all(collection)
        writer.drop_database(DATABASE)
        expect(operations(read(stream, 7)), ["insert", "update", "replace", "delete", "drop", "dropDatabase", "invalidate"])


def watches_the_cluster():
    collection = fresh("of_cluster")
    pipeline = [{"$match": {"ns.db": DATABASE}}]
    with watcher.watch(pipeline, max_await_time_ms=200) as stream:
        write_all(collection)
        expect(operations(read(stream, 5)), ["insert", "update", "replace", "delete", "drop"])


def reads_each_once(name, disturb):
    collection = fresh(name)
    with watcher[DATABASE][name].watch(max_await_time_ms=200) as stream:
        collection.insert_one({"_id": 1})
        events = read(stream, 1)
        disturb()
        collection.insert_many([{"_id": 2}, {"_id": 3}])
        events += read(stream, 2)
        expect(stream.try_next(), None)
        expect([event["documentKey"]["_id"] for event in events], [1, 2, 3])


def fail_get_more(data):
    writer.admin.command({"configureFailPoint": "failCommand", "mode": {"times": 1},
                          "data": {"failCommands": ["getMore"], "appName": "watcher_python", **data}})


def drop_connections():
    if IS_OPLOGUE:
        writer.admin.command({"oplogue": {"dropConnections": {"app": "watcher_python"}}})
    else:
        fail_get_more({"closeConnection": True})


def survives_a_dropped_connection():
    reads_each_once("dropped", drop_connections)


def survives_a_labelled_error():
    reads_each_once("labelled", lambda: fail_get_more({"errorCode": 8, "errorLabels": ["ResumableChangeStreamError"]}))


def reports_lost_history():
    collection = fresh("lost")
    with watcher[DATABASE].lost.watch(max_await_time_ms=200) as stream:
        collection.insert_one({"_id": 1})
        token = read(stream, 1)[0]["_id"]
    collection.insert_one({"_id": 2})
    writer.admin.command({"oplogue": {"loseHistory": {}}})
    try:
        with watcher[DATABASE].lost.watch(resume_after=token, max_await_time_ms=200) as stream:
            came = stream.try_next()
        raise AssertionError(f"expected error 286, came {came}")
    except OperationFailure as error:
        expect(error.code, 286)


CHECKS = [connects_by_replica_set, watches_a_collection, watches_a_database, watches_the_cluster, survives_a_dropped_connection,
          survives_a_labelled_error] + ([reports_lost_history] if IS_OPLOGUE else [])

failed = False
for check in CHECKS:
    name = check.__name__.replace("_", " ")
    try:
        check()
        print("ok", name, flush=True)
    except Exception as error:  # a check's failure must not hide the next one's
        failed = True
        print(f"FAIL {name}: {error}".replace("\n", " "), flush=True)
sys.exit(1 if failed else 0)
