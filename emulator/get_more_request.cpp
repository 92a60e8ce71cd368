#include "emulator/get_more_request.h"

#include <limits>

#include "emulator/arguments.h"
#include "emulator/command_error.h"
#include "emulator/dispatch.h"
#include "emulator/error_codes.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

constexpr std::int64_t max_time_ms_max = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void wrong_type(std::string_view field, wire::Type type, std::string_view expected) {
  throw CommandError(code::type_mismatch, "BSON field 'getMore." + std::string(field) + "' is the wrong type '" +
                                              std::string(wire::type_name(type)) + "', expected " +
                                              std::string(expected));
}

constexpr std::string_view numbers = "types '[long, int, decimal, double']";

std::int64_t cursor_id(const Request& request) {
  const wire::ValueView id = request.target();
  if (!id.is(wire::Type::Int64)) wrong_type("getMore", id.type(), "type 'long'");
  return id.as_int64();
}

std::string_view collection(const Request& request) {
  const wire::ValueView name = request["collection"];
  if (name.missing())
    throw CommandError(code::missing_field, "BSON field 'getMore.collection' is missing but a required field");
  if (!name.is(wire::Type::String)) wrong_type("collection", name.type(), "type 'string'");
  if (name.as_string().empty()) throw CommandError(code::invalid_namespace, "Collection names cannot be empty");
  return name.as_string();
}

std::optional<std::int64_t> batch_size(const Request& request) {
  const wire::ValueView value = request["batchSize"];
  if (value.missing() || value.is(wire::Type::Null)) return std::nullopt;
  if (!value.is_number()) wrong_type("batchSize", value.type(), numbers);
  const std::int64_t size = whole_number(value);
  if (size < 0)
    throw CommandError(51024, "BSON field 'batchSize' value must be >= 0, actual value '" + std::to_string(size) + "'");
  return size;
}

std::optional<std::int64_t> max_time_ms(const Request& request) {
  const wire::ValueView value = request["maxTimeMS"];
  if (value.missing()) return std::nullopt;
  if (!value.is_number()) wrong_type("maxTimeMS", value.type(), numbers);
  const std::int64_t ms = whole_number(value);
  if (ms < 0 || ms > max_time_ms_max)
    throw CommandError(code::bad_value, std::to_string(ms) + " value for maxTimeMS is out of range");
  return ms;
}

// GetMoreRequest::parseFromBSON up to 4.4: field by field, then what the whole must be.
class HandParser {
 public:
  explicit HandParser(const Request& request, const Profile& profile) : request_(request), profile_(profile) {}

  GetMoreRequest parse() {
    for (const wire::Element& element : request_.body) read(element);
    if (!has_collection_) throw CommandError(code::failed_to_parse, "Field 'collection' missing in: " + text());
    if (out_.collection.empty() || out_.collection[0] == '.')
      throw CommandError(code::invalid_namespace, "Invalid namespace for getMore: " + std::string(request_.db) + "." +
                                                      std::string(out_.collection));
    // By the opcode there simply is no such cursor.
    if (out_.id == 0 && request_.legacy == Legacy::No)
      throw CommandError(code::bad_value, "Cursor id for getMore must be non-zero");
    if (out_.batch_size && *out_.batch_size <= 0)
      throw CommandError(code::bad_value,
                         "Batch size for getMore must be positive, but received: " + std::to_string(*out_.batch_size));
    return out_;
  }

 private:
  std::string text() const { return bson_text(request_.body); }

  [[noreturn]] void wrong(std::string_view field, std::string_view expected) const {
    throw CommandError(code::type_mismatch,
                       "Field '" + std::string(field) + "' must be " + std::string(expected) + " in: " + text());
  }

  void read(const wire::Element& element) {
    const auto& [name, value] = element;
    if (name == "getMore") {
      if (!value.is(wire::Type::Int64)) wrong(name, "of type long");
      out_.id = value.as_int64();
    } else if (name == "collection") {
      if (!value.is(wire::Type::String)) wrong(name, "of type string");
      out_.collection = value.as_string();
      has_collection_ = true;
    } else if (name == "batchSize") {
      if (!value.is_number()) wrong(name, "a number");
      out_.batch_size = whole_number(value);
    } else if (name == "maxTimeMS") {
      read_max_time(value);
    } else if (name == "term") {
      if (!value.is(wire::Type::Int64)) wrong(name, "of type NumberLong");
    } else if (name != "lastKnownCommittedOpTime" && !is_generic_field(name, profile_)) {
      throw CommandError(code::failed_to_parse,
                         "Failed to parse: " + text() + ". Unrecognized field '" + std::string(name) + "'.");
    }
  }

  void read_max_time(wire::ValueView value) {
    if (!value.is_number()) throw CommandError(code::bad_value, "maxTimeMS must be a number");
    const std::int64_t ms = whole_number(value);
    if (ms < 0 || ms > max_time_ms_max) throw CommandError(code::bad_value, "maxTimeMS is out of range");
    if (value.is(wire::Type::Double) && value.as_double() != static_cast<double>(ms))
      throw CommandError(code::bad_value, "maxTimeMS has non-integral value");
    out_.max_time_ms = ms;
  }

  const Request& request_;
  const Profile& profile_;
  GetMoreRequest out_;
  bool has_collection_ = false;
};

}  // namespace

GetMoreRequest read_get_more(const Request& request, const Profile& profile) {
  if (profile.wording <= Wording::V4_4) return HandParser(request, profile).parse();
  return {cursor_id(request), collection(request), batch_size(request), max_time_ms(request)};
}

}  // namespace emulator
