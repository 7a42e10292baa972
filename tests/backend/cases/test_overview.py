"""A case is not `judged` while any of its files is on the way, whichever moment is looked at."""

from __future__ import annotations

import pytest
from sqlalchemy import event, update

from backend.cases import overview
from backend.models import Account, Blob, Case, Evidence, EvidenceState, Role, Upload
from backend.models.upload import UploadState
from signatures.overview.screen_document import failed_headline_document
from tests.backend.search.test_visibility import principal_of


@pytest.fixture
def case_id(own_sessions):
    """A case with one complete upload that is not evidence yet."""
    with own_sessions.begin() as session:
        case = Case(title="arriving")
        session.add(case)
        session.flush()
        session.add(
            Upload(
                case_id=case.id, actor="a", filename="f", size_bytes=1, offset_bytes=1, state=UploadState.SENT
            )
        )
        return case.id


def keep(session, case_id):
    session.execute(update(Upload).where(Upload.case_id == case_id).values(state=UploadState.KEPT))
    session.merge(Blob(sha256="0" * 64, size_bytes=1))
    session.flush()
    session.add(
        Evidence(case_id=case_id, filename="f", sha256="0" * 64, size_bytes=1, state=EvidenceState.RECEIVED)
    )


def read(session, case_id):
    session.execute(update(Evidence).where(Evidence.case_id == case_id).values(state=EvidenceState.READ))
    session.execute(update(Case).where(Case.id == case_id).values(evidence_rev=Case.evidence_rev + 1))


@pytest.mark.parametrize("after", range(2))
def test_a_file_between_two_stages_keeps_the_case_pending(own_sessions, case_id, after):
    steps = [keep, read]
    seen = 0

    def step(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen > after and steps:
            with own_sessions.begin() as other:
                steps.pop(0)(other, case_id)

    with own_sessions() as session:
        connection = session.connection()
        event.listen(connection, "after_cursor_execute", step)
        assert overview.describe_one(session, case_id).judged is False
        event.remove(connection, "after_cursor_execute", step)


@pytest.mark.parametrize("after", range(2))
def test_a_case_that_is_called_judged_has_its_headline(own_sessions, case_id, after):
    """The judgement may be committed right after a description was read."""
    with own_sessions.begin() as session:
        keep(session, case_id)
        read(session, case_id)
    headline = failed_headline_document("The evidence was judged")
    seen = 0

    def step(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == after + 1:
            with own_sessions.begin() as other:
                values = {"judged_rev": Case.evidence_rev, "headline": headline}
                other.execute(update(Case).where(Case.id == case_id).values(**values))

    with own_sessions() as session:
        connection = session.connection()
        event.listen(connection, "after_cursor_execute", step)
        described = overview.describe_one(session, case_id)
        event.remove(connection, "after_cursor_execute", step)
    assert described.judged == (described.headline is not None)


@pytest.mark.parametrize("count", [1, 30])
def test_a_list_is_described_by_two_statements_however_long_it_is(session, count):
    reader = Account(name="a reader of lists", role=Role.RESPONDER)
    cases = [Case(title=f"case {number}") for number in range(count)]
    session.add_all([reader, *cases])
    session.flush()
    sent: list[str] = []
    connection = session.connection()

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(connection, "before_cursor_execute", note)
    listed = overview.describe_listed(session, principal_of(reader), [case.id for case in reversed(cases)])
    event.remove(connection, "before_cursor_execute", note)
    assert [one.title for one in listed] == [case.title for case in reversed(cases)]
    assert len(sent) == 2
