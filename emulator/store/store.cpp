#include "emulator/store/store.h"

#include <cassert>

namespace emulator {

const Collection* Store::find(std::string_view db, std::string_view collection) const {
  const auto database = databases_.find(db);
  if (database == databases_.end()) return nullptr;
  const auto found = database->second.find(collection);
  return found == database->second.end() ? nullptr : found->second.get();
}

Collection* Store::find(std::string_view db, std::string_view collection) {
  return const_cast<Collection*>(std::as_const(*this).find(db, collection));
}

Collection* Store::find_uuid(const Uuid& uuid) {
  const auto found = by_uuid_.find(uuid);
  return found == by_uuid_.end() ? nullptr : found->second;
}

std::unique_ptr<Collection> Store::make(OplogNamespacePtr identity, wire::Document options) {
  return std::make_unique<Collection>(std::move(identity), std::move(options), ledger_);
}

Collection& Store::adopt(std::unique_ptr<Collection> collection) {
  const OplogNamespace& identity = *collection->identity();
  assert(find(identity.db, identity.collection) == nullptr);
  by_uuid_[identity.uuid] = collection.get();
  open_databases_.insert(identity.db);
  return *(databases_[identity.db][identity.collection] = std::move(collection));
}

Collection& Store::create(OplogNamespacePtr identity, wire::Document options) {
  return adopt(make(std::move(identity), std::move(options)));
}

void Store::drop(std::string_view db, std::string_view collection) {
  const auto database = databases_.find(db);
  if (database == databases_.end()) return;
  const auto found = database->second.find(collection);
  if (found == database->second.end()) return;
  by_uuid_.erase(found->second->uuid());
  database->second.erase(found);
  if (database->second.empty()) databases_.erase(database);
}

void Store::rename(Collection& collection, OplogNamespacePtr to) {
  assert(find(to->db, to->collection) == nullptr);
  const OplogNamespacePtr from = collection.identity();
  auto database = databases_.find(from->db);
  auto node = database->second.extract(from->collection);
  node.key() = to->collection;
  if (database->second.empty()) databases_.erase(database);
  databases_[to->db].insert(std::move(node));
  open_databases_.insert(to->db);
  collection.rename(std::move(to));
}

void Store::close(std::string_view db) {
  if (const auto found = open_databases_.find(db); found != open_databases_.end()) open_databases_.erase(found);
}

void Store::release(wire::Timestamp time) {
  const wire::Timestamp before = ledger_.oldest_reader();
  const auto found = ledger_.readers.find(time);
  if (found != ledger_.readers.end()) ledger_.readers.erase(found);
  if (ledger_.oldest_reader() == before) return;
  for (auto& [db, collections] : databases_)
    for (auto& [name, collection] : collections) collection->trim();
}

}  // namespace emulator
