"""Stage 2: write the chosen text evidence with pseudonyms for names."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from backend.evidence import lines
from backend.handoffs import reparse
from backend.handoffs.contents import BundleFile
from backend.handoffs.preparation.values import RedactedFiles, extend

if TYPE_CHECKING:
    from backend.handoffs.preparation.values import LearnedNames
    from backend.handoffs.selection import Source


def files(preparation: LearnedNames) -> RedactedFiles:
    """Return the preparation with the redacted files."""
    chosen = [source for source in preparation.subject.chosen_sources() if source.is_text]
    redacted = []
    for number, source in enumerate(chosen, start=1):
        redacted.append(_redact(preparation, source, number))
        preparation.run.check()
    return extend(preparation, RedactedFiles, files=tuple(redacted))


def _redact(preparation: LearnedNames, source: Source, number: int) -> BundleFile:
    run, redactor = preparation.run, preparation.redactor
    before = Counter(redactor.counts)
    path = preparation.scratch / f"file-{number}"
    digest = hashlib.sha256()
    size = count = 0
    with path.open("wb") as stream:
        for chunk in redactor.redact(lines.decoded(run.store, source.sha256), source.captured_path):
            stream.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            count += chunk.count(b"\n")
    name = redactor.text(source.captured_path or source.name).lstrip("/")
    return BundleFile(
        evidence_id=str(source.id),
        number=number,
        name=name.rpartition("/")[2],
        path=f"evidence/{number:02}/{name}",
        local_path=path,
        sha256=digest.hexdigest(),
        size_bytes=size,
        lines=count,
        changed=reparse.changed_lines(lines.decoded(run.store, source.sha256), path),
        counts=dict(redactor.counts - before),
        host=redactor.name("host", source.host),
        boot=redactor.name("uuid", source.boot),
        phase=source.phase,
    )
