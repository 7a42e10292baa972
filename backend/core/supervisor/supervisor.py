"""The whole service on one machine: one lock, servers first, then our processes; restarted when they die.

with House(settings, say=print) as house:
    house.open_servers()
    house.run(programs)
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

LOOK_SECONDS = 0.2
ENDING_SECONDS = 10.0
"""How long a supervisor that was told to stop may still hold its data directory."""


class Supervisor:
    """Keeps the processes of one data directory; leaving it stops them all."""

    def __init__(
        self,
        settings: Settings,
        *,
        say: Callable[[str], None],
        postgres_options: dict[str, str] | None = None,
    ) -> None:
        """Keep the processes of `settings`; `say` tells a person what happens."""
        self._settings = settings
        self._say = say
        self._postgres_options = postgres_options
        self._servers: list[Child] = []
        self._workers: list[Child] = []
        self._lock: int | None = None
        self._record: Record | None = None
        self._is_noted = True
        self._is_stopping = False

    def __enter__(self) -> Self:
        """Take the data directory, and end what a killed supervisor left in it.

        Raises:
            SettingsError: Another supervisor has it.
        """
        make_private_dir(self._settings.data_dir)
        run_dir = make_private_dir(self._settings.run_dir)
        for directory in (self._settings.staging_dir, self._settings.scratch_dir, self._settings.log_dir):
            make_private_dir(directory)
        self._lock = os.open(run_dir / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not self._take(self._lock):
            os.close(self._lock)
            raise SettingsError(f"casebook already runs with the data directory {self._settings.data_dir}")
        self._record = Record(run_dir / "processes.json")
        orphans = self._record.end_orphans()
        if orphans:
            self._say(f"ended what the last run left behind: {', '.join(orphans)}")
        return self

    def __exit__(self, *_: object) -> None:
        """Stop our processes, then the servers, and give the data directory back."""
        for child in self._workers:
            child.ask_to_stop()
        for child in self._workers:
            child.wait_stopped()
        for child in reversed(self._servers):
            child.stop()
        self._note()
        if self._lock is not None:
            os.close(self._lock)

    def open_servers(self) -> None:
        """Start the servers that no setting names, and wait until they answer."""
        if self._settings.embeds_database:
            postgres = Postgres(self._settings, options=self._postgres_options)
            self._say("starting PostgreSQL")
            postgres.wait_ready(self._open(postgres.program()))
        if self._settings.embeds_broker:
            valkey = Valkey(self._settings)
            self._say("starting Valkey")
            valkey.wait_ready(self._open(valkey.program()))

    def start(self, programs: Sequence[Program]) -> list[Child]:
        """Start our own processes; they are watched with those started before."""
        started = [Child(program, self._settings.log_dir) for program in programs]
        for child in started:
            self._workers.append(child)
            child.start()
            self._note()
        return started

    def watch(self) -> None:
        """Keep everything running until SIGINT or SIGTERM."""
        while not self._is_stopping:
            self.look()
            time.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Start again what has died, once."""
        for child in [*self._servers, *self._workers]:
            told = child.revive()
            if told:
                self._say(told)
                self._note()
        if not self._is_noted:
            self._note()

    def stop_on_signals(self) -> None:
        """Let SIGINT and SIGTERM end `watch`; a second one is not needed."""

        def stop(*_: object) -> None:
            self._is_stopping = True

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        with suppress(ValueError):
            signal.signal(signal.SIGHUP, stop)

    @property
    def is_stopping(self) -> bool:
        """Whether a signal came."""
        return self._is_stopping

    def _take(self, lock: int) -> bool:
        """Take the lock, waiting a little for a supervisor that is just ending; say whether it is ours."""
        deadline = time.monotonic() + ENDING_SECONDS
        is_told = False
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    return False
            else:
                return True
            if not is_told:
                self._say("another casebook has this data directory; waiting for it to end")
                is_told = True
            time.sleep(LOOK_SECONDS)

    def _open(self, program: Program) -> Child:
        child = Child(program, self._settings.log_dir)
        self._servers.append(child)
        child.start()
        self._note()
        return child

    def _note(self) -> None:
        """Write down who runs; where the disk is full, at a later look: nobody is stopped for that."""
        if self._record is None:
            return
        was_noted = self._is_noted
        try:
            self._record.write([*self._servers, *self._workers])
            self._is_noted = True
        except OSError as error:
            self._is_noted = False
            if was_noted:
                self._say(f"cannot write down which processes run: {error.strerror}; trying again")
