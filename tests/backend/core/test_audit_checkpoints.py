"""Checkpoints outside the database show what the chain alone does not: a cut tail, a restored copy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psycopg
import pytest
from click.testing import CliRunner
from psycopg import sql

from backend.core import audit, audit_checkpoints
from backend.core.audit import AuditAction
from backend.core.audit_chain import AuditKey
from backend.core.audit_checkpoint_writer import AuditCheckpoints
from backend.core.audit_checkpoints import CheckpointError
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from cli.commands.audit import command
from tests.cluster import create_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy.orm import Session, sessionmaker

NAME = "checked"
LAST = "select number from audit_entry order by number desc"


class Instance:
    """An instance with a database that can be copied and restored."""

    def __init__(self, settings: Settings, server: str) -> None:
        self.settings = settings
        self.store = Store.open(settings)
        self.sessions: sessionmaker[Session] = create_sessions(settings, pool_size=1)
        self.checkpoints = AuditCheckpoints(self.sessions, self.store, settings)
        self._server = server

    def act(self, *subjects: str) -> None:
        for subject in subjects:
            with self.sessions.begin() as session:
                audit.record(session, AuditAction(action="test", subject=subject, actor="ada"))

    def as_owner(self, *statements: str) -> None:
        owner = self.settings.effective_owner_url.replace("+psycopg", "")
        with psycopg.connect(owner) as connection:
            for statement in statements:
                connection.execute(statement)

    def cut_tail(self, count: int) -> None:
        """Remove the last entries and set the head back, as whoever owns the tables can."""
        self.as_owner(
            "alter table audit_entry disable trigger all",
            f"delete from audit_entry where number in ({LAST} limit {count})",  # noqa: S608 - a number
            "update audit_head set (number, hash) ="
            " (select number, hash from audit_entry order by number desc limit 1)",
            "alter table audit_entry enable trigger all",
        )

    def copy(self, source: str, target: str) -> None:
        """Make the database `target` a copy of `source`, as a restored dump is."""
        self.sessions.kw["bind"].dispose()
        with psycopg.connect(self._server, autocommit=True) as connection:
            for statement in (
                "drop database if exists {target}",
                "create database {target} template {source}",
            ):
                names = {"target": sql.Identifier(target), "source": sql.Identifier(source)}
                connection.execute(sql.SQL(statement).format(**names))

    def verify(self) -> tuple[int, str]:
        done = CliRunner().invoke(command, ["verify"])
        return done.exit_code, done.output

    def restart(self) -> None:
        self.checkpoints = AuditCheckpoints(self.sessions, self.store, self.settings)


@pytest.fixture
def instance(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Instance]:
    server = f"host={settings.run_dir} user=casebook dbname=postgres"
    given = {
        "data_dir": tmp_path / "data",
        "database_url": create_database(settings, NAME),
        "database_owner_url": settings.effective_owner_url.replace("/casebook?", f"/{NAME}?"),
        "broker_url": settings.effective_broker_url,
    }
    for name, value in given.items():
        monkeypatch.setenv(f"CASEBOOK_{name.upper()}", str(value))
    own = Settings(**given)
    made = Instance(own, server)
    yield made
    made.sessions.kw["bind"].dispose()
    with psycopg.connect(server, autocommit=True) as connection:
        for name in (NAME, f"{NAME}_old"):
            connection.execute(f"drop database if exists {name} with (force)")


def test_a_checkpoint_is_written_when_entries_were_added(instance):
    instance.checkpoints.write()
    assert instance.store.records("audit") == []
    instance.act("one", "two")
    for _ in range(2):
        instance.checkpoints.write()
    instance.act("three")
    instance.checkpoints.write()
    [(name, content)] = instance.store.records("audit")
    assert (name.count("/"), json.loads(content)["number"]) == (1, 3)
    status, said = instance.verify()
    assert (status, " at entry 3; the last is " in said) == (0, True)


def test_a_cut_tail_with_its_head_reset_is_named(instance, caplog):
    instance.act(*(f"deed {number}" for number in range(30)))
    instance.checkpoints.write()
    instance.cut_tail(20)
    status, said = instance.verify()
    assert (status, "entries 11 to 30 are missing, which were there at " in said) == (4, True)
    instance.checkpoints.write()
    instance.checkpoints.write()
    assert [
        record.message.count("entries 11 to 30") for record in caplog.records if record.levelname == "ERROR"
    ] == [1]


def test_a_head_that_was_set_back_first_replaces_no_checkpoint(instance, caplog):
    instance.act("one", "two", "three", "four")
    instance.checkpoints.write()
    instance.as_owner(
        "update audit_head set (number, hash) = (select number, hash from audit_entry where number = 2)"
    )
    instance.checkpoints.write()
    assert "went back from entry 4 to entry 2" in caplog.text
    instance.cut_tail(2)
    status, said = instance.verify()
    assert (status, "entries 3 to 4 are missing" in said) == (4, True)


def test_a_tail_that_was_cut_and_grew_again_is_named(instance):
    instance.act("one", "two", "three")
    instance.checkpoints.write()
    instance.cut_tail(2)
    instance.act("four", "five", "six")
    status, said = instance.verify()
    assert (status, "entry 3 is another than at " in said) == (4, True)
    instance.restart()
    instance.checkpoints.write()
    assert json.loads(instance.store.records("audit")[0][1])["number"] == 3


def test_an_older_dump_is_named_until_an_operator_accepts_it(instance):
    instance.act("one", "two")
    instance.copy(NAME, f"{NAME}_old")
    instance.act("three", "four")
    instance.checkpoints.write()
    instance.copy(f"{NAME}_old", NAME)
    status, said = instance.verify()
    assert (status, "entries 3 to 4 are missing" in said, "an older copy" in said) == (4, True, True)
    accepted = CliRunner().invoke(command, ["accept", "--reason", "restored the backup of Sunday"])
    assert accepted.output == "accepted the loss of entries 1 to 4\n", accepted.output
    instance.act("five")
    instance.checkpoints.write()
    status, said = instance.verify()
    assert (status, "was accepted: restored the backup of Sunday" in said) == (0, True), said
    again = CliRunner().invoke(command, ["accept", "--reason", "x"])
    assert (again.exit_code, "there is no loss to accept" in again.output) == (1, True)


def test_an_altered_checkpoint_is_named(instance):
    instance.act("one", "two")
    instance.checkpoints.write()
    [(name, content)] = instance.store.records("audit")
    instance.store.put_record(name, content.replace(b'"number": 2', b'"number": 1'))
    status, said = instance.verify()
    assert (status, f"the checkpoint {name} was altered" in said) == (4, True)


def test_an_entry_that_nobody_signed_gets_no_checkpoint(instance):
    instance.act("one")
    instance.checkpoints.write()
    instance.act("two")
    instance.as_owner(
        "alter table audit_entry disable trigger all", "update audit_entry set actor = 'eve' where number = 2"
    )
    key = AuditKey(instance.settings).get(may_create=False)
    latest = audit_checkpoints.read_all(instance.store, key)[-1]
    with (
        instance.sessions() as session,
        pytest.raises(CheckpointError, match="entry 2, the last of the audit log, is missing or invalid"),
    ):
        audit_checkpoints.write(session, instance.store, key, latest)


def test_without_the_key_nothing_is_verified(instance):
    instance.act("one")
    (instance.settings.data_dir / "seal.key").unlink()
    status, said = instance.verify()
    assert (status, "there is no key" in said) == (1, True)


def test_one_role_for_everything_is_remarked(instance, monkeypatch):
    instance.act("one")
    monkeypatch.setenv("CASEBOOK_DATABASE_URL", instance.settings.database_owner_url)
    status, said = instance.verify()
    assert (status, "the role of the service owns the audit log" in said) == (0, True)
