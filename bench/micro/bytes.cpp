// Bytes that clients send: checked, framed, decoded.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/client/commands.h"
#include "bench/micro/samples.h"
#include "wire/message.h"

namespace bench {
namespace {

void check_small_document(benchmark::State& state) {
  const wire::Document document = small_document(7);
  for (auto _ : state) {
    std::size_t size_bytes = 0;
    benchmark::DoNotOptimize(wire::check_document(document.view().bytes(), &size_bytes));
  }
}
BENCHMARK(check_small_document);

void decode(benchmark::State& state, const Request& message) {
  for (auto _ : state) benchmark::DoNotOptimize(wire::decode_message(std::as_bytes(std::span(message))));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(message.size()));
}
BENCHMARK_CAPTURE(decode, ping, ping());
BENCHMARK_CAPTURE(decode, insert_of_1000, insert_many({"bench", "load"}, 0, 1000, 16));

}  // namespace
}  // namespace bench
