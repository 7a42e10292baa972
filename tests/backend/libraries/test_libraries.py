"""A team's library: pulled from a Git server or uploaded, linted by a worker, activated, retired."""

from __future__ import annotations

import hashlib
import os
import zipfile

import pytest
from sqlalchemy import select

from backend.libraries import git_transport
from backend.models import AuditEntry, DraftState, Event, SignatureDraft, TeamLibrary
from tests.backend.libraries.conftest import OWN, of_bytes, packed, write
from tests.backend.libraries.git_server import commit, git
from tests.backend.stored_evidence import new_case

MIB = b"\0" * (1 << 20)


def pulled(web, work, git_server, *, name="payments", path="payments/.git", **fields):
    answer = web.post("/libraries", json={"name": name, "url": f"{git_server.url}/{path}", **fields})
    assert answer.status_code == 202, answer.text
    work()
    return web.get(f"/libraries/{name}").json()


def uploaded(web, work, content, name="payments"):
    answer = web.put(f"/libraries/{name}/archive", content=content)
    assert answer.status_code == 202, answer.text
    work()
    return web.get(f"/libraries/{name}").json()


def nothing_is_in_use(library):
    return library["shadow"] is None and library["active"] is None and library["newest"]["signatures"] == []


def test_a_library_is_pulled_over_https_and_its_commit_is_pinned(web, work, git_server, repository):
    head = git(repository, "rev-parse", "HEAD")
    library = pulled(web, work, git_server)
    shadow = library["shadow"]
    assert (shadow["state"], shadow["commit"], library["active"]) == ("shadow", head, None)
    rows = {one["id"]: (one["version"], one["shadows"]) for one in shadow["signatures"]}
    assert rows == {"net/our-table-full": (3, None), "net/conntrack-table-full": (9, 2)}
    # A later commit changes nothing until somebody pulls; then both versions are there.
    write(repository, "net/our-table-full", OWN.replace("version: 3", "version: 4"))
    newer = commit(repository, "Change ours")
    assert web.get("/libraries/payments").json()["shadow"]["commit"] == head
    assert web.post("/libraries/payments/pull").status_code == 202
    work()
    versions = web.get("/libraries/payments/versions").json()["items"]
    assert [(one["commit"], one["state"]) for one in versions] == [(newer, "shadow"), (head, "retired")]


def test_an_annotated_tag_is_pinned_to_its_commit(web, work, git_server, repository):
    head = git(repository, "rev-parse", "HEAD")
    git(repository, "tag", "--annotate", "v1", "--message", "first")
    assert pulled(web, work, git_server, ref="v1")["shadow"]["commit"] == head


@pytest.mark.usefixtures("repository")
def test_a_token_is_sent_stored_encrypted_and_never_shown(web, work, git_server, sessions):
    git_server.token = "s3cret-deploy"
    failed = pulled(web, work, git_server, name="without")
    assert "token" in failed["newest"]["problem"]
    library = pulled(web, work, git_server, token="s3cret-deploy", username="deploy")
    assert library["shadow"]["state"] == "shadow"
    assert library["has_token"]
    assert "s3cret" not in web.get("/libraries/payments").text
    with sessions() as session:
        row = session.scalars(select(TeamLibrary).where(TeamLibrary.name == "payments")).one()
        assert row.sealed
        assert "s3cret" not in row.sealed
        # Audit entries name the path, and no body.
        entries = session.scalars(select(AuditEntry).where(AuditEntry.action == "libraries.change")).all()
        assert entries
        assert not any("s3cret" in entry.subject for entry in entries)


@pytest.mark.usefixtures("repository")
def test_a_new_url_does_not_get_the_token_of_the_old_one(web, work, git_server):
    git_server.token = "s3cret-deploy"
    pulled(web, work, git_server, token="s3cret-deploy")
    changed = web.patch("/libraries/payments", json={"url": f"{git_server.url}/other"})
    assert changed.json()["has_token"] is False


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://localhost/x", "https://"),
        ("file:///etc", "https://"),
        ("ssh://git@example.com/x", "https://"),
        ("https://10.0.0.7/x.git", "internal address"),
        ("https://169.254.169.254/latest", "internal address"),
        ("https://user:pass@localhost/x", "user name"),
    ],
)
def test_only_public_addresses_are_pulled_from(web, url, words):
    answer = web.post("/libraries", json={"name": "bad", "url": url})
    assert answer.status_code == 400
    assert words in answer.text


@pytest.mark.usefixtures("repository")
def test_a_redirect_is_not_followed(web, work, git_server):
    git_server.redirect = "https://169.254.169.254/latest/meta-data"
    library = pulled(web, work, git_server)
    assert "redirects to https://169.254.169.254" in library["newest"]["problem"]
    assert nothing_is_in_use(library)
    assert len(git_server.requests) == 1


def test_a_ref_that_moves_during_the_pull_gives_one_whole_commit(web, work, git_server, repository):
    moved = []

    def rewrite():
        if not moved:
            write(repository, "net/our-table-full", OWN.replace("version: 3", "version: 7"))
            git(repository, "add", "--all")
            git(repository, "commit", "--quiet", "--amend", "--message", "Rewritten")
            git(repository, "reflog", "expire", "--expire=now", "--all")
            git(repository, "gc", "--quiet", "--prune=now")
            moved.append(git(repository, "rev-parse", "HEAD"))

    git_server.before_fetch = rewrite
    shadow = pulled(web, work, git_server)["shadow"]
    # The commit that was looked up is gone, so the one that the ref names now is pulled as a whole.
    assert shadow["commit"] == moved[0]
    assert {one["version"] for one in shadow["signatures"]} == {7, 9}


def test_a_ref_that_keeps_moving_is_one_error(web, work, git_server, repository):
    def rewrite():
        write(repository, "net/our-table-full", OWN + f"# {len(git_server.requests)}\n")
        git(repository, "add", "--all")
        git(repository, "commit", "--quiet", "--amend", "--message", "Rewritten")
        git(repository, "reflog", "expire", "--expire=now", "--all")
        git(repository, "gc", "--quiet", "--prune=now")

    git_server.before_fetch = rewrite
    library = pulled(web, work, git_server)
    assert "moved" in library["newest"]["problem"]
    assert nothing_is_in_use(library)


def test_large_evidence_of_a_repository_is_not_fetched(web, work, git_server, repository, monkeypatch):
    monkeypatch.setattr(git_transport, "MAX_BYTES", 1 << 20)
    large = repository / "net/our-table-full/evidence/pos-recorded/perf.script"
    large.parent.mkdir(parents=True)
    large.write_bytes(os.urandom(3 << 20))
    git(repository, "config", "uploadpack.allowFilter", "true")
    commit(repository, "Add a recording")
    assert pulled(web, work, git_server)["shadow"]["state"] == "shadow"


def test_a_repository_above_the_limit_is_one_sentence(web, work, git_server, repository, monkeypatch):
    monkeypatch.setattr(git_transport, "MAX_BYTES", 1 << 20)
    (repository / "core.dump").write_bytes(os.urandom(3 << 20))
    commit(repository, "Add a dump by mistake")
    library = pulled(web, work, git_server)
    assert library["newest"]["problem"] == "the repository has more than 1 MiB; nothing of it is kept"
    assert nothing_is_in_use(library)


def test_links_and_submodules_of_a_repository_are_not_followed(web, work, git_server, repository, tmp_path):
    (repository / "net/stolen").mkdir()
    (repository / "net/stolen/signature.yaml").symlink_to("/etc/passwd")
    hooks = repository / ".git/hooks"
    (hooks / "post-checkout").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (hooks / "post-checkout").chmod(0o755)
    git(repository, "submodule", "--quiet", "add", f"file://{repository}/.git", "sub/module")
    commit(repository, "Add a link and a submodule")
    shadow = pulled(web, work, git_server)["shadow"]
    assert {one["id"] for one in shadow["signatures"]} == {"net/our-table-full", "net/conntrack-table-full"}
    assert not (tmp_path / "ran").exists()


def test_an_archive_is_a_library_wherever_in_it_the_signatures_are(web, work, folder):
    library = uploaded(web, work, packed(folder, prefix="payments-main/casebook/"))
    assert library["source"] == "upload"
    assert {one["id"] for one in library["shadow"]["signatures"]} == {
        "net/our-table-full",
        "net/conntrack-table-full",
    }


def bomb():
    layers = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))
    return f"a0: &a0 [x, x, x]\n{layers}\n".encode()


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"net/bomb/signature.yaml": bomb()}, "expands to more than"),
        ({"net/deep/signature.yaml": b"a: " + b"[" * 900 + b"]" * 900}, "cannot be read"),
        ({"net/broken/signature.yaml": OWN.replace("decide:", "decied:").encode()}, "cannot be read"),
        ({"net/large/signature.yaml": b"# " + b"x" * (300 << 10)}, "more than 262,144 bytes"),
        ({"readme.md": b"hello"}, "no <area>/<name>/signature.yaml"),
        ({"a/net/x/signature.yaml": b"a: 1", "b/net/y/signature.yaml": b"a: 1"}, "keep one place"),
        ({"Net/../X/signature.yaml": b"a: 1"}, "no <area>/<name>/signature.yaml"),
        ({"net/Über/signature.yaml": b"a: 1"}, "<area>/<name>"),
    ],
    ids=["bomb", "deep", "broken", "large", "none", "two places", "outside", "name"],
)
def test_what_cannot_be_judged_by_is_a_sentence_and_nothing_of_it_is_in_use(web, work, files, words):
    good = {"net/our-table-full/signature.yaml": OWN.encode()} if "cannot be read" in words else {}
    library = uploaded(web, work, of_bytes(good | files))
    newest = library["newest"]
    assert newest["state"] == "failed"
    assert words in "\n".join([newest["problem"], *newest["messages"]])
    assert nothing_is_in_use(library)


@pytest.fixture
def draft(session, store, tmp_path):
    """A finished draft of a closed case, with a signature and evidence."""
    path = tmp_path / "folder.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("net/our-table-full/signature.yaml", OWN)
        archive.writestr("net/our-table-full/evidence/pos-case/kern.log", "nf_conntrack: table full\n")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    store.put_file(path, sha256=sha256)
    row = SignatureDraft(
        case_id=new_case(session, "gateway drops").id,
        state=DraftState.READY,
        signature_id="net/our-table-full",
        author="ann",
        zip_sha256=sha256,
        zip_bytes=path.stat().st_size,
    )
    session.add(row)
    session.commit()
    return row


def test_a_library_of_a_draft_is_its_signature_without_evidence(web, work, draft):
    answer = web.post("/libraries", json={"name": "drafted", "draft_id": str(draft.id)})
    assert answer.status_code == 202, answer.text
    work()
    library = web.get("/libraries/drafted").json()
    assert (library["source"], library["shadow"]["commit"]) == ("draft", draft.zip_sha256)
    assert [one["id"] for one in library["shadow"]["signatures"]] == ["net/our-table-full"]
    assert web.post("/libraries/drafted/pull").status_code == 202
    work()
    states = [one["state"] for one in web.get("/libraries/drafted/versions").json()["items"]]
    assert states == ["shadow", "retired"]


def test_a_draft_that_is_deleted_leaves_the_version_before_in_use(web, work, draft, session):
    web.post("/libraries", json={"name": "drafted", "draft_id": str(draft.id)})
    work()
    session.delete(draft)
    session.commit()
    web.post("/libraries/drafted/pull")
    work()
    library = web.get("/libraries/drafted").json()
    assert library["newest"]["problem"] == "the draft was deleted"
    assert library["shadow"]["state"] == "shadow"
    assert web.post("/libraries", json={"name": "gone", "draft_id": str(draft.id)}).status_code == 404


def test_bytes_that_are_no_archive_are_refused_with_the_reason(web, work):
    library = uploaded(web, work, b"schema: 1\n")
    assert library["newest"]["problem"] == "it is neither a tar nor a zip archive"


def test_a_quadratic_pattern_is_judged_in_linear_time_or_refused(web, work):
    text = OWN.replace("class: conntrack_full", "text: '(a+)+(?=b)'")
    library = uploaded(web, work, of_bytes({"net/our-table-full/signature.yaml": text.encode()}))
    assert library["newest"]["state"] == "failed"
    assert "net/our-table-full/signature.yaml:" in library["newest"]["messages"][0]


def test_lint_messages_have_file_and_line_and_stop_an_activation(web, work):
    text = OWN.replace("role: core", "role: core").replace("  dropping: kernel_log\n", "")
    text += "  dropping: {run: 'rm -rf /tmp/x', title: t, cost: none}\n"
    library = uploaded(web, work, of_bytes({"net/our-table-full/signature.yaml": text.encode()}))
    newest = library["newest"]
    if newest["state"] == "failed":
        assert all("signature.yaml:" in message for message in newest["messages"])
        return
    assert any("signature.yaml:" in message for message in newest["messages"])
    path = f"/libraries/payments/versions/{newest['id']}/activate"
    assert web.post(path, json={}).status_code == 409
    assert web.post(path, json={"unchecked": True}).json()["active"]["id"] == newest["id"]


def test_versions_go_from_shadow_to_active_to_retired_and_back(web, work, folder, sessions):
    first = uploaded(web, work, packed(folder))["shadow"]
    activated = web.post(f"/libraries/payments/versions/{first['id']}/activate", json={"unchecked": True})
    assert activated.json()["active"]["id"] == first["id"]
    assert activated.json()["shadow"] is None
    write(folder, "net/our-table-full", OWN.replace("version: 3", "version: 4"))
    both = uploaded(web, work, packed(folder))
    assert (both["active"]["id"], both["shadow"]["state"]) == (first["id"], "shadow")
    second = both["shadow"]["id"]
    web.post(f"/libraries/payments/versions/{second}/activate", json={"unchecked": True})
    states = {one["id"]: one["state"] for one in web.get("/libraries/payments/versions").json()["items"]}
    assert states == {first["id"]: "retired", second: "active"}
    # A step back is an activation of the version before.
    web.post(f"/libraries/payments/versions/{first['id']}/activate", json={"unchecked": True})
    retired = web.post("/libraries/payments/retire").json()
    assert (retired["active"], retired["shadow"]) == (None, None)
    assert web.post("/libraries/payments/retire").status_code == 409
    with sessions() as session:
        kinds = session.scalars(select(Event.kind).where(Event.kind.like("library.%"))).all()
    assert kinds.count("library.activated") == 3
    assert "library.retired" in kinds


def test_a_name_is_taken_once_and_a_source_is_kept(web, work, folder):
    uploaded(web, work, packed(folder))
    assert web.post("/libraries", json={"name": "payments", "url": "https://localhost/x"}).status_code == 409
    assert web.post("/libraries/payments/pull").status_code == 409
    assert web.get("/libraries/none").status_code == 404
