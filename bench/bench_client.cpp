// The load client of tools/bench: one mode a run, figures as `name value` on stdout. Knows MongoDB's protocol only.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/client/modes.h"

namespace bench {
namespace {

constexpr const char* usage =
    "usage: bench_client MODE …\n"
    "  floor                                     round trips of a bare TCP echo\n"
    "  ping    HOST PORT COUNT                   round trips of {ping: 1}\n"
    "  latency HOST PORT DB.COLL COUNT           an insert is sent → its event arrives on another connection\n"
    "  load    HOST PORT DB.COLL COUNT PAYLOAD   COUNT documents with PAYLOAD bytes of text, 1000 an insert\n"
    "  drain   HOST PORT DB.COLL T I COUNT       a stream from Timestamp(T, I) until COUNT events have come\n"
    "  fanout  HOST PORT DB.COLL STREAMS INSERTS until every stream has every event\n"
    "  startup HOST PORT COMMAND…                exec → first hello with a writable primary\n"
    "  memory  PID                               resident memory\n";

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The words of the command line, taken from front to back.
class Words {
 public:
  explicit Words(std::span<char*> words) : words_(words) {}

  std::string text() {
    if (words_.empty()) throw UsageError("an argument is missing");
    std::string word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }
  template <class Number = int>
  Number number() {
    const std::string word = text();
    Number value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      throw UsageError("\"" + word + "\" is no number here");
    return value;
  }
  Address address() {
    std::string host = text();
    return {.host = std::move(host), .port = number<std::uint16_t>()};
  }
  Namespace ns() { return read_namespace(text()); }
  std::vector<std::string> rest() {
    std::vector<std::string> out(words_.begin(), words_.end());
    words_ = {};
    return out;
  }

 private:
  std::span<char*> words_;
};

void measure(const std::string& mode, Words& words) {
  if (mode == "floor") return measure_floor();
  if (mode == "memory") return measure_memory(words.number());
  constexpr std::string_view of_servers[] = {"ping", "latency", "load", "drain", "fanout", "startup"};
  if (std::ranges::find(of_servers, mode) == std::end(of_servers))
    throw UsageError("there is no mode \"" + mode + "\"");
  const Address server = words.address();
  if (mode == "ping") return measure_ping(server, words.number());
  if (mode == "startup") return measure_startup(server, words.rest());
  const Namespace ns = words.ns();
  if (mode == "latency") return measure_latency(server, ns, words.number());
  if (mode == "load") {
    const int count = words.number();
    return measure_load(server, ns, count, words.number());
  }
  if (mode == "drain") {
    const auto seconds = words.number<std::uint32_t>();
    const auto increment = words.number<std::uint32_t>();
    return measure_drain(server, ns, {seconds, increment}, words.number());
  }
  const int streams = words.number();
  measure_fanout(server, ns, streams, words.number());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  try {
    bench::Words words(std::span(argv + 1, static_cast<std::size_t>(argc - 1)));
    const std::string mode = words.text();
    bench::measure(mode, words);
    return 0;
  } catch (const bench::UsageError& error) {
    std::fprintf(stderr, "bench_client: %s\n%s", error.what(), bench::usage);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_client: %s\n", error.what());
    return 1;
  }
}
