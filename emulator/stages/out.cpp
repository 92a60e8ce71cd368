// $out: the results become a collection, under a passing name until it is whole.
#include <fmt/format.h>

#include "emulator/stages/source_stage.h"
#include "emulator/transaction.h"
#include "emulator/uuid_text.h"
#include "emulator/write.h"

namespace emulator {
namespace {

using wire::Type;

wire::Document passing_options(const Collection* target) {
  wire::DocumentBuilder out;
  out.append_bool("temp", true);
  if (target != nullptr) out.append_all(target->options());
  return out.finish();
}

class OutStage final : public SetStage {
 public:
  OutStage(const Context& command, std::string db, std::string collection)
      : command_(command), db_(std::move(db)), collection_(std::move(collection)) {}

  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    check_target();
    Writer writer(command_);
    const Collection* target = find_collection(command_, db_, collection_);
    const wire::Document options = target != nullptr ? target->options() : wire::Document();
    const std::string passing = "tmp.agg_out." + uuid_text(command_.deployment.uuids.uuid());
    Collection& made = writer.create(db_, passing, passing_options(target));
    made.set_options(options);
    if (target != nullptr && !target->indexes().empty()) {
      std::vector<IndexSpec> indexes;
      for (const auto& index : target->indexes()) indexes.push_back(index->spec());
      writer.create_indexes(made, indexes);
    }
    for (const wire::Document& document : documents)
      if (Failure failure = writer.insert(made, document)) {
        writer.drop(made);
        throw CommandError(*failure);
      }
    writer.rename(made, db_, collection_, Writer::Target::MayBeDropped);
    command_.exchange.operation_time = writer.last_time();
    return {};
  }

 private:
  void check_target() const {
    try {
      check_collection_name(db_, collection_);
    } catch (const CommandError& error) {
      throw CommandError(20, "error with target namespace: " + error.message);
    }
    const Collection* target = find_collection(command_, db_, collection_);
    if (target == nullptr) return;
    const std::string ns = db_ + "." + collection_;
    if (target->kind() != CollectionKind::Ordinary)
      throw CommandError(166, fmt::format("Namespace {} is a view, not a collection", ns));
    if (target->capped())
      throw CommandError(17152, fmt::format("namespace '{}' is capped so it can't be used for $out", ns));
  }

  const Context& command_;
  std::string db_;
  std::string collection_;
};

StagePtr parse(const StageInput& input) {
  std::string db;
  std::string_view collection;
  if (input.argument.is(Type::String)) {
    collection = input.argument.as_string();
  } else if (input.argument.is(Type::Document)) {
    const wire::DocumentView spec = input.argument.as_document();
    if (spec.count() != 2 || !spec["db"].is(Type::String) || !spec["coll"].is(Type::String))
      throw CommandError(16994, "If an object is passed to $out it must have exactly 2 fields: 'db' and 'coll'");
    db = spec["db"].as_string();
    collection = spec["coll"].as_string();
  } else {
    throw CommandError(16990, fmt::format("$out only supports a string or object argument, but found {}",
                                          wire::type_name(input.argument.type())));
  }
  const Context& command = command_of(input);
  if (db.empty()) db = command.request.db;
  if (collection.empty()) throw CommandError(73, fmt::format("Invalid $out target namespace, {}.", db));
  if (collection.starts_with("system."))
    throw CommandError(17385, fmt::format("Can't $out to special collection: {}", collection));
  if (db == "admin" || db == "config" || db == "local")
    throw CommandError(31321, fmt::format("Can't $out to internal database: {}", db));
  return std::make_unique<OutStage>(command, std::move(db), std::string(collection));
}

constexpr StageName names[] = {{.name = "$out",
                                .parse = parse,
                                .place = StagePlace::Last,
                                .inner = InnerUse::Refused,
                                .in_transaction = StageInTransaction::Refused,
                                .read_concern = StageReadConcern::NotLinearizable}};

}  // namespace

extern constinit const StageSpec out_stage{names};

}  // namespace emulator
