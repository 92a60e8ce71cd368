// The BSON of oplog entries, in the form of each server: server-facts §10 and the goldens oplog-crud, oplog-retryable.
#include "emulator/facts/oplog_facts.h"
#include "emulator/oplog.h"

namespace emulator {
namespace {

using EntryForm = OplogFacts::EntryForm;

void append_session(wire::DocumentBuilder& out, const OplogExtra* extra) {
  if (extra == nullptr) return;
  if (!extra->lsid.is_default()) out.append_document("lsid", extra->lsid);
  if (extra->txn_number >= 0) out.append_int64("txnNumber", extra->txn_number);
}

void append_operation(wire::DocumentBuilder& out, const OplogEntry& entry) {
  const char op[2] = {static_cast<char>(entry.op), 0};
  out.append_string("op", op).append_string("ns", entry.ns == nullptr ? std::string() : entry.ns->full());
  if (entry.has_uuid && entry.ns != nullptr) out.append_binary("ui", 4, entry.ns->uuid);
}

void append_o2(wire::DocumentBuilder& out, const OplogEntry& entry, EntryForm form) {
  if (entry.op != Op::Insert) {
    if (!entry.o2.is_default()) out.append_document("o2", entry.o2);
  } else if (form >= EntryForm::V6_0) {
    out.append_document("o2", document_key(entry));
  }
}

void append_statement_ids(wire::DocumentBuilder& out, const OplogExtra* extra) {
  if (extra == nullptr) return;
  const std::vector<std::int32_t>& ids = extra->statement_ids;
  if (ids.size() == 1) {
    out.append_int32("stmtId", ids[0]);
  } else if (!ids.empty()) {
    out.begin_array("stmtId");
    for (const std::int32_t id : ids) out.append_int32(out.item_name(), id);
    out.end();
  }
}

void append_op_time(wire::DocumentBuilder& out, std::string_view name, wire::Timestamp time, std::int64_t term) {
  out.begin_document(name).append_timestamp("ts", time).append_int64("t", term).end();
}

void append_previous(wire::DocumentBuilder& out, const OplogExtra* extra) {
  if (extra != nullptr && extra->previous_time)
    append_op_time(out, "prevOpTime", *extra->previous_time, extra->previous_term);
}

void append_image_time(wire::DocumentBuilder& out, const OplogEntry& entry) {
  if (entry.extra != nullptr && entry.extra->image_time)
    append_op_time(out, entry.extra->image_is_post ? "postImageOpTime" : "preImageOpTime", *entry.extra->image_time,
                   entry.term);
}

void append_time(wire::DocumentBuilder& out, const OplogEntry& entry) {
  out.append_timestamp("ts", entry.time);
  if (entry.term >= 0) out.append_int64("t", entry.term);
}

// Up to 4.0 a hash of the entry and the one before it; nobody checks it, it only has to differ.
std::int64_t hash_of(const OplogEntry& entry) {
  constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;
  std::uint64_t hash = entry.time.bits() * golden_ratio;
  hash ^= hash >> 32U;
  return static_cast<std::int64_t>(hash * golden_ratio);
}

wire::Document with_object_last(const OplogEntry& entry, EntryForm form) {
  constexpr std::int32_t version = 2;
  const OplogExtra* extra = entry.extra.get();
  wire::DocumentBuilder out;
  append_time(out, entry);
  out.append_int64("h", form == EntryForm::V4_0 ? hash_of(entry) : 0).append_int32("v", version);
  append_operation(out, entry);
  append_o2(out, entry, form);
  out.append_date("wall", entry.wall_ms);
  append_session(out, extra);
  append_statement_ids(out, extra);
  append_previous(out, extra);
  append_image_time(out, entry);
  return out.append_document("o", entry.o).finish();
}

}  // namespace

wire::Document oplog_document(const OplogEntry& entry, const OplogFacts& facts) {
  const EntryForm form = facts.entry_form;
  if (form <= EntryForm::V4_2) return with_object_last(entry, form);
  constexpr std::int64_t version = 2;
  const OplogExtra* extra = entry.extra.get();
  wire::DocumentBuilder out;
  append_session(out, extra);
  append_operation(out, entry);
  out.append_document("o", entry.o);
  append_o2(out, entry, form);
  append_image_time(out, entry);
  if (extra != nullptr && !extra->needs_retry_image.empty())
    out.append_string("needsRetryImage", extra->needs_retry_image);
  if (form >= EntryForm::V6_0) append_statement_ids(out, extra);
  if (extra != nullptr && extra->multi_op_type) out.append_int32("multiOpType", *extra->multi_op_type);
  append_time(out, entry);
  if (form == EntryForm::V4_4)
    out.append_date("wall", entry.wall_ms).append_int64("v", version);
  else
    out.append_int64("v", version).append_date("wall", entry.wall_ms);
  if (form < EntryForm::V6_0) append_statement_ids(out, extra);
  append_previous(out, extra);
  return out.finish();
}

}  // namespace emulator
