"""Checks of this machine: versions, data directory, disk, clock, sandbox, processes."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import shutil
import tempfile
from typing import TYPE_CHECKING

from backend.core.errors import SettingsError
from backend.core.supervisor.processes import start_ticks
from backend.core.version import VERSION
from backend.sandbox import availability, fork_server

if TYPE_CHECKING:
    from collections.abc import Callable

    from backend.operations.doctor.checks import Checkup

FEW_INODES = 10_000
TIMEX_BYTES = 1024
"""More than the structure `timex` has on any architecture."""
TIME_ERROR = 5
GIGABYTE = 1_000_000_000


def check_versions(checkup: Checkup) -> None:
    """State the versions, for a report."""
    system = f"{platform.system()} {platform.release()} on {platform.machine()}"
    checkup.add("version", "ok", f"Casebook {VERSION}, Python {platform.python_version()}, {system}")


def check_data_directory(checkup: Checkup) -> None:
    """Check that the data directory is there, ours, private and writable."""
    path = checkup.settings.data_dir
    name = "data directory"
    if not path.is_dir():
        remedy = "set CASEBOOK_DATA_DIR or --data-dir, or start the instance with `casebook serve`"
        checkup.add(name, "problem", f"{path} does not exist", remedy)
        return
    status = path.stat()
    if status.st_uid != os.getuid():
        checkup.add(
            name, "problem", f"{path} belongs to uid {status.st_uid}", "run casebook as the user who owns it"
        )
        return
    try:
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        remedy = "make room, or make it writable for the user who runs casebook"
        checkup.add(name, "problem", f"{path} cannot be written: {error.strerror}", remedy)
        return
    if status.st_mode & 0o077:
        checkup.add(
            name, "warning", f"other users of this machine may read {path}", f"run `chmod 700 {path}`"
        )
        return
    checkup.add(name, "ok", f"{path} is private and writable")


def check_disk(checkup: Checkup) -> None:
    """Check free space and inodes of the data directory."""
    settings = checkup.settings
    if not settings.data_dir.is_dir():
        return
    free = shutil.disk_usage(settings.data_dir).free
    system = os.statvfs(settings.data_dir)
    text = f"{free / GIGABYTE:,.1f} GB are free"
    remedy = "make room: delete cases, or move the data directory to a larger disk"
    if free < settings.min_free_bytes:
        limit = f"CASEBOOK_MIN_FREE_BYTES, {settings.min_free_bytes / GIGABYTE:,.1f} GB"
        checkup.add(
            "disk", "problem", f"{text}, less than uploads must leave ({limit}): they are refused", remedy
        )
    elif system.f_files and system.f_favail < FEW_INODES:
        checkup.add("disk", "problem", f"{system.f_favail:,} inodes are free", remedy)
    elif free < 2 * settings.min_free_bytes:
        checkup.add("disk", "warning", f"{text}, close to the limit of uploads", remedy)
    else:
        checkup.add("disk", "ok", text)


def check_clock(checkup: Checkup) -> None:
    """Check that the kernel's clock is synchronised (adjtimex, without privileges).

    Source: https://man7.org/linux/man-pages/man2/adjtimex.2.html
    """
    state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))
    if state == TIME_ERROR:
        checkup.add(
            "clock",
            "warning",
            "the clock of this machine is not synchronised: times of evidence and audit log may be wrong",
            "start an NTP client, such as systemd-timesyncd or chrony",
        )
    elif state < 0:
        checkup.add("clock", "unknown", f"the kernel does not state it: {os.strerror(ctypes.get_errno())}")
    else:
        checkup.add("clock", "ok", "the clock of this machine is synchronised")


def check_sandbox(checkup: Checkup) -> None:
    """Check the sandbox that evidence is read in, by confining a real child."""
    try:
        layers = availability.require(checkup.settings)
    except SettingsError as error:
        checkup.add("sandbox", "problem", str(error), "workers do not start until this is changed")
        return
    finally:
        fork_server.close()
    if layers.is_complete:
        checkup.add("sandbox", "ok", layers.describe())
    else:
        checkup.add(
            "sandbox",
            "warning",
            layers.describe(),
            f"a kernel with {', '.join(layers.missing())} gives evidence all layers",
        )


def check_processes(checkup: Checkup) -> None:
    """Check that the processes of an instance on this machine run."""
    settings = checkup.settings
    if not settings.embeds_database:
        return
    record = settings.run_dir / "processes.json"
    start = "start it with `casebook serve`"
    try:
        rows = json.loads(record.read_text(encoding="utf-8"))["processes"]
    except (OSError, ValueError, KeyError):
        checkup.add("service", "warning", "the service does not run", start)
        return
    dead = [row["name"] for row in rows if start_ticks(row["pid"]) != row["started"]]
    if not rows or len(dead) == len(rows):
        checkup.add("service", "warning", "the service does not run", start)
    elif dead:
        checkup.add(
            "service",
            "problem",
            f"{', '.join(dead)} ended",
            f"see the logs in {settings.log_dir}; `casebook serve` restarts what ends",
        )
    else:
        checkup.add("service", "ok", f"{len(rows)} processes run: {', '.join(row['name'] for row in rows)}")


CHECKS: tuple[tuple[str, Callable[[Checkup], None]], ...] = (
    ("version", check_versions),
    ("data directory", check_data_directory),
    ("disk", check_disk),
    ("clock", check_clock),
    ("sandbox", check_sandbox),
    ("service", check_processes),
)
