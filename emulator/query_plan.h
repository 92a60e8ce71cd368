// How a query would be carried out, as explain tells it. Knows no command.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/context.h"
#include "emulator/store/collection.h"
#include "wire/document.h"

namespace emulator {

enum class PlanOver { Find, Count, Distinct, Update, Delete };

struct PlannedQuery {
  std::string collection;
  wire::DocumentView filter;
  wire::DocumentView sort;
  wire::DocumentView projection;
  std::int64_t skip = 0;
  std::int64_t limit = 0;
  wire::ValueView hint;
  wire::ValueView collation;
  PlanOver over = PlanOver::Find;
  bool multiple = true;  // Update, Delete: all that match
};

enum class Verbosity { QueryPlanner, ExecutionStats, AllPlansExecution };

// Appends queryPlanner and, as far as asked for, executionStats; runs the query for the latter, but writes nothing.
// `of_pipeline`: the query is what an aggregation begins with, or the whole of it came to this query.
enum class OfPipeline { No, Part, Whole };
void append_plan(wire::DocumentBuilder& out, const Context& context, const PlannedQuery& query, Verbosity verbosity,
                 OfPipeline of_pipeline = OfPipeline::No);
// serverInfo and serverParameters.
void append_server(wire::DocumentBuilder& out, const Context& context);

}  // namespace emulator
