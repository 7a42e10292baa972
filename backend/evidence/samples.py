"""Sample cases of a new instance, received through staging like any evidence.

Example:
    sample_cases/reclaim-at-the-limit/cg_during/memory.stat  ->  captured path cg_during/memory.stat
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.cases import service as cases
from backend.evidence.receiving import receive
from backend.evidence.sample_cases import ALL, NOT_EVIDENCE, SAMPLES, Sample
from backend.evidence.staging import Staging
from backend.models.case import Case

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

ACTOR = "casebook"


def load_on_first_start(session: Session, store: Store, settings: Settings) -> list[Case]:
    """Create the sample cases if the instance never had a case; return them."""
    if session.scalar(select(func.count()).select_from(Case)):
        return []
    return [load(session, store, settings, sample) for sample in ALL]


def load(session: Session, store: Store, settings: Settings, sample: Sample) -> Case:
    """Create one sample case and queue the reading of its evidence."""
    case = cases.create(session, title=sample.title, actor=ACTOR)
    root = SAMPLES / sample.folder
    staging = Staging(settings.staging_dir, max_bytes=settings.max_evidence_bytes)
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.name not in NOT_EVIDENCE:
            staging.begin(path.relative_to(root).as_posix())
            staging.write(path.read_bytes())
            staging.end()
    receive(session, store, settings, case, staging.staged, actor=ACTOR, is_refusable=False)
    return case
