"""The pipelines of `docs/ci.md`, done as written: every step run by `sh`, statuses and reports seen."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from backend.access.actions import Scope
from backend.accounts import tokens
from backend.models.account import Role
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.cli.builds import BUILDS
from tests.cli.recorded import SIGNATURE, healthy, reclaim_at_the_limit
from tests.cli.reports.test_ci import junit_of, sarif_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/ci.md").read_text()
OF_THE_RUNNER = {
    "GITHUB_REPOSITORY": "db/proxy",
    "GITHUB_SHA": "8843d7f",
    "CI_PROJECT_PATH": "db/proxy",
    "CI_COMMIT_SHORT_SHA": "8843d7f",
    "CI_COMMIT_BRANCH": "main",
    "CI_DEFAULT_BRANCH": "main",
    "JOB_NAME": "proxy",
    "BUILD_NUMBER": "7",
}


def blocks(title: str) -> list[str]:
    """Return the code blocks of a section."""
    section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"^```\w+\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def block(title: str) -> str:
    """Return the first code block of a section."""
    return blocks(title)[0]


RECORD = """#!/bin/sh -e
number=$(( $(find "${2%/*}" -name "$1-*.script.zst" | wc -l) + 1 ))
cp "recorded-runs/$1-$number.script.zst" "$2.script.zst"
cp "recorded-runs/$1-$number.stat" "$2.stat"
"""


class Runner:
    """A build machine: a load test that leaves `evidence`, and recorded runs of two builds.

    `./record` copies recorded runs: of the base and, for the new build, of the base again or of a slower one.
    """

    def __init__(self, folder: Path, url: str, token: str, *, is_good: bool) -> None:
        self.folder = folder
        (healthy if is_good else reclaim_at_the_limit)(folder / "recorded")
        (folder / "recorded-runs").mkdir()
        for path in BUILDS.glob("*-[1-6].*"):
            name, _, rest = path.name.partition("-")
            side = {"base": "base", "again" if is_good else "slower": "new"}.get(name)
            if side:
                shutil.copy(path, folder / "recorded-runs" / f"{side}-{rest}")
        _, _, _, record_runs, _ = blocks("Comparing two builds")
        for name, script in {
            "build": "#!/bin/sh\nmkdir base new\n",
            "load-test": "#!/bin/sh\nset -e\ncp -r recorded evidence\n",
            "record": RECORD,
            "record-runs": record_runs,
        }.items():
            (folder / name).write_text(script)
            (folder / name).chmod(0o755)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("CASEBOOK_")},
            **OF_THE_RUNNER,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "XDG_STATE_HOME": str(folder / "state"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "CASEBOOK_URL": url,
            "CASEBOOK_TOKEN": token,
        }
        self.output = ""

    def lose_service(self) -> None:
        """Have no service answer from here on, and no command wait for it."""
        self.environment["CASEBOOK_URL"] = "http://127.0.0.1:9"

    def sh(self, script: str) -> int:
        if self.environment.get("CASEBOOK_URL", "").endswith(":9"):
            script = script.replace("--patience 60", "--patience 0")
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        self.output += done.stdout + done.stderr
        return done.returncode

    def steps(self, steps: list[dict[str, Any]]) -> dict[str, int]:
        """Run steps as GitHub does: after one that failed only those that say `always()`."""
        ended: dict[str, int] = {}
        for step in steps:
            if "run" in step and (not any(ended.values()) or step.get("if") == "always()"):
                ended[step["name"]] = self.sh(step["run"])
        return ended

    def read(self, name: str) -> str:
        return (self.folder / name).read_text()


@pytest.fixture
def service(pipeline) -> Iterator[tuple[str, str]]:
    """Its address, and a token as the page makes one."""
    scopes = [Scope(name) for name in re.findall(r"--scope (\w+)", PAGE)]
    (role,) = re.findall(r"--service (\w+)", PAGE)
    with pipeline.sessions.begin() as session:
        _, token = tokens.make_service(session, name="ci", role=Role(role), scopes=scopes, lifetime=None)
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    with serving(app) as url:
        yield url, token


@pytest.fixture
def bad(tmp_path, service) -> Runner:
    return Runner(tmp_path, *service, is_good=False)


@pytest.fixture
def good(tmp_path, service) -> Runner:
    return Runner(tmp_path, *service, is_good=True)


def test_a_build_in_which_everything_is_slower_fails_the_documented_gate(bad):
    *_, compare = blocks("Comparing two builds")
    assert bad.sh("./record-runs") == 0, bad.output
    assert bad.sh(compare) == 4, bad.output
    assert "Fail: CPU time +" in bad.output


def test_the_documented_gate_records_the_runs_itself(bad):
    _, _, gate, *_ = blocks("Comparing two builds")
    assert bad.sh(f"{gate.rstrip()} > growth.txt") == 4, bad.output
    assert bad.read("growth.txt").startswith("Fail: CPU time +")
    assert len(list((bad.folder / "gate-runs").glob("*.stat"))) == 12


def test_the_same_build_passes_the_documented_gate(good):
    *_, compare = blocks("Comparing two builds")
    assert good.sh(f"./record-runs\n{compare}") == 0, good.output


@pytest.mark.skipif(shutil.which("perf") is None, reason="records with perf")
def test_the_documented_script_records_a_run_that_can_be_compared(good):
    _, record, *_ = blocks("Comparing two builds")
    benchmark = good.folder / "base/benchmark"
    benchmark.parent.mkdir()
    benchmark.write_text(f"#!{sys.executable}\nsum(range(3_000_000))\n")
    benchmark.chmod(0o755)
    (good.folder / "runs").mkdir()
    (good.folder / "record").write_text(record)
    assert good.sh("./record base runs/base-1 && ./record base runs/base-2") == 0, good.output
    assert good.sh("casebook diff --base runs/base-1.* --new runs/base-2.* --allow duration") == 9, (
        good.output
    )
    # A busy kernel lowers kernel.perf_event_max_sample_rate, and perf record follows.
    assert re.search(r"Recorded: cpu-clock, \d+ Hz, kernel ", good.output)


def test_on_github_a_slower_pull_request_that_reclaims_fails_and_names_both(bad):
    document = yaml.safe_load(block("GitHub Actions"))
    (job,) = document["jobs"].values()
    assert set(job["env"]) == {"CASEBOOK_URL", "CASEBOOK_TOKEN"}
    ended = bad.steps(job["steps"])
    assert ended == {"Build": 0, "Load": 0, "Known pathologies": 4, "Growth": 4, "Summary": 0}, bad.output
    summary = bad.read("summary.md")
    assert f"`{SIGNATURE}`" in summary
    assert "Fail: CPU time +" in summary
    assert {one["ruleId"] for one in sarif_of(bad.read("found.sarif"))["results"]} >= {SIGNATURE}
    assert int(junit_of(bad.read("found.xml")).get("failures")) == 1
    assert int(junit_of(bad.read("growth.xml")).get("failures")) > 1


def test_on_github_a_healthy_pull_request_passes(good):
    (job,) = yaml.safe_load(block("GitHub Actions"))["jobs"].values()
    ended = good.steps(job["steps"])
    assert set(ended.values()) == {0}, good.output
    assert good.read("summary.md").count("✅") == 2
    assert len(list((good.folder / "casebook-baseline").rglob("point.json"))) == 1


def test_on_github_a_bad_build_fails_without_the_service_too(bad):
    bad.lose_service()
    (job,) = yaml.safe_load(block("GitHub Actions"))["jobs"].values()
    ended = bad.steps(job["steps"])
    assert ended == {"Build": 0, "Load": 0, "Known pathologies": 4, "Growth": 4, "Summary": 0}, bad.output
    assert int(junit_of(bad.read("found.xml")).get("failures")) == 1


def test_on_gitlab_analyze_and_diff_run_and_the_job_fails_without_the_service_too(bad):
    (job,) = yaml.safe_load(block("GitLab CI")).values()
    bad.lose_service()
    assert bad.sh("\n".join(job["script"])) == 4, bad.output
    for name in job["artifacts"]["reports"]["junit"]:
        assert int(junit_of(bad.read(name)).get("failures")) >= 1
    assert not list((bad.folder / "casebook-baseline").rglob("point.json"))


def test_on_gitlab_the_main_branch_adds_to_the_baseline(good):
    (job,) = yaml.safe_load(block("GitLab CI")).values()
    assert good.sh("\n".join(job["script"])) == 0, good.output
    assert len(list((good.folder / "casebook-baseline").rglob("point.json"))) == 1


def steps_of_jenkins(runner) -> list[int]:
    """Run the scripts of the pipeline, and return their statuses."""
    runner.environment |= dict(re.findall(r"(CASEBOOK_PROJECT) = '([^']+)'", block("Jenkins")))
    found = re.findall(r"sh (?:'''(.*?)'''|'([^'\n]+)')", block("Jenkins"), re.DOTALL)
    # Between three quotes Groovy reads two backslashes as one.
    return [runner.sh((long or short).replace("\\\\", "\\")) for long, short in found]


def test_on_jenkins_a_good_build_is_a_point_in_the_service(good):
    assert steps_of_jenkins(good) == [0, 0, 0, 0, 0], good.output
    assert "6 runs stored as point" in good.output
    assert good.sh("casebook baseline show --project db/proxy") == 0, good.output


def test_on_jenkins_a_bad_build_fails_without_the_service_too(bad):
    bad.lose_service()
    assert steps_of_jenkins(bad) == [0, 0, 4, 4, 0], bad.output
    assert "Warning: the baseline is not used" in bad.output
    assert int(junit_of(bad.read("found.xml")).get("failures")) == 1


def test_a_build_continues_without_casebook_and_fails_on_findings(bad):
    script = block("Unavailable service")
    assert bad.sh("./load-test") == 0
    assert bad.sh(script) == 4, bad.output
    bad.lose_service()
    assert bad.sh(script) == 0
    assert "going on without it" in bad.output


def test_analyze_without_a_service_gives_the_same_result(bad):
    assert bad.sh("./load-test") == 0
    del bad.environment["CASEBOOK_URL"], bad.environment["CASEBOOK_TOKEN"]
    assert bad.sh(block("Without a service")) == 4, bad.output
    assert SIGNATURE in bad.read("found.xml")
