#include <algorithm>
#include <charconv>
#include <cmath>

#include "emulator/faults/argument.h"
#include "emulator/number.h"

namespace emulator {
namespace {

std::string list_of(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

std::string_view moment_name(Moment moment) {
  switch (moment) {
    case Moment::Arrival:
      return "arrival";
    case Moment::Reply:
      return "reply";
    case Moment::End:
      return "end";
  }
  return "";
}

}  // namespace

wire::DocumentView argument_document(wire::ValueView argument, std::initializer_list<std::string_view> fields) {
  if (!argument.is(wire::Type::Document))
    throw FaultArgumentError("its argument must be a document with " + list_of(fields));
  const wire::DocumentView document = argument.as_document();
  for (const auto& [name, value] : document)
    if (std::ranges::find(fields, name) == fields.end())
      throw FaultArgumentError("unknown word \"" + std::string(name) + "\"; it knows " + list_of(fields),
                               std::string(name));
  return document;
}

Moment argument_moment(wire::ValueView value, std::string_view field) {
  if (value.is(wire::Type::String))
    for (const Moment moment : {Moment::Arrival, Moment::Reply, Moment::End})
      if (value.as_string() == moment_name(moment)) return moment;
  throw FaultArgumentError("a moment is arrival, reply or end", std::string(field));
}

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  double count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || !std::isfinite(count) || count < 0) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double seconds = unit == "ms" ? 0.001 : unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : -1;
  // A hundred years: far below what nanoseconds in 64 bits can say.
  if (seconds < 0 || count * seconds > 3.2e9) return std::nullopt;
  return std::chrono::nanoseconds(std::llround(count * seconds * 1e9));
}

std::chrono::nanoseconds argument_duration(wire::ValueView value, std::string_view field) {
  if (value.is(wire::Type::String))
    if (const auto duration = parse_duration(value.as_string())) return *duration;
  throw FaultArgumentError("a duration looks like 200ms, 30s, 10m, 2h", std::string(field));
}

std::int64_t argument_count(wire::ValueView value, std::string_view field) {
  std::int64_t count = -1;
  if (value.is(wire::Type::Int32)) count = value.as_int32();
  if (value.is(wire::Type::Int64)) count = value.as_int64();
  if (value.is(wire::Type::Double) && value.as_double() < 9e15) count = exact_int64(value).value_or(-1);
  if (count < 0) throw FaultArgumentError("must be a whole number, 0 or more", std::string(field));
  return count;
}

std::string argument_string(wire::ValueView value, std::string_view field) {
  if (!value.is(wire::Type::String)) throw FaultArgumentError("must be a string", std::string(field));
  return std::string(value.as_string());
}

void argument_none(wire::ValueView argument) {
  if (!argument.missing()) throw FaultArgumentError("takes no argument");
}

Moment moment_among(std::optional<Moment> at, Moment standard, std::initializer_list<Moment> possible) {
  const Moment moment = at.value_or(standard);
  if (std::ranges::find(possible, moment) != possible.end()) return moment;
  std::string words;
  for (const Moment word : possible) words += (words.empty() ? "" : " or ") + std::string(moment_name(word));
  throw FaultArgumentError("acts at " + words + " only", "at");
}

}  // namespace emulator
