"""`casebook analyze`: evidence in, cited findings out, and a sentence for everything that cannot be read."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

import backend.cli
from backend.cli import main

DATA = Path(__file__).parents[2] / "data"
LIBRARY = Path(backend.cli.__file__).parents[2] / "signatures" / "library"
THRASH = LIBRARY / "mm/memcg-limit-reclaim/evidence/pos-cgroup-v1-refaults"
SCHEMA = json.loads(Path(backend.cli.__file__).with_name("analyze.schema.json").read_text())


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, ["analyze", *(str(one) for one in arguments)], input=stdin)


def document(*arguments, stdin=None):
    told = run("--format", "json", *arguments, stdin=stdin)
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout)


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
    jsonschema.Draft202012Validator(SCHEMA).validate(document(path, *more))


def test_a_directory_is_walked_and_its_paths_are_captured_paths():
    told = document(THRASH)
    paths = {evidence["captured_path"] for evidence in told["evidence"]}
    assert "cg_during/memory.limit_in_bytes" in paths
    [match] = [finding for finding in told["findings"] if finding["verdict"] == "match"]
    assert match["signature"] == "mm/memcg-limit-reclaim"
    cited = {citation["evidence"] for clause in match["clauses"] for citation in clause["citations"]}
    assert cited <= paths


def test_all_shows_every_signature_and_the_default_only_what_matters():
    every = document(THRASH, "--all")["findings"]
    listed = document(THRASH)["findings"]
    assert len(every) == len(list(LIBRARY.glob("*/*/signature.yaml")))
    assert {finding["signature"] for finding in listed} < {finding["signature"] for finding in every}


def test_samples_and_sections_are_told():
    [evidence] = document(DATA / "perf-script" / "memcg-reclaim.default.txt")["evidence"]
    [section] = evidence["sections"]
    assert (section["format"], section["first_line"]) == ("perf-script", 1)
    assert section["profiles"] == [
        {"event": "cpu-clock:ppp", "unit": "period:cpu-clock:ppp", "samples": 40, "weight": 404040400}
    ]


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress], ids=["plain", "gzip"])
def test_standard_input_is_read_compressed_or_not(pack):
    text = (DATA / "published/vanishing-cpu/perf-top.shrink_lruvec.txt").read_bytes()
    told = document("-", stdin=pack(text))
    assert [(one["name"], one["state"]) for one in told["evidence"]] == [("standard input", "read")]
    assert told["findings"][0]["verdict"] == "suspect"


def test_a_sosreport_is_read_as_its_members():
    told = document(next((DATA / "sosreport").glob("*.tar.xz")))
    facts = {
        fact["name"]
        for evidence in told["evidence"]
        for section in evidence["sections"]
        for fact in section["facts"]
    }
    assert facts >= {"kernel.release", "boot.cmdline", "meminfo.memtotal_bytes", "memcg.events.oom_kill"}


def test_text_names_verdict_conditions_and_lines():
    told = run(DATA / "published" / "vanishing-cpu")
    assert told.exit_code == 0
    assert "MATCH     mm/shrink-lruvec-livelock" in told.stdout
    assert "perf-top.shrink_lruvec.txt:4" in told.stdout
    assert "Collect next" in told.stdout
    assert "skipped once, first at line 1: begin not seen" in told.stdout
    assert "\x1b[" not in told.stdout


def test_markdown_is_a_table_to_paste():
    told = run("--format", "markdown", DATA / "published" / "vanishing-cpu")
    assert told.stdout.startswith("## match: ")
    assert "| condition | state | observed | threshold | where |" in told.stdout


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("empty.txt", "the file is empty"),
        ("junk.bin", "binary data"),
        ("truncated.txt.gz", "gzip stream ends early after 25,638 decoded bytes"),
        ("perf.script", "this is a JPEG picture"),
        ("perf.data", "this is a binary perf.data file: run `perf script"),
        ("escaping.tar", "every path leaves the archive: '../../etc/cron.d/x'"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence_and_exit_3(name, sentence):
    told = run(DATA / "bad" / name)
    assert told.exit_code == 3
    assert f"rejected  {name}: " in told.stdout
    assert sentence in told.stdout


def test_a_bad_file_does_not_keep_its_neighbours_from_being_read():
    told = document(DATA / "bad" / "empty.txt", DATA / "published/vanishing-cpu/perf-top.shrink_lruvec.txt")
    assert [one["state"] for one in told["evidence"]] == ["rejected", "read"]
    assert told["findings"]


def test_a_directory_of_what_may_not_be_read_says_so(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    locked = tmp_path / "locked.txt"
    locked.write_text("x")
    locked.chmod(0)
    told = run(tmp_path)
    assert told.exit_code == 3
    assert "Permission denied" in told.stdout


def test_a_path_that_is_not_there_is_a_usage_error():
    told = run("no-such-file")
    assert told.exit_code == 2
    assert "'no-such-file' does not exist" in told.stderr


def test_a_reader_that_goes_away_is_no_error():
    command = [sys.executable, "-m", "backend.cli", "analyze", str(THRASH), "--all", "--format", "json"]
    told = subprocess.run(
        ["sh", "-c", '"$@" | head -n 1; exit 0', "sh", *command], capture_output=True, text=True, check=False
    )
    assert told.stdout == "{\n"
    assert "Traceback" not in told.stderr
    assert "BrokenPipe" not in told.stderr
