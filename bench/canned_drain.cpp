// The floor of a drain: a server that answers the requests of `bench_client drain` with bytes that Oplogue's engine made
// before, from a bare loop. What it reaches no server can pass; Oplogue's share of it is what its own work leaves.
//
//   canned_drain EVENTS PAYLOAD [CLIENTS]   prints `port P`, `start_seconds T`, `start_increment I`, serves CLIENTS (1), ends
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/client/commands.h"
#include "bench/client/connection.h"
#include "emulator/engine.h"
#include "wire/frame_reader.h"

namespace bench {
namespace {

using namespace std::chrono_literals;

// One client of an engine in this process, in a time that stands still.
class InProcessClient {
 public:
  InProcessClient() : engine_(spec(), now_, nullptr) {
    step(emulator::Listening{.member = emulator::MemberId{0}, .host = "127.0.0.1", .port = 27017});
    step(emulator::Opened{
        .connection = id_, .member = emulator::MemberId{0}, .peer = "127.0.0.1:1", .local = "127.0.0.1:27017"});
  }

  // The whole message that answers.
  std::string run(const Request& message) {
    answer_.clear();
    step(emulator::Received{.connection = id_, .bytes = std::as_bytes(std::span(message))});
    if (answer_.empty()) throw std::logic_error("the engine did not answer at once");
    std::string answer = std::move(answer_);
    step(emulator::Written{.connection = id_, .last_complete = delivery_, .unwritten_bytes = 0});
    return answer;
  }

 private:
  static emulator::DeploymentSpec spec() {
    emulator::DeploymentSpec out;
    out.profile = "mongodb-6.0";
    return out;
  }
  void step(const emulator::Input& input) {
    std::vector<emulator::Effect> effects;
    engine_.step(input, now_, effects);
    for (const emulator::Effect& effect : effects) {
      const auto* send = std::get_if<emulator::Send>(&effect);
      if (send == nullptr) continue;
      answer_ += send->payload.flatten();
      delivery_ = send->delivery;
    }
  }

  const emulator::Now now_{.real = 1s, .system = emulator::SystemTime(1'770'091'506'000ms)};
  const emulator::ConnectionId id_{1};
  std::string answer_;
  emulator::DeliveryId delivery_ = 0;
  emulator::Engine engine_;
};

struct Canned {
  wire::Timestamp start;
  std::vector<std::string> replies;  // in the order in which the client asks
};

Canned can(int events, int payload_bytes) {
  const Namespace ns{.db = "bench", .collection = "drain"};
  InProcessClient client;
  Canned out;
  out.start = operation_time(read_reply(client.run(ping())));
  constexpr int documents_per_insert = 1000;
  for (int id = 0; id < events; id += documents_per_insert)
    client.run(insert_many(ns, id, std::min(documents_per_insert, events - id), payload_bytes));
  out.replies.push_back(client.run(hello()));
  out.replies.push_back(client.run(open_stream(ns, out.start)));
  const std::int64_t cursor = cursor_id(read_reply(out.replies.back()));
  for (int seen = batch_count(read_reply(out.replies.back())); seen < events;
       seen += batch_count(read_reply(out.replies.back())))
    out.replies.push_back(client.run(get_more(ns, cursor, 1s)));
  return out;
}

void serve(int client, const std::vector<std::string>& replies) {
  std::vector<std::byte> buffer(64 * 1024);
  wire::FrameReader frames;
  auto reply = replies.begin();
  for (ssize_t got; (got = ::read(client, buffer.data(), buffer.size())) > 0;) {
    frames.push(std::span(buffer).first(static_cast<std::size_t>(got)));
    while (frames.next() && reply != replies.end()) write_all(client, *reply++);
    frames.finish();
  }
  ::close(client);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: canned_drain EVENTS PAYLOAD [CLIENTS]\n");
    return 2;
  }
  try {
    const bench::Canned canned = bench::can(std::atoi(argv[1]), std::atoi(argv[2]));
    const bench::Listener listener;
    std::printf("port %d\nstart_seconds %u\nstart_increment %u\n", listener.address().port, canned.start.seconds,
                canned.start.increment);
    std::fflush(stdout);
    for (int clients = argc > 3 ? std::atoi(argv[3]) : 1; clients > 0; --clients)
      bench::serve(listener.accept(), canned.replies);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "canned_drain: %s\n", error.what());
    return 1;
  }
}
