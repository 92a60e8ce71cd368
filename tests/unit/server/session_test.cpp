#include "server/session.h"

#include <algorithm>

#include "tests/unit/server/loopback.h"

namespace server {
namespace {

using emulator::Close;
using emulator::CloseCause;
using emulator::Ending;
using emulator::Reading;
using emulator::ReadingState;

std::string numbered_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < size; ++at) bytes[at] = static_cast<char>(at * 31 % 251);
  return bytes;
}

TEST(Session, AnswersAtOnceAndReportsTheDelivery) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    effects.emplace_back(send_text(got.connection, 1, "pong"));
  };
  Client client(served.port());
  client.send("ping");
  EXPECT_EQ(served.receive(client, 4), "pong");
  EXPECT_EQ(served.core.received, "ping");
  ASSERT_EQ(served.core.written.size(), 1u);
  EXPECT_EQ(served.core.written[0].last_complete, 1u);
  EXPECT_EQ(served.core.written[0].unwritten_bytes, 0u);
}

TEST(Session, WritesDeliveriesInTheOrderGiven) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    for (std::uint64_t delivery = 1; delivery <= 5; ++delivery) {
      effects.emplace_back(send_text(got.connection, delivery, std::to_string(delivery)));
    }
  };
  Client client(served.port());
  client.send("go");
  EXPECT_EQ(served.receive(client, 5), "12345");
  EXPECT_EQ(served.core.written.back().last_complete, 5u);
}

TEST(Session, WritesAPayloadLargerThanTheSocketInParts) {
  Served served;
  const std::string large = numbered_bytes(40'000'000);
  served.core.on_received = [&](const emulator::Received& got, auto& effects) {
    effects.emplace_back(send_text(got.connection, 1, large));
    effects.emplace_back(send_text(got.connection, 2, "after"));
  };
  Client client(served.port());
  client.send("go");
  const std::string got = served.receive(client, large.size() + 5);
  EXPECT_TRUE(got == large + "after");
  EXPECT_TRUE(served.until([&] { return served.core.written.back().last_complete == 2; }));
  EXPECT_EQ(served.core.written.back().unwritten_bytes, 0u);
  EXPECT_EQ(served.core.written.front().last_complete, 0u);
}

TEST(Session, TellsHowMuchAClientThatDoesNotReadLeavesUnwritten) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    effects.emplace_back(send_text(got.connection, 1, std::string(20'000'000, 'x')));
  };
  Client client(served.port(), 65536);
  client.send("go");
  ASSERT_TRUE(served.until([&] { return !served.core.written.empty(); }));
  EXPECT_EQ(served.core.written.back().last_complete, 0u);
  EXPECT_GT(served.core.written.back().unwritten_bytes, 10'000'000u);
  EXPECT_EQ(served.receive(client, 20'000'000).size(), 20'000'000u);
}

TEST(Session, OneClientThatDoesNotReadStopsNoOther) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    const bool much = got.bytes[0] == std::byte{'m'};
    effects.emplace_back(send_text(got.connection, 1, much ? std::string(20'000'000, 'x') : "little"));
  };
  Client deaf(served.port(), 65536);
  deaf.send("much");
  ASSERT_TRUE(served.until([&] { return !served.core.written.empty(); }));
  Client other(served.port());
  other.send("little");
  EXPECT_EQ(served.receive(other, 6), "little");
}

TEST(Session, DoesNotReadWhileReadingIsOff) {
  Served served;
  served.core.on_received = [&](const emulator::Received& got, auto& effects) {
    if (got.bytes[0] == std::byte{'s'}) effects.emplace_back(Reading{got.connection, ReadingState::Off});
  };
  Client client(served.port());
  client.send("stop");
  ASSERT_TRUE(served.until([&] { return served.core.received == "stop"; }));
  client.send("more");
  Client witness(served.port());  // its bytes come after those that nobody reads
  witness.send("witness");
  ASSERT_TRUE(served.until([&] { return served.core.received.ends_with("witness"); }));
  EXPECT_EQ(served.core.received, "stopwitness");
  served.host.perform([&](auto, auto& effects) {
    effects.emplace_back(Reading{served.core.opened[0].connection, ReadingState::On});
  });
  EXPECT_TRUE(served.until([&] { return served.core.received == "stopwitnessmore"; }));
}

TEST(Session, WhatArrivesAfterReadingWasTurnedOffWaitsForIt) {
  Served served;
  Client client(served.port());
  ASSERT_TRUE(served.until([&] { return served.core.opened.size() == 1; }));
  const auto set_reading = [&](ReadingState state) {
    served.host.perform([&](auto, auto& effects) {
      effects.emplace_back(Reading{served.core.opened[0].connection, state});
    });
  };
  set_reading(ReadingState::Off);  // a read waits already
  client.send("first");
  Client witness(served.port());
  witness.send("witness");
  ASSERT_TRUE(served.until([&] { return served.core.received == "witness"; }));
  client.send("second");
  client.close();
  set_reading(ReadingState::On);
  EXPECT_TRUE(served.until([&] { return served.core.received == "witnessfirstsecond"; }));
  ASSERT_TRUE(served.until([&] { return !served.core.closed.empty(); }));
  EXPECT_EQ(served.core.closed[0].cause, CloseCause::ByClient);
}

// Whatever its length has to do with the buffers that it is read through.
TEST(Session, HandsOverAllThatAClientSentBeforeItLeft) {
  for (const std::size_t size : {1u, 511u, 512u, 513u, 1024u, 60'000u}) {
    Served served;
    const std::string sent = numbered_bytes(size);
    Client client(served.port());
    client.send(sent);
    client.close();
    ASSERT_TRUE(served.until([&] { return !served.core.closed.empty(); })) << size;
    EXPECT_EQ(served.core.closed[0].cause, CloseCause::ByClient) << size;
    EXPECT_TRUE(served.core.received == sent) << size;
  }
}

TEST(Session, AClientThatResetsIsReportedAsFailed) {
  Served served;
  Client client(served.port());
  ASSERT_TRUE(served.until([&] { return served.core.opened.size() == 1; }));
  client.reset_connection();
  ASSERT_TRUE(served.until([&] { return !served.core.closed.empty(); }));
  EXPECT_EQ(served.core.closed[0].cause, CloseCause::Failed);
}

TEST(Session, ClosingAfterTheOutboxSendsEverythingFirst) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    effects.emplace_back(send_text(got.connection, 1, std::string(20'000'000, 'x')));
    effects.emplace_back(Close{got.connection, Ending::AfterOutbox});
  };
  Client client(served.port());
  client.send("go");
  EXPECT_EQ(served.receive(client, 20'000'001).size(), 20'000'000u);
  EXPECT_TRUE(client.ended());
  ASSERT_TRUE(served.until([&] { return !served.core.closed.empty(); }));
  EXPECT_EQ(served.core.closed[0].cause, CloseCause::ByServer);
  EXPECT_EQ(served.core.written.back().last_complete, 1u);
  EXPECT_EQ(served.host.connection_count(), 0u);
}

TEST(Session, ClosingNowLosesWhatIsUnwritten) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    effects.emplace_back(send_text(got.connection, 1, std::string(20'000'000, 'x')));
    effects.emplace_back(Close{got.connection, Ending::Now});
  };
  Client client(served.port());
  client.send("go");
  EXPECT_LT(served.receive(client, 20'000'000).size(), 20'000'000u);
  EXPECT_TRUE(client.ended());
  EXPECT_FALSE(client.reset());
}

TEST(Session, ClosingNowSendsFinThoughBytesWereLeftUnread) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    effects.emplace_back(Reading{got.connection, ReadingState::Off});
  };
  Client client(served.port());
  client.send("first");
  ASSERT_TRUE(served.until([&] { return served.core.received == "first"; }));
  client.send("never read");
  served.host.perform([&](auto, auto& effects) {
    effects.emplace_back(Close{served.core.opened[0].connection, Ending::Now});
  });
  served.receive(client, 1);
  EXPECT_TRUE(client.ended());
  EXPECT_FALSE(client.reset());
}

TEST(Session, AResetIsSeenAsAReset) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    effects.emplace_back(Close{got.connection, Ending::Reset});
  };
  Client client(served.port());
  client.send("go");
  served.receive(client, 1);
  EXPECT_TRUE(client.reset());
}

TEST(Session, AClientThatLeavesIsReported) {
  Served served;
  Client client(served.port());
  ASSERT_TRUE(served.until([&] { return served.core.opened.size() == 1; }));
  client.close();
  ASSERT_TRUE(served.until([&] { return !served.core.closed.empty(); }));
  EXPECT_EQ(served.core.closed[0].connection, served.core.opened[0].connection);
  EXPECT_EQ(served.core.closed[0].cause, CloseCause::ByClient);
  EXPECT_EQ(served.host.connection_count(), 0u);
}

TEST(Session, AClientThatDiesWhileItIsWrittenToIsReportedAsFailed) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    effects.emplace_back(send_text(got.connection, 1, std::string(20'000'000, 'x')));
    effects.emplace_back(Reading{got.connection, ReadingState::Off});
  };
  Client client(served.port(), 65536);
  client.send("go");
  ASSERT_TRUE(served.until([&] { return !served.core.written.empty(); }));
  client.close();
  ASSERT_TRUE(served.until([&] { return !served.core.closed.empty(); }));
  EXPECT_EQ(served.core.closed[0].cause, CloseCause::Failed);
}

TEST(Session, EffectsForAConnectionThatIsGoneAreDropped) {
  Served served;
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    effects.emplace_back(Close{got.connection, Ending::Now});
    effects.emplace_back(send_text(got.connection, 1, "too late"));
    effects.emplace_back(Reading{got.connection, ReadingState::On});
    effects.emplace_back(Close{got.connection, Ending::Reset});
  };
  Client client(served.port());
  client.send("go");
  EXPECT_EQ(served.receive(client, 1), "");
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(served.core.closed.size(), 1u);
  EXPECT_TRUE(served.core.written.empty());
}

}  // namespace
}  // namespace server
