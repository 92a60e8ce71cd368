#include "emulator/change_event.h"
#include "scenarios/steps/step_words.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"ns", "document", "as"};

class Event : public Step {
 public:
  Event(std::string ns, Node document, std::string as)
      : ns_(std::move(ns)), document_(std::move(document)), as_(std::move(as)) {}
  Progress perform(Stage& stage) const override {
    emulator::Deployment& deployment = stage.deployment();
    const emulator::OplogPosition before = deployment.oplog.end();
    const std::size_t dot = ns_.find('.');
    const std::string db = ns_.substr(0, dot);
    const std::string name = ns_.substr(dot + 1);
    const emulator::Collection* collection = deployment.store.find(db, name);
    emulator::OplogNamespacePtr ns =
        collection != nullptr ? collection->identity()
                              : std::make_shared<emulator::OplogNamespace>(emulator::OplogNamespace{db, name, {}});
    emulator::OplogEntry entry = emulator::scripted_entry(std::move(ns), to_document(document_, stage.names()));
    entry.has_uuid = collection != nullptr;
    deployment.append(std::move(entry), stage.now());
    stage.name_events(as_, before);
    return Progress::Done;
  }

 private:
  std::string ns_;
  Node document_;
  std::string as_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words event(reader, value, "event", words);
  if (!event.is_map()) return nullptr;
  std::string ns = reader.ns(event.need("ns"), Reader::NsForm::Collection);
  const Node& document = event.need("document");
  check_document(reader, document, "document");
  return std::make_unique<Event>(std::move(ns), document, read_as(reader, value, NameKind::Event));
}

}  // namespace

extern constinit const StepSpec event_step{
    .name = "event",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help =
        "An event that no write made, as it is; _id, clusterTime, wallTime and ns are filled in where it lacks them.",
    .example = "event: {ns: app.items, document: {operationType: shardedWidget, extra: {}}, as: odd}",
};

}  // namespace scenarios
