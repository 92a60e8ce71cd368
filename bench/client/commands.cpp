#include "bench/client/commands.h"

#include <cstring>
#include <stdexcept>

namespace bench {
namespace {

using wire::DocumentBuilder;

std::string_view bytes_of(wire::DocumentView document) {
  return {reinterpret_cast<const char*>(document.data()), document.size()};
}

wire::ValueView cursor_field(const Reply& reply, std::string_view name) {
  const wire::ValueView cursor = reply.body["cursor"];
  return cursor.is(wire::Type::Document) ? cursor.as_document()[name] : wire::ValueView();
}

Request administrative(std::string_view command) {
  DocumentBuilder body;
  body.append_int32(command, 1).append_string("$db", "admin");
  return request(body.view());
}

DocumentBuilder insert_body(const Namespace& ns) {
  DocumentBuilder body;
  body.append_string("insert", ns.collection).append_string("$db", ns.db);
  return body;
}

}  // namespace

Namespace read_namespace(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos)
    throw std::runtime_error("\"" + std::string(text) + "\" is no namespace: DB.COLLECTION");
  return {.db = std::string(text.substr(0, dot)), .collection = std::string(text.substr(dot + 1))};
}

Request hello() { return administrative("hello"); }
Request ping() { return administrative("ping"); }

Request insert_one(const Namespace& ns, std::int64_t id) {
  DocumentBuilder document;
  document.append_int64("_id", id);
  return request(insert_body(ns).view(), "documents", bytes_of(document.view()));
}

Request insert_many(const Namespace& ns, int first_id, int count, int payload_bytes) {
  const std::string payload(static_cast<std::size_t>(payload_bytes), 'x');
  std::string documents;
  DocumentBuilder document;
  for (int id = first_id; id < first_id + count; ++id) {
    document.append_int32("_id", id).append_string("payload", payload);
    documents += bytes_of(document.view());
    document.clear();
  }
  return request(insert_body(ns).view(), "documents", documents);
}

Request open_stream(const Namespace& ns, std::optional<wire::Timestamp> start) {
  DocumentBuilder body;
  body.append_string("aggregate", ns.collection).begin_array("pipeline");
  body.begin_document(body.item_name()).begin_document("$changeStream");
  if (start) body.append_timestamp("startAtOperationTime", *start);
  body.end().end().end();
  body.begin_document("cursor").end().append_string("$db", ns.db);
  return request(body.view());
}

Request get_more(const Namespace& ns, std::int64_t cursor, std::chrono::milliseconds wait) {
  DocumentBuilder body;
  body.append_int64("getMore", cursor).append_string("collection", ns.collection);
  body.append_int32("maxTimeMS", static_cast<std::int32_t>(wait.count())).append_string("$db", ns.db);
  return request(body.view());
}

std::int64_t cursor_id(const Reply& reply) {
  const wire::ValueView id = cursor_field(reply, "id");
  if (!id.is(wire::Type::Int64)) throw std::runtime_error("a reply without cursor.id");
  return id.as_int64();
}

int batch_count(const Reply& reply) {
  wire::ValueView batch = cursor_field(reply, "nextBatch");
  if (batch.missing()) batch = cursor_field(reply, "firstBatch");
  if (!batch.is(wire::Type::Array)) throw std::runtime_error("a reply without a batch");
  const wire::DocumentView array = batch.as_document();
  const std::uint8_t* at = array.data() + 4;
  const std::uint8_t* const last = array.data() + array.size() - 1;
  int count = 0;
  while (at < last) {
    if (*at != static_cast<std::uint8_t>(wire::Type::Document))
      throw std::runtime_error("a batch with something that is no document");
    at += 1 + std::strlen(reinterpret_cast<const char*>(at + 1)) + 1;
    at += wire::DocumentView(at).size();
    ++count;
  }
  return count;
}

wire::Timestamp operation_time(const Reply& reply) {
  const wire::ValueView time = reply.body["operationTime"];
  if (!time.is(wire::Type::Timestamp)) throw std::runtime_error("a reply without operationTime");
  return time.as_timestamp();
}

std::int64_t watch(Connection& connection, const Namespace& ns) {
  return cursor_id(connection.run(open_stream(ns, std::nullopt)));
}

std::int64_t fresh_id() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace bench
