"""Similar cases: equal stacks first; invisible cases are not named, counted or weighed."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.access.principals import Principal
from backend.library import index
from backend.models import Account, Case, Profile, Role, Visibility
from backend.profiles import indexing, queries_frames
from backend.similarity import similar
from ingest.export.heaviest import heaviest
from ingest.model import reading_folder
from ingest.readers.profilers import folded
from ingest.readers.traces import bare_stack
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

LIVELOCK = Path("tests/data/published/vanishing-cpu/stack.shrink_lruvec.txt").read_bytes()
CONVOY = Path("tests/data/published/vanishing-cpu/stack.evict_folios.txt").read_bytes()
RECLAIM = b"python;do_user_addr_fault;try_to_free_mem_cgroup_pages;shrink_lruvec 70\npython;main;add 30\n"
RECLAIM_TOO = b"java;do_user_addr_fault;try_to_free_mem_cgroup_pages;shrink_lruvec 60\njava;main;add 40\n"
NETWORK = b"nginx;tcp_sendmsg;tcp_push;__tcp_push_pending_frames 50\nnginx;main;parse 50\n"


@pytest.fixture
def made(session, store, tmp_path):
    """Make a case of one recording, weighed and judged."""

    def make(title: str, content: bytes, reader=folded) -> Case:
        case = new_case(session, title)
        store_evidence(session, store, tmp_path, case, content, reader, name=f"{title}.txt")
        weighed = {}
        for one in queries_frames.unindexed_of_case(session, case.id):
            profile = reading_folder.load(store.folder(one.store_key)).profiles[one.ordinal]
            weighed[one.profile_id] = heaviest(profile)
        indexing.keep(session, case.id, weighed)
        judge_case(session, store, case.id)
        session.flush()
        return case

    return make


def principal(session, role: Role) -> Principal:
    account = Account(name=f"principal {role}", role=role)
    session.add(account)
    session.flush()
    return Principal(
        id=account.id,
        name=account.name,
        role=role,
        is_owner=False,
        signed_in_by="session",
        scopes=None,
        case_id=None,
        token_id=account.id,
        expires_at=None,
        last_used_at=None,
    )


@pytest.fixture
def viewer(session) -> Principal:
    return principal(session, Role.VIEWER)


def shares(one) -> dict[str, float]:
    return {likeness.kind: likeness.share for likeness in one.similarities}


def test_the_case_with_the_same_stacks_comes_first_and_says_why(session, made, viewer):
    twin, other = made("reclaim of yesterday", RECLAIM_TOO), made("network", NETWORK)
    case = made("what is this", RECLAIM)
    found = similar.before(session, viewer, case)
    assert other.number not in {one.number for one in found.cases}
    assert found.cases[0].number == twin.number
    assert shares(found.cases[0])["stacks"] > 0.3
    assert "shrink_lruvec" in next(one for one in found.cases[0].similarities if one.kind == "stacks").common
    assert case.number not in {one.number for one in found.cases}


def test_two_profiles_can_be_compared_at_once(session, made, viewer):
    twin, case = made("before", RECLAIM_TOO), made("now", RECLAIM)
    made("network", NETWORK)
    best = similar.before(session, viewer, case).cases[0]
    of = {profile.id: profile.case_id for profile in session.query(Profile)}
    assert (of[best.profile_id], of[best.own_profile_id]) == (twin.id, case.id)


def test_stacks_without_weights_are_alike_but_have_no_difference_to_draw(session, made, viewer):
    made("first", LIVELOCK, bare_stack)
    made("network", NETWORK)
    best = similar.before(session, viewer, made("second", LIVELOCK, bare_stack)).cases[0]
    assert shares(best)["stacks"] == pytest.approx(1.0)
    assert (best.profile_id, best.own_profile_id) == (None, None)


@pytest.mark.parametrize("how", ["hidden", "put away"])
def test_invisible_cases_are_not_named_counted_or_weighed(session, made, viewer, how):
    case, stranger = made("now", RECLAIM), made("network", NETWORK)
    alone = similar.before(session, viewer, case)
    secret = made("secret twin", RECLAIM_TOO)
    if how == "hidden":
        secret.visibility = Visibility.RESTRICTED
    else:
        secret.deleted_at = secret.created_at
    session.flush()
    assert similar.before(session, viewer, case) == alone
    if how == "hidden":
        admin = principal(session, Role.ADMIN)
        assert secret.number in {one.number for one in similar.before(session, admin, case).cases}
    assert stranger.number not in {one.number for one in alone.cases}


def test_the_story_that_fits_stands_beside_the_cases(session, made, viewer):
    index.fill_session(session)
    found = similar.before(session, viewer, made("what is this", CONVOY, bare_stack))
    assert found.stories[0].key in {"mm/mglru-evict-folios-lru-lock", "mm/memcg-limit-reclaim"}
    assert found.stories[0].reasons


def test_a_case_without_evidence_has_no_similar_case(session, viewer):
    found = similar.before(session, viewer, new_case(session, "empty"))
    assert (found.cases, found.compared, found.stories) == ([], 0, [])


def test_pending_profiles_are_counted(session, store, tmp_path, viewer):
    case = new_case(session, "fresh")
    store_evidence(session, store, tmp_path, case, RECLAIM, folded, name="a.folded")
    assert similar.before(session, viewer, case).unweighed_profiles == 1


def test_it_is_requested_by_its_url(web, sessions, store, tmp_path):
    with sessions.begin() as session:
        case = new_case(session, "asked")
        store_evidence(session, store, tmp_path, case, RECLAIM, folded, name="a.folded")
        number = case.number
    body = web.get(f"/cases/{number}/similar").json()
    assert body["cases"] == []
    assert body["unweighed_profiles"] == 1
    assert web.get("/cases/999999/similar").status_code == 404
