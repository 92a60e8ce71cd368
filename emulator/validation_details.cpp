// How mongod explains a failed validation: each operator's name, how it was specified, and a reason.
#include <vector>

#include "emulator/predicates/table.h"
#include "emulator/query.h"
#include "emulator/validation.h"

namespace emulator {
namespace {

// What is to be explained: that the clause is not satisfied, or, under a negation, that it is.
enum class Explained { Mismatch, Match };

Explained negated(Explained explained) {
  return explained == Explained::Mismatch ? Explained::Match : Explained::Mismatch;
}

// One operator of a filter: {a: {$gt: 3}}, {a: 5} (as $eq), {$or: […]}.
struct Clause {
  std::string_view path;  // empty at the top level
  std::string_view name;
  wire::ValueView argument;
  wire::ValueView specified;  // of the path: what the filter says there
};

std::vector<Clause> clauses_of(wire::DocumentView filter) {
  std::vector<Clause> clauses;
  for (const wire::Element& element : filter) {
    if (element.name.starts_with('$')) {
      clauses.push_back({{}, element.name, element.value, {}});
    } else if (!is_operators(element.value)) {
      const bool regex = element.value.is(wire::Type::Regex);
      clauses.push_back({element.name, regex ? "$regex" : "$eq", element.value, element.value});
    } else {
      for (const wire::Element& test : element.value.as_document())
        if (test.name != "$options") clauses.push_back({element.name, test.name, test.value, {}});
    }
  }
  return clauses;
}

wire::Document specification(const Clause& clause) {
  wire::DocumentBuilder out;
  if (clause.path.empty())
    out.append(clause.name, clause.argument);
  else if (clause.specified)
    out.append(clause.path, clause.specified);
  else
    out.begin_document(clause.path).append(clause.name, clause.argument).end();
  return out.finish();
}

struct Reasons {
  std::string_view name;
  std::string_view mismatch;
  std::string_view match;
  std::string_view expected_type{};  // what other types than this fail by
};
constexpr Reasons comparison{{}, "comparison failed", "comparison succeeded"};
constexpr Reasons reasons[] = {
    {"$ne", "comparison succeeded", "comparison failed"},
    {"$in", "no matching value found in array", "matching value found in array"},
    {"$nin", "matching value found in array", "no matching value found in array"},
    {"$exists", "path does not exist", "path does exist"},
    {"$type", "type did not match", "type did match"},
    {"$size", "array length was not equal to given size", "array length was equal to given size", "array"},
    {"$mod", "$mod did not evaluate to expected remainder", "$mod did evaluate to expected remainder"},
    {"$regex", "regular expression did not match", "regular expression did match", "string"},
    {"$elemMatch", "array did not satisfy the child predicate", "array did satisfy the child predicate", "array"},
    {"$all", "array did not contain all specified values", "array did contain all specified values"},
    {"$bitsAllSet", "bitwise operator failed to match", "bitwise operator matched successfully"},
    {"$bitsAllClear", "bitwise operator failed to match", "bitwise operator matched successfully"},
    {"$bitsAnySet", "bitwise operator failed to match", "bitwise operator matched successfully"},
    {"$bitsAnyClear", "bitwise operator failed to match", "bitwise operator matched successfully"},
};

const Reasons& reasons_of(std::string_view name) {
  for (const Reasons& row : reasons)
    if (row.name == name) return row;
  return comparison;
}

class Explainer {
 public:
  Explainer(wire::DocumentView document, const MatchContext& match) : document_(document), match_(match) {}

  wire::Document filter(wire::DocumentView filter, Explained explained) const {
    const std::vector<Clause> clauses = clauses_of(filter);
    if (clauses.size() == 1) return clause(clauses.front(), explained);
    wire::DocumentBuilder out;
    out.append_string("operatorName", "$and");
    begin_list(out, explained == Explained::Mismatch ? "clausesNotSatisfied" : "clausesSatisfied");
    for (std::size_t i = 0; i < clauses.size(); ++i)
      if (satisfied(specification(clauses[i])) == (explained == Explained::Match))
        append_clause(out, i, clause(clauses[i], explained));
    return out.end().finish();
  }

 private:
  static void begin_list(wire::DocumentBuilder& out, std::string_view name) { out.begin_array(name); }
  static void append_clause(wire::DocumentBuilder& out, std::size_t index, const wire::Document& details) {
    out.begin_document(out.item_name()).append_int32("index", static_cast<std::int32_t>(index));
    out.append_document("details", details).end();
  }
  bool satisfied(wire::DocumentView filter) const { return Matcher::parse(filter, match_).matches(document_); }

  wire::Document clause(const Clause& clause, Explained explained) const {
    if (clause.name == "$and" || clause.name == "$or" || clause.name == "$nor") return junction(clause, explained);
    if (clause.name == "$not") return negation(clause, explained);
    wire::DocumentBuilder out;
    out.append_string("operatorName", clause.name).append_document("specifiedAs", specification(clause));
    if (clause.name == "$expr") {
      const bool match = explained == Explained::Match;
      out.append_string("reason", match ? "expression did match" : "expression did not match");
      return out.append_bool("expressionResult", match).finish();
    }
    append_reason(out, clause, explained);
    return out.finish();
  }

  wire::Document junction(const Clause& clause, Explained explained) const {
    const bool nor = clause.name == "$nor";
    const Explained inner = nor ? negated(explained) : explained;
    wire::DocumentBuilder out;
    out.append_string("operatorName", clause.name);
    begin_list(out, inner == Explained::Mismatch ? "clausesNotSatisfied" : "clausesSatisfied");
    std::size_t index = 0;
    for (const wire::Element& part : clause.argument.as_document()) {
      if (satisfied(part.value.as_document()) == (inner == Explained::Match))
        append_clause(out, index, filter(part.value.as_document(), inner));
      ++index;
    }
    return out.end().finish();
  }

  wire::Document negation(const Clause& clause, Explained explained) const {
    wire::DocumentBuilder inner;
    inner.append(clause.path, clause.argument);
    wire::DocumentBuilder out;
    out.append_string("operatorName", "$not");
    return out.append_document("details", filter(inner.finish(), negated(explained))).finish();
  }

  void append_reason(wire::DocumentBuilder& out, const Clause& clause, Explained explained) const {
    const Reasons& row = reasons_of(clause.name);
    const bool match = explained == Explained::Match;
    const wire::ValueView value = document_.find_path(clause.path);
    if (clause.name == "$exists") {
      // {$exists: false} is a negation of its own.
      const bool exists = static_cast<bool>(value);
      out.append_string("reason", exists ? row.match : row.mismatch);
      return;
    }
    if (value.missing() && !match) {
      out.append_string("reason", "field was missing");
      return;
    }
    const bool wrong_type = !row.expected_type.empty() && wire::type_name(value.type()) != row.expected_type;
    if (wrong_type && !match) return append_wrong_type(out, row, value);
    out.append_string("reason", match ? row.match : row.mismatch);
    const bool several = value.is(wire::Type::Array) && row.expected_type.empty() && clause.name != "$all";
    out.append(several ? "consideredValues" : "consideredValue", value);
    if (clause.name == "$type") out.append_string("consideredType", wire::type_name(value.type()));
  }

  static void append_wrong_type(wire::DocumentBuilder& out, const Reasons& row, wire::ValueView value) {
    out.append_string("reason", "type did not match").append_string("consideredType", wire::type_name(value.type()));
    if (row.name == "$regex") {
      out.begin_array("expectedTypes");
      for (const std::string_view type : {"regex", "string", "symbol"}) out.append_string(out.item_name(), type);
      out.end();
    } else {
      out.append_string("expectedType", row.expected_type);
    }
    out.append("consideredValue", value);
  }

  wire::DocumentView document_;
  const MatchContext& match_;
};

}  // namespace

wire::Document mismatch_details(wire::DocumentView filter, wire::DocumentView document, const MatchContext& match) {
  return Explainer(document, match).filter(filter, Explained::Mismatch);
}

}  // namespace emulator
