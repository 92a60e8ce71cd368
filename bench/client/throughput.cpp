#include <algorithm>
#include <optional>
#include <stdexcept>

#include "bench/client/figures.h"
#include "bench/client/modes.h"

namespace bench {
namespace {

using namespace std::chrono_literals;

constexpr int documents_per_insert = 1000;

}  // namespace

void measure_load(const Address& server, const Namespace& ns, int count, int payload_bytes) {
  Connection client(server);
  const wire::Timestamp before = operation_time(client.run(ping()));
  std::vector<Request> inserts;
  for (int id = 0; id < count; id += documents_per_insert)
    inserts.push_back(insert_many(ns, id, std::min(documents_per_insert, count - id), payload_bytes));
  const Clock::time_point began = Clock::now();
  wire::Timestamp after;
  for (const Request& insert : inserts) {
    const Reply reply = client.run(insert);
    if (reply.body.has("writeErrors")) throw std::runtime_error("an insert failed: is the collection new?");
    after = operation_time(reply);
  }
  const Seconds took = since(began);
  print("load_documents_per_s", count / took.count());
  print("before_seconds", before.seconds);
  print("before_increment", before.increment);
  print("after_seconds", after.seconds);
  print("after_increment", after.increment);
}

void measure_drain(const Address& server, const Namespace& ns, wire::Timestamp start, int count) {
  Connection client(server);
  client.run(hello());
  const Request open = open_stream(ns, start);
  std::optional<Request> more;
  int events = 0;
  int batches = 0;
  std::size_t bytes = 0;
  const Clock::time_point began = Clock::now();
  while (events < count) {
    const Reply reply = client.run(more ? *more : open);
    if (!more) more = get_more(ns, cursor_id(reply), 1s);
    const int arrived = batch_count(reply);
    if (arrived == 0 && batches > 0)
      throw std::runtime_error("the stream ended after " + std::to_string(events) + " events");
    events += arrived;
    bytes += reply.message_bytes;
    ++batches;
  }
  const Seconds took = since(began);
  print("drain_events", events);
  print("drain_batches", batches);
  print("drain_events_per_s", events / took.count());
  print("drain_MB_per_s", static_cast<double>(bytes) / 1e6 / took.count(), 1);
}

}  // namespace bench
