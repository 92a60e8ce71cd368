#include "tests/support/scram_client.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "wire/base64.h"

namespace oplogue_test {
namespace {

std::span<const std::uint8_t> octets(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string field(std::string_view message, std::string_view name) {
  const std::size_t at = message.find(name);
  return std::string(message.substr(at + name.size(), message.find(',', at) - at - name.size()));
}

std::string hmac(const EVP_MD* kind, std::string_view key, std::string_view bytes) {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  HMAC(kind, key.data(), static_cast<int>(key.size()), octets(bytes).data(), bytes.size(), out.data(), &length);
  return {reinterpret_cast<const char*>(out.data()), length};
}

}  // namespace

ScramClient::ScramClient(emulator::ScramHash hash, std::string user, std::string password, std::string nonce)
    : hash_(hash), user_(std::move(user)), password_(std::move(password)), nonce_(std::move(nonce)) {}

std::string ScramClient::first() const { return "n,,n=" + user_ + ",r=" + nonce_; }

std::string ScramClient::final(std::string_view server_first) {
  const EVP_MD* kind = hash_ == emulator::ScramHash::Sha1 ? EVP_sha1() : EVP_sha256();
  const std::string salt = wire::from_base64(field(server_first, "s=")).value_or("");
  const int iterations = std::stoi(field(server_first, "i="));
  std::string salted(static_cast<std::size_t>(EVP_MD_get_size(kind)), '\0');
  PKCS5_PBKDF2_HMAC(password_.data(), static_cast<int>(password_.size()), octets(salt).data(),
                    static_cast<int>(salt.size()), iterations, kind, static_cast<int>(salted.size()),
                    reinterpret_cast<std::uint8_t*>(salted.data()));
  const std::string client_key = hmac(kind, salted, "Client Key");
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> stored{};
  EVP_Digest(client_key.data(), client_key.size(), stored.data(), nullptr, kind, nullptr);
  const std::string without_proof = "c=biws,r=" + field(server_first, "r=");
  const std::string spoken = first().substr(3) + "," + std::string(server_first) + "," + without_proof;
  std::string proof = hmac(kind, {reinterpret_cast<const char*>(stored.data()), client_key.size()}, spoken);
  for (std::size_t i = 0; i < proof.size(); ++i) proof[i] = static_cast<char>(proof[i] ^ client_key[i]);
  expected_end_ = "v=" + wire::to_base64(octets(hmac(kind, hmac(kind, salted, "Server Key"), spoken)));
  return without_proof + ",p=" + wire::to_base64(octets(proof));
}

wire::Document ask(World& world, std::uint64_t connection, std::string_view db, wire::DocumentView command) {
  wire::DocumentBuilder body;
  body.append_all(command).append_string("$db", db);
  world.send(connection, body.finish());
  return world.take_reply(connection).value_or(wire::Document());
}

wire::Document log_in(World& world, std::uint64_t connection, std::string_view db, const std::string& user,
                      const std::string& password, emulator::ScramHash hash) {
  const bool digested = hash == emulator::ScramHash::Sha1;
  ScramClient client(hash, user, digested ? emulator::mongo_password_digest(user, password) : password,
                     "fyko+d2lbbFgON");
  const auto payload_of = [](const wire::Document& reply) {
    const auto bytes = reply["payload"].as_binary().bytes;
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  wire::DocumentBuilder start;
  start.append_int32("saslStart", 1).append_string("mechanism", emulator::mechanism_name(hash));
  start.append_binary("payload", 0, octets(client.first()));
  start.begin_document("options").append_bool("skipEmptyExchange", true).end();
  const wire::Document begun = ask(world, connection, db, start.finish());
  if (!begun["payload"].is(wire::Type::Binary)) return begun;
  const std::string final = client.final(payload_of(begun));
  wire::DocumentBuilder go_on;
  go_on.append_int32("saslContinue", 1).append("conversationId", begun["conversationId"]);
  go_on.append_binary("payload", 0, octets(final));
  wire::Document end = ask(world, connection, db, go_on.finish());
  // A server that does not know the password cannot say this.
  if (end["payload"].is(wire::Type::Binary) && payload_of(end) != client.expected_end()) return {};
  return end;
}

}  // namespace oplogue_test
