#include "wire/payload.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>

namespace wire {
namespace {

std::string_view text(DocumentView document) {
  return {reinterpret_cast<const char*>(document.data()), document.size()};
}

[[noreturn]] void wrong_size() { throw std::logic_error("a rendering is not as long as it says"); }

void render_all(const Rendered& rendered, std::string& out) {
  const std::size_t begin = out.size();
  const std::size_t size = rendered.size();
  out.resize(begin + size);
  const std::unique_ptr<RenderCursor> cursor = rendered.cursor();
  auto left = std::as_writable_bytes(std::span(out)).subspan(begin);
  while (!left.empty()) {
    const std::size_t count = cursor->read(left);
    if (count == 0) wrong_size();
    left = left.subspan(count);
  }
}

}  // namespace

Payload& Payload::append(std::string_view bytes) {
  if (bytes.empty()) return *this;
  size_ += bytes.size();
  last_text() += bytes;
  return *this;
}

std::string& Payload::last_text() {
  if (rest_.empty()) return head_;
  if (auto* last = std::get_if<std::string>(&rest_.back())) return *last;
  return std::get<std::string>(rest_.emplace_back(std::string()));
}

Payload& Payload::append_document(const Document& document) {
  const std::size_t size = document.size();
  if (size <= copied_document_bytes_max) return append(text(document));
  size_ += size;
  rest_.emplace_back(document);
  return *this;
}

Payload& Payload::append_rendered(std::shared_ptr<const Rendered> rendered) {
  const std::size_t size = rendered->size();
  if (size == 0) return *this;
  size_ += size;
  if (size <= copied_document_bytes_max)
    render_all(*rendered, last_text());
  else
    rest_.emplace_back(std::move(rendered));
  return *this;
}

Payload& Payload::append(Payload other) {
  append(std::string_view(other.head_));
  for (Part& part : other.rest_) {
    if (const auto* bytes = std::get_if<std::string>(&part)) {
      append(std::string_view(*bytes));
    } else if (const auto* document = std::get_if<Document>(&part)) {
      append_document(*document);
    } else {
      append_rendered(std::move(std::get<std::shared_ptr<const Rendered>>(part)));
    }
  }
  return *this;
}

Payload& Payload::prepend(std::string_view bytes) {
  head_.insert(0, bytes);
  size_ += bytes.size();
  return *this;
}

std::string Payload::flatten() const {
  std::string out;
  out.reserve(size_);
  out += head_;
  for (const Part& part : rest_) {
    if (const auto* bytes = std::get_if<std::string>(&part)) {
      out += *bytes;
    } else if (const auto* document = std::get_if<Document>(&part)) {
      out += text(*document);
    } else {
      render_all(*std::get<std::shared_ptr<const Rendered>>(part), out);
    }
  }
  return out;
}

std::size_t PayloadReader::part_size(std::size_t part) const {
  if (part == 0) return payload_.head_.size();
  const Payload::Part& it = payload_.rest_[part - 1];
  if (const auto* bytes = std::get_if<std::string>(&it)) return bytes->size();
  if (const auto* document = std::get_if<Document>(&it)) return document->size();
  return std::get<std::shared_ptr<const Rendered>>(it)->size();
}

std::span<const std::byte> PayloadReader::rendered_piece(const Rendered& rendered, std::size_t part,
                                                         std::size_t left_bytes, std::size_t scratch_at) {
  if (scratch_ == nullptr) {
    scratch_size_ = std::min(scratch_bytes_max, left_bytes_);
    scratch_ = std::make_unique_for_overwrite<std::byte[]>(scratch_size_);
  }
  // An earlier call rendered it to its end and went on.
  if (part < rendering_part_) return {scratch_.get() + scratch_at, left_bytes};
  if (part > rendering_part_) {
    rendering_part_ = part;
    cursor_ = rendered.cursor();
  }
  const std::size_t end = scratch_at + std::min(left_bytes, scratch_size_ - scratch_at);
  while (scratch_end_ < end) {
    const std::size_t count = cursor_->read({scratch_.get() + scratch_end_, end - scratch_end_});
    if (count == 0) wrong_size();
    scratch_end_ += count;
  }
  return {scratch_.get() + scratch_at, scratch_end_ - scratch_at};
}

std::span<const std::byte> PayloadReader::piece(std::size_t part, std::size_t part_at, std::size_t scratch_at) {
  if (part == 0) return std::as_bytes(std::span(payload_.head_)).subspan(part_at);
  const Payload::Part& it = payload_.rest_[part - 1];
  if (const auto* bytes = std::get_if<std::string>(&it)) return std::as_bytes(std::span(*bytes)).subspan(part_at);
  if (const auto* document = std::get_if<Document>(&it))
    return std::as_bytes(document->view().bytes()).subspan(part_at);
  const Rendered& rendered = *std::get<std::shared_ptr<const Rendered>>(it);
  return rendered_piece(rendered, part, rendered.size() - part_at, scratch_at);
}

std::size_t PayloadReader::pieces(std::span<iovec> out) {
  const std::size_t count_max = std::min(out.size(), pieces_max);
  std::size_t count = 0;
  std::size_t part_at = part_at_;
  std::size_t scratch_at = scratch_begin_;
  for (std::size_t part = part_; part <= payload_.rest_.size() && count < count_max; ++part) {
    const std::span<const std::byte> bytes = piece(part, part_at, scratch_at);
    if (!bytes.empty()) out[count++] = {const_cast<std::byte*>(bytes.data()), bytes.size()};
    if (part > 0 && std::holds_alternative<std::shared_ptr<const Rendered>>(payload_.rest_[part - 1]))
      scratch_at += bytes.size();
    // The scratch is full: what follows has to wait.
    if (bytes.size() < part_size(part) - part_at) break;
    part_at = 0;
  }
  return count;
}

void PayloadReader::consume(std::size_t bytes) {
  assert(bytes <= left_bytes_);
  left_bytes_ -= bytes;
  while (bytes > 0) {
    const std::size_t taken = std::min(bytes, part_size(part_) - part_at_);
    bytes -= taken;
    part_at_ += taken;
    const bool rendered =
        part_ > 0 && std::holds_alternative<std::shared_ptr<const Rendered>>(payload_.rest_[part_ - 1]);
    if (rendered) scratch_begin_ += taken;
    if (part_at_ < part_size(part_)) break;
    // What was sent need not be held until the last byte is.
    if (part_ > 0) payload_.rest_[part_ - 1] = std::string();
    ++part_;
    part_at_ = 0;
  }
  if (scratch_begin_ == scratch_end_) scratch_begin_ = scratch_end_ = 0;
}

}  // namespace wire
