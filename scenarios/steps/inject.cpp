#include "scenarios/fault_reader.h"
#include "scenarios/steps/step_words.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"fault", "for", "skip", "times", "lasts", "chance", "as"};

class Inject : public Step {
 public:
  std::vector<WrittenFault> faults;
  std::optional<Filter> filter;
  std::uint64_t skip = 0;
  std::uint64_t times = 1;
  double chance = 1;
  std::optional<std::chrono::nanoseconds> lasts;
  std::string as;

  Progress perform(Stage& stage) const override {
    emulator::Injection injection;
    try {
      for (const WrittenFault& fault : faults) injection.faults.push_back(make_fault(fault, stage.names()));
    } catch (const std::runtime_error& error) {
      throw StepFailed(error.what());
    }
    injection.skip = skip;
    injection.times = times;
    injection.chance = chance;
    injection.lasts = lasts;
    injection.name = as.empty() ? std::string(faults.front().spec->name) : as;
    injection.filter_needs_reply = filter && filter->needs_reply();
    injection.filter = [&stage, filter = filter.value_or(Filter{})](const emulator::Exchange& exchange,
                                                                    const emulator::Connection&) {
      const emulator::JournalEntry* entry = stage.journal().find_exchange(exchange.id);
      return entry != nullptr && holds(filter, Seen{*entry, &exchange}, stage.names());
    };
    const emulator::FaultId id = stage.deployment().faults.inject(std::move(injection), stage.now());
    if (!as.empty()) stage.names().set(as, NamedFault{id});
    end_waits(stage, id);
    return Progress::Done;
  }

 private:
  // An error at the reply ends the waiting requests that it is for.
  static void end_waits(Stage& stage, emulator::FaultId id) {
    for (const emulator::Exchange* waiting : stage.engine().waiting()) {
      const emulator::Connection* connection = stage.engine().connection(waiting->connection);
      if (connection != nullptr && stage.deployment().faults.ends_wait(id, *waiting, *connection, stage.now()))
        stage.deployment().touch(emulator::TouchedExchange{waiting->id});
    }
  }
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words inject(reader, value, "inject", words);
  if (!inject.is_map()) return nullptr;
  auto step = std::make_unique<Inject>();
  step->faults = read_faults(reader, inject.need("fault"));
  if (const Node* filter = inject.find("for")) {
    step->filter = read_filter(reader, *filter);
    if (step->filter->needs_reply() && acts_at_arrival(step->faults))
      reader.problem(filter->at, "reply and events can only choose for faults that act at the reply");
  }
  if (const Node* skip = inject.find("skip")) step->skip = static_cast<std::uint64_t>(reader.count(*skip, "skip"));
  if (const Node* times = inject.find("times")) {
    if (times->text() != nullptr && *times->text() == "always")
      step->times = emulator::fault_always;
    else if (times->text() != nullptr)
      reader.problem(times->at, "times is a whole number or always");
    else
      step->times = static_cast<std::uint64_t>(reader.count(*times, "times"));
  }
  if (const Node* chance = inject.find("chance")) step->chance = reader.fraction(*chance, "chance");
  if (const Node* lasts = inject.find("lasts")) step->lasts = reader.duration(*lasts, "lasts");
  step->as = read_as(reader, value, NameKind::Fault);
  if (step->faults.empty()) return nullptr;
  return step;
}

}  // namespace

extern constinit const StepSpec inject_step{
    .name = "inject",
    .parse = parse,
    .help =
        "From now on a fault (oplogue faults lists them) takes the requests that `for` names: the first (times: 1), "
        "after skip.",
    .example = "inject: {fault: {error: 43}, for: {command: getMore, stream: s}, skip: 1, as: failing}",
};

}  // namespace scenarios
