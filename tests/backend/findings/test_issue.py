"""The text of an issue states the findings of a case, or the one that is chosen."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from ingest.readers.logs import kernel_log
from tests.backend.captures import OOM
from tests.backend.stored_evidence import judge_case, new_case, store_evidence


@pytest.fixture
def killed(session, store, tmp_path) -> int:
    case = new_case(session, "checkout restarts")
    store_evidence(session, store, tmp_path, case, OOM, kernel_log, name="dmesg|`.txt", host="db7")
    session.commit()
    judge_case(session, store, case.id)
    session.commit()
    return case.number


def test_an_issue_has_findings_conditions_fixes_and_link(web, killed):
    path = f"/cases/{killed}/issue"
    made = {name: web.get(path, params={"for": name}).json() for name in ("github", "gitlab", "jira")}
    tokens = MarkdownIt("commonmark").enable("table").parse(made["github"]["body"])
    kinds = [token.type for token in tokens]
    assert {"heading_open", "table_open", "bullet_list_open"} <= set(kinds)
    columns = [kinds[at:].index("tr_close") for at, kind in enumerate(kinds) if kind == "tr_open"]
    assert len(set(columns)) == 1, "a name with a bar adds no cell"
    assert "mm/memcg-oom" in made["github"]["body"]
    assert "h2. " in made["jira"]["body"]
    assert "||condition||state||observed||threshold||evidence||" in made["jira"]["body"]
    assert all(f"/cases/{killed}\n" in one["body"] for one in made.values())


def test_an_issue_of_one_finding_states_no_other_and_links_the_view(web, killed):
    first, *_ = web.get(f"/cases/{killed}/findings", params={"all": True}).json()["items"]
    view = f"/cases/{killed}?finding={first['id']}"
    path = f"/cases/{killed}/issue"
    body = web.get(path, params={"finding": first["id"], "view": view}).json()["body"]
    assert body.count("\n## ") == 1
    assert body.endswith(f"{view}\n")
    for wrong in ("//evil.example/", "https://evil.example/", "/a b", "x"):
        assert web.get(path, params={"view": wrong}).status_code == 422
    assert web.get(path, params={"for": "trac"}).status_code == 422
