// SCRAM from the server's side (RFC 5802, RFC 7677): credentials from a password, and one conversation. Pure: salts and nonces
// are given. Knows no users.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace emulator {

enum class ScramHash { Sha1, Sha256 };

// "SCRAM-SHA-1", "SCRAM-SHA-256".
std::string_view mechanism_name(ScramHash hash);
std::optional<ScramHash> scram_mechanism(std::string_view name);
// As mongod salts and iterates unless told otherwise: 16 and 28 bytes, 10000 and 15000 times.
std::size_t salt_bytes(ScramHash hash);
std::int32_t default_iterations(ScramHash hash);

// Keys and salt as bytes.
struct ScramCredentials {
  std::int32_t iterations = 0;
  std::string salt;
  std::string stored_key;
  std::string server_key;
};

// `password` as the mechanism takes it: prepared by SASLprep, or MongoDB's digest of it. Derives a key: done when a user is
// made, not when one logs in.
ScramCredentials make_scram_credentials(ScramHash hash, std::string_view password, std::string salt,
                                        std::int32_t iterations);
// What SCRAM-SHA-1 takes for the password: md5("user:mongo:password") as hexadecimal digits.
std::string mongo_password_digest(std::string_view user, std::string_view password);
// Of SHA-256, and of HMAC-SHA-1.
std::string sha256(std::string_view bytes);
std::string hmac_sha1(std::string_view key, std::string_view bytes);

// One conversation: client-first, server-first, client-final, server-final. Every fault of the client throws CommandError 18
// without saying which, as mongod; a proof that is none throws 16 or 10270.
class ScramConversation {
 public:
  explicit ScramConversation(ScramHash hash) : hash_(hash) {}

  // Takes the client's first message; returns the user that it names.
  std::string first(std::string_view message);
  // The server's first message. `nonce`: this server's part of it, printable.
  std::string challenge(ScramCredentials credentials, std::string_view nonce);
  // Takes the client's final message; returns the server's.
  std::string final(std::string_view message);

  ScramHash hash() const { return hash_; }

 private:
  ScramHash hash_;
  std::string client_first_bare_;
  std::string client_nonce_;
  std::string server_first_;
  std::string nonce_;  // the client's and this server's
  ScramCredentials credentials_;
};

// CommandError 18, "Authentication failed.": all that somebody who could not log in is told.
[[noreturn]] void fail_authentication();

}  // namespace emulator
