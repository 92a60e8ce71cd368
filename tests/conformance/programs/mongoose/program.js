// What mongoose's Model.watch() sees of a server: node program.js URI prints `ok NAME` or `not ok NAME: why` a check.
'use strict';
const assert = require('node:assert');
const mongoose = require('mongoose');

const [uri] = process.argv.slice(2);
const app = 'mongoose';
const patienceMilliseconds = 30_000;
const commandNotFound = 59;
const historyLost = 286;

// Collections are made where a check wants them, not by a model behind its back.
const schemaOf = (fields) => new mongoose.Schema({ _id: Number, ...fields }, { versionKey: false, autoCreate: false, autoIndex: false });
// The program under test watches by one connection, and another writes: what is done to the first does not meet the second.
const watcher = mongoose.createConnection(uri, { appName: app, dbName: 'programs_mongoose' });
const writer = mongoose.createConnection(uri, { dbName: 'programs_mongoose' });
const orderSchema = schemaOf({ item: String, quantity: Number, tags: { type: [String], default: undefined } });
// Images of documents are kept from 6.0 on, truncated arrays are told from 5.0 on.
let major;
const imagedSchema = schemaOf({ quantity: Number });
const Order = writer.model('Order', orderSchema);
const WatchedOrder = watcher.model('Order', orderSchema);
const Stock = writer.model('Stock', imagedSchema);
const WatchedStock = watcher.model('Stock', imagedSchema);

// What a stream emits, from the moment when the server has it open.
async function listen(stream) {
  const events = [];
  const errors = [];
  stream.on('change', (event) => events.push(event));
  stream.on('error', (error) => errors.push(error));
  await stream.$driverChangeStreamPromise;
  const isOpen = () => errors.length > 0 || stream.driverChangeStream.cursor.id != null;
  await until(isOpen, 'the stream opens');
  return {
    errors,
    async take(count) {
      await until(() => events.length >= count || errors.length > 0, `${count} events come`).catch(() => {});
      if (errors.length > 0) throw errors[0];
      return events.splice(0);
    },
    close: () => stream.close(),
  };
}

async function until(condition, what) {
  const deadline = Date.now() + patienceMilliseconds;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const noArrays = () => (major >= 5 ? { truncatedArrays: [] } : {});

const brief = ({ operationType, documentKey }) => `${operationType} ${documentKey._id}`;

async function administered(step, argument) {
  try {
    await writer.db.admin().command({ oplogue: { [step]: argument } });
    return true;
  } catch (error) {
    if (error.code !== commandNotFound) throw error;
    return false;
  }
}

// The watcher's next command of this name.
const fail = (command, failure) =>
  writer.db.admin().command({
    configureFailPoint: 'failCommand',
    mode: { times: 1 },
    data: { failCommands: [command], appName: app, ...failure },
  });

// What only Oplogue can do is done to a mongod as near as its fail points come.
async function dropConnections() {
  if (!(await administered('dropConnections', { app }))) await fail('getMore', { closeConnection: true });
}

async function loseHistory() {
  if (!(await administered('loseHistory', {}))) await fail('aggregate', { errorCode: historyLost });
}

async function hearsWhatAModelDoes() {
  const heard = await listen(WatchedOrder.watch());
  const order = await Order.create({ _id: 1, item: 'pen', quantity: 5, tags: ['blue'] });
  order.quantity = 4;
  order.tags.push('thin');
  await order.save();
  await Order.findByIdAndUpdate(1, { $unset: { tags: 1 }, $inc: { quantity: -1 } });
  await Order.replaceOne({ _id: 1 }, { item: 'pencil' });
  await Order.deleteOne({ _id: 1 });
  const events = await heard.take(5);
  await heard.close();
  assert.deepStrictEqual(events.map(brief), ['insert 1', 'update 1', 'update 1', 'replace 1', 'delete 1']);
  assert.deepStrictEqual(events[0].fullDocument, { _id: 1, item: 'pen', quantity: 5, tags: ['blue'] });
  assert.deepStrictEqual(events[0].ns, { db: 'programs_mongoose', coll: 'orders' });
  assert.deepStrictEqual(events[1].updateDescription,
    { updatedFields: { quantity: 4, 'tags.1': 'thin' }, removedFields: [], ...noArrays() });
  assert.deepStrictEqual(events[2].updateDescription, { updatedFields: { quantity: 3 }, removedFields: ['tags'], ...noArrays() });
  assert.deepStrictEqual(events[3].fullDocument, { _id: 1, item: 'pencil' });
}

async function hydratesWhatItLooksUp() {
  const pipeline = [{ $match: { operationType: 'update', 'updateDescription.updatedFields.quantity': { $gte: 10 } } }];
  const heard = await listen(WatchedOrder.watch(pipeline, { fullDocument: 'updateLookup', hydrate: true }));
  await Order.insertMany([{ _id: 2, item: 'ink', quantity: 1 }, { _id: 3, item: 'pad', quantity: 1 }]);
  await Order.updateOne({ _id: 2 }, { quantity: 9 });
  await Order.updateMany({}, { $inc: { quantity: 5 } });
  const [event, ...more] = await heard.take(1);
  await heard.close();
  assert.deepStrictEqual(more, []);
  assert.ok(event.fullDocument instanceof WatchedOrder);
  assert.deepStrictEqual(event.fullDocument.toObject(), { _id: 2, item: 'ink', quantity: 14 });
}

async function readsByNext() {
  const stream = WatchedOrder.watch([], { hydrate: true });
  const first = stream.next();
  await until(() => stream.driverChangeStream?.cursor.id != null, 'the stream opens');
  await Order.create({ _id: 4, item: 'nib' });
  await Order.create({ _id: 5, item: 'box' });
  assert.strictEqual(brief(await first), 'insert 4');
  assert.strictEqual(await stream.hasNext(), true);
  const second = await stream.next();
  assert.strictEqual(brief(second), 'insert 5');
  assert.ok(second.fullDocument instanceof WatchedOrder);
  await stream.close();
}

async function readsImages() {
  await Stock.createCollection({ changeStreamPreAndPostImages: { enabled: true } });
  const heard = await listen(WatchedStock.watch([], { fullDocument: 'required', fullDocumentBeforeChange: 'required' }));
  await Stock.create({ _id: 1, quantity: 1 });
  await Stock.updateOne({ _id: 1 }, { quantity: 2 });
  await Stock.updateOne({ _id: 1 }, { quantity: 3 });
  await Stock.deleteOne({ _id: 1 });
  const events = await heard.take(4);
  await heard.close();
  assert.deepStrictEqual(events.map((event) => [event.fullDocumentBeforeChange?.quantity, event.fullDocument?.quantity]),
    [[undefined, 1], [1, 2], [2, 3], [3, undefined]]);
}

async function hearsATransactionWhole() {
  const heard = await listen(watcher.watch([{ $match: { operationType: 'insert' } }]));
  await writer.transaction(async (session) => {
    await Order.create([{ _id: 6 }], { session });
    await Stock.create([{ _id: 6 }], { session });
  });
  await assert.rejects(writer.transaction(async (session) => {
    await Order.create([{ _id: 7 }], { session });
    throw new Error('no');
  }), { message: 'no' });
  await Order.create({ _id: 8 });
  const events = await heard.take(3);
  await heard.close();
  assert.deepStrictEqual(events.map((event) => [event.ns.coll, event.documentKey._id]), [['orders', 6], ['stocks', 6], ['orders', 8]]);
  assert.ok(events[0].clusterTime.equals(events[1].clusterTime));
  assert.deepStrictEqual(events.map((event) => event.txnNumber !== undefined), [true, true, false]);
  assert.deepStrictEqual(events[0].lsid, events[1].lsid);
}

async function readsEachOnce(first, disturb) {
  const heard = await listen(WatchedOrder.watch());
  await Order.create({ _id: first });
  const events = await heard.take(1);
  await disturb();
  await Order.insertMany([{ _id: first + 1 }, { _id: first + 2 }]);
  events.push(...(await heard.take(2)));
  await Order.deleteOne({ _id: first });
  events.push(...(await heard.take(1)));
  await heard.close();
  assert.deepStrictEqual(events.map(brief), [`insert ${first}`, `insert ${first + 1}`, `insert ${first + 2}`, `delete ${first}`]);
}

const survivesADroppedConnection = () => readsEachOnce(100, dropConnections);

const survivesALabelledError = () =>
  readsEachOnce(200, () => fail('getMore', { errorCode: 8, errorLabels: ['ResumableChangeStreamError'] }));

async function goesOnAfterAStoredToken() {
  const heard = await listen(WatchedOrder.watch());
  await Order.create({ _id: 300 });
  const [{ _id: token }] = await heard.take(1);
  await heard.close();
  await Order.insertMany([{ _id: 301 }, { _id: 302 }]);
  const again = await listen(WatchedOrder.watch([], { resumeAfter: token }));
  await Order.create({ _id: 303 });
  const events = await again.take(3);
  await again.close();
  assert.deepStrictEqual(events.map(brief), ['insert 301', 'insert 302', 'insert 303']);
}

async function endsWhenItsCollectionIsDropped() {
  await Stock.create({ _id: 20 });
  const heard = await listen(WatchedStock.watch());
  await Stock.collection.drop();
  const events = await heard.take(2);
  await heard.close();
  assert.deepStrictEqual(events.map((event) => event.operationType), ['drop', 'invalidate']);
}

async function reportsLostHistory() {
  const heard = await listen(WatchedOrder.watch());
  await Order.create({ _id: 400 });
  const [{ _id: token }] = await heard.take(1);
  await heard.close();
  await Order.create({ _id: 401 });
  await loseHistory();
  const late = await listen(WatchedOrder.watch([], { resumeAfter: token }));
  assert.deepStrictEqual(late.errors.map((error) => error.code), [historyLost]);
  await late.close();
}

const checks = () => [hearsWhatAModelDoes, hydratesWhatItLooksUp, readsByNext, ...(major >= 6 ? [readsImages] : []),
  hearsATransactionWhole, survivesADroppedConnection, survivesALabelledError, goesOnAfterAStoredToken,
  endsWhenItsCollectionIsDropped, reportsLostHistory];

async function main() {
  await Promise.all([watcher.asPromise(), writer.asPromise()]);
  [major] = (await writer.db.admin().buildInfo()).versionArray;
  await writer.dropDatabase();
  await Order.createCollection();
  for (const check of checks()) {
    const name = check.name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    try {
      await check();
      console.log(`ok ${name}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`not ok ${name}: ${String(error.message).replace(/\n/g, ' ')}`);
    }
  }
  await Promise.all([watcher.close(), writer.close()]);
}

main();
