"""Run the built images against a database and a broker of this machine, and do the main job in them.

python -m tools.docker_check.smoke buildah --root … --runroot …
"""

from __future__ import annotations

import os
import signal
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

from backend.cli.smoke import run
from backend.core.database import create_sessions
from backend.core.settings import Settings
from backend.core.supervisor.house import House
from backend.core.supervisor.programs import valkey_server

if TYPE_CHECKING:
    from collections.abc import Sequence

USER = 10001
READY_SECONDS = 90.0
STOP_SECONDS = 30.0


def main(buildah: Sequence[str]) -> None:
    """Start servers here and the images beside them; end with the verdict of `casebook smoke`."""
    with tempfile.TemporaryDirectory(prefix="casebook-") as directory, ExitStack() as stack:
        ports = {name: _free_port() for name in ("database", "broker", "api")}
        shared = Path(directory) / "shared"
        shared.mkdir()
        os.chown(shared, USER, USER)
        Path(directory).chmod(0o711)
        _start_database(stack, Path(directory) / "servers", ports["database"])
        _start_broker(stack, ports["broker"], Path(directory))
        environment = {
            "CASEBOOK_BROKER_URL": f"redis://127.0.0.1:{ports['broker']}/0",
            "CASEBOOK_DATABASE_URL": f"postgresql://casebook@127.0.0.1:{ports['database']}/casebook",
            "CASEBOOK_DATA_DIR": "/var/lib/casebook",
            "CASEBOOK_HOST": "127.0.0.1",
            "CASEBOOK_PORT": str(ports["api"]),
        }
        inside = _Images(stack, buildah, environment, shared)
        inside.wait(inside.start("worker", "migrate"))
        inside.start("api", "api")
        inside.start("worker", "worker", "--queues", "light,heavy")
        inside.start("worker", "reap")
        url = f"http://127.0.0.1:{ports['api']}"
        try:
            _wait_until_healthy(url)
            run(url, _create_token(environment), READY_SECONDS)
        except BaseException:
            for log in sorted(Path(directory).glob("*.log")):
                _say(f"-- {log.name}\n{log.read_text(errors='replace')[-3000:]}")
            raise


class _Images:
    """Containers of the built images; leaving the stack ends what runs in them."""

    def __init__(
        self, stack: ExitStack, buildah: Sequence[str], environment: dict[str, str], shared: Path
    ) -> None:
        """Run with `environment`, `shared` being the data directory of all."""
        self._stack = stack
        self._buildah = list(buildah)
        self._environment = environment
        self._shared = shared

    def start(self, image: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start `casebook ARGUMENTS` in a new container of `image`."""
        made = subprocess.run(
            [*self._buildah, "from", "--pull=never", f"localhost/casebook-{image}"],
            capture_output=True,
            text=True,
            check=True,
        )
        settings = [part for row in self._environment.items() for part in ("--env", "=".join(row))]
        volume = ["--volume", f"{self._shared}:/var/lib/casebook"]
        log = self._stack.enter_context((self._shared.parent / f"{image}-{arguments[0]}.log").open("wb"))
        process = subprocess.Popen(
            [
                *self._buildah,
                "run",
                "--isolation=chroot",
                "--network=host",
                *settings,
                *volume,
                made.stdout.strip(),
                "--",
                "casebook",
                *arguments,
            ],
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._stack.callback(self._end, process)
        return process

    @staticmethod
    def wait(process: subprocess.Popen[bytes]) -> None:
        """Wait for a command that ends by itself."""
        status = process.wait(READY_SECONDS)
        if status:
            raise SystemExit(f"{' '.join(map(str, process.args))} ended with {status}")

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _start_database(stack: ExitStack, data_dir: Path, port: int) -> None:
    options = {"listen_addresses": "127.0.0.1", "port": str(port)}
    settings = Settings(data_dir=data_dir, broker_url="redis://unused")
    # The supervisor reaches its server by socket, whose name holds the port.
    os.environ["PGPORT"] = str(port)
    house = stack.enter_context(House(settings, say=_say, postgres_options=options))
    house.open_servers()


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


def _create_token(environment: dict[str, str]) -> str:
    from backend.accounts.service import create_api_token  # noqa: PLC0415 - needs the models' imports above

    sessions = create_sessions(Settings(database_url=environment["CASEBOOK_DATABASE_URL"]), pool_size=1)
    with sessions.begin() as session:
        token = create_api_token(session, name="docker-check")
    sessions.kw["bind"].dispose()
    return token


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
