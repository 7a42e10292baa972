"""Supervisor of the service on one machine: one lock, servers first, then our processes; restarts the dead.

with Supervisor(settings, say=print) as supervisor:
    supervisor.open_servers()
    supervisor.start(programs)
"""

from __future__ import annotations

import fcntl
import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from backend.core.errors import SettingsError
from backend.core.layout import make_private_dir
from backend.core.supervisor.postgres import Postgres
from backend.core.supervisor.processes import Child, Program, Record
from backend.core.supervisor.valkey import Valkey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from backend.core.settings import Settings
    from backend.core.supervisor.template import Template

LOOK_SECONDS = 0.2
ENDING_SECONDS = 10.0
"""How long a stopping supervisor may still hold its data directory."""


class Supervisor:
    """Runs the processes of one data directory; leaving the block stops them all."""

    def __init__(
        self,
        settings: Settings,
        *,
        say: Callable[[str], None],
        postgres_options: dict[str, str] | None = None,
        template: Template | None = None,
    ) -> None:
        """Manage the processes of `settings`; `say` receives messages for the operator.

        A `template` imports while the servers start, and ends with the last of its forks.
        """
        self._settings = settings
        self._say = say
        self._postgres_options = postgres_options
        self._template = template
        self._servers: list[Child] = []
        self._workers: list[Child] = []
        self._lock: int | None = None
        self._record: Record | None = None
        self._is_recorded = True
        self._is_stopping = False

    def __enter__(self) -> Self:
        """Lock the data directory, and stop orphans of a killed supervisor.

        Raises:
            SettingsError: Another supervisor holds the lock.
        """
        make_private_dir(self._settings.data_dir)
        run_dir = make_private_dir(self._settings.run_dir)
        for directory in (self._settings.staging_dir, self._settings.scratch_dir, self._settings.log_dir):
            make_private_dir(directory)
        self._lock = os.open(run_dir / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not self._take(self._lock):
            os.close(self._lock)
            raise SettingsError(
                f"casebook is already running with the data directory {self._settings.data_dir}"
            )
        self._record = Record(run_dir / "processes.json")
        orphans = self._record.end_orphans()
        if orphans:
            self._say(f"stopped orphans of the last run: {', '.join(orphans)}")
        if self._template is not None:
            self._template.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop our processes, then the servers, and release the lock."""
        for child in self._workers:
            child.ask_to_stop()
        for child in self._workers:
            child.wait_stopped()
        if self._template is not None:
            self._template.stop()
        for child in reversed(self._servers):
            child.stop()
        self._write_record()
        if self._lock is not None:
            os.close(self._lock)

    def open_servers(self) -> None:
        """Start the embedded servers, and wait until they respond."""
        self.open_database()
        if self._settings.embeds_broker:
            valkey = Valkey(self._settings)
            self._say("starting Valkey")
            valkey.wait_ready(self._open(valkey.program()))

    def open_database(self) -> None:
        """Start the embedded PostgreSQL, and wait until it responds."""
        if self._settings.embeds_database:
            postgres = Postgres(self._settings, options=self._postgres_options)
            self._say("starting PostgreSQL")
            postgres.wait_ready(self._open(postgres.program()))

    def start(self, programs: Sequence[Program]) -> list[Child]:
        """Start our own processes and watch them with those started before."""
        started = [Child(program, self._settings.log_dir) for program in programs]
        for child in started:
            self._workers.append(child)
            child.start()
            self._write_record()
        return started

    def watch(self) -> None:
        """Keep everything running until SIGINT or SIGTERM."""
        while not self._is_stopping:
            self.look()
            time.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Restart dead processes; one pass."""
        for child in [*self._servers, *self._workers]:
            message = child.revive()
            if message:
                self._say(message)
                self._write_record()
        if not self._is_recorded:
            self._write_record()

    def stop_on_signals(self) -> None:
        """Have SIGINT and SIGTERM end `watch`."""

        def stop(*_: object) -> None:
            self._is_stopping = True

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        with suppress(ValueError):
            signal.signal(signal.SIGHUP, stop)

    @property
    def is_stopping(self) -> bool:
        """Whether a stop signal arrived."""
        return self._is_stopping

    def _take(self, lock: int) -> bool:
        """Take the lock, waiting briefly for a stopping supervisor; return whether it succeeded."""
        deadline = time.monotonic() + ENDING_SECONDS
        was_announced = False
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    return False
            else:
                return True
            if not was_announced:
                self._say("another casebook uses this data directory; waiting for it to stop")
                was_announced = True
            time.sleep(LOOK_SECONDS)

    def _open(self, program: Program) -> Child:
        child = Child(program, self._settings.log_dir)
        self._servers.append(child)
        child.start()
        self._write_record()
        return child

    def _write_record(self) -> None:
        """Write the record of running processes; on a full disk, retry later."""
        if self._record is None:
            return
        was_recorded = self._is_recorded
        try:
            self._record.write([*self._servers, *self._workers])
            self._is_recorded = True
        except OSError as error:
            self._is_recorded = False
            if was_recorded:
                self._say(f"cannot write the record of running processes: {error.strerror}; retrying")
