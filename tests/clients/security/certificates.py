"""Certificates for a test, made by openssl when it runs: each lives a day, the expired one ended yesterday."""

import pathlib
import subprocess


def openssl(*arguments, folder):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL)


class Certificates:
    """Files in `folder`: NAME.pem has a certificate and its key, CA.crt what it is checked against."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ("ca", "other_ca"):
            openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-keyout", f"{name}.key", "-out", f"{name}.crt",
                    "-subj", f"/O=Test/CN={name}", folder=folder)
        self.issue("server", "/O=Test/OU=Servers/CN=localhost", names="DNS:localhost,IP:127.0.0.1")
        self.issue("wrong_host", "/O=Test/OU=Servers/CN=elsewhere.example", names="DNS:elsewhere.example")
        self.issue("expired_server", "/O=Test/OU=Servers/CN=localhost", names="DNS:localhost,IP:127.0.0.1", days="-1")
        self.issue("alice", "/C=US/O=Test, Inc./OU=Clients/CN=alice")
        self.issue("nobody", "/C=US/O=Test, Inc./OU=Clients/CN=nobody")
        self.issue("stranger", "/C=US/O=Test, Inc./OU=Clients/CN=alice", ca="other_ca")
        self.issue("expired", "/C=US/O=Test, Inc./OU=Clients/CN=alice", days="-1")

    def issue(self, name, subject, ca="ca", days="1", names=""):
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", subject,
                folder=self.folder)
        extensions = []
        if names:
            (self.folder / f"{name}.ext").write_text(f"subjectAltName={names}\n", encoding="utf-8")
            extensions = ["-extfile", f"{name}.ext"]
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.crt", "-CAkey", f"{ca}.key", "-CAcreateserial", "-days", days,
                "-out", f"{name}.crt", *extensions, folder=self.folder)
        (self.folder / f"{name}.pem").write_text((self.folder / f"{name}.crt").read_text() + (self.folder / f"{name}.key").read_text())

    def __getitem__(self, file):
        return str(self.folder / file)
