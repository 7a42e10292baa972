"""Runs of a comparison, from paths: files, directories and globs.

    runs/base-1.script.gz  runs/base-1.stat  runs/base-2.script.gz   ->   two runs, the first with counters

Files of one run share their name up to the first dot. A directory inside a directory is one run, and so is a
directory with a single recording.
"""

from __future__ import annotations

import glob
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import click

from cli.evidence.paths import STANDARD_INPUT, read
from cli.evidence.selection import choose
from ingest.comparison.costs import Run, costs
from ingest.model.errors import UnsupportedQueryError
from ingest.native.views import View
from signatures.rendering.report import flat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ingest.evidence import Evidence
    from ingest.model.facts import Fact
    from ingest.model.profile import Profile
    from ingest.model.reading import Reading
    from ingest.model.selection import Selection
    from signatures.documents.alarm import AnyFinding

Judged: TypeAlias = "Callable[[Sequence[Evidence]], tuple[AnyFinding, ...]]"

LOSSES = ("cut_off", "lost_events")
"""Remarks on a recording that has fewer samples than it took."""


class NoStacksError(Exception):
    """A path has no stacks; the message names it and the reason."""


class NamedRun(NamedTuple):
    """One run and the file of its stacks.

    Attributes:
        digests: SHA-256 of its files with stacks.
        findings: What its evidence shows, as documents; empty unless it was judged.
    """

    path: str
    run: Run
    digests: frozenset[str]
    findings: tuple[AnyFinding, ...] = ()


class _Files(NamedTuple):
    """The evidence of one run."""

    name: str
    evidences: tuple[Evidence, ...]

    @property
    def readings(self) -> list[Reading]:
        return [section.reading for one in self.evidences for section in one.sections]

    @property
    def profiles(self) -> list[Profile]:
        return [profile for reading in self.readings for profile in reading.profiles]

    @property
    def facts(self) -> list[Fact]:
        return [fact for reading in self.readings for fact in reading.facts]


def read_runs(
    paths: Sequence[str],
    event: str | None,
    selection: Selection,
    work: str,
    findings_of: Judged | None = None,
) -> list[NamedRun]:
    """Return the runs of one side.

    Args:
        paths: Files, directories, globs, or `-`.
        event: Needed where recordings have several.
        selection: Samples to compare.
        work: Units of work of each run: a number, or the name of a fact of the run's files; "" for one.
        findings_of: Judges the evidence of a run; None for no findings.

    Raises:
        UsageError: A path, the event, the selection or the work is wrong.
        NoStacksError: A run has no stacks, or no sample in the selection.
    """
    return [
        _run(files, event, selection, work)._replace(
            findings=findings_of(files.evidences) if findings_of else ()
        )
        for files in _grouped(_expanded(paths))
    ]


def refuse_repeated(runs: Sequence[tuple[str, frozenset[str]]]) -> None:
    """Refuse a recording that is there twice: it would pass for two runs that agree.

    Raises:
        UsageError: There is one.
    """
    seen: dict[str, str] = {}
    for path, digests in runs:
        for digest in digests:
            if digest in seen:
                raise click.UsageError(f"{path} is the same recording as {seen[digest]}")
            seen[digest] = path


def _expanded(paths: Iterable[str]) -> list[str]:
    found: list[str] = []
    for path in paths:
        if path == STANDARD_INPUT or Path(path).exists():
            found.append(path)
            continue
        matches = sorted(glob.glob(path))  # noqa: PTH207 - absolute patterns, which Path.glob refuses
        if not matches:
            raise click.UsageError(f"no file is called {path!r}")
        found += matches
    return found


def _grouped(paths: Sequence[str]) -> list[_Files]:
    found: list[_Files] = []
    for path in paths:
        if path != STANDARD_INPUT and Path(path).is_dir():
            found += _of_directory(Path(path))
    files = [path for path in paths if path == STANDARD_INPUT or not Path(path).is_dir()]
    return found + _by_stem(files)


def _of_directory(directory: Path) -> list[_Files]:
    """Return the runs of a directory: itself, where one of its recordings at most is there."""
    entries = sorted(entry for entry in directory.iterdir() if not entry.name.startswith("."))
    groups = [_read(str(entry), [str(entry)]) for entry in entries if entry.is_dir()]
    groups += _by_stem([str(entry) for entry in entries if entry.is_file()])
    recorded = [group for group in groups if group.profiles]
    if len(recorded) < 2:
        every = tuple(evidence for group in groups for evidence in group.evidences)
        return [_Files(recorded[0].name if recorded else str(directory), every)]
    for group in groups:
        if not group.profiles:
            click.echo(f"{group.name}: no stacks, not a run", err=True)
    return recorded


def _by_stem(paths: Sequence[str]) -> list[_Files]:
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(str(Path(path).parent / Path(path).name.partition(".")[0]), []).append(path)
    return [_read(members[0], members) for members in groups.values()]


def _read(name: str, paths: Sequence[str]) -> _Files:
    return _Files(name, tuple(flat(list(read(paths)))))


def _run(files: _Files, event: str | None, selection: Selection, work: str) -> NamedRun:
    if not files.profiles:
        reasons = [evidence.reason for evidence in files.evidences if evidence.reason]
        raise NoStacksError(f"{files.name}: {reasons[0] if reasons else 'there are no stacks in it'}")
    chosen = choose(files.profiles, event, is_inferno=False)
    profile = max(chosen, key=lambda one: one.samples)
    if len(chosen) > 1:
        click.echo(f"{files.name}: {len(chosen)} profiles; the one with most samples is taken", err=True)
    if not profile.has_weights:
        raise click.UsageError(f"{files.name} has stacks without sample counts; they cannot be compared")
    try:
        view = View(profile, selection)
    except UnsupportedQueryError as error:
        raise click.UsageError(str(error)) from error
    if not view.total_samples:
        raise NoStacksError(f"{files.name}: no sample of {profile.samples:,.0f} in the selection")
    losses = [
        f"{files.name}: {remark.detail}"
        for reading in files.readings
        for remark in reading.quality
        if remark.name in LOSSES and reading.profiles
    ]
    digests = {one.sha256 for one in files.evidences if any(part.reading.profiles for part in one.sections)}
    path = next(one for one in files.evidences if one.sha256 in digests)
    return NamedRun(
        _path_of(files, path),
        Run(costs(view, files.facts, losses), _units_of_work(files, work), view),
        frozenset(digests),
    )


def _path_of(files: _Files, evidence: Evidence) -> str:
    """Return the path of the recording of a run."""
    beside = Path(files.name).parent / evidence.name
    inside = Path(files.name) / (evidence.captured_path or evidence.name)
    return next((str(path) for path in (beside, inside) if path.is_file()), files.name)


def _units_of_work(files: _Files, work: str) -> float:
    if not work:
        return 1.0
    try:
        units = float(work.replace(",", ""))
    except ValueError:
        values = {fact.value for fact in files.facts if fact.name == work}
        if len(values) != 1:
            found = f"{len(values)} values" if values else "none"
            raise click.UsageError(
                f"--work {work}: {files.name} has {found} of this fact; `casebook facts` lists all"
            ) from None
        (value,) = values
        units = value if isinstance(value, float) else 0.0
    if not units > 0:
        raise click.UsageError(f"--work {work}: {files.name} has {units:g} units of work")
    return units
