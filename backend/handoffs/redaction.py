"""Computations that redact a case in a limited child, which gets its stored texts and its readings."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.findings.case_analysis import child_item, folders_of
from backend.findings.fault_log import log_noted
from backend.sandbox.envelope import computed_in_job, limits_of_job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from backend.core.jobs.run import Run
    from backend.evidence.readings import AssignedReading
    from backend.handoffs.selection import Subject
    from backend.sandbox.documents import SourceDocument, SubjectDocument

OUTPUT_PER_BYTE = 2
"""Most texts are stored as they are, and are written once more with pseudonyms and read again."""


@contextmanager
def computed(
    run: Run,
    computation: str,
    subject: Subject,
    *,
    what: str,
    readings: Sequence[AssignedReading] = (),
    on_progress: Callable[[float], None] | None = None,
    **arguments: Any,
) -> Iterator[tuple[Any, Path]]:
    """Yield the result of a computation on a case, and the directory with its files, deleted afterwards.

    Raises:
        LimitHitError: It needs more than its limits.
        TooSlowError: It exceeded the time of a first try.
        StoredBytesError: The store has lost or damaged a chosen text.
    """
    run.settings.scratch_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=run.settings.scratch_dir, prefix="texts-") as scratch:
        texts = Path(scratch)
        sources = list(_lent(run, subject, texts))
        limits = limits_of_job(run.settings, run.queue)
        chosen_bytes = sum(source.size_bytes for source in subject.chosen_sources())
        with computed_in_job(
            run.settings,
            computation,
            {
                "subject": _document(subject, sources),
                "readings": [child_item(run.store, one) for one in readings],
                **arguments,
            },
            what=what,
            limits=replace(limits, output_bytes=limits.output_bytes + OUTPUT_PER_BYTE * chosen_bytes),
            readable=[texts, *folders_of(run.store, readings)],
            unsaved={"key": subject.key},
            on_progress=on_progress,
            check=run.check,
        ) as (result, output):
            log_noted(result["faults"])
            yield result, output


def _document(subject: Subject, sources: list[SourceDocument]) -> SubjectDocument:
    return {
        "number": subject.number,
        "title": subject.title,
        "recipient": subject.recipient,
        "question": subject.question,
        "resolution": subject.resolution,
        "hosts": subject.hosts,
        "replacements": subject.replacements,
        "notes": subject.notes,
        "tried": subject.tried,
        "pseudonym_map": subject.pseudonym_map,
        "sources": sources,
    }


def _lent(run: Run, subject: Subject, texts: Path) -> Iterator[SourceDocument]:
    """Fetch the stored bytes of every text into a directory; yield the sources as the child takes them."""
    chosen = set(subject.chosen)
    for number, source in enumerate(subject.sources):
        is_chosen = source.id in chosen
        content = ""
        # Names are learnt from what is there; what is handed over must be.
        if source.is_text and (is_chosen or run.store.has(source.sha256)):
            path = texts / str(number)
            run.store.fetch(source.sha256, path)
            content = str(path)
        run.check()
        yield {
            "id": str(source.id),
            "name": source.name,
            "captured_path": source.captured_path,
            "reason": source.reason,
            "host": source.host,
            "boot": source.boot,
            "phase": source.phase,
            "content": content,
            "is_chosen": is_chosen,
        }
