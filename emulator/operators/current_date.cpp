#include "emulator/command_error.h"
#include "emulator/operators/table.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

class CurrentDate : public Modifier {
 public:
  explicit CurrentDate(Type type) : type_(type) {}
  UpdateOutcome modify(const UpdateTarget& target) const override {
    if (type_ == Type::DateTime) return UpdateOutcome::changed(wire::Value::date(target.time.wall_ms));
    return UpdateOutcome::changed(wire::Value::timestamp(target.time.cluster_time));
  }

 private:
  Type type_;
};

Type type_of(ValueView argument) {
  if (argument.is(Type::Bool)) return Type::DateTime;
  if (!argument.is(Type::Document))
    throw CommandError(2,
                       std::string(type_name(argument.type())) +
                           " is not valid type for $currentDate. Please use a boolean ('true') or a $type expression "
                           "({$type: 'timestamp/date'}).");
  for (const auto& [name, value] : argument.as_document())
    if (name != "$type") throw CommandError(2, "Unrecognized $currentDate option: " + std::string(name));
  ValueView type = argument.as_document().find("$type");
  if (type.is(Type::String) && type.as_string() == "date") return Type::DateTime;
  if (type.is(Type::String) && type.as_string() == "timestamp") return Type::Timestamp;
  throw CommandError(
      2, "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}");
}

std::unique_ptr<Modifier> parse(std::string_view, ValueView argument, const ParseContext&) {
  return std::make_unique<CurrentDate>(type_of(argument));
}

}  // namespace

extern constinit const UpdateOperatorSpec current_date_operator{
    .name = "$currentDate", .parse = parse, .help = "Sets a field to the deployment's time, as a date or a timestamp."};

}  // namespace emulator
