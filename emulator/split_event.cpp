#include "emulator/split_event.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "emulator/command_error.h"

namespace emulator {
namespace {

constexpr std::size_t kept_for_reply_bytes = 8 * 1024;
constexpr std::size_t buffer_bytes_max = std::size_t{64} << 20;  // BufferMaxSize

// <type><name>\0<value>
std::size_t element_bytes(const wire::Element& element) {
  return 2 + element.name.size() + element.value.bytes().size();
}

// mongod writes the event into one buffer before it looks at its size.
void check_buffer(wire::DocumentView event) {
  if (event.size() <= buffer_bytes_max) return;
  std::size_t bytes = 4 + 1;
  for (const wire::Element& element : event) {
    bytes += element_bytes(element);
    if (bytes > buffer_bytes_max) break;
  }
  throw CommandError(13548, fmt::format("BufBuilder attempted to grow() to {} bytes, past the 64MB limit.", bytes));
}

std::vector<wire::Element> smallest_first(wire::DocumentView event) {
  std::vector<wire::Element> fields;
  for (const wire::Element& element : event)
    if (element.name != "_id") fields.push_back(element);
  std::ranges::sort(fields, [](const wire::Element& a, const wire::Element& b) {
    return std::tuple(element_bytes(a), a.name) < std::tuple(element_bytes(b), b.name);
  });
  return fields;
}

wire::Document fragment_token(wire::ResumeToken token, std::size_t number) {
  token.fragment_num = static_cast<int>(number);
  return wire::encode(token);
}

// mongod counts the sort key that goes with the fragment between its nodes: $sortKey: [token].
std::size_t sort_key_bytes(wire::DocumentView token) {
  constexpr std::size_t element_around = sizeof "$sortKey" + 1;
  constexpr std::size_t array_around = 4 + 3 + 1;
  return element_around + array_around + token.size();
}

void begin_fragment(wire::DocumentBuilder& out, const wire::Document& token, std::size_t number, std::size_t count) {
  out.append_document("_id", token).begin_document("splitEvent");
  out.append_int32("fragment", static_cast<std::int32_t>(number + 1));
  out.append_int32("of", static_cast<std::int32_t>(count)).end();
}

}  // namespace

std::size_t whole_event_bytes_max(std::size_t event_bytes_max, const wire::Document& token) {
  const std::size_t kept = kept_for_reply_bytes + token.size();
  return event_bytes_max > kept ? event_bytes_max - kept : 0;
}

std::vector<Fragment> split_event(const wire::Document& event, const wire::ResumeToken& token,
                                  std::size_t fragment_bytes_max) {
  check_buffer(event);
  const std::vector<wire::Element> fields = smallest_first(event);
  std::vector<std::size_t> ends;  // of each fragment, in `fields`
  for (std::size_t at = 0; at < fields.size();) {
    wire::DocumentBuilder head;
    begin_fragment(head, fragment_token(token, ends.size()), 0, 0);
    std::size_t bytes = head.view().size() + sort_key_bytes(head.view()["_id"].as_document());
    do bytes += element_bytes(fields[at++]);
    while (at < fields.size() && bytes + element_bytes(fields[at]) <= fragment_bytes_max);
    if (bytes > fragment_bytes_max)
      throw CommandError(
          7182500,
          fmt::format(
              "Splitting change event failed: fragment size {} is greater than maximum allowed fragment size {}", bytes,
              fragment_bytes_max));
    ends.push_back(at);
  }
  std::vector<Fragment> fragments;
  fragments.reserve(ends.size());
  std::size_t at = 0;
  for (const std::size_t end : ends) {
    wire::DocumentBuilder out;
    wire::Document own = fragment_token(token, fragments.size());
    begin_fragment(out, own, fragments.size(), ends.size());
    for (; at < end; ++at) out.append(fields[at].name, fields[at].value);
    fragments.push_back({out.finish(), std::move(own)});
  }
  return fragments;
}

}  // namespace emulator
