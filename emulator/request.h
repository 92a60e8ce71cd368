// A command as it arrived, whichever opcode brought it, with the arguments that every command may have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/document.h"
#include "wire/message.h"

namespace emulator {

// A message of a legacy opcode (legacy_request.h): a command by OP_QUERY, or what was made into a command.
enum class Legacy { No, Command, Query, GetMore, Write, KillCursors };

// Views are valid while the command runs; `keep` what must live longer (a Wait keeps the whole request).
struct Request {
  wire::Envelope envelope;  // how it came: opcode, request id, flags, compressor
  std::string_view name;    // as the client wrote it: the first field
  wire::DocumentView body;  // without document sequences
  std::string_view db;
  std::vector<wire::DocumentSequence> sequences;
  Legacy legacy = Legacy::No;
  bool exhaust = false;  // of OP_QUERY: the flag
  bool exhaust_allowed() const { return exhaust || wire::has(envelope.flags, wire::OpMsgFlag::ExhaustAllowed); }
  // The client wants no reply.
  bool more_to_come() const {
    return legacy == Legacy::Write || legacy == Legacy::KillCursors ||
           wire::has(envelope.flags, wire::OpMsgFlag::MoreToCome);
  }

  // The generic arguments, found in one pass when the request was read; missing where the client sent none.
  struct Generic {
    wire::ValueView api_version;
    wire::ValueView api_strict;
    wire::ValueView api_deprecation_errors;
    wire::ValueView lsid;
    wire::ValueView txn_number;
    wire::ValueView autocommit;
    wire::ValueView start_transaction;
    wire::ValueView max_time_ms;
    wire::ValueView read_concern;
    wire::ValueView write_concern;
  } generic;
  wire::DocumentView lsid() const;
  bool has_lsid() const { return !generic.lsid.missing(); }
  std::optional<std::int64_t> txn_number() const;
  // A statement of a multi-document transaction: autocommit false.
  bool in_transaction() const { return generic.autocommit.is(wire::Type::Bool) && !generic.autocommit.as_bool(); }

  // The value of the command's own field ("find": the collection).
  wire::ValueView target() const { return body.first().value; }
  wire::ValueView operator[](std::string_view field) const { return body.find(field); }
  // The documents of an argument that may come as an array or as a sequence; throws 14 if it is neither, 40414 if missing.
  std::vector<wire::DocumentView> documents(std::string_view field) const;
};

}  // namespace emulator
