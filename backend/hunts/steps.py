"""One step of a hunt: its next batch of cases, unless others wait for a worker.

A batch is judged by one sandboxed child: it loads the stored readings and observes only what no earlier
judgement observed. One transaction stores the batch: a worker that dies loses a batch of computing only.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from backend.cases.queries import hold
from backend.core import events
from backend.core.db.base import among
from backend.core.domain_events import publish
from backend.core.errors import StoredBytesError
from backend.core.jobs.job import error_number
from backend.evidence import readings
from backend.findings import judging, observations
from backend.findings.case_analysis import analyse, child_item, folders_of, load_inputs
from backend.findings.fault_log import log_noted
from backend.hunts import candidates, plans, runs
from backend.hunts.domain_events import HuntStepDue
from backend.hunts.runs import Changed
from backend.models import Change, Finding, Hunt, LibraryVersion, RunState, TeamLibrary
from backend.reprocessing import changes
from backend.reprocessing.steps import others_work
from backend.sandbox.envelope import limits_of_job, result_of_job
from backend.sandbox.runner import LimitHitError, SandboxCrashError, TooSlowError
from signatures.document.catalog import identity
from signatures.reporting.verdict_changes import SHOWN, Judged, Place, differences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.findings.case_analysis import CaseAnalysis
    from backend.hunts.candidates import Batch
    from backend.hunts.plans import Plan
    from signatures.judging.observation_cache import Row
    from signatures.reporting.firing import FiringDocument

logger = logging.getLogger(__name__)

SENDER = "hunting"
"""Who is charged for the steps, and for what they queue."""
PAUSE_SECONDS = 1.0
"""Pause of a hunt while others work."""
AGAIN_AT_A_TIME = 10
"""Cases that are judged again as a whole in one step: it locks them while it stores them."""
LOST_SECONDS = 30.0
"""Pause after a step lost its worker in all its attempts."""
WHAT = "the hunt"
_STOPS = (LimitHitError, StoredBytesError, TooSlowError, SandboxCrashError)


def step(run: Run, hunt_id: UUID) -> None:
    """Do the next batch of a hunt, or pause, or end the hunt."""
    with run.session() as session:
        hunt = session.get(Hunt, hunt_id)
        if hunt is None or hunt.state is not RunState.RUNNING:
            return
        applies = hunt.applies
        if others_work(session, SENDER):
            batch = plan = None
        else:
            version = session.get_one(LibraryVersion, hunt.version_id)
            plan = plans.plan_of(session, version, applies=applies, signatures=list(hunt.signatures))
            batch = candidates.next_batch(session, plan, hunt.position)
            name = session.get_one(TeamLibrary, version.library_id).name
            library = identity(name, version.commit)
    if plan is None:
        with run.result() as session:
            publish(session, HuntStepDue(hunt_id, PAUSE_SECONDS))
    elif batch is None:
        with run.result() as session:
            runs.LIFECYCLE.finish(session, hunt_id)
    else:
        _do_batch(run, hunt_id, plan, batch, library if applies else "")


def give_up(session: Session, hunt_id: UUID, error: str) -> None:
    """End a hunt that failed by a bug; one that lost its workers goes on later."""
    if error.partition(": ")[0].isidentifier():
        runs.LIFECYCLE.fail(session, hunt_id, f"failed, reported as {error_number(error)}")
    elif runs.LIFECYCLE.locked(session, hunt_id) is not None:
        publish(session, HuntStepDue(hunt_id, LOST_SECONDS))


def _do_batch(run: Run, hunt_id: UUID, plan: Plan, batch: Batch, library: str) -> None:
    """Judge a batch and store it; with `library` set, cases that change are judged again as a whole.

    Where many change, the batch ends after some of them; what was observed on the others is kept.
    """
    found, added = _hunted(run, plan, batch.case_ids)
    with run.session() as session:
        before = _stored(session, batch.case_ids, plan.signatures)
    changed = [
        change
        for case_id in batch.case_ids
        if (change := _changed(case_id, before.get(case_id, {}), found[case_id])) is not None
    ]
    again: list[tuple[UUID, CaseAnalysis]] = []
    if library:
        if len(changed) > AGAIN_AT_A_TIME:
            changed = changed[:AGAIN_AT_A_TIME]
            batch = batch.until(changed[-1].case_id)
        kept = []
        for one in changed:
            outcome = one if one.reason else _analysed(run, one, again)
            if outcome is not None:
                kept.append(outcome)
        changed = kept
    run.check()
    held = sorted(case_id for case_id, _ in again)
    with run.result(first=lambda session: [hold(session, one) for one in held]) as session:
        if not runs.advance(session, hunt_id, batch, changed):
            return
        observations.save(session, added)
        for case_id, analysis in again:
            judging.keep(session, case_id, analysis)
        for one in changed:
            if library and not one.reason:
                _tell(session, one, library)


def _hunted(
    run: Run, plan: Plan, case_ids: Sequence[UUID]
) -> tuple[dict[UUID, list[FiringDocument] | str], list[Row]]:
    """Return what fires in each case, or why it could not be judged, and new observations."""
    if not case_ids:
        return {}, []
    try:
        return _judged(run, plan, case_ids)
    except _STOPS as error:
        if len(case_ids) == 1:
            return {case_ids[0]: _words(error)}, []
        logger.info("a batch of %d cases is judged one by one: %s", len(case_ids), error)
    found: dict[UUID, list[FiringDocument] | str] = {}
    added: list[Row] = []
    for case_id in case_ids:
        of_case, rows = _hunted(run, plan, [case_id])
        found |= of_case
        added += rows
    return found, added


def _judged(
    run: Run, plan: Plan, case_ids: Sequence[UUID]
) -> tuple[dict[UUID, list[FiringDocument] | str], list[Row]]:
    with run.session() as session:
        placed = readings.of_cases(session, case_ids)
        everything = [one for rows in placed.values() for one in rows]
        cached = observations.load_some(session, [one.digest for one in everything], plan.conditions)
    of_reading: dict[str, list[Row]] = {}
    for row in cached:
        of_reading.setdefault(row[0], []).append(row)
    result: dict[str, Any] = result_of_job(
        run.settings,
        "hunt",
        {
            "cases": [
                {
                    "items": [child_item(run.store, one) for one in placed[case_id]],
                    "observations": [
                        row
                        for digest in dict.fromkeys(one.digest for one in placed[case_id])
                        for row in of_reading.get(digest, ())
                    ],
                }
                for case_id in case_ids
            ],
            "libraries": plan.libraries,
            "signatures": plan.signatures,
        },
        what=WHAT,
        limits=limits_of_job(run.settings, "heavy"),
        readable=folders_of(run.store, everything),
        check=run.check,
    )
    log_noted(result["faults"])
    found = {case_id: one["firing"] for case_id, one in zip(case_ids, result["cases"], strict=True)}
    added = [
        (reading, key, document) for one in result["cases"] for reading, key, document in one["observations"]
    ]
    return found, added


def _stored(
    session: Session, case_ids: Sequence[UUID], signatures: Sequence[str]
) -> dict[UUID, dict[Place, Judged]]:
    """Return the stored verdicts of the signatures by case."""
    columns = (
        Finding.case_id,
        Finding.host,
        Finding.phase,
        Finding.signature,
        Finding.verdict,
        Finding.title,
    )
    query = select(*columns).where(among(Finding.case_id, case_ids), among(Finding.signature, signatures))
    found: dict[UUID, dict[Place, Judged]] = {}
    for case_id, *row in session.execute(query.where(Finding.verdict.in_(SHOWN))):
        found.setdefault(case_id, {})[Place(*row[:3])] = Judged(*row[3:])
    return found


def _changed(case_id: UUID, before: dict[Place, Judged], found: list[FiringDocument] | str) -> Changed | None:
    if isinstance(found, str):
        return Changed(case_id, Change.FAILED, [], found)
    after = {
        Place(one["host"], one["phase"], one["signature"]): Judged(one["verdict"], one["title"])
        for one in found
    }
    lines = {(one["host"], one["phase"], one["signature"]): one["lines"] for one in found}
    different = differences(before, after)
    if not different:
        return None
    verdicts = [
        {**one, "lines": lines.get((one["host"], one["phase"], one["signature"]), [])} for one in different
    ]
    return Changed(case_id, changes.kind_of(different, is_headline_new=False), verdicts)


def _analysed(run: Run, one: Changed, again: list[tuple[UUID, CaseAnalysis]]) -> Changed | None:
    """Judge a case as a whole; return what is stored of it, None when it was deleted."""
    with run.session() as session:
        inputs = load_inputs(session, one.case_id)
    if inputs is None:
        return None
    try:
        limits = limits_of_job(run.settings, "heavy")
        again.append((one.case_id, analyse(run.settings, run.store, inputs, limits, check=run.check)))
    except _STOPS as error:
        return Changed(one.case_id, Change.FAILED, [], _words(error))
    return one


def _tell(session: Session, one: Changed, library: str) -> None:
    """Record on the case, for its owner and for destinations, that the hunt changed its verdicts."""
    verdicts = [
        {name: verdict[name] for name in ("signature", "host", "phase", "before", "after")}
        for verdict in one.verdicts
    ]
    payload = {"library": library, "verdicts": verdicts}
    events.record(session, "hunt.changed", case_id=one.case_id, payload=payload)


def _words(error: Exception) -> str:
    if isinstance(error, SandboxCrashError):
        number = error_number(str(error))
        logger.error("a case of a hunt is not judged, reported as %s: %s", number, error)
        return f"the analysis failed, reported as {number}"
    return str(error)
