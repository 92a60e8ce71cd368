// What a name stands for when it is read: a collection, a view, a time series, or one of the collections that are made up when read
// (local.oplog.rs, config.transactions, …). Knows no cursor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emulator/context.h"
#include "emulator/query.h"

namespace emulator {

class Readable {
 public:
  // Resolves the name for the request: as its transaction and its member see it. Reading throws 160 for a cycle of views.
  Readable(const Context& context, std::string_view db, std::string_view collection, int view_depth = 0);

  // False: reads give nothing.
  bool exists() const { return collection_ != nullptr || is_virtual(); }
  // nullptr for views and made-up ones.
  const Collection* collection() const { return view_on_ ? nullptr : collection_; }
  // A view or a time-series collection: an aggregate reads it.
  bool is_view() const { return view_on_; }
  bool is_oplog() const { return kind_ == Kind::Oplog; }
  bool is_virtual() const { return kind_ != Kind::Stored; }

  std::vector<Found> find(const Matcher& filter, const SortPattern& sort, const QueryOptions& options) const;
  std::int64_t count(const Matcher& filter, const QueryOptions& options) const;
  // All of it, in natural order or by `by`.
  std::vector<wire::Document> all(const IndexScan* by = nullptr) const;

 private:
  enum class Kind { Stored, Oplog, Made };
  std::vector<wire::Document> made() const;
  std::vector<Found> find_in_oplog(const Matcher& filter, const QueryOptions& options) const;
  std::vector<wire::Document> view_results() const;
  std::vector<wire::Document> measurements() const;

  const Context& context_;
  std::string db_;
  std::string name_;
  Kind kind_ = Kind::Stored;
  const Collection* collection_ = nullptr;
  bool view_on_ = false;
  int view_depth_ = 0;
};

// The least `ts` that the filter asks for; Timestamp(0,0): it asks for none. Where a find on the oplog begins.
wire::Timestamp lowest_time(wire::DocumentView filter);

}  // namespace emulator
