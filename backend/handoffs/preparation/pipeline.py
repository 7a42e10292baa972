"""Order of the stages of a preparation.

A stage takes the value of the stage before and returns its own, see `values`. The last one alone writes to
the database and the object store.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from backend.handoffs import selection
from backend.handoffs.preparation import bundle, judge, learn, redact, scan, store
from backend.handoffs.preparation.values import Preparation

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.jobs.run import Run


def prepare(run: Run, handoff_id: UUID) -> None:
    """Prepare the handoff; one that is deleted or already prepared is left unchanged."""
    with run.session() as session:
        subject = selection.gather(session, run.settings, handoff_id)
    if subject is None:
        return
    run.settings.scratch_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (
        run.putting(),
        tempfile.TemporaryDirectory(dir=run.settings.scratch_dir, prefix="handoff-") as scratch,
    ):
        learned = learn.names(Preparation(run=run, subject=subject, scratch=Path(scratch)))
        redacted = redact.files(learned)
        judged = judge.contents(redacted)
        bundled = bundle.write(judged)
        scanned = scan.leaks(bundled)
        store.put(scanned, handoff_id)
