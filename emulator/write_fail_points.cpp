#include "emulator/write_fail_points.h"

#include <algorithm>

#include "emulator/arguments.h"
#include "emulator/context.h"
#include "emulator/cursor_session.h"
#include "emulator/session.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

constexpr std::string_view transactional_write = "onPrimaryTransactionalWrite";
constexpr std::string_view collection_updates = "failCollectionUpdates";

class WriteFailPoint final : public Fault {
 public:
  WriteFailPoint(const FailPointMode& mode, wire::DocumentView data, std::uint64_t seed)
      : mode_(mode), data_(data), chance_(seed, "write fail points") {}

  Moment moment() const override { return Moment::Reply; }
  // Only of requests that entered it.
  void deliver(Delivery& delivery) const override {
    if (closes_connection()) delivery.then = Delivery::Then::CloseUnsent;
  }

  const wire::Document& data() const { return data_; }
  bool closes_connection() const {
    const wire::ValueView closes = data_["closeConnection"];
    return closes.missing() || (closes.is(wire::Type::Bool) && closes.as_bool());
  }
  bool enter() {
    if (entered_ >= mode_.times || seen_++ < mode_.skip) return false;
    if (mode_.chance < 1 && chance_.unit() >= mode_.chance) return false;
    ++entered_;
    return true;
  }
  std::uint64_t entered() const { return entered_; }
  bool is_endless() const { return mode_.times == fault_always; }

 private:
  FailPointMode mode_;
  wire::Document data_;
  RandomStream chance_;
  std::uint64_t seen_ = 0;
  std::uint64_t entered_ = 0;
};

struct Standing {
  FaultId id = 0;
  WriteFailPoint* point = nullptr;
};

std::vector<Standing> standing(const Deployment& deployment, std::string_view name) {
  std::vector<Standing> out;
  for (const FaultPlan::Standing& entry : deployment.faults.standings())
    if (entry.injection->name == name && !entry.injection->faults.empty())
      if (auto* point = dynamic_cast<WriteFailPoint*>(entry.injection->faults.front().get()))
        out.push_back({entry.over ? 0 : entry.id, point});
  return out;
}

// The one that is on and is entered now; `id` 0: none.
Standing enter(const Context& context, std::string_view name) {
  if (context.deployment.faults.empty()) return {};
  for (const Standing& candidate : standing(context.deployment, name))
    if (candidate.id != 0 && candidate.point->enter()) return candidate;
  return {};
}

std::string session_text(const Context& context) {
  return logical_session_text(context.session->lsid, context.profile().wording) + ":" +
         std::to_string(context.session->txn_number);
}

}  // namespace

std::unique_ptr<Fault> make_write_fail_point(const FailPointMode& mode, wire::DocumentView data, std::uint64_t seed) {
  return std::make_unique<WriteFailPoint>(mode, data, seed);
}

std::uint64_t times_entered(const Deployment& deployment, const std::string& name) {
  std::uint64_t entered = deployment.faults.taken_by(name);
  for (const Standing& entry : standing(deployment, name)) entered += entry.point->entered();
  return entered;
}

std::optional<CommandError> enter_transactional_write(const Context& context) {
  const Standing entered = enter(context, transactional_write);
  if (entered.id == 0) return std::nullopt;
  if (entered.point->closes_connection()) {
    const auto later = std::ranges::upper_bound(context.exchange.faults, entered.id, {}, &Exchange::TakenBy::fault);
    context.exchange.faults.insert(later, {entered.id, 0});
  }
  const wire::ValueView thrown = entered.point->data()["failBeforeCommitExceptionCode"];
  if (!thrown.is_number()) return std::nullopt;
  const auto code = static_cast<int>(whole_number(thrown));
  // A write conflict is tried again outside of transactions, as long as the fail point lets it.
  constexpr int write_conflict_code = 112;
  if (code == write_conflict_code && context.transaction == nullptr && !entered.point->is_endless())
    return enter_transactional_write(context);
  return CommandError(
      code, "Failing write for " + session_text(context) + " due to failpoint. The write must not be reflected.");
}

std::optional<CommandError> enter_collection_update(const Context& context, const OplogNamespace& updated,
                                                    const wire::Document& logged, const wire::Document& key) {
  if (context.deployment.faults.empty()) return std::nullopt;
  const std::string ns = updated.full();
  for (const Standing& candidate : standing(context.deployment, collection_updates)) {
    const wire::ValueView its = candidate.point->data()["collectionNS"];
    if (candidate.id == 0 || !its.is(wire::Type::String) || its.as_string() != ns) continue;
    if (!candidate.point->enter()) continue;
    return CommandError(40654, "failCollectionUpdates failpoint enabled, namespace: " + ns +
                                   ", update: " + bson_text(logged) + " on document with " + bson_text(key));
  }
  return std::nullopt;
}

}  // namespace emulator
