#include "emulator/legacy_reply.h"

#include "emulator/arguments.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

wire::OpReplyHead failure() {
  wire::OpReplyHead head;
  head.flags = static_cast<std::uint32_t>(wire::OpReplyFlag::QueryFailure);
  return head;
}

std::string_view text_of(wire::DocumentView document) {
  return {reinterpret_cast<const char*>(document.data()), document.size()};
}

// {$err, code, [ok]}: of OP_QUERY with ok, and where the opcodes are gone.
wire::Document error_document(const Exchange& exchange) {
  const wire::DocumentView reply = exchange.reply_document();
  wire::DocumentBuilder out;
  out.append("$err", reply["errmsg"]);
  if (exchange.error_code != 0) out.append("code", reply["code"]);
  const bool says_ok =
      exchange.request.legacy == Legacy::Query || exchange.error_code == code::unsupported_legacy_opcode;
  if (says_ok) out.append_double("ok", 0.0);
  return out.finish();
}

// The documents of a batch, one behind the other; what else a fault put into it has no place in an OP_REPLY.
wire::Payload documents_of(wire::DocumentView batch, std::int32_t& count) {
  std::string bytes;
  for (const wire::Element& element : batch) {
    if (!element.value.is(wire::Type::Document)) continue;
    bytes += text_of(element.value.as_document());
    ++count;
  }
  return wire::Payload(std::move(bytes));
}

// An explain is the one document of its query: without what ends the replies of commands, and without the database.
wire::Document explained(wire::DocumentView reply) {
  wire::DocumentBuilder out;
  for (const auto& [name, value] : reply) {
    if (name == "ok" || name == "$clusterTime" || name == "operationTime") continue;
    if (name != "command" || !value.is(wire::Type::Document)) {
      out.append(name, value);
      continue;
    }
    out.begin_document(name);
    for (const wire::Element& field : value.as_document())
      if (field.name != "$db") out.append(field.name, field.value);
    out.end();
  }
  return out.finish();
}

wire::Payload encode(const Exchange& exchange, std::int32_t reply_id, std::int32_t response_to) {
  wire::OpReplyHead head;
  if (exchange.kind == ReplyKind::Error) {
    head = failure();
    if (exchange.request.legacy == Legacy::GetMore && exchange.error_code == code::cursor_not_found) {
      head.flags = static_cast<std::uint32_t>(wire::OpReplyFlag::CursorNotFound);
      head.number_returned = 0;
      return wire::encode_op_reply(reply_id, response_to, head, {});
    }
    return wire::encode_op_reply(reply_id, response_to, head, wire::Payload(error_document(exchange)));
  }
  const wire::DocumentView reply = exchange.reply_document();
  const wire::ValueView cursor = reply["cursor"];
  if (!cursor.is(wire::Type::Document)) {  // explain, or what a fault put in its place
    wire::Document only = exchange.request.name == "explain" ? explained(reply) : wire::Document(reply);
    return wire::encode_op_reply(reply_id, response_to, head, wire::Payload(std::move(only)));
  }
  wire::DocumentView batch;
  for (const wire::Element& element : cursor.as_document())
    if (element.value.is(wire::Type::Array)) batch = element.value.as_document();
  head.cursor_id = whole_number(cursor.as_document()["id"]);
  head.starting_from = static_cast<std::int32_t>(exchange.starting_from);
  head.number_returned = 0;
  wire::Payload documents = documents_of(batch, head.number_returned);
  return wire::encode_op_reply(reply_id, response_to, head, std::move(documents));
}

}  // namespace

bool is_legacy_read(const Request& request) {
  return request.legacy == Legacy::Query || request.legacy == Legacy::GetMore;
}

wire::Payload legacy_reply(const Exchange& exchange, std::int32_t reply_id, std::int32_t response_to) {
  wire::Payload reply = encode(exchange, reply_id, response_to);
  const auto compressor = exchange.request.envelope.compressor;
  return compressor ? wire::encode_op_compressed(reply, *compressor) : reply;
}

namespace {

// "… collection: db.c index: a_1 dup key: { a: 1 }"
void note_duplicate(LastError& last, const Exchange& exchange) {
  constexpr std::string_view before = " index: ";
  constexpr std::string_view behind = " dup key: ";
  const std::size_t end = last.message.find(behind);
  const std::size_t begin = last.message.rfind(before, end);
  if (last.code != code::duplicate_key || end == std::string::npos || begin == std::string::npos) return;
  last.index = last.message.substr(begin + before.size(), end - begin - before.size());
  last.ns = std::string(exchange.request.db) + "." + std::string(exchange.request.target().as_string());
}

void note_error(LastError& last, const Exchange& exchange, wire::DocumentView error) {
  const wire::ValueView message = error["errmsg"];
  last.code = static_cast<int>(whole_number(error["code"]));
  if (message.is(wire::Type::String)) last.message = message.as_string();
  note_duplicate(last, exchange);
}

}  // namespace

void note_last_error(LastError& last, const Exchange& exchange) {
  if (exchange.request.legacy != Legacy::Write) {
    if (!exchange.keeps_last_error) last = {};
    return;
  }
  last = {};
  const wire::DocumentView reply = exchange.reply_document();
  if (reply.empty()) return;
  if (exchange.kind == ReplyKind::Error) return note_error(last, exchange, reply);
  if (const wire::ValueView errors = reply["writeErrors"]; errors.is(wire::Type::Array)) {
    for (const wire::Element& error : errors.as_document())  // the last one counts
      if (error.value.is(wire::Type::Document)) note_error(last, exchange, error.value.as_document());
    return;
  }
  // An insert counts nothing.
  if (exchange.request.name != "insert") last.n = static_cast<std::int32_t>(whole_number(reply["n"]));
  if (exchange.request.name != "update") return;
  if (const wire::ValueView upserted = reply.find_path("upserted.0._id")) last.upserted = upserted;
  last.updated_existing = last.n > 0 && !last.upserted;
}

}  // namespace emulator
