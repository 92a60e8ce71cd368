#include "tests/golden/legacy_message.h"

#include <array>
#include <cstdlib>
#include <span>

#include "tests/golden/normaliser.h"
#include "tests/golden/references.h"

namespace golden {
namespace {

using wire::DocumentView;
using wire::Type;

template <class Number>
void append(std::string& out, Number value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append(std::string& out, DocumentView document) {
  out.append(reinterpret_cast<const char*>(document.data()), document.size());
}

void append_namespace(std::string& out, DocumentView step) { out.append(step["ns"].as_string()).push_back('\0'); }

std::int64_t number_or_zero(wire::ValueView value) { return value ? integer(value) : 0; }

struct Flag {
  std::string_view name;
  int bit;
};

// `flags` is a list of names, or the bits themselves.
std::int32_t bits(DocumentView step, std::span<const Flag> flags) {
  const wire::ValueView value = step["flags"];
  if (!value) return 0;
  if (!value.is(Type::Array)) return static_cast<std::int32_t>(integer(value));
  std::int32_t out = 0;
  for (const auto& [index, name] : value.as_document())
    for (const Flag& flag : flags)
      if (flag.name == name.as_string()) out |= 1 << flag.bit;
  return out;
}

std::string query(DocumentView step) {
  static constexpr Flag flags[] = {{"tailable", 1},  {"slaveOk", 2}, {"oplogReplay", 3}, {"noCursorTimeout", 4},
                                   {"awaitData", 5}, {"exhaust", 6}, {"partial", 7}};
  std::string out;
  append(out, bits(step, flags));
  append_namespace(out, step);
  append(out, static_cast<std::int32_t>(number_or_zero(step["skip"])));
  append(out, static_cast<std::int32_t>(number_or_zero(step["numberToReturn"])));
  append(out, step["query"].as_document());
  if (step.has("fields")) append(out, step["fields"].as_document());
  return out;
}

std::string get_more(DocumentView step) {
  std::string out;
  append(out, std::int32_t{0});
  append_namespace(out, step);
  append(out, static_cast<std::int32_t>(number_or_zero(step["numberToReturn"])));
  append(out, integer(step["cursorID"]));
  return out;
}

std::string kill_cursors(DocumentView step) {
  const DocumentView ids = step["cursorIDs"].as_document();
  std::string out;
  append(out, std::int32_t{0});
  append(out, static_cast<std::int32_t>(ids.count()));
  for (const auto& [index, id] : ids) append(out, integer(id));
  return out;
}

std::string insert(DocumentView step) {
  static constexpr Flag flags[] = {{"continueOnError", 0}};
  std::string out;
  append(out, bits(step, flags));
  append_namespace(out, step);
  for (const auto& [index, document] : step["documents"].as_document()) append(out, document.as_document());
  return out;
}

std::string update(DocumentView step) {
  static constexpr Flag flags[] = {{"upsert", 0}, {"multi", 1}};
  std::string out;
  append(out, std::int32_t{0});
  append_namespace(out, step);
  append(out, bits(step, flags));
  append(out, step["query"].as_document());
  append(out, step["update"].as_document());
  return out;
}

std::string remove(DocumentView step) {
  static constexpr Flag flags[] = {{"single", 0}};
  std::string out;
  append(out, std::int32_t{0});
  append_namespace(out, step);
  append(out, bits(step, flags));
  append(out, step["query"].as_document());
  return out;
}

std::string old_text(DocumentView step) { return std::string(step["text"].as_string()) + '\0'; }

struct Kind {
  std::string_view name;
  std::int32_t opcode;
  std::string (*body)(DocumentView step);
};

constexpr Kind kinds[] = {
    {"OP_QUERY", 2004, query},     {"OP_GET_MORE", 2005, get_more}, {"OP_KILL_CURSORS", 2007, kill_cursors},
    {"OP_INSERT", 2002, insert},   {"OP_UPDATE", 2001, update},     {"OP_DELETE", 2006, remove},
    {"OP_MSG_OLD", 1000, old_text}};

}  // namespace

LegacyMessage legacy_message(DocumentView step) {
  for (const Kind& kind : kinds)
    if (kind.name == step["legacy"].as_string()) return {.opcode = kind.opcode, .body = kind.body(step)};
  throw CaseError("a legacy message of a kind that this runner does not know");
}

bool has_reply(std::string_view kind) { return kind == "OP_QUERY" || kind == "OP_GET_MORE"; }

DocumentView legacy_command(DocumentView step) {
  const wire::ValueView ns = step["ns"];
  if (!ns || !ns.as_string().ends_with(".$cmd") || !step.has("query")) return {};
  return step["query"].as_document();
}

Json op_reply_head(const OpReplyFields& fields) {
  static constexpr std::array names{"cursorNotFound", "queryFailure", "shardConfigStale", "awaitCapable"};
  Json flags = Json::array();
  for (std::size_t bit = 0; bit < names.size(); ++bit)
    if ((fields.flags >> bit & 1U) != 0) flags.push_back(names[bit]);
  constexpr std::int64_t large_id_min = std::int64_t{1} << 31;
  const bool is_chance = std::abs(fields.cursor_id) > large_id_min;
  return {{"responseFlags", std::move(flags)},
          {"cursorID",
           is_chance ? volatile_leaf("cursorId", fields.cursor_id) : plain(wire::Value::int64(fields.cursor_id))},
          {"startingFrom", fields.starting_from},
          {"numberReturned", fields.number_returned}};
}

wire::Document seen_reply(const Reply& reply) {
  wire::DocumentBuilder out;
  out.append_int64("cursorID", reply.op_reply ? reply.op_reply->cursor_id : 0).begin_array("documents");
  for (const wire::Document& document : reply.documents) out.append_document(out.item_name(), document);
  out.end();
  return out.finish();
}

}  // namespace golden
