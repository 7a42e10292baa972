"""Two versions of the service on one database, broker and data directory."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx
import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from pathlib import Path

    from backend.core.settings import Settings
    from tools.upgrade_trial.version import Version

READY_SECONDS = 300


@dataclass
class Installation:
    """Two versions on one database, broker and data directory."""

    folder: Path
    settings: Settings
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def environment(self, version: Version) -> dict[str, str]:
        """Return the environment of a program of `version`."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("CASEBOOK_", "PYTHON"))
        }
        return kept | {
            "PYTHONPATH": version.python_path,
            "CASEBOOK_DATA_DIR": str(self.folder / "data"),
            "CASEBOOK_DATABASE_URL": self.settings.effective_database_url,
            "CASEBOOK_DATABASE_OWNER_URL": self.settings.effective_owner_url,
            "CASEBOOK_BROKER_URL": self.settings.effective_broker_url,
            "CASEBOOK_API_PROCESSES": "1",
            "CASEBOOK_GUEST_PASTE": "false",
        }

    def run(self, version: Version, *words: str | Path) -> str:
        """Run a command to its end, and return what it prints."""
        done = subprocess.run(
            [*version.command, *words],
            cwd=self.folder,
            env=self.environment(version),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"casebook {words[0]}: {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self, name: str, version: Version, *words: str) -> subprocess.Popen[bytes]:
        """Start a program; its log is `NAME.log`."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [*version.command, *words],
                cwd=self.folder,
                env=self.environment(version),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.running.append(process)
        return process

    def api(
        self, name: str, version: Version, *, is_ready: str = "/readyz"
    ) -> tuple[subprocess.Popen[bytes], int]:
        """Start an API process on a free port, and wait until its path `is_ready` answers 200."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = self.start(name, version, "api", "--host", "127.0.0.1", "--port", str(port))
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            with suppress(httpx.HTTPError):
                if httpx.get(f"http://127.0.0.1:{port}{is_ready}", timeout=5).is_success:
                    return process, port
            time.sleep(0.1)
        raise SystemExit(f"{name} did not start: {self.last_line(name)}")

    def last_line(self, name: str) -> str:
        """Return the last line of a log."""
        lines = (self.folder / f"{name}.log").read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def refusals(self, name: str) -> int:
        """Return how many claims of a worker the database refused, by its log."""
        log = (self.folder / f"{name}.log").read_text(errors="replace")
        return log.count('psycopg.errors.CheckViolation: new row for relation "job"')

    def stop(self) -> None:
        """End all programs, with the processes that they started."""
        for process in reversed(self.running):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def counts(self, url: str) -> dict[str, int]:
        """Return the number of rows of the tables that people would miss."""
        with psycopg.connect(url.replace("+psycopg", "", 1)) as connection:
            return {
                table: len(
                    connection.execute(sql.SQL("select from {}").format(sql.Identifier(table))).fetchall()
                )
                for table in ("case", "evidence", "reading", "account")
            }
