// The rope of a reply: bytes, documents that are referred to, and what is rendered while the client reads. Knows no
// format of it.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "wire/document.h"

namespace wire {

// Reads a rendering from front to back. Belongs to one reader; the Rendered outlives it.
class RenderCursor {
 public:
  RenderCursor() = default;
  RenderCursor(const RenderCursor&) = delete;
  RenderCursor& operator=(const RenderCursor&) = delete;
  virtual ~RenderCursor() = default;
  // Writes the next bytes to `out` (never empty) and says how many; 0 only at the end. May stop anywhere.
  virtual std::size_t read(std::span<std::byte> out) = 0;
};

// Bytes that are made when they are sent. The same bytes at every rendering, and exactly size() of them.
class Rendered {
 public:
  Rendered() = default;
  Rendered(const Rendered&) = delete;
  Rendered& operator=(const Rendered&) = delete;
  virtual ~Rendered() = default;
  virtual std::size_t size() const = 0;
  virtual std::unique_ptr<RenderCursor> cursor() const = 0;
};

// Built front to back, then not changed; its size is known without rendering. A payload of bytes alone is one string.
// A copy shares documents and renderings and copies owned bytes. Never leaves its deployment's thread (Document's count
// is not atomic).
class Payload {
 public:
  // A document up to this size is copied into the bytes around it, a rendering is rendered at once: a piece of its own
  // costs more.
  static constexpr std::size_t copied_document_bytes_max = 1024;

  Payload() = default;
  explicit Payload(std::string bytes) : head_(std::move(bytes)), size_(head_.size()) {}
  explicit Payload(const Document& document) { append_document(document); }

  Payload& append(std::string_view bytes);
  Payload& append_document(const Document& document);
  Payload& append_rendered(std::shared_ptr<const Rendered> rendered);
  Payload& append(Payload other);
  Payload& prepend(std::string_view bytes);

  std::size_t size() const { return size_; }
  // Whether it is owned bytes alone: then head() is all of it.
  bool is_flat() const { return rest_.empty(); }
  std::string_view head() const { return head_; }
  // All of it in one string, rendered.
  std::string flatten() const;

 private:
  friend class PayloadReader;
  using Part = std::variant<std::string, Document, std::shared_ptr<const Rendered>>;

  // Where bytes at the end go.
  std::string& last_text();

  std::string head_;        // the bytes before the first part
  std::vector<Part> rest_;  // never two strings in a row
  std::size_t size_ = 0;
};

// Hands a payload out in pieces for gathered writes. Renders at most scratch_bytes_max at a time, into a buffer that
// exists only when something is rendered.
class PayloadReader {
 public:
  static constexpr std::size_t scratch_bytes_max = 256 * 1024;
  // Linux's IOV_MAX.
  static constexpr std::size_t pieces_max = 1024;

  PayloadReader() = default;
  explicit PayloadReader(Payload payload) : payload_(std::move(payload)), left_bytes_(payload_.size()) {}

  bool done() const { return left_bytes_ == 0; }
  std::size_t left_bytes() const { return left_bytes_; }
  // Fills `out` from where consume() stands and says with how many pieces: at least one unless done(), at most
  // pieces_max. The pieces are valid until consume(), a move of the reader or its end. Asking again without consume()
  // gives the same bytes.
  std::size_t pieces(std::span<iovec> out);
  // So many of the bytes that pieces() gave were written.
  void consume(std::size_t bytes);

 private:
  // Bytes and documents from part_at_ on; renderings through the scratch, from scratch_at on.
  std::span<const std::byte> piece(std::size_t part, std::size_t part_at, std::size_t scratch_at);
  std::span<const std::byte> rendered_piece(const Rendered& rendered, std::size_t part, std::size_t left_bytes,
                                            std::size_t scratch_at);
  std::size_t part_size(std::size_t part) const;

  Payload payload_;
  std::size_t left_bytes_ = 0;
  // Where consume() stands: 0 is the head, n the payload's rest_[n - 1]; and the consumed bytes of it.
  std::size_t part_ = 0;
  std::size_t part_at_ = 0;
  // Rendered and not consumed: scratch_[begin, end). The cursor continues behind it, in rendering_part_.
  std::unique_ptr<std::byte[]> scratch_;
  std::size_t scratch_size_ = 0;
  std::size_t scratch_begin_ = 0;
  std::size_t scratch_end_ = 0;
  std::unique_ptr<RenderCursor> cursor_;
  std::size_t rendering_part_ = 0;
};

}  // namespace wire
