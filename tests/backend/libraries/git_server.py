"""A Git server over HTTPS: `git http-backend` behind a small server with a certificate of its own."""

from __future__ import annotations

import base64
import datetime as dt
import ipaddress
import os
import ssl
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NOBODY = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{
        f"GIT_{who}_{what}": "ops@example.com"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    },
}


def git(folder: Path, *arguments: str) -> str:
    """Run Git in a folder and return its output."""
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | NOBODY, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(folder: Path, message: str) -> str:
    """Commit all files of a repository and return the id of the commit."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "rev-parse", "HEAD")


class GitServer:
    """Serves the repositories below a folder.

    Attributes:
        url: `https://localhost:PORT`.
        authority: File of the certificate authority.
        token: Password that requests need; "" for none.
        redirect: Location that every request is answered with; "" for none.
        before_fetch: Called between the look-up of a ref and the fetch.
        requests: Method and path of each request.
    """

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.authority = folder / "authority.pem"
        self.token = self.redirect = ""
        self.before_fetch: Callable[[], None] = lambda: None
        self.requests: list[str] = []
        server = self
        self._http = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Handler", (_Handler,), {"server_of": server})
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(_certificate(self.authority, folder / "server.pem"))
        self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self.url = f"https://localhost:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(10)


@contextmanager
def serving(root: Path, folder: Path) -> Iterator[GitServer]:
    """Serve the repositories below `root`."""
    server = GitServer(root, folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class _Handler(BaseHTTPRequestHandler):
    server_of: GitServer

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def _answer(self, body: bytes) -> None:
        server = self.server_of
        server.requests.append(f"{self.command} {self.path}")
        if server.redirect:
            self.send_response(302)
            self.send_header("Location", server.redirect)
            self.end_headers()
            return
        if server.token and self._password() != server.token:
            self.send_response(401)
            self.send_header("WWW-Authenticate", "Basic")
            self.end_headers()
            return
        if b"command=fetch" in body:
            server.before_fetch()
        path, _, query = self.path.partition("?")
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            capture_output=True,
            # It fails, and says why in its output, when a commit is no longer there.
            check=False,
            env={
                **os.environ,
                **NOBODY,
                "GIT_PROJECT_ROOT": str(server.root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            },
        ).stdout
        head, _, content = done.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(headers.pop("Status", "200 OK").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _password(self) -> str:
        _, _, encoded = self.headers.get("Authorization", "").partition(" ")
        return base64.b64decode(encoded).decode().partition(":")[2]


def _certificate(authority: Path, server: Path) -> Path:
    """Write the certificate of an authority, and one of localhost with its key that it signed."""
    now = dt.datetime.now(dt.UTC)
    issuer = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "authority of a test")])
    own_key, server_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))

    def made(subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, is_authority: bool) -> x509.Certificate:
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        )
        if not is_authority:
            names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return builder.sign(own_key, hashes.SHA256())

    pem = serialization.Encoding.PEM
    authority.write_bytes(made(issuer, own_key, is_authority=True).public_bytes(pem))
    localhost = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    key = server_key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    server.write_bytes(key + made(localhost, server_key, is_authority=False).public_bytes(pem))
    return server
