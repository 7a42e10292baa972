"""Every command that calls a service goes through the proxy and trusts the authority of the environment."""

from __future__ import annotations

import datetime as dt
import http.server
import ipaddress
import json
import select
import socket
import ssl
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from backend.client import Client, ClientError
from backend.trusted_authorities import VARIABLES
from cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = "casebook.invalid"
"""No name server knows it: who reaches it came through the proxy."""

REFUSAL = "this token was revoked"


class Service(http.server.BaseHTTPRequestHandler):
    """Answers every request with a problem."""

    def refuse(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.dumps(
            {"type": "about:blank", "title": "Unauthorized", "status": 401, "code": "x", "detail": REFUSAL}
        ).encode()
        self.send_response(401)
        self.send_header("content-type", "application/problem+json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = refuse  # noqa: N815 - names of the library

    def log_message(self, *_: object) -> None:
        pass


class Proxy(http.server.BaseHTTPRequestHandler):
    """Tunnels CONNECT to the one service there is."""

    server: Server

    def do_CONNECT(self) -> None:
        self.server.targets.append(self.path)
        with suppress(ConnectionError), socket.create_connection(self.server.service) as other:
            self.send_response(200)
            self.end_headers()
            pair = {self.connection: other, other: self.connection}
            while True:
                for source in select.select(list(pair), [], [], 30)[0]:
                    data = source.recv(65536)
                    if not data:
                        self.close_connection = True
                        return
                    pair[source].sendall(data)

    def log_message(self, *_: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    """A proxy with the address of the service, and the targets that it was asked for."""

    def __init__(self, service: tuple[str, int]) -> None:
        super().__init__(("127.0.0.1", 0), Proxy)
        self.service, self.targets = service, []


def certificates(folder: Path) -> tuple[Path, Path]:
    """Write an authority, and a certificate of it for the host with its key; return both files."""
    now = dt.datetime.now(dt.UTC)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, one)]) for one in ("Our CA", HOST)]
    made = []
    for at, extension in (
        (0, x509.BasicConstraints(ca=True, path_length=None)),
        (
            1,
            x509.SubjectAlternativeName(
                [x509.DNSName(HOST), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
            ),
        ),
    ):
        builder = x509.CertificateBuilder().subject_name(names[at]).issuer_name(names[0])
        builder = builder.public_key(keys[at].public_key()).serial_number(at + 1)
        builder = builder.not_valid_before(now - dt.timedelta(days=1))
        builder = builder.not_valid_after(now + dt.timedelta(days=1))
        made.append(builder.add_extension(extension, critical=at == 0).sign(keys[0], hashes.SHA256()))
    pem = [one.public_bytes(serialization.Encoding.PEM) for one in made]
    key = keys[1].private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "ca.pem").write_bytes(pem[0])
    (folder / "service.pem").write_bytes(pem[1] + key)
    return folder / "ca.pem", folder / "service.pem"


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> Iterator[tuple[Server, Path, int]]:
    """A service with TLS, a proxy before it, and the file of its authority."""
    authority, own = certificates(tmp_path_factory.mktemp("tls"))
    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(own)
    service.socket = context.wrap_socket(service.socket, server_side=True)
    proxy = Server(service.server_address)
    for one in (service, proxy):
        threading.Thread(target=one.serve_forever, daemon=True).start()
    yield proxy, authority, service.server_address[1]
    for one in (service, proxy):
        one.shutdown()
        one.server_close()


@pytest.fixture
def environment(network, monkeypatch, tmp_path) -> dict[str, str]:
    proxy, authority, _ = network
    proxy.targets.clear()
    monkeypatch.chdir(tmp_path)
    for name in (*VARIABLES, "NO_PROXY", "HTTPS_PROXY", "no_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    return {
        "HTTPS_PROXY": f"http://127.0.0.1:{proxy.server_address[1]}",
        "SSL_CERT_FILE": str(authority),
        "CASEBOOK_URL": f"https://{HOST}",
        "CASEBOOK_TOKEN": "cbk_x",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }


COMMANDS = (
    ("status",),
    ("case", "list"),
    ("case", "show", "7"),
    ("case", "note", "7", "--body", "x"),
    ("case", "close", "7"),
    ("kernels", "list"),
    ("kernels", "upload", "evidence.txt", "--source", "x"),
    ("baseline", "list", "--service"),
    ("signature", "from-case", "mm/x", "--case", "7"),
    ("upload", "evidence.txt"),
    ("upload", "evidence.txt", "--wait"),
    ("login", f"https://{HOST}", "--with-token"),
    ("story", "import", "story.md"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
def test_a_command_reaches_the_service_through_the_proxy(network, environment, command, variable):
    environment[variable] = environment.pop("SSL_CERT_FILE")
    Path("evidence.txt").write_text("[    1.000000] Out of memory: Killed process 1 (x)\n")
    Path("story.md").write_text("# A story\n\nText.\n")
    result = CliRunner().invoke(main, command, env=environment, input="cbk_x\n")
    assert result.exit_code == 3, result.output
    assert REFUSAL in result.output
    assert set(network[0].targets) == {f"{HOST}:443"}


def test_a_host_of_no_proxy_is_reached_directly(network, environment):
    proxy, _, port = network
    url = f"https://127.0.0.1:{port}"
    through = environment | {"CASEBOOK_URL": url, "HTTPS_PROXY": "http://127.0.0.1:9"}
    assert CliRunner().invoke(main, ["status"], env=through).exit_code == 7
    direct = CliRunner().invoke(main, ["status"], env=through | {"NO_PROXY": "127.0.0.1,.invalid"})
    assert (direct.exit_code, proxy.targets) == (3, [])


def test_an_unknown_authority_is_refused_and_a_missing_file_named(environment):
    authority = environment.pop("SSL_CERT_FILE")
    result = CliRunner().invoke(main, ["status"], env=environment)
    assert (result.exit_code, "certificate verify failed" in result.output) == (7, True)
    for command in (["status"], ["story", "import", "story.md"]):
        Path("story.md").write_text("# A story\n")
        result = CliRunner().invoke(main, command, env=environment | {"SSL_CERT_FILE": f"{authority}.gone"})
        assert (result.exit_code, "SSL_CERT_FILE: no certificates in" in result.output) == (2, True)


def test_the_typed_client_does_the_same(network, environment, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with Client(f"https://{HOST}", token="cbk_x") as client, pytest.raises(ClientError, match=REFUSAL):
        client.me()
    assert network[0].targets == [f"{HOST}:443"]
