// The forms of Extended JSON that stand for one BSON value: {"$oid": …} and its like. Part of extended_json.*.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "wire/document.h"
#include "wire/json_scanner.h"

namespace wire {

// Whether an object whose first key is this one is such a form.
bool is_type_key(std::string_view key);

// Reads the rest of the form, from the ':' after its key up to and including its '}'.
class JsonTypeReader {
 public:
  // What the forms need from the reader of plain values.
  class Documents {
   public:
    virtual ~Documents() = default;
    virtual Document document() = 0;
  };
  JsonTypeReader(JsonScanner& scanner, Documents& documents) : scanner_(scanner), documents_(documents) {}
  Value value(std::string_view key);

 private:
  Value plain_form(std::string_view key);
  Value binary();
  Value uuid();
  Value date();
  Value timestamp();
  Value regular_expression();
  Value db_pointer();
  Value code();
  Value object_id();
  Value number_int();
  Value number_long();
  Value number_double();
  Value number_decimal();
  std::int64_t integer_text(std::string_view what);
  std::uint32_t uint32(std::string_view what);
  // The next string, and where it begins.
  std::string text();
  void expect_key(std::string_view key);
  // The two fields of an inner object, in either order, and its '}'.
  enum class Member { First, Second };
  void pair(std::string_view first, std::string_view second, const std::function<void(Member)>& read);
  [[noreturn]] void fail(const std::string& message) const { scanner_.fail_at(start_, message); }
  JsonScanner& scanner_;
  Documents& documents_;
  // Where the value that is being read begins.
  std::size_t start_ = 0;
};

}  // namespace wire
