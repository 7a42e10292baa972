"""The job `findings.judge`: judge one case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.queue import handler
from backend.evidence.service import JUDGE_JOB
from backend.findings import judging

if TYPE_CHECKING:
    from backend.core.run import Run


@handler(JUDGE_JOB)
def judge_case(run: Run) -> None:
    """Judge the case that the job is about."""
    case_id = run.subject_id
    assert case_id is not None  # noqa: S101 - the job is enqueued with it
    with run.session() as session:
        gathered = judging.gather(session, case_id)
    if gathered is None:
        return
    judgement = judging.decide(run.store, *gathered)
    run.check()
    with run.result() as session:
        judging.keep(session, case_id, judgement)
