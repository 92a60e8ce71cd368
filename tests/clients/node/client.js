// What the Node driver sees of a deployment: prints `ok NAME` or `FAIL NAME: why` a check. README.md beside this folder says which.
'use strict';
const assert = require('node:assert');
const { MongoClient } = require('mongodb');

const isOplogue = (process.env.CLIENTS_AGAINST ?? 'oplogue') === 'oplogue';
const patienceMilliseconds = 20_000;
const database = 'clients_node';
const watchOptions = { maxAwaitTimeMS: 200 };

const watcher = new MongoClient(process.env.MONGODB_URI, { appName: 'watcher_node' });
const writer = new MongoClient(process.env.MONGODB_URI, { appName: 'writer_node' });

// The next `count` events of a stream; fewer when patience ends.
async function read(stream, count) {
  const events = [];
  const deadline = Date.now() + patienceMilliseconds;
  while (events.length < count && Date.now() < deadline) {
    const event = await stream.tryNext();
    if (event !== null) events.push(event);
  }
  return events;
}

const operations = (events) => events.map((event) => event.operationType);

async function fresh(name) {
  await writer.db(database).dropCollection(name).catch(() => {});
  return writer.db(database).createCollection(name);
}

// A stream of the driver opens with its first read.
async function opened(stream) {
  assert.strictEqual(await stream.tryNext(), null);
  return stream;
}

async function writeAll(collection) {
  await collection.insertOne({ _id: 1, a: 1 });
  await collection.updateOne({ _id: 1 }, { $set: { a: 2 } });
  await collection.replaceOne({ _id: 1 }, { a: 3 });
  await collection.deleteOne({ _id: 1 });
  await collection.drop();
}

async function connectsByReplicaSet() {
  assert.strictEqual((await watcher.db('admin').command({ ping: 1 })).ok, 1);
  assert.strictEqual(watcher.topology.description.type, 'ReplicaSetWithPrimary');
}

async function watchesACollection() {
  const collection = await fresh('whole');
  const stream = await opened(watcher.db(database).collection('whole').watch([], watchOptions));
  await writeAll(collection);
  const events = await read(stream, 6);
  await stream.close();
  assert.deepStrictEqual(operations(events), ['insert', 'update', 'replace', 'delete', 'drop', 'invalidate']);
  assert.deepStrictEqual(events[1].updateDescription.updatedFields, { a: 2 });
  assert.deepStrictEqual(events[2].fullDocument, { _id: 1, a: 3 });
  assert.deepStrictEqual(events[3].documentKey, { _id: 1 });
}

async function watchesADatabase() {
  await writer.db(database).dropDatabase();
  const collection = await fresh('of_database');
  const stream = await opened(watcher.db(database).watch([], watchOptions));
  await writeAll(collection);
  await writer.db(database).dropDatabase();
  const events = await read(stream, 7);
  await stream.close();
  assert.deepStrictEqual(operations(events), ['insert', 'update', 'replace', 'delete', 'drop', 'dropDatabase', 'invalidate']);
}

async function watchesTheCluster() {
  const collection = await fresh('of_cluster');
  const stream = await opened(watcher.watch([{ $match: { 'ns.db': database } }], watchOptions));
  await writeAll(collection);
  const events = await read(stream, 5);
  await stream.close();
  assert.deepStrictEqual(operations(events), ['insert', 'update', 'replace', 'delete', 'drop']);
}

async function readsEachOnce(name, disturb) {
  const collection = await fresh(name);
  const stream = await opened(watcher.db(database).collection(name).watch([], watchOptions));
  await collection.insertOne({ _id: 1 });
  const events = await read(stream, 1);
  await disturb();
  await collection.insertMany([{ _id: 2 }, { _id: 3 }]);
  events.push(...(await read(stream, 2)));
  assert.strictEqual(await stream.tryNext(), null);
  await stream.close();
  assert.deepStrictEqual(events.map((event) => event.documentKey._id), [1, 2, 3]);
}

const failGetMore = (data) =>
  writer.db('admin').command({
    configureFailPoint: 'failCommand',
    mode: { times: 1 },
    data: { failCommands: ['getMore'], appName: 'watcher_node', ...data },
  });

const dropConnections = () =>
  isOplogue
    ? writer.db('admin').command({ oplogue: { dropConnections: { app: 'watcher_node' } } })
    : failGetMore({ closeConnection: true });

const survivesADroppedConnection = () => readsEachOnce('dropped', dropConnections);

const survivesALabelledError = () =>
  readsEachOnce('labelled', () => failGetMore({ errorCode: 8, errorLabels: ['ResumableChangeStreamError'] }));

async function reportsLostHistory() {
  const collection = await fresh('lost');
  const watched = watcher.db(database).collection('lost');
  const stream = await opened(watched.watch([], watchOptions));
  await collection.insertOne({ _id: 1 });
  const [{ _id: token }] = await read(stream, 1);
  await stream.close();
  await collection.insertOne({ _id: 2 });
  await writer.db('admin').command({ oplogue: { loseHistory: {} } });
  const late = watched.watch([], { ...watchOptions, resumeAfter: token });
  await assert.rejects(late.tryNext(), { code: 286 });
  await late.close();
}

const checks = [connectsByReplicaSet, watchesACollection, watchesADatabase, watchesTheCluster, survivesADroppedConnection,
  survivesALabelledError, ...(isOplogue ? [reportsLostHistory] : [])];

async function main() {
  await watcher.connect();
  for (const check of checks) {
    const name = check.name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    try {
      await check();
      console.log(`ok ${name}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`FAIL ${name}: ${String(error.message).replace(/\n/g, ' ')}`);
    }
  }
  await watcher.close();
  await writer.close();
}

main();
