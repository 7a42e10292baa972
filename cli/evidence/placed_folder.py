"""A signature folder put into its library once it is whole, and what is left to do for its author."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cli.evidence.signature_folder import FolderReport


def placed(folder: Path, signature_id: str, write: Callable[[Path], FolderReport]) -> FolderReport:
    """Write the folder of a signature elsewhere, then move it to `folder`; return its report.

    Args:
        folder: Does not exist yet.
        signature_id: AREA/NAME.
        write: Writes AREA/NAME below the directory it is given; what it raises leaves nothing behind.
    """
    with tempfile.TemporaryDirectory(prefix="casebook-case-") as scratch:
        root = Path(scratch) / "library"
        report = write(root)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(root / signature_id, folder)
    return report


def report_lines(folder: Path, report: FolderReport) -> Iterator[str]:
    """Yield what was written, and what is left for a person."""
    silent = sum(not one["fires"] for one in report["look_alikes"])
    yield (
        f"wrote {folder}: {report['texts']} files redacted, verdict {report['verdict']} on its own "
        f"evidence, {silent} look-alikes, {len(report['problems'])} problems"
    )
    yield from (f"problem: {text}" for text in report["problems"])
    for one in report["look_alikes"]:
        if one["fires"]:
            yield (
                f"fires on {one['signature']} {one['fixture']} too (similarity {one['similarity']:.2f}): "
                "the same pathology, or add an excluding condition"
            )
    if report["leak_count"] or report["open_token_count"]:
        yield (
            f"review: {report['leak_count']} possible leaks, {report['open_token_count']} open tokens in "
            "evidence/pos-case"
        )
    yield f"left for you: {'; '.join(report['left'])}"
