"""The inverted index matches a recount after every change and deletion."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete, select, text

from backend.access.principals import Principal
from backend.access.reach import reach_of
from backend.cases.queries import hold
from backend.evidence import case_index, service
from backend.models import (
    Account,
    Case,
    CaseFrame,
    FrameCount,
    FrameCountChange,
    Role,
    Team,
    TeamMember,
    Visibility,
)
from backend.models.case_index import ALL_AUDIENCES, EVERY_CASE, EVERYBODY, RESTRICTED
from backend.models.frame import frame_id
from backend.profiles import indexing, queries_frames
from backend.profiles.queries_postings import counts_of
from ingest.export.heaviest import heaviest
from ingest.model import reading_folder
from ingest.readers.profilers import folded
from tests.backend.stored_evidence import new_case, store_evidence

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

STACKS = b"main;shrink_lruvec 70\nmain;add 30\n"
SHRINK = frame_id("shrink_lruvec")

COUNTED = text("""
    select frame_id, audience, count(*) from case_frame where audience is not null group by 1, 2
    union all
    select 0, audience, count(*) from "case" where audience is not null group by 2
    union all
    select frame_id, :all, count(*) from case_frame where audience is not null group by 1
    union all
    select 0, :all, count(*) from "case" where audience is not null having count(*) > 0
""").bindparams(all=ALL_AUDIENCES)
KEPT = text("""
    select frame_id, audience, sum(cases) from (
        select frame_id, audience, cases from frame_count
        union all
        select frame_id, one, change
        from frame_count_change cross join lateral unnest(frames) as frame_id
        cross join lateral unnest(array[audience, :all]) as one
    ) as kept
    group by 1, 2 having sum(cases) <> 0
""").bindparams(all=ALL_AUDIENCES)


def asker_of(account: Account) -> Principal:
    return Principal(
        id=account.id,
        name=account.name,
        role=account.role,
        is_owner=False,
        signed_in_by="session",
        scopes=None,
        case_id=None,
        token_id=account.id,
        expires_at=None,
        last_used_at=None,
    )


def assert_counted(session: Session) -> None:
    """What is kept is what counting every case again says."""
    session.flush()
    counted = {(frame, audience): count for frame, audience, count in session.execute(COUNTED)}
    assert {(frame, audience): count for frame, audience, count in session.execute(KEPT)} == counted


def indexed(session, store, tmp_path, title, content=STACKS):
    """Make a case of one recording and index it as the job does."""
    case = new_case(session, title)
    evidence = store_evidence(session, store, tmp_path, case, content, folded, name=f"{title}.folded")
    weighed = {}
    for one in queries_frames.unindexed_of_case(session, case.id):
        profile = reading_folder.load(store.folder(one.store_key)).profiles[one.ordinal]
        weighed[one.profile_id] = heaviest(profile)
    indexing.keep(session, case.id, weighed)
    session.flush()
    return case, evidence


def audiences_of(session, case):
    return set(session.scalars(select(CaseFrame.audience).where(CaseFrame.case_id == case.id)))


@pytest.fixture
def two(session, store, tmp_path):
    return [indexed(session, store, tmp_path, title)[0] for title in ("one", "other")]


@pytest.mark.usefixtures("two")
def test_stored_counts_equal_a_full_count(session):
    assert_counted(session)
    kept = {(frame, audience): count for frame, audience, count in session.execute(KEPT)}
    assert kept[SHRINK, EVERYBODY] >= 2
    assert kept[EVERY_CASE, EVERYBODY] >= 2


def test_counts_follow_a_change_of_visibility(session, two):
    case = two[0]
    team = Team(name="kernel")
    session.add(team)
    session.flush()
    for visibility, team_id, audience in (
        (Visibility.RESTRICTED, None, RESTRICTED),
        (Visibility.TEAM, team.id, team.id),
        (Visibility.LINK, team.id, RESTRICTED),
        (Visibility.TEAM, None, EVERYBODY),
    ):
        case.visibility, case.team_id = visibility, team_id
        session.flush()
        assert audiences_of(session, case) == {audience}
        assert_counted(session)


def test_a_deleted_case_leaves_no_counts(session, two):
    two[0].deleted_at = two[0].created_at
    session.flush()
    assert audiences_of(session, two[0]) == {None}
    assert_counted(session)
    two[0].deleted_at = None
    session.flush()
    assert audiences_of(session, two[0]) == {EVERYBODY}
    session.execute(delete(Case))
    assert_counted(session)
    case_index.fold(session)
    assert session.scalar(select(FrameCountChange.id).limit(1)) is None
    assert session.scalar(select(FrameCount.frame_id).limit(1)) is None, "not even names stay"


def test_removed_evidence_is_removed_from_the_index(session, store, tmp_path, settings):
    case, evidence = indexed(session, store, tmp_path, "now")
    assert audiences_of(session, case) == {EVERYBODY}
    service.delete(session, evidence, actor="test")
    assert audiences_of(session, case) == set()
    assert_counted(session)
    service.restore(session, settings, evidence, actor="test")
    assert audiences_of(session, case) == {EVERYBODY}
    assert_counted(session)


def test_indexing_again_changes_nothing(session, two):
    before = session.execute(KEPT).all()
    changes = set(session.scalars(select(FrameCountChange.id)))
    case_index.refresh(session, two[0].id)
    assert set(session.scalars(select(FrameCountChange.id))) == changes
    assert sorted(session.execute(KEPT).all(), key=str) == sorted(before, key=str)


@pytest.mark.usefixtures("two")
def test_compacting_changes_keeps_every_count(session):
    before = {(frame, audience): count for frame, audience, count in session.execute(KEPT)}
    case_index.fold(session)
    assert session.scalar(select(FrameCountChange.id).limit(1)) is None
    assert {(row.frame_id, row.audience): row.cases for row in session.scalars(select(FrameCount))} == before


@pytest.mark.usefixtures("two")
def test_counts_cover_visible_cases_only(session, store, tmp_path):
    hidden = indexed(session, store, tmp_path, "hidden")[0]
    of_team = indexed(session, store, tmp_path, "of a team")[0]
    team, owner, member = Team(name="kernel"), Account(name="owner"), Account(name="member", role=Role.VIEWER)
    session.add_all([team, owner, member])
    session.flush()
    session.add(TeamMember(team_id=team.id, account_id=member.id))
    hidden.visibility, hidden.owner_id, of_team.team_id = Visibility.RESTRICTED, owner.id, team.id
    session.flush()

    def counted(account: Account) -> int:
        return counts_of(session, reach_of(session, asker_of(account)), [SHRINK])[SHRINK]

    stranger = Account(name="stranger")
    admin = Account(name="admin", role=Role.ADMIN)
    session.add_all([stranger, admin])
    session.flush()
    everybody = counted(stranger)
    assert counted(owner) == everybody + 1
    assert counted(member) == everybody + 1
    assert counted(admin) == everybody + 2


def test_cases_indexed_and_emptied_at_once_lose_no_count(own_sessions, store, tmp_path):
    with own_sessions.begin() as session:
        cases = [indexed(session, store, tmp_path, f"case {number}")[0].id for number in range(6)]
    failures = []

    def work(place: int) -> None:
        try:
            for at, case_id in enumerate(cases):
                with own_sessions.begin() as session:
                    hold(session, case_id)
                    if (at + place) % 3 == 0:
                        session.execute(delete(CaseFrame).where(CaseFrame.case_id == case_id))
                    else:
                        case_index.refresh(session, case_id)
                    case_index.fold(session)
        except Exception as error:  # noqa: BLE001 - reported by the test
            failures.append(error)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with own_sessions.begin() as session:
        assert_counted(session)
