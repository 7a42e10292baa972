"""Record of the last backup in the data directory: when, where and how much."""

from __future__ import annotations

import json
import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any

from backend.core.storage.durable_files import replace_file

if TYPE_CHECKING:
    from pathlib import Path

    from backend.operations.backup.manifest import Manifest

NAME = "last-backup.json"

logger = logging.getLogger(__name__)


def write(data_dir: Path, directory: Path, written: Manifest) -> None:
    """Record a complete backup; a data directory that cannot be written changes nothing about it."""
    record = {
        "made_at": written.made_at,
        "directory": str(directory),
        "cases": written.cases,
        "objects": written.object_count,
        "size_bytes": written.object_bytes,
        "incomplete": len(written.missing) + len(written.damaged),
    }
    try:
        replace_file(data_dir / NAME, json.dumps(record).encode())
    except OSError as error:
        logger.warning("the backup was not recorded in %s: %s", data_dir, error)


def read(data_dir: Path) -> dict[str, Any] | None:
    """Return the record; None without one, or with one that cannot be read."""
    try:
        found = json.loads((data_dir / NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def made_at(data_dir: Path) -> datetime | None:
    """Return when the last backup was made; None without a record."""
    found = read(data_dir) or {}
    try:
        return datetime.fromisoformat(found.get("made_at", ""))
    except (TypeError, ValueError):
        return None
