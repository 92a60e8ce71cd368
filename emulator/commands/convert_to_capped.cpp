#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/create_options.h"
#include "emulator/deployment.h"
#include "emulator/write.h"

namespace emulator {
namespace {

// The newest documents that fit, in order.
std::vector<wire::Document> newest(const Collection& source, std::int64_t bytes_max) {
  std::vector<wire::Document> documents;
  source.scan(0, ReadView{}, [&](RecordId, const wire::Document& document) {
    documents.push_back(document);
    return true;
  });
  std::size_t first = documents.size();
  for (std::int64_t bytes = 0; first > 0; --first) {
    bytes += static_cast<std::int64_t>(documents[first - 1].size());
    if (bytes > bytes_max) break;
  }
  documents.erase(documents.begin(), documents.begin() + static_cast<std::ptrdiff_t>(first));
  return documents;
}

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  const std::string db(context.request.db);
  Writer writer(context);
  const Collection* source = context.deployment.store.find(db, name);
  if (source == nullptr) throw CommandError(26, "source collection " + db + "." + name + " does not exist");
  const std::int64_t size = whole_number(context.request["size"]);
  check_capped_bytes(size);
  if (size == 0) throw CommandError(0, "invalid command spec");
  wire::DocumentBuilder options;
  options.append_bool("capped", true).append_int64("size", size).append_bool("temp", true);
  require_unused(context.deployment, db, name);
  Collection& copy = writer.create(db, writer.passing_name() + ".convertToCapped." + name, options.finish());
  for (const wire::Document& document : newest(*source, size))
    if (Failure failure = writer.insert_prepared(copy, document)) throw CommandError(*failure);
  writer.rename(copy, db, name, Writer::Target::MayBeDropped);
  wire::DocumentBuilder kept;
  copy.set_options(kept.append_bool("capped", true).append_int64("size", size).finish());
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec convert_to_capped_command{
    .name = "convertToCapped",
    .runs_on = RunsOn::Primary,
    .write_concern = WriteConcern::Supported,
    .authorized = on_collection<Action::ConvertToCapped>,
    .run = run,
    .help = "Makes a collection capped: a copy takes its name."};

}  // namespace emulator
