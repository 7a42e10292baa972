"""CI reports validate against the schemas of their consumers, whatever the text."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import jsonschema
import pytest
import xmlschema
from click.testing import CliRunner

from cli import main
from cli.process import exits
from signatures.rendering import issues, junit, sarif
from tests.cli.analyze_run import LIBRARY
from tests.cli.builds import BASE, SLOWER, WORK

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "data" / "perf-script"
RECLAIM = DATA / "memcg-reclaim.default.txt"
HEALTHY = DATA / "healthy-database.fields_full.txt.gz"
HOSTILE = "a\x1b[31m\x00<&\"'\ud800\udcff\ufffe | `b` \u202e.txt"


def analyze(*words, **options):
    return CliRunner().invoke(main, ["analyze", *map(str, words)], **options)


@cache
def junit_schema():
    return xmlschema.XMLSchema(HERE / "schemas/junit-10.xsd")


@cache
def sarif_schema():
    return jsonschema.Draft7Validator(json.loads((HERE / "schemas/sarif-2.1.0.json").read_text()))


def junit_of(text: str):
    """Return the suite, once the schema took it."""
    junit_schema().validate(text)
    return xmlschema.XMLResource(text).root


def sarif_of(text: str):
    """Return the run, once the schema took it."""
    document = json.loads(text)
    sarif_schema().validate(document)
    (run,) = document["runs"]
    return run


def test_odd_file_names_are_escaped_in_every_report():
    check = junit.Check(
        HOSTILE, HOSTILE, "rejected", failures=(HOSTILE, "b"), errors=(HOSTILE,), output=(HOSTILE,)
    )
    suite = junit_of(junit.junit(HOSTILE, [check]))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "1", "1")
    assert suite[0].get("name").startswith("a\\x1b[31m\\x00<&")
    result = {
        "ruleId": "r",
        "message": {"text": "m"},
        "locations": [{"physicalLocation": sarif.place(HOSTILE, 0, 0)}],
    }
    text = sarif.sarif([{"id": "r"}], [result], version="1", notices=["n"])
    (place,) = sarif_of(text)["results"][0]["locations"]
    assert place["physicalLocation"]["region"] == {"startLine": 1, "endLine": 1}


def test_a_slower_build_fails_in_every_report():
    words = ["diff", "--base", *BASE, "--new", *SLOWER, "--work", WORK]
    suite = junit_of(CliRunner().invoke(main, [*words, "--format", "junit"]).stdout)
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "3", "0")
    run = sarif_of(CliRunner().invoke(main, [*words, "--format", "sarif"]).stdout)
    assert {one["level"] for one in run["results"]} == {"error"}


def test_a_finding_that_meets_the_expression_exits_with_4_in_every_report(tmp_path):
    files = [tmp_path / name for name in ("casebook.xml", "casebook.sarif", "casebook.md", "casebook.json")]
    outputs = [word for file in files for word in ("-o", file)]
    result = analyze(RECLAIM, "--fail-on", "verdict>=suspect and signature=mm/*", *outputs, "-o", "-")
    assert result.exit_code == 4, result.output
    suite = junit_of(files[0].read_text())
    assert (suite.get("failures"), suite.get("errors")) == ("1", "0")
    run = sarif_of(files[1].read_text())
    error = next(one for one in run["results"] if one["level"] == "error")
    assert error["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    place = error["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == RECLAIM.name
    assert place["region"]["startLine"] > 1
    assert error["ruleId"] in files[2].read_text()
    assert json.loads(files[3].read_text())["findings"]
    assert error["ruleId"] in result.stdout
    assert f"signature=mm/*': {error['ruleId']}" in result.stderr


def test_absent_findings_fail_no_build():
    result = analyze(RECLAIM, "--fail-on", "severity>=critical", "--format", "junit")
    assert result.exit_code == 0
    assert junit_of(result.stdout).get("failures") == "0"
    assert "'severity>=critical': not met" in result.stderr


def test_unreadable_evidence_is_not_a_clean_result(tmp_path):
    junk = tmp_path / "junk.bin"
    junk.write_bytes(bytes(range(256)) * 40)
    result = analyze(RECLAIM, junk, "--fail-on", "severity>=critical", "--format", "junit")
    assert result.exit_code == 5
    suite = junit_of(result.stdout)
    (error,) = suite.iter("error")
    assert (suite.get("errors"), error.get("type")) == ("1", "rejected")
    assert analyze(RECLAIM, junk).exit_code == 0
    notice = sarif_of(analyze(RECLAIM, junk, "--format", "sarif").stdout)["invocations"][0]
    assert "junk.bin: rejected" in notice["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("severity>=huge", "use low, medium, high or critical"),
        ("signature=mm/none", "unknown signature"),
    ],
)
def test_a_wrong_expression_ends_with_2(expression, sentence):
    result = analyze(RECLAIM, "--fail-on", expression)
    assert (result.exit_code, sentence in result.stderr) == (2, True)


def test_an_oom_kill_is_no_affected_kernel():
    words = [LIBRARY / "mm/host-oom/evidence/pos-tmpfs/dmesg.txt", "--fail-on"]
    assert analyze(*words, "affected=affected").exit_code == 0
    assert analyze(*words, "affected!=affected").exit_code == 0
    assert analyze(*words, "signature=mm/host-oom").exit_code == exits.CHECK_FAILED


def test_annotations_escape_what_would_end_them():
    text = issues.workflow_commands(
        [
            issues.Issue("a:b,c", "note", "50 %\nof it", "x", 1, "k"),
            issues.Issue("worse", "error", "::warning::", "x", 1, "k"),
        ],
        ["no stacks"],
        summary="two findings",
        report_at="",
    )
    assert text.splitlines() == [
        "::error title=worse::::warning::",
        "::notice title=a%3Ab%2Cc::50 %25\\x0aof it",
        "::warning title=casebook::no stacks",
    ]


def test_one_command_writes_every_report_and_they_point_at_the_repository(tmp_path):
    files = {
        "annotations": tmp_path / "annotations.txt",
        "codequality": tmp_path / "quality.json",
        "metrics": tmp_path / "metrics.txt",
        "sarif": tmp_path / "growth.sarif",
    }
    outputs = [word for form, path in files.items() for word in ("-o", f"{form}:{path}")]
    words = ["diff", "--base", *BASE, "--new", *SLOWER, "--work", WORK, "--report-at", "ci/load-test.sh"]
    assert CliRunner().invoke(main, [*words, *outputs]).exit_code == 4
    assert (
        files["annotations"]
        .read_text()
        .startswith("::error file=ci/load-test.sh,title=total-growth::CPU time +")
    )
    quality = json.loads(files["codequality"].read_text())
    assert {one["location"]["path"] for one in quality} == {"ci/load-test.sh"}
    assert len({one["fingerprint"] for one in quality}) == len(quality) > 1
    assert 'casebook_total_per_unit{measure="cpu",build="new"} ' in files["metrics"].read_text()
    found = sarif_of(files["sarif"].read_text())
    rules = {one["id"] for one in found["tool"]["driver"]["rules"] if one["help"]["text"]}
    for one in found["results"]:
        assert one["ruleId"] in rules
        assert one["partialFingerprints"]
        assert one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "ci/load-test.sh"
        assert one["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith(".zst")


def test_fingerprints_stay_the_same_when_the_figures_change(tmp_path):
    def prints(new):
        path = tmp_path / "quality.json"
        CliRunner().invoke(
            main, ["diff", "--base", *BASE, "--new", *new, "--work", WORK, "-o", f"codequality:{path}"]
        )
        return {
            one["fingerprint"] for one in json.loads(path.read_text()) if one["check_name"] == "total-growth"
        }

    assert prints(SLOWER) == prints(SLOWER[:5]) != set()
