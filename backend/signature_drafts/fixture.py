"""The redacted evidence of a case as a fixture: files below one folder, read again in the sandbox."""

from __future__ import annotations

import gzip
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from backend.sandbox.runner import SandboxLimits, read_in_sandbox
from ingest.model import reading_folder
from signatures.authoring.fixture_tests import EXCLUDED_FILES
from signatures.judging.scope import items_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from backend.core.jobs.run import Run
    from backend.handoffs.contents import BundleFile
    from ingest.model.evidence import Placement
    from ingest.model.reading import Reading
    from signatures.judging.scope import Item

GZIP = ".gz"
PACKED = (".bz2", ".lz4", ".xz", ".zst")
"""Suffixes that the redacted text loses."""


@dataclass(frozen=True, slots=True)
class _Section:
    """One section, loaded (`signatures.judging.scope.SectionLike`)."""

    ordinal: int
    format: str
    first_line: int
    last_line: int
    path: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class _File:
    """One file, loaded (`signatures.judging.scope.EvidenceLike`)."""

    name: str
    captured_path: str
    sections: tuple[_Section, ...]
    members: tuple[_File, ...] = ()
    placed: Placement | None = None


def place(files: Sequence[BundleFile], folder: Path) -> list[Path]:
    """Move redacted files below `folder`, at their captured paths where these are free."""
    return [_place(file, folder) for file in files]


def text_of(path: Path) -> bytes:
    """Return the text of a placed file."""
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == GZIP else content


def _place(file: BundleFile, folder: Path) -> Path:
    captured = Path(file.path.split("/", 2)[2])
    if captured.suffix in PACKED:
        captured = captured.with_suffix("")
    if captured.name in EXCLUDED_FILES or ".." in captured.parts:
        captured = Path(f"{file.number:02}.txt")
    target = folder / captured
    if target.exists() or any(parent.is_file() for parent in target.parents):
        target = folder / f"{file.number:02}" / captured
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix != GZIP:
        return file.local_path.rename(target)
    # What was redacted is text; under this name it was packed, and large recordings are kept so.
    with file.local_path.open("rb") as text, gzip.GzipFile(target, "wb", mtime=0) as packed:
        shutil.copyfileobj(text, packed)
    file.local_path.unlink()
    return target


def read(
    run: Run, paths: Sequence[Path], folder: Path, scratch: Path, on_progress: Callable[[float], None]
) -> list[Item]:
    """Return the fixture as the engine reads it, parsed in the sandbox."""
    evidences = []
    for number, path in enumerate(paths):
        on_progress(number / len(paths))
        output = scratch / f"fixture-{number}"
        output.mkdir()
        captured = path.relative_to(folder).as_posix()
        report = read_in_sandbox(
            path,
            output=output,
            limits=SandboxLimits.of(run.settings, is_heavy=run.queue == "heavy"),
            name=path.name,
            captured_path=captured,
            check=run.check,
        )
        sections = tuple(
            _Section(
                ordinal=section.ordinal,
                format=section.format,
                first_line=section.first_line,
                last_line=section.last_line,
                path=section.path,
                reading=reading_folder.load(output / section.folder),
            )
            for section in report.sections
        )
        evidences.append(_File(path.name, captured, sections))
    return items_of(evidences)
