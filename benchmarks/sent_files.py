"""Pastes and folders that `benchmarks.paste_cost` sends."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
CAPTURE = ROOT / "tests" / "data" / "perf-script" / "memcg-reclaim.default.txt"
FOLDERS = (
    ROOT / "backend" / "evidence" / "sample_cases" / "reclaim-at-the-limit",
    ROOT / "tests" / "data" / "files",
)
PASTE_BYTES = 20_000
FILES = 123
MANY_FILES = 500
SMALL_BYTES = 20_000


def pastes() -> Iterator[str]:
    """Return 20 KB of a recorded perf script again and again, each time in another process."""
    recorded = CAPTURE.read_text(encoding="utf-8")
    cut = recorded[: recorded.rfind("\n\n", 0, PASTE_BYTES) + 2]
    pid = cut.split()[1]
    for number in range(100_000, 200_000):
        yield cut.replace(f" {pid} ", f" {number} ")


def folder_of(source: Path | None, target: Path) -> None:
    """Fill `target` with `FILES` recorded files, or with all those of `source`."""
    if source is not None:
        shutil.copytree(source, target)
        return
    remaining = FILES
    for root in FOLDERS:
        for path in sorted(one for one in root.rglob("*") if one.is_file() and one.name != "PROVENANCE.md"):
            if remaining:
                place = target / root.name / path.relative_to(root)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, place)
                remaining -= 1


def many_files(folder: Path, target: Path) -> None:
    """Fill `target` with `MANY_FILES` copies of the small files of `folder`, no two of them alike."""
    small = [one for one in sorted(folder.rglob("*")) if one.is_file() and one.stat().st_size < SMALL_BYTES]
    for number in range(MANY_FILES):
        copy, at = divmod(number, len(small))
        place = target / str(copy) / small[at].relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(small[at].read_bytes() + b"\n" * copy)
