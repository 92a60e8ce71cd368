#include "emulator/upsert.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "emulator/command_error.h"
#include "emulator/dotted_path.h"
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
    const auto& [above, below] = std::minmax(path, other);
    if (above != below && !is_above(above, below)) continue;
    // A path that ends in a dot is for mongod the one without it.
    const bool twice = below.size() <= above.size() + 1;
    throw CommandError(
        54, "cannot infer query fields to set, " +
                (twice ? "path '" + std::string(below) + "' is matched twice"
                       : "both paths '" + std::string(below) + "' and '" + std::string(above) + "' are matched"));
  }
}

// A query's path, unlike an update's, may have empty names.
UpdatePath split_query_path(std::string_view dotted) {
  if (dotted.empty()) throw CommandError(20, "Cannot call setValue on the root object");
  return dotted_steps(dotted);
}

void set_path(EditableDocument& document, std::string_view dotted, ValueView value) {
  EditableValue* at = &document.root();
  UpdatePath path = split_query_path(dotted);
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
  // By path, as the parts of a query are sorted before it is looked at.
  std::vector<Matcher::Equality> equalities(query.equality_fields().begin(), query.equality_fields().end());
  std::ranges::stable_sort(equalities, {}, &Matcher::Equality::path);
  for (const Matcher::Equality& equality : equalities) {
    if (which == QueryFields::IdOnly && is_above("_id", equality.path))
      throw CommandError(
          111, "field at '_id' must be exactly specified, field at sub-path '" + std::string(equality.path) + "'found");
    if (which == QueryFields::IdOnly && equality.path != "_id") continue;
    check_new_path(fields, equality.path);
    fields.emplace(equality.path, equality.value);
  }
  Document nothing;
  EditableDocument document(nothing);
  for (const auto& [path, value] : fields) set_path(document, path, value);
  return document.finish();
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
