// The way of an event into the batch: whole where it may, in fragments where the stream splits large events.
#include <fmt/format.h>

#include "emulator/error_codes.h"
#include "emulator/stream_reading.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

void check_size(const wire::Document& document, std::size_t bytes_max) {
  if (document.size() <= bytes_max) return;
  const wire::Element first = document.view().first();
  throw CommandError(
      code::object_too_large,
      fmt::format("BSONObj size: {} (0x{:X}) is invalid. Size must be between 0 and {}(16MB) First element: {}: {}",
                  document.size(), document.size(), bytes_max, first.name, bson_text(first.value)));
}

// What the pipeline was given as _id: the token, but where a scripted event has its own.
void check_id(const ChangeEvent& event, const wire::Document& token, wire::DocumentView found) {
  const bool has_own = event.kind == EventKind::Scripted && event.document.has("_id");
  const wire::Value want = has_own ? wire::Value(event.document["_id"]) : wire::Value::document(token);
  const wire::ValueView have = found["_id"];
  if (have.identical(want.view())) return;
  const std::string shown = have.missing() ? "{}" : "{ _id: " + bson_text(have) + " }";
  throw CommandError(
      code::change_stream_fatal_error,
      "Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. "
      "Modifying the _id field of an event makes it impossible to resume the stream from that point. Only "
      "transformations that retain the unmodified _id field are allowed. Expected: { _id: " +
          bson_text(want.view()) + " } but found: " + shown);
}

}  // namespace

void ChangeStream::show_event(Context& context, Reading& reading, const ChangeEvent& event, wire::Document document) {
  const wire::ResumeToken token = event_token(event, form_for(event, context.profile()).token_version);
  wire::Document token_document = wire::encode(token);
  const std::size_t bytes_max = context.deployment.spec.event_bytes_max;
  if (splits()) {
    const std::size_t whole_bytes_max = whole_event_bytes_max(bytes_max, token_document);
    if (document.size() > whole_bytes_max) {
      std::vector<Fragment> fragments = split_event(document, token, whole_bytes_max);
      for (std::size_t number = fragments_seen_; number < fragments.size(); ++number) {
        EventReference reference = event.reference;
        reference.kind = 2 + static_cast<std::int32_t>(number);
        fragments_.push_back({std::move(fragments[number]), reference, event.time});
      }
      return;
    }
    if (fragments_seen_ > 0)
      throw CommandError(code::change_stream_fatal_error,
                         "Attempted to resume from a split event fragment, but the event in the resumed stream was not "
                         "large enough to be split");
  }
  if (definition_.has_pipeline) check_id(event, token_document, document);
  check_size(document, bytes_max);
  if (!reading.has_room(document.size())) {
    pending_.push_front(event);
    reading.cut = true;
    return;
  }
  reading.add(std::move(document), event.reference, std::move(token_document), event.time);
}

void ChangeStream::take_fragment(Reading& reading) {
  PendingFragment& next = fragments_.front();
  if (!reading.has_room(next.fragment.document.size())) {
    reading.cut = true;
    return;
  }
  reading.add(std::move(next.fragment.document), next.reference, std::move(next.fragment.token), next.time);
  fragments_.pop_front();
}

}  // namespace emulator
