// $out: the results become a collection, under a passing name until it is whole.
#include <fmt/format.h>

#include "emulator/stages/source_stage.h"
#include "emulator/transaction.h"
#include "emulator/uuid_text.h"
#include "emulator/write.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

wire::Document passing_options(const Collection* target) {
  wire::DocumentBuilder out;
  out.append_bool("temp", true);
  if (target != nullptr) out.append_all(target->options());
  return out.finish();
}

// tmp.agg_out. and a UUID; up to 4.2 a number that nothing else has.
std::string passing_name(Deployment& deployment) {
  const bool numbered = deployment.profile.wording <= Wording::V4_2;
  return "tmp.agg_out." +
         (numbered ? std::to_string(deployment.store.collections_made()) : uuid_text(deployment.uuids.uuid()));
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
    Collection& made = writer.create(db_, passing_name(command_.deployment), passing_options(target));
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
    const Wording wording = command_.profile().wording;
    try {
      check_collection_name(db_, collection_, wording);
    } catch (const CommandError& error) {
      throw CommandError(20, "error with target namespace: " + error.message);
    }
    const Collection* target = find_collection(command_, db_, collection_);
    if (target == nullptr) return;
    const std::string ns = db_ + "." + collection_;
    if (target->kind() != CollectionKind::Ordinary)
      throw CommandError(
          166, fmt::format("{}{} is a view, not a collection", wording <= Wording::V4_2 ? "" : "Namespace ", ns));
    if (target->capped())
      throw CommandError(17152, fmt::format("namespace '{}' is capped so it can't be used for $out", ns));
  }

  const Context& command_;
  std::string db_;
  std::string collection_;
};

// Up to 4.2 into the command's own database, whichever that is.
void check_string_only(ValueView argument) {
  if (!argument.is(Type::String))
    throw CommandError(
        14, fmt::format("$out stage requires a string argument, but found {}", wire::type_name(argument.type())));
  if (argument.as_string().find('$') != std::string_view::npos)
    throw CommandError(17385, fmt::format("Can't $out to special collection: {}", argument.as_string()));
}

StagePtr parse(const StageInput& input) {
  std::string db;
  std::string_view collection;
  const bool string_only = input.context.profile->wording <= Wording::V4_2;
  if (string_only) check_string_only(input.argument);
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
  if (!string_only && (db == "admin" || db == "config" || db == "local"))
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
