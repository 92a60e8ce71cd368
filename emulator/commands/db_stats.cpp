#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"

namespace emulator {
namespace {

struct Totals {
  std::int32_t collections = 0;
  std::int32_t views = 0;
  std::int32_t indexes = 0;
  std::int64_t objects = 0;
  std::int64_t bytes = 0;
};

Totals totals_of(const Context& context) {
  Totals totals;
  const auto& databases = context.deployment.store.databases();
  const auto database = databases.find(context.request.db);
  if (database == databases.end()) return totals;
  for (const auto& [name, collection] : database->second) {
    if (collection->kind() != CollectionKind::Ordinary) {
      ++totals.views;
      continue;
    }
    ++totals.collections;
    totals.indexes += static_cast<std::int32_t>(collection->indexes().size()) + (collection->clustered() ? 0 : 1);
    totals.objects += collection->count();
    totals.bytes += collection->document_bytes();
  }
  return totals;
}

Outcome run(Context& context) {
  constexpr double page_bytes = 4096;
  const Totals totals = totals_of(context);
  const auto bytes = static_cast<double>(totals.bytes);
  const double index_bytes = totals.indexes * page_bytes;
  wire::DocumentBuilder& out = context.reply;
  out.append_string("db", context.request.db)
      .append_int32("collections", totals.collections)
      .append_int32("views", totals.views);
  out.append_int32("objects", static_cast<std::int32_t>(totals.objects));
  out.append_double("avgObjSize", totals.objects == 0 ? 0.0 : bytes / static_cast<double>(totals.objects));
  // Said of itself by 5.0 alone: later servers say it when asked (freeStorage), earlier ones do not know it.
  const bool says_free = context.profile().wording == Wording::V5_0;
  const auto append_free = [&](std::string_view name) {
    if (says_free) out.append_double(name, 0.0);
  };
  out.append_double("dataSize", bytes).append_double("storageSize", bytes);
  append_free("freeStorageSize");
  out.append_int32("indexes", totals.indexes).append_double("indexSize", index_bytes);
  append_free("indexFreeStorageSize");
  out.append_double("totalSize", bytes + index_bytes);
  append_free("totalFreeStorageSize");
  out.append_double("scaleFactor", 1.0);
  const auto held = static_cast<double>(context.deployment.store.bytes());
  out.append_double("fsUsedSize", held)
      .append_double("fsTotalSize", static_cast<double>(context.deployment.spec.store_bytes));
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec db_stats_command{.name = "dbStats",
                                                    .aliases = {"dbstats"},
                                                    .runs_on = RunsOn::SecondaryIfAllowed,
                                                    .authorized = on_database<Action::DbStats>,
                                                    .run = run,
                                                    .help = "Reports sizes of a database."};

}  // namespace emulator
