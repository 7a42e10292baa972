"""File layout: resources shipped with the code, and the directories below a data directory.

A unix socket's path may have 107 bytes (`sun_path` of `sockaddr_un`, one for the final NUL), so a data
directory with a long path keeps its sockets in a private directory below the system's temporary one.

Source: https://man7.org/linux/man-pages/man7/unix.7.html
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path
from urllib.parse import quote

from backend.core.errors import SettingsError

ROOT = Path(__file__).resolve().parents[2]
FRONTEND_DIR = ROOT / "frontend" / "dist"
MIGRATIONS_DIR = ROOT / "migrations"

DATABASE = "casebook"
OWNER_ROLE = "casebook"
APPLICATION_ROLE = "casebook_app"
"""Name of the embedded database, the role that owns its tables, and the one that the service connects as."""

VALKEY_SOCKET = "valkey.sock"
LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"
MAX_SOCKET_PATH_BYTES = 107

SHARED_METRICS = "PROMETHEUS_MULTIPROC_DIR"
"""Variable of prometheus-client: where processes that serve one socket count requests together."""


def run_dir(data_dir: Path) -> Path:
    """Return the directory for sockets, locks and process records of `data_dir`."""
    inside = data_dir / "run"
    if len(os.fsencode(inside / LONGEST_SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES:
        return inside
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"casebook-{os.getuid()}-{digest}"


def database_url(socket_dir: Path, role: str) -> str:
    """Return the URL of the embedded database, whose socket is in `socket_dir`, with a role."""
    return f"postgresql+psycopg://{role}@/{DATABASE}?host={quote(str(socket_dir), safe='')}"


def empty_metrics_dir(data_dir: Path) -> Path:
    """Return the directory in which the API processes of `data_dir` count requests, emptied."""
    path = metrics_dir(data_dir)
    shutil.rmtree(path, ignore_errors=True)
    return make_private_dir(path)


def metrics_dir(data_dir: Path) -> Path:
    """Return the directory in which the API processes of `data_dir` count requests."""
    return run_dir(data_dir) / "metrics"


def make_files_private(data_dir: Path) -> None:
    """Have this process and its children create files for this user alone, in a private data directory.

    What an older version left readable to others becomes private: entries of `data_dir` itself, below which
    nothing can be reached then.

    Raises:
        SettingsError: `data_dir` belongs to another user.
    """
    os.umask(0o077)
    for entry in make_private_dir(data_dir).iterdir():
        status = entry.lstat()
        is_known = stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)
        if is_known and status.st_uid == os.getuid() and status.st_mode & 0o077:
            entry.chmod(0o700 if stat.S_ISDIR(status.st_mode) else 0o600)


def make_private_dir(path: Path) -> Path:
    """Create `path` as a directory accessible to this user only, and return it.

    Raises:
        SettingsError: It exists and belongs to another user, or is not a directory.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise SettingsError(f"{path} must be a directory of the user who runs casebook")
    path.chmod(0o700)
    return path
