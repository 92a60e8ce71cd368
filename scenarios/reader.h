// Reads a scenario's nodes with the types that words have, notes every mistake with its place and the nearest right word, and
// keeps which names are set. Knows no word itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/node.h"

namespace scenarios {

enum class Command;

// What a name stands for.
enum class NameKind { Event, Request, Fault };

// Whether names may be used before they are set (always, limit: a name that is not set yet matches nothing).
enum class NameOrder { SetBefore, SetAnywhere };

// The one of `words` that `word` was probably meant to be; empty: none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

// What Words::need gives for a word that is not there: its absence has been noted.
bool is_absent(const Node& node);

class Reader {
 public:
  explicit Reader(std::vector<Problem>& problems) : problems_(problems) {}

  void problem(Position at, std::string sentence) { problems_.push_back({at, std::move(sentence)}); }
  // The same, unless the node is_absent().
  void wrong(const Node& node, std::string sentence);
  // `there is no <what> "<word>"; did you mean <nearest>?`, or the list of all when none is near.
  void unknown(Position at, std::string_view what, std::string_view word, std::span<const std::string_view> words);

  std::size_t problem_count() const { return problems_.size(); }

  // Each notes a problem and returns a harmless value if the node is something else. `what` names it in the sentence: "ns".
  std::string text(const Node& node, std::string_view what);
  std::int64_t count(const Node& node, std::string_view what);
  double fraction(const Node& node, std::string_view what);
  std::chrono::nanoseconds duration(const Node& node, std::string_view what);
  const Node::List& list(const Node& node, std::string_view what);
  // "db.coll"; `database_allowed`: or "db".
  enum class NsForm { Collection, DatabaseOrCollection };
  std::string ns(const Node& node, NsForm form);
  // A scalar or a list of them.
  std::vector<std::string> texts(const Node& node, std::string_view what);
  // A regular expression that compiles.
  std::string regex(const Node& node, std::string_view what);

  // --- names
  void set_name(const Node& node, NameKind kind);
  // "X", "X.2", "X.invalidate", "X.fragment1": X must be set.
  std::string use_name(const Node& node, std::string_view what);
  std::string use_name(const std::string& reference, Position at);
  void names_set(std::map<std::string, NameKind> names) { names_ = std::move(names); }
  void order(NameOrder order) { order_ = order; }
  NameOrder order() const { return order_; }
  // Judges the names that were used before they were set where that is allowed.
  void finish_names();
  const std::map<std::string, NameKind>& names() const { return names_; }

  // --- what surrounds the step that is read
  bool later_round = false;  // of a repeat: its names have been set by the first
  bool in_given = false;
  bool in_always = false;
  bool has_command = true;

 private:
  std::vector<Problem>& problems_;
  std::map<std::string, NameKind> names_;
  std::vector<std::pair<std::string, Position>> deferred_;
  NameOrder order_ = NameOrder::SetBefore;
};

// The words of one map: reports a value that is no map, and every word that is not among the known.
class Words {
 public:
  Words(Reader& reader, const Node& node, std::string_view what, std::span<const std::string_view> known);
  // nullptr when it is not there.
  const Node* find(std::string_view word) const { return node_.find(word); }
  // Reports its absence, and returns a null node then.
  const Node& need(std::string_view word) const;
  Position at() const { return node_.at; }
  bool is_map() const { return node_.map() != nullptr; }

 private:
  Reader& reader_;
  const Node& node_;
  std::string_view what_;
};

}  // namespace scenarios
