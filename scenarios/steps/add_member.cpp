#include <algorithm>

#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

class AddMember : public Step {
 public:
  explicit AddMember(std::string name) : name_(std::move(name)) {}
  Progress perform(Stage& stage) const override {
    emulator::Deployment& deployment = stage.deployment();
    if (std::ranges::any_of(deployment.members, [&](const auto& one) { return one.name == name_; }))
      throw StepFailed("there is a member " + name_ + " already");
    emulator::Member member;
    member.id = static_cast<emulator::MemberId>(deployment.members.size());
    member.name = name_;
    member.role = emulator::Role::Secondary;
    // Its oplog begins at its initial sync, with the entry that says so.
    deployment.append_noop("Reconfig set", stage.now());
    member.first = deployment.oplog.end() - 1;
    member.position = deployment.oplog.end();
    deployment.members.push_back(member);
    ++deployment.config_version;
    deployment.touch(emulator::Listen{member.id, emulator::ListenState::Open});
    return Progress::Done;
  }

 private:
  std::string name_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  return std::make_unique<AddMember>(reader.text(value, "addMember"));
}

}  // namespace

extern constinit const StepSpec add_member_step{
    .name = "addMember",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "A member joins; its oplog begins at its initial sync, so resuming there from before that gets 286.",
    .example = "addMember: b",
};

}  // namespace scenarios
