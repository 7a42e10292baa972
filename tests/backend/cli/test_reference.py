"""`casebook formats` and `casebook facts` say what is read."""

from __future__ import annotations

import json

from click.testing import CliRunner

from backend.cli import main


def run(*words: str):
    return CliRunner().invoke(main, list(words))


def test_formats_lists_tools_and_files():
    told = run("formats").output
    assert "perf-script" in told
    assert "/proc/vmstat" in told


def test_one_format_shows_its_example_and_limit():
    told = run("formats", "vmstat").output
    assert "procs -----------memory" in told
    assert "MiB" in told


def test_an_unknown_format_is_named():
    asked = run("formats", "oprofile")
    assert asked.exit_code == 3
    assert "no format 'oprofile'" in asked.output


def test_facts_are_found_by_word():
    told = json.loads(run("facts", "throttled", "--json").output)
    assert "cgroup.cpu.throttled_seconds" in {entry["name"] for entry in told}


def test_no_fact_is_said():
    asked = run("facts", "temperature")
    assert asked.exit_code == 3
    assert "no fact speaks of" in asked.output
