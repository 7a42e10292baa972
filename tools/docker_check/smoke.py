"""Run the built images beside a database and a broker of this machine; do the main job through the proxy.

python -m tools.docker_check.smoke buildah --root … --runroot …
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import redis

from backend.accounts.service import create_api_token, create_sign_in_token
from backend.client import Client
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from backend.core.supervisor.programs import valkey_server
from backend.core.supervisor.supervisor import Supervisor
from cli.commands.smoke import run
from tools.docker_check import proxy
from tools.docker_check.images import Images

if TYPE_CHECKING:
    from collections.abc import Sequence

USER = 10001
READY_SECONDS = 90.0


def main(buildah: Sequence[str]) -> None:
    """Start servers here and the images beside them; end with the verdict of `casebook smoke`."""
    with tempfile.TemporaryDirectory(prefix="casebook-") as name, ExitStack() as stack:
        directory = Path(name)
        ports = {use: _free_port() for use in ("database", "broker", "api", "proxy")}
        shared = directory / "shared"
        shared.mkdir()
        os.chown(shared, USER, USER)
        directory.chmod(0o711)
        _start_database(stack, directory / "servers", ports["database"])
        _start_broker(stack, ports["broker"], directory)
        environment = {
            "CASEBOOK_BROKER_URL": f"redis://127.0.0.1:{ports['broker']}/0",
            "CASEBOOK_DATABASE_URL": f"postgresql://casebook_app@127.0.0.1:{ports['database']}/casebook",
            "CASEBOOK_DATABASE_OWNER_URL": f"postgresql://casebook@127.0.0.1:{ports['database']}/casebook",
            "CASEBOOK_HOST": "127.0.0.1",
            "CASEBOOK_PORT": str(ports["api"]),
            "CASEBOOK_TRUSTED_PROXIES": "127.0.0.1/32",
        }
        try:
            _main_job(stack, Images(stack, buildah, environment, directory), environment, directory, ports)
        except BaseException:
            for log in sorted(directory.glob("*.log")):
                _say(f"-- {log.name}\n{log.read_text(errors='replace')[-3000:]}")
            raise


def _main_job(
    stack: ExitStack, inside: Images, environment: dict[str, str], directory: Path, ports: dict[str, int]
) -> None:
    inside.wait("worker", "migrate")
    api = inside.start("api", "api")
    workers = [
        inside.start("worker", "worker", "--queues", "light", "--name", "light", "--concurrency", "2"),
        inside.start("worker", "worker", "--queues", "heavy", "--name", "heavy"),
        inside.start("worker", "reap"),
    ]
    direct = f"http://127.0.0.1:{ports['api']}"
    url = proxy.start(stack, directory, port=ports["proxy"], api_port=ports["api"], user=USER)
    _wait_until_healthy(url)
    for image in ("api", "worker"):
        inside.check_health(image)
        _say(f"the health check of {image} passes")
    token, *signing_in = _create_tokens(environment)
    run(url, token, READY_SECONDS)
    with Client(url, token=token) as casebook:
        case_path = f"cases/{next(casebook.cases()).id}"
    for sentence in proxy.check(
        url, direct, token=token, sign_in_tokens=(signing_in[0], signing_in[1]), case_path=case_path
    ):
        _say(sentence)
    for process in (api, *workers):
        inside.stop(process)
    _say("every container ended within the time that SIGTERM gives it")
    _say(proxy.check_away(url))


def _start_database(stack: ExitStack, data_dir: Path, port: int) -> None:
    options = {"listen_addresses": "127.0.0.1", "port": str(port)}
    settings = Settings(data_dir=data_dir, broker_url="redis://unused")
    # The supervisor reaches its server by socket, whose name holds the port.
    os.environ["PGPORT"] = str(port)
    supervisor = stack.enter_context(Supervisor(settings, say=_say, postgres_options=options))
    supervisor.open_servers()


def _start_broker(stack: ExitStack, port: int, directory: Path) -> None:
    server = subprocess.Popen(
        [str(valkey_server()), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(directory)],
        stdout=subprocess.DEVNULL,
    )
    stack.callback(server.wait)
    stack.callback(server.terminate)
    client = redis.Redis(port=port)
    while True:
        try:
            client.ping()
        except redis.ConnectionError:
            time.sleep(0.1)
        else:
            break
    client.close()


def _wait_until_healthy(url: str) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            if httpx.get(f"{url}/api/v1/health", timeout=2).is_success:
                return
        except httpx.HTTPError:
            pass
        if time.monotonic() > deadline:
            raise SystemExit(f"{url} did not answer within {READY_SECONDS:.0f} s")
        time.sleep(0.2)


def _create_tokens(environment: dict[str, str]) -> list[str]:
    """Return a bearer token and two that sign a browser in."""
    sessions = create_sessions(Settings(database_url=environment["CASEBOOK_DATABASE_URL"]), pool_size=1)
    with sessions.begin() as session:
        token = create_api_token(session, name="docker-check")
        tokens = [token, create_sign_in_token(session), create_sign_in_token(session)]
    sessions.kw["bind"].dispose()
    return tokens


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
