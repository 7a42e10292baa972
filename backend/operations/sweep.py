"""Deletes orphaned files: staged bytes of killed requests, scratch files of killed jobs.

Anything older than a day is orphaned: the limits of jobs are far below that, and writing keeps the staging
file of a running request young.
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
    """Delete orphaned entries of the staging and scratch directories; return their number."""
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
