// What somebody may do where: actions on resources, and mongod's rule for which privileges speak of a namespace. Knows no users.
#pragma once

#include <compare>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "emulator/action.h"
#include "wire/document.h"

namespace emulator {

// A resource as a privilege names it, and as a command asks for it.
struct Resource {
  // AnyNormal: every collection that is no system's, outside local and config. AnyBuckets: buckets of time series.
  enum class Kind { Cluster, Anything, AnyNormal, AnyBuckets, Database, CollectionAnywhere, Collection };
  Kind kind = Kind::Cluster;
  std::string db;
  std::string collection;

  static Resource cluster() { return {}; }
  static Resource any_normal() { return {Kind::AnyNormal, {}, {}}; }
  static Resource database(std::string_view db) { return {Kind::Database, std::string(db), {}}; }
  static Resource of(std::string_view db, std::string_view collection) {
    return {Kind::Collection, std::string(db), std::string(collection)};
  }
  auto operator<=>(const Resource&) const = default;
};

class Privileges {
 public:
  void grant(const Resource& resource, const ActionSet& actions) { granted_[resource].add(actions); }
  void grant_all(const Privileges& others);
  bool allow(const Resource& target, std::initializer_list<Action> actions) const;
  // Whether there is anything that may be done in the database, or with the collection.
  bool reach_database(std::string_view db) const;
  bool reach_collection(std::string_view db, std::string_view collection) const;
  // Writes an item each, {resource, actions}, into the open array.
  void append_to(wire::DocumentBuilder& out) const;

 private:
  // All that is granted by patterns that the target falls under.
  ActionSet on(const Resource& target) const;
  std::map<Resource, ActionSet> granted_;
};

}  // namespace emulator
