#include <unistd.h>

#include <array>
#include <stdexcept>
#include <thread>

#include "bench/client/figures.h"
#include "bench/client/modes.h"

namespace bench {
namespace {

using namespace std::chrono_literals;

constexpr int floor_trips = 20'000;
constexpr std::size_t floor_bytes = 64;
// So long a getMore needs at most until it waits.
constexpr auto until_waiting = 300us;

void echo(const Listener& listener) {
  const int client = listener.accept();
  std::array<char, 4096> bytes;
  for (ssize_t got; (got = ::read(client, bytes.data(), bytes.size())) > 0;)
    write_all(client, {bytes.data(), static_cast<std::size_t>(got)});
  ::close(client);
}

}  // namespace

void measure_floor() {
  const Listener listener;
  std::thread server([&listener] { echo(listener); });
  {
    Connection client(listener.address());
    const std::string there(floor_bytes, '\0');
    std::array<char, floor_bytes> back;
    RoundTrips trips(floor_trips);
    for (int trip = 0; trip < floor_trips; ++trip) {
      const Clock::time_point began = Clock::now();
      client.send(there);
      client.receive_raw(back.data(), back.size());
      trips.add(Clock::now() - began);
    }
    trips.print_as("floor");
  }
  server.join();
}

void measure_ping(const Address& server, int count) {
  Connection client(server);
  client.run(hello());
  const Request message = ping();
  RoundTrips trips(static_cast<std::size_t>(count));
  for (int trip = 0; trip < count; ++trip) {
    const Clock::time_point began = Clock::now();
    client.run(message);
    trips.add(Clock::now() - began);
  }
  trips.print_as("ping");
}

void measure_latency(const Address& server, const Namespace& ns, int count) {
  Connection reader(server);
  Connection writer(server);
  reader.run(hello());
  writer.run(hello());
  const Request wait = get_more(ns, watch(reader, ns), 5s);
  const std::int64_t first_id = fresh_id();
  RoundTrips trips(static_cast<std::size_t>(count));
  for (int trip = 0; trip < count; ++trip) {
    reader.send(wait);
    std::this_thread::sleep_for(until_waiting);
    const Request insert = insert_one(ns, first_id + trip);
    const Clock::time_point began = Clock::now();
    writer.send(insert);
    const Reply event = reader.receive();
    trips.add(Clock::now() - began);
    if (const int events = batch_count(event); events != 1)
      throw std::runtime_error("a batch of " + std::to_string(events) + " events where one was written");
    writer.receive();
  }
  trips.print_as("event");
}

}  // namespace bench
