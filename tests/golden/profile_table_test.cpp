// The same twelve cases under every MongoDB profile: where a build says something else than the row it derives from, one of its
// differences must say so. Printed as a table: golden --gtest_filter=ProfileTable.*
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <set>
#include <string_view>

#include "emulator/profile.h"
#include "tests/golden/case_runner.h"

namespace golden {
namespace {

using emulator::Difference;
using emulator::Profile;

constexpr std::array cases{std::string_view("ddl-create-options"),
                           std::string_view("error-argument"),
                           std::string_view("failpoint-aggregate"),
                           std::string_view("insert-duplicate-secondary"),
                           std::string_view("insert-many-cluster-times"),
                           std::string_view("invalidate-get-more"),
                           std::string_view("oplog-crud"),
                           std::string_view("oplog-insert-many"),
                           std::string_view("raw-update-description"),
                           std::string_view("resume-pipeline-excludes-token-event"),
                           std::string_view("transaction-retryable-writes"),
                           std::string_view("update-paths-array-index")};

// Why cases are answered otherwise under a profile: the beginnings of sentences of its row's differences. No cases: any of the twelve.
struct Reason {
  std::string_view profile;
  std::vector<std::string_view> differences;
  std::vector<std::string_view> cases;

  bool covers(std::string_view name) const { return cases.empty() || std::ranges::find(cases, name) != cases.end(); }
};

const std::vector<Reason>& reasons();

Json played(const CaseFile& file, const Profile& profile) {
  Case golden_case = load(file);
  golden_case.profile = profile.name;
  try {
    return CaseRunner(golden_case).run();
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

class ProfileTable : public testing::Test {
 protected:
  void SetUp() override {
    for (const CaseFile& file : case_files(mongod_6_0_5))
      if (std::ranges::find(cases, file.name) != cases.end())
        for (const Profile& profile : emulator::all_profiles())
          trees_[std::string(profile.name)].emplace(file.name, played(file, profile));
  }
  // What the profile says otherwise than the row it derives from.
  std::vector<std::string> found(const Profile& profile, std::string_view case_name) {
    return differences(trees_.at(std::string(profile.derived_from)).at(std::string(case_name)),
                       trees_.at(std::string(profile.name)).at(std::string(case_name)));
  }

 private:
  std::map<std::string, std::map<std::string, Json>> trees_;
};

TEST_F(ProfileTable, EveryDifferenceIsNamedByItsRow) {
  for (const Profile& profile : emulator::all_profiles()) {
    if (profile.derived_from.empty()) continue;
    for (const std::string_view name : cases) {
      const std::vector<std::string> said = found(profile, name);
      const bool named = std::ranges::any_of(
          reasons(), [&](const Reason& each) { return each.profile == profile.name && each.covers(name); });
      std::cout << profile.name << " / " << name << ": " << (said.empty() ? "as " : "not as ") << profile.derived_from
                << (said.empty() ? "" : "; " + std::to_string(said.size()) + " places, first " + said[0]) << "\n";
      EXPECT_TRUE(said.empty() || named) << profile.name << " " << name;
    }
  }
}

TEST_F(ProfileTable, ReasonsAreDifferencesOfTheirRow) {
  for (const Reason& reason : reasons()) {
    const Profile* profile = emulator::find_profile(reason.profile);
    ASSERT_NE(profile, nullptr) << reason.profile;
    EXPECT_FALSE(reason.differences.empty()) << reason.profile;
    for (const std::string_view sentence : reason.differences)
      EXPECT_TRUE(std::ranges::any_of(
          profile->differences,
          [sentence](const Difference& difference) { return difference.says.starts_with(sentence); }))
          << reason.profile << ": " << sentence;
  }
}

const std::vector<Reason>& reasons() {
  static const std::vector<Reason> list{
      {"mongodb-4.0", {"Oplog: h is a hash"}, {"oplog-crud", "oplog-insert-many"}},
      {"mongodb-4.2", {"No ResumableChangeStreamError", "Oplog: o last", "Its own sentences"}, {}},
      {"mongodb-4.4", {"Error replies: operationTime before ok", "Oplog: wall before v", "Its own sentences"}, {}},
      {"mongodb-5.0", {"showExpandedEvents, showSystemEvents"}, {"ddl-create-options", "raw-update-description"}},
      {"mongodb-5.0", {"$changeStream itself is parsed by hand"}, {"error-argument"}},
      {"mongodb-5.0", {"Its own sentences"}, {"failpoint-aggregate"}},
      {"mongodb-5.0", {"errmsg of a write error stands last"}, {"insert-duplicate-secondary"}},
      {"mongodb-5.0", {"Events have no wallTime"}, {"insert-many-cluster-times", "update-paths-array-index"}},
      {"mongodb-5.0", {"A cursor does not say that its stream was invalidated"}, {"invalidate-get-more"}},
      {"mongodb-5.0", {"Oplog: no o2 on inserts"}, {"oplog-crud", "oplog-insert-many"}},
      {"mongodb-5.0", {"A token whose event the $match hides resumes"}, {"resume-pipeline-excludes-token-event"}},
      {"mongodb-5.0", {"Replies do not name retried statements"}, {"transaction-retryable-writes"}},
      {"mongodb-6.0.27", {"40415 is IDLUnknownField"}, {"error-argument"}},
      {"mongodb-7.0",
       {"Tokens are of version 2", "Update events under showExpandedEvents have disambiguatedPaths"},
       {"ddl-create-options", "insert-many-cluster-times", "invalidate-get-more", "raw-update-description",
        "resume-pipeline-excludes-token-event", "transaction-retryable-writes", "update-paths-array-index"}},
      {"mongodb-8.0",
       {"A multi-document insert is one applyOps entry"},
       {"insert-many-cluster-times", "oplog-insert-many", "transaction-retryable-writes"}},
      {"mongodb-8.2", {"Create events have nsType"}, {"ddl-create-options"}},
      {"mongodb-9.0", {"Errors of an aggregate's first batch"}, {"resume-pipeline-excludes-token-event"}}};
  return list;
}

}  // namespace
}  // namespace golden
