"""The report of a whole test run."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tools.run_tests import LANES, Result, cases, summary

if TYPE_CHECKING:
    from pathlib import Path

PARTS = {part.name: part for lane in LANES for part in lane}
TESTS = """
import time


def test_fast():
    assert True


def test_slow_and_failing():
    assert time is None
"""


def test_a_failed_test_is_named_and_counted(tmp_path: Path):
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml", "ui.xml", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    tests = cases(tmp_path)
    assert [(test.part, test.failed) for test in tests] == [("ui", False), ("ui", True)]
    report = summary([Result(PARTS["ui"], 1, 75.4, 3.0), Result(PARTS["rust"], 0, 5.0, 9.0)], tests)
    lines = report.splitlines()
    assert lines[1].split() == ["ui", "FAILED", "1:15", "1:00", "0:03", "2"]
    assert lines[2].split() == ["rust", "passed", "0:05", "1:00", "0:09"]
    at = lines.index("failed tests")
    assert lines[at + 1].endswith("test_some test_slow_and_failing")
    assert "time is None" in lines[at + 2]
