"""`casebook formats` and `casebook facts` list what readers support."""

from __future__ import annotations

import json

from click.testing import CliRunner

from cli import main


def run(*words: str):
    return CliRunner().invoke(main, list(words))


def test_formats_lists_tools_and_files():
    output = run("formats").output
    assert "perf-script" in output
    assert "/proc/vmstat" in output


def test_one_format_shows_its_example_and_limit():
    output = run("formats", "vmstat").output
    assert "procs -----------memory" in output
    assert "MiB" in output


def test_an_unknown_format_is_named():
    asked = run("formats", "oprofile")
    assert asked.exit_code == 3
    assert "no format 'oprofile'" in asked.output


def test_facts_are_found_by_word():
    output = json.loads(run("facts", "throttled", "--json").output)
    assert "cgroup.cpu.throttled_seconds" in {entry["name"] for entry in output}


def test_no_matching_fact_exits_with_3():
    asked = run("facts", "perihelion")
    assert asked.exit_code == 3
    assert "no fact speaks of" in asked.output
