#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"connection", "app", "member"};

class DropConnections : public Step {
 public:
  DropConnections(std::string connection, std::string app, std::string member)
      : connection_(std::move(connection)), app_(std::move(app)), member_(std::move(member)) {}
  Progress perform(Stage& stage) const override {
    const emulator::JournalEntry* named = connection_.empty() ? nullptr : stage.names().request(connection_);
    for (const emulator::Connection* connection : stage.engine().connections()) {
      if (!connection_.empty() && (named == nullptr || named->connection != connection->id)) continue;
      if (!app_.empty() && connection->application != app_) continue;
      if (!member_.empty() && stage.names().member_name(connection->member) != member_) continue;
      stage.deployment().touch(emulator::CloseConnection{connection->id, emulator::Ending::AfterOutbox});
    }
    return Progress::Done;
  }

 private:
  std::string connection_, app_, member_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words drop(reader, value, "dropConnections", words);
  if (!drop.is_map()) return nullptr;
  const Node* connection = drop.find("connection");
  const Node* app = drop.find("app");
  const Node* member = drop.find("member");
  return std::make_unique<DropConnections>(connection != nullptr ? reader.use_name(*connection, "connection") : "",
                                           app != nullptr ? reader.text(*app, "app") : "",
                                           member != nullptr ? reader.text(*member, "member") : "");
}

}  // namespace

extern constinit const StepSpec drop_connections_step{
    .name = "dropConnections",
    .parse = parse,
    .help = "Closes connections, monitors too ({}: all), after what is ready for them has been sent.",
    .example = "dropConnections: {connection: opened}",
};

}  // namespace scenarios
