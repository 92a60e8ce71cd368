#include "scenarios/stable_journal.h"

#include <fmt/format.h>

#include <map>

#include "wire/extended_json.h"

namespace scenarios {
namespace {

// What belongs to the moment, or to the client's own chance.
bool is_stable(std::string_view field) {
  return field != "$clusterTime" && field != "operationTime" && field != "lsid";
}

wire::Document stable(wire::DocumentView document) {
  wire::DocumentBuilder out;
  for (const auto& [name, value] : document)
    if (is_stable(name)) out.append(name, value);
  return out.finish();
}

class StableText {
 public:
  explicit StableText(const Names& names) : names_(names) {}

  std::string line(const emulator::JournalEntry& entry) {
    if (const emulator::JournalRequest* request = entry.request()) {
      const bool idle = request->is_batch && request->events.empty() && request->read_cursor != 0;
      return request->monitoring || idle ? std::string() : request_line(entry, *request);
    }
    if (const auto* step = std::get_if<emulator::JournalStep>(&entry.what)) {
      std::string text;
      wire::append_json_string(text, step->text);
      return fmt::format("{{\"step\": {}}}\n", text);
    }
    return {};
  }

 private:
  std::string request_line(const emulator::JournalEntry& entry, const emulator::JournalRequest& request) {
    std::string text = fmt::format("{{\"connection\": {}, \"member\": ",
                                   number(connections_, static_cast<std::uint64_t>(entry.connection)));
    wire::append_json_string(text, names_.member_name(entry.member));
    text += ", \"application\": ";
    wire::append_json_string(text, entry.application);
    if (const wire::ValueView lsid = request.body["lsid"]; !lsid.missing())
      text += fmt::format(", \"session\": {}", number(sessions_, wire::to_json(lsid)));
    text += ", \"request\": " + wire::to_json(wire::DocumentView(stable(request.body)));
    if (!request.over) return text + ", \"reply\": \"waits\"}\n";
    if (request.kind == emulator::ReplyKind::None) return text + ", \"reply\": null}\n";
    return text + ", \"reply\": " + wire::to_json(wire::DocumentView(stable(request.reply))) + "}\n";
  }

  template <class Key>
  static std::size_t number(std::map<Key, std::size_t>& numbers, const Key& key) {
    return numbers.emplace(key, numbers.size() + 1).first->second;
  }

  const Names& names_;
  std::map<std::uint64_t, std::size_t> connections_;
  std::map<std::string, std::size_t> sessions_;
};

}  // namespace

std::string stable_journal(const emulator::Journal& journal, const Names& names) {
  StableText text(names);
  std::string lines;
  for (const emulator::JournalEntry& entry : journal.entries()) lines += text.line(entry);
  return lines;
}

}  // namespace scenarios
