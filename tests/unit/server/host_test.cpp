#include "server/host.h"

#include "server/clock.h"
#include "server/start_error.h"
#include "tests/unit/server/loopback.h"

namespace server {
namespace {

using emulator::Listen;
using emulator::ListenState;
using emulator::MemberId;

std::string start_error(HostOptions options, std::size_t member_count = 1) {
  try {
    Served served(options, member_count);
  } catch (const StartError& error) {
    return error.what();
  }
  return "it started";
}

TEST(Host, GivesEachMemberAPortOfItsOwn) {
  Served served({}, 3);
  ASSERT_EQ(served.core.listening.size(), 3u);
  EXPECT_NE(served.port(0), served.port(1));
  EXPECT_NE(served.port(1), served.port(2));
  EXPECT_EQ(served.host.addresses()[2], "127.0.0.1:" + std::to_string(served.port(2)));
}

TEST(Host, SaysWhichMemberAClientCameToAndFromWhere) {
  Served served({}, 2);
  Client client(served.port(1));
  ASSERT_TRUE(served.until([&] { return served.core.opened.size() == 1; }));
  EXPECT_EQ(served.core.opened[0].member, MemberId{1});
  EXPECT_EQ(served.core.opened[0].local, "127.0.0.1:" + std::to_string(served.port(1)));
  EXPECT_TRUE(served.core.opened[0].peer.starts_with("127.0.0.1:"));
}

TEST(Host, NamesAPortThatIsInUse) {
  Served first;
  EXPECT_EQ(start_error({.port = first.port()}),
            "port " + std::to_string(first.port()) +
                " of 127.0.0.1 is in use: choose another with --port, or 0 for any free one");
}

TEST(Host, NamesAHostThatDoesNotExist) {
  EXPECT_EQ(start_error({.bind = "no host.invalid"}), "--bind: there is no host \"no host.invalid\"");
}

TEST(Host, NamesAnAddressThatIsNotThisMachines) {
  EXPECT_EQ(start_error({.bind = "192.0.2.1"}), "192.0.2.1 is no address of this machine: choose another with --bind");
}

TEST(Host, NamesTheMemberWhosePortWouldBeTooHigh) {
  EXPECT_EQ(start_error({.port = 65535}, 2), "--port 65535: member 2 would need port 65536, and 65535 is the last");
}

TEST(Host, TakesAPortAgainAtOnceAfterItsConnectionsWereClosedByTheServer) {
  auto first = std::make_unique<Served>();
  const std::uint16_t port = first->port();
  Client client(port);
  ASSERT_TRUE(first->until([&] { return first->core.opened.size() == 1; }));
  first.reset();  // leaves the connection in TIME_WAIT
  Served second({.port = port});
  EXPECT_EQ(second.port(), port);
}

TEST(Host, ClosesConnectionsBeyondTheLimitAndServesTheOthers) {
  Served served({.connections_max = 2});
  served.core.on_received = [](const emulator::Received& got, auto& effects) {
    effects.emplace_back(send_text(got.connection, 1, "served"));
  };
  Client first(served.port());
  Client second(served.port());
  ASSERT_TRUE(served.until([&] { return served.core.opened.size() == 2; }));
  Client third(served.port());
  EXPECT_EQ(served.receive(third, 1), "");
  EXPECT_TRUE(third.ended());
  EXPECT_EQ(served.host.refused_count(), 1u);
  first.send("go");
  EXPECT_EQ(served.receive(first, 6), "served");
  second.close();
  ASSERT_TRUE(served.until([&] { return served.host.connection_count() == 1; }));
  Client fourth(served.port());
  fourth.send("go");
  EXPECT_EQ(served.receive(fourth, 6), "served");
}

void set_listening(Served& served, ListenState state) {
  served.host.perform([&](auto, auto& effects) { effects.emplace_back(Listen{MemberId{0}, state}); });
}

TEST(Host, AMemberThatRefusesOpensAtItsPortAgain) {
  Served served;
  set_listening(served, ListenState::Refuse);
  EXPECT_EQ(Client(served.port()).connect_error(), ECONNREFUSED);
  set_listening(served, ListenState::Open);
  Client client(served.port());
  EXPECT_EQ(client.connect_error(), 0);
  EXPECT_TRUE(served.until([&] { return served.core.opened.size() == 1; }));
}

TEST(Host, AMemberThatIsGoneComesBackAtItsPort) {
  Served served;
  set_listening(served, ListenState::Gone);
  EXPECT_EQ(Client(served.port()).connect_error(), ECONNREFUSED);
  set_listening(served, ListenState::Open);
  Client client(served.port());
  EXPECT_TRUE(served.until([&] { return served.core.opened.size() == 1; }));
}

TEST(Host, AMemberThatJoinsIsTold) {
  Served served;
  served.host.perform([](auto, auto& effects) { effects.emplace_back(Listen{MemberId{1}, ListenState::Open}); });
  ASSERT_EQ(served.core.listening.size(), 2u);
  Client client(served.port(1));
  ASSERT_TRUE(served.until([&] { return served.core.opened.size() == 1; }));
  EXPECT_EQ(served.core.opened[0].member, MemberId{1});
}

TEST(Host, WakesTheCoreWhenItIsDue) {
  Served served;
  const emulator::RealTime due = now().real + std::chrono::milliseconds(20);
  served.core.wake = due;
  served.host.step(emulator::Woken{});  // any step: it forgets this wake
  EXPECT_EQ(served.core.woken, 1);
  served.host.perform([&](auto, auto&) { served.core.wake = due; });
  ASSERT_TRUE(served.until([&] { return served.core.woken == 2; }));
  EXPECT_GE(now().real, due);
}

TEST(Host, MovesTheTimerToAnEarlierWake) {
  Served served;
  served.host.perform([&](auto, auto&) { served.core.wake = now().real + std::chrono::hours(1); });
  served.host.perform([&](auto, auto&) { served.core.wake = now().real; });
  EXPECT_TRUE(served.until([&] { return served.core.woken == 1; }));
}

}  // namespace
}  // namespace server
