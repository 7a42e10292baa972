"""Baselines in a directory: one folder for each point, with its recordings and what they cost.

    DIR/db-proxy/load-test/2-x-xeon-2-50ghz/6.18.44/20261122T201500-8843d7f/point.json
                                                                           run-1.script.zst

A directory is all that a pipeline needs to store and restore, such as a cache or a branch. Points are written
aside and renamed, so that an interrupted command leaves none half written.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from backend.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cli.comparison.baseline_documents import NamesDocument, StoredPointDocument
    from cli.comparison.runs import NamedRun
    from ingest.comparison.costs import Run

FORMAT = 1
POINT = "point.json"
PACKED = (".zst", ".gz", ".xz", ".bz2", ".lz4")
_Item = TypeVar("_Item", "Heading", "Point")
_NOT_PLAIN = re.compile(r"[^a-z0-9.]+")


class BaselineError(Exception):
    """A baseline cannot be read or written; the message names the file and the reason."""


class BaselineWriteError(BaselineError):
    """The baseline cannot be written."""


@dataclass(frozen=True, slots=True, order=True)
class Series:
    """What the points of a trend have in common.

    Attributes:
        machine: Class of machines that may be compared with each other.
        kernel: Release, "" where the recordings do not state it.
    """

    project: str
    benchmark: str
    machine: str
    kernel: str

    def document(self) -> NamesDocument:
        """Return the names as JSON values."""
        return {
            "project": self.project,
            "benchmark": self.benchmark,
            "machine": self.machine,
            "kernel": self.kernel,
        }


class Heading(NamedTuple):
    """What a list shows of a point."""

    series: Series
    commit: str
    at: str


@dataclass(frozen=True, slots=True)
class Point:
    """Runs of one build.

    Attributes:
        at: Time in ISO 8601, UTC.
        is_work_known: False when each run is one unit of work.
        comms: Threads whose samples count; empty for all.
        files: Recording of each run, relative to `folder`; empty for a point of a service.
        digests: SHA-256 of the recordings as they were.
    """

    series: Series
    commit: str
    at: str
    is_work_known: bool
    comms: tuple[str, ...]
    runs: tuple[Run, ...]
    files: tuple[str, ...] = ()
    digests: frozenset[str] = frozenset()
    folder: Path = Path()

    @property
    def paths(self) -> list[str]:
        """Paths of the recordings; for a point of a service the name of the point, once for each run."""
        return [str(self.folder / file) for file in self.files] or [self.name] * len(self.runs)

    @property
    def name(self) -> str:
        """Where the point is."""
        return str(self.folder) if self.files else f"point {self.commit[:12] or self.at} of the service"


def points_below(directory: Path) -> list[Point]:
    """Return every point below a directory, oldest first.

    Raises:
        BaselineError: One cannot be read.
    """
    return _ordered(directory, _read)


def headings_below(directory: Path) -> list[Heading]:
    """Return the heading of every point below a directory, oldest first.

    Raises:
        BaselineError: One cannot be read.
    """
    return _ordered(directory, lambda path: _checked(path, _heading))


def _ordered(directory: Path, read: Callable[[Path], _Item]) -> list[_Item]:
    return sorted(map(read, directory.rglob(POINT)), key=lambda point: (point.at, point.commit))


def comparable(
    every: Sequence[Point], series: Series, *, comms: Sequence[str], is_work_known: bool
) -> list[Point]:
    """Return the points of a series, which must count the same threads and units of work.

    Raises:
        BaselineError: A point counts others.
    """
    found = [point for point in every if point.series == series]
    for point in found:
        if set(point.comms) != set(comms):
            raise BaselineError(f"{point.name} counts other threads: {', '.join(point.comms) or 'all'}")
        if point.is_work_known != is_work_known:
            other = "unit of work" if point.is_work_known else "run"
            raise BaselineError(f"{point.name} has costs per {other}; use the same --work")
    return found


def add(directory: Path, point: Point, runs: Sequence[NamedRun]) -> Path:
    """Store a point with its recordings, and return its folder.

    Raises:
        BaselineError: A recording is in the baseline, or the directory cannot be written.
    """
    known = {digest: other.folder for other in points_below(directory) for digest in other.digests}
    for run in runs:
        for digest in run.digests & known.keys():
            raise BaselineError(f"{run.path} is in the baseline: {known[digest]}")
    series = point.series
    parts = (series.project, series.benchmark, series.machine, series.kernel or "unknown")
    parent = directory.joinpath(*(_slug(part) for part in parts))
    name = f"{re.sub(r'[^0-9T]', '', point.at[:19])}-{_slug(point.commit[:12]) or 'none'}"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".adding-", dir=parent))
        try:
            files = [_pack(Path(run.path), aside, number) for number, run in enumerate(runs, start=1)]
            text = json.dumps(_document(point, files, runs), indent=1) + "\n"
            (aside / POINT).write_text(text, encoding="utf-8")
            aside.chmod(0o755)
            return _renamed(aside, parent, name)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        raise BaselineWriteError(f"{directory} cannot be written: {error.strerror}") from None


def _renamed(aside: Path, parent: Path, name: str) -> Path:
    """Move a finished folder to `name`, or the first free name after it."""
    for number in range(1, 1000):
        folder = parent / (name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            return aside.rename(folder)
    raise OSError(0, f"too many points are called {name}")


def _document(point: Point, files: Sequence[str], runs: Sequence[NamedRun]) -> StoredPointDocument:
    from ingest.comparison.costs_document import to_document  # noqa: PLC0415 - a list needs no numbers

    return {
        "format": FORMAT,
        "engine": VERSION,
        **point.series.document(),
        "commit": point.commit,
        "at": point.at,
        "is_work_known": point.is_work_known,
        "comms": list(point.comms),
        "runs": [
            {
                "file": file,
                "sha256": sorted(run.digests),
                "work": run.run.work,
                "costs": to_document(run.run.costs),
            }
            for file, run in zip(files, runs, strict=True)
        ],
    }


def _heading(document: StoredPointDocument) -> Heading:
    names = (document["project"], document["benchmark"], document["machine"], document["kernel"])
    series = Series(*map(str, names))
    return Heading(series, str(document["commit"]), str(document["at"]))


def _read(path: Path) -> Point:
    from ingest.comparison.costs import Run  # noqa: PLC0415 - a list needs no numbers
    from ingest.comparison.costs_document import from_document  # noqa: PLC0415 - same

    def point(document: StoredPointDocument) -> Point:
        rows = document["runs"]
        return Point(
            *_heading(document),
            is_work_known=bool(document["is_work_known"]),
            comms=tuple(str(comm) for comm in document["comms"]),
            runs=tuple(Run(from_document(row["costs"]), float(row["work"])) for row in rows),
            files=tuple(str(row["file"]) for row in rows),
            digests=frozenset(digest for row in rows for digest in row["sha256"]),
            folder=path.parent,
        )

    return _checked(path, point)


def _checked(path: Path, made: Callable[[StoredPointDocument], _Item]) -> _Item:
    """Return what is made of the document of a point."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["format"] != FORMAT:
            raise BaselineError(f"{path} is of format {document['format']}; this version reads {FORMAT}")
        return made(document)
    except OSError as error:
        raise BaselineError(f"{path} cannot be read: {error.strerror}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise BaselineError(f"{path} is not a point of a baseline: {error}") from None


def _pack(source: Path, folder: Path, number: int) -> str:
    """Copy a recording, compressed, and return its name."""
    from ingest.model.zstd import zstd  # noqa: PLC0415 - only this needs it

    suffixes = "".join(source.suffixes[-2:] if source.suffix in PACKED else source.suffixes[-1:])
    if source.suffix in PACKED:
        name = f"run-{number}{suffixes}"
        shutil.copyfile(source, folder / name)
        return name
    name = f"run-{number}{suffixes}.zst"
    with source.open("rb") as stream, zstd.ZstdFile(folder / name, "w", level=9) as packed:
        shutil.copyfileobj(stream, packed)
    return name


def _slug(text: str) -> str:
    """Return a name for a folder: no separators, no leading dots."""
    return _NOT_PLAIN.sub("-", text.lower()).strip("-.")[:80]
