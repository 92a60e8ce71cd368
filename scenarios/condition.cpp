#include "scenarios/condition.h"

#include <algorithm>

#include "scenarios/regex.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"delivered", "mark",   "waiting", "applied",  "connects",
                                      "closed",    "output", "exit",    "documents"};

class RequestComes : public Condition {
 public:
  explicit RequestComes(Filter filter) : filter_(std::move(filter)) {}
  bool is_request() const override { return true; }
  std::optional<Met> met(Stage& stage) const override {
    const Things& things = stage.things();
    for (std::size_t i = std::max(stage.script().thing_place, things.first()); i < things.end(); ++i) {
      if (things[i].kind != Thing::Kind::RequestOver) continue;
      const emulator::JournalEntry* entry = stage.entry_of(things[i]);
      if (entry != nullptr && holds(filter_, Seen{*entry}, stage.names())) return Met{i + 1, {}, entry->number};
    }
    return std::nullopt;
  }
  std::optional<Mismatch> mismatch_of(const Seen& seen, const Names& names) const override {
    return mismatch(filter_, seen, names);
  }

 private:
  Filter filter_;
};

class Connects : public Condition {
 public:
  Connects(std::string app, std::string member) : app_(std::move(app)), member_(std::move(member)) {}
  std::optional<Met> met(Stage& stage) const override {
    const Things& things = stage.things();
    for (std::size_t i = std::max(stage.script().thing_place, things.first()); i < things.end(); ++i) {
      const emulator::JournalEntry* entry = stage.entry_of(things[i]);
      if (things[i].kind != Thing::Kind::Connected || entry == nullptr) continue;
      if (!app_.empty() && entry->application != app_) continue;
      if (!member_.empty() && stage.names().member_name(entry->member) != member_) continue;
      return Met{i + 1, {}, 0};
    }
    return std::nullopt;
  }

 private:
  std::string app_, member_;
};

class Output : public Condition {
 public:
  explicit Output(const std::string& pattern) : pattern_(pattern) {}
  std::optional<Met> met(Stage& stage) const override {
    const std::vector<std::string>& lines = stage.consumer().lines;
    for (std::size_t i = stage.script().line_place; i < lines.size(); ++i)
      if (pattern_.found_in(lines[i])) return Met{{}, i + 1, 0};
    return std::nullopt;
  }

 private:
  Regex pattern_;
};

class Delivered : public Condition {
 public:
  Delivered(std::string event, std::string stream) : event_(std::move(event)), stream_(std::move(stream)) {}
  std::optional<Met> met(Stage& stage) const override {
    const auto event = stage.names().event(event_);
    const auto cursor = stream_.empty() ? std::optional<std::int64_t>(0) : stage.names().cursor(stream_);
    if (!event || !cursor) return std::nullopt;
    for (const emulator::JournalEntry& entry : stage.journal().entries()) {
      const emulator::JournalRequest* request = entry.request();
      if (request == nullptr || !request->delivered) continue;
      if (*cursor != 0 && request->read_cursor != *cursor && request->opened_cursor != *cursor) continue;
      if (std::ranges::any_of(request->events, [&](const auto& one) { return same_event(one, *event); })) return Met{};
    }
    return std::nullopt;
  }

 private:
  std::string event_, stream_;
};

class Marked : public Condition {
 public:
  explicit Marked(std::string mark) : mark_(std::move(mark)) {}
  std::optional<Met> met(Stage& stage) const override {
    return stage.has_mark(mark_) ? std::optional(Met{}) : std::nullopt;
  }

 private:
  std::string mark_;
};

class StreamWaits : public Condition {
 public:
  explicit StreamWaits(std::string stream) : stream_(std::move(stream)) {}
  std::optional<Met> met(Stage& stage) const override {
    const auto cursor = stage.names().cursor(stream_);
    if (!cursor) return std::nullopt;
    for (const emulator::Exchange* waiting : stage.engine().waiting())
      if (waiting->read_cursor == *cursor) return Met{};
    return std::nullopt;
  }

 private:
  std::string stream_;
};

class Applied : public Condition {
 public:
  explicit Applied(std::string fault) : fault_(std::move(fault)) {}
  std::optional<Met> met(Stage& stage) const override {
    const auto standing = stage.deployment().faults.standing(stage.names().fault(fault_));
    if (!standing || standing->taken == 0) return std::nullopt;
    const auto holds = [](const auto& fault) { return fault->holds(); };
    const bool is_hold = std::ranges::any_of(standing->injection->faults, holds);
    return !is_hold || standing->holding > 0 ? std::optional(Met{}) : std::nullopt;
  }

 private:
  std::string fault_;
};

class ConnectionClosed : public Condition {
 public:
  explicit ConnectionClosed(std::string request) : request_(std::move(request)) {}
  std::optional<Met> met(Stage& stage) const override {
    const emulator::JournalEntry* entry = stage.names().request(request_);
    return entry != nullptr && stage.engine().connection(entry->connection) == nullptr ? std::optional(Met{})
                                                                                       : std::nullopt;
  }

 private:
  std::string request_;
};

class Exits : public Condition {
 public:
  explicit Exits(Node wanted) : wanted_(std::move(wanted)) {}
  bool is_exit() const override { return true; }
  std::optional<Met> met(Stage& stage) const override {
    return exit_is(wanted_, stage.consumer()) ? std::optional(Met{}) : std::nullopt;
  }

 private:
  Node wanted_;
};

class DocumentsAre : public Condition {
 public:
  explicit DocumentsAre(DocumentsCheck check) : check_(std::move(check)) {}
  std::optional<Met> met(Stage& stage) const override {
    return documents_differ(stage, check_) ? std::nullopt : std::optional(Met{});
  }

 private:
  DocumentsCheck check_;
};

std::unique_ptr<Condition> read_connects(Reader& reader, const Node& node) {
  static constexpr std::string_view known[] = {"app", "member"};
  const Words connects(reader, node, "connects", known);
  const Node* app = node.find("app");
  const Node* member = node.find("member");
  return std::make_unique<Connects>(app != nullptr ? reader.text(*app, "app") : "",
                                    member != nullptr ? reader.text(*member, "member") : "");
}

std::unique_ptr<Condition> read_output(Reader& reader, const Node& node) {
  if (!reader.has_command) reader.problem(node.at, "output needs a COMMAND after --");
  return std::make_unique<Output>(reader.regex(node, "output"));
}

}  // namespace

std::span<const std::string_view> condition_words() { return words; }

std::unique_ptr<Condition> read_condition(Reader& reader, const Node& node) {
  const auto is_there = [&](std::string_view word) { return node.find(word) != nullptr; };
  const auto kinds = std::ranges::count_if(words, is_there);
  const bool delivered_on = is_there("delivered") && is_there("stream");
  if (kinds > 1 || (kinds == 1 && has_filter_word(node) && !delivered_on)) {
    reader.problem(node.at, "one await waits for one thing; several are a list");
    return nullptr;
  }
  if (const Node* event = node.find("delivered")) {
    const Node* stream = node.find("stream");
    return std::make_unique<Delivered>(reader.use_name(*event, "delivered"),
                                       stream != nullptr ? reader.use_name(*stream, "stream") : "");
  }
  if (const Node* mark = node.find("mark")) return std::make_unique<Marked>(reader.text(*mark, "mark"));
  if (const Node* stream = node.find("waiting"))
    return std::make_unique<StreamWaits>(reader.use_name(*stream, "waiting"));
  if (const Node* fault = node.find("applied")) return std::make_unique<Applied>(reader.use_name(*fault, "applied"));
  if (const Node* connects = node.find("connects")) return read_connects(reader, *connects);
  if (const Node* closed = node.find("closed"))
    return std::make_unique<ConnectionClosed>(reader.use_name(*closed, "closed"));
  if (const Node* output = node.find("output")) return read_output(reader, *output);
  if (const Node* documents = node.find("documents"))
    return std::make_unique<DocumentsAre>(read_documents_check(reader, *documents));
  if (const Node* exit = node.find("exit")) {
    check_exit(reader, *exit);
    return std::make_unique<Exits>(*exit);
  }
  if (has_filter_word(node)) return std::make_unique<RequestComes>(read_filter(reader, node));
  reader.problem(node.at, "await needs what it waits for, as command, delivered, output");
  return nullptr;
}

}  // namespace scenarios
