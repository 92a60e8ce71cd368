#include "emulator/query_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "emulator/collation.h"
#include "emulator/conjunction.h"
#include "emulator/filter_subset.h"
#include "emulator/index_scan.h"
#include "emulator/number.h"
#include "emulator/query.h"
#include "emulator/readable.h"
#include "emulator/store/match_node.h"
#include "emulator/transaction.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

// {path: {name: value}}, or {name: value} without a path.
wire::Document document_of(const FilterTest& test) {
  wire::DocumentBuilder out;
  if (test.path.empty()) return out.append(test.name, test.value).finish();
  return out.begin_document(test.path).append(test.name, test.value).end().finish();
}

wire::Document conjunction(std::span<const FilterTest> tests) {
  if (tests.empty()) return {};
  if (tests.size() == 1) return document_of(tests.front());
  wire::DocumentBuilder out;
  out.begin_array("$and");
  for (const FilterTest& test : tests) out.append_document(out.item_name(), document_of(test));
  return out.end().finish();
}

// {a: 1, b: {$gt: 2, $lt: 5}} as {$and: [{a: {$eq: 1}}, {b: {$lt: 5}}, {b: {$gt: 2}}]}.
wire::Document parsed_query(wire::DocumentView filter) { return conjunction(tests_of(filter)); }

// The bounds that a condition sets to one field of an index, as the server prints them.
std::string bounds_of(ValueView tested) {
  if (tested.missing()) return "[MinKey, MaxKey]";
  if (!is_operators(tested))
    return tested.is(Type::Regex) ? "[MinKey, MaxKey]" : fmt::format("[{}, {}]", bson_text(tested), bson_text(tested));
  std::string low = "[-inf.0";
  std::string high = "inf.0]";
  for (const auto& [name, value] : tested.as_document()) {
    if (!value.is_number()) return "[MinKey, MaxKey]";
    if (name == "$gt" || name == "$gte")
      low = (name == "$gt" ? "(" : "[") + bson_text(value);
    else if (name == "$lt" || name == "$lte")
      high = bson_text(value) + (name == "$lt" ? ")" : "]");
    else if (name == "$eq")
      return fmt::format("[{}, {}]", bson_text(value), bson_text(value));
    else
      return "[MinKey, MaxKey]";
  }
  return low + ", " + high;
}

// Eight hexadecimal digits that are the same for the same shape, as mongod's hashes are.
std::string shape_hash(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return fmt::format("{:08X}", hash);
}

std::string shape_of(const PlannedQuery& query) {
  std::string shape;
  for (const wire::Element& element : parsed_query(query.filter)) shape += fmt::format("{};", element.name);
  return shape + bson_text(query.sort) + bson_text(query.projection);
}

struct Counts {
  std::int64_t returned = 0;
  std::int64_t examined = 0;
  std::int64_t matched = 0;
};

class PlanWriter {
 public:
  PlanWriter(const Context& context, const PlannedQuery& query)
      : context_(context),
        query_(query),
        parsed_(parsed_query(query.filter)),
        collection_(find_collection(context, context.request.db, query.collection)) {
    if (collection_ == nullptr) return;
    scan_ = IndexScan::plan(*collection_, wish(), {Matcher::parse(query.filter), IndexScan::CollationShown::No});
    index_ = query.hint.missing() ? usable_index() : hinted_index();
  }

  const wire::Document& parsed() const { return parsed_; }
  bool exists() const { return collection_ != nullptr; }
  Counts run() const;
  // The plan; with what its stages did if `counts` is given.
  void append(wire::DocumentBuilder& out, std::string_view name, const Counts* counts) const;

 private:
  struct Layer {
    std::string_view stage;
    std::string_view detail;
    Value value;
  };
  std::vector<Layer> layers() const;
  bool by_id() const {
    const wire::Element first = query_.filter.first();
    return query_.filter.count() == 1 && first.name == "_id" && !is_operators(first.value) &&
           !first.value.is(Type::Regex) && query_.hint.missing() && query_.skip == 0 && !collection_->clustered() &&
           query_.over != PlanOver::Count && query_.over != PlanOver::Distinct;
  }
  const Index* usable_index() const;
  const Index* hinted_index() const;
  bool scans_backward() const {
    const ValueView natural =
        query_.hint.is(Type::Document) ? query_.hint.as_document()["$natural"] : query_.sort["$natural"];
    return natural.is_number() && to_double(natural) < 0;
  }
  IndexScan::Wish wish() const {
    wire::DocumentBuilder fields;
    if (query_.hint) fields.append("hint", query_.hint);
    const wire::Document made = fields.finish();
    return IndexScan::read(Arguments(made, "explain"));
  }
  void append_scan(wire::DocumentBuilder& out, const Counts* counts) const;
  void append_index_scan(wire::DocumentBuilder& out, const Counts* counts) const;
  static void append_work(wire::DocumentBuilder& out, std::int64_t returned, const Counts& counts);

  const Context& context_;
  const PlannedQuery& query_;
  wire::Document parsed_;
  const Collection* collection_;
  std::optional<IndexScan> scan_;
  const Index* index_ = nullptr;
};

const Index* PlanWriter::usable_index() const {
  for (const auto& index : collection_->indexes()) {
    const IndexSpec& spec = index->spec();
    const ValueView tested = query_.filter[spec.key.view().first().name];
    const bool hidden = spec.spec["hidden"].is(Type::Bool) && spec.spec["hidden"].as_bool();
    const ValueView partial = spec.spec["partialFilterExpression"];
    const bool covers = !partial.is(Type::Document) || is_subset_of(query_.filter, partial.as_document());
    if (tested && !hidden && covers && !tested.is(Type::Null)) return index.get();
  }
  return nullptr;
}

const Index* PlanWriter::hinted_index() const {
  for (const auto& index : collection_->indexes())
    if (query_.hint.is(Type::String) ? index->spec().name == query_.hint.as_string()
                                     : query_.hint.is(Type::Document) &&
                                           wire::compare_documents(index->spec().key, query_.hint.as_document()) == 0)
      return index.get();
  return nullptr;
}

Counts PlanWriter::run() const {
  Counts counts;
  if (collection_ == nullptr) return counts;
  const MatchContext match = match_context(context_, MatchPlace::Find, query_.collation, collection_);
  const Matcher filter = Matcher::parse(query_.filter, match);
  const Readable readable(context_, context_.request.db, query_.collection);
  QueryOptions options;
  options.by = scan_ ? &*scan_ : nullptr;
  counts.matched = static_cast<std::int64_t>(readable.find(filter, {}, options).size());
  counts.returned = std::max<std::int64_t>(counts.matched - query_.skip, 0);
  if (query_.limit > 0) counts.returned = std::min(counts.returned, query_.limit);
  const bool stops = query_.limit > 0 && query_.sort.empty();
  counts.examined = by_id() || index_ != nullptr ? counts.matched : collection_->count();
  if (stops && counts.matched > counts.returned) counts.examined = std::min(counts.examined, counts.returned);
  return counts;
}

void PlanWriter::append_work(wire::DocumentBuilder& out, std::int64_t returned, const Counts& counts) {
  const std::int64_t works = counts.examined + 2;
  out.append_int32("nReturned", static_cast<std::int32_t>(returned)).append_int32("executionTimeMillisEstimate", 0);
  out.append_int32("works", static_cast<std::int32_t>(works))
      .append_int32("advanced", static_cast<std::int32_t>(returned));
  out.append_int32("needTime", static_cast<std::int32_t>(works - returned - 1)).append_int32("needYield", 0);
  out.append_int32("saveState", 0).append_int32("restoreState", 0).append_int32("isEOF", 1);
}

void PlanWriter::append_index_scan(wire::DocumentBuilder& out, const Counts* counts) const {
  const IndexSpec& spec = index_->spec();
  out.append_string("stage", "FETCH");
  std::vector<FilterTest> rest = tests_of(query_.filter);
  std::erase_if(rest, [&](const FilterTest& test) { return spec.key.view().has(test.path); });
  if (!rest.empty()) out.append_document("filter", conjunction(rest));
  if (counts != nullptr) {
    append_work(out, counts->matched, *counts);
    out.append_int32("docsExamined", static_cast<std::int32_t>(counts->examined)).append_int32("alreadyHasObj", 0);
  }
  out.begin_document("inputStage").append_string("stage", "IXSCAN");
  if (counts != nullptr) append_work(out, counts->matched, *counts);
  out.append_document("keyPattern", spec.key).append_string("indexName", spec.name);
  if (spec.spec.has("collation")) out.append("collation", spec.spec["collation"]);
  out.append_bool("isMultiKey", false).begin_document("multiKeyPaths");
  for (const wire::Element& field : spec.key) out.begin_array(field.name).end();
  out.end().append_bool("isUnique", spec.unique).append_bool("isSparse", spec.sparse);
  out.append_bool("isPartial", spec.covers != nullptr).append_int32("indexVersion", 2);
  out.append_string("direction", "forward").begin_document("indexBounds");
  for (const wire::Element& field : spec.key) {
    out.begin_array(field.name).item(Value::string(bounds_of(query_.filter[field.name]))).end();
  }
  out.end();
  if (counts != nullptr) out.append_int32("keysExamined", static_cast<std::int32_t>(counts->examined));
  out.end();
}

void PlanWriter::append_scan(wire::DocumentBuilder& out, const Counts* counts) const {
  if (collection_ == nullptr) {
    out.append_string("stage", "EOF");
    if (counts != nullptr) append_work(out, 0, {0, -1, 0});
    return;
  }
  if (by_id()) {
    out.append_string("stage", "IDHACK");
    if (counts == nullptr) return;
    append_work(out, counts->matched, *counts);
    out.append_int32("keysExamined", static_cast<std::int32_t>(counts->examined));
    out.append_int32("docsExamined", static_cast<std::int32_t>(counts->examined));
    return;
  }
  if (index_ != nullptr) return append_index_scan(out, counts);
  out.append_string("stage", "COLLSCAN");
  if (!parsed_.empty()) out.append_document("filter", parsed_);
  if (counts != nullptr) append_work(out, counts->matched, *counts);
  out.append_string("direction", scans_backward() ? "backward" : "forward");
  if (counts != nullptr) out.append_int32("docsExamined", static_cast<std::int32_t>(counts->examined));
}

// What stands over the scan, from the outside in.
std::vector<PlanWriter::Layer> PlanWriter::layers() const {
  std::vector<Layer> out;
  if (collection_ == nullptr) return out;
  if (query_.over == PlanOver::Count) out.push_back({"COUNT", "", {}});
  if (query_.over == PlanOver::Delete) out.push_back({"DELETE", "", {}});
  if (query_.over == PlanOver::Update) out.push_back({"UPDATE", "", {}});
  const bool sorts = !query_.sort.empty() && query_.sort.first().name != "$natural";
  if (query_.limit > 0 && !sorts && query_.over == PlanOver::Find && !by_id())
    out.push_back({"LIMIT", "limitAmount", Value::int32(static_cast<std::int32_t>(query_.limit))});
  if (!query_.projection.empty() && query_.over == PlanOver::Find) {
    const bool simple = std::ranges::all_of(query_.projection, [](const wire::Element& field) {
      return (field.value.is_number() || field.value.is(Type::Bool)) && field.name.find('.') == std::string_view::npos;
    });
    out.push_back(
        {simple ? "PROJECTION_SIMPLE" : "PROJECTION_DEFAULT", "transformBy", Value::document(query_.projection)});
  }
  if (query_.skip > 0 && query_.over == PlanOver::Find)
    out.push_back({"SKIP", "skipAmount", Value::int32(static_cast<std::int32_t>(query_.skip))});
  if (sorts) out.push_back({"SORT", "sortPattern", Value::document(query_.sort)});
  return out;
}

void append_would_update(wire::DocumentBuilder& out, std::int32_t matched, const Profile& profile) {
  out.append_int32("nMatched", matched).append_int32("nWouldModify", matched);
  if (profile.wording <= Wording::V4_4)
    out.append_bool("wouldInsert", false);
  else
    out.append_int32("nWouldUpsert", 0);
}

void PlanWriter::append(wire::DocumentBuilder& out, std::string_view name, const Counts* counts) const {
  const std::vector<Layer> over = layers();
  out.begin_document(name);
  for (const Layer& layer : over) {
    out.append_string("stage", layer.stage);
    const bool writes = layer.stage == "COUNT" || layer.stage == "DELETE" || layer.stage == "UPDATE";
    if (counts != nullptr) append_work(out, writes ? 0 : counts->returned, *counts);
    if (layer.value) out.append(layer.detail, layer.value);
    if (layer.stage == "SORT") {
      out.append_int32("memLimit", 104857600);
      if (query_.limit > 0) out.append_int32("limitAmount", static_cast<std::int32_t>(query_.limit + query_.skip));
      out.append_string("type", "simple");
    }
    const std::int32_t would = counts == nullptr ? 0 : static_cast<std::int32_t>(counts->returned);
    if (counts != nullptr && layer.stage == "COUNT") out.append_int32("nCounted", would).append_int32("nSkipped", 0);
    if (counts != nullptr && layer.stage == "DELETE") out.append_int32("nWouldDelete", would);
    if (counts != nullptr && layer.stage == "UPDATE") append_would_update(out, would, context_.profile());
    out.begin_document("inputStage");
  }
  append_scan(out, counts);
  for (std::size_t i = 0; i < over.size(); ++i) out.end();
  out.end();
}

// Until 5.0 a query that is run to be explained shows no hashes, but what other stages of a pipeline read from does.
bool shows_hash(const Context& context, Verbosity verbosity, OfPipeline of_pipeline) {
  return context.profile().wording > Wording::V5_0 || verbosity == Verbosity::QueryPlanner ||
         of_pipeline == OfPipeline::Part;
}

void append_statistics(wire::DocumentBuilder& out, const PlanWriter& plan, const PlannedQuery& query,
                       Verbosity verbosity) {
  const Counts counts = plan.run();
  const bool silent = query.over == PlanOver::Count || query.over == PlanOver::Delete || query.over == PlanOver::Update;
  out.begin_document("executionStats").append_bool("executionSuccess", true);
  out.append_int32("nReturned", silent ? 0 : static_cast<std::int32_t>(counts.returned));
  out.append_int32("executionTimeMillis", 0).append_int32("totalKeysExamined", 0);
  out.append_int32("totalDocsExamined", static_cast<std::int32_t>(counts.examined));
  plan.append(out, "executionStages", &counts);
  if (verbosity == Verbosity::AllPlansExecution) out.begin_array("allPlansExecution").end();
  out.end();
}

}  // namespace

void append_plan(wire::DocumentBuilder& out, const Context& context, const PlannedQuery& query, Verbosity verbosity,
                 OfPipeline of_pipeline) {
  const PlanWriter plan(context, query);
  const bool counts_all = query.over == PlanOver::Count && query.filter.empty() && plan.exists();
  out.begin_document("queryPlanner");
  const bool is_brief = context.profile().wording <= Wording::V4_4;
  if (is_brief) out.append_int32("plannerVersion", 1);
  out.append_string("namespace", std::string(context.request.db) + "." + query.collection);
  out.append_bool("indexFilterSet", false);
  if (!counts_all) out.append_document("parsedQuery", plan.parsed());
  if (query.collation.is(Type::Document) && !query.collation.as_document().empty())
    out.append_document("collation", whole_collation(query.collation.as_document()));
  if (plan.exists() && !counts_all && shows_hash(context, verbosity, of_pipeline)) {
    const std::string hash = shape_hash(shape_of(query));
    out.append_string("queryHash", hash).append_string("planCacheKey", hash);
  }
  if (of_pipeline == OfPipeline::Whole) out.append_bool("optimizedPipeline", true);
  if (!is_brief)
    for (const std::string_view reached :
         {"maxIndexedOrSolutionsReached", "maxIndexedAndSolutionsReached", "maxScansToExplodeReached"})
      out.append_bool(reached, false);
  if (counts_all)
    out.begin_document("winningPlan").append_string("stage", "RECORD_STORE_FAST_COUNT").end();
  else
    plan.append(out, "winningPlan", nullptr);
  out.begin_array("rejectedPlans").end().end();
  if (verbosity != Verbosity::QueryPlanner) append_statistics(out, plan, query, verbosity);
}

void append_server(wire::DocumentBuilder& out, const Context& context) {
  const std::string& local = context.connection.local;
  const std::size_t colon = local.rfind(':');
  out.begin_document("serverInfo").append_string("host", local.substr(0, colon));
  std::int32_t port = 0;
  for (const char digit : colon == std::string::npos ? std::string() : local.substr(colon + 1))
    port = port * 10 + (digit - '0');
  out.append_int32("port", port).append_string("version", context.profile().version);
  out.append_string("gitVersion", context.profile().git_version).end();
  if (context.profile().wording <= Wording::V4_4) return;
  out.begin_document("serverParameters");
  for (const std::string_view name :
       {"internalQueryFacetBufferSizeBytes", "internalQueryFacetMaxOutputDocSizeBytes",
        "internalLookupStageIntermediateDocumentMaxSizeBytes", "internalDocumentSourceGroupMaxMemoryBytes",
        "internalQueryMaxBlockingSortMemoryUsageBytes"})
    out.append_int32(name, 104857600);
  out.append_int32("internalQueryProhibitBlockingMergeOnMongoS", 0);
  out.append_int32("internalQueryMaxAddToSetBytes", 104857600);
  out.append_int32("internalDocumentSourceSetWindowFieldsMaxMemoryBytes", 104857600).end();
}

}  // namespace emulator
