"""The audit log is append-only and chained by keyed hashes; `casebook audit verify` names a changed entry."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from click.testing import CliRunner
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from backend.core import audit, audit_chain
from backend.core.audit import AuditAction
from backend.core.audit_chain import AuditKey
from backend.core.audit_entry import AuditEntry, AuditHead
from backend.core.errors import AuditUnavailableError
from backend.core.settings import Settings
from cli.commands.audit import command
from tests.transactions import as_owner

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

UNGUARDED = "alter table audit_entry disable trigger all"


def keep(session: Session, *subjects: str) -> list[int]:
    """Note deeds one by one; return their numbers."""
    for subject in subjects:
        audit.record(session, AuditAction(action="test", subject=subject, actor="ada"))
        session.commit()
    return list(
        session.scalars(
            text("select number from audit_entry where subject = any(:s) order by number"),
            {"s": list(subjects)},
        )
    )


def key_of(session: Session) -> bytes:
    return session.info[audit.KEY].get(may_create=True)


def verify(session: Session) -> audit_chain.Verification:
    return audit_chain.verify(session, key_of(session))


def take_over(session: Session) -> None:
    """Act as whoever has the owner's role: without triggers."""
    as_owner(session)
    session.execute(text(UNGUARDED))


def test_entries_follow_one_another_without_a_gap(session):
    before = verify(session)
    first, second = keep(session, "one", "two")
    found = verify(session)
    assert (first, second) == (before.entries + 1, before.entries + 2)
    assert (found.entries, found.broken, found.unkeyed) == (second, None, 0)
    assert session.get_one(AuditEntry, first).previous == before.head
    assert session.get_one(AuditEntry, second).hash == found.head


def test_a_rolled_back_action_is_not_audited(session):
    before = verify(session)
    audit.record(session, AuditAction(action="test", subject="never"))
    session.rollback()
    session.commit()
    assert verify(session) == before


CHANGES = ["update audit_entry set actor = 'eve'", "delete from audit_entry", "truncate audit_entry"]


@pytest.mark.parametrize("change", CHANGES)
def test_the_database_refuses_to_change_an_entry(session, change):
    keep(session, "one")
    as_owner(session)
    with pytest.raises(ProgrammingError, match="never changed or removed"), session.begin_nested():
        session.execute(text(change))


@pytest.mark.parametrize(
    "statement",
    [
        *CHANGES,
        UNGUARDED,
        "drop trigger audit_entry_is_kept on audit_entry",
        "drop table audit_entry",
        "alter table audit_entry rename to moved",
        "create or replace function audit_entry_is_kept() returns trigger language plpgsql as 'begin end'",
        "delete from audit_head",
        "set role casebook",
        "set session_replication_role = replica",
        "update alembic_version set version_num = '0001'",
        "copy audit_entry to program 'cat'",
    ],
)
def test_the_role_of_the_application_cannot_even_try(settings, statement):
    import psycopg

    conninfo = settings.effective_database_url.replace("+psycopg", "")
    with psycopg.connect(conninfo) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement)


def test_the_application_owns_nothing(session):
    owned = "select count(*) from pg_class where pg_get_userbyid(relowner) = 'casebook_app'"
    assert session.scalar(text(owned)) == 0


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        ("update audit_entry set actor = 'eve' where number = :two", 1, "does not match its hash"),
        ("update audit_entry set at = at + interval '1 microsecond' where number = :two", 1, "hash"),
        ("update audit_entry set case_id = gen_random_uuid() where number = :two", 1, "hash"),
        ("update audit_entry set is_refused = not is_refused where number = :two", 1, "hash"),
        ("update audit_entry set previous = hash where number = :two", 1, "does not follow"),
        ("update audit_entry set is_keyed = false where number = :two", 1, "it is not signed"),
        ("delete from audit_entry where number = :two", 1, "missing"),
        ("delete from audit_entry where number > :two", 2, "all later entries"),
        ("update audit_head set hash = repeat('1', 64) where :two > 0", 2, "head states another"),
        ("update audit_head set number = 1 where :two > 0", 2, "head states another"),
    ],
)
def test_an_entry_that_was_tampered_with_is_named(session, change, place, reason):
    numbers = keep(session, "one", "two", "three")
    take_over(session)
    session.execute(text(change), {"two": numbers[1]})
    found = verify(session)
    assert found.broken == numbers[place]
    assert reason in found.reason


def forge(session: Session, key: bytes, *, is_keyed: bool) -> None:
    """Write the last entry anew, with `eve` as its actor, a hash made with `key`, and the head to match."""
    entry = session.get_one(AuditEntry, session.get_one(AuditHead, 1).number)
    row = audit_chain.columns_of(entry) | {"actor": "eve", "is_keyed": is_keyed}
    row["hash"] = audit_chain.hash_of(row, key)
    take_over(session)
    changed = (
        "update audit_entry set actor = 'eve', is_keyed = :is_keyed, hash = :hash where number = :number"
    )
    session.execute(text(changed), row)
    session.execute(text("update audit_head set hash = :hash"), row)


@pytest.mark.parametrize(("is_keyed", "reason"), [(True, "does not match"), (False, "it is not signed")])
def test_whoever_can_write_but_has_no_key_forges_no_entry(session, is_keyed, reason):
    numbers = keep(session, "one", "two")
    forge(session, bytes(32), is_keyed=is_keyed)
    found = verify(session)
    assert (found.broken, reason in found.reason) == (numbers[1], True)


def test_entries_from_before_hashes_were_keyed_stay_valid(session):
    as_owner(session)
    session.execute(text(UNGUARDED))
    session.execute(text("delete from audit_entry"))
    row = {
        "number": 1,
        "at": datetime.now(UTC),
        "actor_id": None,
        "actor": "ada",
        "via": "session",
        "token_id": None,
        "action": "test",
        "case_id": None,
        "subject": "old",
        "is_refused": False,
        "address": "",
        "previous": audit_chain.FIRST,
    }
    session.add(AuditEntry(**row, is_keyed=False, hash=audit_chain.hash_of(row, b"")))
    session.flush()
    session.execute(
        text("update audit_head set number = 1, key_id = '', hash = (select hash from audit_entry)")
    )
    session.commit()
    keep(session, "new")
    found = verify(session)
    assert (found.entries, found.unkeyed, found.broken) == (2, 1, None)


def test_another_key_signs_nothing(session, sessions, tmp_path):
    keep(session, "one")
    with sessions() as other:
        other.info[audit.KEY] = AuditKey(Settings(data_dir=tmp_path, seal_key="00" * 32))
        audit.record(other, AuditAction(action="test", subject="two"))
        with pytest.raises(AuditUnavailableError, match="signed with another key"):
            other.commit()


def test_a_missing_key_is_not_replaced_by_a_new_one(session, sessions, tmp_path):
    keep(session, "one")
    with sessions() as other:
        other.info[audit.KEY] = AuditKey(Settings(data_dir=tmp_path))
        audit.record(other, AuditAction(action="test", subject="two"))
        with pytest.raises(AuditUnavailableError, match="there is no key"):
            other.commit()
    assert list(tmp_path.iterdir()) == []


def test_a_view_is_audited_once_per_interval(session):
    token = uuid4()
    deed = AuditAction(action="case.read", subject="GET /x", token_id=token)
    for _ in range(3):
        audit.record_once(session, deed, every=timedelta(hours=1))
        session.commit()
    assert session.query(AuditEntry).filter_by(token_id=token).count() == 1
    audit.record_once(session, deed, every=timedelta(0))
    session.commit()
    assert session.query(AuditEntry).filter_by(token_id=token).count() == 2


def test_an_action_that_cannot_be_audited_is_not_done(session):
    as_owner(session)
    session.execute(text("alter table audit_entry rename to moved"))
    audit.record(session, AuditAction(action="test", subject="one"))
    with pytest.raises(AuditUnavailableError, match="the audit log cannot be written"):
        session.commit()


def test_the_command_says_whether_the_log_is_whole(settings):
    from cli.commands.sign_in import command as sign_in

    place = ["--data-dir", str(settings.data_dir)]
    assert CliRunner().invoke(sign_in, place).exit_code == 0
    whole = CliRunner().invoke(command, ["verify", *place])
    assert whole.exit_code == 0, whole.output
    assert "none changed; " in whole.output
    assert "owns the audit log" not in whole.output
    head = whole.output.split()[-1]
    assert CliRunner().invoke(command, ["verify", "--head", head, *place]).exit_code == 0
    other = CliRunner().invoke(command, ["verify", "--head", "f" * 64, *place])
    assert (other.exit_code, "was rewritten" in other.output) == (4, True)
