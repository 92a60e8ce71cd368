// One statement of insert, update or delete, as those commands and bulkWrite carry it out. Knows no command.
#pragma once

#include <string_view>

#include "emulator/arguments.h"
#include "emulator/session.h"
#include "emulator/write.h"
#include "emulator/write_reply.h"

namespace emulator {

// What cannot be stored creates no collection either.
Failure run_insert(Context& context, Writer& writer, std::string_view collection, wire::DocumentView document,
                   StatementOutcome& outcome);
// {q, u, [c], [upsert], [multi], [arrayFilters], [hint], [collation]}
Failure run_update(Context& context, Writer& writer, const WriteStatements& statements, std::string_view collection,
                   const Arguments& statement, StatementOutcome& outcome);
// {q, limit, [hint], [collation]}
Failure run_delete(Context& context, Writer& writer, std::string_view collection, const Arguments& statement,
                   StatementOutcome& outcome);
// 1: the first match; 0: all of them. Throws 9 for any other.
std::int64_t read_delete_limit(const Arguments& statement);

}  // namespace emulator
