#include "scenarios/director.h"

#include "scenarios/play.h"
#include "scenarios/stable_journal.h"

namespace scenarios {

Director::Director(Scenario scenario, DirectorOptions options, emulator::Now now)
    : play_(std::make_unique<Play>(std::move(scenario), std::move(options), now)) {}
Director::~Director() = default;

void Director::step(const Input& input, emulator::Now now, std::vector<Effect>& effects) {
  play_->step(input, now, effects);
}
std::optional<emulator::RealTime> Director::next_wake() const { return play_->next_wake(); }
void Director::interrupt(const std::string& sentence, emulator::Now now, std::vector<Effect>& effects) {
  play_->interrupt(sentence, now, effects);
}
bool Director::finished() const { return play_->finished(); }
const Scenario& Director::scenario() const { return play_->scenario(); }
const emulator::Journal& Director::journal() const { return play_->stage().journal(); }
emulator::Engine& Director::engine() { return play_->stage().engine(); }
std::string Director::stable_journal() const {
  return scenarios::stable_journal(play_->stage().journal(), play_->stage().names());
}

}  // namespace scenarios
