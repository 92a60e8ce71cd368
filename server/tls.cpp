#include "server/tls.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "server/start_error.h"

namespace server {

namespace {

[[noreturn]] void refuse(std::string_view option, const std::string& file, std::string_view what) {
  const std::string reason = tls_error();
  throw StartError(fmt::format("{} {}: {}{}{}", option, file, what, reason.empty() ? "" : ": ", reason));
}

// Verification judges, but does not end the handshake: as mongod, the server turns a client away after it, without an alert.
int go_on(int, X509_STORE_CTX*) { return 1; }

void check_readable(std::string_view option, const std::string& file) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> opened(BIO_new_file(file.c_str(), "r"), &BIO_free);
  if (!opened) {
    ERR_clear_error();
    throw StartError(fmt::format("{}: cannot read {}", option, file));
  }
}

void use_certificate(SSL_CTX* context, const std::string& file) {
  check_readable("--tls-cert", file);
  if (SSL_CTX_use_certificate_chain_file(context, file.c_str()) != 1)
    refuse("--tls-cert", file, "there is no certificate in it");
  if (SSL_CTX_use_PrivateKey_file(context, file.c_str(), SSL_FILETYPE_PEM) != 1)
    refuse("--tls-cert", file, "there is no private key in it that fits the certificate");
}

void ask_clients(SSL_CTX* context, const std::string& ca_file) {
  check_readable("--tls-ca", ca_file);
  if (SSL_CTX_load_verify_locations(context, ca_file.c_str(), nullptr) != 1)
    refuse("--tls-ca", ca_file, "there is no certificate in it");
  // The names of the CAs, so that a client with several certificates picks the right one.
  SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(ca_file.c_str()));
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, go_on);
}

}  // namespace

TlsContext::TlsContext(const TlsOptions& options)
    : context_(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free), clients_(options.clients) {
  SSL_CTX* context = context_.get();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context,
                      SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
  // A write that the socket took in part is gone on with, from wherever its bytes are then.
  SSL_CTX_set_mode(context,
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0);
  use_certificate(context, options.certificate_file);
  if (clients_ != ClientCertificates::NotAsked) ask_clients(context, options.ca_file);
}

std::shared_ptr<SSL> TlsContext::connection(int socket) const {
  std::shared_ptr<SSL> connection(SSL_new(context_.get()), &SSL_free);
  SSL_set_fd(connection.get(), socket);
  SSL_set_accept_state(connection.get());
  return connection;
}

std::string TlsContext::objection(const SSL& connection) const {
  if (clients_ == ClientCertificates::NotAsked) return {};
  if (SSL_get0_peer_certificate(&connection) == nullptr)
    return clients_ == ClientCertificates::Required ? "the client showed no certificate" : "";
  const long verdict = SSL_get_verify_result(&connection);
  return verdict == X509_V_OK ? "" : fmt::format("the client's {}", X509_verify_cert_error_string(verdict));
}

std::string client_subject(const SSL& connection) {
  const X509* certificate = SSL_get0_peer_certificate(&connection);
  if (certificate == nullptr) return {};
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), &BIO_free);
  // Letters beyond ASCII stay as UTF-8, as users' names have them.
  constexpr unsigned long form = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate), 0, form);
  char* bytes = nullptr;
  const long length = BIO_get_mem_data(text.get(), &bytes);
  return {bytes, static_cast<std::size_t>(length)};
}

std::string tls_error() {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  const char* reason = error == 0 ? nullptr : ERR_reason_error_string(error);
  return reason == nullptr ? std::string() : std::string(reason);
}

}  // namespace server
