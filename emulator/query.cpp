#include "emulator/query.h"

#include <algorithm>

#include "emulator/collation.h"
#include "emulator/deployment.h"
#include "emulator/index_scan.h"
#include "emulator/store/match_node.h"
#include "wire/compare.h"

namespace emulator {
namespace {

// Calls visit(record, document) for each match in record order while it returns true.
template <class Visit>
void each_match(const Collection& collection, const Matcher& filter, const ReadView& view, Visit&& visit) {
  if (const std::optional<wire::ValueView> id = filter.id_equality()) {
    const std::optional<RecordId> record = collection.record_of_id(*id, view);
    if (!record) return;
    const wire::Document document = collection.read(*record, view);
    if (filter.is_id_only() || filter.matches(document)) visit(*record, document);
    return;
  }
  const bool everything = filter.empty();
  collection.scan(0, view, [&](RecordId record, const wire::Document& document) {
    if (!everything && !filter.matches(document)) return true;
    return visit(record, document);
  });
}

void order(std::vector<Found>& found, const SortPattern& sort) {
  if (sort.natural() == NaturalOrder::Backward) {
    std::ranges::reverse(found);
    return;
  }
  if (sort.empty() || sort.natural() != NaturalOrder::None) return;
  std::vector<std::pair<std::vector<wire::Value>, std::size_t>> keys;
  keys.reserve(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) keys.emplace_back(sort.key(found[i].document), i);
  std::ranges::stable_sort(
      keys, [&](const auto& left, const auto& right) { return sort.compare_keys(left.first, right.first) < 0; });
  std::vector<Found> ordered;
  ordered.reserve(found.size());
  for (const auto& [key, i] : keys) ordered.push_back(std::move(found[i]));
  found = std::move(ordered);
}

// Predicates whose bounds an index gives.
bool is_indexable(std::string_view name) {
  return name != "$size" && name != "$all" && name != "$elemMatch" && name != "$not" && !name.starts_with("$bits");
}

// Whether mongod walks the index of `_id`, and so finds in its order: a predicate on `_id` that every match must pass.
bool walks_id_index(wire::DocumentView filter) {
  for (const wire::Element& element : filter) {
    if (element.name == "$and" && element.value.is(wire::Type::Array))
      for (const wire::Element& each : element.value.as_document())
        if (each.value.is(wire::Type::Document) && walks_id_index(each.value.as_document())) return true;
    if (element.name != "_id") continue;
    if (!is_operators(element.value)) return true;
    for (const wire::Element& each : element.value.as_document())
      if (is_indexable(each.name)) return true;
  }
  return false;
}

}  // namespace

std::vector<Found> find_documents(const Collection& collection, const Matcher& filter, const SortPattern& sort,
                                  const ReadView& view, const QueryOptions& options) {
  std::vector<Found> found;
  const bool by_id =
      sort.natural() == NaturalOrder::None && (collection.clustered() || walks_id_index(filter.filter()));
  const bool streams =
      sort.natural() != NaturalOrder::Backward && (sort.empty() || sort.natural() == NaturalOrder::Forward) && !by_id;
  const auto wanted = static_cast<std::size_t>(options.skip) + static_cast<std::size_t>(options.limit);
  if (options.by != nullptr)
    found = options.by->find(collection, filter, view);
  else
    each_match(collection, filter, view, [&](RecordId record, const wire::Document& document) {
      found.push_back({record, document});
      return !streams || options.limit == 0 || found.size() < wanted;
    });
  if (by_id && options.by == nullptr)
    std::ranges::stable_sort(found, [](const Found& left, const Found& right) {
      return wire::compare_values(left.document["_id"], right.document["_id"]) < 0;
    });
  // What is looked up by its _id alone is one document: mongod does not sort it.
  if (!filter.id_equality() || !filter.is_id_only()) order(found, sort);
  const auto skipped = std::min(static_cast<std::size_t>(options.skip), found.size());
  found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(skipped));
  if (options.limit > 0 && found.size() > static_cast<std::size_t>(options.limit))
    found.resize(static_cast<std::size_t>(options.limit));
  return found;
}

std::int64_t count_documents(const Collection& collection, const Matcher& filter, const ReadView& view,
                             const QueryOptions& options) {
  std::int64_t count = 0;
  if (options.by != nullptr) {
    count = static_cast<std::int64_t>(options.by->find(collection, filter, view).size());
  } else if (filter.empty() && view.at == latest_time && view.own == 0) {
    count = collection.count();
  } else {
    each_match(collection, filter, view, [&](RecordId, const wire::Document&) { return ++count > 0; });
  }
  count = std::max<std::int64_t>(count - options.skip, 0);
  return options.limit > 0 ? std::min(count, options.limit) : count;
}

MatchContext match_context(const Context& context, MatchPlace place) {
  MatchContext match;
  match.place = place;
  match.expressions.now_ms = context.wall_ms();
  match.expressions.cluster_time = context.deployment.cluster_time();
  match.expressions.profile = &context.profile();
  match.expressions.random = &context.deployment.object_ids;
  match.expressions.command = &context;
  if (const wire::ValueView let = context.request["let"]; let.is(wire::Type::Document))
    match.expressions.let = evaluate_let(let.as_document(), match.expressions);
  return match;
}

MatchContext match_context(const Context& context, MatchPlace place, wire::ValueView collation,
                           const Collection* collection) {
  MatchContext match = match_context(context, place);
  match.expressions.collation = collation_for(collation, collection, context.profile().wording);
  return match;
}

}  // namespace emulator
