#include "emulator/event_template.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstring>

namespace emulator {
namespace {

constexpr std::size_t key_bytes_max = 256;

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

}  // namespace

// The document key of an entry, on the stack where it has to be made.
struct EventTemplate::Key {
  explicit Key(const OplogEntry& entry) {
    if (entry.op != Op::Insert) {
      view = entry.op == Op::Delete ? entry.o.view() : entry.o2.view();
      return;
    }
    // A stored document begins with its `_id`; its bytes are those of the key.
    const wire::Element id = entry.o.view().first();
    const std::size_t element = 1 + id.name.size() + 1 + id.value.bytes().size();
    if (id.name != "_id" || element + 5 > key_bytes_max) return;
    std::uint8_t* out = put_length(bytes.data(), element + 5);
    out = put(out, entry.o.view().data() + 4, element);
    *out = 0;
    view = wire::DocumentView(bytes.data());
  }
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
  std::array<std::uint8_t, key_bytes_max> bytes;
  wire::DocumentView view;
};

EventTemplate::EventTemplate(EventKind kind, const OplogNamespace& ns, const EventForm& form)
    : kind_(kind), token_(form.token_version, ns.uuid, operation_type(kind)) {
  const wire::Document event = build_event(sample(kind, ns), form);
  std::string constant;
  const auto slot = [&](Slot which) {
    constant_bytes_ += constant.size();
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

  ChangeEvent with_long = sample(kind, ns);
  wire::DocumentBuilder key;
  key.append_int64("_id", 1);
  with_long.document_key = key.finish();
  const wire::Document token = wire::encode(event_token(with_long, form.token_version));
  const wire::ValueView bits = token["_typeBits"];
  append_header(long_type_bits_, bits.type(), "_typeBits");
  append_bytes(long_type_bits_, bits.bytes());
}

namespace {

// {_data: <text of that length>[, _typeBits]}
constexpr std::size_t token_document_bytes(std::size_t data_bytes, std::size_t type_bits_bytes) {
  return 4 + 1 + sizeof "_data" + 4 + data_bytes + 1 + type_bits_bytes + 1;
}

bool has_long(wire::DocumentView key) { return key.data()[4] == static_cast<std::uint8_t>(wire::Type::Int64); }

}  // namespace

std::size_t EventTemplate::size(const OplogEntry& entry) const {
  const Key key(entry);
  const std::size_t data_bytes = token_.data_size(key.view);
  if (data_bytes == 0) return 0;
  std::size_t bytes = constant_bytes_;
  for (const Part& part : parts_) {
    switch (part.slot) {
      case Slot::Token:
        bytes += token_document_bytes(data_bytes, has_long(key.view) ? long_type_bits_.size() : 0);
        break;
      case Slot::ClusterTime:
      case Slot::WallTime:
        bytes += 8;
        break;
      case Slot::Document:
        bytes += entry.o.size();
        break;
      case Slot::DocumentKey:
        bytes += key.view.size();
        break;
    }
  }
  return bytes;
}

std::uint8_t* EventTemplate::write(std::uint8_t* out, const OplogEntry& entry) const {
  const Key key(entry);
  std::uint8_t* const start = out;
  out += 4;
  for (const Part& part : parts_) {
    out = put(out, part.constant.data(), part.constant.size());
    switch (part.slot) {
      case Slot::Token: {
        const std::size_t data_bytes = token_.data_size(key.view);
        const std::size_t type_bits_bytes = has_long(key.view) ? long_type_bits_.size() : 0;
        out = put_length(out, token_document_bytes(data_bytes, type_bits_bytes));
        static constexpr char header[] = "\x02_data";
        out = put(out, header, sizeof header);
        out = put_length(out, data_bytes + 1);
        char* end = token_.write_data(reinterpret_cast<char*>(out), entry.time, key.view);
        out = reinterpret_cast<std::uint8_t*>(end);
        *out++ = 0;
        out = put(out, long_type_bits_.data(), type_bits_bytes);
        *out++ = 0;
        break;
      }
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
        out = put(out, key.view.data(), key.view.size());
        break;
    }
  }
  out = put(out, rest_.data(), rest_.size());
  put_length(start, static_cast<std::size_t>(out - start));
  return out;
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

void EventRange::grow(std::size_t event_bytes) { bytes_ += item_header_bytes(items_.size()) + event_bytes; }

void EventRange::add(const OplogEntry& entry, const EventTemplate& by, std::size_t event_bytes,
                     const Oplog::SegmentPtr& segment) {
  grow(event_bytes);
  items_.push_back({&entry, &by, static_cast<std::uint32_t>(event_bytes), 0});
  if (segments_.empty() || segments_.back() != segment) segments_.push_back(segment);
}

void EventRange::add(wire::Document document) {
  grow(document.size());
  items_.push_back(
      {nullptr, nullptr, static_cast<std::uint32_t>(document.size()), static_cast<std::uint32_t>(documents_.size())});
  documents_.push_back(std::move(document));
}

// Writes whole events while they fit; one that fits nowhere is rendered aside and handed out in parts.
class EventRange::Cursor final : public wire::RenderCursor {
 public:
  explicit Cursor(const EventRange& range) : range_(range) {}

  std::size_t read(std::span<std::byte> out) override {
    auto* const start = reinterpret_cast<std::uint8_t*>(out.data());
    std::uint8_t* at = start;
    std::size_t left = out.size();
    while (aside_at_ < aside_.size() || next_ < range_.items_.size()) {
      if (aside_at_ < aside_.size()) {
        const std::size_t part = std::min(left, aside_.size() - aside_at_);
        at = put(at, aside_.data() + aside_at_, part);
        aside_at_ += part;
        left -= part;
        if (left == 0) break;
        continue;
      }
      const std::size_t bytes = item_header_bytes(next_) + range_.items_[next_].event_bytes;
      if (bytes > left) {
        if (at != start) break;
        aside_.resize(bytes);
        aside_at_ = 0;
        write(reinterpret_cast<std::uint8_t*>(aside_.data()));
        continue;
      }
      at = write(at);
      left -= bytes;
    }
    return static_cast<std::size_t>(at - start);
  }

 private:
  std::uint8_t* write(std::uint8_t* out) {
    const Item& item = range_.items_[next_];
    *out++ = static_cast<std::uint8_t>(wire::Type::Document);
    char* text = reinterpret_cast<char*>(out);
    text = std::to_chars(text, text + 20, next_).ptr;
    *text++ = '\0';
    out = reinterpret_cast<std::uint8_t*>(text);
    ++next_;
    if (item.entry != nullptr) return item.by->write(out, *item.entry);
    const wire::Document& document = range_.documents_[item.document];
    return put(out, document.view().data(), document.size());
  }

  const EventRange& range_;
  std::size_t next_ = 0;
  std::string aside_;
  std::size_t aside_at_ = 0;
};

std::unique_ptr<wire::RenderCursor> EventRange::cursor() const { return std::make_unique<Cursor>(*this); }

}  // namespace emulator
