// A change stream: where it stands in the oplog, what of it it shows, and how far its post-batch token has moved.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/change_event.h"
#include "emulator/context.h"
#include "emulator/cursor.h"
#include "emulator/event_template.h"
#include "emulator/pipeline.h"
#include "emulator/split_event.h"
#include "emulator/stream_options.h"

namespace emulator {

struct StreamScope {
  std::string db;          // empty: the whole cluster
  std::string collection;  // empty: the whole database
};

struct StreamDefinition {
  StreamScope scope;
  StreamOptions options;
  int token_version = 1;  // what it emits
  Pipeline pipeline;      // the client's stages after $changeStream
  Pipeline leading;       // those $match stages of it that come first: they also decide which events a resume meets
  bool has_pipeline = false;
};

class ChangeStream final : public Cursor {
 public:
  ChangeStream(StreamDefinition definition, const Deployment& deployment, Now now);

  // The aggregate's first batch; never waits. batch_size 0 reads nothing.
  void read_first(Context& context, std::int64_t batch_size);
  Outcome read(Context& context, const ReadRequest& request) override;
  bool await_data() const override { return true; }
  bool is_change_stream() const override { return true; }

  const StreamDefinition& definition() const { return definition_; }
  // Where it goes on reading, and its post-batch resume token.
  OplogPosition position() const { return position_; }
  const wire::Document& post_batch_token() const { return post_batch_token_; }

 private:
  struct Reading;  // one batch while it is filled
  enum class Step { Event, End };
  struct PendingFragment {
    Fragment fragment;
    EventReference reference;
    wire::Timestamp time;
  };

  void fill(Context& context, Reading& reading);
  Step take_entry(Context& context, Reading& reading);
  bool take_fast(Context& context, Reading& reading, const OplogEntry& entry);
  bool take_run(const Context& context, Reading& reading, const EventTemplate& by, const EventForm& form);
  void take_event(Context& context, Reading& reading, const ChangeEvent& event);
  // stream_split.cpp: an event on its way into the batch, whole or as fragments.
  void show_event(Context& context, Reading& reading, const ChangeEvent& event, wire::Document document);
  void take_fragment(Reading& reading);
  bool shows(const ChangeEvent& event) const;
  bool invalidates(const ChangeEvent& event) const;
  // Whether an event is past the point to resume from; throws 280 when that point was not there.
  bool is_resumed(const ChangeEvent& event, Context& context);
  std::optional<wire::Document> transform(Context& context, ChangeEvent& event) const;
  void add_images(Context& context, ChangeEvent& event) const;
  std::optional<wire::Document> through_pipeline(const ChangeEvent& event, const EventForm& form) const;
  EventForm form_for(const ChangeEvent& event, const Profile& profile) const;
  bool splits() const { return definition_.pipeline.splits_large_events(); }
  void start_lost(const Context& context) const;
  void check_history(const Context& context);
  void move_token(const Context& context, Reading& reading);
  void write_batch(Context& context, Reading& reading, std::string_view field);
  bool wants_images() const {
    return definition_.options.full_document != FullDocumentMode::Default ||
           definition_.options.before_change != BeforeChangeMode::Off;
  }

  StreamDefinition definition_;
  wire::Timestamp start_;                     // the time it began to look from
  OplogPosition position_ = 0;                // the next entry
  std::deque<ChangeEvent> pending_;           // of the entry before it, not yet shown
  std::optional<wire::ResumeToken> seeking_;  // the event to resume after, until it was met
  std::size_t fragments_seen_ = 0;            // of the event that is read next: the client has these already
  std::deque<PendingFragment> fragments_;     // of a split event, not yet shown
  bool has_read_ = false;
  bool invalidated_ = false;
  wire::Document post_batch_token_;
  wire::Timestamp token_time_;
  EventTemplates templates_;
};

}  // namespace emulator
