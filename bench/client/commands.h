// The requests of the load client and what it reads of their replies. Knows MongoDB's commands, no sockets.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bench/client/connection.h"
#include "wire/document.h"

namespace bench {

struct Namespace {
  std::string db;
  std::string collection;
};
// "db.coll". Throws std::runtime_error without a dot.
Namespace read_namespace(std::string_view text);

Request hello();
Request ping();
// {_id: <id>} alone.
Request insert_one(const Namespace& ns, std::int64_t id);
// `count` documents {_id: <int32 from first_id on>, payload: "xxx…"}.
Request insert_many(const Namespace& ns, int first_id, int count, int payload_bytes);
// Without a time: from now on.
Request open_stream(const Namespace& ns, std::optional<wire::Timestamp> start);
Request get_more(const Namespace& ns, std::int64_t cursor, std::chrono::milliseconds wait);

// cursor.id of an aggregate's reply.
std::int64_t cursor_id(const Reply& reply);
// How many documents cursor.firstBatch or cursor.nextBatch holds. They are stepped over, not looked at.
int batch_count(const Reply& reply);
wire::Timestamp operation_time(const Reply& reply);

// Opens a stream that starts now and says its cursor.
std::int64_t watch(Connection& connection, const Namespace& ns);

// An int64 that no earlier run used.
std::int64_t fresh_id();

}  // namespace bench
