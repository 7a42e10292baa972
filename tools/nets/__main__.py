"""Nets below a change of structure: every reading, verdict and rendering of the samples, before and after.

    make nets BEFORE=DIR        compare this checkout with another one, with its own .venv
    python -m tools.nets take CHECKOUT OUT [PART]
    python -m tools.nets compare BEFORE AFTER [PART]

`take` has the Python of CHECKOUT write one file for each input and kind: the reading as JSON with digests of
its profiles; which readers begin and continue at which lines; what `casebook analyze` gives as text,
Markdown, chat, JSON, SARIF and JUnit, for the fixtures of the library, published evidence and shown
incidents; what a handoff of each positive fixture holds; and the schema of the API. `compare` lists by kind
what differs, and writes the differences beside AFTER. Inputs that only one side has are listed apart.

PART is a number: every PARTth input is taken, the same ones in every checkout; 1 takes all.

`tools.nets.inside` is what runs in a checkout.
"""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from tools.nets.inside import is_chosen

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
NETS = ROOT / "var" / "nets"
INSIDE = Path(__file__).with_name("inside.py")

NAMED = 5
"""Files that `compare` names of each kind."""

DIFF_LINES = 400
"""Lines that the differences of one file have at most: a moved field changes every line of some."""


def take(checkout: Path, out: Path, part: int) -> None:
    """Write the nets of every `part`th input of `checkout` below `out`, which is emptied."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    environment = {**os.environ, "PYTHONPATH": str(checkout), "COLUMNS": "160", "NO_COLOR": "1"}
    command = [checkout / ".venv/bin/python", INSIDE, out, str(part)]
    subprocess.run(command, cwd=checkout, env=environment, check=True)


def compare(before: Path, after: Path, part: int) -> int:
    """Print what differs by kind and write the differences to `after`.diff; return the number of files."""
    names = {one: set(_names(one, part)) for one in (before, after)}
    both = sorted(names[before] & names[after])
    differing = [one for one in both if _differ(before / one, after / one)]
    with after.with_suffix(".diff").open("w", encoding="utf-8") as stream:
        for name in differing:
            stream.writelines(f"{line}\n" for line in _difference(before, after, name))
    sys.stdout.write(f"{len(differing):,} of {len(both):,} files differ")
    sys.stdout.write(f"; {after.with_suffix('.diff')} has the differences\n" if differing else "\n")
    _show("differ", differing)
    _show("are new", sorted(names[after] - names[before]))
    _show("are gone", sorted(names[before] - names[after]))
    return len(differing)


def _differ(one: Path, other: Path) -> bool:
    return not filecmp.cmp(one, other, shallow=False) and _text(one) != _text(other)


def _text(path: Path) -> str:
    """Return a net as text; of JSON the order of keys does not count."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix not in {".json", ".sarif"}:
        return text
    try:
        return json.dumps(json.loads(text), indent=1, ensure_ascii=False, sort_keys=True)
    except ValueError:  # the error of a command that failed
        return text


def _difference(before: Path, after: Path, name: str) -> list[str]:
    """Return the differences of one file by diff, which takes seconds where difflib takes minutes."""
    with tempfile.TemporaryDirectory() as folder:
        sides = [Path(folder) / side for side in ("before", "after")]
        for side, root in zip(sides, (before, after), strict=True):
            side.write_text(_text(root / name), encoding="utf-8")
        command = ["diff", "-U1", "--label", name, "--label", name, *sides]
        found = subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")
    lines = found.splitlines()
    more = len(lines) - DIFF_LINES
    return [*lines[:DIFF_LINES], *([f"… {more:,} more lines"] if more > 0 else [])]


def _show(what: str, names: list[str]) -> None:
    by_kind = defaultdict(list)
    for name in names:
        kind, *rest = name.split("/")
        by_kind[f"{kind} {rest.pop()}" if kind in {"cases", "handoffs"} else kind].append("/".join(rest))
    for kind, places in sorted(by_kind.items()):
        sys.stdout.write(f"  {kind}: {len(places):,} {what}\n")
        for place in places[:NAMED]:
            sys.stdout.write(f"      {place}\n")


def _names(folder: Path, part: int) -> Iterator[str]:
    """Yield the files below the nets in `folder` that are of a chosen input."""
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        kind = name.parts[0]
        subject = name.parent if kind in {"cases", "handoffs"} else name.with_suffix("")
        subject_name = subject.relative_to(kind).as_posix() if len(name.parts) > 1 else ""
        if path.is_file() and (not subject_name or is_chosen(subject_name, part)):
            yield name.as_posix()


def main(verb: str, *arguments: str) -> int:
    """Take, compare, or both for a checkout of before; return the exit status."""
    has_part = arguments[-1].isdecimal()
    places = [Path(one).absolute() for one in (arguments[:-1] if has_part else arguments)]
    part = int(arguments[-1]) if has_part else 1
    if verb == "take":
        take(places[0], places[1], part)
    elif verb == "compare":
        return min(1, compare(places[0], places[1], part))
    else:
        for name, checkout in (("before", places[0]), ("after", ROOT)):
            take(checkout, NETS / name, part)
        return min(1, compare(NETS / "before", NETS / "after", part))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
