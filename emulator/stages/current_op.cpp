// $currentOp.
#include "emulator/operation_list.h"
#include "emulator/stages/source_stage.h"

namespace emulator {
namespace {

using wire::Type;

class CurrentOpStage final : public SourceStage {
 public:
  explicit CurrentOpStage(const Context& command) : command_(command) {}

 private:
  std::vector<wire::Document> make() const override {
    std::vector<wire::Document> out = waiting_operations(command_);
    out.push_back(this_operation(command_));
    return out;
  }
  const Context& command_;
};

void check_options(wire::DocumentView options) {
  static constexpr std::string_view known[] = {"idleConnections", "idleSessions", "allUsers",  "localOps",
                                               "truncateOps",     "idleCursors",  "backtrace", "targetAllNodes"};
  for (const auto& [name, value] : options) {
    if (std::find(std::begin(known), std::end(known), name) == std::end(known))
      throw CommandError(9, fmt::format("Unrecognized option '{}' in $currentOp stage.", name));
    if (!value.is(Type::Bool))
      throw CommandError(9,
                         fmt::format("The '{}' parameter of the $currentOp stage must be a boolean value, but found: "
                                     "{}",
                                     name, wire::type_name(value.type())));
  }
}

StagePtr parse(const StageInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(14, fmt::format("$currentOp options must be specified in an object, but found: {}",
                                       wire::type_name(input.argument.type())));
  const Context& command = command_of(input);
  if (command.request.db != "admin" || !collection_under(input).empty())
    throw CommandError(73, "$currentOp must be run against the 'admin' database with {aggregate: 1}");
  check_options(input.argument.as_document());
  return std::make_unique<CurrentOpStage>(command);
}

constexpr StageName names[] = {{.name = "$currentOp",
                                .parse = parse,
                                .place = StagePlace::First,
                                .inner = InnerUse::NotInFacet,
                                .input = PipelineInput::Database,
                                .in_transaction = StageInTransaction::Refused,
                                .read_concern = StageReadConcern::LocalOnly,
                                .in_api_version_1 = StageInApiVersion1::No}};

}  // namespace

extern constinit const StageSpec current_op_stage{names};

}  // namespace emulator
