"""Files that survive a crash: written aside, synced, then renamed."""

from __future__ import annotations

import ctypes
import os
import shutil
import uuid
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


_libc = ctypes.CDLL(None, use_errno=True)


def sync_file_system(path: Path) -> None:
    """Write everything of the file system of `path` to disk: one wait for any number of files."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        if _libc.syncfs(descriptor) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(path))
    finally:
        os.close(descriptor)


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file atomically; after a crash it has its old content or the new one."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        with partial.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    sync(path.parent)


def link(source: Path, target: Path, *, is_synced: bool = True) -> None:
    """Hard-link `source` to `target` atomically, or copy it across file systems.

    One that is not synced survives a crash after `sync_file_system` only.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        os.link(source, partial)
    except OSError:
        shutil.copyfile(source, partial)
    if is_synced:
        sync(partial)
    partial.replace(target)
    partial.unlink(missing_ok=True)
    if is_synced:
        sync(target.parent)


def sync(path: Path) -> None:
    """Fsync a file or directory."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
