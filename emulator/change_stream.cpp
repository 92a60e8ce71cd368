// Reading a change stream: which entries concern it, where a resume begins, what a batch holds.
#include "emulator/change_stream.h"

#include <algorithm>
#include <span>

#include "emulator/error_codes.h"
#include "emulator/executor_error.h"
#include "emulator/facts/stream_facts.h"
#include "emulator/limits.h"
#include "emulator/sharding.h"
#include "emulator/stream_reading.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

wire::Timestamp next_after(wire::Timestamp time) { return {time.seconds, time.increment + 1}; }

wire::Document high_water_token(wire::Timestamp time, int version) {
  return wire::encode(wire::high_water_mark(time, version));
}

// <0: earlier than the token, 0: it is the event, >0: the event is past it. Field by field (facts §1.5).
int compare_to(const wire::ResumeToken& event, const wire::ResumeToken& token) {
  const auto order = [](const auto& a, const auto& b) { return a < b ? -1 : b < a ? 1 : 0; };
  if (const int by = order(event.cluster_time, token.cluster_time)) return by;
  if (const int by = order(event.txn_op_index, token.txn_op_index)) return by;
  if (const int by = order(event.from_invalidate, token.from_invalidate)) return by;
  if (const int by = order(event.uuid, token.uuid)) return by;
  const auto identifiers = wire::compare_values(event.event_identifier, token.event_identifier);
  return identifiers < 0 ? -1 : identifiers > 0 ? 1 : 0;
}

bool is_internal_database(std::string_view db) { return db == "admin" || db == "config" || db == "local"; }

// Opened with an empty batch, and its place lost since. Returns where the server says what it always says.
void lost_before_first_batch(const Profile& profile) {
  if (profile.streams.lost_at_first_get_more != StreamFacts::LostAtFirstGetMore::MinTimestamp) return;
  constexpr int oplog_query_min_ts_missing = 326;
  const std::string_view what = profile.wording <= Wording::V4_4 ? "minTs" : "timestamp";
  throw CommandError(oplog_query_min_ts_missing,
                     "Specified " + std::string(what) + " has already fallen off the oplog");
}

}  // namespace

ChangeStream::ChangeStream(StreamDefinition definition, const Deployment& deployment, Now /*now*/)
    : definition_(std::move(definition)) {
  const StreamOptions& options = definition_.options;
  const wire::Timestamp fresh = next_after(deployment.cluster_time());
  start_ = options.resume ? options.resume->cluster_time : options.start_at.value_or(fresh);
  position_ = deployment.oplog.lower_bound(start_);
  if (options.resume && options.resume->kind == wire::ResumeToken::Kind::Event) seeking_ = options.resume;
  token_time_ = start_;
  post_batch_token_ =
      options.resume ? wire::encode(*options.resume) : high_water_token(start_, definition_.token_version);
}

bool ChangeStream::shows(const ChangeEvent& event) const {
  const StreamScope& scope = definition_.scope;
  if (!definition_.options.show_expanded_events && (!is_classic(event.kind) || event.on_view)) return false;
  if (definition_.options.hides_copies && event.is_write() && event.collection.ends_with(".renameCollection"))
    return false;
  if (!scope.collection.empty()) {
    if (event.on_view || event.kind == EventKind::DropDatabase) return false;
    const bool is_target = event.to_db == scope.db && event.to_collection == scope.collection;
    return (event.db == scope.db && event.collection == scope.collection) || is_target;
  }
  const bool is_view_catalog = event.collection == "system.views";
  const bool is_system = event.collection.starts_with("system.");
  const bool shows_system =
      definition_.options.show_system_events && (!is_view_catalog || definition_.options.shows_view_catalog);
  if (is_system ? !shows_system : event.collection.find('$') != std::string::npos) return false;
  return scope.db.empty() ? !is_internal_database(event.db) : event.db == scope.db;
}

bool ChangeStream::invalidates(const ChangeEvent& event) const {
  const StreamScope& scope = definition_.scope;
  if (scope.db.empty()) return false;
  if (event.kind == EventKind::DropDatabase) return event.db == scope.db;
  if (scope.collection.empty()) return false;
  return (event.kind == EventKind::Drop || event.kind == EventKind::Rename) && shows(event);
}

// Until the point to resume from is passed, tokens are made in the version of the client's (facts §1.2).
EventForm ChangeStream::form_for(const ChangeEvent& event, const Profile& profile) const {
  const std::optional<wire::ResumeToken>& resume = definition_.options.resume;
  const bool as_the_client = resume && resume->kind == wire::ResumeToken::Kind::Event &&
                             event.time <= resume->cluster_time && event.transaction_index <= resume->txn_op_index;
  return {&profile, as_the_client ? resume->version : definition_.token_version,
          definition_.options.show_expanded_events, definition_.options.show_raw_update_description};
}

bool ChangeStream::is_resumed(const ChangeEvent& event, Context& context) {
  if (!seeking_) return true;
  const EventForm form = form_for(event, context.profile());
  const bool sees_hidden = context.profile().streams.resumes_from_hidden_event;
  if (!sees_hidden && definition_.has_pipeline && !definition_.leading.empty()) {
    ChangeEvent whole = event;
    add_images(context, whole);
    if (!definition_.leading.apply(build_event(whole, form))) return false;
  }
  const wire::ResumeToken token = event_token(event, form.token_version);
  const int order = compare_to(token, *seeking_);
  if (order < 0) return false;
  if (order > 0)
    throw CommandError(code::change_stream_fatal_error,
                       "cannot resume stream; the resume token was not found. {_data: \"" +
                           std::string(wire::encode(token)["_data"].as_string()) + "\"}");
  if (seeking_->fragment_num) fragments_seen_ = static_cast<std::size_t>(*seeking_->fragment_num) + 1;
  seeking_.reset();
  return fragments_seen_ > 0;
}

// Where the stream would begin has left the oplog before anything was read of it.
void ChangeStream::start_lost(const Context& context) const {
  using At = StreamFacts::LostAtFirstGetMore;
  const StreamFacts& facts = context.profile().streams;
  const bool opening = context.exchange.read_cursor == 0;
  // Up to 4.2 only an aggregate looks, and not for a token that some event must match.
  if (facts.lost_at_first_get_more == At::Unnoticed && (!opening || seeking_)) return;
  if (!opening) lost_before_first_batch(context.profile());
  throw CommandError(facts.history_lost_code,
                     "Resume of change stream was not possible, as the resume point may no longer be in the oplog." +
                         std::string(facts.history_lost_suffix));
}

void ChangeStream::check_history(const Context& context) {
  const Deployment& deployment = context.deployment;
  const OplogPosition first = std::max(context.member.first, deployment.oplog.first());
  if (has_read_) {
    if (position_ < first)
      throw CommandError(
          code::capped_position_lost,
          std::string(context.profile().streams.scan_error_prefix) +
              "CollectionScan died due to failure to restore tailable cursor position. Last seen record id: RecordId(" +
              std::to_string(token_time_.bits()) + ")");
    return;
  }
  const bool begins_with_initiation = deployment.oplog_begins_with_initiation() && context.member.first == 0;
  const wire::Timestamp first_time =
      first < deployment.oplog.end() ? deployment.oplog.at(first).time : next_after(deployment.oplog.last_time());
  if (!begins_with_initiation && first_time > start_) start_lost(context);
  position_ = std::max(position_, first);
}

void ChangeStream::fill(Context& context, Reading& reading) {
  const bool opening = !has_read_ && context.exchange.read_cursor == 0;
  // A script's wish: the open succeeds, and the first getMore says that the history is lost.
  if (opening && context.deployment.history_lost_at == HistoryLostAt::FirstRead &&
      context.deployment.oplog.first_time() > start_)
    return;
  check_history(context);
  has_read_ = true;
  while (!reading.full()) {
    if (invalidated_) {
      reading.invalidated = true;
      return;
    }
    if (!fragments_.empty()) {
      take_fragment(reading);
    } else if (!pending_.empty()) {
      const ChangeEvent event = std::move(pending_.front());
      pending_.pop_front();
      take_event(context, reading, event);
    } else if (take_entry(context, reading) == Step::End) {
      reading.reached_end = true;
      return;
    }
  }
}

ChangeStream::Step ChangeStream::take_entry(Context& context, Reading& reading) {
  const Oplog& oplog = context.deployment.oplog;
  if (position_ >= context.deployment.majority_end() || reading.edit.silent) return Step::End;
  const OplogEntry& entry = oplog.at(position_);
  if (entry.time < start_) {  // written since a stream was opened that begins in the future
    ++position_;
    return Step::Event;
  }
  if (take_fast(context, reading, entry)) return Step::Event;
  for (ChangeEvent& event : events_of(oplog, position_)) {
    const bool ends = invalidates(event);
    if (!shows(event) && !ends) continue;
    std::optional<ChangeEvent> end;
    if (ends) end = invalidate_after(event);
    if (shows(event)) pending_.push_back(std::move(event));
    if (end) pending_.push_back(std::move(*end));
  }
  ++position_;
  return Step::Event;
}

// An ordinary write that needs no look at its content: passed over or written by a template.
bool ChangeStream::take_fast(Context& context, Reading& reading, const OplogEntry& entry) {
  if (entry.op == Op::Noop) {
    if (entry.ns != nullptr) return false;
    ++position_;
    return true;
  }
  if (entry.op == Op::Command || entry.ns->collection == "system.views") return false;
  if (entry.ns.get() != reading.last_ns) {
    ChangeEvent probe;
    probe.db = entry.ns->db;
    probe.collection = entry.ns->collection;
    reading.last_ns = entry.ns.get();
    reading.last_ns_is_shown = shows(probe);
  }
  if (!reading.last_ns_is_shown) {
    ++position_;
    return true;
  }
  const bool plain = !definition_.has_pipeline && !wants_images() && !seeking_ && !reading.edit.any();
  const bool before_resume_point = definition_.options.resume && entry.time <= definition_.options.resume->cluster_time;
  if (!plain || before_resume_point) return false;
  const EventForm form{&context.profile(), definition_.token_version, definition_.options.show_expanded_events,
                       definition_.options.show_raw_update_description};
  const EventTemplate* by = templates_.find(entry, form);
  return by != nullptr && take_run(context, reading, *by, form);
}

// Events by one template, as far as their entries lie side by side and the batch has room. False: the entry at position_
// makes none.
bool ChangeStream::take_run(const Context& context, Reading& reading, const EventTemplate& by, const EventForm& form) {
  const Oplog& oplog = context.deployment.oplog;
  const std::span<const OplogEntry> entries = oplog.side_by_side(position_);
  const std::size_t count_max =
      std::min<std::size_t>({entries.size(), context.deployment.majority_end() - position_, reading.events_left()});
  // An event that may have to be split is built; its token takes at most half of the other half.
  const std::size_t bytes_max = context.deployment.spec.event_bytes_max / (splits() ? 2 : 1);
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (; count < count_max; ++count) {
    if (count > 0 && templates_.find(entries[count], form) != &by) break;
    const std::size_t event_bytes = by.measure(entries[count]).bytes;
    if (event_bytes == 0 || event_bytes > bytes_max) break;
    reading.cut = !reading.has_room(event_bytes, bytes);
    if (reading.cut) break;
    bytes += event_bytes;
  }
  if (count > 0) reading.add(oplog, position_, count, by, bytes);
  position_ += count;
  return count > 0 || reading.cut;
}

void ChangeStream::take_event(Context& context, Reading& reading, const ChangeEvent& event) {
  const bool resumed = is_resumed(event, context);
  const bool ends = event.kind == EventKind::Invalidate;
  if (resumed) {
    ChangeEvent whole = event;
    if (std::optional<wire::Document> document = transform(context, whole)) {
      show_event(context, reading, event, *std::move(document));
      if (reading.cut) return;
    }
    fragments_seen_ = 0;
    if (ends) reading.invalidate_token = wire::encode(event_token(event, definition_.token_version));
  }
  if (ends && resumed) invalidated_ = true;
}

// Where the reply says that a client shall resume from (facts §9).
void ChangeStream::move_token(const Context& context, Reading& reading) {
  if (reading.edit.freeze_token) return;
  if (reading.has_events()) {
    post_batch_token_ = reading.last_token();
    token_time_ = reading.last_time();
  }
  if (invalidated_ && !reading.invalidate_token.is_default()) post_batch_token_ = reading.invalidate_token;
  if (invalidated_ || !reading.reached_end || position_ <= context.deployment.oplog.first()) return;
  const wire::Timestamp seen = context.deployment.oplog.at(position_ - 1).time;
  if (seen <= token_time_) return;
  token_time_ = seen;
  post_batch_token_ = high_water_token(seen, definition_.token_version);
}

void ChangeStream::write_batch(Context& context, Reading& reading, std::string_view field) {
  move_token(context, reading);
  StreamBatch batch;
  batch.field = field;
  exhausted = reading.invalidated;
  batch.cursor = exhausted ? 0 : id;
  batch.ns = ns();
  // The closing reply of a server without the flag has a token only with events.
  const bool flag = context.profile().streams.invalidated_flag;
  if (flag || !exhausted || reading.has_events()) batch.post_batch_token = post_batch_token_;
  batch.invalidated = exhausted && flag;
  reading.give_to(batch, templates_);
  documents_returned += static_cast<std::int64_t>(batch.events.size());
  context.exchange.batch = std::move(batch);
}

namespace {

// How an error is introduced. A router's own is not: it looks for the resume point itself; all others come from a shard.
std::string introduction(const Context& context, std::string_view db, int error_code, std::string_view prefix) {
  if (!has_router(context.deployment)) return std::string(prefix);
  if (error_code == code::change_stream_fatal_error) return {};
  return "Error on remote shard " + primary_shard_host(context.deployment, db) +
         " :: caused by :: Executor error during getMore :: caused by :: ";
}

template <class Read>
void with_prefix(const Context& context, std::string_view db, std::string_view prefix, Read&& read) {
  try {
    read();
  } catch (const CommandError& error) {
    if (error.code == code::not_implemented) throw;
    CommandError prefixed = error;
    prefixed.message = introduction(context, db, error.code, prefix) + error.message;
    throw prefixed;
  }
}

}  // namespace

void ChangeStream::read_first(Context& context, std::int64_t batch_size) {
  Reading reading(context.exchange.batch_edit, batch_size);
  const std::string prefix = executor_introduction(context.profile(), Executor::Aggregate, ns());
  if (batch_size > 0) with_prefix(context, definition_.scope.db, prefix, [&] { fill(context, reading); });
  write_batch(context, reading, "firstBatch");
}

Outcome ChangeStream::read(Context& context, const ReadRequest& request) {
  const BatchEdit& edit = context.exchange.batch_edit;
  Reading reading(edit, request.batch_size.value_or(0) == 0 ? Reading::no_limit : *request.batch_size);
  with_prefix(context, definition_.scope.db, context.profile().streams.get_more_error_prefix,
              [&] { fill(context, reading); });
  const bool may_wait = request.deadline > context.deployment.clock.waited(context.now) && !edit.never_wait;
  if (!reading.has_events() && !reading.invalidated && may_wait && edit.events_max != 0) {
    move_token(context, reading);
    Wait wait;
    wait.what = WaitForOplog{definition_.scope.db, definition_.scope.collection};
    return wait;
  }
  write_batch(context, reading, "nextBatch");
  return Replied{};
}

}  // namespace emulator
