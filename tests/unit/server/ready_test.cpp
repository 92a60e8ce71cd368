#include "server/ready.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "server/start_error.h"

namespace server {
namespace {

const scenarios::Ready ready{.deployment = "a \"quoted\" name",
                             .uri = "mongodb://127.0.0.1:1,127.0.0.1:2/?replicaSet=rs0",
                             .members = {{"a", "127.0.0.1:1"}, {"b", "127.0.0.1:2"}},
                             .profile = "mongodb-7.0",
                             .seed = 7};

TEST(ReadyLine, SaysEverythingInOneLineOfJson) {
  EXPECT_EQ(ready_line(ready, "0.1.0", "", 42),
            R"({"ready":1,"version":"0.1.0","deployment":"a \"quoted\" name",)"
            R"("uri":"mongodb://127.0.0.1:1,127.0.0.1:2/?replicaSet=rs0","control":null,)"
            R"("members":[{"name":"a","address":"127.0.0.1:1"},{"name":"b","address":"127.0.0.1:2"}],)"
            R"("profile":"mongodb-7.0","seed":7,"pid":42})");
}

TEST(ReadyLine, NamesTheControlPort) {
  EXPECT_NE(ready_line(ready, "0.1.0", "http://127.0.0.1:9", 42).find(R"("control":"http://127.0.0.1:9")"),
            std::string::npos);
}

TEST(ReadyFile, IsThereWholeAndAloneUntilItsEnd) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "oplogue_ready_file_test";
  std::filesystem::create_directory(folder);
  const std::filesystem::path path = folder / "ready.json";
  {
    ReadyFile file(path.string(), "the line");
    std::string text;
    std::getline(std::ifstream(path), text);
    EXPECT_EQ(text, "the line");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
}

TEST(ReadyFile, SaysWhyItCannotBeWritten) {
  try {
    ReadyFile file("/no/such/folder/ready.json", "the line");
    FAIL() << "it was written";
  } catch (const StartError& error) {
    EXPECT_STREQ(error.what(), "--ready-file: cannot write /no/such/folder/ready.json: No such file or directory");
  }
}

}  // namespace
}  // namespace server
