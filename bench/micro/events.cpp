// Events from oplog entries to bytes: the way of a drain.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/micro/samples.h"
#include "emulator/event_template.h"

namespace bench {
namespace {

constexpr int entries_count = 1000;

emulator::EventForm form_of(const char* profile_name) {
  const emulator::Profile* profile = emulator::find_profile(profile_name);
  return {.profile = profile, .token_version = profile->token_version};
}

const std::vector<emulator::OplogEntry>& entries() {
  static const std::vector<emulator::OplogEntry> all = [] {
    std::vector<emulator::OplogEntry> out;
    for (int id = 0; id < entries_count; ++id) out.push_back(small_insert(id));
    return out;
  }();
  return all;
}

// How large, then written: the argument is the token's version.
void event_by_template(benchmark::State& state) {
  const emulator::EventForm form = form_of(state.range(0) == 1 ? "mongodb-6.0" : "mongodb-7.0");
  emulator::EventTemplates templates;
  std::vector<std::uint8_t> out(1024);
  for (auto _ : state)
    for (const emulator::OplogEntry& entry : entries()) {
      const emulator::EventTemplate* by = templates.find(entry, form);
      benchmark::DoNotOptimize(by->write(out.data(), entry, by->measure(entry)));
    }
  state.SetItemsProcessed(state.iterations() * entries_count);
}
BENCHMARK(event_by_template)->Arg(1)->Arg(2);

// The same by the builder of events, for what the template saves.
void event_by_builder(benchmark::State& state) {
  const emulator::EventForm form = form_of("mongodb-6.0");
  for (auto _ : state)
    for (const emulator::OplogEntry& entry : entries())
      benchmark::DoNotOptimize(emulator::build_event(emulator::event_of(entry, 0).value(), form));
  state.SetItemsProcessed(state.iterations() * entries_count);
}
BENCHMARK(event_by_builder);

void token_by_template(benchmark::State& state) {
  const wire::EventTokenTemplate token(static_cast<int>(state.range(0)), small_namespace()->uuid, "insert");
  std::vector<wire::Document> keys;
  for (const emulator::OplogEntry& entry : entries()) keys.push_back(emulator::document_key(entry));
  std::vector<std::uint8_t> out(1024);
  for (auto _ : state)
    for (const wire::Document& key : keys) {
      const wire::SimpleKey simple = wire::simple_key(key);
      benchmark::DoNotOptimize(token.size(simple));
      benchmark::DoNotOptimize(token.write(out.data(), {1'770'091'506, 7}, simple));
    }
  state.SetItemsProcessed(state.iterations() * entries_count);
}
BENCHMARK(token_by_template)->Arg(1)->Arg(2);

void token_by_encode(benchmark::State& state) {
  wire::ResumeToken token;
  token.cluster_time = {1'770'091'506, 7};
  token.kind = wire::ResumeToken::Kind::Event;
  token.uuid = small_namespace()->uuid;
  token.event_identifier = wire::Value::document(emulator::document_key(entries().front()));
  for (auto _ : state) benchmark::DoNotOptimize(wire::encode(token));
}
BENCHMARK(token_by_encode);

}  // namespace
}  // namespace bench
