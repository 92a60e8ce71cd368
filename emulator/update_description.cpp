#include "emulator/update_description.h"

#include <string>
#include <vector>

#include "emulator/command_error.h"
#include "emulator/diff.h"

namespace emulator {
namespace {

using wire::DocumentBuilder;
using wire::DocumentView;
using wire::Type;
using wire::ValueView;

enum class Report : std::uint8_t { Updated, Removed, Truncated, Disambiguated };
enum class Component : std::uint8_t { Field, Index };

[[noreturn]] void malformed(std::string_view name) {
  throw CommandError(9, "The diff of an update is malformed at '" + std::string(name) + "'");
}

// As FieldRef::isNumericPathComponentStrict: of any size.
bool is_numeric(std::string_view name) {
  return !name.empty() && (name.size() == 1 || name[0] != '0') &&
         name.find_first_not_of("0123456789") == std::string_view::npos;
}

// Walks a diff once for each part of the description: each goes straight into the output, nothing is kept between.
class Walk {
 public:
  Walk(Report report, DocumentBuilder& out) : report_(report), out_(out) {}

  void level(DocumentView diff) {
    if (diff.first().name == "a" && diff.first().value.is(Type::Bool))
      array(diff);
    else
      object(diff);
  }

 private:
  struct Part {
    std::string_view name;
    Component kind;
  };
  // The path one component longer, for as long as it lives.
  class Deeper {
   public:
    Deeper(Walk& walk, std::string_view name, Component kind)
        : walk_(walk), length_before_(walk.path_.size()), ambiguous_before_(walk.ambiguous_) {
      if (!walk.parts_.empty()) {
        walk.path_ += '.';
        walk.ambiguous_ = walk.ambiguous_ || kind == Component::Index || is_numeric(name);
      }
      walk.ambiguous_ = walk.ambiguous_ || name.find('.') != std::string_view::npos;
      walk.path_ += name;
      walk.parts_.push_back({name, kind});
    }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() {
      walk_.parts_.pop_back();
      walk_.path_.resize(length_before_);
      walk_.ambiguous_ = ambiguous_before_;
    }

   private:
    Walk& walk_;
    std::size_t length_before_;
    bool ambiguous_before_;
  };

  void object(DocumentView diff) {
    for (std::string_view section : {"u", "i", "b", "d"}) {
      ValueView value = diff.find(section);
      if (value.missing()) continue;
      if (!value.is(Type::Document)) malformed(section);
      for (const auto& field : value.as_document()) {
        Deeper deeper(*this, field.name, Component::Field);
        emit(section == "d" ? Report::Removed : Report::Updated, field.value);
      }
    }
    for (const auto& [name, value] : diff) {
      if (!name.starts_with('s')) continue;
      if (!value.is(Type::Document)) malformed(name);
      Deeper deeper(*this, name.substr(1), Component::Field);
      level(value.as_document());
    }
  }

  void array(DocumentView diff) {
    if (ValueView length = diff.find("l")) emit(Report::Truncated, length);
    for (const auto& [name, value] : diff) {
      if (name == "a" || name == "l") continue;
      if (name.empty() || !strict_index(name.substr(1))) malformed(name);
      Deeper deeper(*this, name.substr(1), Component::Index);
      if (name[0] == 'u')
        emit(Report::Updated, value);
      else if (value.is(Type::Document))
        level(value.as_document());
      else
        malformed(name);
    }
  }

  void emit(Report kind, ValueView value) {
    if (report_ == Report::Disambiguated) {
      if (ambiguous_) disambiguate();
      return;
    }
    if (report_ != kind) return;
    if (kind == Report::Updated) {
      out_.append(path_, value);
    } else if (kind == Report::Removed) {
      out_.append_string(out_.item_name(), path_);
    } else {
      out_.begin_document(out_.item_name());
      out_.append_string("field", path_).append("newSize", value);
      out_.end();
    }
  }

  void disambiguate() {
    out_.begin_array(path_);
    for (const Part& part : parts_) {
      if (part.kind == Component::Index)
        out_.append_int32(out_.item_name(), static_cast<std::int32_t>(*strict_index(part.name)));
      else
        out_.append_string(out_.item_name(), part.name);
    }
    out_.end();
  }

  Report report_;
  DocumentBuilder& out_;
  std::string path_;
  std::vector<Part> parts_;
  bool ambiguous_ = false;
};

}  // namespace

void append_update_description(std::string_view name, DocumentView diff, DisambiguatedPaths disambiguated,
                               DocumentBuilder& out) {
  out.begin_document(name);
  out.begin_document("updatedFields");
  Walk(Report::Updated, out).level(diff);
  out.end();
  out.begin_array("removedFields");
  Walk(Report::Removed, out).level(diff);
  out.end();
  out.begin_array("truncatedArrays");
  Walk(Report::Truncated, out).level(diff);
  out.end();
  if (disambiguated == DisambiguatedPaths::Yes) {
    out.begin_document("disambiguatedPaths");
    Walk(Report::Disambiguated, out).level(diff);
    out.end();
  }
  out.end();
}

void append_update_description(std::string_view name, DocumentView set_and_unset, DocumentBuilder& out) {
  out.begin_document(name);
  out.begin_document("updatedFields");
  if (const ValueView set = set_and_unset["$set"]; set.is(Type::Document)) out.append_all(set.as_document());
  out.end();
  out.begin_array("removedFields");
  if (const ValueView unset = set_and_unset["$unset"]; unset.is(Type::Document))
    for (const auto& field : unset.as_document()) out.append_string(out.item_name(), field.name);
  out.end();
  out.end();
}

}  // namespace emulator
