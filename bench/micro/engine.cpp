// Whole requests through the engine, without sockets.
#include <benchmark/benchmark.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "bench/client/commands.h"
#include "emulator/engine.h"
#include "emulator/wait_list.h"

namespace bench {
namespace {

using namespace std::chrono_literals;

// An engine, its one client, and a clock that moves a microsecond a request.
class Bench {
 public:
  Bench() : engine_(spec(), now_, nullptr) {
    step(emulator::Listening{.member = emulator::MemberId{0}, .host = "127.0.0.1", .port = 27017});
    open(client);
  }

  static constexpr emulator::ConnectionId client{1};

  void open(emulator::ConnectionId id) {
    step(emulator::Opened{
        .connection = id, .member = emulator::MemberId{0}, .peer = "127.0.0.1:1", .local = "127.0.0.1:27017"});
  }
  // Everything a shell does for one request: its bytes in, and for each reply the notice that it was written.
  // Returns how many replies left, whoever they are for.
  std::size_t request(emulator::ConnectionId id, const Request& message) {
    now_.real += 1us;
    step(emulator::Received{.connection = id, .bytes = std::as_bytes(std::span(message))});
    const std::vector<emulator::Effect> sent = std::move(effects_);
    for (const emulator::Effect& effect : sent)
      if (const auto* send = std::get_if<emulator::Send>(&effect))
        step(emulator::Written{.connection = send->connection, .last_complete = send->delivery, .unwritten_bytes = 0});
    return sent.size();
  }
  // The reply's bytes, rendered.
  std::string answer(emulator::ConnectionId id, const Request& message) {
    now_.real += 1us;
    step(emulator::Received{.connection = id, .bytes = std::as_bytes(std::span(message))});
    const auto* send = effects_.empty() ? nullptr : std::get_if<emulator::Send>(&effects_.front());
    if (send == nullptr) throw std::logic_error("the engine did not answer at once");
    std::string out = send->payload.flatten();
    step(emulator::Written{.connection = id, .last_complete = send->delivery, .unwritten_bytes = 0});
    return out;
  }
  emulator::Engine& engine() { return engine_; }
  emulator::Now now() const { return now_; }

 private:
  static emulator::DeploymentSpec spec() {
    emulator::DeploymentSpec out;
    out.profile = "mongodb-6.0";
    return out;
  }
  void step(const emulator::Input& input) {
    effects_.clear();
    engine_.step(input, now_, effects_);
  }

  emulator::Now now_{.real = 1s, .system = emulator::SystemTime(1'770'091'506'000ms)};
  std::vector<emulator::Effect> effects_;
  emulator::Engine engine_;
};

const Namespace ns{.db = "bench", .collection = "load"};
constexpr int documents_per_insert = 1000;

void ping_step(benchmark::State& state) {
  Bench bench;
  const Request message = ping();
  for (auto _ : state) benchmark::DoNotOptimize(bench.request(Bench::client, message));
}
BENCHMARK(ping_step);

// A new collection every 100 inserts, so that the store stays the size of one load.
void insert_1000(benchmark::State& state) {
  constexpr int inserts_per_engine = 100;
  auto bench = std::make_unique<Bench>();
  int done = 0;
  for (auto _ : state) {
    state.PauseTiming();
    if (done == inserts_per_engine) {
      bench = std::make_unique<Bench>();
      done = 0;
    }
    const Request message = insert_many(ns, done++ * documents_per_insert, documents_per_insert, 16);
    state.ResumeTiming();
    benchmark::DoNotOptimize(bench->request(Bench::client, message));
  }
  state.SetItemsProcessed(state.iterations() * documents_per_insert);
}
BENCHMARK(insert_1000);

// Opens a stream over 100,000 events and reads them all: everything of a drain but the socket.
void drain_step(benchmark::State& state) {
  constexpr int events = 100'000;
  Bench bench;
  const wire::Timestamp start = operation_time(read_reply(bench.answer(Bench::client, ping())));
  for (int id = 0; id < events; id += documents_per_insert)
    bench.request(Bench::client, insert_many(ns, id, documents_per_insert, 16));
  for (auto _ : state) {
    const std::string first = bench.answer(Bench::client, open_stream(ns, start));
    const Request more = get_more(ns, cursor_id(read_reply(first)), 1s);
    for (int seen = batch_count(read_reply(first)); seen < events;)
      seen += batch_count(read_reply(bench.answer(Bench::client, more)));
  }
  state.SetItemsProcessed(state.iterations() * events);
}
BENCHMARK(drain_step)->Unit(benchmark::kMillisecond);

// One insert that wakes the waiting getMores of so many streams, and those getMores again.
void insert_wakes(benchmark::State& state) {
  const auto streams = static_cast<std::uint64_t>(state.range(0));
  Bench bench;
  std::vector<Request> more;
  for (std::uint64_t at = 0; at < streams; ++at) {
    const emulator::ConnectionId id{at + 2};
    bench.open(id);
    more.push_back(get_more(ns, cursor_id(read_reply(bench.answer(id, open_stream(ns, std::nullopt)))), 60s));
    bench.request(id, more.back());
  }
  std::int64_t next_id = 0;
  for (auto _ : state) {
    const std::size_t replies = bench.request(Bench::client, insert_one(ns, next_id++));
    if (replies != streams + 1) state.SkipWithError("not every stream woke");
    for (std::uint64_t at = 0; at < streams; ++at) bench.request(emulator::ConnectionId{at + 2}, more[at]);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(insert_wakes)->Arg(1)->Arg(200);

// A touch of one collection among the waits for a hundred others.
void wait_list_touch(benchmark::State& state) {
  constexpr int collections = 100;
  emulator::WaitList waits;
  for (int at = 0; at < collections; ++at)
    waits.add(std::make_unique<emulator::Exchange>(),
              {.deadline = 1s,
               .what = emulator::WaitForOplog{"bench", "collection" + std::to_string(at)},
               .resume = nullptr,
               .state = {}});
  const std::string db = "bench";
  const std::string collection = "collection50";
  for (auto _ : state) {
    waits.touch_oplog(db, collection);
    benchmark::DoNotOptimize(waits.next_touched());
  }
}
BENCHMARK(wait_list_touch);

}  // namespace
}  // namespace bench
