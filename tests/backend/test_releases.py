"""What instances of earlier versions left behind is read by this one: `tools.release_fixtures` made it."""

from __future__ import annotations

import json
import lzma
import os
import shutil
import subprocess
import tarfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import jsonschema
import psycopg
import pytest
from click.testing import CliRunner

import cli
from backend.accounts import service as accounts
from backend.core.db import migrate
from backend.core.sessions import create_sessions
from backend.core.storage.object_store import Store
from backend.core.supervisor.programs import postgres_bin
from cli import main
from ingest.evidence import read_file
from ingest.model import reading_folder
from signatures.document.catalog import load_catalog
from signatures.handoff import bundle
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from tests.backend.applications import create_app
from tests.backend.conftest import serving, settings_below
from tools.release_fixtures import answers, of_instance

if TYPE_CHECKING:
    from backend.core.settings import Settings

RELEASES = Path("tests/data/releases")
SCHEMAS = Path(cli.__file__).parent / "reports"
BUILDS = Path("tests/data/builds")
OLD_LINKS = ("http://", "https://", "//")


@pytest.fixture(
    scope="module",
    params=sorted(path for path in RELEASES.iterdir() if path.is_dir()),
    ids=lambda path: path.name,
)
def release(request):
    return request.param


@pytest.fixture(scope="module")
def kept(release):
    return json.loads((release / "answers.json").read_text())


def unpacked(path: Path, folder: Path) -> Path:
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def backup(release, tmp_path_factory):
    return unpacked(release / "backup.tar.xz", tmp_path_factory.mktemp("backup"))


def empty_database(settings: Settings, name: str) -> str:
    with psycopg.connect(f"host={settings.run_dir} user=casebook dbname=postgres", autocommit=True) as server:
        server.execute(f"drop database if exists {name} with (force)")
        server.execute(f"create database {name}")
    return settings.effective_owner_url.replace("/casebook?", f"/{name}?")


def from_dump(release, backup, own: Settings) -> None:
    """Load the dump, move it to this version, and lay the objects beside it, as an upgrade finds them."""
    sql = lzma.decompress((release / "database.sql.xz").read_bytes())
    url = own.effective_owner_url.replace("+psycopg", "")
    loaded = subprocess.run(
        [postgres_bin(own) / "psql", "--quiet", "--set", "ON_ERROR_STOP=1", url],
        input=sql,
        capture_output=True,
        check=False,
    )
    assert loaded.returncode == 0, loaded.stderr
    own.data_dir.mkdir(parents=True)
    (own.data_dir / "seal.key").write_bytes((backup / "seal.key").read_bytes())
    (own.data_dir / "seal.key").chmod(0o600)
    shutil.copytree(backup / "store", own.data_dir / "store", copy_function=os.link)
    migrate.upgrade(own)


def from_backup(_release, backup, own: Settings) -> None:
    """Restore the backup by the command, which compares every row and object, and verifies the audit log."""
    environment = {
        "CASEBOOK_DATABASE_URL": own.effective_owner_url,
        "CASEBOOK_BROKER_URL": own.effective_broker_url,
        "CASEBOOK_DATA_DIR": str(own.data_dir),
    }
    done = CliRunner().invoke(main, ["restore", str(backup), "--json"], env=environment)
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["restored"]["audit_entries"] > 5
    assert document["restored"]["audit_problems"] == []
    assert document["restored"]["rows"] == sum(
        table["rows"] for table in json.loads((backup / "manifest.json").read_text())["tables"]
    )


@pytest.fixture(params=[from_dump, from_backup])
def web(request, settings, release, backup, tmp_path):
    """The API on what was left behind."""
    url = empty_database(settings, "released")
    own = settings_below(tmp_path, settings).model_copy(
        update={"database_url": url, "database_owner_url": url}
    )
    request.param(release, backup, own)
    sessions = create_sessions(own)
    try:
        with sessions.begin() as session:
            token = accounts.create_api_token(session, name="test")
        app = create_app(own, sessions=sessions, store=Store.open(own))
        headers = {"authorization": f"Bearer {token}"}
        with (
            serving(app) as address,
            httpx.Client(base_url=f"{address}/api/v1/", headers=headers, timeout=300) as client,
        ):
            yield client
    finally:
        sessions.kw["bind"].dispose()


def asking(client):
    def ask(method, path, **values):
        answer = client.request(method, path, **values)
        assert answer.is_success, f"{method} {path}: {answer.text}"
        is_json = bool(answer.content) and "json" in answer.headers.get("content-type", "")
        return answer.json() if is_json else answer.content

    return ask


def test_cases_verdicts_alarms_and_first_screens_are_what_they_were(web, kept, release):
    ask = asking(web)
    for case in kept["cases"]:
        assert answers(ask, case["number"]) == case
    assert of_instance(ask) == kept["instance"]
    ((handed, _),) = kept["instance"]["handoffs"]
    page = ask("GET", f"{handed}/case.html")
    assert page == member(release, "case.html")
    deleted = 1 + max(case["number"] for case in kept["cases"])
    ask("POST", f"cases/{deleted}/restore")
    assert ask("GET", f"cases/{deleted}")["title"] == "deleted"


def member(release, name):
    from ingest.model.zstd import zstd

    with (
        zstd.ZstdFile(release / "handoff.casebook.tar.zst") as stream,
        tarfile.open(fileobj=stream, mode="r|") as archive,
    ):
        for one in archive:
            if one.name == name:
                return archive.extractfile(one).read()
    raise AssertionError(name)


def test_a_bundle_is_verified_read_as_evidence_and_judged_as_its_findings_say(release):
    path = release / "handoff.casebook.tar.zst"
    assert bundle.verify(path).members > 10
    with path.open("rb") as stream:
        _, findings = bundle.read_manifest(stream)
    matches = {one.signature for one in findings if one.verdict == "match"}
    evidence = read_file(path)
    judged = judge(items_of([evidence]), load_catalog())
    assert matches
    assert matches <= {one.signature.id for one in judged if one.verdict == "match"}


def test_kept_readings_hold_the_profiles_that_the_api_listed(backup, kept):
    found = Counter()
    for header in sorted((backup / "store" / "readings").rglob("*.json*")):
        reading = reading_folder.load(header.parent)
        found.update((profile.event, profile.samples) for profile in reading.profiles)
    listed = Counter(tuple(one) for case in kept["cases"] for one in case["profiles"])
    assert listed
    assert listed <= found


def test_signatures_of_the_released_wheel_are_read(release, tmp_path):
    wheels = list(release.glob("*.whl"))
    if not wheels:
        pytest.skip("no wheel was kept")
    with zipfile.ZipFile(wheels[0]) as wheel:
        for name in wheel.namelist():
            if "/signatures/library/" in name:
                wheel.extract(name, tmp_path)
    (library,) = tmp_path.rglob("library")
    released = load_catalog(library)
    assert released.problems == ()
    names = {one.id for one in released.signatures}
    assert len(names) >= 87
    assert names <= {one.id for one in load_catalog().signatures}


def opened(schema):
    """Return a JSON Schema as one who ignores members that it does not name, and does without later ones."""
    if isinstance(schema, dict):
        closed = {"additionalProperties", "required"}
        return {name: opened(value) for name, value in schema.items() if name not in closed} | (
            {"additionalProperties": schema["additionalProperties"]}
            if isinstance(schema.get("additionalProperties"), dict)
            else {}
        )
    return [opened(one) for one in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("name", ["analyze", "upload", "diff"])
def test_a_report_is_read_by_the_schema_of_this_version(release, name):
    schema = json.loads(next(SCHEMAS.parent.rglob(f"{name}.schema.json")).read_text())
    report = json.loads((release / f"{name}.json").read_text())
    problems = [
        f"{one.json_path}: {one.message[:200]}" for one in validator(opened(schema)).iter_errors(report)
    ]
    assert problems == []


def validator(schema):
    return jsonschema.validators.validator_for(schema)(schema)


def test_a_build_is_compared_with_a_kept_baseline(release, tmp_path):
    folder = unpacked(release / "baselines.tar.xz", tmp_path)
    names = ["--project", "shop", "--benchmark", "checkout", "--machine", "ci"]
    words = ["diff", "--baseline", str(folder), *names, "--format", "json", "--new"]
    done = CliRunner().invoke(main, [*words, *(str(BUILDS / f"slower-{run}.script.zst") for run in (1, 2))])
    assert done.exit_code in {0, 4, 8, 9}, done.output
    report = json.loads(done.stdout)
    assert report["base"]
