#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wire/extended_json.h"
#include "wire/extended_json_types.h"
#include "wire/json_scanner.h"

namespace wire {
namespace {

class Reader : private JsonTypeReader::Documents {
 public:
  Reader(std::string_view text, const JsonReaderOptions& options) : scanner_(text), options_(options) {
    if (text.size() > options.text_bytes_max)
      scanner_.fail(fmt::format("the text is longer than {} bytes", options.text_bytes_max));
  }

  Document whole_document() {
    Document read = document();
    expect_end();
    return read;
  }

  Value whole_value() {
    DocumentBuilder builder;
    value(builder, "");
    expect_end();
    return builder.view().first().value;
  }

 private:
  // A plain object, even if its first key is that of a type.
  Document document() override {
    if (scanner_.peek() != '{') scanner_.fail("expected an object");
    scanner_.expect('{');
    enter();
    DocumentBuilder builder;
    if (!scanner_.accept('}')) fields(builder, key());
    leave();
    return builder.finish();
  }

  void expect_end() {
    if (!scanner_.at_end()) scanner_.fail("expected the end of the text");
  }

  void enter() {
    if (++depth_ > options_.nesting_max)
      scanner_.fail(fmt::format("nested deeper than {} levels", options_.nesting_max));
  }
  void leave() { --depth_; }

  struct Key {
    std::string name;
    std::size_t at = 0;
  };

  Key key() {
    scanner_.skip_space();
    const std::size_t at = scanner_.at();
    Key read{scanner_.string(), at};
    if (read.name.find('\0') != std::string::npos) scanner_.fail_at(at, "a field name cannot hold U+0000");
    return read;
  }

  void value(DocumentBuilder& out, std::string_view name) {
    switch (scanner_.peek()) {
      case '{':
        return object(out, name);
      case '[':
        return array(out, name);
      case '"':
        out.append_string(name, scanner_.string());
        return;
      default:
        break;
    }
    if (scanner_.accept_word("true")) return void(out.append_bool(name, true));
    if (scanner_.accept_word("false")) return void(out.append_bool(name, false));
    if (scanner_.accept_word("null")) return void(out.append_null(name));
    out.append(name, scanner_.number());
  }

  void object(DocumentBuilder& out, std::string_view name) {
    scanner_.expect('{');
    std::optional<Key> first;
    if (!scanner_.accept('}')) first = key();
    if (first && is_type_key(first->name)) {
      out.append(name, JsonTypeReader(scanner_, *this).value(first->name));
      return;
    }
    enter();
    out.begin_document(name);
    if (first) fields(out, *std::move(first));
    out.end();
    leave();
  }

  // The fields from the first one's ':' up to and including the '}'.
  void fields(DocumentBuilder& out, Key field) {
    std::set<std::string> names;
    for (;;) {
      if (options_.duplicate_keys == DuplicateKeys::Refused && !names.insert(field.name).second)
        scanner_.fail_at(field.at, fmt::format("the key \"{}\" is there twice", field.name));
      scanner_.expect(':');
      value(out, field.name);
      if (scanner_.accept('}')) return;
      if (!scanner_.accept(',')) scanner_.fail(scanner_.at_end() ? "object without end" : "expected ',' or '}'");
      field = key();
    }
  }

  void array(DocumentBuilder& out, std::string_view name) {
    scanner_.expect('[');
    enter();
    out.begin_array(name);
    if (!scanner_.accept(']')) {
      do value(out, out.item_name());
      while (scanner_.accept(','));
      if (!scanner_.accept(']')) scanner_.fail(scanner_.at_end() ? "array without end" : "expected ',' or ']'");
    }
    out.end();
    leave();
  }

  JsonScanner scanner_;
  JsonReaderOptions options_;
  int depth_ = 0;
};

}  // namespace

Document document_from_json(std::string_view text, const JsonReaderOptions& options) {
  return Reader(text, options).whole_document();
}

Value value_from_json(std::string_view text, const JsonReaderOptions& options) {
  return Reader(text, options).whole_value();
}

}  // namespace wire
