// All databases and their collections, by name. Knows no commands and no oplog.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "emulator/store/collection.h"

namespace emulator {

class Store {
 public:
  using Collections = std::map<std::string, std::unique_ptr<Collection>, std::less<>>;

  // nullptr when there is none.
  Collection* find(std::string_view db, std::string_view collection);
  const Collection* find(std::string_view db, std::string_view collection) const;
  Collection* find_uuid(const Uuid& uuid);
  // The collection must not exist.
  Collection& create(OplogNamespacePtr identity, wire::Document options);
  // One that stands under no name yet, and its being put there.
  std::unique_ptr<Collection> make(OplogNamespacePtr identity, wire::Document options);
  Collection& adopt(std::unique_ptr<Collection> collection);
  void drop(std::string_view db, std::string_view collection);
  // Moves it under its new identity's name; a collection standing there must have been dropped before.
  void rename(Collection& collection, OplogNamespacePtr to);

  // Whether a database is open: it had a collection and was not closed since. A mongod's dropDatabase goes by this, so that
  // a database whose collections were dropped one by one is still dropped with an oplog entry (measured on 6.0.5).
  bool is_open(std::string_view db) const { return open_databases_.contains(db); }
  void close(std::string_view db);

  // How many collections there ever were.
  std::uint64_t collections_made() const { return ledger_.collections; }

  // No database is empty.
  const std::map<std::string, Collections, std::less<>>& databases() const { return databases_; }
  // Bytes of all documents, old versions included: the bound --store-bytes is on this.
  std::size_t bytes() const { return ledger_.document_bytes; }

  // From now until its release somebody may read as of `time`: what is visible then is kept.
  void hold(wire::Timestamp time) { ledger_.readers.insert(time); }
  void release(wire::Timestamp time);
  wire::Timestamp oldest_reader() const { return ledger_.oldest_reader(); }
  // For reads of the past that nobody announced.
  History& history() { return ledger_.history; }
  const History& history() const { return ledger_.history; }

 private:
  Ledger ledger_;  // before the collections, which refer to it
  std::map<std::string, Collections, std::less<>> databases_;
  std::set<std::string, std::less<>> open_databases_;
  std::map<Uuid, Collection*> by_uuid_;
};

}  // namespace emulator
