#include <algorithm>
#include <array>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/facts/oplog_facts.h"
#include "emulator/index_request.h"
#include "emulator/transaction.h"
#include "emulator/uuid_text.h"
#include "emulator/value_text.h"
#include "emulator/write.h"
#include "emulator/write_reply.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("indexes"), std::string_view("ignoreUnknownIndexOptions"),
                            std::string_view("commitQuorum"), std::string_view("maxTimeMS")};

// The index on `_id` counts where there is one.
std::int32_t index_count(const Collection& collection) {
  return static_cast<std::int32_t>(collection.indexes().size()) + (collection.clustered() ? 0 : 1);
}

// What the collection does not have yet.
std::vector<IndexSpec> missing_indexes(const Collection& collection, std::vector<IndexSpec> specs) {
  std::erase_if(specs, [&](const IndexSpec& spec) { return has_index(collection, spec); });
  return specs;
}

// Up to 4.2 only an index on one field may be hashed.
void refuse_compound_hashed(const Context& context, const Collection& collection, const std::vector<IndexSpec>& specs) {
  if (context.profile().wording > Wording::V4_2) return;
  for (const IndexSpec& spec : specs) {
    const bool hashed = std::ranges::any_of(spec.key.view(), [](const wire::Element& field) {
      return field.value.is(wire::Type::String) && field.value.as_string() == "hashed";
    });
    if (!hashed || spec.key.view().count() == 1) continue;
    wire::DocumentBuilder first;
    first.append_string("ns", collection.identity()->full()).append_all(specs.front().spec);
    throw CommandError(16763, "Caught exception during index builder initialization " + collection.identity()->full() +
                                  " (" + uuid_text(collection.uuid()) + "): " + std::to_string(specs.size()) +
                                  " provided. First index spec: " + bson_text(first.view()));
  }
}

bool made_by_this_transaction(const Context& context, const Collection& collection) {
  if (context.transaction == nullptr) return false;
  for (const auto& created : context.transaction->created)
    if (created.get() == &collection) return true;
  return false;
}

constexpr std::array field_versions{FieldVersion{"commitQuorum", 9}};

CommandError invalid_field(const CommandSpec&, std::string_view field) {
  return CommandError(2, "Invalid field specified for createIndexes command: " + std::string(field));
}

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  const std::vector<wire::DocumentView> given = context.request.documents("indexes");
  if (given.empty()) throw CommandError(2, "Must specify at least one index to create");
  std::vector<IndexSpec> specs;
  for (const wire::DocumentView document : given) specs.push_back(read_index_spec(context, document));
  Collection* collection = find_collection(context, context.request.db, name);
  if (collection != nullptr)
    if (Failure failure = view_failure(*collection)) throw CommandError(*failure);
  std::vector<IndexSpec> wanted;
  if (collection != nullptr) wanted = missing_indexes(*collection, specs);
  Writer writer(context);
  const bool created_first = context.profile().wording <= Wording::V4_4;
  const bool created = collection == nullptr || made_by_this_transaction(context, *collection);
  if (collection == nullptr) {
    collection = &writer.ensure(context.request.db, name);
    wanted = missing_indexes(*collection, std::move(specs));
  }
  const std::int32_t before = index_count(*collection);
  refuse_compound_hashed(context, *collection, wanted);
  if (created_first && !wanted.empty()) context.reply.append_bool("createdCollectionAutomatically", created);
  context.reply.append_int32("numIndexesBefore", before);
  if (wanted.empty()) {
    context.reply.append_int32("numIndexesAfter", before).append_string("note", "all indexes already exist");
    return Replied{};
  }
  if (context.transaction != nullptr && !created)
    throw CommandError(263, "Cannot create new indexes on existing collection " + collection->identity()->full() +
                                " in a multi-document transaction.");
  writer.create_indexes(*collection, wanted);
  context.reply.append_int32("numIndexesAfter", index_count(*collection));
  if (!created_first) context.reply.append_bool("createdCollectionAutomatically", created);
  if (context.profile().oplog.two_phase_index_builds) context.reply.append_string("commitQuorum", "votingMembers");
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec create_indexes_command{.name = "createIndexes",
                                                          .runs_on = RunsOn::Primary,
                                                          .in_transaction = InTransaction::Allowed,
                                                          .in_transaction_wire_version_min = 9,
                                                          .write_concern = WriteConcern::Supported,
                                                          .api_version_1 = ApiVersion1::Yes,
                                                          .fields = fields,
                                                          .field_versions = field_versions,
                                                          .unknown_until_4_4 = invalid_field,
                                                          .profiled_as = "command",
                                                          .authorized = on_collection<Action::CreateIndex>,
                                                          .run = run,
                                                          .help = "Creates indexes."};

}  // namespace emulator
