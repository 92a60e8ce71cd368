#include "tests/golden/wrote.h"

#include <array>
#include <string_view>

namespace golden {
namespace {

using namespace std::string_view_literals;
using wire::Type;

constexpr std::array writes{"insert"sv,        "update"sv,           "delete"sv,       "findAndModify"sv,
                            "findandmodify"sv, "create"sv,           "drop"sv,         "createIndexes"sv,
                            "dropIndexes"sv,   "renameCollection"sv, "dropDatabase"sv, "commitTransaction"sv};

}  // namespace

bool is_nonzero(wire::ValueView value) {
  switch (value.type()) {
    case Type::Int32:
      return value.as_int32() != 0;
    case Type::Int64:
      return value.as_int64() != 0;
    case Type::Double:
      return value.as_double() != 0;
    case Type::Array:
      return !value.as_document().empty();
    default:
      return false;
  }
}

bool is_ok(wire::DocumentView reply) { return is_nonzero(reply["ok"]); }

bool wrote(wire::DocumentView command, wire::DocumentView reply) {
  const std::string_view name = command.first().name;
  bool known = false;
  for (const std::string_view write : writes) known = known || write == name;
  if (!known || !is_ok(reply)) return false;
  const bool in_transaction = command.has("txnNumber") && command.has("autocommit");
  if (in_transaction && name != "commitTransaction") return false;
  if (name == "update") return is_nonzero(reply["nModified"]) || is_nonzero(reply["upserted"]);
  if (name == "insert" || name == "delete") return is_nonzero(reply["n"]);
  if (name == "findAndModify" || name == "findandmodify") return is_nonzero(reply.find_path("lastErrorObject.n"));
  if (name == "createIndexes") {
    const wire::ValueView before = reply["numIndexesBefore"];
    const wire::ValueView after = reply["numIndexesAfter"];
    return !before.identical(after);
  }
  return true;
}

}  // namespace golden
