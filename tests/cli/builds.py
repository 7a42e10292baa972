"""Recorded runs of one load: the base, the base again, and a build in which everything is 50 % slower."""

from __future__ import annotations

from pathlib import Path

BUILDS = Path(__file__).parents[1] / "data/builds"
BASE = sorted(map(str, BUILDS.glob("base-*.script.zst")))
AGAIN = sorted(map(str, BUILDS.glob("again-*.script.zst")))
SLOWER = sorted(map(str, BUILDS.glob("slower-*.script.zst")))
WORK = "3200"
