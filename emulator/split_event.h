// Cutting a change event that is too large for one reply into fragments ($changeStreamSplitLargeEvent). Knows no streams.
#pragma once

#include <cstddef>
#include <vector>

#include "wire/document.h"
#include "wire/resume_token.h"

namespace emulator {

struct Fragment {
  wire::Document document;  // {_id, splitEvent: {fragment, of}, whole top-level fields of the event}
  wire::Document token;     // its _id
};

// How large an event with that token may be and pass whole, where replies hold events of up to `event_bytes_max`: mongod keeps
// 8 KiB for the reply around it (kBSONObjMaxChangeEventSize), and room for the token as the reply's post-batch token.
std::size_t whole_event_bytes_max(std::size_t event_bytes_max, const wire::Document& token);

// The event's fields, smallest first, in as few fragments as a greedy walk makes; a field is never cut. The event's own `_id`
// gives way to the fragments'. Throws CommandError 7182500 for a field that fits nowhere, 13548 for an event beyond 64 MB.
std::vector<Fragment> split_event(const wire::Document& event, const wire::ResumeToken& token,
                                  std::size_t fragment_bytes_max);

}  // namespace emulator
