// The plain JSON trees that goldens are: ordered, compared field by field, with leaves that are numbered at the end.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace golden {

using Json = nlohmann::ordered_json;

// What makes a case fail before its results can be compared.
class CaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One sentence for each place where the trees differ; the order of fields counts.
std::vector<std::string> differences(const Json& want, const Json& got, const std::string& path = "expect");

// A value that differs between runs: `kind` "clusterTime" (`key` a number, ranked by it) or "uuid", "objectId", "cursorId"
// (numbered by first appearance).
Json volatile_leaf(std::string_view kind, Json key);
// Replaces the volatile leaves by {"$$kind": n}.
Json number_volatile_leaves(const Json& tree);

}  // namespace golden
