// The script of MongoDB's manual page on update events: the same removal by an operator and by a pipeline.
let contactMethods = {email: "user@example.com", phone: "555-0100", mobile: "555-0101"};
db.cstest.drop();
db.cstest.insertMany([
  {_id: "standard_remove_1_of_3", contactMethods: contactMethods},
  {_id: "pipeline_remove_1_of_3", contactMethods: contactMethods},
  {_id: "standard_remove_2_of_3", contactMethods: contactMethods},
  {_id: "pipeline_remove_2_of_3", contactMethods: contactMethods},
]);
const csCursor = db.cstest.watch();
db.cstest.updateOne({_id: "standard_remove_1_of_3"}, {$unset: {"contactMethods.email": ""}});
db.cstest.updateOne({_id: "pipeline_remove_1_of_3"}, [{$unset: "contactMethods.email"}]);
db.cstest.updateOne({_id: "standard_remove_2_of_3"}, {$unset: {"contactMethods.email": "", "contactMethods.phone": ""}});
db.cstest.updateOne({_id: "pipeline_remove_2_of_3"}, [{$unset: ["contactMethods.email", "contactMethods.phone"]}]);
print("\n--- Change Stream Results ---");
for (let i = 0; i < 4; i++) {
  if (csCursor.hasNext()) {
    let event = csCursor.next();
    print(`\nOperation: ${event.documentKey._id}`);
    print(JSON.stringify(event.updateDescription));
  }
}
csCursor.close();
