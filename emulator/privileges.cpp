#include "emulator/privileges.h"

#include <algorithm>
#include <vector>

namespace emulator {
namespace {

using Kind = Resource::Kind;

constexpr std::string_view buckets_prefix = "system.buckets.";

// local and config hold what the server keeps for itself: no grant on "any collection" speaks of them.
bool is_for_users(std::string_view db) { return db != "local" && db != "config"; }

bool is_normal(const Resource& target) {
  return !target.collection.starts_with("system.") &&
         !(target.db == "local" && target.collection.starts_with("replset."));
}

// The patterns that speak of a target (the server's buildResourceSearchList).
std::vector<Resource> patterns_of(const Resource& target) {
  std::vector<Resource> out{{Kind::Anything, {}, {}}, target};
  if (target.kind == Kind::Database && is_for_users(target.db)) out.push_back(Resource::any_normal());
  if (target.kind != Kind::Collection) return out;
  if (is_normal(target)) {
    if (is_for_users(target.db)) out.push_back(Resource::any_normal());
    out.push_back(Resource::database(target.db));
  } else if (target.collection.starts_with(buckets_prefix)) {
    out.push_back({Kind::AnyBuckets, {}, {}});
  }
  out.push_back({Kind::CollectionAnywhere, {}, target.collection});
  return out;
}

void append_resource(wire::DocumentBuilder& out, const Resource& resource) {
  out.begin_document("resource");
  if (resource.kind == Kind::Cluster)
    out.append_bool("cluster", true);
  else if (resource.kind == Kind::Anything)
    out.append_bool("anyResource", true);
  else if (resource.kind == Kind::AnyBuckets)
    out.append_string("system_buckets", "");
  else
    out.append_string("db", resource.db).append_string("collection", resource.collection);
  out.end();
}

}  // namespace

void Privileges::grant_all(const Privileges& others) {
  for (const auto& [resource, actions] : others.granted_) grant(resource, actions);
}

ActionSet Privileges::on(const Resource& target) const {
  ActionSet out;
  for (const Resource& pattern : patterns_of(target))
    if (const auto at = granted_.find(pattern); at != granted_.end()) out.add(at->second);
  return out;
}

bool Privileges::allow(const Resource& target, std::initializer_list<Action> actions) const {
  const ActionSet granted = on(target);
  return std::ranges::all_of(actions, [&](Action action) { return granted.has(action); });
}

bool Privileges::reach_database(std::string_view db) const {
  return std::ranges::any_of(granted_, [&](const auto& grant) {
    const Resource& resource = grant.first;
    if (resource.kind == Kind::Cluster) return false;
    return resource.db.empty() ? true : resource.db == db;
  });
}

bool Privileges::reach_collection(std::string_view db, std::string_view collection) const {
  return on(Resource::of(db, collection)).any();
}

void Privileges::append_to(wire::DocumentBuilder& out) const {
  for (const auto& [resource, actions] : granted_) {
    if (!actions.any()) continue;
    out.begin_document(out.item_name());
    append_resource(out, resource);
    out.begin_array("actions");
    const bool any = actions.has(Action::AnyAction);
    for (std::size_t i = 0; i < action_count; ++i) {
      const auto action = static_cast<Action>(i);
      if (any ? action == Action::AnyAction : actions.has(action))
        out.append_string(out.item_name(), action_name(action));
    }
    out.end().end();
  }
}

}  // namespace emulator
