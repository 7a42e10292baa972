"""`casebook reprocess` counts, begins and cancels runs of a service."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cli import main


@pytest.fixture
def reprocess(address, token):
    def run(*words: str):
        return CliRunner().invoke(main, ["reprocess", *words, "--url", address, "--token", token])

    return run


def test_a_dry_run_counts_and_begins_nothing(reprocess, web):
    result = reprocess("--dry-run")
    assert result.exit_code == 0, result.output
    assert "0 cases to judge" in result.stdout
    assert web.get("/reprocess-runs").json()["items"] == []


def test_a_run_is_begun_and_cancelled_and_a_second_one_is_refused_meanwhile(reprocess):
    begun = reprocess("--no-wait", "--json", "--older-than", "90d")
    assert begun.exit_code == 0, begun.output
    assert json.loads(begun.stdout)["state"] == "running"
    second = reprocess("--no-wait")
    assert second.exit_code == 3, second.output
    assert "in progress" in second.stderr
    cancelled = reprocess("--cancel", "--json")
    assert json.loads(cancelled.stdout)["state"] == "cancelled"
    assert reprocess("--cancel").exit_code == 1


@pytest.mark.parametrize("words", [("--older-than", "90"), ("--until", "2026-01-01", "--older-than", "1d")])
def test_an_age_without_unit_and_two_ends_are_usage_errors(reprocess, words):
    assert reprocess(*words).exit_code == 2
