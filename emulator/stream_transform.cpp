// What a stream does to one event: images, the client's pipeline, and the rules that a result must keep.
#include <fmt/format.h>

#include "emulator/change_stream.h"
#include "emulator/diff.h"
#include "emulator/error_codes.h"
#include "emulator/facts/event_facts.h"
#include "emulator/facts/image_facts.h"
#include "emulator/images.h"
#include "emulator/value_text.h"
#include "wire/document_places.h"

namespace emulator {
namespace {

bool has_pre_image(EventKind kind) {
  return kind == EventKind::Update || kind == EventKind::Replace || kind == EventKind::Delete;
}

Image looked_up(const Deployment& deployment, const ChangeEvent& event) {
  const Collection* collection = deployment.store.find(event.db, event.collection);
  if (collection == nullptr) return Image::null();
  const wire::Document found = collection->find_by_id(event.document_key["_id"], ReadView{});
  return found.is_default() ? Image::null() : Image::of(found);
}

bool images_are_entries(const Profile& profile) {
  return profile.images.pre_images == ImageFacts::PreImages::NoopEntries;
}

// Where images are entries of the oplog, an event without one has no field for it.
Image pre_image(const Deployment& deployment, const ChangeEvent& event) {
  const Image none = images_are_entries(deployment.profile) ? Image{} : Image::null();
  if (!event.uuid) return none;
  const wire::Document found = find_pre_image(deployment, *event.uuid, event.image_time, event.image_index);
  return found.is_default() ? none : Image::of(found);
}

[[noreturn]] void image_not_recorded(const ChangeEvent& event, const EventForm& form) {
  constexpr int no_pre_image_optime = 51770;
  throw CommandError(no_pre_image_optime,
                     "Change stream was configured to require a pre-image for all update, delete and replace events, "
                     "but no pre-image optime was recorded for event: " +
                         expression_text(build_event(event, form)));
}

[[noreturn]] void image_missing(const ChangeEvent& event, std::string_view which) {
  const bool pre = which == "pre";
  std::string text = fmt::format(
      "Change stream was configured to require a {}-image for all {} events, but the {}-image was not found for event: "
      "{{operationType: \"{}\", ns: {{db: \"{}\", coll: \"{}\"}}, clusterTime: Timestamp({}, {})",
      which, pre ? "update, delete and replace" : "update", which, operation_type(event.kind), event.db,
      event.collection, event.time.seconds, event.time.increment);
  if (event.txn_number >= 0) text += fmt::format(", txnNumber: {}", event.txn_number);
  throw CommandError(code::no_matching_document, text + "}");
}

wire::Document marker(std::int32_t value) {
  wire::DocumentBuilder out;
  out.append_int32("marker", value);
  return out.finish();
}

bool same(const std::optional<wire::Document>& a, const std::optional<wire::Document>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || a->view().identical(b->view());
}

// An event is made field by field; a write's has a place for its fullDocument even when it has none.
wire::Document with_places(const ChangeEvent& event, const EventForm& form, const wire::Document& built) {
  if (!event.is_write() || form.profile->events.full_document_last || built.has("fullDocument"))
    return wire::as_changed(built);
  wire::DocumentBuilder out;
  out.append({}, wire::change_mark);
  for (const wire::Element& element : built) {
    if (element.name == "ns") append_placed(out, "fullDocument", {});
    out.append(element.name, element.value);
  }
  return out.finish();
}

// Where the difference takes `_id` away, mongod puts the old one in front.
wire::Document post_image_of(const wire::Document& pre, wire::DocumentView diff) {
  wire::Document post = apply_diff(pre, diff);
  if (!pre.has("_id") || post.has("_id")) return post;
  wire::DocumentBuilder out;
  return out.append("_id", pre["_id"]).append_all(post).finish();
}

}  // namespace

void ChangeStream::add_images(Context& context, ChangeEvent& event) const {
  const StreamOptions& options = definition_.options;
  const Deployment& deployment = context.deployment;
  if (event.kind == EventKind::Update && options.full_document == FullDocumentMode::UpdateLookup)
    event.full_document = looked_up(deployment, event);
  const bool post_image =
      event.kind == EventKind::Update &&
      (options.full_document == FullDocumentMode::WhenAvailable || options.full_document == FullDocumentMode::Required);
  const bool before = has_pre_image(event.kind) && options.before_change != BeforeChangeMode::Off;
  if (!post_image && !before) return;
  const Image image = pre_image(deployment, event);
  if (before) event.before_change = image;
  if (!post_image) return;
  event.full_document =
      image.state == Image::State::Present ? Image::of(post_image_of(image.document, event.diff)) : Image::null();
}

std::optional<wire::Document> ChangeStream::through_pipeline(const ChangeEvent& event, const EventForm& form) const {
  const wire::Document built = build_event(event, form);
  if (!definition_.has_pipeline) return built;
  return definition_.pipeline.apply(built,
                                    [&](const wire::Document& document) { return with_places(event, form, document); });
}

std::optional<wire::Document> ChangeStream::transform(Context& context, ChangeEvent& event) const {
  const StreamOptions& options = definition_.options;
  const EventForm form = form_for(event, context.profile());
  if (wants_images()) add_images(context, event);
  const bool lacks_pre = options.before_change == BeforeChangeMode::Required && has_pre_image(event.kind) &&
                         event.before_change.state != Image::State::Present;
  const bool lacks_post =
      options.full_document == FullDocumentMode::Required && event.full_document.state == Image::State::Null;
  if (lacks_pre && images_are_entries(*form.profile) && through_pipeline(event, form)) image_not_recorded(event, form);
  if (lacks_pre || lacks_post) {
    // mongod fetches an image only for events that its pipeline lets through and only if a stage wants it: whether it does
    // shows when two different images give the same result.
    ChangeEvent one = event;
    ChangeEvent other = event;
    for (auto [probe, value] : {std::pair{&one, 1}, std::pair{&other, 2}}) {
      if (lacks_pre) probe->before_change = Image::of(marker(value));
      if (lacks_post) probe->full_document = Image::of(marker(value));
    }
    std::optional<wire::Document> out = through_pipeline(one, form);
    if (!same(out, through_pipeline(other, form))) image_missing(event, lacks_pre ? "pre" : "post");
    return out;
  }
  return through_pipeline(event, form);
}

}  // namespace emulator
