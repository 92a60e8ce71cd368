// TLS of a server: its certificate, whom it asks for one, and what a client's says. Knows no message and no deployment.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

namespace server {

// Whether clients are asked for a certificate, which --tls-ca has to have signed.
enum class ClientCertificates { NotAsked, Allowed, Required };

struct TlsOptions {
  std::string certificate_file;  // PEM: certificate, those between it and its CA, and the key
  std::string ca_file;           // PEM; empty: clients are not asked
  ClientCertificates clients = ClientCertificates::NotAsked;
};

// What all connections share.
class TlsContext {
 public:
  // Reads the files. Throws StartError. An expired certificate is served: how a client takes that is worth a test.
  explicit TlsContext(const TlsOptions& options);

  // One connection's side, on a non-blocking socket that outlives it.
  std::shared_ptr<SSL> connection(int socket) const;
  // After the handshake: why the client is turned away, as OpenSSL words it; empty: it is not.
  std::string objection(const SSL& connection) const;

 private:
  std::shared_ptr<SSL_CTX> context_;
  ClientCertificates clients_;
};

// The subject of the certificate that the client showed, as RFC 2253 writes it ("CN=alice,O=Test,C=DE"); empty: it showed none.
std::string client_subject(const SSL& connection);
// The last error of OpenSSL on this thread, in words.
std::string tls_error();

}  // namespace server
