"""Self-profile: perf records the parser, Casebook renders the flame graph."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.programs import ENVIRONMENT, INSIDE
from benchmarks.record import INPUTS, MEGABYTE, make_input
from benchmarks.results import Section

SIZE = 500
PICTURE = Path(__file__).with_name("own-parser.svg")
FOCUS = "/PerfScript::feed/"


def measure(parts: list[Path]) -> Section:
    """Record one thread reading, and write the picture."""
    text = make_input(SIZE * MEGABYTE, parts)
    data = INPUTS / "own.data"
    work = [sys.executable, "-m", INSIDE, "tree", str(text), "1"]
    record = ["perf", "record", "--quiet", "-F", "1999", "--call-graph", "dwarf,8192", "-o", str(data)]
    subprocess.run([*record, "--", *work], check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    own = INPUTS / "own-parser.perf"
    with own.open("wb") as out:
        script = ["perf", "script", "--no-inline", "-i", str(data)]
        subprocess.run(script, check=True, stdout=out, stderr=subprocess.DEVNULL)
    data.unlink()
    draw = [sys.executable, "-m", "cli", "flamegraph", "--focus", FOCUS, own.name]
    PICTURE.write_bytes(subprocess.run(draw, cwd=INPUTS, check=True, capture_output=True).stdout)
    return Section(
        "Where the time goes",
        [
            f"One thread reading {SIZE} MB, recorded by perf and drawn by `casebook flamegraph`:",
            "",
            f"![flame graph of the parser]({PICTURE.name})",
        ],
    )
