"""Reprocess many cases while their worker is killed again and again, write REPROCESS.md.

python -m benchmarks.reprocess 1000

Cases are of real texts (the positive evidence of the library) and of generated stacks. Once all are judged,
their readings and screens are marked as of another version, cached observations are dropped, and every tenth
match is stored as a suspicion. One run is cancelled at half, a second one does the rest. They must end with
exactly the verdicts, evidence and facts of before, while pastes beside them are judged as without them.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import httpx
from sqlalchemy import text

from backend.cases import stored_findings
from backend.client import Client
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from benchmarks.finding_bytes import revision
from benchmarks.reprocess_run import Visitor, Watch, Watched, live_paste
from benchmarks.stored_cases import SETTINGS, fill, settle
from cli.service.instance import throw_away

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

RESULTS = Path(__file__).parent / "REPROCESS.md"
KILLS = 30
"""Kills that are due, spread over all cases."""
LIVE_BEFORE = 15
HEAVY = {"CASEBOOK_HEAVY_WORKERS": "3", "CASEBOOK_REAPER_SECONDS": "1"}
"""Another worker goes on after a kill: one that dies often is restarted after up to 30 s."""
WHOLE = {
    "verdicts": "select case_id, host, phase, signature, verdict from finding",
    "evidence": "select case_id, id, captured_path, filename, sha256, state from evidence",
    "facts": "select case_id, name, count(*) from fact group by 1, 2",
    "headlines": "select id, headline ->> 'text' from \"case\"",
    "documents": "select case_id, count(*) from case_findings group by 1",
}
IDS = text('select id from "case" where number <= :last')
MAKE_STALE = (
    "update reading set reader = 'older'",
    "update case_screen set engine = 'older'",
    "delete from observation",
)
WEAKEN = text("""
    update finding set verdict = 'suspect' where id in (
        select id from (
            select id, row_number() over (order by id) as place from finding where verdict = 'match'
        ) as matches
        where place % 10 = 0
    )
    returning case_id
""")
DONE = text("""
    select count(*), count(distinct case_id) from reprocessed_case
    where case_id in (select id from "case" where number <= :last)
""")
Rows = dict[str, list[tuple[Any, ...]]]


class Measured(NamedTuple):
    """What one measurement saw; `before` and `after` are rows that runs must not change."""

    cases: int
    load: float
    filled_seconds: float
    stale: dict[str, Any]
    left: dict[str, Any]
    watched: Watched
    done: tuple[int, ...]
    weakened: int
    alone_seconds: list[float]
    torn: int
    before: Rows
    after: Rows


def snapshot(session: Session, last: int) -> Rows:
    """Return the rows of cases up to number `last` that a run must not change."""
    wanted = set(session.scalars(IDS, {"last": last}))
    return {
        name: [tuple(row) for row in session.execute(text(query)) if row[0] in wanted]
        for name, query in WHOLE.items()
    }


def torn_documents(session: Session, last: int) -> int:
    """Return how many cases have rows of findings that their document does not state, or no document."""
    wanted = list(session.scalars(IDS, {"last": last}))
    rows: dict[UUID, set[tuple[str, ...]]] = {}
    for case_id, *place in session.execute(text(WHOLE["verdicts"])):
        rows.setdefault(case_id, set()).add(tuple(place))
    documents = stored_findings.load_all(session, wanted)
    return sum(
        case_id not in documents
        or rows.get(case_id, set())
        != {
            (one.host, one.phase, one.signature, one.verdict)
            for one in documents[case_id]
            if one.verdict in {"match", "suspect"}
        }
        for case_id in wanted
    )


def compared(before: list[tuple[Any, ...]], after: list[tuple[Any, ...]]) -> tuple[int, int]:
    """Return how many rows of `before` are lost, and how many are there that were not, or are there twice."""
    were, are = Counter(before), Counter(after)
    return sum((were - are).values()), sum((are - were).values())


@click.command()
@click.argument("count", type=click.IntRange(1), default=1000)
@click.option("--seed", type=int, default=7, show_default=True)
def main(count: int, seed: int) -> None:
    """Measure with COUNT cases, and write the page."""
    page = page_of(measure(count, seed))
    RESULTS.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


def measure(count: int, seed: int) -> Measured:
    """Fill an instance, run, and return what was seen."""
    load = os.getloadavg()[0]
    with throw_away(say=click.echo, settings=SETTINGS | HEAVY) as instance:
        token = instance.create_token("reprocess", scopes=("read", "write", "evidence", "admin"))
        sessions = create_sessions(Settings(data_dir=instance.data_dir), pool_size=2)
        began = time.monotonic()
        with Client(instance.url, token=token) as client:
            fill(client, count)
            settle(sessions)
            filled = time.monotonic() - began
            click.echo(f"{count} cases were judged in {filled:.0f} s")
            alone = [live_paste(client, number) for number in range(LIVE_BEFORE)]
        settle(sessions)
        with sessions.begin() as session:
            last = session.execute(text('select max(number) from "case"')).scalar_one()
            before = snapshot(session, last)
            for statement in MAKE_STALE:
                session.execute(text(statement))
            weakened: set[UUID] = set(session.scalars(WEAKEN))
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"{instance.url}/api/v1/", headers=headers, timeout=60) as web:
            stale = web.post("reprocess-runs/count", json={}).json()
            every = max(count // KILLS, 2)
            watch = Watch(
                web,
                sessions,
                random.Random(seed),  # noqa: S311 - moments of a benchmark
                last=last,
                kill_cases=(every * 2 // 3, every * 4 // 3),
                root=os.getpid(),
            )
            visitor = Visitor(instance.url, token)
            visitor.start()
            watched = watch.follow(stale["cases"])
            watched.live_seconds = visitor.stop()
            left = web.post("reprocess-runs/count", json={}).json()
        settle(sessions)
        with sessions() as session:
            after = snapshot(session, last)
            torn = torn_documents(session, last)
            done = tuple(session.execute(DONE, {"last": last}).one())
        sessions.kw["bind"].dispose()
    return Measured(
        count, load, filled, stale, left, watched, done, len(weakened), alone, torn, before, after
    )


def page_of(seen: Measured) -> str:
    """Return the page."""
    watched = seen.watched
    changes: Counter[str] = Counter()
    for run in watched.runs:
        changes.update(run["changes"])
    kinds = ", ".join(f"{name} {number:,}" for name, number in sorted(changes.items()))
    states = ", ".join(f"{run['state']} with {run['done']:,} of {run['total']:,}" for run in watched.runs)
    cores = watched.cpu_seconds / watched.seconds
    rows = [
        ("cases, files of another version", _numbers(seen.stale["cases"], seen.stale["files"])),
        ("runs", states),
        ("cases done, distinct", _numbers(*seen.done)),
        ("workers killed with a step", _numbers(watched.kills)),
        ("duration", f"{watched.seconds:.0f} s, {watched.done / watched.seconds * 60:.0f} cases a minute"),
        ("changes", kinds),
        ("cases with a weakened verdict before", _numbers(seen.weakened)),
        (f"cases that were not whole, of {watched.looks:,} looks at all", _numbers(watched.halves)),
        ("looks whose progress was wrong or went back", _numbers(watched.wrong_counts)),
        ("cancelled: seconds until no step ran, cases done afterwards",
         f"{watched.cancel_seconds:.1f}, {watched.done_after_cancel}"),
        ("CPU cores used, with servers, pastes and looks", f"{cores:.2f}"),
        ("a paste until its verdicts, without a run", _spread(seen.alone_seconds)),
        ("a paste until its verdicts, beside the runs", _spread(watched.live_seconds)),
        ("left to do", f"{seen.left['cases']:,} cases, {seen.left['files']:,} files"),
        ("cases whose rows and document differ", _numbers(seen.torn)),
    ]  # fmt: skip
    for name in WHOLE:
        lost, more = compared(seen.before[name], seen.after[name])
        rows.append((f"{name}: rows, lost, too many", _numbers(len(seen.before[name]), lost, more)))
    table = "\n".join(f"| {name} | {value} |" for name, value in rows)
    every = max(seen.cases // KILLS, 2)
    return f"""\
# Reprocessing

Written by `make bench-reprocess CASES={seen.cases}`, {datetime.now(UTC):%Y-%m-%d}, commit {revision()}:
{os.cpu_count()} CPUs, Linux {platform.release()}, load {seen.load:.1f} at the start, shared with other work.
An embedded instance got {seen.cases:,} cases in {seen.filled_seconds:.0f} s, three of four of real texts.
All were marked as of another version, and read and judged again while the worker of a step was killed with
SIGKILL about every {every} cases, at a random moment of the step, and others sent pastes.

| | |
| --- | --- |
{table}
"""


def _numbers(*values: int) -> str:
    return ", ".join(f"{value:,}" for value in values)


def _spread(seconds: list[float]) -> str:
    if not seconds:
        return "none"
    last = sorted(seconds)[len(seconds) * 95 // 100]
    return (
        f"median {statistics.median(seconds):.2f} s, 95 of 100 {last:.2f} s, largest {max(seconds):.2f} s"
        f" of {len(seconds):,}"
    )


if __name__ == "__main__":
    main()
