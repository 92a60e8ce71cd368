#include "emulator/user_fields.h"

#include <algorithm>

#include "emulator/authorization.h"
#include "emulator/error_codes.h"
#include "emulator/saslprep.h"
#include "emulator/update_statement.h"
#include "emulator/write.h"
#include "wire/base64.h"

namespace emulator {
namespace {

std::string_view role_field(wire::DocumentView role, std::string_view field) {
  const wire::ValueView value = role[field];
  if (value.missing())
    throw CommandError(code::bad_value, "RoleName must contain a field named: " + std::string(field));
  if (!value.is(wire::Type::String))
    throw CommandError(code::bad_value, "RoleName must contain a string field named: " + std::string(field));
  return value.as_string();
}

RoleName read_role(wire::ValueView value, std::string_view db) {
  if (value.is(wire::Type::String)) return {std::string(value.as_string()), std::string(db)};
  if (!value.is(wire::Type::Document))
    throw CommandError(code::bad_value, "Role name must be either a document or string");
  const wire::DocumentView role = value.as_document();
  return {std::string(role_field(role, "role")), std::string(role_field(role, "db"))};
}

std::string base64(std::string_view bytes) {
  return wire::to_base64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

void append_scram(wire::DocumentBuilder& out, const ScramCredentials& credentials, ScramHash hash) {
  out.begin_document(mechanism_name(hash)).append_int32("iterationCount", credentials.iterations);
  out.append_string("salt", base64(credentials.salt)).append_string("storedKey", base64(credentials.stored_key));
  out.append_string("serverKey", base64(credentials.server_key)).end();
}

RecordId record_of(const Collection& users, const UserName& name, const ReadView& view) {
  return users.record_of_id(wire::Value::string(user_id(name)), view).value_or(0);
}

void throw_if(Failure failure) {
  if (failure) throw *failure;
}

constexpr int role_not_found = 31;

}  // namespace

std::vector<RoleName> read_roles(wire::DocumentView array, std::string_view db) {
  std::vector<RoleName> out;
  for (const wire::Element& element : array) {
    RoleName role = read_role(element.value, db);
    if (std::ranges::find(out, role) == out.end()) out.push_back(std::move(role));
  }
  for (const RoleName& role : out)
    if (!is_builtin_role(role)) throw CommandError(role_not_found, "Could not find role: " + role_text(role));
  return out;
}

std::vector<ScramHash> read_mechanisms(const Arguments& arguments) {
  const std::optional<wire::DocumentView> asked = arguments.array("mechanisms");
  std::vector<ScramHash> out{ScramHash::Sha1, ScramHash::Sha256};
  if (asked) {
    if (asked->empty()) throw CommandError(code::bad_value, "mechanisms field must not be empty");
    std::vector<ScramHash> named;
    for (const wire::Element& element : *asked) {
      const std::string name(element.value.is(wire::Type::String) ? element.value.as_string() : "");
      const std::optional<ScramHash> hash = scram_mechanism(name);
      if (!hash) throw CommandError(code::bad_value, "Unknown auth mechanism '" + name + "'");
      named.push_back(*hash);
    }
    std::erase_if(out, [&](ScramHash hash) { return std::ranges::find(named, hash) == named.end(); });
  }
  const bool digested = !arguments.boolean("digestPassword", true);
  if (digested && out.back() == ScramHash::Sha256)
    throw CommandError(code::bad_value, "Use of SCRAM-SHA-256 requires undigested passwords");
  return out;
}

UserName read_user_name(const Context& context, const Arguments& arguments, std::string_view field) {
  const std::string user(arguments.text(field).value_or(""));
  if (user.find('\0') != std::string::npos)
    throw CommandError(code::invalid_namespace, "namespaces cannot have embedded null characters");
  return {user, std::string(context.request.db)};
}

void append_credentials(wire::DocumentBuilder& out, Deployment& deployment, const UserName& name,
                        std::string_view password, const Arguments& arguments) {
  const bool digested = !arguments.boolean("digestPassword", true);
  out.begin_document("credentials");
  for (const ScramHash hash : read_mechanisms(arguments)) {
    std::string prepared(password);
    if (hash == ScramHash::Sha256)
      prepared = saslprep(password);
    else if (!digested)
      prepared = mongo_password_digest(name.user, password);
    const std::string salt = deployment.secrets.bytes(salt_bytes(hash));
    append_scram(out, make_scram_credentials(hash, prepared, salt, default_iterations(hash)), hash);
  }
  out.end();
}

void append_roles(wire::DocumentBuilder& out, const std::vector<RoleName>& roles) {
  out.begin_array("roles");
  for (const RoleName& role : roles) append_role(out, role);
  out.end();
}

void refuse_restrictions(const Arguments& arguments) {
  const std::optional<wire::DocumentView> restrictions = arguments.array("authenticationRestrictions");
  if (restrictions && !restrictions->empty()) not_built("users' authenticationRestrictions");
}

void update_user(Context& context, const UserName& name, wire::DocumentView modifiers) {
  Writer writer(context);
  Collection& users = *context.deployment.store.find("admin", users_collection);
  const RecordId record = record_of(users, name, writer.view());
  const Update update = parse_update(context, wire::Value::document(modifiers), {});
  UpdateResult result = update.apply(users.read(record, writer.view()));
  if (result.kind != UpdateResult::Kind::NoOp)
    throw_if(writer.update(users, record, std::move(result.post), std::move(result.oplog_o)));
  context.exchange.operation_time = writer.last_time();
}

void remove_user(Context& context, const UserName& name) {
  Writer writer(context);
  Collection& users = *context.deployment.store.find("admin", users_collection);
  throw_if(writer.remove(users, record_of(users, name, writer.view())));
  context.exchange.operation_time = writer.last_time();
}

bool may_on_roles(const Context& context, const Request& request, Action action) {
  const wire::ValueView roles = request["roles"];
  if (!roles.is(wire::Type::Array)) return true;
  return std::ranges::all_of(roles.as_document(), [&](const wire::Element& element) {
    std::string_view db = request.db;
    if (element.value.is(wire::Type::Document)) {
      const wire::ValueView other = element.value.as_document()["db"];
      if (other.is(wire::Type::String)) db = other.as_string();
    }
    return may(context, Resource::database(db), {action});
  });
}

}  // namespace emulator
