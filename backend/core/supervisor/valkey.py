"""The embedded Valkey: message broker, persistent, without eviction.

`appendfsync everysec`: with `always` a full disk ends the server, with `everysec` it answers MISCONF until
space is free again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import redis

from backend.core import layout
from backend.core.errors import SettingsError
from backend.core.supervisor.processes import Child, Program
from backend.core.supervisor.programs import valkey_server

if TYPE_CHECKING:
    from backend.core.settings import Settings

START_SECONDS = 300.0


class Valkey:
    """The server of one data directory."""

    def __init__(self, settings: Settings) -> None:
        """Configure the server of `settings`."""
        self._socket = settings.run_dir / layout.VALKEY_SOCKET
        self._data = settings.data_dir / "valkey"

    def program(self) -> Program:
        """Return the server as a program."""
        self._data.mkdir(mode=0o700, parents=True, exist_ok=True)
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._data),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        command = [str(valkey_server())]
        for name, value in options.items():
            command += [f"--{name}", value]
        return Program(name="valkey", command=command)

    def wait_ready(self, child: Child) -> None:
        """Wait until the server responds.

        Raises:
            SettingsError: It ended or timed out; the message holds the end of its log.
        """
        deadline = time.monotonic() + START_SECONDS
        client = redis.Redis(unix_socket_path=str(self._socket))
        try:
            while True:
                try:
                    client.ping()
                except redis.RedisError as error:
                    if not child.is_alive or time.monotonic() > deadline:
                        raise SettingsError(f"Valkey did not start ({error})\n{child.last_lines()}") from None
                    time.sleep(0.05)
                else:
                    return
        finally:
            client.close()
