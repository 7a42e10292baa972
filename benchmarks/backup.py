"""Back up an instance with many cases while it takes pastes, restore it, compare both, write BACKUP.md.

python -m benchmarks.backup 1000
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
from sqlalchemy import func, insert, select, text

from backend.client import Client
from backend.core.db import migrate
from backend.core.db.engine import create_engine
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.core.supervisor.supervisor import Supervisor
from backend.models import Blob, Case, Evidence, EvidenceState
from benchmarks.many_cases.measure import sessions_of
from benchmarks.many_cases.multiply import multiply
from benchmarks.many_cases.seeds import plant
from cli.service.instance import SIGN_IN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

RESULTS = Path(__file__).parent / "BACKUP.md"
CASEBOOK = (sys.executable, "-m", "cli")
FILE_BYTES = 100_000
PAUSE_SECONDS = 0.5
CLIENTS = 2
QUERIES = {
    "cases": 'select count(*) from "case"',
    "evidence": "select count(*) from evidence",
    "facts": "select count(*) from fact",
    "findings": "select count(*) from finding",
    "verdicts of these, SHA-256": (
        "select encode(sha256(convert_to(string_agg(concat_ws('|', number, host, phase, signature, verdict,"
        " confidence), E'\\n' order by number, host, phase, signature), 'UTF8')), 'hex')"
        ' from finding join "case" on "case".id = case_id where number <= :last'
    ),
    "audit log, last entry": (
        "select number || ' ' || hash from audit_entry where subject not like 'restore %'"
        " order by number desc limit 1"
    ),
}


@dataclass
class Load:
    """Clients that paste until stopped.

    Attributes:
        pasted: SHA-256 and time of every paste that was acknowledged.
        seconds: Time of each request, with its start.
        failures: Sentences about those that failed.
    """

    url: str
    token: str
    pasted: list[tuple[str, float]] = field(default_factory=list)
    seconds: list[tuple[float, float]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def run(self, name: int) -> None:
        """Paste as one client."""
        with Client(self.url, token=self.token) as casebook:
            number = 0
            while not self.stopped.wait(PAUSE_SECONDS):
                number += 1
                content = f"client_{name};paste_{number};copy_to_user 42\n"
                began = time.monotonic()
                try:
                    casebook.paste(content)
                except Exception as error:  # noqa: BLE001 - counted
                    self.failures.append(str(error))
                    continue
                self.seconds.append((began, time.monotonic() - began))
                self.pasted.append((hashlib.sha256(content.encode()).hexdigest(), time.monotonic()))


def fill(settings: Settings, count: int) -> int:
    """Make an instance with `count` cases, each with a file of its own; return the number of the last."""
    with Supervisor(settings, say=lambda _: None) as supervisor:
        supervisor.open_database()
        migrate.upgrade(settings)
        owned = settings.model_copy(update={"database_url": settings.effective_owner_url})
        sessions = sessions_of(owned)
        store = Store.open(settings)
        plant(settings, sessions, store)
        multiply(sessions.kw["bind"], count)
        with sessions.kw["bind"].begin() as connection:
            # They are in no chain, which would be reported.
            connection.execute(text("alter table audit_entry disable trigger user"))
            connection.execute(text("delete from audit_entry where actor = 'bench'"))
            connection.execute(text("alter table audit_entry enable trigger user"))
        with sessions.begin() as session:
            _add_files(session, store)
            last = session.scalar(select(func.max(Case.number))) or 0
        sessions.kw["bind"].dispose()
    return last


def _add_files(session: Session, store: Store) -> None:
    for number, case_id in enumerate(session.scalars(select(Case.id)).all()):
        line = f"main;case_{number};copy_to_user 42\n".encode()
        content = line * (FILE_BYTES // len(line))
        sha256 = store.put_bytes(content)
        session.execute(insert(Blob).values(sha256=sha256, size_bytes=len(content)))
        row = {"filename": "own.folded", "sha256": sha256, "size_bytes": len(content), "line_count": 1}
        session.add(Evidence(case_id=case_id, state=EvidenceState.READ, **row))


def casebook(*words: str) -> tuple[str, float, float]:
    """Run a command; return its output, its seconds, and the CPU seconds of its own process."""
    began, before = time.monotonic(), os.times()
    done = subprocess.run([*CASEBOOK, *words], capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode:
        raise click.ClickException(f"{' '.join(words)}: {done.stdout}{done.stderr}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return done.stdout, time.monotonic() - began, used


def figures(settings: Settings, last: int) -> dict[str, Any]:
    """Return the answers of `QUERIES` for a stopped instance whose first `last` cases were there before."""
    with Supervisor(settings, say=lambda _: None) as supervisor:
        supervisor.open_database()
        engine = create_engine(settings, pool_size=1, as_owner=True)
        with engine.connect() as connection:
            found = {
                name: connection.scalar(text(query), {"last": last} if ":last" in query else {})
                for name, query in QUERIES.items()
            }
        engine.dispose()
    return found


def _served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yield the service on `folder` and its URL, once it is ready."""
    process = subprocess.Popen(
        [*CASEBOOK, "serve", "--with-parent", "--port", "0", "--data-dir", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "CASEBOOK_SENDS_PER_MINUTE": "0", "CASEBOOK_REQUESTS_PER_MINUTE": "0"},
    )
    output = ""
    for line in process.stdout or ():
        output += line
        if found := SIGN_IN.search(line):
            yield process, found[1]
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=120)
            return
    raise click.ClickException(output)


def measure(count: int, place: Path) -> dict[str, Any]:
    """Return what the backup of `count` cases takes, and how the restored instance compares."""
    source, target, directory = place / "source", place / "target", place / "backup"
    began = time.monotonic()
    last = fill(Settings(data_dir=source), count)
    found: dict[str, Any] = {"filled": time.monotonic() - began}
    for _, url in _served(source):
        scopes = [word for scope in ("read", "write", "evidence") for word in ("--scope", scope)]
        token, *_ = casebook(
            "token", "create", "--name", "load", "--days", "1", *scopes, "--data-dir", str(source)
        )
        load = Load(url, token.strip())
        clients = [threading.Thread(target=load.run, args=(name,)) for name in range(CLIENTS)]
        for client in clients:
            client.start()
        time.sleep(10)
        before = time.monotonic()
        _, *found["backup"] = casebook("backup", str(directory), "--with-key", "--data-dir", str(source))
        after = time.monotonic()
        output, *found["second"] = casebook(
            "backup", str(directory), "--with-key", "--json", "--data-dir", str(source)
        )
        load.stopped.set()
        for client in clients:
            client.join()
    manifest = json.loads((directory / "manifest.json").read_text())
    found["manifest"] = json.loads(output)
    found["bytes"] = sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
    _, *found["checked"] = casebook("scrub", "--backup", str(directory))
    output, *found["restore"] = casebook("restore", str(directory), "--json", "--data-dir", str(target))
    found["restored"] = json.loads(output)["restored"]
    _, *found["scrub"] = casebook("scrub", "--data-dir", str(target))
    found["target"] = figures(Settings(data_dir=target), last)
    found["source"] = _as_of(manifest, figures(Settings(data_dir=source), last))
    objects = {path.name for path in (target / "store" / "blobs").rglob("*") if path.is_file()}
    early = [sha256 for sha256, at in load.pasted if at < after]
    found["load"] = {
        "pastes": len(load.pasted),
        "failed": len(load.failures),
        "before": len(early),
        "early_lost": sum(sha256 not in objects for sha256 in early),
        "quiet": statistics.median(took for at, took in load.seconds if at < before),
        "busy": statistics.median(took for at, took in load.seconds if before <= at < after),
    }
    return found


def _as_of(manifest: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of the source, of which some grew after the snapshot, as the snapshot had them."""
    rows = {table["name"]: table["rows"] for table in manifest["tables"]}
    audit = manifest["audit"]
    return later | {
        "cases": rows["case"],
        "evidence": rows["evidence"],
        "facts": rows["fact"],
        "findings": rows["finding"],
        "audit log, last entry": f"{audit['entries']} {audit['head']}",
    }


@click.command()
@click.argument("count", type=int, default=1000)
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), help="Directory that stays.")
def main(count: int, keep: Path | None) -> None:
    """Measure, and write the page."""
    from benchmarks.backup_page import page  # noqa: PLC0415 - only for the end

    load = os.getloadavg()[0]
    with TemporaryDirectory(prefix="casebook-") as directory:
        found = measure(count, (keep or Path(directory)).resolve())
    RESULTS.write_text(page(found, load), encoding="utf-8")
    click.echo(RESULTS.read_text())


if __name__ == "__main__":
    main()
