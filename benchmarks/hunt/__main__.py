"""Hunt in 10,000 generated and 300 real cases, write RETRO_HUNT.md.

python -m benchmarks.hunt --real 300 --copies 34

Each signature has one condition. Its preview is timed; then a library is activated and its hunt applied while
the worker of a step is killed again and again. A sample of the cases is judged as a whole, and compared.
"""

from __future__ import annotations

import json
import os
import platform
import random
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import httpx
from sqlalchemy import text

from backend.client import Client
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.evidence import readings
from backend.findings.case_analysis import child_item
from backend.sandbox.computations.results import item_of
from benchmarks.finding_bytes import revision
from benchmarks.hunt.fill import multiply, send
from benchmarks.hunt.kills import strike
from benchmarks.hunt.signatures import TESTS, archive
from benchmarks.reprocess_run import service_cpu_seconds
from benchmarks.stored_cases import SETTINGS, settle
from cli.service.instance import throw_away
from ingest.model.zstd import zstd
from signatures.document.team_library import catalog_with_teams
from signatures.judging.judge import judge
from signatures.reporting.verdict_changes import SHOWN

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from signatures.document.team_library import LibraryDocument

    Verdict = tuple[str | None, str | None, str]
    """Host, phase and verdict of a finding."""

RESULTS = Path(__file__).parents[1] / "RETRO_HUNT.md"
POLL_SECONDS = 0.2
MOST_STEPS = 1
"""Steps that store their cases between two kills."""
HEAVY = {
    "CASEBOOK_HEAVY_WORKERS": "2",
    "CASEBOOK_REAPER_SECONDS": "1",
    "CASEBOOK_LEASE_SECONDS": "9",
    "CASEBOOK_HEARTBEAT_SECONDS": "2",
}
IDS = text('select id from "case" where deleted_at is null and judged_rev > 0')
HOLD = text("select count(distinct case_id) from log_record")
FOUND = text("select case_id, host, phase, verdict from finding where signature = :signature")
CONTENT = text("select content from library_version where id = :version")
HUNTED = text("select case_id, verdicts from hunted_case where hunt_id = :hunt")
TWICE = text("""
    select count(*) from (
        select case_id from event where kind = 'hunt.changed' group by 1 having count(*) > 1
    ) twice
""")


@click.command()
@click.option("--real", type=click.IntRange(1), default=300, show_default=True, help="Cases of fixtures.")
@click.option("--copies", type=click.IntRange(1), default=34, show_default=True, help="Copies of each.")
@click.option("--sample", type=click.IntRange(1), default=500, show_default=True, help="Judged as a whole.")
@click.option("--kills", type=click.IntRange(0), default=12, show_default=True, help="Workers to kill.")
@click.option(
    "--applied", type=click.Choice(list(TESTS)), default="fact", show_default=True, help="Applied with kills."
)
@click.option("--seed", type=int, default=7, show_default=True)
def main(*, real: int, copies: int, sample: int, kills: int, applied: str, seed: int) -> None:
    """Measure, and write the page."""
    chance = random.Random(seed)  # noqa: S311 - a benchmark
    loads = [os.getloadavg()[0]]
    with throw_away(say=click.echo, settings=SETTINGS | HEAVY) as instance:
        token = instance.create_token("hunt", scopes=("read", "write", "evidence", "admin"))
        settings = Settings(data_dir=instance.data_dir)
        sessions = create_sessions(settings, pool_size=2)
        with Client(instance.url, token=token) as client:
            seconds = send(client, sessions, real)
        click.echo(f"{real} cases were judged in {seconds:.0f} s")
        owners = create_sessions(settings.model_copy(update={"database_url": settings.effective_owner_url}))
        with owners() as session:
            multiply(session, copies)
        with sessions() as session:
            ids = list(session.scalars(IDS))
            holding = session.scalar(HOLD) or 0
        click.echo(f"{len(ids)} cases, {holding} with a kernel log")
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"{instance.url}/api/v1/", headers=headers, timeout=120) as web:
            rows = []
            for name in TESTS:
                rows.append(_preview(web, sessions, name))
                loads.append(os.getloadavg()[0])
            chosen = chance.sample(ids, min(sample, len(ids)))
            store = Store.open(settings)
            compared = _compared(sessions, store, rows, chosen)
            killed = _killed(web, sessions, chance, kills, applied)
        page = _page((min(loads), max(loads)), real, ids, holding, rows, compared, len(chosen), killed)
        for one in (sessions, owners):
            one.kw["bind"].dispose()
    RESULTS.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


def _preview(web: httpx.Client, sessions: sessionmaker[Session], name: str) -> dict[str, Any]:
    """Upload one library and hunt it; return the hunt with its duration and CPU time."""
    web.put(f"libraries/{name}/archive", content=archive(name)).raise_for_status()
    while web.get(f"libraries/{name}").json()["newest"]["state"] == "pulling":
        time.sleep(POLL_SECONDS)
    settle(sessions)
    began, cpu = time.monotonic(), service_cpu_seconds(os.getpid())
    hunt = _ended(web, web.post("hunts", json={"library": name}).json())
    hunt |= {"seconds": time.monotonic() - began, "cpu_seconds": service_cpu_seconds(os.getpid()) - cpu}
    click.echo(f"{name}: {hunt['done']} cases in {hunt['seconds']:.0f} s, {hunt['judged']} judged")
    return hunt


def _ended(web: httpx.Client, hunt: dict[str, Any]) -> dict[str, Any]:
    while hunt["state"] == "running":
        time.sleep(POLL_SECONDS)
        hunt = web.get(f"hunts/{hunt['id']}").json()
    return hunt


def _compared(
    sessions: sessionmaker[Session], store: Store, hunts: list[dict[str, Any]], chosen: list[UUID]
) -> list[tuple[int, int]]:
    """Judge the chosen cases as a whole; return by hunt how many match, and how many differ from the hunt."""
    hunted: dict[str, dict[UUID, set[Verdict]]] = {}
    libraries = []
    with sessions() as session:
        for hunt in hunts:
            (name,) = hunt["signatures"]
            hunted[name] = {
                case_id: {(one["host"], one["phase"], one["after"]) for one in verdicts if one["after"]}
                for case_id, verdicts in session.execute(HUNTED, {"hunt": hunt["id"]})
            }
            content = session.scalar(CONTENT, {"version": hunt["version_id"]})
            libraries.append(_library(content, hunt))
        placed = {case_id: readings.of_case(session, case_id) for case_id in chosen}
    catalog = catalog_with_teams(libraries)
    matching, different = Counter[str](), Counter[str]()
    for case_id, rows in placed.items():
        items = [item_of(child_item(store, one)) for one in rows if not one.is_provisional]
        found: dict[str, set[Verdict]] = {name: set() for name in hunted}
        for one in judge(items, catalog):
            if one.signature.id in found and one.verdict in SHOWN:
                found[one.signature.id].add((one.host, one.phase, one.verdict))
        for name, verdicts in found.items():
            matching[name] += bool(verdicts)
            different[name] += verdicts != hunted[name].get(case_id, set())
    click.echo(f"{len(placed)} cases were judged as a whole")
    return [(matching[name], different[name]) for name in hunted]


def _library(content: bytes, hunt: dict[str, Any]) -> LibraryDocument:
    return {
        "name": hunt["library"],
        "commit": hunt["commit"],
        "signatures": json.loads(zstd.decompress(content)),
    }


def _killed(
    web: httpx.Client, sessions: sessionmaker[Session], chance: random.Random, kills: int, name: str
) -> dict[str, Any]:
    """Apply a hunt while workers of its steps are killed; compare with its preview."""
    version = web.get(f"libraries/{name}").json()["newest"]["id"]
    preview = next(one for one in web.get("hunts").json()["items"] if one["library"] == name)
    with sessions() as session:
        expected = {
            (case_id, one["host"], one["phase"], one["after"])
            for case_id, verdicts in session.execute(HUNTED, {"hunt": preview["id"]})
            for one in verdicts
            if one["after"]
        }
    web.post(f"libraries/{name}/versions/{version}/activate", json={}).raise_for_status()
    began = time.monotonic()
    hunt = web.post("hunts", json={"library": name, "version_id": version, "applies": True}).json()
    tried = done = cancelled = wrong = 0
    last = 0
    steps = chance.randint(1, MOST_STEPS)
    while hunt["state"] == "running":
        if steps <= 0 and done < kills:
            steps = chance.randint(1, MOST_STEPS)
            found = strike(sessions, chance)
            tried += found is not None
            done += found is True
        if not cancelled and (done > kills // 2 or hunt["done"] >= hunt["total"] // 2):
            answer = web.post(f"hunts/{hunt['id']}/cancel")
            if answer.status_code == 200:
                cancelled += 1
                time.sleep(3.0)
                stopped = web.get(f"hunts/{hunt['id']}").json()
                wrong += stopped["done"] != answer.json()["done"]
                web.post(f"hunts/{hunt['id']}/resume").raise_for_status()
        time.sleep(POLL_SECONDS)
        hunt = web.get(f"hunts/{hunt['id']}").json()
        wrong += hunt["done"] < last
        steps -= hunt["done"] > last
        last = hunt["done"]
    settle(sessions)
    with sessions() as session:
        stored = [tuple(row) for row in session.execute(FOUND, {"signature": f"bench/{name}"})]
        twice = session.scalar(TWICE) or 0
    return {
        "name": name,
        "hunt": hunt,
        "kills": (done, tried),
        "cancelled": cancelled,
        "wrong": wrong,
        "seconds": time.monotonic() - began,
        "lost": len(expected - set(stored)),
        "doubled": len(stored) - len(set(stored)) + len(set(stored) - expected),
        "twice": twice,
        "expected": len(expected),
    }


def _page(  # noqa: PLR0917 - what was measured, in its order
    load: tuple[float, float],
    real: int,
    ids: list[UUID],
    holding: int,
    rows: list[dict[str, Any]],
    compared: list[tuple[int, int]],
    sampled: int,
    killed: dict[str, Any],
) -> str:
    lines = [
        f"| {TESTS[row['library']][0]} | {row['done']:,} | {row['judged']:,} | {row['gained']:,} "
        f"({row['gained'] / max(row['done'], 1):.1%}) | {row['seconds']:.0f} | "
        f"{row['cpu_seconds'] / max(row['done'], 1) * 1000:.1f} | "
        f"{row['done'] / row['seconds'] * 60:,.0f} | {matching}, {different} |"
        for row, (matching, different) in zip(rows, compared, strict=True)
    ]
    table = "\n".join(lines)
    hunt = killed["hunt"]
    kills = "{1}, {0}".format(*killed["kills"])
    cancelled = f"{killed['cancelled']}, {killed['wrong']}"
    verdicts = f"{killed['expected']:,}, {killed['lost']}, {killed['doubled']}"
    facts = "\n".join(
        f"| {name} | {value} |"
        for name, value in (
            ("workers killed with SIGKILL while a step ran; steps that had to begin again", kills),
            ("cancelled and resumed; looks whose progress was wrong or went back", cancelled),
            ("state, cases", f"{hunt['state']}, {hunt['done']:,} of {hunt['total']:,}"),
            ("seconds", f"{killed['seconds']:.0f}"),
            ("verdicts that the preview named, lost, doubled or too many", verdicts),
            ("cases whose owner was told twice", killed["twice"]),
        )
    )
    return f"""\
# Retro-hunt

Written by `python -m benchmarks.hunt`, {datetime.now(UTC):%Y-%m-%d}, commit {revision()}:
{os.cpu_count()} CPUs, Linux {platform.release()}, load {load[0]:.0f} to {load[1]:.0f} by this and other work.
{real:,} cases of fixtures, and {len(ids) - real:,} copies of them with rows and observations of their own;
{holding:,} ({holding / len(ids):.0%}) hold a kernel log. Each library has one signature of one condition.

| the condition asks for | cases | judged | gained | s | CPU s | cases a minute | sample: match, differ |
| --- | --- | --- | --- | --- | --- | --- | --- |
{table}

*CPU s* are those of all processes of the service and its servers, per 1,000 cases. *Sample*: {sampled:,}
cases were judged as a whole, by all signatures of Casebook and that of the library; *differ* is the number
whose verdict is another one than the hunt says.

## A hunt whose workers are killed

The library of "{TESTS[killed["name"]][0]}" was activated and its hunt applied,
so that every case that it changes was judged again.

| | |
| --- | --- |
{facts}
"""


if __name__ == "__main__":
    main()
