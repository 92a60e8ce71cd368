#include "emulator/scram.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <span>
#include <vector>

#include "emulator/command_error.h"
#include "emulator/error_codes.h"
#include "wire/base64.h"
#include "wire/hex.h"

namespace emulator {
namespace {

const EVP_MD* digest_of(ScramHash hash) { return hash == ScramHash::Sha1 ? EVP_sha1() : EVP_sha256(); }

std::size_t hash_bytes(ScramHash hash) { return hash == ScramHash::Sha1 ? 20 : 32; }

std::span<const std::uint8_t> octets(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

std::string digest(const EVP_MD* kind, std::string_view bytes) {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), out.data(), &length, kind, nullptr);
  return {reinterpret_cast<const char*>(out.data()), length};
}

std::string hmac(const EVP_MD* kind, std::string_view key, std::string_view bytes) {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  HMAC(kind, key.data(), static_cast<int>(key.size()), octets(bytes).data(), bytes.size(), out.data(), &length);
  return {reinterpret_cast<const char*>(out.data()), length};
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// The value of the attribute that stands there: "r=abc" of 'r' is "abc".
std::string_view attribute(std::string_view field, char name) {
  if (field.size() < 2 || field[0] != name || field[1] != '=') fail_authentication();
  return field.substr(2);
}

// A saslname: "=2C" is a comma, "=3D" an equals sign, and no other equals sign stands in it.
std::string decode_name(std::string_view encoded) {
  std::string out;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] != '=') {
      out += encoded[i];
      continue;
    }
    const std::string_view code = encoded.substr(i + 1, 2);
    if (code != "2C" && code != "3D") fail_authentication();
    out += code == "2C" ? ',' : '=';
    i += 2;
  }
  return out;
}

constexpr std::size_t client_nonce_bytes_min = 4;  // shorter ones mongod refuses

}  // namespace

void fail_authentication() { throw CommandError(code::authentication_failed, "Authentication failed."); }

std::string_view mechanism_name(ScramHash hash) { return hash == ScramHash::Sha1 ? "SCRAM-SHA-1" : "SCRAM-SHA-256"; }

std::optional<ScramHash> scram_mechanism(std::string_view name) {
  for (const ScramHash hash : {ScramHash::Sha1, ScramHash::Sha256})
    if (mechanism_name(hash) == name) return hash;
  return std::nullopt;
}

std::size_t salt_bytes(ScramHash hash) { return hash_bytes(hash) - 4; }

std::int32_t default_iterations(ScramHash hash) { return hash == ScramHash::Sha1 ? 10'000 : 15'000; }

ScramCredentials make_scram_credentials(ScramHash hash, std::string_view password, std::string salt,
                                        std::int32_t iterations) {
  const EVP_MD* kind = digest_of(hash);
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> salted{};
  PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()), octets(salt).data(),
                    static_cast<int>(salt.size()), iterations, kind, static_cast<int>(hash_bytes(hash)), salted.data());
  const std::string_view salted_password(reinterpret_cast<const char*>(salted.data()), hash_bytes(hash));
  ScramCredentials out;
  out.iterations = iterations;
  out.salt = std::move(salt);
  out.stored_key = digest(kind, hmac(kind, salted_password, "Client Key"));
  out.server_key = hmac(kind, salted_password, "Server Key");
  return out;
}

std::string mongo_password_digest(std::string_view user, std::string_view password) {
  const std::string bytes = digest(EVP_md5(), std::string(user) + ":mongo:" + std::string(password));
  return wire::to_hex_lower(octets(bytes));
}

std::string sha256(std::string_view bytes) { return digest(EVP_sha256(), bytes); }

std::string hmac_sha1(std::string_view key, std::string_view bytes) { return hmac(EVP_sha1(), key, bytes); }

std::string ScramConversation::first(std::string_view message) {
  const std::vector<std::string_view> fields = split(message);
  if (fields.size() < 4) fail_authentication();
  // No channel binding here: 'n' the client has none, 'y' it has and thinks the server has not.
  if (fields[0] != "n" && fields[0] != "y") fail_authentication();
  const std::string authorize_as = fields[1].empty() ? std::string() : decode_name(attribute(fields[1], 'a'));
  std::string user = decode_name(attribute(fields[2], 'n'));
  if (user.empty() || (!authorize_as.empty() && authorize_as != user)) fail_authentication();
  client_nonce_ = attribute(fields[3], 'r');
  if (client_nonce_.size() < client_nonce_bytes_min) fail_authentication();
  client_first_bare_ = message.substr(fields[0].size() + fields[1].size() + 2);
  return user;
}

std::string ScramConversation::challenge(ScramCredentials credentials, std::string_view nonce) {
  credentials_ = std::move(credentials);
  nonce_ = client_nonce_ + std::string(nonce);
  server_first_ = "r=" + nonce_ + ",s=" + wire::to_base64(octets(credentials_.salt)) +
                  ",i=" + std::to_string(credentials_.iterations);
  return server_first_;
}

std::string ScramConversation::final(std::string_view message) {
  const std::vector<std::string_view> fields = split(message);
  if (fields.size() < 3 || attribute(fields[1], 'r') != nonce_) fail_authentication();
  attribute(fields[0], 'c');
  const std::string_view proof_text = attribute(fields.back(), 'p');
  const std::optional<std::string> proof = wire::from_base64(proof_text);
  if (!proof) throw CommandError(10270, "invalid base64");
  const std::size_t bytes = hash_bytes(hash_);
  if (proof->size() != bytes)
    throw CommandError(code::invalid_length, std::string("Unsupported ") +
                                                 (hash_ == ScramHash::Sha1 ? "SHA1Block" : "SHA256Block") +
                                                 " hash length: " + std::to_string(proof->size()));
  const EVP_MD* kind = digest_of(hash_);
  const std::string_view without_proof = message.substr(0, message.size() - fields.back().size() - 1);
  const std::string spoken = client_first_bare_ + "," + server_first_ + "," + std::string(without_proof);
  // The proof is the client's key under its signature: what it holds must hash to what was stored.
  std::string client_key = hmac(kind, credentials_.stored_key, spoken);
  for (std::size_t i = 0; i < bytes; ++i) client_key[i] = static_cast<char>(client_key[i] ^ (*proof)[i]);
  const std::string offered = digest(kind, client_key);
  if (CRYPTO_memcmp(offered.data(), credentials_.stored_key.data(), bytes) != 0) fail_authentication();
  return "v=" + wire::to_base64(octets(hmac(kind, credentials_.server_key, spoken)));
}

}  // namespace emulator
