#include "scenarios/node.h"

#include <gtest/gtest.h>

namespace scenarios {
namespace {

std::string problem_of(std::string_view text, Node (*read)(std::string_view, std::vector<Problem>&)) {
  std::vector<Problem> problems;
  read(text, problems);
  return problems.empty() ? "" : render("f", problems.front());
}

TEST(Yaml, ScalarsAreTypedByTheCoreSchema) {
  std::vector<Problem> problems;
  const Node node = read_yaml(
      "{a: on, b: off, c: no, d: 2026-01-01, e: true, f: 0x10, g: 0o17, h: 1.5, i: ~, j: '1', k: .inf, l: 1_000}",
      problems);
  ASSERT_TRUE(problems.empty());
  EXPECT_EQ(*node.find("a")->text(), "on");
  EXPECT_EQ(*node.find("b")->text(), "off");
  EXPECT_EQ(*node.find("c")->text(), "no");
  EXPECT_EQ(*node.find("d")->text(), "2026-01-01");
  EXPECT_TRUE(*node.find("e")->boolean_value());
  EXPECT_EQ(*node.find("f")->integer(), 16);
  EXPECT_EQ(*node.find("g")->integer(), 15);
  EXPECT_EQ(*node.find("h")->number(), 1.5);
  EXPECT_TRUE(node.find("i")->is_null());
  EXPECT_EQ(*node.find("j")->text(), "1");
  EXPECT_GT(*node.find("k")->number(), 1e308);
  EXPECT_EQ(*node.find("l")->text(), "1_000");
}

TEST(Yaml, AnchorsWork) {
  std::vector<Problem> problems;
  const Node node = read_yaml("{a: &x {n: 1}, b: *x}", problems);
  EXPECT_EQ(*node.find("b")->find("n")->integer(), 1);
}

TEST(Yaml, EveryValueHasItsPlace) {
  std::vector<Problem> problems;
  const Node node = read_yaml("a:\n  - 1\n  - bb: 2\n", problems);
  const Node& second = (*node.find("a")->list())[1];
  EXPECT_EQ(second.map()->front().first.at, (Position{3, 5}));
  EXPECT_EQ(second.find("bb")->at, (Position{3, 9}));
}

TEST(Yaml, AKeyTwiceIsAProblem) {
  EXPECT_EQ(problem_of("a: 1\nb: 2\na: 3\n", read_yaml), "f:3:1: the key \"a\" stands twice");
}

TEST(Yaml, AnAliasBombIsStopped) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) text += before + (j < 9 ? ", " : "]\n");
  }
  EXPECT_NE(problem_of(text, read_yaml).find("more than 200000 values"), std::string::npos);
}

TEST(Yaml, WhatIsNotYamlSaysWhere) { EXPECT_EQ(problem_of("a: [1\n", read_yaml).substr(0, 4), "f:2:"); }

TEST(Json, ValuesHavePlaces) {
  std::vector<Problem> problems;
  const Node node = read_json("{\n  \"a\": [1, \"\\ud83d\\ude00\"],\n  \"b\": {\"c\": -2.5}\n}", problems);
  ASSERT_TRUE(problems.empty());
  EXPECT_EQ((*node.find("a")->list())[0].at, (Position{2, 9}));
  EXPECT_EQ(*(*node.find("a")->list())[1].text(), "\xF0\x9F\x98\x80");
  EXPECT_EQ(node.find("b")->map()->front().first.at, (Position{3, 9}));
  EXPECT_EQ(*node.find("b")->find("c")->number(), -2.5);
  EXPECT_EQ(node.find("b")->find("c")->at, (Position{3, 14}));
}

TEST(Json, AKeyTwiceIsAProblem) {
  EXPECT_EQ(problem_of("{\"a\": 1, \"a\": 2}", read_json), "f:1:10: the key \"a\" stands twice");
}
TEST(Json, WhatIsNotJsonSaysWhere) {
  EXPECT_EQ(problem_of("{\"a\": }", read_json), "f:1:7: not JSON from here on");
  EXPECT_EQ(problem_of("{\"a\": 1", read_json), "f:1:8: not JSON: it ends too early");
}

TEST(FlowText, IsBounded) {
  std::vector<Problem> problems;
  EXPECT_EQ(flow_text(read_yaml("{a: [1, x], b: {c: true}}", problems)), "{a: [1, x], b: {c: true}}");
  EXPECT_EQ(flow_text(read_yaml("aaaaaaaaaa", problems), 4), "aaaa…");
}

}  // namespace
}  // namespace scenarios
