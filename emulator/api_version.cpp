#include "emulator/api_version.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/error_codes.h"

namespace emulator {
namespace {

using wire::Type;

void check_type(std::string_view field, wire::ValueView value, Type type) {
  if (value && !value.is(type))
    throw CommandError(code::type_mismatch,
                       fmt::format("BSON field 'APIParametersFromClient.{}' is the wrong type '{}', expected type '{}'",
                                   field, wire::type_name(value.type()), wire::type_name(type)));
}

}  // namespace

bool is_api_strict(const Request& request) {
  const wire::ValueView strict = request.generic.api_strict;
  return strict.is(Type::Bool) && strict.as_bool();
}

void check_api_version(const Request& request, const CommandSpec& command) {
  constexpr int invalid_without_version = 4886600;
  constexpr int api_version_error = 322;
  const Request::Generic& given = request.generic;
  const wire::ValueView version = given.api_version;
  check_type("apiVersion", version, Type::String);
  check_type("apiStrict", given.api_strict, Type::Bool);
  check_type("apiDeprecationErrors", given.api_deprecation_errors, Type::Bool);
  if (version.missing()) {
    if (given.api_strict || given.api_deprecation_errors)
      throw CommandError(invalid_without_version,
                         "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
    return;
  }
  if (version.as_string() != "1")
    throw CommandError(api_version_error, fmt::format("Cannot accept API version {}", version.as_string()));
  if (!is_api_strict(request)) return;
  if (command.api_version_1 == ApiVersion1::No)
    throw CommandError(
        code::api_strict_error,
        fmt::format("Provided apiStrict:true, but the command {} is not in API Version 1. Information on supported "
                    "commands and migrations in API Version 1 can be found at "
                    "https://dochub.mongodb.org/core/manual-versioned-api",
                    command.name));
  for (const wire::Element& element : request.body)
    if (std::ranges::find(command.unstable_fields, element.name) != command.unstable_fields.end())
      throw CommandError(code::api_strict_error,
                         fmt::format("BSON field '{}.{}' is not allowed with apiStrict:true.",
                                     command.idl_name.empty() ? command.name : command.idl_name, element.name));
}

}  // namespace emulator
