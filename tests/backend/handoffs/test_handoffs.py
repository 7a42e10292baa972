"""A sender creates a handoff, reviews the redaction, shares, follows and closes it."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from backend.core.encryption import unseal
from backend.models import Redaction
from cli import main
from ingest.model.zstd import zstd
from ingest.readers.logs import kernel_log
from tests.backend.handoffs.conftest import SECRETS
from tests.backend.stored_evidence import new_case, store_evidence

HANG = Path("tests/data/recorded/hangs/fuse-server-stops/dmesg.txt").read_bytes()


def members(content: bytes) -> dict[str, bytes]:
    plain = zstd.decompress(content)
    with tarfile.open(fileobj=io.BytesIO(plain)) as archive:
        return {
            one.name: stream.read() for one in archive if (stream := archive.extractfile(one)) is not None
        }


def bundle_of(maker, handoff) -> bytes:
    answer = maker.web.get(f"{maker.url}/{handoff['id']}/bundle")
    assert answer.status_code == 200, answer.text
    return answer.content


def test_the_change_of_every_line_can_be_seen(maker, handoff):
    item = handoff["redaction"]["pieces"][2]["number"]
    contents = maker.web.get(f"{maker.url}/{handoff['id']}/changes/{item}").json()
    assert [row["line"] for row in contents["items"]] == [1, 2, 3]
    assert "jdoe" in contents["items"][0]["before"]
    assert "jdoe" not in contents["items"][0]["after"]
    assert contents["next_cursor"] is None
    assert maker.web.get(f"{maker.url}/{handoff['id']}/changes/9").status_code == 404


def test_a_bundle_is_redacted_complete_and_reproducible(maker, handoff, tmp_path):
    content = bundle_of(maker, handoff)
    contents = members(content)
    assert list(contents)[:4] == ["manifest.json", "summary.md", "case.html", "findings.json"]
    for name, text in contents.items():
        for secret in SECRETS:
            assert secret not in name
            assert secret.encode() not in text, name
    path = tmp_path / "x.casebook.tar.zst"
    path.write_bytes(content)
    done = CliRunner().invoke(main, ["bundle", "verify", str(path)])
    assert done.exit_code == 0, done.output
    assert handoff["bundle_sha256"] in done.output
    assert bundle_of(maker, maker.made()) == content


@pytest.mark.parametrize("broken", ["changed", "added", "missing", "cut off", "something else"])
def test_a_changed_bundle_is_reported(maker, handoff, tmp_path, broken: str):
    content = bundle_of(maker, handoff)
    contents = members(content)
    if broken == "changed":
        contents["summary.md"] += b"\n"
    if broken == "added":
        contents["evidence/99/x"] = b""
    if broken == "missing":
        del contents["case.html"]
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, text in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    written = zstd.compress(plain.getvalue())
    if broken == "cut off":
        written = content[: len(content) // 2]
    if broken == "something else":
        written = b"PK\x03\x04 no bundle"
    path = tmp_path / "x.casebook.tar.zst"
    path.write_bytes(written)
    done = CliRunner().invoke(main, ["bundle", "verify", str(path)])
    assert done.exit_code == 4
    assert path.name in done.output


def test_the_bundle_page_is_self_contained(maker, handoff):
    page = members(bundle_of(maker, handoff))["case.html"].decode()
    assert "default-src 'none'" in page
    for forbidden in ("<script", "src=", "http://", "@import", "url("):
        assert forbidden not in page.replace("http://www.w3.org/2000/svg", "")
    assert "<svg" in page
    assert 'href="#e' in page


def test_the_summary_says_whether_it_is_just_oom(handoff):
    assert "## Is this just OOM?" in handoff["summary"]
    assert "neither a kernel log nor a kill counter" in handoff["summary"]


def test_findings_of_the_bundle_cite_files_of_the_bundle(maker, handoff):
    contents = members(bundle_of(maker, handoff))
    findings = json.loads(contents["findings.json"])["findings"]
    cited = {
        one["evidence"]
        for finding in findings
        for clause in finding["clauses"]
        for one in clause["citations"]
    }
    assert cited
    assert cited <= set(contents)


def test_one_name_has_one_pseudonym_in_every_handoff_of_a_case(maker, handoff):
    again = maker.made(evidence_ids=[])
    assert again["title"] == handoff["title"]
    assert "analytics-db-02" not in handoff["title"]


def test_binary_evidence_is_refused_with_the_reason(maker):
    absent = "01900000-0000-7000-8000-00000000dead"
    answer = maker.web.post(maker.url, json={"recipient": "x", "evidence_ids": [absent]})
    assert (answer.status_code, answer.json()["detail"]) == (400, f"this case has no evidence {absent}")
    assert maker.web.post(maker.url, json={"recipient": " "}).status_code == 422
    begun = maker.begun()
    answer = maker.web.get(f"{maker.url}/{begun['id']}/bundle")
    assert (answer.status_code, "preparing" in answer.json()["detail"]) == (409, True)
    assert maker.web.post(f"{maker.url}/{begun['id']}/offer", json={}).status_code == 409


def test_possible_leaks_must_be_reviewed_first(maker, session, store, tmp_path, case):
    from ingest.readers.logs import text
    from tests.backend.stored_evidence import store_evidence

    store_evidence(session, store, tmp_path, case, b"subnet 10.20.30 is full\n", text, name="subnet.txt")
    session.commit()
    contents = maker.made()
    assert [leak["written"] for leak in contents["redaction"]["leaks"]] == ["its shape"]
    url = f"{maker.url}/{contents['id']}/offer"
    assert maker.web.post(url, json={}).status_code == 409
    classes = [one["name"] for one in contents["redaction"]["open_classes"]]
    offered = {"is_reviewed": True, "reviewed_classes": classes}
    assert maker.web.post(url, json=offered).status_code == 201


def test_each_class_of_open_tokens_must_be_reviewed_first(maker, session, store, tmp_path, case):
    from ingest.readers.logs import text
    from tests.backend.stored_evidence import store_evidence

    log = b"retry swordfish-db3 with Zk3vT9xQm2Lr8Ybn\n"
    store_evidence(session, store, tmp_path, case, log, text, name="retry.txt")
    session.commit()
    contents = maker.made()
    listed = {one["name"]: one["tokens"] for one in contents["redaction"]["open_classes"]}
    host = next(token for token in listed["host"] if token["text"] == "swordfish-db3")
    assert (host["line"], host["before"], host["where"].endswith("retry.txt")) == (1, "retry ", True)
    assert "Zk3vT9xQm2Lr8Ybn" in [token["text"] for token in listed["secret"]]
    url = f"{maker.url}/{contents['id']}/offer"
    answer = maker.web.post(url, json={"is_reviewed": True, "reviewed_classes": ["host"]})
    assert (answer.status_code, "secret" in answer.json()["detail"]) == (409, True)
    assert (
        maker.web.post(url, json={"is_reviewed": True, "reviewed_classes": sorted(listed)}).status_code == 201
    )


def test_open_tokens_are_replaced_on_request_and_kept_again(maker, session, store, tmp_path, case):
    from ingest.readers.logs import text
    from tests.backend.stored_evidence import store_evidence

    log = b"retry swordfish-db3 then marlin-db4\n"
    store_evidence(session, store, tmp_path, case, log, text, name="retry.txt")
    session.commit()
    contents = maker.made()
    url = f"{maker.url}/{contents['id']}"
    token = {"name": "host", "text": "swordfish-db3"}
    answer = maker.web.put(f"{url}/replacements", json={"tokens": [token]})
    assert (answer.status_code, answer.json()["state"]) == (202, "preparing")
    assert maker.web.put(f"{url}/replacements", json={"tokens": []}).status_code == 409
    again = maker.prepared(contents["id"])
    listed = {one["text"] for part in again["redaction"]["open_classes"] for one in part["tokens"]}
    assert ("swordfish-db3" in listed, "marlin-db4" in listed) == (False, True)
    assert again["replacements"] == [token]
    maker.web.put(f"{url}/replacements", json={"tokens": []})
    kept = maker.prepared(contents["id"])
    listed = {one["text"] for part in kept["redaction"]["open_classes"] for one in part["tokens"]}
    assert ("swordfish-db3" in listed, kept["replacements"]) == (True, [])


def test_a_handoff_is_closed_and_opened_again(maker, handoff):
    assert maker.web.post(f"{maker.url}/{handoff['id']}/close").status_code == 409
    maker.offered(handoff)
    assert maker.web.post(f"{maker.url}/{handoff['id']}/close").json()["state"] == "closed"
    answer = maker.web.post(f"{maker.url}/{handoff['id']}/messages", json={"text": "and?"})
    assert (answer.status_code, "closed" in answer.json()["detail"]) == (409, True)
    assert maker.web.post(f"{maker.url}/{handoff['id']}/reopen").json()["state"] == "accepted"
    assert maker.web.post(f"{maker.url}/{handoff['id']}/messages", json={"text": "and?"}).status_code == 201


def test_the_pseudonym_key_is_encrypted_and_replaced_when_lost(maker, session, case, app_settings, handoff):
    kept = session.get_one(Redaction, case.id)
    key = unseal(app_settings, kept.sealed_key, about=f"redaction {case.id}")
    assert len(bytes.fromhex(key)) == 32
    assert key not in kept.sealed_key
    kept.sealed_key = "lost"
    session.commit()
    again = maker.made()
    assert again["state"] == "ready"
    assert again["title"] != handoff["title"]


def test_a_handoff_shows_who_blocks_whom(maker, session, store, tmp_path):
    hang = new_case(session, "a FUSE server stops")
    store_evidence(session, store, tmp_path, hang, HANG, kernel_log, name="dmesg.txt")
    session.commit()
    maker = maker.of(hang)
    handoff = maker.made(question="does swordfish-db3 serve it?")
    contents = members(bundle_of(maker, handoff))
    summary, page = contents["summary.md"].decode(), contents["case.html"].decode()
    tokens = [one for part in handoff["redaction"]["open_classes"] for one in part["tokens"]]
    written = {one["text"]: one["where"] for one in tokens if not one["where"].startswith("evidence/")}
    assert ("stroke-width" in summary, written) == (True, {"swordfish-db3": "question"})
    assert "4 tasks wait behind mkdir:14954, which waits for reply of a FUSE server" in summary
    assert "```mermaid\nflowchart LR" in summary
    assert "4 tasks wait behind mkdir:14954" in page
    assert "<svg" in page
