"""Clearing up after what was killed: received bytes that no request kept, files of jobs that did not end.

Whatever is older than a day was left behind: a job's limits are far below that, and a request that sends for
longer keeps its staging file young by writing to it.
"""

from __future__ import annotations

import logging
import shutil
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

LEFT_BEHIND_SECONDS = 24 * 3600.0


def sweep(settings: Settings, *, now: float | None = None) -> int:
    """Remove what was left behind in the staging and scratch directories; return how many entries."""
    before = (time.time() if now is None else now) - LEFT_BEHIND_SECONDS
    removed = 0
    for directory in (settings.staging_dir, settings.scratch_dir):
        for entry in directory.iterdir() if directory.is_dir() else ():
            removed += _remove(entry, before)
    if removed:
        logger.info("removed %d files and directories that were left behind", removed)
    return removed


def _remove(entry: Path, before: float) -> int:
    try:
        if entry.lstat().st_mtime >= before:
            return 0
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
    except FileNotFoundError:
        return 0
    return 1
