// The page's array examples, one after the other; prints each event's updateDescription on a line.
db.students.drop();
const csCursor = db.students.watch([{$match: {operationType: "update"}}]);
db.students.insertOne({student_id: 1, scores: []});
db.students.updateOne({student_id: 1}, {$push: {scores: 0.85}});
db.students.updateOne({student_id: 1}, {$push: {scores: 0.94}});
db.students.updateOne({student_id: 1}, {$pull: {scores: 0.94}});
db.students.insertOne({student_id: 2, scores: [0.85, 0.94, 0.78]});
db.students.updateOne({student_id: 2}, [{$addFields: {scores: [0.85, 0.94]}}]);
db.students.updateOne({student_id: 2}, [{$addFields: {scores: [0.85, 0.94, 0.78]}}]);
for (let i = 0; i < 5; i++) if (csCursor.hasNext()) print(JSON.stringify(csCursor.next().updateDescription));
csCursor.close();
