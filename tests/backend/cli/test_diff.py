"""`casebook diff`: compare two recordings, for people and for CI."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from backend.cli import main
from tests.backend.cli.test_report_shapes import schema_of

DATA = Path(__file__).parents[2] / "data" / "perf-script"
HEALTHY = DATA / "healthy-database.fields_full.txt.gz"
RECLAIM = DATA / "memcg-reclaim.default.txt"
EVENTS = DATA / "memcg-reclaim.tracepoints_vmscan.txt"
LIMIT = ("--max-growth", "kernel.filemap_fault=+5%")


def run(*arguments, **options):
    return CliRunner().invoke(main, ["diff", *(str(one) for one in arguments)], **options)


def test_without_a_limit_the_largest_changes_are_listed():
    result = run(HEALTHY, RECLAIM)
    assert result.exit_code == 0
    assert "kernel.filemap_fault" in result.stdout
    assert "No limit was given" in result.stdout


def test_beyond_a_limit_it_fails_and_names_the_function():
    result = run(HEALTHY, RECLAIM, *LIMIT)
    assert result.exit_code == 4
    assert "1 function grew more than allowed" in result.stdout
    assert run(RECLAIM, HEALTHY, *LIMIT).exit_code == 0


def test_insignificant_growth_fails_only_in_strict_mode():
    document = json.loads(run(HEALTHY, RECLAIM, "--format", "json").stdout)
    [fault] = [one for one in document["functions"] if one["function"] == "kernel.filemap_fault"]
    gained = (fault["new_share"] - fault["base_share"]) * 100
    close = ("--max-growth", f"kernel.filemap_fault=+{gained - 0.5:.1f}%")
    result = run(HEALTHY, RECLAIM, *close)
    assert (result.exit_code, "may be chance" in result.stdout) == (0, True)
    assert run(HEALTHY, RECLAIM, *close, "--strict").exit_code == 4


def test_a_recording_does_not_differ_from_itself():
    result = run(RECLAIM, RECLAIM, "--max-growth", ".*=+0%", "--format", "markdown")
    assert result.exit_code == 0
    assert "No function changed by more than chance explains." in result.stdout


def test_json_says_everything():
    document = json.loads(run(HEALTHY, RECLAIM, *LIMIT, "--format", "json").stdout)
    schema_of("diff").validate(document)
    assert document["failed"] is True
    assert document["new"] == {"path": str(RECLAIM), "samples": 40}
    assert document["beyond"] == [{"function": "kernel.filemap_fault", "limit": LIMIT[1], "is_sure": True}]


def test_junit_has_a_case_for_every_limit(tmp_path):
    output = tmp_path / "growth.xml"
    result = run(
        HEALTHY, RECLAIM, *LIMIT, "--max-growth", "user.nobody=+5%", "--format", "junit", "-o", output
    )
    suite = ET.fromstring(output.read_text())  # noqa: S314 - our own
    assert (result.exit_code, result.stdout) == (4, "")
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.find("failure") is not None for case in suite.iter("testcase")] == [True, False]


def test_sarif_points_at_the_line_where_the_function_is_first_seen():
    document = json.loads(run(HEALTHY, RECLAIM, *LIMIT, "--format", "sarif").stdout)
    [result] = document["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    line = RECLAIM.read_text().splitlines()[place["region"]["startLine"] - 1]
    assert (result["level"], "filemap_fault" in line) == ("error", True)


def test_standard_input_is_one_of_them():
    result = run("-", RECLAIM, input=RECLAIM.read_text())
    assert (result.exit_code, "40 samples in -" in result.stdout) == (0, True)
    assert run("-", "-").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((HEALTHY, RECLAIM, "--max-growth", "kernel"), "write PATTERN=+5%"),
        ((RECLAIM, EVENTS), "choose one with --event"),
        ((RECLAIM, RECLAIM, "--focus", "/lru(/"), "no regular expression"),
    ],
)
def test_a_malformed_limit_is_reported_with_the_syntax(arguments, sentence):
    result = run(*arguments)
    assert (result.exit_code, sentence in result.stderr) == (2, True)


def test_a_recording_without_stacks_is_an_error(tmp_path):
    nothing = tmp_path / "notes.txt"
    nothing.write_text("nothing to see\n")
    assert run(RECLAIM, nothing).exit_code == 3
    assert run(RECLAIM, RECLAIM, "--focus", "nobody_calls_this").exit_code == 3
