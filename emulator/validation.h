// Document validation: whether a collection's validator lets a document be written, and how the server explains that it does not.
// Knows no commands.
#pragma once

#include "emulator/context.h"
#include "emulator/store/collection.h"
#include "emulator/store/matcher.h"
#include "emulator/write.h"

namespace emulator {

// 121 if the validator refuses `after`. `before`: what an update changes (default: an insert), for validationLevel "moderate".
Failure validation_failure(const Context& context, const Collection& collection, const wire::Document& before,
                           const wire::Document& after);
// Why the document does not match the filter: the server's `details` (doc_validation_error).
wire::Document mismatch_details(wire::DocumentView filter, wire::DocumentView document, const MatchContext& match);

}  // namespace emulator
