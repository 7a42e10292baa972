"""Checks of database, broker, store, jobs and keys; each says so when its server is away."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from valkey import Valkey
from valkey.exceptions import ValkeyError

from backend.core import audit_chain, capacity, encryption
from backend.core.audit_entry import AuditEntry, AuditHead
from backend.core.db import migrate
from backend.core.db.engine import create_engine
from backend.core.encryption import DecryptionError
from backend.core.errors import CasebookError, DatabaseTooNewError, WorkerFencedError
from backend.core.http.rate_limits import client_url
from backend.core.jobs import fence
from backend.core.storage.object_store import Store
from backend.core.supervisor.postgres import MAJOR
from backend.models import Job, JobState
from backend.operations import sandbox_reports

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from backend.core.settings import Settings
    from backend.operations.doctor.checks import Checkup

TIMEOUT_SECONDS = 5.0
CLOCK_TOLERANCE = timedelta(seconds=2)
STUCK_AFTER = timedelta(minutes=10)
FAILED_WITHIN = timedelta(days=7)


def _start(settings: Settings, server: str) -> str:
    return f"start the instance with `casebook serve`; log: {settings.log_dir / server}.log"


def check_database(checkup: Checkup) -> None:
    """Check the server, and what is in the database."""
    settings = checkup.settings
    engine = create_engine(settings, pool_size=1)
    try:
        with engine.connect() as connection:
            _check_server(checkup, connection)
            if _check_migrations(checkup, connection):
                _check_identity(checkup, connection)
                with Session(connection) as session:
                    _check_times(checkup, session)
                    _check_jobs(checkup, session)
                    _check_key(checkup, session)
    except DBAPIError as error:
        reason = str(error.orig).strip().partition("\n")[0]
        remedy = (
            _start(settings, "postgres")
            if settings.embeds_database
            else "check CASEBOOK_DATABASE_URL, and that the server runs"
        )
        checkup.add("database", "problem", f"the database is unreachable: {reason}", remedy)
        for name in ("migrations", "jobs", "key"):
            checkup.add(name, "unknown", "not checked: the database is unreachable")
    finally:
        engine.dispose()


def _check_server(checkup: Checkup, connection: Connection) -> None:
    version = str(connection.scalar(text("show server_version")))
    allowed = int(connection.scalar(text("select current_setting('max_connections')")) or 0)
    needed = capacity.max_connections(checkup.settings)
    found = f"PostgreSQL {version}, {allowed} connections"
    if version.partition(".")[0] != MAJOR:
        checkup.add(
            "database", "problem", f"{found}; Casebook needs PostgreSQL {MAJOR}", f"use PostgreSQL {MAJOR}"
        )
    elif allowed < needed:
        checkup.add(
            "database",
            "warning",
            f"{found}; API processes and workers may need {needed}",
            f"raise max_connections to {needed}, or requests fail with 503 under load",
        )
    else:
        checkup.add("database", "ok", found)


def _check_migrations(checkup: Checkup, connection: Connection) -> bool:
    """Check the migration, and return whether this version can read the tables."""
    try:
        migrate.require_known(connection)
    except DatabaseTooNewError as error:
        checkup.add("migrations", "problem", str(error))
        return False
    revision = migrate.revision_of(connection)
    if not revision or migrate.is_behind(revision):
        found = f"the database is at migration {revision or 'none'}, this version at {migrate.head()}"
        checkup.add("migrations", "problem", found, "run `casebook migrate`")
        return False
    checkup.add("migrations", "ok", f"the database is at migration {revision}, that of this version")
    return True


def _check_identity(checkup: Checkup, connection: Connection) -> None:
    """Check that workers with this data directory may claim jobs of the database."""
    try:
        fence.Claimant.of(checkup.settings).require(connection)
    except WorkerFencedError as error:
        checkup.add(
            "instance",
            "problem",
            str(error),
            "set CASEBOOK_DATA_DIR to the data directory of the service, or stop the service, and "
            "`casebook serve` or `casebook migrate` makes this one the data directory of the database",
        )


def _check_times(checkup: Checkup, session: Session) -> None:
    """Compare the clock of the database with ours, and with the last entry of the audit log."""
    there = session.scalar(select(func.clock_timestamp()))
    now = datetime.now(UTC)
    last = session.scalar(select(AuditEntry.at).order_by(AuditEntry.number.desc()).limit(1))
    remedy = "synchronise the clocks of both with an NTP client"
    if there is not None and abs(there - now) > CLOCK_TOLERANCE:
        off = (there - now).total_seconds()
        checkup.add("time", "problem", f"the clock of the database is {off:+.1f} s off ours", remedy)
    elif last is not None and last > now + CLOCK_TOLERANCE:
        found = f"the last entry of the audit log is of {last:%Y-%m-%d %H:%M:%S} UTC, which is yet to come"
        checkup.add("time", "problem", found, "correct the clock of this machine, which went back")
    else:
        checkup.add("time", "ok", "database and this machine have the same time")


def _check_jobs(checkup: Checkup, session: Session) -> None:
    """Check for jobs that wait too long, lost their worker, or failed."""
    now = func.now()
    waiting = session.scalar(
        select(func.count())
        .select_from(Job)
        .where(Job.state == JobState.QUEUED, Job.run_after < now - STUCK_AFTER)
    )
    expired = session.scalar(
        select(func.count())
        .select_from(Job)
        .where(Job.state == JobState.RUNNING, Job.lease_until < now - STUCK_AFTER)
    )
    failed = session.execute(
        select(Job.kind, func.count())
        .where(Job.state == JobState.FAILED, Job.finished_at > now - FAILED_WITHIN)
        .group_by(Job.kind)
        .order_by(Job.kind)
    ).all()
    hosts = sandbox_reports.hosts(session)
    minutes = int(STUCK_AFTER.total_seconds() // 60)
    if waiting and not hosts:
        found = f"{waiting:,} jobs wait for more than {minutes} minutes, and no worker has reported"
        checkup.add("jobs", "problem", found, "start workers: `casebook serve`, or `casebook worker`")
    elif waiting or expired:
        found = (
            f"{waiting or 0:,} jobs wait for more than {minutes} minutes, {expired or 0:,} lost their worker"
        )
        checkup.add(
            "jobs", "problem", found, "see the logs of workers and reaper; `casebook status` shows the queues"
        )
    elif failed:
        kinds = ", ".join(f"{count:,} of {kind}" for kind, count in failed)
        checkup.add(
            "jobs",
            "warning",
            f"jobs failed within {FAILED_WITHIN.days} days: {kinds}",
            "`GET /api/v1/cases/{case}/jobs` states the error; evidence has a button to read it again",
        )
    else:
        checkup.add("jobs", "ok", "no job is stuck")


def _check_key(checkup: Checkup, session: Session) -> None:
    """Check that the key of the instance is that of its audit log."""
    settings = checkup.settings
    path = settings.data_dir / encryption.KEY_FILE
    key_id = session.scalar(select(AuditHead.key_id).where(AuditHead.id == audit_chain.HEAD_ID)) or ""
    restore = (
        f"restore the key to {path} or CASEBOOK_SEAL_KEY; until then requests for case data are answered 503"
    )
    try:
        own = audit_chain.id_of(audit_chain.AuditKey(settings).get(may_create=False))
    except DecryptionError as error:
        if key_id:
            checkup.add("key", "problem", str(error), restore)
        else:
            checkup.add("key", "ok", "there is no key yet: it is made at first use")
        return
    if key_id and own != key_id:
        checkup.add(
            "key", "problem", f"the audit log is signed with the key {key_id}, not with {own}", restore
        )
    elif not settings.seal_key.get_secret_value() and path.stat().st_mode & 0o077:
        checkup.add("key", "warning", f"other users may read {path}", f"run `chmod 600 {path}`")
    else:
        checkup.add("key", "ok", f"the key {own} signs the audit log; keep a copy apart from backups")


def check_broker(checkup: Checkup) -> None:
    """Check that the broker responds, and persists what it gets."""
    settings = checkup.settings
    client = Valkey.from_url(
        client_url(settings.effective_broker_url),
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
    )
    try:
        client.ping()
        persistence: dict[str, Any] = client.info("persistence")  # type: ignore[assignment] # not a pipeline
        server: dict[str, Any] = client.info("server")  # type: ignore[assignment] # same
    except (ValkeyError, OSError) as error:
        remedy = (
            _start(settings, "valkey")
            if settings.embeds_broker
            else "check CASEBOOK_BROKER_URL, and that the server runs"
        )
        checkup.add("broker", "problem", f"the broker is unreachable: {error}", remedy)
        return
    finally:
        client.close()  # type: ignore[no-untyped-call]
    version = server.get("valkey_version") or server.get("redis_version", "")
    if persistence.get("aof_last_write_status", "ok") != "ok":
        checkup.add(
            "broker",
            "problem",
            f"Valkey {version} cannot write its log",
            "make room on the disk of the broker",
        )
    else:
        checkup.add("broker", "ok", f"Valkey {version} responds")


def check_store(checkup: Checkup) -> None:
    """Check that the store can be written, read and deleted from."""
    settings = checkup.settings
    remedy = "check that it is writable for the user who runs casebook, and has room"
    if settings.store_url:
        remedy = "check CASEBOOK_STORE_URL and the `AWS_…` variables"
    elif not settings.data_dir.is_dir():
        checkup.add("store", "unknown", "not checked: there is no data directory")
        return
    key, content = f"doctor/{uuid.uuid4().hex}", b"written by `casebook doctor`\n"
    try:
        store = Store.open(settings)
        store.put_record(key, content)
        is_same = b"".join(store.object_chunks(key)) == content
        store.delete_object(key)
    except (CasebookError, OSError) as error:
        checkup.add("store", "problem", f"the object store cannot be written: {error}", remedy)
        return
    if is_same:
        checkup.add(
            "store", "ok", "the object store can be written and read; `casebook scrub` checks what it has"
        )
    else:
        checkup.add("store", "problem", "the object store returns other bytes than were written", remedy)


CHECKS: tuple[tuple[str, Callable[[Checkup], None]], ...] = (
    ("database", check_database),
    ("broker", check_broker),
    ("store", check_store),
)
