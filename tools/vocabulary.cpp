#include "tools/vocabulary.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "emulator/faults/table.h"
#include "emulator/profile.h"
#include "scenarios/steps/table.h"
#include "server/options.h"
#include "server/start_error.h"

namespace tools {

namespace {

struct Word {
  std::string_view name;
  std::string text;
};

std::string_view evidence_word(emulator::Evidence evidence) {
  switch (evidence) {
    case emulator::Evidence::Golden:
      return "checked against the real server";
    case emulator::Evidence::Source:
      return "from the server's source";
    case emulator::Evidence::Inferred:
      return "inferred";
  }
  return "";
}

std::string entry(std::string_view name, std::string_view help, std::string_view example) {
  return fmt::format("{}\n    {}\n    {}\n", name, help, example);
}

// What it says otherwise than the row it derives from, and so on to the row that derives from none.
std::string differences_text(const emulator::Profile& profile) {
  std::string text;
  for (const emulator::Profile* at = &profile; at != nullptr && !at->derived_from.empty();
       at = emulator::find_profile(at->derived_from)) {
    text += fmt::format("    {} otherwise than {}:\n", at->version, at->derived_from);
    for (const emulator::Difference& difference : at->differences)
      text += fmt::format("      {}\n        {}: {}\n", difference.says, evidence_word(difference.evidence),
                          difference.where);
  }
  return text;
}

std::vector<Word> words_of(const VocabularyRequest& request) {
  const Vocabulary vocabulary = request.vocabulary;
  std::vector<Word> words;
  if (vocabulary == Vocabulary::Steps) {
    for (const scenarios::StepSpec* step : scenarios::all_steps()) {
      words.push_back({step->name, entry(step->name, step->help, step->example)});
    }
  } else if (vocabulary == Vocabulary::Faults) {
    for (const emulator::FaultSpec* fault : emulator::all_faults()) {
      words.push_back({fault->name, entry(fault->name, fault->help, fault->example)});
    }
  } else {
    for (const emulator::Profile& profile : emulator::all_profiles()) {
      words.push_back(
          {profile.name, fmt::format("{}\n    {}, wire version {}, tokens version {}\n    {}: {}\n", profile.name,
                                     profile.version, profile.max_wire_version, profile.token_version,
                                     evidence_word(profile.evidence), profile.evidence_text) +
                             (request.evidence ? differences_text(profile) : std::string())});
    }
  }
  return words;
}

std::string_view command_word(Vocabulary vocabulary) {
  switch (vocabulary) {
    case Vocabulary::Steps:
      return "steps";
    case Vocabulary::Faults:
      return "faults";
    case Vocabulary::Profiles:
      return "profiles";
  }
  return "";
}

}  // namespace

std::string vocabulary_text(const VocabularyRequest& request) {
  const std::optional<std::string>& name = request.name;
  std::string text;
  std::vector<std::string_view> names;
  for (const Word& word : words_of(request)) {
    if (name == word.name) return word.text;
    names.push_back(word.name);
    text += word.text;
  }
  if (!name) return text;
  throw server::StartError(fmt::format("{}: there is no \"{}\"{}", command_word(request.vocabulary), *name,
                                       server::suggestion(*name, names)));
}

}  // namespace tools
