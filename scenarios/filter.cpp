#include "scenarios/filter.h"

#include <algorithm>

#include "wire/compare.h"
#include "wire/extended_json.h"
#include "wire/resume_token.h"

namespace scenarios {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return out;
}

// The arguments of $changeStream; nullopt: the request opens no stream.
std::optional<wire::DocumentView> change_stream_stage(wire::DocumentView body) {
  const wire::ValueView pipeline = body["pipeline"];
  if (!pipeline.is(wire::Type::Array)) return std::nullopt;
  const wire::ValueView first = pipeline.as_document().first().value;
  if (!first.is(wire::Type::Document)) return std::nullopt;
  const wire::ValueView stage = first.as_document()["$changeStream"];
  if (!stage.is(wire::Type::Document) || first.as_document().first().name != "$changeStream") return std::nullopt;
  return stage.as_document();
}

std::optional<wire::DocumentView> carried_token(wire::DocumentView stage) {
  for (const std::string_view option : {"resumeAfter", "startAfter"})
    if (const wire::ValueView token = stage[option]; token.is(wire::Type::Document)) return token.as_document();
  return std::nullopt;
}

bool among(const std::vector<std::string>& allowed, std::string_view text) {
  return allowed.empty() || std::ranges::find(allowed, text) != allowed.end();
}

std::string namespace_of(const emulator::JournalRequest& request) {
  const wire::ValueView own = request.body.view().first().value;
  const wire::ValueView collection = own.is(wire::Type::String) ? own : request.body["collection"];
  return collection.is(wire::Type::String) ? request.db + "." + std::string(collection.as_string()) : request.db;
}

bool is_ns(const std::string& wanted, const emulator::JournalRequest& request) {
  const std::string ns = namespace_of(request);
  if (wanted.find('.') != std::string::npos) return ns == wanted;
  // A getMore of a whole database's stream names the collection $cmd.aggregate.
  return request.db == wanted && (ns == wanted || ns.starts_with(wanted + ".$cmd"));
}

// An opened stream's request but for where it starts and what belongs to the moment.
wire::Document without_position(wire::DocumentView body) {
  wire::DocumentBuilder out;
  for (const auto& [name, value] : body) {
    if (name == "lsid" || name == "$clusterTime" || name == "txnNumber") continue;
    const auto stage = name == "pipeline" ? change_stream_stage(body) : std::nullopt;
    if (!stage) {
      out.append(name, value);
      continue;
    }
    out.begin_array(name);
    out.begin_document(out.item_name()).begin_document("$changeStream");
    for (const auto& [option, argument] : *stage)
      if (option != "resumeAfter" && option != "startAfter" && option != "startAtOperationTime")
        out.append(option, argument);
    out.end().end();
    std::size_t index = 0;
    for (const auto& [position, later] : value.as_document())
      if (index++ > 0) out.item(later);
    out.end();
  }
  return out.finish();
}

class Judge {
 public:
  Judge(const Filter& filter, const Seen& seen, const Names& names) : filter_(filter), seen_(seen), names_(names) {}

  std::optional<Mismatch> operator()() const {
    if (auto differs = who()) return differs;
    if (auto differs = how_opened()) return differs;
    if (filter_.matches() != nullptr)
      if (auto differs = mismatch(*filter_.matches(), wire::Value::document(request().body), names_))
        return in("request", *differs);
    return answer();
  }

 private:
  const emulator::JournalRequest& request() const { return seen_.request(); }

  static Mismatch in(std::string_view what, Mismatch differs) {
    differs.path = differs.path.empty() ? std::string(what) : std::string(what) + "." + differs.path;
    return differs;
  }
  Mismatch word(std::string_view name, std::string actual) const {
    const Node* expected = filter_.node.find(name);
    return {std::string(name), expected == nullptr ? std::string{} : flow_text(*expected, 400), std::move(actual)};
  }
  bool opens() const { return change_stream_stage(request().body).has_value(); }

  std::optional<Mismatch> who() const {
    if (!filter_.names_command() && filter_.request.empty() && request().monitoring)
      return word("command", request().command);
    if (filter_.names_command()) {
      const bool opened = opens() && among(filter_.commands, "open");
      if (!opened && !among(filter_.commands, lower(request().command)))
        return word("command", opens() ? "open" : request().command);
    }
    const auto named_ns = [&](const std::string& ns) { return is_ns(ns, request()); };
    if (!filter_.namespaces.empty() && std::ranges::none_of(filter_.namespaces, named_ns))
      return word("ns", namespace_of(request()));
    if (!filter_.stream.empty() && !reads_stream()) return word("stream", "another stream or none");
    if (!filter_.request.empty()) {
      const emulator::JournalEntry* named = names_.request(filter_.request);
      if (named == nullptr || named->number != seen_.entry.number) return word("request", "another request");
    }
    if (!filter_.connection.empty()) {
      const emulator::JournalEntry* named = names_.request(filter_.connection);
      if (named == nullptr || named->connection != seen_.entry.connection)
        return word("connection", "another connection");
    }
    if (!among(filter_.applications, seen_.entry.application)) return word("app", seen_.entry.application);
    if (!among(filter_.members, names_.member_name(seen_.entry.member)))
      return word("member", names_.member_name(seen_.entry.member));
    return std::nullopt;
  }

  // It is a getMore, or killCursors, of the cursor that the named request opened.
  bool reads_stream() const {
    const emulator::JournalEntry* opened = names_.request(filter_.stream);
    if (opened == nullptr) return false;
    const std::int64_t cursor = opened->request()->opened_cursor;
    if (cursor == 0) return false;
    if (seen_.live != nullptr && seen_.live->read_cursor == cursor) return true;
    if (request().read_cursor == cursor) return true;
    const wire::ValueView own = request().body.view().first().value;
    if (own.is(wire::Type::Int64)) return own.as_int64() == cursor;
    const wire::ValueView killed = request().body["cursors"];
    if (!killed.is(wire::Type::Array)) return false;
    return std::ranges::any_of(killed.as_document(), [&](const wire::Element& element) {
      return element.value.is(wire::Type::Int64) && element.value.as_int64() == cursor;
    });
  }

  std::optional<Mismatch> how_opened() const {
    if (filter_.from.empty() && filter_.carries() == nullptr && filter_.like.empty()) return std::nullopt;
    const auto stage = change_stream_stage(request().body);
    if (!stage) return Mismatch{"command", "open", request().command};
    if (!filter_.from.empty()) {
      std::string from = "nothing";
      for (const std::string_view option : {"startAtOperationTime", "startAfter", "resumeAfter"})
        if (stage->has(option)) from = option;
      if (!among(filter_.from, from)) return word("from", from);
    }
    if (filter_.carries() != nullptr && !carries(*filter_.carries(), carried_token(*stage)))
      return word("carries", shown_token(*stage));
    if (!filter_.like.empty()) return like(filter_.like);
    return std::nullopt;
  }

  std::string shown_token(wire::DocumentView stage) const {
    const auto token = carried_token(stage);
    if (!token) return "none";
    const std::string name = names_.name_of_token(*token);
    const wire::ValueView hex = (*token)["_data"];
    const std::string text =
        hex.is(wire::Type::String) ? std::string(hex.as_string()) : std::string("a token without _data");
    return name.empty() ? text : name + " (" + text + ")";
  }

  bool carries(const Node& wanted, const std::optional<wire::DocumentView>& token) const {
    if (const Node::List* list = wanted.list())
      return std::ranges::any_of(*list, [&](const Node& one) { return carries(one, token); });
    if (const std::string* text = wanted.text()) {
      if (*text == "none") return !token;
      if (*text == "any") return token.has_value();
      const auto named = names_.token(*text);
      return token && named && wire::compare_tokens(*token, *named) == 0;
    }
    if (!token || wanted.map() == nullptr) return false;
    return std::ranges::all_of(*wanted.map(), [&](const auto& bound) {
      const auto& [key, name] = bound;
      const auto named = names_.token(*name.text());
      if (!named) return false;
      const auto order = wire::compare_tokens(*token, *named);
      if (key.name == "$$gte") return order >= 0;
      if (key.name == "$$gt") return order > 0;
      if (key.name == "$$lte") return order <= 0;
      return order < 0;
    });
  }

  std::optional<Mismatch> like(const std::string& name) const {
    const emulator::JournalEntry* other = names_.request(name);
    if (other == nullptr) return word("like", "the name is not set");
    const wire::Document mine = without_position(request().body);
    const wire::Document theirs = without_position(other->request()->body);
    if (wire::compare_documents(mine, theirs) == 0) return std::nullopt;
    return Mismatch{"like " + name, wire::to_json(theirs, wire::JsonForm::Relaxed),
                    wire::to_json(mine, wire::JsonForm::Relaxed)};
  }

  std::optional<Mismatch> answer() const {
    if (!filter_.needs_reply()) return std::nullopt;
    if (!seen_.has_reply()) return Mismatch{"reply", "a reply", "none was made"};
    if (filter_.reply() != nullptr)
      if (auto differs = mismatch(*filter_.reply(), wire::Value::document(seen_.reply()), names_))
        return in("reply", *differs);
    if (filter_.events() == nullptr) return std::nullopt;
    if (seen_.live != nullptr ? !seen_.live->batch : !request().is_batch) return word("events", "no stream's batch");
    return events_match(*filter_.events()) ? std::nullopt : std::optional(word("events", shown_events()));
  }

  bool events_match(const Node& wanted) const {
    const auto is_event = [&](const Node& name, const emulator::EventReference& event) {
      const auto named = names_.event(*name.text());
      return named && same_event(*named, event);
    };
    if (const Node::List* list = wanted.list()) return std::ranges::equal(*list, seen_.events(), is_event);
    const auto* contains = wanted.special();
    if (contains == nullptr || contains->second.list() == nullptr) return false;
    return std::ranges::all_of(*contains->second.list(), [&](const Node& name) {
      return std::ranges::any_of(seen_.events(), [&](const auto& event) { return is_event(name, event); });
    });
  }

  std::string shown_events() const {
    std::string text = "[";
    for (const auto& event : seen_.events()) {
      if (text.size() > 200) return text + ", …]";
      const std::string name = names_.name_of(event);
      text += (text.size() > 1 ? ", " : "") + (name.empty() ? "an event without a name" : name);
    }
    return text + "]";
  }

  const Filter& filter_;
  const Seen& seen_;
  const Names& names_;
};

}  // namespace

bool Seen::has_reply() const {
  if (live != nullptr) return live->body.size() > 0;
  return request().over && request().kind != emulator::ReplyKind::None;
}

wire::DocumentView Seen::reply() const {
  return live != nullptr ? live->reply_document().view() : request().reply.view();
}

const emulator::EventReferences& Seen::events() const {
  return live != nullptr && live->batch ? live->batch->events : request().events;
}

std::optional<Mismatch> mismatch(const Filter& filter, const Seen& seen, const Names& names) {
  return Judge(filter, seen, names)();
}

}  // namespace scenarios
