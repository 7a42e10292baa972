"""An embedded instance of its own with a judged case, an upload in progress, and its database running."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import text

from backend.core import audit
from backend.core.audit import AuditAction
from backend.core.db.engine import create_engine
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.core.supervisor.supervisor import Supervisor
from backend.models import Case, SignatureDraft, Upload, UploadState
from backend.uploads.writer import path_of
from ingest.readers.bpf import bpftrace_text
from tests.backend.stored_evidence import index_profiles, judge_case, new_case, store_evidence
from tests.cluster import FORGETFUL, copy_cluster, own

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session, sessionmaker

STACKS = Path("tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt").read_bytes()
SENT, SENDING = b"complete, not evidence yet", b"half of"
LOST = "bytes beyond the last sync"


class Instance(NamedTuple):
    """An instance whose database runs, and how to use it."""

    settings: Settings
    sessions: sessionmaker[Session]
    store: Store

    def object_file(self, key: str) -> Path:
        """Return the file of an object."""
        return self.settings.data_dir / "store" / key


@contextmanager
def running(cluster: Path, folder: Path) -> Iterator[Instance]:
    """Run the database of a new instance in `folder`, filled, until the end of the block."""
    settings = Settings(data_dir=folder)
    copy_cluster(cluster, settings)
    with Supervisor(settings, say=lambda _: None, postgres_options=FORGETFUL) as supervisor:
        supervisor.open_database()
        own(settings)
        sessions = create_sessions(settings, pool_size=1)
        instance = Instance(settings, sessions, Store.open(settings))
        _fill(instance, folder)
        yield instance
        sessions.kw["bind"].dispose()


def _fill(instance: Instance, folder: Path) -> None:
    settings, store = instance.settings, instance.store
    owner = create_engine(settings, pool_size=1, as_owner=True)
    with owner.begin() as connection:
        # What others put into the database is no part of the instance.
        connection.execute(text("create table of_others (id integer primary key)"))
        connection.execute(text("create table without_key (id integer)"))
        connection.execute(text("create table readable (id integer primary key)"))
        connection.execute(text("grant select on readable, without_key to casebook_app"))
    owner.dispose()
    with instance.sessions.begin() as session:
        case = new_case(session, "memcg at its limit, \\ and\ttab\nlines, ünïcode")
        store_evidence(session, store, folder / "scratch", case, STACKS, bpftrace_text, name="stacks.txt")
        draft = SignatureDraft(case_id=case.id, signature_id="mm/x", author="x")
        draft.zip_sha256 = store.put_bytes(b"a drafted folder")
        session.add(draft)
        case_id = case.id
    with instance.sessions() as session:
        index_profiles(session, store, session.get_one(Case, case_id))
    with instance.sessions.begin() as session:
        judge_case(session, store, case_id)
        audit.record(session, AuditAction(action="command", subject="fill"))
        settings.uploads_dir.mkdir(exist_ok=True)
        for content, state in ((SENT, UploadState.SENT), (SENDING, UploadState.SENDING)):
            upload = Upload(case_id=case_id, actor="ada", filename="big", size_bytes=len(SENT), state=state)
            upload.offset_bytes = len(content)
            session.add(upload)
            session.flush()
            path_of(settings, upload.id).write_bytes(content + (b"" if content is SENT else LOST.encode()))
