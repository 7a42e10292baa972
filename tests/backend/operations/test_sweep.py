"""Orphaned files are deleted, files in use are not."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from backend.core.settings import Settings
from backend.operations.sweep import sweep

if TYPE_CHECKING:
    from pathlib import Path


def test_only_files_older_than_a_day_are_deleted(tmp_path: Path):
    settings = Settings(data_dir=tmp_path)
    settings.staging_dir.mkdir()
    (settings.scratch_dir / "job").mkdir(parents=True)
    (settings.staging_dir / "received").write_text("half")
    (settings.scratch_dir / "job" / "report.json").write_text("{}")
    assert sweep(settings) == 0
    assert sweep(settings, now=time.time() + 25 * 3600) == 2
    assert list(settings.staging_dir.iterdir()) == list(settings.scratch_dir.iterdir()) == []


def test_an_empty_directory_is_no_error(tmp_path: Path):
    assert sweep(Settings(data_dir=tmp_path / "absent")) == 0
