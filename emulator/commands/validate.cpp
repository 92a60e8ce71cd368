#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/readable.h"

namespace emulator {
namespace {

// Whether each index is said to be valid, too: until 4.4 only when a thorough look was asked for.
enum class Details { No, Yes };

std::int32_t key_count(const Collection& collection, const Index& index) {
  std::size_t count = 0;
  collection.scan(0, ReadView{}, [&](RecordId, const wire::Document& document) {
    count += index.keys(document).size();
    return true;
  });
  return static_cast<std::int32_t>(count);
}

void append_indexes(wire::DocumentBuilder& out, const Collection& collection, Details details) {
  out.append_int32("nIndexes", static_cast<std::int32_t>(collection.indexes().size()) + 1);
  out.begin_document("keysPerIndex").append_int32("_id_", static_cast<std::int32_t>(collection.count()));
  for (const auto& index : collection.indexes()) out.append_int32(index->spec().name, key_count(collection, *index));
  out.end();
  if (details == Details::No) return;
  out.begin_document("indexDetails").begin_document("_id_").append_bool("valid", true).end();
  for (const auto& index : collection.indexes())
    out.begin_document(index->spec().name).append_bool("valid", true).end();
  out.end();
}

Outcome run(Context& context) {
  const Wording wording = context.profile().wording;
  const std::string name = context.collection_name();
  const std::string full = std::string(context.request.db) + "." + name;
  const Arguments arguments(context.request.body, "validate");
  const bool thorough = arguments.flag("full");
  // 4.2 knows no background.
  if (wording > Wording::V4_2 && thorough && arguments.flag("background"))
    throw CommandError(
        wording <= Wording::V5_0 ? 115 : 72,
        "Running the validate command with both { background: true } and { full: true } is not supported.");
  const Collection* collection = Readable(context, context.request.db, name).collection();
  if (collection == nullptr) throw CommandError(26, "Collection '" + full + "' does not exist to validate.");
  wire::DocumentBuilder& out = context.reply;
  out.append_string("ns", full);
  if (wording <= Wording::V4_2)
    out.append_int64("nInvalidDocuments", 0);
  else
    out.append_int32("nInvalidDocuments", 0);
  if (wording > Wording::V5_0) out.append_int32("nNonCompliantDocuments", 0);
  out.append_int32("nrecords", static_cast<std::int32_t>(collection->count()));
  append_indexes(out, *collection, thorough || wording > Wording::V4_4 ? Details::Yes : Details::No);
  out.append_bool("valid", true);
  if (wording > Wording::V4_4) out.append_bool("repaired", false);
  out.begin_array("warnings");
  if (wording <= Wording::V4_2 && !thorough)
    out.item(wire::Value::string("Some checks omitted for speed. use {full:true} option to do more thorough scan."));
  out.end();
  for (const std::string_view list : {"errors", "extraIndexEntries", "missingIndexEntries"})
    out.begin_array(list).end();
  if (wording > Wording::V4_4) out.begin_array("corruptRecords").end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec validate_command{.name = "validate",
                                                    .authorized = on_collection<Action::Validate>,
                                                    .run = run,
                                                    .help = "Checks a collection: it is valid."};

}  // namespace emulator
