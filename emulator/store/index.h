// A secondary index: its specification, and the keys of documents where it is unique. Knows no versions and no readers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/store/id_index.h"
#include "wire/compare.h"
#include "wire/document.h"

namespace emulator {

class Collation;
struct OplogNamespace;

struct IndexSpec {
  std::string name;
  wire::Document key;   // {a: 1, b: -1}
  wire::Document spec;  // as listIndexes shows it: {v: 2, key, name, …}
  bool unique = false;
  bool sparse = false;
  std::shared_ptr<const Collation> collation;      // nullptr: the simple one
  std::function<bool(wire::DocumentView)> covers;  // partialFilterExpression; empty: every document

  // Reads a spec as listIndexes shows it, but for the filter.
  explicit IndexSpec(wire::Document document);
  IndexSpec() = default;
};

class Index {
 public:
  explicit Index(IndexSpec its_spec, std::shared_ptr<const OplogNamespace> made_in = nullptr)
      : spec_(std::move(its_spec)), made_in_(std::move(made_in)) {}

  const IndexSpec& spec() const { return spec_; }
  void set_document(wire::Document document) { spec_.spec = std::move(document); }

  // Its collection as it was called when the index was made; nullptr: as it is called.
  const OplogNamespace* made_in() const { return made_in_.get(); }
  // When its build was committed: snapshots from before do not have it.
  wire::Timestamp ready_since() const { return ready_since_; }
  void set_ready_since(wire::Timestamp time) { ready_since_ = time; }

  // The document's keys, each a document of nameless fields; more than one where a path leads through an array. Throws
  // CommandError 171 for parallel arrays. Missing is null; an empty array is undefined.
  std::vector<wire::Document> keys(wire::DocumentView document) const;
  // The key with the names of the pattern: what keyValue shows.
  wire::Document named(wire::DocumentView key) const;

  void enter(const wire::Document& key, RecordId record) { records_.emplace(wire::Value::document(key), record); }
  void leave(const wire::Document& key, RecordId record);
  // Calls visit(record) for each record of that key while it returns true.
  template <class Visit>
  void each(const wire::Document& key, Visit&& visit) const {
    auto [from, to] = records_.equal_range(wire::Value::document(key));
    for (; from != to; ++from)
      if (!visit(from->second)) return;
  }
  void clear() { records_.clear(); }

 private:
  IndexSpec spec_;
  std::shared_ptr<const OplogNamespace> made_in_;
  wire::Timestamp ready_since_{};
  std::unordered_multimap<wire::Value, RecordId, wire::ValueHash, wire::ValueEqual> records_;  // empty unless unique
};

// Whether two of the paths lead through different arrays: such a document has no key, of an index or to sort by.
bool has_parallel_arrays(wire::DocumentView document, std::span<const std::string_view> paths);

// Whether one key is the other, nameless fields compared as MongoDB compares values.
inline bool same_key(const wire::Document& left, const wire::Document& right) {
  return wire::compare_documents_without_names(left, right) == 0;
}

}  // namespace emulator
