// A file of this folder is a pipeline stage, or a few names of one: it defines its row, and no other is edited.
// table-type: StageSpec
// table-suffix: stage
// table-accessor: all_stages
#pragma once

#include <span>
#include <string_view>

#include "emulator/pipeline.h"

namespace emulator {

enum class AfterChangeStream { Refused, Allowed };
enum class InUpdate { Refused, Allowed };
enum class StageInTransaction { Allowed, Refused };
// With apiStrict.
enum class StageInApiVersion1 { Yes, No };
// The read concern levels that it runs with.
enum class StageReadConcern { Any, NotLinearizable, LocalOnly };
enum class StagePlace { Anywhere, First, Last };
// Whether a pipeline inside another stage may have it.
enum class InnerUse { Allowed, NotInFacet, Refused };

struct StageInput {
  std::string_view name;
  wire::ValueView argument;
  PipelineKind kind;
  const ParseContext& context;
};

struct StageName {
  std::string_view name;
  // nullptr out of it: checked, but nothing to run.
  StagePtr (*parse)(const StageInput&) = nullptr;
  AfterChangeStream after_change_stream = AfterChangeStream::Refused;
  InUpdate in_update = InUpdate::Refused;
  // What mongod makes of it, and so calls it in refusals: $count is a $group.
  std::string_view made_of{};
  // Whether the profile has it; absent: every one does.
  bool (*known)(const ParseContext&) = nullptr;
  StagePlace place = StagePlace::Anywhere;
  InnerUse inner = InnerUse::Allowed;
  PipelineInput input = PipelineInput::Collection;
  StageInTransaction in_transaction = StageInTransaction::Allowed;
  StageReadConcern read_concern = StageReadConcern::Any;
  StageInApiVersion1 in_api_version_1 = StageInApiVersion1::Yes;
};

struct StageSpec {
  std::span<const StageName> names;
};

std::span<const StageSpec* const> all_stages();
// nullptr: the profile has none of that name.
const StageName* find_stage(std::string_view name, const ParseContext& context);

}  // namespace emulator
