// Who may run what only routers have, as rules of commands' rows. Elsewhere anybody may: the command says that it is not there.
#pragma once

#include <string_view>

#include "emulator/authorization.h"
#include "emulator/sharding.h"

namespace emulator {

// The collection or the database that the command's own field names in full; what names none is the command's to complain about.
inline Resource routed_target(const Request& request, Resource::Kind kind) {
  const wire::ValueView name = request.target();
  const std::string_view full = name.is(wire::Type::String) ? name.as_string() : std::string_view();
  if (kind == Resource::Kind::Database) return Resource::database(full);
  const std::size_t dot = full.find('.');
  return Resource::of(full.substr(0, dot), dot == std::string_view::npos ? std::string_view() : full.substr(dot + 1));
}

template <Action... actions>
bool on_routed_collection(const Context& context, const Request& request) {
  return !has_router(context.deployment) ||
         may(context, routed_target(request, Resource::Kind::Collection), {actions...});
}

template <Action... actions>
bool on_routed_database(const Context& context, const Request& request) {
  return !has_router(context.deployment) ||
         may(context, routed_target(request, Resource::Kind::Database), {actions...});
}

// The balancer's state is a document of config.
template <Action... actions>
bool on_balancer(const Context& context, const Request&) {
  return !has_router(context.deployment) || may(context, Resource::of("config", "settings"), {actions...});
}

template <Action... actions>
bool on_routers_cluster(const Context& context, const Request&) {
  return !has_router(context.deployment) || may(context, Resource::cluster(), {actions...});
}

}  // namespace emulator
