// Typed reading of a command's fields, with the errors of the server's IDL parsers. Knows no command.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "emulator/command_error.h"
#include "wire/document.h"

namespace emulator {

// Fields that are missing, null or undefined are left at their default. Wrong types throw 14, as
// "BSON field 'insert.ordered' is the wrong type 'int', expected type 'bool'".
class Arguments {
 public:
  // `path` names the document in errors: "insert", "update.updates".
  Arguments(wire::DocumentView document, std::string path) : document_(document), path_(std::move(path)) {}

  // Throws 40415 for a field that is not among these.
  void only(std::span<const std::string_view> fields) const;
  // Throws 40414 if it is missing.
  wire::ValueView required(std::string_view field) const;

  // A bool and nothing else.
  bool boolean(std::string_view field, bool otherwise = false) const;
  // A bool or a number.
  bool flag(std::string_view field, bool otherwise = false) const;
  // Any number, cut to a whole one.
  std::optional<std::int64_t> whole(std::string_view field) const;
  // The same, not negative: throws 51024.
  std::optional<std::int64_t> count(std::string_view field) const;
  // Missing: the empty document.
  wire::DocumentView object(std::string_view field) const;
  std::optional<wire::DocumentView> array(std::string_view field) const;
  std::optional<std::string_view> text(std::string_view field) const;

  wire::ValueView operator[](std::string_view field) const { return document_[field]; }
  wire::DocumentView document() const { return document_; }

 private:
  // Missing when the field is absent, null or undefined.
  wire::ValueView present(std::string_view field) const;
  [[noreturn]] void wrong_type(std::string_view field, wire::Type type, std::string_view expected) const;
  wire::DocumentView document_;
  std::string path_;
};

// As the server's safeNumberLong: a number of any type cut to an int64, saturating; 0 for NaN and for what is no number.
std::int64_t whole_number(wire::ValueView value);
// As BSONElement::trueValue: false are false, zero, null, undefined and missing.
bool is_truthy(wire::ValueView value);

}  // namespace emulator
