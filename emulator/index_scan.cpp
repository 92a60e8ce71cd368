#include "emulator/index_scan.h"

#include <algorithm>

#include "emulator/conjunction.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

constexpr int no_query_execution_plans = 291;

wire::Document nameless(wire::DocumentView document) {
  wire::DocumentBuilder out;
  for (const wire::Element& element : document) out.append("", element.value);
  return out.finish();
}

IndexSpec id_index() {
  IndexSpec spec;
  spec.name = "_id_";
  wire::DocumentBuilder key;
  spec.key = key.append_int32("_id", 1).finish();
  return spec;
}

std::optional<IndexSpec> hinted_index(const Collection& collection, const IndexScan::Wish& wish) {
  const auto is_meant = [&](const IndexSpec& spec) {
    return wish.name.empty() ? wire::compare_documents(spec.key, wish.key) == 0 : spec.name == wish.name;
  };
  if (IndexSpec own = id_index(); is_meant(own)) return own;
  for (const auto& index : collection.indexes())
    if (is_meant(index->spec())) return index->spec();
  return std::nullopt;
}

bool same_fields(wire::DocumentView bound, wire::DocumentView key) {
  return std::equal(bound.begin(), bound.end(), key.begin(), key.end(),
                    [](const wire::Element& left, const wire::Element& right) { return left.name == right.name; });
}

// The filter as the server prints its tree.
std::string tree_text(wire::DocumentView filter) {
  const std::vector<FilterTest> tests = tests_of(filter);
  std::string tree = tests.size() == 1 ? "" : "$and\n";
  for (const FilterTest& test : tests) {
    if (tests.size() > 1) tree += "    ";
    tree += std::string(test.path) + " " + std::string(test.name) + " " + bson_text(test.value) + "\n";
  }
  return tree;
}

std::string query_text(const Collection& collection, const IndexScan::Query& query) {
  const auto text = [](wire::DocumentView document) { return document.empty() ? "{}" : bson_text(document); };
  const bool shows_collation = query.collation == IndexScan::CollationShown::Yes && query.wording > Wording::V4_2;
  return "ns=" + collection.identity()->full() + "Tree: " + tree_text(query.filter.filter()) +
         "Sort: " + text(query.sort) + "\nProj: " + text(query.projection) +
         (shows_collation ? "\nCollation: { locale: \"simple\" }\n" : "\n");
}

}  // namespace

IndexScan::Wish IndexScan::read(const Arguments& arguments) {
  Wish wish;
  const wire::ValueView hint = arguments["hint"];
  if (hint.is(wire::Type::String))
    wish.name = hint.as_string();
  else if (hint.is(wire::Type::Document))
    wish.key = wire::Document(hint.as_document());
  else if (hint)
    throw CommandError(9, "Hint must be a string or an object");
  wish.min = wire::Document(arguments.object("min"));
  wish.max = wire::Document(arguments.object("max"));
  if (!wish.min.empty() && !wish.max.empty() && !same_fields(wish.min, wish.max))
    throw CommandError(51176, "min and max must have the same field names");
  return wish;
}

std::optional<IndexScan> IndexScan::plan(const Collection& collection, const Wish& wish, const Query& query) {
  if (wish.empty()) return std::nullopt;
  const auto fail = [&](int code, std::string_view reason) {
    throw CommandError(code, "error processing query: " + query_text(collection, query) +
                                 " planner returned error :: caused by :: " + std::string(reason));
  };
  const bool bounded = !wish.min.empty() || !wish.max.empty();
  IndexScan scan;
  if (const wire::Element first = wish.key.view().first(); first.name == "$natural") {
    if (bounded && query.wording <= Wording::V4_2)
      throw CommandError(no_query_execution_plans,
                         "error processing query: " + query_text(collection, query) + " No query solutions");
    if (bounded) fail(no_query_execution_plans, "min and max are incompatible with $natural");
    scan.natural_ = whole_number(first.value) < 0 ? NaturalOrder::Backward : NaturalOrder::Forward;
    return scan;
  }
  if (wish.name.empty() && wish.key.empty())
    fail(51173, "When using min()/max() a hint of which index to use must be provided");
  const std::optional<IndexSpec> index = hinted_index(collection, wish);
  if (!index) fail(2, "hint provided does not correspond to an existing index");
  scan.index_ = Index(*index);
  for (const wire::Document& bound : {wish.min, wish.max})
    if (!bound.empty() && !same_fields(bound, scan.index_.spec().key))
      fail(51174, "The index chosen is not compatible with min/max");
  scan.min_ = nameless(wish.min);
  scan.max_ = nameless(wish.max);
  if (!scan.min_.empty() && !scan.max_.empty() && scan.compare(scan.min_, scan.max_) >= 0)
    fail(51175, "The value provided for min() does not come before the value provided for max() in the hinted index");
  return scan;
}

std::optional<IndexScan> IndexScan::likely(const Collection& collection, const Matcher& filter,
                                           wire::DocumentView sort) {
  std::vector<IndexSpec> specs{id_index()};
  for (const auto& index : collection.indexes())
    if (!index->spec().sparse && !index->spec().covers) specs.push_back(index->spec());
  for (const wire::DocumentView wanted : {filter.filter().view(), sort})
    for (const IndexSpec& spec : specs)
      if (wanted.has(spec.key.view().first().name)) return IndexScan(spec);
  return std::nullopt;
}

std::weak_ordering IndexScan::compare(wire::DocumentView left, wire::DocumentView right) const {
  auto from = left.begin();
  auto against = right.begin();
  for (const wire::Element& field : index_.spec().key) {
    const auto order = wire::compare_values((*from).value, (*against).value);
    const bool descending = field.value.is_number() && whole_number(field.value) < 0;
    if (order != 0) return descending ? 0 <=> order : order;
    ++from;
    ++against;
  }
  return std::weak_ordering::equivalent;
}

std::optional<wire::Document> IndexScan::first_key(const wire::Document& document) const {
  std::optional<wire::Document> first;
  for (wire::Document& key : index_.keys(document)) {
    if (!min_.empty() && compare(key, min_) < 0) continue;
    if (!max_.empty() && compare(key, max_) >= 0) continue;
    if (!first || compare(key, *first) < 0) first = std::move(key);
  }
  return first;
}

std::vector<Found> IndexScan::find(const Collection& collection, const Matcher& filter, const ReadView& view) const {
  std::vector<Found> found;
  std::vector<std::pair<wire::Document, std::size_t>> keys;
  collection.scan(0, view, [&](RecordId record, const wire::Document& document) {
    if (!filter.matches(document)) return true;
    if (natural_ == NaturalOrder::None) {
      std::optional<wire::Document> key = first_key(document);
      if (!key) return true;
      keys.emplace_back(std::move(*key), found.size());
    }
    found.push_back({record, document});
    return true;
  });
  if (natural_ == NaturalOrder::Backward) std::ranges::reverse(found);
  if (natural_ != NaturalOrder::None) return found;
  std::ranges::stable_sort(
      keys, [this](const auto& left, const auto& right) { return compare(left.first, right.first) < 0; });
  std::vector<Found> ordered;
  ordered.reserve(found.size());
  for (const auto& [key, at] : keys) ordered.push_back(std::move(found[at]));
  return ordered;
}

wire::Document IndexScan::key_of(const wire::Document& document) const {
  if (natural_ != NaturalOrder::None) return {};
  const std::optional<wire::Document> key = first_key(document);
  return key ? index_.named(*key) : wire::Document();
}

}  // namespace emulator
