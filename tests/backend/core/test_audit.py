"""The audit log is append-only and hash-chained; `casebook audit verify` names a changed entry."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from click.testing import CliRunner
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from backend.cli.audit import command
from backend.core import audit
from backend.core.audit import AuditAction
from backend.core.audit_entry import AuditEntry
from backend.core.errors import UnavailableError

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


def test_entries_follow_one_another_without_a_gap(session):
    before = audit.verify(session)
    first, second = keep(session, "one", "two")
    found = audit.verify(session)
    assert (first, second) == (before.entries + 1, before.entries + 2)
    assert (found.entries, found.broken) == (second, None)
    assert session.get_one(AuditEntry, first).previous == before.head
    assert audit.holds(session, found.head)


def test_a_rolled_back_action_is_not_audited(session):
    before = audit.verify(session)
    audit.record(session, AuditAction(action="test", subject="never"))
    session.rollback()
    session.commit()
    assert audit.verify(session) == before


@pytest.mark.parametrize(
    "change",
    ["update audit_entry set actor = 'eve'", "delete from audit_entry", "truncate audit_entry"],
)
def test_the_database_refuses_to_change_an_entry(session, change):
    keep(session, "one")
    with pytest.raises(ProgrammingError, match="never changed or removed"), session.begin_nested():
        session.execute(text(change))


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        ("update audit_entry set actor = 'eve' where number = :two", 1, "does not match its hash"),
        ("update audit_entry set at = at + interval '1 microsecond' where number = :two", 1, "hash"),
        ("update audit_entry set case_id = gen_random_uuid() where number = :two", 1, "hash"),
        ("update audit_entry set is_refused = not is_refused where number = :two", 1, "hash"),
        ("update audit_entry set previous = hash where number = :two", 1, "does not follow"),
        ("delete from audit_entry where number = :two", 1, "missing"),
        ("delete from audit_entry where number > :two", 2, "all later entries"),
        ("update audit_head set hash = repeat('1', 64) where :two > 0", 2, "head states another"),
    ],
)
def test_an_entry_that_was_tampered_with_is_named(session, change, place, reason):
    numbers = keep(session, "one", "two", "three")
    session.execute(text(UNGUARDED))
    session.execute(text(change), {"two": numbers[1]})
    found = audit.verify(session)
    assert found.broken == numbers[place]
    assert reason in found.reason


def test_a_recomputed_chain_does_not_contain_a_copied_head(session):
    keep(session, "one")
    noted = audit.verify(session).head
    session.execute(text(UNGUARDED))
    session.execute(text("delete from audit_entry"))
    session.execute(text("update audit_head set number = 0, hash = repeat('0', 64)"))
    keep(session, "forged")
    assert audit.verify(session).broken is None
    assert not audit.holds(session, noted)


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
    session.execute(text("alter table audit_entry rename to moved"))
    audit.record(session, AuditAction(action="test", subject="one"))
    with pytest.raises(UnavailableError, match="the audit log cannot be written"):
        session.commit()


def test_the_command_says_whether_the_log_is_whole(settings):
    place = ["--data-dir", str(settings.data_dir)]
    whole = CliRunner().invoke(command, ["verify", *place])
    assert whole.exit_code == 0
    assert "none changed; the last is " in whole.output
    head = whole.output.split()[-1]
    assert CliRunner().invoke(command, ["verify", "--head", head, *place]).exit_code == 0
    other = CliRunner().invoke(command, ["verify", "--head", "f" * 64, *place])
    assert (other.exit_code, "was rewritten" in other.output) == (1, True)
