#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/create_options.h"
#include "emulator/deployment.h"
#include "emulator/views.h"
#include "emulator/write.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("capped"),
                            std::string_view("autoIndexId"),
                            std::string_view("idIndex"),
                            std::string_view("size"),
                            std::string_view("max"),
                            std::string_view("storageEngine"),
                            std::string_view("validator"),
                            std::string_view("validationLevel"),
                            std::string_view("validationAction"),
                            std::string_view("indexOptionDefaults"),
                            std::string_view("viewOn"),
                            std::string_view("pipeline"),
                            std::string_view("collation"),
                            std::string_view("changeStreamPreAndPostImages"),
                            std::string_view("timeseries"),
                            std::string_view("clusteredIndex"),
                            std::string_view("expireAfterSeconds"),
                            std::string_view("encryptedFields"),
                            std::string_view("temp"),
                            std::string_view("recordPreImages"),
                            std::string_view("flags"),
                            std::string_view("maxTimeMS")};

constexpr std::array field_versions{FieldVersion{"changeStreamPreAndPostImages", 17},
                                    FieldVersion{"timeseries", 13},
                                    FieldVersion{"recordPreImages", 9},
                                    FieldVersion{"clusteredIndex", 13},
                                    FieldVersion{"expireAfterSeconds", 13},
                                    FieldVersion{"encryptedFields", 17}};

std::string exists_text(const Collection& standing, Wording wording) {
  const std::string full = standing.identity()->full();
  const bool is_view = standing.kind() == CollectionKind::View;
  if (wording > Wording::V5_0) return "Collection " + full + " already exists.";
  if (wording <= Wording::V4_2) return std::string(is_view ? "a view '" : "a collection '") + full + "' already exists";
  return is_view ? "Namespace already exists" : "Collection already exists. NS: " + full;
}

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  check_user_writable(context.request.db, name, context.profile().wording);
  const Arguments arguments(context.request.body, "create");
  const wire::Document options = read_create_options(context, name, arguments);
  Writer writer(context);
  if (const Collection* standing = find_collection(context, context.request.db, name))
    throw CommandError(48, exists_text(*standing, context.profile().wording));
  if (options.has("viewOn"))
    create_view(context, writer, name, options);
  else if (options.has("timeseries"))
    create_time_series(context, writer, name, options);
  else
    writer.create(context.request.db, name, options);
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

constexpr std::array unstable{std::string_view("size"), std::string_view("max")};

// Who may insert may make a collection, since an insert does; a capped one drops documents.
bool authorized(const Context& context, const Request& request) {
  const Resource collection = target_collection(request);
  return may(context, collection, {Action::CreateCollection}) ||
         (!is_truthy(request["capped"]) && may(context, collection, {Action::Insert}));
}

}  // namespace

extern constinit const CommandSpec create_command{.name = "create",
                                                  .runs_on = RunsOn::Primary,
                                                  .in_transaction = InTransaction::Allowed,
                                                  .in_transaction_wire_version_min = 9,
                                                  .write_concern = WriteConcern::Supported,
                                                  .api_version_1 = ApiVersion1::Yes,
                                                  .fields = fields,
                                                  .field_versions = field_versions,
                                                  .unknown_until_4_4 = unknown_field,
                                                  .unstable_fields = unstable,
                                                  .authorized = authorized,
                                                  .run = run,
                                                  .help = "Creates a collection or view."};

}  // namespace emulator
