#include "emulator/stream_options.h"

#include <algorithm>
#include <array>

#include "emulator/command_error.h"
#include "emulator/error_codes.h"
#include "emulator/facts/stream_facts.h"
#include "emulator/value_text.h"
#include "wire/format_error.h"

namespace emulator {
namespace {

using wire::Type;

std::string field(std::string_view name) { return "$changeStream." + std::string(name); }

[[noreturn]] void wrong_type(const wire::Element& element, std::string_view expected) {
  throw CommandError(code::type_mismatch, "BSON field '" + field(element.name) + "' is the wrong type '" +
                                              std::string(wire::type_name(element.value.type())) +
                                              "', expected type '" + std::string(expected) + "'");
}

bool read_bool(const wire::Element& element) {
  if (!element.value.is(Type::Bool))
    throw CommandError(code::type_mismatch, "Field '" + std::string(element.name) +
                                                "' should be a boolean value, but found: " +
                                                std::string(wire::type_name(element.value.type())));
  return element.value.as_bool();
}

std::string_view read_enumeration(const wire::Element& element) {
  if (!element.value.is(Type::String)) wrong_type(element, "string");
  return element.value.as_string();
}

[[noreturn]] void no_such_value(const wire::Element& element) {
  throw CommandError(code::bad_value, "Enumeration value '" + std::string(element.value.as_string()) + "' for field '" +
                                          field(element.name) + "' is not a valid value.");
}

[[noreturn]] void unrecognized_full_document(std::string_view text, Wording wording) {
  const char quote = wording <= Wording::V4_2 ? '"' : '\'';
  const auto quoted = [quote](std::string_view word) { return quote + std::string(word) + quote; };
  throw CommandError(40575, "unrecognized value for the 'fullDocument' option to the $changeStream stage. Expected " +
                                quoted("default") + " or " + quoted("updateLookup") + ", got " + quoted(text));
}

FullDocumentMode read_full_document(const wire::Element& element, const Profile& profile) {
  const std::string_view text = read_enumeration(element);
  if (text == "default") return FullDocumentMode::Default;
  if (text == "updateLookup") return FullDocumentMode::UpdateLookup;
  if (profile.streams.option_parser == StreamFacts::OptionParser::ByHand)
    unrecognized_full_document(text, profile.wording);
  if (!profile.streams.post_images) no_such_value(element);
  if (text == "whenAvailable") return FullDocumentMode::WhenAvailable;
  if (text == "required") return FullDocumentMode::Required;
  no_such_value(element);
}

BeforeChangeMode read_before_change(const wire::Element& element) {
  const std::string_view text = read_enumeration(element);
  if (text == "off") return BeforeChangeMode::Off;
  if (text == "whenAvailable") return BeforeChangeMode::WhenAvailable;
  if (text == "required") return BeforeChangeMode::Required;
  no_such_value(element);
}

wire::DocumentView read_token(const wire::Element& element) {
  if (!element.value.is(Type::Document)) wrong_type(element, "object");
  return element.value.as_document();
}

bool knows(std::string_view option, const Profile& profile) {
  const StreamFacts& facts = profile.streams;
  if (option == "fullDocumentBeforeChange" || option == "allowToRunOnConfigDB") return facts.pre_images;
  if (option == "showExpandedEvents" || option == "showSystemEvents" || option == "showRawUpdateDescription")
    return facts.expanded_events;
  return true;
}

// Known to some server, without effect on a replica set or never public.
bool is_passed_over(std::string_view name, const StreamFacts& facts) {
  static constexpr std::array names{std::string_view("allowToRunOnConfigDB"), std::string_view("allowToRunOnSystemNS"),
                                    std::string_view("showMigrationEvents")};
  static constexpr std::array of_8_1{std::string_view("version"), std::string_view("ignoreRemovedShards"),
                                     std::string_view("supportedEvents"), std::string_view("showCommitTimestamp"),
                                     std::string_view("matchCollectionUUIDForUpdateLookup")};
  return std::ranges::find(names, name) != names.end() ||
         (facts.options_of_8_1 && std::ranges::find(of_8_1, name) != of_8_1.end());
}

struct Resume {
  wire::DocumentView after;
  wire::DocumentView start_after;
  bool has_after = false;
  bool has_start_after = false;
};

[[noreturn]] void unknown(std::string_view name) {
  throw CommandError(code::unknown_field, "BSON field '" + field(name) + "' is an unknown field.");
}

bool* expanded_option(StreamOptions& options, std::string_view name) {
  if (name == "showExpandedEvents") return &options.show_expanded_events;
  if (name == "showSystemEvents") return &options.show_system_events;
  if (name == "showRawUpdateDescription") return &options.show_raw_update_description;
  return nullptr;
}

void read_option(const wire::Element& element, const Profile& profile, StreamOptions& options, Resume& resume) {
  const std::string_view name = element.name;
  if (!knows(name, profile)) unknown(name);
  const bool is_null = element.value.is(Type::Null);
  if (name == "fullDocument") {
    if (!is_null) options.full_document = read_full_document(element, profile);
  } else if (name == "fullDocumentBeforeChange") {
    if (!profile.streams.pre_images) unknown(name);
    if (!is_null) options.before_change = read_before_change(element);
  } else if (name == "resumeAfter") {
    if (!is_null) resume.after = read_token(element);
    resume.has_after = !is_null;
  } else if (name == "startAfter") {
    if (!is_null) resume.start_after = read_token(element);
    resume.has_start_after = !is_null;
  } else if (name == "startAtOperationTime") {
    if (is_null) return;
    if (!element.value.is(Type::Timestamp)) wrong_type(element, "timestamp");
    options.start_at = element.value.as_timestamp();
  } else if (name == "allChangesForCluster") {
    if (profile.streams.option_parser != StreamFacts::OptionParser::ByHand)
      options.all_changes_for_cluster = read_bool(element);
    else if (element.value.is(Type::Bool))
      options.all_changes_for_cluster = element.value.as_bool();
    else if (!is_null)
      wrong_type(element, "bool");
  } else if (bool* option = expanded_option(options, name)) {
    *option = read_bool(element);
  } else if (!is_passed_over(name, profile.streams)) {
    unknown(name);
  }
}

wire::TokenDialect token_dialect(const Profile& profile) {
  if (profile.streams.split_large_event) return wire::TokenDialect::Server60Split;
  if (profile.streams.token_version_read_max >= 2) return wire::TokenDialect::Server60;
  return profile.wording <= Wording::V4_2 ? wire::TokenDialect::Server42 : wire::TokenDialect::Server44;
}

void check_object(const wire::Element& stage, const StreamFacts& facts) {
  if (stage.value.is(Type::Document)) return;
  if (facts.option_parser != StreamFacts::OptionParser::Idl60)
    throw CommandError(50808, "$changeStream stage expects a document as argument.");
  throw CommandError(6188500,
                     "$changeStream must take a nested object but found: $changeStream: " + bson_text(stage.value));
}

}  // namespace

StreamOptions parse_stream_options(const wire::Element& stage, const Profile& profile) {
  const StreamFacts& facts = profile.streams;
  check_object(stage, facts);
  const std::string_view full_stop = profile.wording <= Wording::V5_0 ? "." : "";
  StreamOptions options;
  options.hides_copies = facts.hides_copies;
  options.shows_view_catalog = facts.shows_view_catalog;
  Resume resume;
  for (const wire::Element& element : stage.value.as_document()) read_option(element, profile, options, resume);
  if (resume.has_after && resume.has_start_after)
    throw CommandError(50865, "Do not specify both 'resumeAfter' and 'startAfter' in a $changeStream stage");
  if (!resume.has_after && !resume.has_start_after) return options;
  const wire::DocumentView token = resume.has_after ? resume.after : resume.start_after;
  try {
    options.resume = wire::decode_resume_token(token, token_dialect(profile));
  } catch (const wire::FormatError& error) {
    throw CommandError(error.code(), error.what());
  }
  options.resume_token = wire::Document(token);
  if (options.start_at)
    throw CommandError(40674,
                       "Only one type of resume option is allowed, but multiple were found" + std::string(full_stop));
  if (resume.has_after && options.resume->from_invalidate)
    throw CommandError(
        code::invalid_resume_token,
        "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification" +
            std::string(full_stop));
  return options;
}

}  // namespace emulator
