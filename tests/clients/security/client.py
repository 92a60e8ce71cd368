"""Logging in and TLS as pymongo meets them: starts servers of its own ($OPLOGUE), prints `ok NAME` or `FAIL NAME: why` a check.

What a driver says of a failure is what it says of mongod 6.0.5 under the same options.
"""

import json
import os
import subprocess
import sys
import tempfile

import pymongo
from certificates import Certificates
from pymongo.errors import ConfigurationError, OperationFailure, PyMongoError, ServerSelectionTimeoutError

OPLOGUE = os.environ.get("OPLOGUE", "build/release/oplogue")
SELECTION_MS = 1500
ALICE = "CN=alice,OU=Clients,O=Test\\, Inc.,C=US"


class Server:
    """`oplogue serve` with these options, from its ready line to the end of the block."""

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        self.process = subprocess.Popen([OPLOGUE, "serve", "--port", "0", "--exit-with-parent", "--profile", "mongodb-6.0", *self.options],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ready = json.loads(self.process.stdout.readline())
        self.uri = ready["uri"]
        self.port = ready["members"][0]["address"].rsplit(":", 1)[1]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.log = self.process.communicate(timeout=10)[1]

    def client(self, **options):
        """A client of its own; `options` as MongoClient takes them."""
        return pymongo.MongoClient(f"mongodb://localhost:{self.port}/?directConnection=true",
                                   serverSelectionTimeoutMS=SELECTION_MS, **options)


def expect(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, came {actual!r}")


def refusal(act, kind=OperationFailure):
    """How the act failed: its code and sentence, or the sentence alone."""
    try:
        result = act()
    except kind as error:
        return (error.code, error.details["errmsg"]) if isinstance(error, OperationFailure) else str(error)
    raise AssertionError(f"was allowed: {result!r}")


def ping(client):
    return client.admin.command("ping")["ok"]


def the_uri_of_the_ready_line_logs_in():
    with Server("--auth", "admin:p@ss:w/rd") as server:
        client = pymongo.MongoClient(server.uri)
        client.app.items.insert_one({"_id": 1})
        expect(client.app.items.find_one(), {"_id": 1})
        expect(client.admin.command("connectionStatus")["authInfo"]["authenticatedUserRoles"], [{"role": "root", "db": "admin"}])


def both_mechanisms_take_the_right_password_only():
    with Server("--auth", "admin:secret") as server:
        for mechanism in ("SCRAM-SHA-1", "SCRAM-SHA-256"):
            expect(server.client(username="admin", password="secret", authMechanism=mechanism).app.items.find_one(), None)
            wrong = server.client(username="admin", password="Secret", authMechanism=mechanism)
            expect(refusal(lambda: wrong.app.items.find_one()), (18, "Authentication failed."))
        expect(refusal(lambda: server.client(username="admin", password="secret", authSource="app").app.items.find_one()),
               (18, "Authentication failed."))
        expect(refusal(lambda: server.client().app.items.find_one()), (13, "command find requires authentication"))
        expect(ping(server.client()), 1.0)


def users_passwords_are_prepared():
    with Server("--auth", "admin:secret") as server:
        admin = server.client(username="admin", password="secret")
        admin.app.command("createUser", "prepared", pwd="I\u00adX\u2168", roles=["read"])
        expect(server.client(username="prepared", password="IXIX", authSource="app").app.items.find_one(), None)


def roles_allow_and_refuse():
    with Server("--auth", "admin:secret") as server:
        admin = server.client(username="admin", password="secret")
        for user, roles in (("reader", ["read"]), ("writer", ["readWrite"]), ("nobody", [])):
            admin.app.command("createUser", user, pwd="p", roles=roles)
        reader, writer, nobody = (server.client(username=user, password="p", authSource="app") for user in ("reader", "writer", "nobody"))
        writer.app.items.insert_one({"_id": 1})
        expect(reader.app.items.find_one(), {"_id": 1})
        code, sentence = refusal(lambda: reader.app.items.insert_one({"_id": 2}))
        expect((code, sentence.split(" {")[0]), (13, "not authorized on app to execute command"))
        code, sentence = refusal(lambda: writer.other.items.insert_one({"_id": 2}))
        expect((code, sentence.split(" {")[0]), (13, "not authorized on other to execute command"))
        expect(refusal(lambda: nobody.app.items.find_one())[0], 13)
        expect(refusal(lambda: nobody.app.items.watch())[0], 13)
        expect(refusal(lambda: writer.admin.command("serverStatus"))[0], 13)
        with reader.app.items.watch(max_await_time_ms=2000) as stream:
            writer.app.items.insert_one({"_id": 3})
            expect(next(stream)["documentKey"], {"_id": 3})
            admin.app.command("updateUser", "reader", roles=[])
            expect(refusal(stream.next)[0], 13)
        expect(reader.app.command("usersInfo", "reader")["users"][0]["mechanisms"], ["SCRAM-SHA-1", "SCRAM-SHA-256"])
        admin.app.command("dropUser", "writer")
        expect(refusal(lambda: writer.app.items.insert_one({"_id": 4}))[0], 13)
        expect(admin.app.command("dropAllUsersFromDatabase")["n"], 2)


def tls_is_spoken(files):
    with Server("--tls-cert", files["server.pem"]) as server:
        client = server.client(tls=True, tlsCAFile=files["ca.crt"])
        client.app.items.insert_many([{"_id": i, "text": "x" * 1000} for i in range(2000)])
        expect(sum(1 for _ in client.app.items.find(batch_size=700)), 2000)
        with client.app.items.watch(max_await_time_ms=2000) as stream:
            client.app.items.insert_one({"_id": "after"})
            expect(next(stream)["documentKey"], {"_id": "after"})
        expect("connection closed" in refusal(lambda: ping(server.client()), ServerSelectionTimeoutError), True)
        expect("tls=true" in server.uri, True)


def certificates_of_the_server_are_checked_by_the_client(files):
    for certificate, reason in (("server.pem", ""), ("wrong_host.pem", "Hostname mismatch"), ("expired_server.pem", "certificate has expired")):
        with Server("--tls-cert", files[certificate]) as server:
            if reason:
                said = refusal(lambda: ping(server.client(tls=True, tlsCAFile=files["ca.crt"])), ServerSelectionTimeoutError)
                expect(reason in said, True)
            else:
                said = refusal(lambda: ping(server.client(tls=True, tlsCAFile=files["other_ca.crt"])), ServerSelectionTimeoutError)
                expect("certificate verify failed" in said, True)


def certificates_of_clients_are_checked_by_the_server(files):
    def connects(server, certificate):
        options = {"tlsCertificateKeyFile": files[certificate]} if certificate else {}
        return ping(server.client(tls=True, tlsCAFile=files["ca.crt"], **options))

    with Server("--tls-cert", files["server.pem"], "--tls-ca", files["ca.crt"]) as server:
        expect(connects(server, "alice.pem"), 1.0)
        for certificate in (None, "expired.pem", "stranger.pem"):
            said = refusal(lambda: connects(server, certificate), ServerSelectionTimeoutError)
            expect("connection closed" in said or "reset" in said, True)
    expect("certificate has expired" in server.log and "showed no certificate" in server.log, True)
    with Server("--tls-cert", files["server.pem"], "--tls-ca", files["ca.crt"], "--tls-clients", "allowed") as server:
        expect(connects(server, None), 1.0)
        expect(connects(server, "alice.pem"), 1.0)
        refusal(lambda: connects(server, "expired.pem"), ServerSelectionTimeoutError)


def a_certificate_logs_in(files):
    options = ("--auth", "admin:secret", "--tls-cert", files["server.pem"], "--tls-ca", files["ca.crt"], "--tls-clients", "allowed")
    with Server(*options) as server:
        tls = {"tls": True, "tlsCAFile": files["ca.crt"]}
        admin = server.client(username="admin", password="secret", **tls)
        admin["$external"].command("createUser", ALICE, roles=[{"role": "read", "db": "app"}])

        def x509(certificate, **more):
            return server.client(authMechanism="MONGODB-X509", tlsCertificateKeyFile=files[certificate], **tls, **more)

        expect(x509("alice.pem").app.items.find_one(), None)
        expect(x509("alice.pem", username=ALICE).app.items.find_one(), None)
        expect(refusal(lambda: x509("alice.pem").app.items.insert_one({}))[0], 13)
        expect(refusal(lambda: x509("nobody.pem").app.items.find_one()),
               (11, 'Could not find user "CN=nobody,OU=Clients,O=Test\\, Inc.,C=US" for db "$external"'))
        expect(refusal(lambda: x509("alice.pem", username="CN=bob").app.items.find_one()),
               (18, "There is no x.509 client certificate matching the user."))


def main():
    checks = [the_uri_of_the_ready_line_logs_in, both_mechanisms_take_the_right_password_only, users_passwords_are_prepared,
              roles_allow_and_refuse]
    with_files = [tls_is_spoken, certificates_of_the_server_are_checked_by_the_client,
                  certificates_of_clients_are_checked_by_the_server, a_certificate_logs_in]
    with tempfile.TemporaryDirectory() as folder:
        files = Certificates(folder)
        for check in checks + with_files:
            name = check.__name__.replace("_", " ")
            try:
                check(*([files] if check in with_files else []))
                print(f"ok {name}", flush=True)
            except (AssertionError, PyMongoError, ConfigurationError, ValueError, OSError) as error:
                print(f"FAIL {name}: {type(error).__name__}: {error}"[:600], flush=True)


if __name__ == "__main__":
    sys.exit(main())
