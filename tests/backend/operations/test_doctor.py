"""`casebook doctor` finds what is wrong with an installation, also when nothing of it runs."""

from __future__ import annotations

import json

import psycopg
import pytest
from click.testing import CliRunner

from backend.core.settings import Settings
from backend.operations.doctor import machine, services
from backend.operations.doctor.checks import Checkup
from cli import main
from tests.cluster import create_database

JOB = (
    "insert into job (id, kind, key, queue, payload, state, attempt, worker, last_error, run_after,"
    " lease_until, finished_at, generation) values (gen_random_uuid(), 'evidence.read', 'k', 'light', '{}',"
    " '%s', 1, '', '', now() - interval '20 minutes', now() - interval '20 minutes', now(),"
    " gen_random_uuid())"
)
LATER = (
    "insert into audit_entry values"
    " (1, now() + interval '1 hour', null, '', '', null, '', null, '', false, '', '', '')"
)
KEY = "update audit_head set key_id = '%s'"
AT = "update alembic_version set version_num = '%s'"
NO_JOB = "delete from job"
SITUATIONS = {
    "nothing": ("select 1", "", "migrations", "ok", "that of this version"),
    "the data directory is another": ("select 1", "", "instance", "problem", "not that of the database"),
    "a job waits without workers": (JOB % "queued", NO_JOB, "jobs", "problem", "no worker has reported"),
    "a lease is over": (JOB % "running", NO_JOB, "jobs", "problem", "1 lost their worker"),
    "a job failed": (JOB % "failed", NO_JOB, "jobs", "warning", "1 of evidence.read"),
    "the key is another": (KEY % "another", KEY % "", "key", "problem", "there is no key"),
    "the clock went back": (LATER, "", "time", "problem", "yet to come"),
    "the tables are older": (AT % "0001", "", "migrations", "problem", "at migration 0001"),
    "the tables are newer": (AT % "7777", "", "migrations", "problem", "newer version"),
}
"""What happens, how it ends, and the check that finds it. The last three do not end."""


def test_with_nothing_there_every_problem_has_a_remedy(tmp_path, monkeypatch):
    monkeypatch.delenv("CASEBOOK_DATABASE_URL", raising=False)
    asked = CliRunner().invoke(main, ["doctor", "--json", "--data-dir", str(tmp_path / "absent")])
    assert asked.exit_code == 4, asked.output
    checks = {one["name"]: one for one in json.loads(asked.output)}
    states = {name: one["state"] for name, one in checks.items()}
    assert states.pop("clock") in {"ok", "warning", "unknown"}
    assert states == {
        "version": "ok",
        "data directory": "problem",
        "sandbox": "ok",
        "service": "warning",
        "database": "problem",
        "migrations": "unknown",
        "jobs": "unknown",
        "key": "unknown",
        "broker": "problem",
        "store": "unknown",
    }
    assert all(one["remedy"] for one in checks.values() if one["state"] in {"problem", "warning"})
    assert not (tmp_path / "absent").exists(), "it changes nothing"


def results(settings, checks):
    checkup = Checkup(settings)
    for name, check in checks:
        checkup.run(name, check)
    return {one.name: one for one in checkup.checks}


def test_a_working_installation_has_no_problem(settings):
    found = results(settings, [*services.CHECKS, *machine.CHECKS[1:3]])
    assert {one.name: one.finding for one in found.values() if one.state not in {"ok", "warning"}} == {}
    assert found.keys() >= {"database", "migrations", "time", "jobs", "key", "broker", "store", "disk"}


def test_each_situation_is_found_by_its_check(settings, tmp_path):
    own = Settings(data_dir=tmp_path, database_url=create_database(settings, "doctor"))
    for situation, (begin, end, name, state, words) in SITUATIONS.items():
        with psycopg.connect(f"host={settings.run_dir} user=casebook dbname=doctor") as connection:
            connection.execute(begin)
        found = results(own, [("database", services.check_database)])
        assert (found[name].state, words in found[name].finding) == (state, True), (situation, found[name])
        if end:
            with psycopg.connect(f"host={settings.run_dir} user=casebook dbname=doctor") as connection:
                connection.execute(end)


@pytest.mark.parametrize(
    ("mode", "min_free_bytes", "name", "state"),
    [(0o700, 1 << 60, "disk", "problem"), (0o755, 1, "data directory", "warning"), (0o700, 1, "disk", "ok")],
)
def test_disk_and_directory_are_checked(tmp_path, mode, min_free_bytes, name, state):
    tmp_path.chmod(mode)
    own = Settings(data_dir=tmp_path, min_free_bytes=min_free_bytes)
    assert results(own, machine.CHECKS[1:3])[name].state == state


def test_an_invalid_setting_is_a_finding(monkeypatch):
    monkeypatch.setenv("CASEBOOK_PORT", "high")
    asked = CliRunner().invoke(main, ["doctor"])
    assert (asked.exit_code, "CASEBOOK_PORT" in asked.output) == (4, True)
