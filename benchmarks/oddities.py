"""Worst-case inputs: every line takes the slow path of the parser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.programs import in_turn, inside, wall
from benchmarks.record import INPUTS, MEGABYTE, make_input
from benchmarks.results import Goal, Section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SIZE = 100
ROUNDS = 3
MOST = 10.0


def _spaces(line: bytes) -> bytes:
    """Indent stacks by blanks, as other tools do."""
    return line.replace(b"\t", b"        ")


def _crlf(line: bytes) -> bytes:
    return line.replace(b"\n", b"\r\n")


def _without_modules(line: bytes) -> bytes:
    """Leave out the modules, as `-F ip,sym` does."""
    return line[: line.rfind(b" (")] + b"\n" if line.startswith(b"\t") and b" (" in line else line


def _without_blank_lines(line: bytes) -> bytes:
    return b"" if line == b"\n" else line


def _padded_comms(line: bytes) -> bytes:
    """Begin heads with blanks and put a blank into every thread's name."""
    return line if line[:1] in b"\t\n" else b"      IO " + line


ODDITIES: dict[str, Callable[[bytes], bytes]] = {
    "stacks indented by blanks": _spaces,
    "lines that end in CRLF": _crlf,
    "frames without modules": _without_modules,
    "no blank lines": _without_blank_lines,
    "names with blanks": _padded_comms,
}


def measure(parts: list[Path]) -> Section:
    """Measure each oddity beside the text that has none."""
    text = make_input(SIZE * MEGABYTE, parts)
    program = inside("tree", "tree", 1)
    (regular,) = in_turn([program], text, ROUNDS).values()
    lines = [
        "| every line | s | times the regular one |",
        "| --- | --- | --- |",
        f"| regular | {wall(regular):.2f} | 1 |",
    ]
    worst = 0.0
    for number, (name, change) in enumerate(ODDITIES.items()):
        path = INPUTS / f"odd-{number}-{SIZE}MB.txt"
        if not path.is_file():
            with path.open("wb") as out:
                out.writelines(_changed(text, change))
        (runs,) = in_turn([program], path, ROUNDS).values()
        factor = wall(runs) / wall(regular)
        worst = max(worst, factor)
        lines.append(f"| {name} | {wall(runs):.2f} | {factor:.1f} |")
    wanted, reached = f"at most {MOST:.0f} times", f"{worst:.1f} times"
    goal = Goal("-", "a text of which every line is odd", wanted, reached, worst <= MOST)
    return Section("Odd lines, 1 thread", lines, [goal])


def _changed(text: Path, change: Callable[[bytes], bytes]) -> Iterator[bytes]:
    with text.open("rb") as lines:
        for line in lines:
            yield change(line)
