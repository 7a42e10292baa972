"""The embedded PostgreSQL: created below the data directory, reached by a private unix socket."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from backend.core import capacity
from backend.core.errors import SettingsError
from backend.core.layout import DATABASE, OWNER_ROLE
from backend.core.supervisor.processes import Child, Program, end_process
from backend.core.supervisor.programs import postgres_bin, unprivileged

if TYPE_CHECKING:
    from backend.core.settings import Settings

MAJOR = "18"
START_SECONDS = 300.0
SERVER_OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_duration_statement": "2000",
    "password_encryption": "scram-sha-256",
}


class Postgres:
    """The server of one data directory."""

    def __init__(self, settings: Settings, *, options: dict[str, str] | None = None) -> None:
        """Configure the server of `settings`; `options` override its configuration."""
        self._settings = settings
        self._bin = postgres_bin(settings)
        self._data = settings.data_dir / "postgres"
        self._options = {
            **SERVER_OPTIONS,
            "max_connections": str(capacity.max_connections(settings)),
            "unix_socket_directories": str(settings.run_dir),
            **(options or {}),
        }

    def program(self) -> Program:
        """Return the server as a program; the cluster is created if missing."""
        if not (self._data / "PG_VERSION").is_file():
            self._initialise()
        made_by = (self._data / "PG_VERSION").read_text(encoding="ascii").strip()
        if made_by != MAJOR:
            raise SettingsError(
                f"{self._data} was created by PostgreSQL {made_by}; this is PostgreSQL {MAJOR}"
            )
        options = [part for name, value in self._options.items() for part in ("-c", f"{name}={value}")]
        server = [str(self._bin / "postgres"), "-D", str(self._data), *options]
        prefix = unprivileged()
        # A new user namespace resets the parent-death signal, so it is set again inside.
        if prefix and shutil.which("setpriv"):
            server = ["setpriv", "--pdeathsig", "INT", "--", *server]
        return Program(
            name="postgres",
            command=[*prefix, *server],
            stop_signal=signal.SIGINT,
            stop_seconds=30.0,
            before=self._forget_dead_server,
        )

    def wait_ready(self, child: Child) -> None:
        """Wait until the server responds, and create our database if missing.

        Raises:
            SettingsError: It ended or timed out; the message holds the end of its log.
        """
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with psycopg.connect(
                    self._conninfo("postgres"), autocommit=True, connect_timeout=2
                ) as connection:
                    row = connection.execute(
                        "select 1 from pg_database where datname = %s", [DATABASE]
                    ).fetchone()
                    if row is None:
                        connection.execute(f"create database {DATABASE}")
                    return
            except psycopg.OperationalError as error:
                if not child.is_alive or time.monotonic() > deadline:
                    raise SettingsError(f"PostgreSQL did not start ({error})\n{child.last_lines()}") from None
                time.sleep(0.05)

    def _conninfo(self, database: str) -> str:
        return f"host={self._settings.run_dir} user={OWNER_ROLE} dbname={database}"

    def _initialise(self) -> None:
        """Create a new cluster; an interrupted run leaves nothing behind."""
        partial = self._data.with_name("postgres.new")
        shutil.rmtree(partial, ignore_errors=True)
        partial.parent.mkdir(parents=True, exist_ok=True)
        command = [
            *unprivileged(),
            str(self._bin / "initdb"),
            f"--pgdata={partial}",
            f"--username={OWNER_ROLE}",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
        ]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise SettingsError(f"initdb failed in {partial}: {made.stderr.strip()}")
        partial.rename(self._data)

    def _forget_dead_server(self) -> None:
        """Stop a server that still uses the cluster, and remove a stale pid file."""
        pid_file = self._data / "postmaster.pid"
        try:
            pid = int(pid_file.read_text(encoding="ascii").split("\n", 1)[0])
        except (FileNotFoundError, ValueError):
            return
        if pid != os.getpid() and os.fsencode(str(self._data)) in _command_line(pid):
            end_process(pid, signal.SIGINT, 30.0)
        pid_file.unlink(missing_ok=True)


def _command_line(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []
