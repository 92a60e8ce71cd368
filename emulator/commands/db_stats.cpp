#include "emulator/arguments.h"
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

// 1, or what sizes are divided by. A wrong one has no code.
std::int64_t read_scale(const Context& context) {
  const wire::ValueView given = context.request["scale"];
  if (given.missing()) return 1;
  if (!given.is_number()) throw CommandError(0, "scale has to be a number > 0");
  const std::int64_t scale = whole_number(given);
  if (scale <= 0) throw CommandError(0, "scale has to be > 0");
  return scale;
}

bool exists(const Context& context) {
  const std::string_view db = context.request.db;
  return db == "admin" || db == "config" || db == "local" || context.deployment.store.databases().contains(db);
}

// The sizes that builds say otherwise of, and where the total of 4.4 and later stands.
struct Form {
  bool extents = false;  // numExtents: until 4.2
  bool total = true;
  bool free = false;  // of themselves in 5.0 alone: later builds say them when asked (freeStorage)
};

Form form_of(Wording wording) { return {wording <= Wording::V4_2, wording > Wording::V4_2, wording == Wording::V5_0}; }

// Of a database that does not exist everything is a whole number, and in an order of its own.
void append_nothing(wire::DocumentBuilder& out, const Form& form, Wording wording, std::int64_t scale) {
  const bool lists_file = wording <= Wording::V5_0;
  for (const std::string_view name : {"collections", "views", "objects", "avgObjSize", "dataSize", "storageSize"})
    out.append_int32(name, 0);
  if (form.extents) out.append_int32("numExtents", 0);
  if (form.total && lists_file) out.append_int32("totalSize", 0);
  out.append_int32("indexes", 0).append_int32("indexSize", 0);
  if (form.total && !lists_file) out.append_int32("totalSize", 0);
  out.append_int32("scaleFactor", static_cast<std::int32_t>(scale));
  if (lists_file) out.append_int32("fileSize", 0);
  out.append_int32("fsUsedSize", 0).append_int32("fsTotalSize", 0);
}

Outcome run(Context& context) {
  constexpr double page_bytes = 4096;
  const std::int64_t scale = read_scale(context);
  const Wording wording = context.profile().wording;
  const Form form = form_of(wording);
  wire::DocumentBuilder& out = context.reply;
  out.append_string("db", context.request.db);
  if (!exists(context)) {
    append_nothing(out, form, wording, scale);
    return Replied{};
  }
  const Totals totals = totals_of(context);
  const auto append_scaled = [&](std::string_view name, double size) {
    out.append_double(name, size / static_cast<double>(scale));
  };
  const auto append_free = [&](std::string_view name) {
    if (form.free) out.append_double(name, 0.0);
  };
  const auto bytes = static_cast<double>(totals.bytes);
  const double index_bytes = totals.indexes * page_bytes;
  out.append_int32("collections", totals.collections).append_int32("views", totals.views);
  out.append_int32("objects", static_cast<std::int32_t>(totals.objects));
  out.append_double("avgObjSize", totals.objects == 0 ? 0.0 : bytes / static_cast<double>(totals.objects));
  append_scaled("dataSize", bytes);
  append_scaled("storageSize", bytes);
  append_free("freeStorageSize");
  if (form.extents) out.append_int32("numExtents", 0);
  out.append_int32("indexes", totals.indexes);
  append_scaled("indexSize", index_bytes);
  append_free("indexFreeStorageSize");
  if (form.total) append_scaled("totalSize", bytes + index_bytes);
  append_free("totalFreeStorageSize");
  out.append_double("scaleFactor", static_cast<double>(scale));
  append_scaled("fsUsedSize", static_cast<double>(context.deployment.store.bytes()));
  append_scaled("fsTotalSize", static_cast<double>(context.deployment.spec.store_bytes));
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
