"""A closed case becomes a signature folder: over HTTP, as a job, as an archive, by the command."""

from __future__ import annotations

import gzip
import io
import zipfile
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx
import pytest
from click.testing import CliRunner
from sqlalchemy import select

from backend.accounts import service as accounts
from backend.core.jobs.runner import run_job
from backend.core.storage.object_store import Store
from backend.models import Event, Job, Status
from cli import main
from ingest.readers.logs import kernel_log, text
from ingest.readers.proc import proc_net_sockstat, sysctl
from signatures.authoring.fixture_tests import fixtures_of, problems_of
from signatures.document.catalog import load_catalog
from signatures.language.model import Catalog
from tests.backend.applications import create_app
from tests.backend.conftest import PATIENT, serving, settings_below
from tests.backend.stored_evidence import new_case, store_evidence
from tests.long_form import IS_LONG
from tests.signatures.evidence import DATA
from tests.transactions import Sent, rolled_back

LOG = (DATA / "recorded" / "hangs" / "fuse-server-stops" / "dmesg.txt").read_bytes()
AUTH = b"Nov 21 03:12:09 db7 sshd[812]: Accepted publickey for jdoe from 10.20.30.40 port 5022 ssh2\n"


def closed_case(session, store, folder, *, content=LOG, name="dmesg.txt"):
    case = new_case(session, "jdoe saw db7 hang")
    store_evidence(session, store, folder, case, content, kernel_log, name=name)
    store_evidence(session, store, folder, case, AUTH, text, name="auth.log")
    case.status, case.cause, case.fix = Status.RESOLVED, "the FUSE server of jdoe stopped", "server restarted"
    return case


class Service:
    """A served application, its client, and its jobs run here."""

    def __init__(self, web, settings, sessions, store):
        # The heartbeat has a connection of its own, which does not see what this test has not committed.
        self._patient = settings.model_copy(update=PATIENT)
        self.web, self._sessions, self._store = web, sessions, store

    def drafted(self, case, **asked):
        answer = self.web.post(
            f"/cases/{case}/signature-drafts", json={"signature_id": "fs/my-hang", **asked}
        )
        assert answer.status_code == 202, answer.text
        draft = answer.json()
        with self._sessions() as session:
            job = session.scalar(select(Job.id).where(Job.subject_id == draft["id"]))
        run_job(job, self._patient, self._sessions, self._store)
        return self.web.get(f"/cases/{case}/signature-drafts/{draft['id']}").json()


def unpacked(service, case, draft):
    """Return the files of the draft by their path in its folder."""
    assert draft["state"] == "ready", draft["reason"]
    content = service.web.get(f"/cases/{case}/signature-drafts/{draft['id']}/folder.zip").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name.split("/", 2)[2]: archive.read(name) for name in archive.namelist()}


@contextmanager
def served(settings, sessions, store):
    with sessions.begin() as session:
        token = accounts.create_api_token(session, name="drafts")
    app = create_app(settings, sessions=sessions, store=store)
    headers = {"Authorization": f"Bearer {token}"}
    with serving(app) as url, httpx.Client(base_url=f"{url}/api/v1", headers=headers) as web:
        yield Service(web, settings, sessions, store)


@pytest.fixture
def service(app_settings, sessions, store):
    with served(app_settings, sessions, store) as service:
        yield service


def test_a_closed_case_becomes_a_folder_whose_fixtures_pass(service, sessions, store, tmp_path):
    with sessions.begin() as session:
        case = closed_case(
            session, store, tmp_path, content=LOG + b"[ 9000.000000] swordfish: link is down\n"
        )
        number, case_id = case.number, case.id
    draft = service.drafted(number, replacements=[{"name": "host", "text": "swordfish"}])
    assert (draft["state"], draft["reason"]) == ("ready", "")
    report = draft["report"]
    assert (report["verdict"], report["problems"], report["texts"]) == ("match", [], 2)
    assert any(one["signature"] == "fs/fuse-server-hang" for one in report["look_alikes"])
    content = service.web.get(f"/cases/{number}/signature-drafts/{draft['id']}/folder.zip").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(tmp_path / "library")
    catalog = load_catalog(tmp_path / "library")
    whole = Catalog((*load_catalog().signatures, *catalog.signatures), ())
    proofs = fixtures_of("fs/my-hang", tmp_path / "library")
    assert [problems_of(one, whole if one.name == "pos-case" else catalog) for one in proofs] == [
        [] for _ in proofs
    ]
    folder = tmp_path / "library/fs/my-hang"
    texts = [path.read_text() for path in folder.rglob("*") if path.is_file() and "neg-" not in str(path)]
    assert not [one for one in texts if any(name in one for name in ("jdoe", "10.20.30.40", "swordfish"))]
    assert any("link is down" in one for one in texts)
    assert "the FUSE server of" in (folder / "story.md").read_text()
    with sessions() as session:
        kinds = list(session.scalars(select(Event.kind).where(Event.case_id == case_id).order_by(Event.id)))
    of_draft = [kind for kind in kinds if kind.startswith("signature-draft")]
    assert (of_draft[0], of_draft[-1]) == ("signature-draft.begun", "signature-draft.ready")


def test_evidence_without_a_feature_says_what_is_missing(service, sessions, store, tmp_path):
    with sessions.begin() as session:
        number = closed_case(session, store, tmp_path, content=b"[    1.000000] mydrv: link is up\n").number
    draft = service.drafted(number)
    assert draft["state"] == "failed"
    assert "add a perf script with kernel stacks" in draft["reason"]
    assert service.web.get(f"/cases/{number}/signature-drafts/{draft['id']}/folder.zip").status_code == 409


class Drafted(NamedTuple):
    """A draft and the files of its folder."""

    draft: dict[str, Any]
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def drafted(engine, settings, tmp_path_factory) -> Drafted:
    """A draft of packed evidence of a nameless case with names in it: each draft reads the whole library."""
    folder = tmp_path_factory.mktemp("drafted")
    own = settings_below(folder, settings)
    store = Store.open(own)
    log = LOG + b"[ 9000.000000] swordfish: link is down\n"
    with rolled_back(engine, Sent(), settings) as sessions, served(own, sessions, store) as service:
        with sessions.begin() as session:
            case = closed_case(session, store, folder, content=log, name="dmesg.txt.gz")
            store_evidence(session, store, folder, case, log, kernel_log, name="dmesg2.txt.xz")
            case.title = "dmesg.txt.gz and 2 more files"
            case.cause = "the FUSE server stopped. Then kraken-db3 was out of memory."
            number = case.number
        draft = service.drafted(number)
        return Drafted(draft, unpacked(service, number, draft))


def test_open_tokens_are_those_of_the_case_not_of_the_draft(drafted):
    tokens = [token for one in drafted.draft["report"]["open_classes"] for token in one["tokens"]]
    assert {"swordfish", "kraken-db3"} <= {one["text"] for one in tokens}
    written = [one for one in tokens if one["where"].endswith(("signature.yaml", "story.md"))]
    assert {one["text"] for one in written} == {"kraken-db3"}


def test_names_of_files_are_no_title(drafted):
    assert 'title: "the FUSE server stopped"' in drafted.files["signature.yaml"].decode()


def test_packed_evidence_is_packed_again(drafted):
    plain = drafted.files["evidence/pos-case/dmesg2.txt"]
    assert gzip.decompress(drafted.files["evidence/pos-case/dmesg.txt.gz"]) == plain
    assert b"blocked for more than" in plain
    assert drafted.draft["report"]["verdict"] == "match"


def test_a_signature_of_the_library_that_matches_too_is_named(drafted):
    assert drafted.draft["report"]["left"][0].startswith("fs/fuse-server-hang matches this evidence, too")


# Title and cause of a case, and the title of its signature. A draft reads all fixtures of the library.
NAMED = [
    (
        "dmesg.txt and 1 more file",
        "the FUSE server stopped. It was out of memory.",
        "the FUSE server stopped",
    ),
    ("dmesg.txt and 1 more file", "", "dmesg.txt and 1 more file"),
    ("A FUSE server hangs", "the FUSE server stopped.", "A FUSE server hangs"),
]


@pytest.mark.skipif(not IS_LONG, reason="`make sweeps` drafts with every kind of name")
@pytest.mark.parametrize("named", NAMED)
def test_a_title_is_that_of_the_case_or_its_cause(service, sessions, store, tmp_path, named):
    title, cause, expected = named
    with sessions.begin() as session:
        case = closed_case(session, store, tmp_path)
        case.title, case.cause, number = title, cause, case.number
    draft = service.drafted(number)
    assert f'title: "{expected}"' in unpacked(service, number, draft)["signature.yaml"].decode()


def test_what_the_library_explains_is_named(service, sessions, store, tmp_path):
    pages, limits = b"UDP: inuse 18 mem 762456\n", b"net.ipv4.udp_mem = 379728\t506307\t762456\n"
    with sessions.begin() as session:
        case = new_case(session, "datagrams are lost")
        for reader, path, content in (
            (proc_net_sockstat, "proc/net/sockstat", pages),
            (sysctl, "sos_commands/kernel/sysctl_-a", limits),
        ):
            store_evidence(
                session,
                store,
                tmp_path,
                case,
                content,
                reader,
                name=path.rpartition("/")[2],
                captured_path=path,
            )
        case.status, case.cause = Status.RESOLVED, "a socket that nobody reads"
        number = case.number
    assert service.drafted(number)["reason"].startswith(
        "the library explains this evidence: net/udp-memory-limit; no feature"
    )


def test_only_a_closed_case_and_a_free_name_are_accepted(service, sessions, store, tmp_path):
    with sessions.begin() as session:
        case = closed_case(session, store, tmp_path)
        taken, opened = case.number, new_case(session, "open").number
    url = "/cases/{}/signature-drafts"
    refused = service.web.post(url.format(opened), json={"signature_id": "fs/my-hang"})
    assert (refused.status_code, "is open" in refused.text) == (409, True)
    refused = service.web.post(url.format(taken), json={"signature_id": "fs/fuse-server-hang"})
    assert (refused.status_code, "choose another name" in refused.text) == (409, True)
    assert service.web.post(url.format(taken), json={"signature_id": "../x"}).status_code == 422


def test_the_command_downloads_the_folder(pipeline, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pipeline.sessions.begin() as session:
        number = closed_case(session, pipeline.store, tmp_path).number
        token = accounts.create_api_token(session, name="laptop")
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    with serving(app) as url:
        words = ["--case", str(number), "--url", url, "--token", token]
        library = ["signature", "--library", str(tmp_path / "library"), "from-case", "fs/my-hang", *words]
        done = CliRunner().invoke(main, library)
    assert done.exit_code == 0, done.output
    assert "2 files redacted, verdict match on its own evidence" in done.output
    assert (tmp_path / "library/fs/my-hang/evidence/pos-case/dmesg.txt").is_file()
