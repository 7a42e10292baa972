"""`casebook signature`: the library from a terminal."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from cli import main
from signatures.authoring.fixture_tests import Fixture, problems_of
from signatures.document.catalog import load_catalog
from signatures.document.files import LIBRARY

PUBLISHED = Path(__file__).parents[2] / "data" / "published"


def run(*arguments):
    return CliRunner().invoke(main, ["signature", *(str(one) for one in arguments)])


def test_list_names_every_signature_with_status_and_title():
    lines = run("list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [one.id for one in load_catalog().signatures]
    assert {"stable", "draft"} >= {line.split()[1] for line in lines}
    assert len(json.loads(run("list", "--format", "json").stdout)) == len(lines)


def test_show_prints_conditions_fixes_and_story():
    result = run("show", "shrink-lruvec-livelock").stdout
    for words in ("Conditions", "scan_self", "What helps", "risk:", "## "):
        assert words in result
    assert json.loads(run("show", "mm/shrink-lruvec-livelock", "--format", "json").stdout)["story"]


def test_an_unknown_signature_is_a_usage_error_that_says_where_to_look():
    result = run("show", "mm/nothing")
    assert result.exit_code == 2
    assert "see `casebook signature list`" in result.stderr


def test_explain_goes_through_the_conditions_of_one():
    result = run("explain", "mm/shrink-lruvec-livelock", PUBLISHED / "vanishing-cpu" / "pidstat.txt")
    assert result.exit_code == 0
    assert "+ All of its CPU time is kernel time [kernel_bound]: 100 %" in result.stdout
    assert "? Reclaim frees next to nothing [no_progress] - not looked at" in result.stdout
    assert "mm/mmap-lock" not in result.stdout


def test_test_judges_the_evidence_of_one_signature():
    result = run("test", "mm/percpu-rss-drift")
    assert result.exit_code == 0
    assert "ok    mm/percpu-rss-drift  pos-constructed" in result.stdout
    assert "mm/shrink" not in result.stdout
    assert result.stdout.splitlines()[-1].endswith("judged, 0 not as expected")


def test_an_unexpected_verdict_is_reported():
    fixture = Fixture(
        "mm/shrink-lruvec-livelock",
        "neg-wrong",
        PUBLISHED / "vanishing-cpu",
        {"verdict": "no_match", "clauses": {"scan_self": "FALSE"}, "affected": "affected"},
    )
    problems = problems_of(fixture, load_catalog())
    assert "the verdict is match, not no_match" in problems
    assert "the clause scan_self is TRUE, not FALSE" in problems
    assert "mm/mmap-lock-held-in-reclaim is match, not silent" in problems


def test_a_verdict_that_is_unknown_says_what_is_not_decided():
    fixture = Fixture(
        "mm/memcg-oom", "neg-wrong", PUBLISHED / "vanishing-cpu", {"verdict": "no_match", "clauses": {}}
    )
    first = problems_of(fixture, load_catalog())[0]
    assert first.startswith("the verdict is unknown, not no_match; not decided: ")
    assert "not in the evidence" in first


def test_a_word_of_several_signatures_proposes_them():
    result = run("show", "memcg")
    assert result.exit_code == 2
    assert "did you mean mm/memcg-oom or" in result.stderr


def test_lint_gives_file_and_line_of_a_capture(tmp_path):
    folder = tmp_path / "mm" / "memcg-oom"
    folder.mkdir(parents=True)
    shipped = (LIBRARY / "mm" / "memcg-oom" / "signature.yaml").read_text()
    at, after = next(
        (number, line) for number, line in enumerate(shipped.splitlines()) if line.startswith("next:")
    )
    assert after == "next:"
    clause = shipped.splitlines()[at + 1].split(":")[0].strip()
    row = "{title: Look, run: 'cat /proc/meminfo', cost: none, reads: [proc-meminfo]}"
    own = f"next:\n  {clause}:\n    - {row}\n"
    (folder / "signature.yaml").write_text(shipped[: shipped.index("next:\n")] + own)
    result = CliRunner().invoke(main, ["signature", "--library", str(tmp_path), "lint"])
    assert f"mm/memcg-oom/signature.yaml:{at + 3}: capture 'Look': no time limit" in result.stdout
