// $collStats and $indexStats.
#include <algorithm>
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

// What $collStats is asked for, in the order in which it answers, and the codes of builds that parse it by hand (until 4.4):
// of an argument that is no object, and of a collection that there is not.
struct Asked {
  std::string_view name;
  std::string_view object;  // what is wanted of the argument
  int not_an_object;
  int not_found;
};
constexpr Asked asked_for[] = {{"latencyStats", "an object", 40167, 0},
                               {"storageStats", "an object", 40279, 40280},
                               {"count", "an object", 40480, 40481},
                               {"queryExecStats", "an empty object", 31141, 31142}};

CommandError not_found(const Asked& asked, std::string_view ns, Wording wording) {
  const bool by_hand = wording <= Wording::V4_4;
  return {by_hand ? asked.not_found : 26,
          fmt::format("Unable to retrieve {} in $collStats stage{} Collection [{}] not found.", asked.name,
                      by_hand ? ":" : " :: caused by ::", ns)};
}

void check_histograms(const wire::Element& latencies) {
  const ValueView histograms = latencies.value.as_document()["histograms"];
  if (histograms && !histograms.is(Type::Bool))
    throw CommandError(40305, fmt::format("histograms option to latencyStats must be bool, got {}of type object",
                                          bson_text(latencies)));
}

// As builds do that parse it by hand.
void check_options_by_hand(wire::DocumentView options, Wording wording) {
  for (const wire::Element& element : options) {
    const Asked* asked = std::ranges::find(asked_for, element.name, &Asked::name);
    if (asked == std::end(asked_for) || (wording <= Wording::V4_2 && asked->name == "queryExecStats"))
      throw CommandError(40168, fmt::format("unrecognized option to $collStats: {}", element.name));
    if (!element.value.is(Type::Document))
      throw CommandError(asked->not_an_object,
                         fmt::format("{} argument must be {}, but got {} of type {}", element.name, asked->object,
                                     bson_text(element), wire::type_name(element.value.type())));
    if (asked->name == "latencyStats") check_histograms(element);
  }
}

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
    for (const Asked& asked : asked_for)
      if (asked.not_found != 0 && options_.has(asked.name) && collection == nullptr)
        throw not_found(asked, fmt::format("{}.{}", command_.request.db, collection_), command_.profile().wording);
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

void check_options(wire::DocumentView options) {
  static constexpr std::array fields{std::string_view("latencyStats"), std::string_view("storageStats"),
                                     std::string_view("count"), std::string_view("queryExecStats")};
  const Arguments arguments(options, "$collStats");
  arguments.only(fields);
  for (const std::string_view field : fields) arguments.object(field);
}

StagePtr parse_coll_stats(const StageInput& input) {
  const Wording wording = input.context.profile->wording;
  if (!input.argument.is(Type::Document))
    throw CommandError(wording <= Wording::V4_4 ? 40166 : 5447000,
                       fmt::format("$collStats must take a nested object but found: {}",
                                   bson_text(wire::Element{input.name, input.argument})));
  const wire::DocumentView options = input.argument.as_document();
  wording <= Wording::V4_4 ? check_options_by_hand(options, wording) : check_options(options);
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
