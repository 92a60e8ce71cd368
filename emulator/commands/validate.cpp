#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/readable.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  const std::string full = std::string(context.request.db) + "." + name;
  const Arguments arguments(context.request.body, "validate");
  if (arguments.flag("full") && arguments.flag("background"))
    throw CommandError(
        context.profile().wording <= Wording::V5_0 ? 115 : 72,
        "Running the validate command with both { background: true } and { full: true } is not supported.");
  const Collection* collection = Readable(context, context.request.db, name).collection();
  if (collection == nullptr) throw CommandError(26, "Collection '" + full + "' does not exist to validate.");
  const auto count = static_cast<std::int32_t>(collection->count());
  wire::DocumentBuilder& out = context.reply;
  out.append_string("ns", full).append_int32("nInvalidDocuments", 0).append_int32("nNonCompliantDocuments", 0);
  out.append_int32("nrecords", count)
      .append_int32("nIndexes", static_cast<std::int32_t>(collection->indexes().size()) + 1);
  out.begin_document("keysPerIndex").append_int32("_id_", count).end();
  out.begin_document("indexDetails").begin_document("_id_").append_bool("valid", true).end().end();
  out.append_bool("valid", true).append_bool("repaired", false);
  for (const std::string_view list :
       {"warnings", "errors", "extraIndexEntries", "missingIndexEntries", "corruptRecords"})
    out.begin_array(list).end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec validate_command{.name = "validate",
                                                    .authorized = on_collection<Action::Validate>,
                                                    .run = run,
                                                    .help = "Checks a collection: it is valid."};

}  // namespace emulator
