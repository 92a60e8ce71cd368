// aggregate: change streams, and pipelines over what is stored.
#include "emulator/api_version.h"
#include "emulator/arguments.h"
#include "emulator/change_stream.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/executor_error.h"
#include "emulator/explain.h"
#include "emulator/facts/stream_facts.h"
#include "emulator/index_scan.h"
#include "emulator/pipeline.h"
#include "emulator/pipeline_authorization.h"
#include "emulator/pipeline_read_concern.h"
#include "emulator/readable.h"
#include "emulator/reply.h"
#include "emulator/transaction.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;

constexpr std::array fields{std::string_view("pipeline"),
                            std::string_view("cursor"),
                            std::string_view("explain"),
                            std::string_view("allowDiskUse"),
                            std::string_view("collation"),
                            std::string_view("hint"),
                            std::string_view("comment"),
                            std::string_view("let"),
                            std::string_view("bypassDocumentValidation"),
                            std::string_view("fromMongos"),
                            std::string_view("needsMerge"),
                            std::string_view("requestReshardingResumeToken"),
                            std::string_view("exchange"),
                            std::string_view("collectionUUID"),
                            std::string_view("encryptionInformation"),
                            std::string_view("isMapReduceCommand")};

struct Target {
  std::string db;
  std::string collection;  // empty: the whole database (aggregate: 1)
  std::string cursor_collection() const { return collection.empty() ? "$cmd.aggregate" : collection; }
  std::string ns() const { return db + "." + cursor_collection(); }
};

Target read_target(const Context& context) {
  const wire::ValueView target = context.request.target();
  Target out;
  out.db = context.request.db;
  if (target.is(Type::String)) {
    out.collection = target.as_string();
    if (out.collection.empty())
      throw CommandError(code::invalid_namespace, "Invalid namespace specified '" + out.db + ".'");
    return out;
  }
  const bool is_one = target.is_number() && ((target.is(Type::Int32) && target.as_int32() == 1) ||
                                             (target.is(Type::Int64) && target.as_int64() == 1) ||
                                             (target.is(Type::Double) && target.as_double() == 1.0));
  if (!is_one)
    throw CommandError(code::failed_to_parse,
                       "Invalid command format: the 'aggregate' field must specify a collection name or 1");
  return out;
}

wire::DocumentView read_pipeline(const Context& context) {
  const wire::ValueView pipeline = context.request["pipeline"];
  if (pipeline.missing() && context.profile().wording > Wording::V4_4)
    throw CommandError(code::missing_field, "BSON field 'aggregate.pipeline' is missing but a required field");
  if (!pipeline.is(Type::Array))
    throw CommandError(code::type_mismatch, "'pipeline' option must be specified as an array");
  for (const wire::Element& stage : pipeline.as_document())
    if (!stage.value.is(Type::Document))
      throw CommandError(code::type_mismatch, "Each element of the 'pipeline' array must be an object");
  return pipeline.as_document();
}

CursorOptions read_cursor_options(const Context& context) {
  const Request& request = context.request;
  const bool by_hand = context.profile().wording <= Wording::V4_4;
  CursorOptions options;
  const wire::ValueView cursor = request["cursor"];
  if (cursor.missing()) {
    if (request["explain"].missing())
      throw CommandError(code::failed_to_parse,
                         "The 'cursor' option is required, except for aggregate with the explain argument");
    return options;
  }
  if (!cursor.is(Type::Document)) throw CommandError(code::type_mismatch, "cursor field must be missing or an object");
  for (const wire::Element& element : cursor.as_document()) {
    if (element.name != "batchSize" && by_hand)
      throw CommandError(code::bad_value, "cursor object can't contain fields other than batchSize");
    if (element.name != "batchSize")
      throw CommandError(code::unknown_field,
                         "BSON field 'cursor." + std::string(element.name) + "' is an unknown field.");
    const wire::ValueView size = element.value;
    if (!size.is_number()) throw CommandError(code::type_mismatch, "cursor.batchSize field must be a number");
    const std::int64_t value = whole_number(size);
    if (value < 0 && by_hand) throw CommandError(code::bad_value, "cursor.batchSize must not be negative");
    if (value < 0)
      throw CommandError(51024,
                         "BSON field 'batchSize' value must be >= 0, actual value '" + std::to_string(value) + "'");
    options.batch_size = value;
  }
  return options;
}

// A change stream compares bytes unless its command says otherwise, whatever its collection does.
ParseContext parse_context(const Context& context, const Collection* collection = nullptr) {
  const wire::ValueView collation = context.request["collation"];
  if (collation && !collation.is(Type::Document))
    throw CommandError(code::type_mismatch, "BSON field 'aggregate.collation' is the wrong type '" +
                                                std::string(wire::type_name(collation.type())) +
                                                "', expected type 'object'");
  return match_context(context, MatchPlace::Aggregate, collation, collection).expressions;
}

void check_namespace(const Context& context, const Target& target, const StreamOptions& options) {
  if (options.all_changes_for_cluster) {
    if (target.db != "admin" || !target.collection.empty())
      throw CommandError(
          code::invalid_options,
          "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin' database, and with no "
          "collection name; found " +
              target.ns());
    return;
  }
  if (target.db == "admin" || target.db == "config" || target.db == "local")
    throw CommandError(code::invalid_namespace,
                       "$changeStream may not be opened on the internal " + target.db + " database");
  if (target.collection.starts_with("system."))
    throw CommandError(code::invalid_namespace,
                       "$changeStream may not be opened on the internal " + target.ns() + " collection");
  const Collection* collection = context.deployment.store.find(target.db, target.collection);
  if (collection != nullptr && collection->kind() == CollectionKind::View)
    throw CommandError(code::command_not_supported_on_view,
                       "Namespace " + target.ns() + " is a view, not a collection");
  if (collection != nullptr && collection->kind() == CollectionKind::TimeSeries)
    throw CommandError(code::command_not_supported_on_view, "Namespace " + target.ns() + " is a timeseries collection");
}

void check_api(const Request& request, const StreamOptions& options) {
  if (is_api_strict(request) && options.show_expanded_events)
    throw CommandError(code::api_strict_error,
                       "The 'showExpandedEvents' parameter to $changeStream is not supported in API Version 1");
}

// Those $match stages that stand directly after $changeStream.
wire::Document leading_matches(wire::DocumentView stages) {
  wire::DocumentBuilder out;
  out.begin_array("matches");
  bool first = true;
  for (const wire::Element& stage : stages) {
    if (std::exchange(first, false)) continue;
    if (stage.value.as_document().first().name != "$match") break;
    out.append(out.item_name(), stage.value);
  }
  out.end();
  return wire::Document(out.view()["matches"].as_document());
}

// The version of the tokens that the stream makes: the server's, unless the client asks for another; 2 where events can be
// split. A server that splits events goes on in version 2 where a client's token has it.
int token_version(const Context& context, const StreamDefinition& definition) {
  if (definition.pipeline.splits_large_events()) return 2;
  const std::optional<wire::ResumeToken>& resume = definition.options.resume;
  if (context.profile().streams.split_large_event && resume && resume->version == 2) return 2;
  const wire::ValueView version_2 = context.request["$_generateV2ResumeTokens"];
  if (version_2.is(Type::Bool) && !context.profile().streams.version_2_only) return version_2.as_bool() ? 2 : 1;
  return context.profile().token_version;
}

// Since $changeStream is made of other stages, mongod optimizes what follows them twice.
void optimize_stream(const Pipeline& pipeline, Wording wording) {
  try {
    pipeline.optimize();
  } catch (OptimizationFailure& failure) {
    if (wording > Wording::V5_0) failure.message.insert(0, optimizing_pipeline);
    throw;
  }
}

StreamDefinition define_stream(Context& context, const Target& target, wire::DocumentView stages) {
  StreamDefinition definition;
  const wire::Element stage = stages.first().value.as_document().first();
  definition.options = parse_stream_options(stage, context.profile());
  const ParseContext parsing = parse_context(context);
  definition.pipeline = Pipeline::parse(stages, PipelineKind::ChangeStream, parsing, 1);
  definition.has_pipeline = !definition.pipeline.empty();
  if (definition.has_pipeline)
    definition.leading = Pipeline::parse(leading_matches(stages), PipelineKind::ChangeStream, parsing, 0);
  definition.token_version = token_version(context, definition);
  if (!definition.options.all_changes_for_cluster) definition.scope = {target.db, target.collection};
  const std::optional<wire::ResumeToken>& resume = definition.options.resume;
  if (resume && resume->fragment_num && !definition.pipeline.splits_large_events())
    throw CommandError(code::change_stream_fatal_error,
                       "To resume from a split event, the $changeStream pipeline must include a "
                       "$changeStreamSplitLargeEvent stage");
  optimize_stream(definition.pipeline, context.profile().wording);
  return definition;
}

Outcome open_stream(Context& context, const Target& target, wire::DocumentView stages) {
  const CursorOptions options = read_cursor_options(context);
  const bool in_transaction = context.transaction != nullptr || context.request.generic.autocommit.is(Type::Bool);
  if (in_transaction && context.profile().wording <= Wording::V4_2)
    throw CommandError(
        code::operation_not_supported_in_transaction,
        "Operation not permitted in transaction :: caused by :: Operation not permitted in transaction :: "
        "caused by :: " +
            streams_not_with_read_concern("snapshot"));
  if (in_transaction)
    throw CommandError(
        code::operation_not_supported_in_transaction,
        "Operation not permitted in transaction :: caused by :: Aggregation stage $changeStream cannot run within a "
        "multi-document transaction.");
  StreamDefinition definition = define_stream(context, target, stages);
  if (context.deployment.spec.topology == Topology::Standalone)
    throw CommandError(40573, "The $changeStream stage is only supported on replica sets");
  check_namespace(context, target, definition.options);
  check_api(context.request, definition.options);
  if (!target.collection.empty() && definition.options.resume && !definition.options.resume->uuid &&
      definition.options.resume->kind == wire::ResumeToken::Kind::Event)
    throw CommandError(code::invalid_resume_token,
                       "Attempted to resume a single-collection stream, but the resume token does not include a UUID");
  auto stream = std::make_unique<ChangeStream>(std::move(definition), context.deployment, context.now);
  ChangeStream& opened = *stream;
  const std::int64_t id = keep_cursor(context, std::move(stream), target.db, target.cursor_collection()).id;
  try {
    opened.read_first(context, options.batch_size.value_or(first_batch_default));
  } catch (const CommandError&) {
    context.deployment.cursors.remove(id);
    context.exchange.opened_cursor = 0;
    throw;
  }
  if (opened.exhausted) context.deployment.cursors.remove(id);
  return Replied{};
}

void check_input(const Pipeline& pipeline, const Target& target, wire::DocumentView stages) {
  if (!target.collection.empty() || (!stages.empty() && pipeline.input() == PipelineInput::Database)) return;
  const wire::ValueView first = stages.first().value;
  if (first.missing())
    throw CommandError(code::invalid_namespace, "{aggregate: 1} is not valid for an empty pipeline.");
  throw CommandError(code::invalid_namespace, "{aggregate: 1} is not valid for '" +
                                                  std::string(first.as_document().first().name) +
                                                  "'; a collection is required.");
}

void check_transaction(const Context& context, const Pipeline& pipeline) {
  if (context.transaction == nullptr || pipeline.refused_in_transaction().empty()) return;
  throw CommandError(code::operation_not_supported_in_transaction,
                     "Operation not permitted in transaction :: caused by :: Aggregation stage " +
                         std::string(pipeline.refused_in_transaction()) +
                         " cannot run within a multi-document transaction.");
}

// Up to 4.2 a plan was sought twice, first for this.
constexpr std::string_view covered_projection_failure =
    "Failed to determine whether query system can provide a covered projection :: caused by :: ";

std::optional<IndexScan> hinted_scan(const Context& context, const Readable& readable) {
  const IndexScan::Wish wish = IndexScan::read(Arguments(context.request.body, "aggregate"));
  if (readable.collection() == nullptr) return std::nullopt;
  const Wording wording = context.profile().wording;
  const Matcher all;
  try {
    return IndexScan::plan(*readable.collection(), wish, {all, IndexScan::CollationShown::Yes, {}, {}, wording});
  } catch (CommandError& error) {
    if (wording <= Wording::V4_2) error.message.insert(0, covered_projection_failure);
    throw;
  }
}

Outcome run_pipeline(Context& context, const Target& target, wire::DocumentView stages) {
  const CursorOptions options = read_cursor_options(context);
  const Collection* named = find_collection(context, target.db, target.collection);
  const Pipeline pipeline = Pipeline::parse(stages, PipelineKind::Aggregate, parse_context(context, named));
  check_input(pipeline, target, stages);
  check_transaction(context, pipeline);
  pipeline.optimize();
  const Readable readable(context, target.db, target.collection);
  const std::optional<IndexScan> scan = hinted_scan(context, readable);
  std::vector<wire::Document> results;
  executed(context, Executor::Aggregate, target.cursor_collection(), [&] {
    std::vector<wire::Document> documents;
    if (!pipeline.makes_documents()) documents = readable.all(scan ? &*scan : nullptr);
    results = pipeline.run(std::move(documents));
  });
  reply_with_cursor(context, target.db, target.cursor_collection(), std::move(results), options);
  return Replied{};
}

// What a pipeline begins with and the query below it does: leading $match stages, then $sort, $skip, $limit, $project.
struct Absorbed {
  wire::Document filter;
  PlannedQuery query;
  std::size_t stages = 0;
};

Absorbed absorb(wire::DocumentView stages) {
  Absorbed out;
  wire::DocumentBuilder filter;
  int reached = 0;
  for (const wire::Element& each : stages) {
    const auto [name, argument] = each.value.as_document().first();
    static constexpr std::string_view order[] = {"$match", "$sort", "$skip", "$limit", "$project"};
    const auto* const found = std::find(std::begin(order), std::end(order), name);
    const int place = static_cast<int>(found - std::begin(order));
    if (found == std::end(order) || place < reached || (place == reached && place > 0)) break;
    reached = place;
    if (name == "$match" && argument.is(Type::Document)) filter.append_all(argument.as_document());
    if (name == "$sort" && argument.is(Type::Document)) out.query.sort = argument.as_document();
    if (name == "$skip") out.query.skip = whole_number(argument);
    if (name == "$limit") out.query.limit = whole_number(argument);
    if (name == "$project" && argument.is(Type::Document)) out.query.projection = argument.as_document();
    ++out.stages;
  }
  out.filter = filter.finish();
  return out;
}

void explain(const Context& context, wire::DocumentBuilder& out, wire::DocumentView command, Verbosity verbosity) {
  const wire::ValueView pipeline = command["pipeline"];
  if (!pipeline.is(Type::Array))
    throw CommandError(code::type_mismatch, "'pipeline' option must be specified as an array");
  const wire::DocumentView stages = pipeline.as_document();
  const bool streams = !stages.empty() && stages.first().value.as_document().first().name == "$changeStream";
  Pipeline::parse(stages, streams ? PipelineKind::ChangeStream : PipelineKind::Aggregate, parse_context(context),
                  streams ? 1 : 0)
      .optimize();
  Absorbed absorbed = absorb(stages);
  absorbed.query.collection =
      streams
          ? "oplog.rs"
          : std::string(command.first().value.is(Type::String) ? command.first().value.as_string() : "$cmd.aggregate");
  absorbed.query.filter = absorbed.filter;
  absorbed.query.hint = streams ? wire::ValueView() : command["hint"];
  absorbed.query.collation = command["collation"];
  if (absorbed.stages == stages.count()) return append_plan(out, context, absorbed.query, verbosity, OfPipeline::Whole);
  out.begin_array("stages").begin_document(out.item_name()).begin_document("$cursor");
  append_plan(out, context, absorbed.query, verbosity, OfPipeline::Part);
  out.end().end();
  std::size_t position = 0;
  for (const wire::Element& stage : stages)
    if (position++ >= absorbed.stages) out.append(out.item_name(), stage.value);
  out.end();
}

constexpr std::array field_versions{FieldVersion{"let", 13}, FieldVersion{"requestReshardingResumeToken", 13},
                                    FieldVersion{"collectionUUID", 17}, FieldVersion{"encryptionInformation", 17},
                                    FieldVersion{"isMapReduceCommand", 9}};

CommandError unrecognized(const CommandSpec&, std::string_view field) {
  return CommandError(code::failed_to_parse, "unrecognized field '" + std::string(field) + "'");
}

Outcome run(Context& context) {
  const Target target = read_target(context);
  const wire::DocumentView stages = read_pipeline(context);
  const bool streams = opens_change_stream(context.request);
  const wire::ValueView explained = context.request["explain"];
  if (explained.is(Type::Bool) && explained.as_bool()) {
    append_explain_version(context.reply, context.profile());
    explain(context, context.reply, context.request.body, Verbosity::QueryPlanner);
    append_explained(context.reply, context, context.request.body);
    return Replied{};
  }
  return streams ? open_stream(context, target, stages) : run_pipeline(context, target, stages);
}

}  // namespace

extern constinit const CommandSpec aggregate_command{
    .name = "aggregate",
    .in_transaction = InTransaction::Allowed,
    .write_concern = WriteConcern::Supported,
    .read_concern = ReadConcernLevels::All,
    .refuse_read_concern = refuse_read_concern_of_pipeline,
    .api_version_1 = ApiVersion1::Yes,
    .fields = fields,
    .field_versions = field_versions,
    .unknown_until_4_4 = unrecognized,
    .profiled_as = "command",
    .authorized = may_run_pipeline,
    .run = run,
    .explain = explain,
    .help = "Opens a change stream, or runs a pipeline over stored documents."};

}  // namespace emulator
