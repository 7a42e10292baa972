"""Files of evidence read in a sandbox: one alone, or the small ones of a case together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from backend.evidence import hosts
from backend.evidence.reading_progress import Progress
from backend.sandbox.runner import SandboxLimits, Source, read_in_sandbox, read_several_in_sandbox
from ingest.model import reading_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from backend.core.jobs.run import Run
    from backend.evidence.subject import Subject
    from backend.sandbox.report import ReadEvidence
    from ingest.model.reading import Reading

GUESTS_CPU_SECONDS = 10
"""Processor seconds for the evidence of a guest; guests must not block workers for signed-in users."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The result of reading one evidence.

    Attributes:
        output: Directory with the reading folders.
        load: Loads one reading folder, cached.
    """

    subject: Subject
    report: ReadEvidence
    output: Path
    host: hosts.StatedHost
    load: Callable[[Path], Reading]


def read_subject(
    run: Run, subject: Subject, scratch: Path, *, on_progress: Callable[[float], None] | None = None
) -> ReadFile:
    """Read the bytes of `subject` in a sandbox below `scratch`, an empty directory.

    The evidence shows the progress, unless `on_progress` is given.

    Raises:
        SandboxCrashError: The sandbox crashed.
        EvidenceRemovedError: The evidence was removed from its case.
    """
    content, output = scratch / "content", scratch / "output"
    output.mkdir()
    run.store.fetch(subject.sha256, content)
    report = read_in_sandbox(
        content,
        output=output,
        limits=limits_of(run, subject),
        name=subject.filename,
        captured_path=subject.captured_path,
        on_progress=on_progress or Progress(run.sessions, subject),
        check=run.check,
    )
    return _read_file(subject, report, output)


def read_together(run: Run, subjects: Sequence[Subject], scratch: Path, *, seconds: float) -> list[ReadFile]:
    """Read small files of one case in one sandbox below `scratch`, an empty directory.

    Args:
        run: The job.
        subjects: The files; the first is always read.
        scratch: Where their bytes and readings are.
        seconds: After this time no further file is begun.

    Returns:
        The first of `subjects` as they were read.

    Raises:
        LimitHitError: Together they need more than one may.
        SandboxCrashError: The sandbox crashed.
        TooSlowError: Together they take longer than a first try may.
    """
    output = scratch / "output"
    output.mkdir()
    sources = []
    for number, subject in enumerate(subjects):
        content = scratch / f"content-{number}"
        run.store.fetch(subject.sha256, content)
        sources.append(Source(content, subject.filename, subject.captured_path))
    reports = read_several_in_sandbox(
        sources, output=output, limits=limits_of(run, subjects[0]), seconds=seconds, check=run.check
    )
    read = zip(subjects, reports, strict=False)
    return [_read_file(subject, report, output / str(at)) for at, (subject, report) in enumerate(read)]


def _read_file(subject: Subject, report: ReadEvidence, output: Path) -> ReadFile:
    report = report.model_copy(update={"sha256": subject.sha256, "size_bytes": subject.size_bytes})
    load = cache(reading_folder.load)
    return ReadFile(subject, report, output, hosts.stated(report, output, load), load)


def limits_of(run: Run, subject: Subject) -> SandboxLimits:
    """Return the sandbox limits for `subject`; in the light queue it is a first try.

    Evidence that was too slow there gets the limits of its size in the heavy queue.
    """
    is_heavy = run.queue == "heavy" and not run.payload.get("is_slow", False)
    limits = SandboxLimits.of(run.settings, is_heavy=is_heavy)
    if subject.is_guests:
        limits = replace(limits, cpu_seconds=min(limits.cpu_seconds, GUESTS_CPU_SECONDS))
    first_seconds = run.settings.light_cpu_seconds
    if run.queue == "light" and first_seconds < limits.cpu_seconds:
        return replace(limits, cpu_seconds=first_seconds, is_first_try=True)
    return limits


def scratch_of(run: Run) -> Path:
    """Create and return the scratch directory of this job."""
    run.settings.scratch_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    return run.settings.scratch_dir
