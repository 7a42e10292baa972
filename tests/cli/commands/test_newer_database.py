"""A database of a newer version stops every command that opens it, with the version that it needs."""

from __future__ import annotations

import signal

import psycopg
import pytest
from click.testing import CliRunner

from backend.core.db import migrate
from backend.core.version import VERSION
from cli import main
from tests.cluster import create_database

COMMANDS = (["migrate"], ["worker"], ["reap"], ["api"], ["token", "list"], ["audit", "verify"])
"""`serve` migrates by the function that `migrate` calls."""


@pytest.fixture(scope="module")
def database(settings):
    return create_database(settings, "newer")


@pytest.fixture(autouse=True)
def _handlers_of_signals():
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def run(database, tmp_path, monkeypatch):
    monkeypatch.setenv("CASEBOOK_DATABASE_URL", database)
    monkeypatch.setenv("CASEBOOK_DATABASE_OWNER_URL", database.replace("casebook_app@", "casebook@"))
    monkeypatch.setenv("CASEBOOK_BROKER_URL", "redis://127.0.0.1:9/0")
    monkeypatch.setenv("CASEBOOK_DATA_DIR", str(tmp_path / "data"))
    return lambda words: CliRunner().invoke(main, words)


def set_revision(settings, revision, *, version):
    with psycopg.connect(f"host={settings.run_dir} user=casebook dbname=newer") as connection:
        connection.execute("update alembic_version set version_num = %s", [revision])
        connection.execute("delete from schema_version")
        if version:
            connection.execute("insert into schema_version values (%s, %s)", [revision, version])


def test_an_upgrade_records_the_version_that_made_it(run, settings):
    set_revision(settings, migrate.head(), version="")
    assert run(["migrate"]).exit_code == 0
    with psycopg.connect(f"host={settings.run_dir} user=casebook dbname=newer") as connection:
        rows = connection.execute("select revision, version from schema_version").fetchall()
    assert rows == [(migrate.head(), VERSION)]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_states_the_version_it_needs(words, run, settings):
    set_revision(settings, "7777", version="9.1.0")
    done = run(words)
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert done.output.startswith("Error: the database was migrated by Casebook 9.1.0 (migration 7777)")
    assert f"this is Casebook {VERSION}" in done.output
    assert done.output.count("\n") == 1


def test_a_newer_migration_without_a_record_is_a_sentence_too(run, settings):
    set_revision(settings, "7777", version="")
    done = run(["migrate"])
    assert (done.exit_code, "by a newer version of Casebook" in done.output) == (1, True)
