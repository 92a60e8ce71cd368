// All facts of one build together, as the rows of profile.cpp derive them from one another. For rows only: code that asks for
// a fact includes its group's header and takes it from the Profile.
#pragma once

#include "emulator/facts/error_facts.h"
#include "emulator/facts/event_facts.h"
#include "emulator/facts/expression_facts.h"
#include "emulator/facts/image_facts.h"
#include "emulator/facts/oplog_facts.h"
#include "emulator/facts/reply_facts.h"
#include "emulator/facts/stream_facts.h"
#include "emulator/profile.h"

namespace emulator {

struct Facts {
  EventFacts events;
  StreamFacts streams;
  ImageFacts images;
  OplogFacts oplog;
  ReplyFacts replies;
  ErrorFacts errors;
  ExpressionFacts expressions;
  Wording wording = Wording::V6_0;
  int token_version = 1;
};

}  // namespace emulator
