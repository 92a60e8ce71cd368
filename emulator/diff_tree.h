// A difference of two documents while it is made: what an oplog entry says under `diff`, with MongoDB's estimate of its size.
// Knows neither how it is found (by comparing, by an update's operators) nor how it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/document.h"

namespace emulator {

// One level: of an object {d: {…}, u: {…}, i: {…}, s<name>: …} or of an array {a: true, l: n, u<index>: …, s<index>: …}.
// Names and values are views: what they point into must outlive the tree.
class DiffTree {
 public:
  enum class Level : std::uint8_t { Object, Array };

  explicit DiffTree(Level level);

  Level level() const { return level_; }
  bool empty() const;
  // MongoDB's estimate (DiffNode::getObjSize), by which a diff is given up for the whole value.
  std::size_t size_bytes() const { return size_bytes_; }

  // For objects. A value may be missing when it is given later, by resolve().
  void remove(std::string_view name);
  void update(std::string_view name, wire::ValueView value);
  void insert(std::string_view name, wire::ValueView value);
  void nest(std::string_view name, std::unique_ptr<DiffTree> tree);
  // For arrays.
  void update(std::size_t index, wire::ValueView value);
  void nest(std::size_t index, std::unique_ptr<DiffTree> tree);
  void truncate(std::int32_t length);

  // The level below, made when it is not there; nullptr when the whole value below is already reported.
  DiffTree* descend(std::string_view name, Level level);
  DiffTree* descend(std::size_t index, Level level);
  // Takes every value from the document that the difference leads to.
  void resolve(wire::DocumentView post);

  // Appends the level's fields to the open document.
  void write(wire::DocumentBuilder& out) const;

 private:
  struct Field {
    std::string_view name;
    wire::ValueView value;
  };
  struct Nested {
    std::string_view name;
    std::unique_ptr<DiffTree> tree;
  };
  struct Item {
    wire::ValueView value;
    std::unique_ptr<DiffTree> tree;
  };
  void write_object(wire::DocumentBuilder& out) const;
  void write_array(wire::DocumentBuilder& out) const;

  Level level_;
  std::vector<std::string_view> removed_;
  std::vector<Field> updated_;
  std::vector<Field> inserted_;
  std::vector<Nested> nested_;
  std::map<std::size_t, Item> items_;
  std::optional<std::int32_t> length_;
  std::size_t size_bytes_;
};

}  // namespace emulator
