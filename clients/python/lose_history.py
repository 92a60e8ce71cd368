"""What a consumer meets once a year, at once: watches, then has the server lose the history that its token needs."""

import os

import pymongo

client = pymongo.MongoClient(os.environ["MONGODB_URI"])
orders = client.shop.orders
with orders.watch() as stream:
    orders.insert_one({"_id": 1, "item": "lamp"})
    event = stream.next()
    print(event["operationType"], event["documentKey"])

client.admin.command({"oplogue": {"loseHistory": {}}})
try:
    orders.watch(resume_after=event["_id"])
except pymongo.errors.OperationFailure as error:
    print("resuming after it:", error.code, error.details["codeName"])
