"""`casebook gate`: records two builds in turn until a slowdown is found or excluded."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tests.cli.builds import BUILDS, WORK

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = """#!/bin/sh -e
[ "$1" = "$CASEBOOK_BUILD" ] && [ "$2" = "$CASEBOOK_RUN" ]
echo "$1" >> {log}
echo "recording $1"
case $1 in new) build={new} ;; *) build=base ;; esac
number=${{2##*-}}
cp {builds}/$build-$number.script.zst "$2.script.zst"
cp {builds}/$build-$number.stat "$2.stat"
"""


class Recorder:
    """A script that copies recorded runs, and the log of the builds it was run for."""

    def __init__(self, folder: Path, new: str) -> None:
        self.log, self.script = folder / "log", folder / "record"
        self.script.write_text(SCRIPT.format(log=self.log, new=new, builds=BUILDS))
        self.script.chmod(self.script.stat().st_mode | stat.S_IXUSR)

    def gate(self, *options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cli", "gate", "--work", WORK, *options, "--", str(self.script)]
        environment = os.environ | {"CASEBOOK_SANDBOX": "best"}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    @property
    def builds(self) -> list[str]:
        return self.log.read_text().split()


def test_a_slower_build_fails_at_the_first_look_and_runs_are_in_turn(tmp_path):
    recorder = Recorder(tmp_path, "slower")
    picture = tmp_path / "growth.svg"
    done = recorder.gate("--runs", str(tmp_path / "runs"), "-o", "-", "-o", str(picture))
    assert done.returncode == 4, done.stderr
    assert done.stdout.startswith("Fail: CPU time +")
    assert "recording new" in done.stderr
    assert recorder.builds == ["base", "new", "new", "base"] * 3
    assert len(list((tmp_path / "runs").glob("new-*.stat"))) == 6
    assert ET.fromstring(picture.read_text()).tag.endswith("svg")  # noqa: S314 - our own file
    again = recorder.gate("--runs", str(tmp_path / "runs"))
    assert (again.returncode, "has runs already" in again.stderr) == (2, True)


def test_the_same_build_passes_as_soon_as_the_asked_growth_is_excluded(tmp_path):
    recorder = Recorder(tmp_path, "again")
    notes = tmp_path / "annotations.txt"
    done = recorder.gate("--detect", "20%", "-o", "json:-", "-o", f"annotations:{notes}")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["excluded"]["totals"] < 0.2
    assert document["rules"]["alpha"] < 0.01
    assert len(recorder.builds) == 12
    summary = document["summary"].replace("%", "%25")
    assert notes.read_text().startswith(f"::notice title=casebook::{summary}; base: ")


def test_what_the_most_runs_do_not_decide_is_skipped_by_a_bisection(tmp_path):
    recorder = Recorder(tmp_path, "again")
    done = recorder.gate("--detect-function", "1%", "--most-runs", "4", "--first-runs", "4", "--bisect")
    assert done.returncode == 125, done.stderr
    assert done.stdout.startswith("Inconclusive: ")


@pytest.mark.parametrize(
    ("script", "message"),
    [("exit 3", "failed with status 3"), ("exit 0", "wrote no file")],
)
def test_a_recording_that_fails_ends_the_gate(tmp_path, script, message):
    recorder = Recorder(tmp_path, "again")
    recorder.script.write_text(f"#!/bin/sh\n{script}\n")
    done = recorder.gate()
    assert (done.returncode, message in done.stderr) == (1, True)
    assert recorder.gate("--bisect").returncode == 125


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bse", "x"], "No such option"),
        (["--base", "runs/*"], "records the runs itself"),
        (["--detect", "much"], "no percentage"),
    ],
)
def test_options_are_refused_before_anything_is_recorded(tmp_path, options, message):
    recorder = Recorder(tmp_path, "again")
    done = recorder.gate(*options)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert not recorder.log.exists()


def test_without_a_command_the_usage_is_shown():
    done = subprocess.run([sys.executable, "-m", "cli", "gate"], capture_output=True, text=True, check=False)
    assert (done.returncode, "casebook gate -- ./record" in done.stderr) == (2, True)
