#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "bench/client/figures.h"
#include "bench/client/modes.h"

namespace bench {
namespace {

using namespace std::chrono_literals;

constexpr auto getmore_wait = 60s;
constexpr auto stall = 20s;

struct Stream {
  std::unique_ptr<Connection> connection;
  Request more;
  int events = 0;
};

class Readiness {
 public:
  Readiness() : descriptor_(::epoll_create1(0)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
  }
  ~Readiness() { ::close(descriptor_); }
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  void add(Stream& stream) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &stream;
    if (::epoll_ctl(descriptor_, EPOLL_CTL_ADD, stream.connection->descriptor(), &event) != 0)
      throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  }
  // Calls `ready` for every stream with something to read; throws when none has for long.
  template <class Ready>
  void wait(Ready ready) {
    const int count = ::epoll_wait(descriptor_, events_.data(), static_cast<int>(events_.size()),
                                   static_cast<int>(std::chrono::milliseconds(stall).count()));
    if (count <= 0) throw std::runtime_error("the streams stalled");
    for (int at = 0; at < count; ++at) ready(*static_cast<Stream*>(events_[static_cast<std::size_t>(at)].data.ptr));
  }

 private:
  int descriptor_;
  std::array<epoll_event, 256> events_;
};

std::vector<Stream> open_streams(const Address& server, const Namespace& ns, int count) {
  std::vector<Stream> streams(static_cast<std::size_t>(count));
  for (Stream& stream : streams) {
    stream.connection = std::make_unique<Connection>(server);
    stream.connection->run(hello());
    stream.more = get_more(ns, watch(*stream.connection, ns), getmore_wait);
    stream.connection->send(stream.more);
  }
  return streams;
}

}  // namespace

void measure_fanout(const Address& server, const Namespace& ns, int streams_count, int inserts) {
  const Clock::time_point opening = Clock::now();
  std::vector<Stream> streams = open_streams(server, ns, streams_count);
  Readiness readiness;
  for (Stream& stream : streams) readiness.add(stream);
  print("fanout_open_s", since(opening).count(), 3);

  Connection writer(server);
  writer.run(hello());
  std::vector<Request> writes;
  const std::int64_t first_id = fresh_id();
  for (int insert = 0; insert < inserts; ++insert) writes.push_back(insert_one(ns, first_id + insert));
  const Clock::time_point began = Clock::now();
  for (const Request& write : writes) writer.send(write);
  int complete = 0;
  while (complete < streams_count)
    readiness.wait([&](Stream& stream) {
      stream.events += batch_count(stream.connection->receive());
      if (stream.events > inserts) throw std::runtime_error("a stream was given an event twice");
      if (stream.events == inserts)
        ++complete;
      else
        stream.connection->send(stream.more);
    });
  const Seconds took = since(began);
  for (int insert = 0; insert < inserts; ++insert) writer.receive();
  print("fanout_deliveries", streams_count * inserts);
  print("fanout_deliveries_per_s", streams_count * inserts / took.count());
}

}  // namespace bench
