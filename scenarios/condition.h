// What an await can wait for: next things, looked for from a place on, and states, met at once if they are so.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "scenarios/stage.h"

namespace scenarios {

// How a condition was met.
struct Met {
  std::optional<std::size_t> things_until;  // a next thing: the place after it
  std::optional<std::size_t> lines_until;
  std::uint64_t entry = 0;  // the request it was, for `as`
};

class Condition {
 public:
  Condition() = default;
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;
  virtual ~Condition() = default;
  // nullopt: not (yet).
  virtual std::optional<Met> met(Stage& stage) const = 0;
  // The consumer's end is no surprise while this is waited for.
  virtual bool is_exit() const { return false; }
  // It names a request.
  virtual bool is_request() const { return false; }
  // Why a thing that came instead is not it; nullopt: it looks at other things.
  virtual std::optional<Mismatch> mismatch_of(const Seen&, const Names&) const { return std::nullopt; }
};

// The words that say what is waited for, beside the filter's.
std::span<const std::string_view> condition_words();
// nullptr after a problem was noted.
std::unique_ptr<Condition> read_condition(Reader& reader, const Node& node);

// {ns, q, are, count}: documents of a collection as they are now.
struct DocumentsCheck {
  std::string ns;
  Node q;
  std::optional<Node> are;
  std::optional<Node> count;
};
DocumentsCheck read_documents_check(Reader& reader, const Node& node);
// What differs; nullopt: nothing.
std::optional<std::string> documents_differ(Stage& stage, const DocumentsCheck& check);

// any, nonzero or a code.
bool exit_is(const Node& wanted, const Consumer& consumer);
void check_exit(Reader& reader, const Node& wanted);

}  // namespace scenarios
