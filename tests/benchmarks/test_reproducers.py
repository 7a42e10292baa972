"""The table of reproducers names every scenario and every story, and states the outcome of each."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from signatures.document.catalog import load_catalog
from tools.reproduce import scenario, table

PAGE = Path(__file__).parents[2] / "benchmarks" / "REPRODUCERS.md"
PUBLISHED = Path(__file__).parents[2] / "benchmarks" / "published_evidence.yaml"


def rows(page):
    cells = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    return {row[0].split("`")[1]: row for row in cells}


def test_the_page_is_what_the_command_prints():
    assert PAGE.read_text() == table.written(), "make generate-signatures"


def test_every_scenario_and_every_pathology_of_a_published_story_is_in_it():
    shown = rows(table.written())
    assert shown.keys() >= set(scenario.names())
    told = {one.id for _, one in table.stories(load_catalog())}
    fires = {
        name for row in yaml.safe_load(PUBLISHED.read_text()).values() for name in (row.get("fires") or {})
    }
    general = {"mm/memcg-limit-reclaim"}
    assert shown.keys() >= told >= fires - general


def test_each_has_a_recording_or_the_reason_why_not_and_each_scenario_a_limit():
    for name, (_, title, kernel, evidence, verdict, guard) in rows(table.written()).items():
        assert evidence != "none" or ": " in verdict, name
        assert (title == "–") == (kernel == "–") == (guard == "–") == (name not in scenario.names()), name


def test_reasons_are_of_signatures_without_a_recording():
    assert not [name for name in table.not_shown() if table.recordings(name)]


def test_a_scenario_expects_the_verdict_of_a_recording():
    """Part of what it records may be kept as a fixture of its own, with less to say."""
    for name in scenario.names():
        folders = table.recordings(name)
        verdicts = {yaml.safe_load((folder / "expect.yaml").read_text())["verdict"] for folder in folders}
        assert not folders or scenario.load(name).verdict in verdicts, name


@pytest.mark.skipif(shutil.which("cc") is None, reason="cc is not installed")
@pytest.mark.parametrize("program", sorted(scenario.PROGRAMS.glob("*.c")), ids=lambda path: path.stem)
def test_the_program_of_a_scenario_compiles_without_a_warning(program):
    words = ["cc", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-fsyntax-only"]
    made = subprocess.run([*words, program], capture_output=True, text=True, check=False)
    assert (made.returncode, made.stderr) == (0, "")


def test_every_program_is_the_load_of_a_scenario():
    assert {scenario.load(name).load for name in scenario.names()} == {None, *scenario.PROGRAMS.glob("*.c")}
