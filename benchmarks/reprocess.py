"""Reprocess many cases while their worker is killed again and again, write REPROCESS.md.

python -m benchmarks.reprocess 1000

Cases are of real texts (the positive evidence of the library) and of generated stacks. Once all are judged,
their readings and screens are marked as of another version, cached observations are dropped, and every tenth
match is stored as a suspicion. A run must end with exactly the verdicts, evidence and facts of before.
"""

from __future__ import annotations

import os
import platform
import random
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import httpx
from sqlalchemy import text

from backend.client import Client
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from benchmarks.stored_cases import PATIENCE_SECONDS, SETTINGS, fill, settle
from cli.service.instance import throw_away

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

RESULTS = Path(__file__).parent / "REPROCESS.md"
KILL_CASES = (4, 8)
"""A worker is killed after so many cases since the last one."""
WHOLE = {
    "verdicts": "select case_id, host, phase, signature, verdict from finding order by 1, 2, 3, 4",
    "evidence": "select id, case_id, captured_path, filename, sha256, state from evidence order by id",
    "facts": "select case_id, name, count(*) from fact group by 1, 2 order by 1, 2",
    "headlines": "select id, headline ->> 'text' from \"case\" order by id",
}
WORKER = text("select worker from job where kind = 'reprocessing.step' and state = 'running' and attempt < 3")
"""A step whose third worker dies is failed by design."""
LONGEST_STEP_SECONDS = 0.8
HALF = """
    select count(*) from "case"
    where judged_rev <> evidence_rev
        or exists (select from finding where case_id = "case".id and case_rev <> judged_rev)
        or (select count(distinct reader = 'older') from reading where case_id = "case".id) > 1
"""
MAKE_STALE = (
    "update reading set reader = 'older'",
    "update case_screen set engine = 'older'",
    "delete from observation",
)
WEAKEN = """
    update finding set verdict = 'suspect' where id in (
        select id from (
            select id, row_number() over (order by id) as place from finding where verdict = 'match'
        ) as matches
        where place % 10 = 0
    )
    returning case_id
"""


@dataclass(slots=True)
class Watched:
    """What was seen during the run.

    Attributes:
        kills: Workers killed with a step of the run.
        looks: How often all cases were looked at, and `halves` how many were not whole then.
        seconds: Duration of the run.
    """

    kills: int = 0
    looks: int = 0
    halves: int = 0
    seconds: float = 0.0
    run: dict[str, Any] = field(default_factory=dict)


def snapshot(session: Session) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows that a run must not change."""
    return {name: [tuple(row) for row in session.execute(text(query))] for name, query in WHOLE.items()}


def watch(
    web: httpx.Client, sessions: sessionmaker[Session], run: dict[str, Any], chance: random.Random
) -> Watched:
    """Follow a run to its end, and kill the worker of a step now and then."""
    watched = Watched(run=run)
    began = time.monotonic()
    next_kill = chance.randint(*KILL_CASES)
    while watched.run["state"] == "running" and time.monotonic() - began < PATIENCE_SECONDS:
        with sessions() as session:
            watched.halves += session.scalar(text(HALF)) or 0
            watched.looks += 1
        is_due = watched.run["done"] >= next_kill
        if is_due and _strike(sessions, chance):
            watched.kills += 1
            next_kill = watched.run["done"] + chance.randint(*KILL_CASES)
        time.sleep(0.05 if is_due else 0.5)
        watched.run = web.get(f"reprocess-runs/{run['id']}").json()
    watched.seconds = time.monotonic() - began
    return watched


def _strike(sessions: sessionmaker[Session], chance: random.Random) -> bool:
    """Kill the worker of a step at a random moment of it; return whether there was one."""
    with sessions() as session:
        is_there = session.scalar(WORKER) is not None
    if not is_there:
        return False
    time.sleep(chance.uniform(0, LONGEST_STEP_SECONDS))
    with sessions() as session:
        name = session.scalar(WORKER)
    if name is None:
        return False
    try:
        os.kill(int(name.rpartition(":")[2]), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def compared(before: list[tuple[Any, ...]], after: list[tuple[Any, ...]]) -> tuple[int, int]:
    """Return how many rows of `before` are lost, and how many are there that were not, or are there twice."""
    were, are = Counter(before), Counter(after)
    return sum((were - are).values()), sum((are - were).values())


@click.command()
@click.argument("count", type=click.IntRange(1), default=1000)
@click.option("--seed", type=int, default=7, show_default=True)
def main(count: int, seed: int) -> None:
    """Measure with COUNT cases, and write the page."""
    load = os.getloadavg()[0]
    with throw_away(say=click.echo, settings=SETTINGS) as instance:
        token = instance.create_token("reprocess", scopes=("read", "write", "evidence", "admin"))
        sessions = create_sessions(Settings(data_dir=instance.data_dir), pool_size=2)
        began = time.monotonic()
        with Client(instance.url, token=token) as client:
            fill(client, count)
        settle(sessions)
        filled = time.monotonic() - began
        click.echo(f"{count} cases were judged in {filled:.0f} s")
        with sessions() as session:
            before = snapshot(session)
        with sessions.begin() as session:
            for statement in MAKE_STALE:
                session.execute(text(statement))
            weakened: set[UUID] = set(session.scalars(text(WEAKEN)))
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"{instance.url}/api/v1/", headers=headers, timeout=60) as web:
            counted = web.post("reprocess-runs/count", json={}).json()
            chance = random.Random(seed)  # noqa: S311 - moments of a benchmark
            watched = watch(web, sessions, web.post("reprocess-runs", json={}).json(), chance)
            left = web.post("reprocess-runs/count", json={}).json()
        settle(sessions)
        with sessions() as session:
            after = snapshot(session)
            done = session.execute(
                text("select count(*), count(distinct case_id) from reprocessed_case where run_id = :run"),
                {"run": watched.run["id"]},
            ).one()
        sessions.kw["bind"].dispose()
    page = _page(count, load, filled, counted, watched, left, tuple(done), len(weakened), before, after)
    RESULTS.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


def _page(  # noqa: PLR0917 - the measures, in the order of the page
    count: int,
    load: float,
    filled: float,
    counted: dict[str, Any],
    watched: Watched,
    left: dict[str, Any],
    done: tuple[int, ...],
    weakened: int,
    before: dict[str, list[tuple[Any, ...]]],
    after: dict[str, list[tuple[Any, ...]]],
) -> str:
    run = watched.run
    changes = ", ".join(f"{name} {number:,}" for name, number in sorted(run["changes"].items()))
    rows = [
        ("cases, files that another version judged or read", f"{counted['cases']:,}, {counted['files']:,}"),
        ("state of the run", run["state"]),
        ("cases done, distinct", f"{done[0]:,}, {done[1]:,}"),
        ("workers killed with a step", f"{watched.kills:,}"),
        ("duration", f"{watched.seconds:.0f} s, {run['done'] / watched.seconds * 60:.0f} cases a minute"),
        ("changes", changes),
        ("cases with a weakened verdict before", f"{weakened:,}"),
        (f"cases that were not whole, of {watched.looks:,} looks at all", f"{watched.halves:,}"),
        ("left to do", f"{left['cases']:,} cases, {left['files']:,} files"),
    ]
    for name in WHOLE:
        lost, doubled = compared(before[name], after[name])
        rows.append((f"{name}: rows, lost, too many", f"{len(before[name]):,}, {lost:,}, {doubled:,}"))
    table = "\n".join(f"| {name} | {value} |" for name, value in rows)
    return f"""\
# Reprocessing

Written by `make bench-reprocess CASES={count}`: {os.cpu_count()} CPUs, Linux {platform.release()},
load {load:.1f} at the start, shared with other work. An embedded instance got {count:,} cases in
{filled:.0f} s, three of four of real texts. All were marked as of another version, and read and judged
again while the worker of a step was killed with SIGKILL after every {KILL_CASES[0]} to
{KILL_CASES[1]} cases, at a random moment of the step.

| | |
| --- | --- |
{table}
"""


if __name__ == "__main__":
    main()
