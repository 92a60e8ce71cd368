#include "emulator/update_statement.h"

#include "emulator/deployment.h"

namespace emulator {

UpdateContext update_context(const Profile& profile) {
  UpdateContext parsing;
  parsing.expressions.profile = &profile;
  parsing.form = profile.oplog.update_form;
  parsing.pipelines = profile.oplog.pipeline_updates;
  if (profile.wording <= Wording::V4_4) {
    parsing.order = {NumericFields::ByBytes};
    parsing.dollar_names = DollarNames::Refused;
    parsing.empty_operators = EmptyOperators::Refused;
  }
  return parsing;
}

Update parse_update(const Context& context, wire::ValueView u, wire::ValueView array_filters,
                    wire::ValueView constants) {
  UpdateContext parsing = update_context(context.profile());
  parsing.expressions = match_context(context, MatchPlace::Update).expressions;
  parsing.time = {context.wall_ms(), context.deployment.next_time(context.now)};
  if (constants.is(wire::Type::Document)) {
    if (!u.is(wire::Type::Array))
      throw CommandError(51198, "Constant values may only be specified for pipeline updates");
    wire::DocumentBuilder variables;
    variables.append_all(parsing.expressions.let).append_all(constants.as_document());
    parsing.expressions.let = variables.finish();
  }
  return Update::parse(u, array_filters, parsing);
}

Failure update_found(Writer& writer, Collection& collection, const Found& found, const Matcher& filter,
                     const Update& update, Updated& updated) {
  const std::optional<std::size_t> position =
      update.needs_position() ? filter.matched_position(found.document) : std::nullopt;
  UpdateResult result = update.apply(found.document, position);
  updated.modified = result.kind != UpdateResult::Kind::NoOp;
  updated.after = updated.modified ? result.post : found.document;
  if (!updated.modified) return std::nullopt;
  return writer.update(collection, found.record, std::move(result.post), std::move(result.oplog_o));
}

Failure upsert(Context& context, Writer& writer, std::string_view collection, const Matcher& filter,
               const Update& update, wire::Document& inserted) {
  if (Failure failure = writer.prepare(update.insertion(filter), inserted)) return failure;
  return writer.insert_prepared(writer.ensure(context.request.db, collection), inserted);
}

}  // namespace emulator
