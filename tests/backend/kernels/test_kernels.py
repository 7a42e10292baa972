"""Kernels of the fleet: from cases and inventories, as far as the caller sees them."""

from __future__ import annotations

import csv
import io

import pytest
from sqlalchemy import select, text

from backend.access.permission_matrix import Sight
from backend.core.errors import CasebookError
from backend.core.http.pagination import WHOLE
from backend.kernels import fleet, inventories
from backend.kernels.inventory_rows import MAX_BYTES, MAX_HOSTS, rows_of
from backend.kernels.schemas_filter import FleetFilter
from backend.models import Account, AuditEntry, CaseKernel, Role, Team, TeamMember
from ingest.readers.commands import kernel_version
from ingest.readers.logs import kernel_log
from tests.backend.access.stage import stand
from tests.backend.captures import OOM, UNAME
from tests.backend.search.test_visibility import principal_of
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

HOSTS = """\
Hostname,Kernel,OS Image,Instance,Cluster,Owner
web1,6.12.20,Arch,m7i.large,eu,ada
web2,6.12.20,Arch,m7i.large,us,ada
web3,6.12.94,Arch,m7i.large,eu,ada
db8,6.1.0-18-amd64,Debian 12,,eu,ada
,6.12.20,,,,
web1,6.12.94,,,,
web4,Windows 11,,,,
web5,6.999999,,,,
"""


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session, "checkout restarts")
    store_evidence(session, store, tmp_path, case, OOM, kernel_log, name="dmesg.txt", host="db7")
    store_evidence(session, store, tmp_path, case, UNAME, kernel_version, name="uname", host="db7")
    session.commit()
    judge_case(session, store, case.id)
    session.commit()
    return case


def put(web, content: str = HOSTS, source: str = "cmdb", **query: str):
    return web.put(
        f"/inventories/{source}", content=content, headers={"Content-Type": "text/csv"}, params=query
    )


def test_rows_that_cannot_be_read_are_named_and_the_others_taken(web):
    written = put(web).json()
    assert (written["hosts"], written["rejected"]) == (4, 4)
    assert [one["row"] for one in written["first_rejected"]] == [6, 7, 8, 9]
    assert [one["reason"].split(" is ")[0] for one in written["first_rejected"]] == [
        "no host",
        "host web1",
        "Windows 11",
        "6.999999",
    ]


def test_the_matrix_shows_hosts_statuses_and_what_clears_most(web, case):
    put(web)
    answer = web.get("/kernels").json()
    kernels = {(one["release"], one["package"]): one for one in answer["items"]}
    old, seen = kernels["6.12.20", ""], kernels["6.1.0-18-amd64", "6.1.76-1"]
    assert (old["listed_hosts"], old["case_hosts"], seen["listed_hosts"], seen["case_hosts"]) == (2, 0, 0, 1)
    assert ("6.1.0-18-amd64", "") in kernels, "another package may have the same release"
    assert [one["key"] for one in seen["problems"] if one["found_on"]] == ["mm/memcg-oom"]
    affecting = {
        one["key"]
        for one in old["problems"]
        if one["status"] in {"affected", "probably_affected", "affected_unless_backported"}
    }
    best = old["best"]
    assert (best["release"], best["is_in_fleet"]) == ("6.12.94", True)
    assert "writeback/inode-switch-wbs-storm" in best["cleared"]
    assert set(best["cleared"]) | set(best["left"]) | set(best["undecided"]) <= affecting
    titles = {one["key"] for one in answer["titles"]}
    assert affecting | {"mm/memcg-oom"} <= titles
    read = web.get("/kernels/6.12.20").json()
    assert {one["status"] for one in read["statuses"] if one["key"] in best["cleared"]} == {"affected"}
    assert all(one["basis"] for one in read["statuses"])
    assert web.get("/kernels/9.9.9").status_code == 404
    package = web.get("/kernels/6.1.0-18-amd64", params={"package": "6.1.76-1"}).json()
    assert package["says"].startswith("Debian: contains linux-stable 6.1.76")
    rows = list(csv.DictReader(io.StringIO(web.get("/kernels.csv").text)))
    assert {row["release"]: row["best_release"] for row in rows}["6.12.20"] == "6.12.94"
    assert [row["found"] for row in rows if row["package"]] == ["mm/memcg-oom"]
    assert case.number == web.get("/kernels/hosts", params={"q": "db7"}).json()["items"][0]["case"]


@pytest.mark.parametrize(
    ("query", "releases"),
    [
        ({"cluster": "us"}, ["6.12.20"]),
        ({"q": "WEB3"}, ["6.12.94"]),
        ({"family": "Debian"}, ["6.1.0-18-amd64"]),
        ({"source": "other"}, []),
        ({"sort": "release"}, ["6.1.0-18-amd64", "6.12.20", "6.12.94"]),
        ({"problem": "writeback/inode-switch-wbs-storm", "q": "6.12"}, ["6.12.20"]),
    ],
)
def test_kernels_are_filtered_and_sorted(web, query, releases):
    put(web)
    assert [one["release"] for one in web.get("/kernels", params=query).json()["items"]] == releases


def test_an_inventory_may_be_larger_than_other_bodies_and_has_a_limit_of_its_own(web):
    lines = "".join(f"host-{at},6.12.20,{'x' * 190}\n" for at in range(6_000))
    assert put(web, f"host,release,distro\n{lines}").json()["hosts"] == 6_000
    refused = put(web, "x" * (MAX_BYTES + 1))
    assert (refused.status_code, web.get("/kernels").json()["items"][0]["listed_hosts"]) == (413, 6_000)


def test_pages_of_hosts_and_kernels_hold_each_once(web):
    put(web)
    for path, total in (("/kernels/hosts", 4), ("/kernels", 3)):
        found, cursor = [], None
        while True:
            page = web.get(path, params={"limit": 1} | ({"cursor": cursor} if cursor else {})).json()
            found += [(one.get("host"), one["release"]) for one in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert len(found) == len(set(found)) == total


def test_an_upload_replaces_all_of_its_source_and_a_bad_one_nothing(web, session):
    put(web)
    put(web, "host,release\nweb9,6.12.94\n", source="other")
    assert put(web, "host,release\nweb1,\n").status_code == 422
    assert put(web, '[{"host": "a"}]').status_code == 422
    listed = {one["source"]: one["hosts"] for one in web.get("/inventories").json()["items"]}
    assert listed == {"cmdb": 4, "other": 1}
    rows = [{"node": "web7", "kernel": "6.12.94", "cluster": None}, {"node": "web8", "kernel": 6.12}, 7]
    written = web.put("/inventories/cmdb", json=rows).json()
    assert (written["hosts"], written["rejected"]) == (1, 2)
    assert {one["host"] for one in web.get("/kernels/hosts").json()["items"]} == {"web7", "web9"}
    assert web.delete("/inventories/cmdb").status_code == 204
    assert web.delete("/inventories/cmdb").status_code == 404
    assert {one["host"] for one in web.get("/kernels/hosts").json()["items"]} == {"web9"}
    noted = session.scalars(select(AuditEntry.action)).all()
    assert any("inventories" in one or "inventory" in one for one in noted)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ADMIN])
def test_inventories_and_cases_of_others_are_in_no_list_and_no_count(session, role):
    account, other = Account(name=f"a {role}", role=role), Account(name="other", role=Role.RESPONDER)
    own, foreign = Team(name="own"), Team(name="foreign")
    session.add_all([account, other, own, foreign])
    session.flush()
    for team, member in ((own, account), (own, other), (foreign, other)):
        session.add(TeamMember(team_id=team.id, account_id=member.id))
    session.flush()
    for source, team in (("all", None), ("own", own), ("foreign", foreign)):
        rows = rows_of(f"host,release,cluster\n{source},6.12.20,{source}\n".encode(), is_json=False)
        inventories.replace(session, principal_of(other), source, team.id if team else None, rows)
    stands = {sight: stand(session, account, sight) for sight in (Sight.TEAM, Sight.HIDDEN)}
    session.commit()
    for sight, found in stands.items():
        session.add(
            CaseKernel(case_id=found.id, host=sight.value, release="6.12.20", build="", os_id="", distro="")
        )
    session.commit()
    read = fleet.listed(session, principal_of(account), FleetFilter(), WHOLE)
    every = role is Role.ADMIN
    [kernel] = read.items
    assert (kernel.listed_hosts, kernel.case_hosts) == ((3, 2) if every else (2, 1))
    assert read.clusters == (["all", "foreign", "own"] if every else ["all", "own"])
    with pytest.raises(CasebookError, match="no such team"):
        inventories.replace(session, principal_of(Account(**_stranger(session))), "x", own.id, rows)


def _stranger(session) -> dict[str, object]:
    stranger = Account(name="stranger", role=Role.RESPONDER)
    session.add(stranger)
    session.flush()
    return {"id": stranger.id, "name": stranger.name, "role": stranger.role}


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "no row"),
        (b"\xff\xfe", "line 1: the inventory is not UTF-8"),
        (b"host,kernels\na,6.1.2\n", "no column release"),
        (b'host,release\n"' + b"x" * 200_000, "field larger"),
        (b"host,release\na\x00b,6.1.2\n", "U\\+0000"),
        ("host,release\na\u202eb,6.1.2\n".encode(), "U\\+202E"),
        (b"host;release\na;6.1." + b"9" * 400 + b"\n", "release has more than 200"),
        (b"host\trelease\na\t6.1.2rc" + b"\n", None),
        (b"\xef\xbb\xbfrelease,host\r\n6.1.2,a\r\n\r\n", None),
        (b"host,release\n" + b"h,6.1.2\n" * 300_000, "at most 100,000"),
    ],
)
def test_an_inventory_is_read_or_refused_with_the_place(content, fault):
    if fault is None:
        assert [one.host for one in rows_of(content, is_json=False).taken] == ["a"]
    else:
        with pytest.raises(CasebookError, match=fault):
            rows_of(content, is_json=False)


@pytest.mark.parametrize(
    "content", [b"{}", b"[" * 100_000, b"[NaN]", b"nothing", b'[{"host": NaN, "release": 1e999}]']
)
def test_json_that_is_no_list_of_hosts_is_refused(content):
    with pytest.raises(CasebookError):
        rows_of(content, is_json=True)


def test_a_large_inventory_is_stored_and_read_in_time(session):
    many = MAX_HOSTS // 5
    lines = "".join(f"host-{at},6.1.{at % 180},c{at % 40}\n" for at in range(many))
    rows = rows_of(f"host,release,cluster\n{lines}".encode(), is_json=False)
    account = Account(name="ada", role=Role.RESPONDER)
    session.add(account)
    session.flush()
    principal = principal_of(account)
    inventories.replace(session, principal, "cmdb", None, rows)
    session.execute(text("set local statement_timeout = '20s'"))
    read = fleet.listed(session, principal, FleetFilter(), WHOLE)
    assert sum(one.listed_hosts for one in read.items) == many
    assert read.total == 180
