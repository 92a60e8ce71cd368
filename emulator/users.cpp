#include "emulator/users.h"

#include "emulator/store/store.h"
#include "wire/base64.h"

namespace emulator {
namespace {

const Collection* users_of(const Store& store) { return store.find("admin", users_collection); }

std::string text(wire::ValueView value) {
  return value.is(wire::Type::String) ? std::string(value.as_string()) : std::string();
}

wire::DocumentView object(wire::ValueView value) {
  return value.is(wire::Type::Document) ? value.as_document() : wire::DocumentView();
}

}  // namespace

std::string user_text(const UserName& name) { return name.user + "@" + name.db; }

std::string user_id(const UserName& name) { return name.db + "." + name.user; }

UserName name_of(wire::DocumentView user) { return {text(user["user"]), text(user["db"])}; }

std::vector<RoleName> roles_of(wire::DocumentView user) {
  std::vector<RoleName> out;
  const wire::ValueView roles = user["roles"];
  if (!roles.is(wire::Type::Array)) return out;
  for (const wire::Element& element : roles.as_document()) {
    const wire::DocumentView role = object(element.value);
    out.push_back({text(role["role"]), text(role["db"])});
  }
  return out;
}

std::optional<ScramCredentials> credentials_of(wire::DocumentView user, ScramHash hash) {
  const wire::DocumentView stored = object(object(user["credentials"])[mechanism_name(hash)]);
  const auto salt = wire::from_base64(text(stored["salt"]));
  const auto stored_key = wire::from_base64(text(stored["storedKey"]));
  const auto server_key = wire::from_base64(text(stored["serverKey"]));
  const wire::ValueView iterations = stored["iterationCount"];
  const std::size_t key_bytes = hash == ScramHash::Sha1 ? 20 : 32;
  if (!salt || !stored_key || !server_key || !iterations.is(wire::Type::Int32)) return std::nullopt;
  if (stored_key->size() != key_bytes || server_key->size() != key_bytes) return std::nullopt;
  return ScramCredentials{iterations.as_int32(), *salt, *stored_key, *server_key};
}

std::vector<std::string> mechanisms_of(wire::DocumentView user) {
  std::vector<std::string> out;
  for (const wire::Element& element : object(user["credentials"])) out.emplace_back(element.name);
  return out;
}

wire::Document find_user(const Store& store, const UserName& name) {
  const Collection* users = users_of(store);
  if (users == nullptr) return {};
  return users->find_by_id(wire::Value::string(user_id(name)), {});
}

std::vector<wire::Document> all_users(const Store& store) {
  std::vector<wire::Document> out;
  if (const Collection* users = users_of(store))
    users->scan(0, {}, [&](RecordId, const wire::Document& user) {
      out.push_back(user);
      return true;
    });
  return out;
}

bool has_had_users(const Store& store) { return users_of(store) != nullptr; }

void append_role(wire::DocumentBuilder& out, const RoleName& role) {
  out.begin_document(out.item_name()).append_string("role", role.role).append_string("db", role.db).end();
}

}  // namespace emulator
