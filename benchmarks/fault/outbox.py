"""Kill -9 of the workers that send events, over and over, and count what a receiver got.

    python -m benchmarks.fault.outbox --rounds 25

A round starts two workers and a writer that commits events, kills all three with SIGKILL at a random
moment, and starts anew. The receiver fails a fifth of the requests and stalls some. At the end everything is
sent, and each committed event must have arrived, under one id. Writes benchmarks/OUTBOX.md.
"""

from __future__ import annotations

import http.server
import json
import multiprocessing
import os
import random
import signal
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click
from sqlalchemy import func, select, update

from backend.accounts import service as accounts
from backend.cases import service as cases
from backend.core import events
from backend.core.db import migrate
from backend.core.jobs.task_modules import load_task_modules
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from backend.core.supervisor.supervisor import Supervisor
from backend.destinations import delivering, signing, subscriptions
from backend.models import Account, Case, Channel, Delivery, DeliveryState, Destination, Event, Outbox
from backend.models.base import uuid7

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

PAGE = Path(__file__).parents[1] / "OUTBOX.md"
KIND = "case.changed"
LEASE_SECONDS = 1.0
LONGEST_ROUND_SECONDS = 1.5
SETTLE_SECONDS = 300.0
FAILING_SHARE, STALLING_SHARE = 0.2, 0.05
TEXT = """\
# Outbox

Written by `python -m benchmarks.fault.outbox`, seed {seed}. In each round two workers that send and a writer
that commits events are killed with SIGKILL at a random moment; the receiver answers {failing:.0%} of the
requests 500 and stalls {stalling:.0%} of them.

| | |
| --- | --- |
| rounds | {rounds} |
| processes killed | {killed} |
| events committed | {committed} |
| events that arrived | {arrived} |
| **lost** | {lost} |
| **doubled**: events that arrived under two ids | {doubled} |
| requests that failed or stalled | {refused} |
| repeated requests under the id of one that was accepted | {repeated} |
| seconds until all had arrived | {settled:.0f} |
"""


@dataclass(slots=True)
class Arrived:
    """What the receiver accepted.

    Attributes:
        ids: Ids of deliveries by event.
        accepted: Number of accepted requests by id.
        refused: Number of requests that it failed.
    """

    chance: random.Random
    ids: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    accepted: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    refused: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def receive(arrived: Arrived) -> http.server.ThreadingHTTPServer:
    """Start a receiver that accepts most requests."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with arrived.lock:
                draw = arrived.chance.random()
                is_accepted = draw > FAILING_SHARE
                if is_accepted:
                    arrived.ids[body["data"]["event"]].add(self.headers["webhook-id"])
                    arrived.accepted[self.headers["webhook-id"]] += 1
                else:
                    arrived.refused += 1
            if draw > 1 - STALLING_SHARE:
                # Accepted, but a worker that is killed meanwhile does not learn of it.
                time.sleep(0.5)
            self.send_response(204 if is_accepted else 500)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def work(settings: Settings) -> None:
    """Send what is due until killed."""
    load_task_modules()
    delivering.LEASE_SECONDS = LEASE_SECONDS
    delivering.PAUSE_SECONDS = delivering.MOST_PAUSE_SECONDS = 0.02
    delivering.RETRY_SECONDS = (0.05,) * 1000
    sessions = create_sessions(settings, pool_size=1)
    while True:
        with sessions.begin() as session:
            made = subscriptions.make_deliveries(session)
        if not made and not delivering.send_to_next(sessions, settings, goes_on=lambda: True):
            time.sleep(0.02)


def write(settings: Settings, case_id: UUID) -> None:
    """Commit events until killed; some transactions roll back."""
    load_task_modules()
    sessions = create_sessions(settings, pool_size=1)
    at = 0
    while True:
        at += 1
        with sessions() as session:
            events.record(session, KIND, case_id=case_id, payload={"severity": "high"})
            if at % 7 == 0:
                session.flush()
                session.rollback()
            else:
                session.commit()
        time.sleep(0.01)


def prepare(sessions: sessionmaker[Session], settings: Settings, port: int) -> UUID:
    """Make an account, a case and a webhook; return the case."""
    with sessions.begin() as session:
        accounts.create_api_token(session, name="fault")
        owner = session.scalars(select(Account)).one()
        case = cases.create(session, title="outbox", actor="fault")
        row = Destination(id=uuid7(), owner_id=owner.id, name="fault", channel=Channel.WEBHOOK)
        row.url, row.base_url, row.kinds = f"http://127.0.0.1:{port}/", "http://casebook", [KIND]
        row.sealed = signing.seal(settings, row.id, signing.Secrets(signing.mint()))
        session.add(row)
        return case.id


def run_rounds(settings: Settings, case_id: UUID, rounds: int, chance: random.Random) -> int:
    """Start and kill the processes so often; return the number of killed ones."""
    context = multiprocessing.get_context("spawn")
    killed = 0
    for _ in range(rounds):
        processes = [context.Process(target=work, args=(settings,), daemon=True) for _ in range(2)]
        processes.append(context.Process(target=write, args=(settings, case_id), daemon=True))
        for process in processes:
            process.start()
        _wait_for_events(settings, case_id)
        time.sleep(chance.uniform(0.1, LONGEST_ROUND_SECONDS))
        for process in processes:
            assert process.pid is not None  # noqa: S101 - it was started
            os.kill(process.pid, signal.SIGKILL)
            process.join()
            killed += 1
    return killed


def _wait_for_events(settings: Settings, case_id: UUID) -> None:
    """Wait until the new writer has committed something."""
    sessions = create_sessions(settings, pool_size=1)
    counted = select(func.count()).where(Event.case_id == case_id, Event.kind == KIND)
    with sessions() as session:
        before = session.scalar(counted)
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        with sessions() as session:
            if session.scalar(counted) != before:
                break
        time.sleep(0.02)
    sessions.kw["bind"].dispose()


def settle(sessions: sessionmaker[Session], settings: Settings) -> float:
    """Send what is left with one worker; return the seconds that took."""
    began = time.monotonic()
    process = multiprocessing.get_context("spawn").Process(target=work, args=(settings,), daemon=True)
    process.start()
    while time.monotonic() - began < SETTLE_SECONDS:
        with sessions() as session:
            outbox = session.scalar(select(func.count()).select_from(Outbox))
            pending = session.scalar(select(func.count()).where(Delivery.state == DeliveryState.PENDING))
        if not outbox and not pending:
            break
        time.sleep(0.1)
    process.kill()
    process.join()
    return time.monotonic() - began


@click.command()
@click.option("--rounds", default=25, show_default=True)
@click.option("--seed", type=int, default=lambda: int.from_bytes(os.urandom(3)), help="Of all chance.")
def main(rounds: int, seed: int) -> None:
    """Run the rounds and write the page; the exit status is 1 if an event was lost or doubled."""
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose
    arrived = Arrived(random.Random(seed + 1))  # noqa: S311 - same
    load_task_modules()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), outgoing_allow="127.0.0.1/32")
        with Supervisor(settings, say=lambda _: None) as supervisor:
            supervisor.open_servers()
            migrate.upgrade(settings)
            sessions = create_sessions(settings, pool_size=1)
            server = receive(arrived)
            case_id = prepare(sessions, settings, server.server_port)
            killed = run_rounds(settings, case_id, rounds, chance)
            with sessions.begin() as session:
                session.execute(update(Destination).values(is_enabled=True))
            settled = settle(sessions, settings)
            with sessions() as session:
                query = select(Event.id).where(Event.case_id == case_id, Event.kind == KIND)
                committed = set(session.scalars(query))
                assert session.get(Case, case_id) is not None  # noqa: S101 - it was made here
            server.shutdown()
            sessions.kw["bind"].dispose()
    lost = len(committed - arrived.ids.keys()) + len(arrived.ids.keys() - committed)
    doubled = sum(len(ids) > 1 for ids in arrived.ids.values())
    repeated = sum(count - 1 for count in arrived.accepted.values())
    page = TEXT.format(
        seed=seed,
        rounds=rounds,
        failing=FAILING_SHARE,
        stalling=STALLING_SHARE,
        killed=killed,
        committed=len(committed),
        arrived=len(arrived.ids),
        lost=lost,
        doubled=doubled,
        refused=arrived.refused,
        repeated=repeated,
        settled=settled,
    )
    PAGE.write_text(page, encoding="utf-8")
    click.echo(page)
    raise SystemExit(bool(lost or doubled))


if __name__ == "__main__":
    main()
