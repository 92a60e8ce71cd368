// $listLocalSessions: the sessions that this server has seen used.
#include "emulator/session.h"
#include "emulator/stages/source_stage.h"

namespace emulator {
namespace {

using wire::Type;

class ListLocalSessionsStage final : public SourceStage {
 public:
  explicit ListLocalSessionsStage(const Context& command) : command_(command) {}

 private:
  std::vector<wire::Document> make() const override {
    std::vector<wire::Document> out;
    for (const auto& [key, session] : command_.deployment.sessions.all()) {
      wire::DocumentBuilder document;
      document.append_document("_id", session.lsid).append_date("lastUse", session.last_used_ms);
      out.push_back(document.finish());
    }
    return out;
  }
  const Context& command_;
};

StagePtr parse(const StageInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(14, fmt::format("$listLocalSessions options must be specified in an object, but found: {}",
                                       wire::type_name(input.argument.type())));
  for (const wire::Element& element : input.argument.as_document())
    if (element.name != "allUsers" && element.name != "users" && !element.name.starts_with('$'))
      throw CommandError(40415, fmt::format("BSON field '$listLocalSessions.{}' is an unknown field.", element.name));
  if (!collection_under(input).empty())
    throw CommandError(73, "$listLocalSessions must be run against the database with {aggregate: 1}, not a collection");
  return std::make_unique<ListLocalSessionsStage>(command_of(input));
}

constexpr StageName names[] = {{.name = "$listLocalSessions",
                                .parse = parse,
                                .place = StagePlace::First,
                                .inner = InnerUse::NotInFacet,
                                .input = PipelineInput::Database,
                                .in_transaction = StageInTransaction::Refused,
                                .read_concern = StageReadConcern::LocalOnly,
                                .in_api_version_1 = StageInApiVersion1::No}};

}  // namespace

extern constinit const StageSpec list_local_sessions_stage{names};

}  // namespace emulator
