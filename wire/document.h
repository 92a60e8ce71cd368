// BSON documents: checked once, then read in place; built in one buffer; shared without copying.
// Knows the BSON specification (https://bsonspec.org), nothing of MongoDB's commands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wire {

// The type byte of a BSON element. EndOfDocument (0) stands for "missing" in a ValueView.
enum class Type : std::uint8_t {
  EndOfDocument = 0,
  Double = 1,
  String = 2,
  Document = 3,
  Array = 4,
  Binary = 5,
  Undefined = 6,
  ObjectId = 7,
  Bool = 8,
  DateTime = 9,
  Null = 10,
  Regex = 11,
  DbPointer = 12,
  JavaScript = 13,
  Symbol = 14,
  JavaScriptWithScope = 15,
  Int32 = 16,
  Timestamp = 17,
  Int64 = 18,
  Decimal128 = 19,
  MinKey = 0xFF,
  MaxKey = 0x7F,
};

// The name that $type and error messages use: "double", "string", "object", "array", "binData", … ; "missing" for EndOfDocument.
std::string_view type_name(Type type);

// Seconds since the epoch and a counter within the second; ordered by both.
struct Timestamp {
  std::uint32_t seconds = 0;
  std::uint32_t increment = 0;
  auto operator<=>(const Timestamp&) const = default;
  static constexpr Timestamp from_bits(std::uint64_t bits) {
    return {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)};
  }
  constexpr std::uint64_t bits() const { return (std::uint64_t{seconds} << 32) | increment; }
};

struct ObjectId {
  std::array<std::uint8_t, 12> bytes{};
  auto operator<=>(const ObjectId&) const = default;
};

// A Decimal128 as BSON stores it: IEEE 754-2008 binary integer decimal, low and high halves.
struct Decimal128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const Decimal128&) const = default;
};

struct BinaryView {
  std::uint8_t subtype = 0;
  std::span<const std::uint8_t> bytes;
};

struct RegexView {
  std::string_view pattern;
  std::string_view options;
};

class DocumentView;

// One value inside checked BSON: its type and its bytes (without type byte and name). Trivially copied; keeps nothing alive.
class ValueView {
 public:
  constexpr ValueView() = default;
  constexpr ValueView(Type type, std::span<const std::uint8_t> bytes) : type_(type), bytes_(bytes) {}

  Type type() const { return type_; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }
  explicit operator bool() const { return type_ != Type::EndOfDocument; }
  bool missing() const { return type_ == Type::EndOfDocument; }
  bool is(Type type) const { return type_ == type; }
  // Double, Int32, Int64 or Decimal128.
  bool is_number() const;
  // Missing, null or undefined.
  bool is_nullish() const { return missing() || type_ == Type::Null || type_ == Type::Undefined; }

  // Each of these requires the type it names; asserted in debug builds.
  double as_double() const { return load<double>(); }
  std::int32_t as_int32() const { return load<std::int32_t>(); }
  std::int64_t as_int64() const { return load<std::int64_t>(); }
  bool as_bool() const { return bytes_[0] != 0; }
  std::int64_t as_date_ms() const { return load<std::int64_t>(); }
  Timestamp as_timestamp() const { return Timestamp::from_bits(load<std::uint64_t>()); }
  ObjectId as_object_id() const;
  Decimal128 as_decimal() const;
  // String, JavaScript or Symbol: the text without length and final NUL.
  std::string_view as_string() const;
  // Document or Array.
  DocumentView as_document() const;
  BinaryView as_binary() const;
  RegexView as_regex() const;
  // JavaScriptWithScope: the code and its scope.
  std::string_view code() const;
  DocumentView scope() const;
  // DbPointer: the namespace and the id.
  std::string_view pointer_namespace() const;
  ObjectId pointer_id() const;

  // Same type and same bytes.
  bool identical(ValueView other) const;

 private:
  template <class T>
  T load() const {
    T value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    return value;
  }
  Type type_ = Type::EndOfDocument;
  std::span<const std::uint8_t> bytes_;
};

struct Element {
  std::string_view name;
  ValueView value;
};

// A whole BSON document in checked bytes: length, elements, 00. Trivially copied; keeps nothing alive.
class DocumentView {
 public:
  // The empty document.
  DocumentView();
  // `bytes` must have passed check_document (or come from a builder).
  explicit DocumentView(const std::uint8_t* bytes) : data_(bytes) {}

  std::size_t size() const {
    std::uint32_t size;
    std::memcpy(&size, data_, sizeof size);
    return size;
  }
  const std::uint8_t* data() const { return data_; }
  std::span<const std::uint8_t> bytes() const { return {data_, size()}; }
  bool empty() const { return size() == 5; }

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Element;
    using difference_type = std::ptrdiff_t;
    using pointer = const Element*;
    using reference = const Element&;
    Iterator() = default;
    explicit Iterator(const std::uint8_t* at) { read(at); }
    const Element& operator*() const { return element_; }
    const Element* operator->() const { return &element_; }
    Iterator& operator++() {
      read(next_);
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    void read(const std::uint8_t* at);
    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* next_ = nullptr;
    Element element_;
  };
  Iterator begin() const { return Iterator(data_ + 4); }
  Iterator end() const { return Iterator(data_ + size() - 1); }

  // The first element of that name; missing if there is none.
  ValueView find(std::string_view name) const;
  ValueView operator[](std::string_view name) const { return find(name); }
  // Follows "a.b.c" through documents and, by index, arrays; missing if a step is.
  ValueView find_path(std::string_view dotted) const;
  bool has(std::string_view name) const { return !find(name).missing(); }
  std::size_t count() const;
  // The first element; missing value and empty name when the document is empty.
  Element first() const;

  bool identical(DocumentView other) const;

 private:
  const std::uint8_t* data_;
};

// An immutable document in one allocation, shared by a count that is not atomic: a Document never leaves its deployment's thread.
class Document {
 public:
  // The empty document; allocates nothing.
  Document() = default;
  // A copy of the bytes.
  explicit Document(DocumentView view);
  Document(const Document& other) noexcept;
  Document(Document&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Document& operator=(Document other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Document();

  DocumentView view() const;
  operator DocumentView() const { return view(); }
  std::size_t size() const { return view().size(); }
  bool empty() const { return view().empty(); }
  ValueView find(std::string_view name) const { return view().find(name); }
  ValueView operator[](std::string_view name) const { return view().find(name); }
  ValueView find_path(std::string_view dotted) const { return view().find_path(dotted); }
  bool has(std::string_view name) const { return view().has(name); }
  DocumentView::Iterator begin() const { return view().begin(); }
  DocumentView::Iterator end() const { return view().end(); }
  // Whether both share one allocation (or both are the default empty document).
  bool same_buffer(const Document& other) const { return block_ == other.block_; }
  // Whether this is the default-constructed document: "no document" where one is optional.
  bool is_default() const { return block_ == nullptr; }

 private:
  friend class DocumentBuilder;
  struct Block;
  Block* block_ = nullptr;
};

// A value that owns its bytes; scalars need no allocation of their own.
class Value {
 public:
  Value() = default;
  // A copy.
  Value(ValueView view);  // NOLINT(google-explicit-constructor): a value is a view that lives on its own.
  static Value null();
  static Value boolean(bool value);
  static Value int32(std::int32_t value);
  static Value int64(std::int64_t value);
  static Value number(double value);
  static Value decimal(Decimal128 value);
  static Value date(std::int64_t ms);
  static Value timestamp(Timestamp value);
  static Value object_id(const ObjectId& value);
  static Value string(std::string_view text);
  static Value symbol(std::string_view text);
  static Value code(std::string_view text);
  static Value binary(std::uint8_t subtype, std::span<const std::uint8_t> bytes);
  static Value regex(std::string_view pattern, std::string_view options);
  static Value document(DocumentView view);
  static Value array(DocumentView view);
  static Value min_key();
  static Value max_key();

  ValueView view() const;
  operator ValueView() const { return view(); }
  Type type() const { return type_; }
  bool missing() const { return type_ == Type::EndOfDocument; }
  explicit operator bool() const { return !missing(); }

 private:
  Value(Type type, std::string bytes) : type_(type), bytes_(std::move(bytes)) {}
  template <class T>
  static Value scalar(Type type, const T& value);
  Type type_ = Type::EndOfDocument;
  std::string bytes_;
};

// Writes one document, front to back. begin_document/begin_array open a nested one, end() closes it.
// Inside an array the names are given by the builder: use the functions without a name, or item_name().
class DocumentBuilder {
 public:
  DocumentBuilder() = default;
  // Keeps the buffer, forgets the content.
  void clear();

  DocumentBuilder& append(std::string_view name, ValueView value);
  // Every element of the document, in order.
  DocumentBuilder& append_all(DocumentView document);
  DocumentBuilder& append_double(std::string_view name, double value);
  DocumentBuilder& append_int32(std::string_view name, std::int32_t value);
  DocumentBuilder& append_int64(std::string_view name, std::int64_t value);
  DocumentBuilder& append_bool(std::string_view name, bool value);
  DocumentBuilder& append_null(std::string_view name);
  DocumentBuilder& append_date(std::string_view name, std::int64_t ms);
  DocumentBuilder& append_timestamp(std::string_view name, Timestamp value);
  DocumentBuilder& append_object_id(std::string_view name, const ObjectId& value);
  DocumentBuilder& append_string(std::string_view name, std::string_view text);
  DocumentBuilder& append_binary(std::string_view name, std::uint8_t subtype, std::span<const std::uint8_t> bytes);
  DocumentBuilder& append_document(std::string_view name, DocumentView value);
  DocumentBuilder& append_array(std::string_view name, DocumentView value);

  DocumentBuilder& begin_document(std::string_view name);
  DocumentBuilder& begin_array(std::string_view name);
  DocumentBuilder& end();
  // The next index of the innermost open array, as its name ("0", "1", …). Valid until the next call.
  std::string_view item_name();
  // The next element of the innermost open array.
  DocumentBuilder& item(ValueView value) { return append(item_name(), value); }

  // Bytes written so far, the open ends not counted.
  std::size_t size() const { return size_; }
  // Closes the document; everything opened must have been ended. The builder is empty afterwards and can be used again.
  Document finish();
  // The same as finish(), without an allocation of its own: valid until the builder is used again.
  DocumentView view();

 private:
  struct Open {
    std::size_t at;
    std::uint32_t next_index;
  };
  // Room for so many more bytes, not initialised.
  std::uint8_t* grow(std::size_t bytes);
  // Type byte, name and room for a value of that size; returns where the value goes.
  std::uint8_t* element(Type type, std::string_view name, std::size_t value_bytes);
  template <class T>
  DocumentBuilder& scalar(Type type, std::string_view name, const T& value);
  DocumentBuilder& open(Type type, std::string_view name);
  void close(std::size_t at);
  // Not a vector: nothing is cleared before it is written.
  std::unique_ptr<std::uint8_t[]> buffer_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::vector<Open> open_;
  bool finished_ = false;
  std::array<char, 12> index_text_{};
};

// The deepest nesting that mongod accepts from a client (BSONDepth::kDefaultMaxAllowableDepth).
inline constexpr int depth_max = 200;

// What is wrong with bytes, as mongod 6.0.5 words it: code 22 (InvalidBSON) or, too deep, 15 (Overflow); and
// "… in element with field name 'a.b' in object with unknown _id".
struct DocumentFault {
  int code;
  std::string text;
};

// What is wrong with bytes that should begin with one BSON document; nullopt: nothing. On success `*size_bytes` is its length.
// Checks every length, type, string end, array and nested document (at most depth_max below the outermost, as mongod counts);
// never trusts a length. Like mongod it does not look into text: UTF-8 is not checked.
std::optional<DocumentFault> check_document(std::span<const std::uint8_t> bytes, std::size_t* size_bytes);

}  // namespace wire
