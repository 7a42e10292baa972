"""`casebook waits`: the wait graph in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from cli import main

HANGS = Path(__file__).parents[2] / "data" / "recorded" / "hangs"


def run(*arguments):
    return CliRunner().invoke(main, ["waits", *(str(one) for one in arguments)])


def test_the_first_line_names_the_root_blocker():
    result = run(HANGS / "fuse-server-stops" / "dmesg.txt")
    assert result.exit_code == 0
    first = result.stdout.splitlines()[0]
    assert first == "4 tasks wait behind mkdir:14954, which waits for reply of a FUSE server"
    assert "request_wait_answer" in result.stdout
    assert "[reported]" in result.stdout


def test_formats_are_mermaid_and_json():
    path = HANGS / "loop-device-stalls"
    assert run(path, "--format", "mermaid").stdout.startswith("flowchart LR\n")
    (graph,) = json.loads(run(path, "--format", "json").stdout)["graphs"]
    assert graph["roots"][0]["task"] == "kworker/u8:3+loop0:3152"
    assert {link["certainty"] for link in graph["links"]} == {"inferred"}


def test_evidence_without_tasks_is_refused_with_advice(tmp_path):
    (tmp_path / "free.txt").write_text("nothing of interest\n")
    result = run(tmp_path / "free.txt")
    assert result.exit_code == 3
    assert "sysrq-trigger" in result.stderr
