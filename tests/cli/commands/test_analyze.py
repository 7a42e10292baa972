"""`casebook analyze --format json`: cited findings from files, archives and standard input."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from cli import main
from tests.cli.analyze_run import DATA, LIBRARY, THRASH, document
from tests.cli.reports.test_report_shapes import schema_of


def signatures_of(report):
    return [one for one in report["findings"] if one["kind"] == "signature"]


@pytest.mark.parametrize(
    "path",
    [
        THRASH,
        DATA / "published" / "vanishing-cpu",
        DATA / "published" / "network-stalls",
        DATA / "published" / "new-linux-kernel",
        DATA / "sosreport",
        DATA / "kernel-log",
        DATA / "bad",
    ],
    ids=lambda path: path.name,
)
@pytest.mark.parametrize("more", [[], ["--all"]], ids=["listed", "all"])
def test_json_is_what_the_committed_schema_says(path, more):
    errors = schema_of("analyze").iter_errors(document(path, *more))
    assert [error.message for error in errors] == []


def test_a_directory_is_walked_and_its_paths_are_captured_paths():
    result = document(THRASH)
    paths = {evidence["captured_path"] for evidence in result["evidence"]}
    assert "cg_during/memory.limit_in_bytes" in paths
    [match] = [finding for finding in signatures_of(result) if finding["verdict"] == "match"]
    assert match["signature"] == "mm/memcg-limit-reclaim"
    cited = {citation["evidence"] for clause in match["clauses"] for citation in clause["citations"]}
    assert cited <= paths


def test_all_shows_every_signature_and_the_default_only_what_matters():
    every = signatures_of(document(THRASH, "--all"))
    listed = signatures_of(document(THRASH))
    assert len(every) == len(list(LIBRARY.glob("*/*/signature.yaml")))
    assert {finding["signature"] for finding in listed} < {finding["signature"] for finding in every}


def test_samples_and_sections_are_listed():
    [evidence] = document(DATA / "perf-script" / "memcg-reclaim.default.txt")["evidence"]
    [section] = evidence["sections"]
    assert (section["format"], section["first_line"]) == ("perf-script", 1)
    assert section["profiles"] == [
        {"event": "cpu-clock:ppp", "unit": "period:cpu-clock:ppp", "samples": 40, "weight": 404040400}
    ]


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress], ids=["plain", "gzip"])
def test_standard_input_is_read_compressed_or_not(pack):
    text = (DATA / "published/vanishing-cpu/perf-top.shrink_lruvec.txt").read_bytes()
    result = document("-", stdin=pack(text))
    assert [(one["name"], one["state"]) for one in result["evidence"]] == [("standard input", "read")]
    assert signatures_of(result)[0]["verdict"] == "suspect"


def test_a_sosreport_is_read_as_its_members():
    result = document(next((DATA / "sosreport").glob("*.tar.xz")))
    facts = {
        fact["name"]
        for evidence in result["evidence"]
        for section in evidence["sections"]
        for fact in section["facts"]
    }
    assert facts >= {"kernel.release", "boot.cmdline", "meminfo.memtotal_bytes", "memcg.events.oom_kill"}


def test_not_matched_findings_are_omitted_from_json():
    findings = document(DATA / "sosreport")["findings"]
    assert {finding["verdict"] for finding in findings} <= {"match", "suspect", "unknown"}


def test_a_name_that_is_no_utf8_keeps_the_json_readable(tmp_path):
    (tmp_path / os.fsdecode(b"a\xff.txt")).write_text("hello\n")
    command = [sys.executable, "-m", "cli", "analyze", str(tmp_path), "--format"]
    result = subprocess.run([*command, "json"], capture_output=True, check=True).stdout
    assert json.loads(result.decode("utf-8"))["evidence"][0]["state"] == "read"
    assert b"a\\xff.txt" in subprocess.run([*command, "text"], capture_output=True, check=True).stdout


def test_the_demonstration_needs_no_evidence_and_takes_none():
    result = CliRunner().invoke(main, ["analyze", "--demo", "--format", "json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["findings"][0]["verdict"] == "match"
    for arguments in (["--demo", str(THRASH)], []):
        assert CliRunner().invoke(main, ["analyze", *arguments]).exit_code == 2
