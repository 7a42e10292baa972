"""Outputs of a load test: a recording and the counters of its group, slow or healthy."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECLAIM = ROOT / "backend/evidence/sample_cases/reclaim-at-the-limit"
HEALTHY = ROOT / "tests/data/perf-script/healthy-database.fields_full.txt.gz"
SIGNATURE = "mm/memcg-limit-reclaim"


def reclaim_at_the_limit(folder: Path) -> Path:
    """Write the two files of the sample case that suffice for a match, and return their folder."""
    (folder / "cg_during").mkdir(parents=True)
    shutil.copy(RECLAIM / "perf.script.txt.gz", folder / "perf.script")
    shutil.copy(RECLAIM / "cg_during/memory.stat", folder / "cg_during/memory.stat")
    return folder


def healthy(folder: Path) -> Path:
    """Write a recording that shows nothing, and return its folder."""
    folder.mkdir()
    shutil.copy(HEALTHY, folder / "perf.script")
    return folder
