#include "emulator/legacy_request.h"

#include <cstdlib>
#include <limits>

#include "emulator/command_error.h"
#include "emulator/commands/table.h"
#include "emulator/dispatch.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

using wire::Type;

constexpr std::string_view removal =
    " The client driver may require an upgrade. For more details see "
    "https://dochub.mongodb.org/core/legacy-opcode-removal";

[[noreturn]] void no_longer_supported(std::string_view opcode) {
  throw CommandError(code::unsupported_legacy_opcode,
                     std::string(opcode) + " is no longer supported." + std::string(removal));
}

struct Target {
  std::string_view db;
  std::string_view collection;
};

Target target_of(std::string_view ns) {
  const std::size_t dot = ns.find('.');
  const std::string_view db = ns.substr(0, dot);
  if (db.empty() || dot == std::string_view::npos || dot + 1 == ns.size() ||
      db.find_first_of("/\\ \"") != std::string_view::npos)
    throw CommandError(code::invalid_namespace, "Invalid ns [" + std::string(ns) + "]");
  return {db, ns.substr(dot + 1)};
}

// A filter may come wrapped, with what else the query wants beside it. The name without $ wins, as in mongod.
wire::ValueView wrapped_query(wire::DocumentView query) {
  for (const std::string_view name : {"query", "$query"})
    if (const wire::ValueView value = query[name]; value.is(Type::Document)) return value;
  return {};
}

void append_order(wire::DocumentBuilder& out, wire::ValueView order) {
  if (!order.is(Type::Document) && !order.is(Type::Array))
    throw CommandError(code::bad_value, "Can't canonicalize query :: caused by :: sort must be object or array");
  out.append_document("sort", order.as_document());
}

// What stands beside the wrapped filter; what mongod does not know it passes over.
void append_wrapper(wire::DocumentBuilder& out, wire::DocumentView query) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {{"$hint", "hint"},
                                                                            {"$min", "min"},
                                                                            {"$max", "max"},
                                                                            {"$returnKey", "returnKey"},
                                                                            {"$maxTimeMS", "maxTimeMS"},
                                                                            {"$showDiskLoc", "showRecordId"},
                                                                            {"$comment", "comment"},
                                                                            {"$readPreference", "$readPreference"}};
  for (const auto& [name, value] : query) {
    if (name == "$orderby" || name == "orderby") append_order(out, value);
    for (const auto& [legacy, field] : names)
      if (name == legacy) out.append(field, value);
  }
}

// numberToReturn: 0 the usual first batch; 1 and negative ones a limit, and no cursor; others the size of a batch.
void append_count(wire::DocumentBuilder& out, std::int32_t number_to_return) {
  if (number_to_return == std::numeric_limits<std::int32_t>::min())
    throw CommandError(code::bad_value, "Can't canonicalize query :: caused by :: bad ntoreturn value in query");
  if (number_to_return == 0) return;
  const std::int32_t count = std::abs(number_to_return);
  out.append_int32("batchSize", count);
  if (number_to_return <= 1) out.append_int32("limit", count).append_bool("singleBatch", true);
}

void append_flags(wire::DocumentBuilder& out, const wire::OpQuery& query) {
  using Flag = wire::OpQueryFlag;
  static constexpr std::pair<Flag, std::string_view> names[] = {{Flag::TailableCursor, "tailable"},
                                                                {Flag::AwaitData, "awaitData"},
                                                                {Flag::OplogReplay, "oplogReplay"},
                                                                {Flag::NoCursorTimeout, "noCursorTimeout"},
                                                                {Flag::Partial, "allowPartialResults"}};
  for (const auto& [flag, name] : names)
    if (query.has(flag)) out.append_bool(name, true);
}

void append_find(wire::DocumentBuilder& out, const wire::OpQuery& query, std::string_view collection) {
  const wire::ValueView wrapped = wrapped_query(query.query);
  out.append_string("find", collection);
  out.append_document("filter", wrapped ? wrapped.as_document() : query.query);
  if (query.fields && !query.fields->empty()) out.append_document("projection", *query.fields);
  if (query.skip != 0) out.append_int32("skip", query.skip);
  append_count(out, query.number_to_return);
  append_flags(out, query);
  if (wrapped) append_wrapper(out, query.query);
  if (query.has(wire::OpQueryFlag::SecondaryOk) && !query.query.has("$readPreference"))
    out.begin_document("$readPreference").append_string("mode", "secondaryPreferred").end();
}

wire::Document find_command(const wire::OpQuery& query, std::string_view collection) {
  wire::DocumentBuilder find;
  append_find(find, query, collection);
  if (!wrapped_query(query.query) || !query.query["$explain"].is(Type::Bool) || !query.query["$explain"].as_bool())
    return find.finish();
  wire::DocumentBuilder explain;
  explain.append_document("explain", find.view()).append_string("verbosity", "allPlansExecution");
  return explain.finish();
}

wire::Document command_of(const wire::OpGetMore& more, std::string_view collection) {
  if (more.number_to_return < 0) throw wire::Malformed("OP_GET_MORE with a negative numberToReturn");
  wire::DocumentBuilder out;
  out.append_int64("getMore", more.cursor_id).append_string("collection", collection);
  if (more.number_to_return > 0) out.append_int32("batchSize", more.number_to_return);
  return out.finish();
}

wire::Document command_of(const wire::OpInsert& insert, std::string_view collection) {
  constexpr std::uint32_t continue_on_error = 1;
  wire::DocumentBuilder out;
  out.append_string("insert", collection).begin_array("documents");
  for (const wire::DocumentView document : insert.documents) out.append_document(out.item_name(), document);
  out.end().append_bool("ordered", (insert.flags & continue_on_error) == 0);
  return out.finish();
}

wire::Document command_of(const wire::OpUpdate& update, std::string_view collection) {
  constexpr std::uint32_t upsert = 1;
  constexpr std::uint32_t multi = 2;
  wire::DocumentBuilder out;
  out.append_string("update", collection).begin_array("updates").begin_document("0");
  out.append_document("q", update.selector).append_document("u", update.update);
  out.append_bool("upsert", (update.flags & upsert) != 0).append_bool("multi", (update.flags & multi) != 0);
  out.end().end();
  return out.finish();
}

wire::Document command_of(const wire::OpDelete& remove, std::string_view collection) {
  constexpr std::uint32_t single = 1;
  wire::DocumentBuilder out;
  out.append_string("delete", collection).begin_array("deletes").begin_document("0");
  out.append_document("q", remove.selector).append_int32("limit", (remove.flags & single) != 0 ? 1 : 0).end().end();
  return out.finish();
}

wire::Document command_of(const wire::OpKillCursors& kill) {
  wire::DocumentBuilder out;
  out.append_string("killCursors", "").begin_array("cursors");
  for (const std::int64_t id : kill.cursor_ids) out.append_int64(out.item_name(), id);
  out.end();
  return out.finish();
}

void take(Exchange& exchange, std::string_view db, wire::Document command) {
  exchange.translated = std::move(command);
  exchange.request.db = db;
  exchange.request.body = exchange.translated;
}

// A command, as it is or wrapped by an old driver because of its read preference.
void read_command(Exchange& exchange, const wire::OpQuery& query, std::string_view db, const Profile& profile) {
  Request& request = exchange.request;
  request.legacy = Legacy::Command;
  request.db = db;
  request.body = query.query;
  for (const std::string_view wrapper : {"$query", "query"})
    if (request.body.first().name == wrapper && request.body.first().value.is(Type::Document))
      request.body = request.body.first().value.as_document();
  if (query.number_to_return != 1 && query.number_to_return != -1)
    throw CommandError(16979, "Bad numberToReturn (" + std::to_string(query.number_to_return) +
                                  ") for $cmd type ns - can only be 1 or -1");
  if (speaks_legacy_opcodes(profile)) return;
  const std::string_view name = request.body.first().name;
  const CommandSpec* command = command_named(name, profile);
  if (command == nullptr || command->by_op_query == ByOpQuery::Refused)
    throw CommandError(352, "Unsupported OP_QUERY command: " + std::string(name) + "." + std::string(removal));
}

void read_query(Exchange& exchange, const wire::OpQuery& query, const Profile& profile) {
  constexpr std::string_view command_suffix = ".$cmd";
  exchange.request.legacy = Legacy::Query;
  if (query.collection.ends_with(command_suffix) && query.collection.find('.') != 0) {
    const std::string_view db = query.collection.substr(0, query.collection.size() - command_suffix.size());
    if (db.find('.') == std::string_view::npos) return read_command(exchange, query, db, profile);
  }
  if (!speaks_legacy_opcodes(profile)) no_longer_supported("OP_QUERY");
  const Target target = target_of(query.collection);
  take(exchange, target.db, find_command(query, target.collection));
  if (query.has(wire::OpQueryFlag::Exhaust)) exchange.request.exhaust = true;
}

void read_get_more(Exchange& exchange, const wire::OpGetMore& more, const Profile& profile) {
  exchange.request.legacy = Legacy::GetMore;
  if (!speaks_legacy_opcodes(profile)) no_longer_supported("OP_GET_MORE");
  const Target target = target_of(more.collection);
  take(exchange, target.db, command_of(more, target.collection));
  exchange.request.exhaust = exchange.repeat > 0;  // made by ask_for_more
}

// A write that has no reply; how it went, getLastError says.
template <class Write>
void read_write(Exchange& exchange, const Write& write) {
  exchange.request.legacy = Legacy::Write;
  const Target target = target_of(write.collection);
  take(exchange, target.db, command_of(write, target.collection));
}

}  // namespace

bool speaks_legacy_opcodes(const Profile& profile) {
  constexpr int last_legacy_wire_version = 13;  // 5.0
  return profile.max_wire_version <= last_legacy_wire_version;
}

void read_legacy_request(Exchange& exchange, const Profile& profile) {
  const wire::Operation& operation = exchange.message.operation;
  if (const auto* query = std::get_if<wire::OpQuery>(&operation)) return read_query(exchange, *query, profile);
  if (const auto* more = std::get_if<wire::OpGetMore>(&operation)) return read_get_more(exchange, *more, profile);
  if (!speaks_legacy_opcodes(profile)) throw wire::Malformed("an opcode that this server does not speak");
  if (const auto* insert = std::get_if<wire::OpInsert>(&operation)) return read_write(exchange, *insert);
  if (const auto* update = std::get_if<wire::OpUpdate>(&operation)) return read_write(exchange, *update);
  if (const auto* remove = std::get_if<wire::OpDelete>(&operation)) return read_write(exchange, *remove);
  const auto* kill = std::get_if<wire::OpKillCursors>(&operation);
  if (kill == nullptr) throw wire::Malformed("an opcode that no client sends");
  exchange.request.legacy = Legacy::KillCursors;
  take(exchange, "admin", command_of(*kill));
}

void ask_for_more(wire::Message& message, std::int64_t cursor) {
  const auto* query = std::get_if<wire::OpQuery>(&message.operation);
  if (query == nullptr) return;
  message.operation = wire::OpGetMore{.collection = query->collection, .number_to_return = 0, .cursor_id = cursor};
}

}  // namespace emulator
