#include "emulator/validation.h"

#include "emulator/arguments.h"
#include "emulator/query.h"

namespace emulator {

Failure validation_failure(const Context& context, const Collection& collection, const wire::Document& before,
                           const wire::Document& after) {
  const wire::ValueView validator = collection.options()["validator"];
  // The buckets of a time series are made, not given.
  if (!validator.is(wire::Type::Document) || validator.as_document().empty() || collection.options().has("timeseries"))
    return std::nullopt;
  if (is_truthy(context.request["bypassDocumentValidation"])) return std::nullopt;
  const auto is = [&](std::string_view option, std::string_view word) {
    const wire::ValueView value = collection.options()[option];
    return value.is(wire::Type::String) && value.as_string() == word;
  };
  if (is("validationLevel", "off") || is("validationAction", "warn")) return std::nullopt;
  const MatchContext match = match_context(context, MatchPlace::Validator);
  const Matcher matcher = Matcher::parse(validator.as_document(), match);
  if (matcher.matches(after)) return std::nullopt;
  if (is("validationLevel", "moderate") && !before.is_default() && !matcher.matches(before)) return std::nullopt;
  CommandError error(121, "Document failed validation");
  if (context.profile().wording <= Wording::V4_4) return error;  // what failed is said from 5.0 on
  wire::DocumentBuilder extra;
  extra.begin_document("errInfo").append("failingDocumentId", after["_id"]);
  extra.append_document("details", mismatch_details(validator.as_document(), after, match)).end();
  error.extra = extra.finish();
  return error;
}

}  // namespace emulator
