#include "emulator/collation.h"

namespace emulator {

wire::Document whole_collation(wire::DocumentView given) {
  const wire::ValueView locale = given["locale"];
  if (given.empty() || (locale.is(wire::Type::String) && locale.as_string() == "simple")) return {};
  wire::DocumentBuilder out;
  const auto field = [&](std::string_view name, const wire::Value& otherwise) {
    const wire::ValueView value = given[name];
    out.append(name, value ? value : otherwise.view());
  };
  field("locale", wire::Value::string("en"));
  field("caseLevel", wire::Value::boolean(false));
  field("caseFirst", wire::Value::string("off"));
  field("strength", wire::Value::int32(3));
  field("numericOrdering", wire::Value::boolean(false));
  field("alternate", wire::Value::string("non-ignorable"));
  field("maxVariable", wire::Value::string("punct"));
  field("normalization", wire::Value::boolean(false));
  field("backwards", wire::Value::boolean(false));
  field("version", wire::Value::string("57.1"));
  return out.finish();
}

}  // namespace emulator
