// Reading a collection by filter, sort, skip and limit. Knows no cursor and no command.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/context.h"
#include "emulator/store/collection.h"
#include "emulator/store/matcher.h"
#include "emulator/store/sort.h"

namespace emulator {

struct Found {
  RecordId record = 0;
  wire::Document document;
};

class IndexScan;

struct QueryOptions {
  std::int64_t skip = 0;
  std::int64_t limit = 0;         // 0: none
  const IndexScan* by = nullptr;  // the client's hint, if it gave one
};

// In the order of `sort`; where it has none, in record order; in the order of `_id` where the filter restricts it
// or the collection is clustered by it.
std::vector<Found> find_documents(const Collection& collection, const Matcher& filter, const SortPattern& sort,
                                  const ReadView& view, const QueryOptions& options = {});
std::int64_t count_documents(const Collection& collection, const Matcher& filter, const ReadView& view,
                             const QueryOptions& options);
// What the request's filter and expressions are compiled with: $$NOW, $$CLUSTER_TIME, its `let`, the profile.
MatchContext match_context(const Context& context, MatchPlace place);
// The same, comparing by `collation` (a command's or a statement's; missing: the collection's own).
MatchContext match_context(const Context& context, MatchPlace place, wire::ValueView collation,
                           const Collection* collection);

}  // namespace emulator
