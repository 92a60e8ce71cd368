// $collStats and $indexStats.
#include <array>

#include "emulator/arguments.h"
#include "emulator/collection_stats.h"
#include "emulator/index_list.h"
#include "emulator/stages/source_stage.h"
#include "emulator/transaction.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

class CollStatsStage final : public SourceStage {
 public:
  CollStatsStage(const Context& command, std::string collection, wire::Document options)
      : command_(command), collection_(std::move(collection)), options_(std::move(options)) {}

 private:
  std::vector<wire::Document> make() const override {
    const Collection* collection = find_collection(command_, command_.request.db, collection_);
    wire::DocumentBuilder out;
    out.append_string("ns", std::string(command_.request.db) + "." + collection_);
    out.append_string("host", command_.connection.local).append_date("localTime", command_.wall_ms());
    if (options_.has("latencyStats")) append_latencies(out);
    for (const std::string_view asked : {"storageStats", "count", "queryExecStats"})
      if (options_.has(asked) && collection == nullptr)
        throw CommandError(26,
                           fmt::format("Unable to retrieve {} in $collStats stage :: caused by :: Collection [{}.{}] "
                                       "not found.",
                                       asked, command_.request.db, collection_));
    if (const ValueView stats = options_["storageStats"]) {
      const std::int64_t scale = std::max<std::int64_t>(whole_number(stats.as_document()["scale"]), 1);
      out.begin_document("storageStats");
      append_collection_stats(out, collection, command_.profile(), static_cast<std::int32_t>(scale));
      out.end();
    }
    if (options_.has("count")) out.append_int32("count", static_cast<std::int32_t>(collection->count()));
    if (options_.has("queryExecStats"))
      out.begin_document("queryExecStats")
          .begin_document("collectionScans")
          .append_int64("total", 0)
          .append_int64("nonTailable", 0)
          .end()
          .end();
    return {out.finish()};
  }
  // Nothing here takes time.
  static void append_latencies(wire::DocumentBuilder& out) {
    out.begin_document("latencyStats");
    for (const std::string_view kind : {"reads", "writes", "commands", "transactions"})
      out.begin_document(kind).append_int64("latency", 0).append_int64("ops", 0).end();
    out.end();
  }
  const Context& command_;
  std::string collection_;
  wire::Document options_;
};

StagePtr parse_coll_stats(const StageInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(5447000, fmt::format("$collStats must take a nested object but found: {}",
                                            bson_text(wire::Element{input.name, input.argument})));
  const wire::DocumentView options = input.argument.as_document();
  static constexpr std::array fields{std::string_view("latencyStats"), std::string_view("storageStats"),
                                     std::string_view("count"), std::string_view("queryExecStats")};
  const Arguments arguments(options, "$collStats");
  arguments.only(fields);
  for (const std::string_view field : fields) arguments.object(field);
  return std::make_unique<CollStatsStage>(command_of(input), collection_under(input), wire::Document(options));
}

class IndexStatsStage final : public SourceStage {
 public:
  IndexStatsStage(const Context& command, std::string collection)
      : command_(command), collection_(std::move(collection)) {}

 private:
  std::vector<wire::Document> make() const override {
    std::vector<wire::Document> out;
    const Collection* collection = find_collection(command_, command_.request.db, collection_);
    if (collection == nullptr) return out;
    for (const wire::Document& index : index_documents(*collection, command_.profile())) {
      wire::DocumentBuilder document;
      document.append("name", index["name"]).append("key", index["key"]);
      document.append_string("host", command_.connection.local).begin_document("accesses").append_int64("ops", 0);
      document.append_date("since", command_.wall_ms()).end().append_document("spec", index);
      out.push_back(document.finish());
    }
    return out;
  }
  const Context& command_;
  std::string collection_;
};

StagePtr parse_index_stats(const StageInput& input) {
  if (!input.argument.is(Type::Document) || !input.argument.as_document().empty())
    throw CommandError(28803, "The $indexStats stage specification must be an empty object");
  return std::make_unique<IndexStatsStage>(command_of(input), collection_under(input));
}

constexpr StageName names[] = {
    {.name = "$collStats",
     .parse = parse_coll_stats,
     .place = StagePlace::First,
     .inner = InnerUse::NotInFacet,
     .in_transaction = StageInTransaction::Refused},
    {.name = "$indexStats",
     .parse = parse_index_stats,
     .place = StagePlace::First,
     .inner = InnerUse::NotInFacet,
     .in_transaction = StageInTransaction::Refused,
     .in_api_version_1 = StageInApiVersion1::No},
};

}  // namespace

extern constinit const StageSpec coll_stats_stage{names};

}  // namespace emulator
