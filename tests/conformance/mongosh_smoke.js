// Watching by mongosh, run by tools/conformance; prints `ok NAME` and `not ok NAME: why`.
const dbn = 'mongosh_smoke_' + Date.now();
const d = db.getSiblingDB(dbn);
function check(name, fn) {
  try { const r = fn(); if (r === false) throw new Error('false'); print('ok ' + name); }
  catch (e) { print('not ok ' + name + ': ' + e.message); }
}
function take(cs, n, ms = 10000) { // n events
  const out = [], end = Date.now() + ms;
  while (out.length < n && Date.now() < end) { const e = cs.tryNext(); if (e) out.push(e); }
  return out;
}
function eq(a, b) { a = EJSON.stringify(a); b = EJSON.stringify(b); if (a !== b) throw new Error(a + ' != ' + b); }
check('hello names a replica set', () => !!db.hello().setName);
check('rs.status() has a primary', () => rs.status().members.some(m => m.stateStr === 'PRIMARY'));
check('db.version()', () => /^\d+\.\d+/.test(db.version()));
d.createCollection('c');
check('show collections', () => d.getCollectionNames().includes('c'));
const cs = d.c.watch([], { maxAwaitTimeMS: 200 });
check('tryNext on an idle stream is null', () => cs.tryNext() === null);
d.c.insertOne({ _id: 1, a: 1 });
d.c.updateOne({ _id: 1 }, { $set: { a: 2 }, $unset: { zz: '' } });
d.c.replaceOne({ _id: 1 }, { b: 1 });
d.c.deleteOne({ _id: 1 });
let ev = [];
check('insert, update, replace, delete', () => { ev = take(cs, 4); eq(ev.map(e => e.operationType), ['insert', 'update', 'replace', 'delete']); });
check('update description', () => eq(ev[1].updateDescription.updatedFields, { a: 2 }));
check('ns and documentKey', () => { eq(ev[0].ns, { db: dbn, coll: 'c' }); eq(ev[3].documentKey, { _id: 1 }); });
check('resume token is a document with _data', () => typeof cs.getResumeToken()._data === 'string');
const tok = ev[0]._id;
cs.close();
check('resumeAfter', () => { const c = d.c.watch([], { resumeAfter: tok, maxAwaitTimeMS: 200 }); const r = take(c, 3); c.close(); eq(r.map(e => e.operationType), ['update', 'replace', 'delete']); });
check('startAfter', () => { const c = d.c.watch([], { startAfter: ev[1]._id, maxAwaitTimeMS: 200 }); const r = take(c, 2); c.close(); eq(r.map(e => e.operationType), ['replace', 'delete']); });
check('startAtOperationTime', () => { const c = d.c.watch([], { startAtOperationTime: ev[2].clusterTime, maxAwaitTimeMS: 200 }); const r = take(c, 2); c.close(); eq(r.map(e => e.operationType), ['replace', 'delete']); });
check('pipeline $match + fullDocument updateLookup', () => {
  const c = d.c.watch([{ $match: { operationType: 'update' } }], { fullDocument: 'updateLookup', maxAwaitTimeMS: 200 });
  d.c.insertOne({ _id: 2, n: 1 }); d.c.updateOne({ _id: 2 }, { $inc: { n: 5 } });
  const r = take(c, 1); c.close(); eq(r[0].fullDocument, { _id: 2, n: 6 });
});
check('pre and post images', () => {
  d.createCollection('img', { changeStreamPreAndPostImages: { enabled: true } });
  const c = d.img.watch([], { fullDocumentBeforeChange: 'required', fullDocument: 'whenAvailable', maxAwaitTimeMS: 200 });
  d.img.insertOne({ _id: 1, v: 1 }); d.img.updateOne({ _id: 1 }, { $set: { v: 2 } });
  const r = take(c, 2).filter(e => e.operationType === 'update'); c.close();
  eq([r[0].fullDocumentBeforeChange, r[0].fullDocument], [{ _id: 1, v: 1 }, { _id: 1, v: 2 }]);
});
check('database watch sees two collections', () => {
  const c = d.watch([], { maxAwaitTimeMS: 200 }); d.x.insertOne({}); d.y.insertOne({});
  const r = take(c, 2); c.close(); eq(r.map(e => e.ns.coll), ['x', 'y']);
});
check('cluster watch, showExpandedEvents', () => {
  const c = db.getMongo().watch([{ $match: { 'ns.db': dbn } }], { showExpandedEvents: true, maxAwaitTimeMS: 200 });
  d.z.createIndex({ q: 1 }); d.z.insertOne({ q: 1 });
  const r = take(c, 3); c.close(); eq(r.map(e => e.operationType), ['create', 'createIndexes', 'insert']);
});
check('drop invalidates', () => {
  const c = d.x.watch([], { maxAwaitTimeMS: 200 }); d.x.drop();
  const r = take(c, 2); eq(r.map(e => e.operationType), ['drop', 'invalidate']); c.close();
});
d.dropDatabase();
