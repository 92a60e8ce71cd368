#include <algorithm>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("cursors")};

void append_ids(wire::DocumentBuilder& out, std::string_view name, const std::vector<std::int64_t>& ids) {
  out.begin_array(name);
  for (const std::int64_t id : ids) out.append_int64(out.item_name(), id);
  out.end();
}

// KillCursorsRequest::parseFromBSON up to 4.4.
std::vector<std::int64_t> cursor_ids_by_hand(const Request& request) {
  const wire::ValueView cursors = request["cursors"];
  if (!cursors.is(wire::Type::Array))
    throw CommandError(code::failed_to_parse, "Field 'cursors' must be of type array in: " + bson_text(request.body));
  std::vector<std::int64_t> ids;
  for (const wire::Element& element : cursors.as_document()) {
    if (!element.value.is(wire::Type::Int64))
      throw CommandError(code::failed_to_parse,
                         "Field 'cursors' contains an element that is not of type long: " + bson_text(element));
    ids.push_back(element.value.as_int64());
  }
  if (ids.empty())
    throw CommandError(code::bad_value, "Must specify at least one cursor id in: " + bson_text(request.body));
  return ids;
}

std::vector<std::int64_t> cursor_ids(const Request& request) {
  const wire::ValueView cursors = request["cursors"];
  if (cursors.missing())
    throw CommandError(code::missing_field, "BSON field 'killCursors.cursors' is missing but a required field");
  if (!cursors.is(wire::Type::Array))
    throw CommandError(code::type_mismatch, "BSON field 'killCursors.cursors' is the wrong type '" +
                                                std::string(wire::type_name(cursors.type())) +
                                                "', expected type 'array'");
  std::vector<std::int64_t> ids;
  for (const wire::Element& element : cursors.as_document()) {
    if (!element.value.is(wire::Type::Int64))
      throw CommandError(code::type_mismatch,
                         "BSON field 'killCursors.cursors." + std::string(element.name) + "' is the wrong type '" +
                             std::string(wire::type_name(element.value.type())) + "', expected type 'long'");
    ids.push_back(element.value.as_int64());
  }
  return ids;
}

Outcome run(Context& context) {
  const std::vector<std::int64_t> asked =
      context.profile().wording <= Wording::V4_4 ? cursor_ids_by_hand(context.request) : cursor_ids(context.request);
  Deployment& deployment = context.deployment;
  std::vector<std::int64_t> killed;
  std::vector<std::int64_t> not_found;
  for (const std::int64_t id : asked) {
    const Cursor* cursor = deployment.cursors.find(id);
    (cursor == nullptr ? not_found : killed).push_back(id);
    if (cursor == nullptr) continue;
    if (cursor->pinned_by != 0) deployment.touch(TouchedCursor{id, code::cursor_killed});
    deployment.cursors.remove(id);
  }
  append_ids(context.reply, "cursorsKilled", killed);
  append_ids(context.reply, "cursorsNotFound", not_found);
  append_ids(context.reply, "cursorsAlive", {});
  append_ids(context.reply, "cursorsUnknown", {});
  return Replied{};
}

// One's own cursors, and those that are gone.
bool authorized(const Context& context, const Request& request) {
  const Resource collection = target_collection(request);
  return std::ranges::all_of(cursor_ids(request), [&](std::int64_t id) {
    const Cursor* cursor = context.deployment.cursors.find(id);
    return cursor == nullptr || cursor->user == current_user(context) ||
           may(context, Resource::cluster(), {Action::KillAnyCursor}) ||
           may(context, collection, {Action::KillAnyCursor});
  });
}

}  // namespace

extern constinit const CommandSpec kill_cursors_command{
    .name = "killCursors",
    .in_transaction = InTransaction::Allowed,
    .api_version_1 = ApiVersion1::Yes,
    .fields = fields,
    .authorized = authorized,
    .run = run,
    .help = "Frees cursors; a getMore that waits on one ends with 237."};

}  // namespace emulator
