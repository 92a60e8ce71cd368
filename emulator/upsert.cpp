#include "emulator/upsert.h"

#include <algorithm>
#include <map>
#include <string>

#include "emulator/command_error.h"
#include "emulator/editable_document.h"
#include "emulator/update_path.h"

namespace emulator {
namespace {

using wire::Document;
using wire::DocumentBuilder;
using wire::ValueView;

using FieldsByPath = std::map<std::string_view, ValueView>;

bool is_above(std::string_view parent, std::string_view path) {
  return path.size() > parent.size() && path.starts_with(parent) && path[parent.size()] == '.';
}

void check_new_path(const FieldsByPath& fields, std::string_view path) {
  for (const auto& [other, value] : fields) {
    if (other == path)
      throw CommandError(54, "cannot infer query fields to set, path '" + std::string(path) + "' is matched twice");
    if (is_above(other, path) || is_above(path, other)) {
      const auto& [above, below] = std::minmax(path, other);
      throw CommandError(54, "cannot infer query fields to set, both paths '" + std::string(below) + "' and '" +
                                 std::string(above) + "' are matched");
    }
  }
}

void set_path(EditableDocument& document, std::string_view dotted, ValueView value) {
  EditableValue* at = &document.root();
  UpdatePath path = split_update_path(dotted);
  std::size_t depth = 0;
  for (; EditableValue* next = depth < path.size() ? at->find(path[depth]) : nullptr; ++depth) at = next;
  for (std::size_t i = path.size() - 1; i > depth; --i) {
    DocumentBuilder parent;
    value = document.keep(wire::Value::document(parent.append(path[i], value).view()));
  }
  at->fields().push_back({path[depth], EditableValue(value)});
}

}  // namespace

Document query_fields(const Matcher& query, QueryFields which) {
  if (query.filter().has("$expr")) throw CommandError(224, "$expr is not allowed in the query predicate for an upsert");
  FieldsByPath fields;
  for (const Matcher::Equality& equality : query.equality_fields()) {
    if (which == QueryFields::IdOnly && equality.path != "_id" && !is_above("_id", equality.path)) continue;
    check_new_path(fields, equality.path);
    fields.emplace(equality.path, equality.value);
  }
  Document nothing;
  EditableDocument document(nothing);
  for (const auto& [path, value] : fields) set_path(document, path, value);
  return id_first(document.finish());
}

Document id_first(const Document& document) {
  if (!document.has("_id") || document.view().first().name == "_id") return document;
  DocumentBuilder out;
  out.append("_id", document["_id"]);
  for (const auto& [name, value] : document)
    if (name != "_id") out.append(name, value);
  return out.finish();
}

}  // namespace emulator
