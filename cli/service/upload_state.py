"""State of an upload on disk, to resume an interrupted command.

    ~/.local/state/casebook/uploads/3f…c2.json
    {"case": 12, "begun_at": 1795270000.0, …, "files": {"/root/perf.script": {"size": 9, …}}}

The folder is the one that the XDG base directory specification calls `XDG_STATE_HOME`. No token is in it.

Source: https://specifications.freedesktop.org/basedir-spec/latest/
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class AlreadyRunningError(Exception):
    """Another process is uploading the same files to the same place."""


@dataclass(slots=True)
class BegunFile:
    """One file: its identity at the start, and the URL of its upload.

    Attributes:
        changed_ns: When the file was changed last, in ns since 1970.
        place: Path of the upload, or of the evidence, below the API; "" before it is created.
        is_done: Completely uploaded.
        key: Idempotency key of its creation.
    """

    size: int
    changed_ns: int
    place: str = ""
    is_done: bool = False
    key: str = field(default_factory=lambda: str(uuid4()))


@dataclass(slots=True)
class State:
    """State of the command; call `save` after every change.

    Attributes:
        key: Idempotency key of the new case.
    """

    path: Path
    case: int | None = None
    permalink: str = ""
    begun_at: float = field(default_factory=time.time)
    key: str = field(default_factory=lambda: str(uuid4()))
    files: dict[str, BegunFile] = field(default_factory=dict)

    def save(self) -> None:
        """Write the state atomically."""
        document = {
            "case": self.case,
            "permalink": self.permalink,
            "begun_at": self.begun_at,
            "key": self.key,
            "files": {name: asdict(file) for name, file in self.files.items()},
        }
        draft = self.path.with_suffix(".new")
        draft.write_text(json.dumps(document), encoding="utf-8")
        draft.chmod(0o600)
        draft.replace(self.path)

    def forget(self) -> None:
        """Delete the state."""
        self.path.unlink(missing_ok=True)

    def of(self, path: Path, *, size: int, changed_ns: int) -> BegunFile:
        """Return the state of `path`; a new one if the file changed."""
        begun = self.files.get(str(path))
        if begun is None or (begun.size, begun.changed_ns) != (size, changed_ns):
            begun = self.files[str(path)] = BegunFile(size, changed_ns)
        return begun


def folder() -> Path:
    """Return the directory of state files."""
    home = os.environ.get("XDG_STATE_HOME", "")
    root = Path(home) if home.startswith("/") else Path.home() / ".local" / "state"
    return root / "casebook" / "uploads"


@contextlib.contextmanager
def state_of(url: str, endpoint: str, paths: Sequence[Path], *, anew: bool) -> Iterator[State]:
    """Lock and yield the state of uploading `paths` to `endpoint` of the service at `url`.

    Raises:
        AlreadyRunningError: Another process holds the lock.
    """
    words = "\n".join([url, endpoint, *(str(path) for path in paths)])
    path = folder() / f"{hashlib.sha256(words.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.json"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunningError("another `casebook upload` is uploading the same files") from None
        yield State(path) if anew else _load(path)
    finally:
        if not path.exists():
            path.with_suffix(".lock").unlink(missing_ok=True)
        os.close(lock)


def _load(path: Path) -> State:
    """Return the stored state; an unreadable one is empty, because the service has every byte."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        files = {name: BegunFile(**file) for name, file in document["files"].items()}
        return State(
            path, document["case"], document["permalink"], document["begun_at"], document["key"], files
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return State(path)
