#include "emulator/stored_documents.h"

#include "emulator/error_codes.h"
#include "emulator/pipeline.h"

namespace emulator {
namespace {

constexpr int view_depth_max = 20;  // ViewGraph::kMaxViewDepth

std::vector<wire::Document> oplog_documents(const Oplog& oplog, OplogPosition first) {
  std::vector<wire::Document> out;
  for (OplogPosition at = std::max(first, oplog.first()); at < oplog.end(); ++at) out.push_back(oplog_document(oplog.at(at)));
  return out;
}

std::vector<wire::Document> resolve(Context& context, std::string_view db, std::string_view name, int depth) {
  if (db == "local" && name == "oplog.rs") return oplog_documents(context.deployment.oplog, context.member.first);
  std::vector<wire::Document> out;
  const Collection* collection = context.deployment.store.find(db, name);
  if (collection == nullptr) return out;
  if (collection->kind() == CollectionKind::View) {
    if (depth == view_depth_max)
      throw CommandError(160, "View depth too deep or view cycle detected; maximum depth is " + std::to_string(view_depth_max));
    ParseContext parsing;
    parsing.now_ms = context.wall_ms();
    parsing.wire_version = context.profile().max_wire_version;
    const wire::ValueView stages = collection->options()["pipeline"];
    const Pipeline pipeline = Pipeline::parse(stages.is(wire::Type::Array) ? stages.as_document() : wire::DocumentView(),
                                              PipelineKind::Aggregate, parsing);
    return pipeline.run(resolve(context, db, collection->options()["viewOn"].as_string(), depth + 1));
  }
  collection->scan(0, context.read_view(), [&](RecordId, const wire::Document& document) {
    out.push_back(document);
    return true;
  });
  return out;
}

}  // namespace

std::vector<wire::Document> stored_documents(Context& context, std::string_view db, std::string_view collection) {
  return resolve(context, db, collection, 0);
}

}  // namespace emulator
