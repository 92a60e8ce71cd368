// Tailable cursors: on a capped collection and on the oplog. They stay open at the end and may wait there. Know no command.
#pragma once

#include <memory>
#include <string>

#include "emulator/cursor.h"
#include "emulator/query.h"
#include "emulator/readable.h"
#include "emulator/store/projection.h"

namespace emulator {

enum class AwaitData { No, Yes };

// What find gives a tailable cursor.
struct TailOptions {
  Matcher filter;
  Projection projection;
  AwaitData await = AwaitData::No;
  std::int64_t skip = 0;  // matches left out before the first result
};

class TailableCursor : public Cursor {
 public:
  TailableCursor(const Readable& readable, TailOptions options);

  Outcome read(Context& context, const ReadRequest& request) override;
  bool await_data() const override { return options_.await == AwaitData::Yes; }
  // The next results, at most `limit` (0: no limit) and 16 MB. Throws 136 when the place it stood at is gone.
  std::vector<wire::Document> next(const Context& context, std::int64_t limit);

 private:
  static OplogPosition furthest_tail(const Deployment& deployment);
  std::vector<wire::Document> next_entries(const Context& context, std::int64_t limit);
  // Whether the match at hand is one of those to leave out.
  bool skips();
  [[noreturn]] void position_lost() const;

  TailOptions options_;
  bool oplog_ = false;
  OplogPosition position_ = 0;  // the oplog's next entry
  RecordId last_record_ = 0;    // the collection's last one seen
  Uuid uuid_{};
};

}  // namespace emulator
