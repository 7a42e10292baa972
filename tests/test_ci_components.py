"""The composite action and the component of `docs/ci`: every step run by `sh`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.cli.recorded import SIGNATURE
from tests.cli.reports.test_ci import junit_of, sarif_of
from tests.test_ci_docs import Runner, bad, good, service

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["bad", "good", "service"]

ROOT = Path(__file__).parents[1]
INPUTS = {
    "evidence": "evidence",
    "base": "runs/base-*",
    "new": "runs/new-*",
    "work": "3200",
    "comment": "true",
    "picture-branch": "casebook-pictures",
}
GH = """#!/bin/sh
for word; do echo "$word"; done > gh.words
"""


def prepared(runner: Runner) -> Runner:
    """Return the runner after its load test and its runs, with a `gh` that notes its arguments."""
    (runner.folder / "gh").write_text(GH)
    (runner.folder / "gh").chmod(0o755)
    runner.environment["PATH"] = f"{runner.folder}:{runner.environment['PATH']}"
    assert runner.sh("./load-test; ./record-runs") == 0, runner.output
    return runner


def action_steps(event: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield name, environment and script of each step that runs at an event."""
    document = yaml.safe_load((ROOT / "docs/ci/action.yml").read_text())
    inputs = {name: INPUTS.get(name, one["default"]) for name, one in document["inputs"].items()}
    for step in document["runs"]["steps"]:
        if "run" in step and ("push" not in step.get("if", "") or event == "push"):
            names = {
                name: re.fullmatch(r"\$\{\{ inputs\.(.+) \}\}", value)[1]
                for name, value in step.get("env", {}).items()
            }
            assert "${{" not in step["run"], (
                "values reach scripts through the environment, never as text of the script"
            )
            yield step["name"], {name: inputs[source] for name, source in names.items()}, step["run"]


def run_action(runner: Runner, event: str = "pull_request") -> int:
    runner.environment |= {"GITHUB_EVENT_NAME": event, "GITHUB_REF_NAME": "7/merge"}
    status = 0
    for name, environment, script in action_steps(event):
        runner.environment |= environment
        status = runner.sh(script)
        assert status == 0 or name == "Verdict", f"{name}: {runner.output}"
    return status


def component(runner: Runner, branch: str = "topic") -> int:
    _, document = yaml.safe_load_all((ROOT / "docs/ci/gitlab-component.yml").read_text())
    job = document["casebook"]
    for name, value in job["variables"].items():
        source = re.fullmatch(r"\$\[\[ inputs\.(.+) \]\]", value)[1]
        defaults = next(yaml.safe_load_all((ROOT / "docs/ci/gitlab-component.yml").read_text()))["spec"][
            "inputs"
        ]
        runner.environment[name] = INPUTS.get(source, defaults[source].get("default"))
    runner.environment |= {"CI_COMMIT_BRANCH": branch, "CI_DEFAULT_BRANCH": "main"}
    return runner.sh("\n".join(job["script"]))


def test_the_action_fails_a_slower_build_annotates_and_comments(bad):
    assert run_action(prepared(bad)) == 4, bad.output
    assert re.search(rf"^::error file=[^,]+,title={SIGNATURE}::", bad.output, re.MULTILINE)
    assert re.search(r"^::error file=[^,]+,title=total-growth::CPU time \+", bad.output, re.MULTILINE)
    comment = bad.read("casebook.md")
    assert SIGNATURE in comment
    assert "Fail: CPU time +" in comment
    assert re.match(r"!\[Growth of CPU time\]\(\S+/raw/casebook-pictures/growth-\w+-\d*\.svg\)\n\n", comment)
    assert bad.read("gh.words").split()[:3] == ["pr", "comment", "7"]
    for name in ("found.sarif", "growth.sarif"):
        for one in sarif_of(bad.read(name))["results"]:
            assert (
                one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                == ".github/workflows/load-test.yml"
            )


def test_the_action_passes_a_good_build_and_stores_its_baseline(good):
    assert run_action(prepared(good), "push") == 0, good.output
    (point,) = (good.folder / "casebook-baseline").rglob("point.json")
    assert json.loads(point.read_text())["commit"] == "8843d7f"
    assert not (good.folder / "gh.words").exists()


@pytest.mark.parametrize(("way", "of_main"), [(run_action, "push"), (component, "main")])
def test_without_a_service_the_evidence_is_analysed_and_a_slower_build_is_no_baseline(bad, way, of_main):
    prepared(bad).environment["CASEBOOK_URL"] = "http://127.0.0.1:9"
    bad.environment["CASEBOOK_TOKEN"] = ""
    assert way(bad, of_main) == 4, bad.output
    assert SIGNATURE in bad.read("found.xml")
    assert not list((bad.folder / "casebook-baseline").rglob("point.json"))


def test_the_component_fails_a_slower_build_in_every_report(bad):
    assert component(prepared(bad)) == 4, bad.output
    for name in ("found", "growth"):
        assert int(junit_of(bad.read(f"{name}.xml")).get("failures")) >= 1
        issues = json.loads(bad.read(f"{name}.json"))
        assert {"description", "check_name", "fingerprint", "severity", "location"} == set(issues[0])
        assert bad.read(f"{name}.txt").startswith("casebook_")


def test_the_component_stores_the_baseline_of_the_main_branch_only(good):
    assert component(prepared(good)) == 0, good.output
    assert not list((good.folder / "casebook-baseline").rglob("point.json"))
    assert component(good, "main") == 0, good.output
    assert len(list((good.folder / "casebook-baseline").rglob("point.json"))) == 1
