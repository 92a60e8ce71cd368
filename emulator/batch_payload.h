// A stream's batch as the bytes of a reply: head, events (copied, referred to, or rendered while the client reads), tail.
#pragma once

#include "emulator/batch.h"
#include "wire/payload.h"

namespace emulator {

// {cursor: {nextBatch: […], postBatchResumeToken, [invalidated], id, ns}, …tail}.
wire::Payload batch_payload(const StreamBatch& batch, const wire::Document& tail);

}  // namespace emulator
