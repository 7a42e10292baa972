"""Runs of `casebook analyze`, for the tests of its output and its errors."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

import cli
from cli import main

DATA = Path(__file__).parents[1] / "data"
LIBRARY = Path(cli.__file__).parents[1] / "signatures" / "library"
THRASH = LIBRARY / "mm/memcg-limit-reclaim/evidence/pos-cgroup-v1-refaults"


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, ["analyze", *(str(one) for one in arguments)], input=stdin)


def document(*arguments, stdin=None):
    result = run("--format", "json", *arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
