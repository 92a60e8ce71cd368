#include "emulator/event_template.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstring>

namespace emulator {
namespace {

void append_bytes(std::string& out, std::span<const std::uint8_t> bytes) {
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::uint8_t* put(std::uint8_t* out, const void* bytes, std::size_t size) {
  std::memcpy(out, bytes, size);
  return out + size;
}

std::uint8_t* put_length(std::uint8_t* out, std::size_t length) {
  const auto value = static_cast<std::uint32_t>(length);
  return put(out, &value, sizeof value);
}

void append_header(std::string& out, wire::Type type, std::string_view name) {
  out += static_cast<char>(type);
  out += name;
  out += '\0';
}

// {<element>}
std::size_t key_document_bytes(const wire::SimpleKey& key) { return 4 + key.element.size() + 1; }

// An event of the kind, in which the builder shows where everything stands.
ChangeEvent sample(EventKind kind, const OplogNamespace& ns) {
  wire::DocumentBuilder key;
  key.append_int32("_id", 1);
  ChangeEvent event;
  event.kind = kind;
  event.db = ns.db;
  event.collection = ns.collection;
  event.uuid = ns.uuid;
  event.document_key = key.finish();
  event.document = event.document_key;
  return event;
}

// A stored document begins with its `_id`, so an insert's key is its first field; the others say theirs, which may have
// more fields than one.
wire::SimpleKey key_of(const OplogEntry& entry) {
  if (entry.op == Op::Insert && entry.o2.is_default()) {
    const wire::SimpleKey key = wire::simple_key(entry.o);
    return key.is_id() ? key : wire::SimpleKey{};
  }
  const wire::DocumentView stated = entry.op == Op::Delete ? entry.o.view() : entry.o2.view();
  const wire::SimpleKey key = wire::simple_key(stated);
  return key_document_bytes(key) == stated.size() ? key : wire::SimpleKey{};
}

}  // namespace

EventTemplate::EventTemplate(EventKind kind, const OplogNamespace& ns, const EventForm& form)
    : kind_(kind), token_(form.token_version, ns.uuid, operation_type(kind)) {
  const wire::Document event = build_event(sample(kind, ns), form);
  std::string constant;
  const auto slot = [&](Slot which) {
    constant_bytes_ += constant.size();
    if (which == Slot::ClusterTime || which == Slot::WallTime) constant_bytes_ += 8;
    if (which == Slot::Document) has_document_ = true;
    parts_.push_back({std::exchange(constant, {}), which});
  };
  for (const wire::Element& element : event) {
    append_header(constant, element.value.type(), element.name);
    if (element.name == "_id")
      slot(Slot::Token);
    else if (element.name == "clusterTime")
      slot(Slot::ClusterTime);
    else if (element.name == "wallTime")
      slot(Slot::WallTime);
    else if (element.name == "fullDocument")
      slot(Slot::Document);
    else if (element.name == "documentKey")
      slot(Slot::DocumentKey);
    else
      append_bytes(constant, element.value.bytes());
  }
  constant += '\0';
  constant_bytes_ += constant.size() + 4;
  rest_ = std::move(constant);
}

EventTemplate::Measured EventTemplate::measure(const OplogEntry& entry) const {
  const wire::SimpleKey key = key_of(entry);
  if (!key) return {};
  return {constant_bytes_ + token_.size(key) + key_document_bytes(key) + (has_document_ ? entry.o.size() : 0), key};
}

std::uint8_t* EventTemplate::write(std::uint8_t* out, const OplogEntry& entry, const Measured& measured) const {
  const wire::SimpleKey& key = measured.key;
  std::uint8_t* const start = out;
  out += 4;
  for (const Part& part : parts_) {
    out = put(out, part.constant.data(), part.constant.size());
    switch (part.slot) {
      case Slot::Token:
        out = token_.write(out, entry.time, key);
        break;
      case Slot::ClusterTime: {
        const std::uint64_t bits = entry.time.bits();
        out = put(out, &bits, sizeof bits);
        break;
      }
      case Slot::WallTime:
        out = put(out, &entry.wall_ms, sizeof entry.wall_ms);
        break;
      case Slot::Document:
        out = put(out, entry.o.view().data(), entry.o.size());
        break;
      case Slot::DocumentKey:
        out = put_length(out, key_document_bytes(key));
        out = put(out, key.element.data(), key.element.size());
        *out++ = 0;
        break;
    }
  }
  out = put(out, rest_.data(), rest_.size());
  put_length(start, static_cast<std::size_t>(out - start));
  return out;
}

wire::Document EventTemplate::token(const OplogEntry& entry) const {
  const wire::SimpleKey key = key_of(entry);
  constexpr std::size_t stack_bytes = 512;
  std::array<std::uint8_t, stack_bytes> stack;
  if (token_.size(key) <= stack.size()) {
    token_.write(stack.data(), entry.time, key);
    return wire::Document(wire::DocumentView(stack.data()));
  }
  std::vector<std::uint8_t> heap(token_.size(key));
  token_.write(heap.data(), entry.time, key);
  return wire::Document(wire::DocumentView(heap.data()));
}

const EventTemplate* EventTemplates::find(const OplogEntry& entry, const EventForm& form) {
  const bool is_update = entry.op == Op::Update;
  if (entry.op != Op::Insert && entry.op != Op::Delete && !is_update) return nullptr;
  if (is_update && entry.o.has("$v")) return nullptr;
  if (entry.ns.get() != last_ns_) {
    std::shared_ptr<OfNamespace>& slot = by_namespace_[entry.ns.get()];
    if (slot == nullptr) {
      slot = std::make_shared<OfNamespace>();
      slot->ns = entry.ns;
    }
    last_ns_ = entry.ns.get();
    last_ = slot.get();
  }
  std::unique_ptr<EventTemplate>& by = entry.op == Op::Insert   ? last_->insert
                                       : entry.op == Op::Delete ? last_->remove
                                                                : last_->replace;
  const EventKind kind = entry.op == Op::Insert   ? EventKind::Insert
                         : entry.op == Op::Delete ? EventKind::Delete
                                                  : EventKind::Replace;
  if (by == nullptr) by = std::make_unique<EventTemplate>(kind, *entry.ns, form);
  return by.get();
}

std::vector<std::shared_ptr<const void>> EventTemplates::keep_alive() const {
  std::vector<std::shared_ptr<const void>> out;
  out.reserve(by_namespace_.size());
  for (const auto& [ns, templates] : by_namespace_) out.push_back(templates);
  return out;
}

namespace {

std::size_t digits(std::size_t value) {
  std::size_t count = 1;
  for (; value >= 10; value /= 10) ++count;
  return count;
}

// "<type 3><index>\0": what stands before each event in the array.
std::size_t item_header_bytes(std::size_t index) { return 2 + digits(index); }

}  // namespace

void EventRange::grow(std::size_t count, std::size_t events_bytes) {
  bytes_ += events_bytes;
  for (; count > 0; --count) bytes_ += item_header_bytes(count_++);
}

void EventRange::add(const Oplog& oplog, OplogPosition position, std::size_t count, const EventTemplate& by,
                     std::size_t events_bytes) {
  grow(count, events_bytes);
  runs_.push_back({&oplog.at(position), &by, count});
  const Oplog::SegmentPtr segment = oplog.segment(position);
  if (segments_.empty() || segments_.back() != segment) segments_.push_back(segment);
}

void EventRange::add(wire::Document document) {
  grow(1, document.size());
  documents_.push_back(std::move(document));
  if (!runs_.empty() && runs_.back().first == nullptr)
    ++runs_.back().count;
  else
    runs_.push_back({nullptr, nullptr, 1});
}

// Writes whole events while they fit; one that fits nowhere is rendered aside and handed out in parts.
class EventRange::Cursor final : public wire::RenderCursor {
 public:
  explicit Cursor(const EventRange& range) : range_(range) {}

  std::size_t read(std::span<std::byte> out) override {
    auto* const start = reinterpret_cast<std::uint8_t*>(out.data());
    std::uint8_t* at = start;
    std::uint8_t* const end = start + out.size();
    while (aside_at_ < aside_.size() || run_ < range_.runs_.size()) {
      if (aside_at_ < aside_.size()) {
        const std::size_t part = std::min(static_cast<std::size_t>(end - at), aside_.size() - aside_at_);
        at = put(at, aside_.data() + aside_at_, part);
        aside_at_ += part;
        if (at == end) break;
        continue;
      }
      if (std::uint8_t* const after = write_next(at, end); after != nullptr) {
        at = after;
        advance();
      } else if (at != start) {
        break;
      } else {
        set_aside();
      }
    }
    return static_cast<std::size_t>(at - start);
  }

 private:
  // nullptr: there is no room.
  std::uint8_t* write_next(std::uint8_t* out, const std::uint8_t* end) const {
    const Run& run = range_.runs_[run_];
    return run.first != nullptr ? write_entry(out, end, run) : write_document(out, end);
  }

  std::uint8_t* write_entry(std::uint8_t* out, const std::uint8_t* end, const Run& run) const {
    const OplogEntry& entry = run.first[offset_];
    const EventTemplate::Measured measured = run.by->measure(entry);
    if (!has_room(measured.bytes, out, end)) return nullptr;
    return run.by->write(write_header(out), entry, measured);
  }

  std::uint8_t* write_document(std::uint8_t* out, const std::uint8_t* end) const {
    const wire::Document& document = range_.documents_[document_];
    if (!has_room(document.size(), out, end)) return nullptr;
    return put(write_header(out), document.view().data(), document.size());
  }

  bool has_room(std::size_t event_bytes, const std::uint8_t* out, const std::uint8_t* end) const {
    return item_header_bytes(number_) + event_bytes <= static_cast<std::size_t>(end - out);
  }

  std::uint8_t* write_header(std::uint8_t* out) const {
    *out++ = static_cast<std::uint8_t>(wire::Type::Document);
    char* text = reinterpret_cast<char*>(out);
    text = std::to_chars(text, text + 20, number_).ptr;
    *text++ = '\0';
    return reinterpret_cast<std::uint8_t*>(text);
  }

  void set_aside() {
    const Run& run = range_.runs_[run_];
    const std::size_t event_bytes =
        run.first != nullptr ? run.by->measure(run.first[offset_]).bytes : range_.documents_[document_].size();
    aside_.resize(item_header_bytes(number_) + event_bytes);
    aside_at_ = 0;
    auto* const at = reinterpret_cast<std::uint8_t*>(aside_.data());
    write_next(at, at + aside_.size());
    advance();
  }

  void advance() {
    const Run& run = range_.runs_[run_];
    ++number_;
    if (run.first == nullptr) ++document_;
    if (++offset_ < run.count) return;
    ++run_;
    offset_ = 0;
  }

  const EventRange& range_;
  std::size_t run_ = 0;
  std::size_t offset_ = 0;    // in the run
  std::size_t number_ = 0;    // of the event, in all
  std::size_t document_ = 0;  // the next
  std::string aside_;
  std::size_t aside_at_ = 0;
};

std::unique_ptr<wire::RenderCursor> EventRange::cursor() const { return std::make_unique<Cursor>(*this); }

}  // namespace emulator
