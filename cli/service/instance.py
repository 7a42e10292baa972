"""Temporary instance: `casebook serve` as a child process on a free port with temporary data.

with throw_away(say=print) as instance:
    with Client(instance.url, token=instance.create_token("smoke")) as casebook: …
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cli import PROGRAM
from cli.service.options import SCOPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SIGN_IN = re.compile(r"(https?://\S+)/sign-in\?token=(\S+)")
STOP_SECONDS = 60
FOREIGN = ("CASEBOOK_DATABASE_URL", "CASEBOOK_BROKER_URL", "CASEBOOK_STORE_URL", "CASEBOOK_PUBLIC_URL")
"""Settings that would point a temporary instance at permanent data."""


class InstanceError(Exception):
    """The instance did not start; the message is its output."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A running instance.

    Attributes:
        url: Base URL without trailing slash.
        sign_in_token: Single-use sign-in token.
        data_dir: Its data directory.
    """

    url: str
    sign_in_token: str
    data_dir: Path

    def create_token(self, name: str, scopes: Sequence[str] = SCOPES) -> str:
        """Return a new bearer token of the owner, which expires after a day."""
        words = ["token", "create", "--name", name, "--days", "1", "--data-dir", str(self.data_dir)]
        words += [word for scope in scopes for word in ("--scope", scope)]
        command = [*PROGRAM, *words]
        made = subprocess.run(command, capture_output=True, text=True, check=False, env=_own())
        if made.returncode:
            raise InstanceError(made.stderr.strip())
        return made.stdout.strip()

    def pids(self) -> dict[str, int]:
        """Return the process ids by name, such as `api` and `worker-light`."""
        published = json.loads((self.data_dir / "run" / "processes.json").read_text(encoding="utf-8"))
        return {row["name"]: row["pid"] for row in published["processes"]}


@contextmanager
def throw_away(say: Callable[[str], None], settings: dict[str, str] | None = None) -> Iterator[Instance]:
    """Start an instance with `settings` in its environment, and delete its data at the end.

    `say` receives its output lines.

    Raises:
        InstanceError: It exited before it was ready.
    """
    with tempfile.TemporaryDirectory(prefix="casebook-") as directory:
        command = [*PROGRAM, "serve", "--with-parent", "--port", "0"]
        process = subprocess.Popen(
            [*command, "--data-dir", directory],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=_own() | (settings or {}),
        )
        try:
            url, token = _wait_for_address(process, say)
            yield Instance(url=url, sign_in_token=token, data_dir=Path(directory))
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.communicate(timeout=STOP_SECONDS)


def _wait_for_address(process: subprocess.Popen[str], say: Callable[[str], None]) -> tuple[str, str]:
    output: list[str] = []
    for line in process.stdout or ():
        found = SIGN_IN.search(line)
        if found:
            return found[1], found[2]
        output.append(line)
        if line.strip() and not line.startswith("Casebook is ready"):
            say(line.rstrip())
    raise InstanceError("".join(output).strip() or "the service exited without output")


def _own() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in FOREIGN}
