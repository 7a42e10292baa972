"""Call trees below the rows of `perf report -g`: what each row weighs, charged to the stacks below it.

Examples:
    21.57%  locker  futex_stress  [.] critical_section
            |
            ---start_thread
               critical_section

     6.66%  swapper  [kernel.kallsyms]  [k] acpi_idle_enter
            |
            |--3.39%--secondary_startup_64_no_verify
            |          start_secondary
             --3.27%--start_kernel

    43.20% start_thread;critical_section            (-g folded)

A tree begins with the row's own function (`callee`) or ends with it (`caller`); no header shows which.
Percentages are of the whole (`-g graph`) or of the branch above (`-g fractal`, the older `|--48.72%-- f`).
perf leaves out branches below half a percent: what they weigh stays with the last function that was printed.

Source: tools/perf/ui/stdio/hist.c (callchain__fprintf_graph, hist_entry_callchain__fprintf).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ingest.readers.perf.perf_table.header import share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.readers.perf.perf_table.rows import Row

_PERCENT = r"(?P<percent>\d{1,3}(?:[.,]\d{1,2})?)%"
_BRANCH = re.compile(rf"^(?P<lead>[\s|]*+)-{{2,3}}(?:{_PERCENT}--(?P<old>\s)?)?\s*(?P<name>[^\s-].*)$")
_BROWSER = re.compile(
    rf"^(?P<lead>\s+)(?=[-+]\s|\d{{1,3}}[.,])(?:[-+]\s+)?(?:{_PERCENT}\s+)?(?P<old>(?!))?(?P<name>[^\s\d-].*)$"
)
"""A node as the browser of perf shows it: open (-), closed (+), or a leaf with its share."""

_LINK = re.compile(r"^(?P<lead>[\s|]{4,}+)(?P<name>.+)$")
_FOLDED = re.compile(rf"^{_PERCENT}\s(?P<names>[^;\s].*)$")
_RULE = re.compile(r"^[\s|]*+$")
_ADDRESS = re.compile(r"^(?:0x[0-9a-f]+|[0-9a-f]{16}|0)$")
_ROOTS = frozenset(("root", "[root]"))
"""What stands for all callers above the first branches in trees that were written again."""

_REST = "[...]"
"""What perf prints for the branches it leaves out."""

ROUNDING = 0.0006
"""Printed shares are rounded to 0.01 %; a sum of several may be off by more than one."""


Named: TypeAlias = tuple[str, int]
"""A function as printed, and its line."""


def same_name(one: str, other: str) -> bool:
    """Return whether a row and its tree name one function; perf pads addresses in rows alone."""
    return one == other or (may_be_same(one, other) and int(one, 16) == int(other, 16))


def may_be_same(one: str, other: str) -> bool:
    """Return whether they can be one function: of unnamed ones rows may give the place inside the file."""
    return one == other or (bool(_ADDRESS.match(one)) and bool(_ADDRESS.match(other)))


@dataclass(slots=True)
class _Branch:
    """Functions one below the other without a fork, and what forks off behind the last of them."""

    column: int
    names: list[Named]
    share: float | None = None
    branches: list[_Branch] = field(default_factory=list)


class Tree:
    """The tree below one row."""

    def __init__(self) -> None:
        """Start without a line."""
        self._root = _Branch(-1, [])
        self._open = [self._root]
        self._is_relative = False

    def __bool__(self) -> bool:
        """Whether the row has a tree."""
        return bool(self._root.branches)

    def take(self, line: str, number: int) -> bool:
        """Read one line; say whether it belongs to a tree."""
        if _RULE.match(line):
            return True
        if found := _FOLDED.match(line):
            names = [(name, number) for name in found["names"].split(";") if name]
            self._root.branches.append(_Branch(0, names, share(found["percent"])))
            self._open = [self._root, self._root.branches[-1]]
        elif found := _BRANCH.match(line) or _BROWSER.match(line):
            self._fork(found, number)
        elif (found := _LINK.match(line)) and len(found["lead"]) > self._open[-1].column >= 0:
            self._open[-1].names += _named(found["name"], number)
        else:
            return False
        return True

    def _fork(self, found: re.Match[str], number: int) -> None:
        column = len(found["lead"])
        while self._open[-1].column >= column:
            self._open.pop()
        percent = found["percent"]
        self._is_relative |= bool(found["old"])
        names = _named(found["name"], number)
        if not self._root.branches and found["name"].strip() in _ROOTS:
            names = []
        branch = _Branch(column, names, share(percent) if percent else None)
        self._open[-1].branches.append(branch)
        self._open.append(branch)

    def whole_name(self, cut: str) -> str:
        """Return the row's own function as the tree spells it; perf top cuts rows at the screen's edge."""
        paths = [[name for name, _ in path] for path, _ in self.stacks(1.0) if path]
        ends = {path[at] for path in paths for at in (0, -1)}
        if not cut or cut in ends:
            return cut
        longer = {name for name in ends if name.startswith(cut)}
        return longer.pop() if len(longer) == 1 else cut

    def votes(self, row: Row) -> int:
        """Return a score: the row's own function comes first (above 0) or last (below 0)."""
        balance = 0
        for path, _ in self.stacks(1.0):
            names = [name for name, _ in path]
            balance += (names[0] == row.name) - (names[-1] == row.name) if names else 0
        return balance

    def stacks(self, whole: float) -> Iterator[tuple[list[Named], float]]:
        """Yield the paths of a row that weighs `whole`, as printed, and what ends in each: all of it."""
        yield from _ends(
            self._root, whole, [], is_relative=self._is_relative or _is_relative(self._root, whole)
        )


def _named(name: str, number: int) -> list[Named]:
    name = name.strip().removesuffix(" (inlined)")
    return [] if name == _REST else [(name, number)]


def _is_relative(branch: _Branch, whole: float) -> bool:
    """Return whether the branches of one node weigh more than the node itself: they are parts of it then."""
    printed = [below.share for below in branch.branches if below.share is not None]
    if sum(printed) > whole + ROUNDING * (1 + len(printed)):
        return True
    return any(
        _is_relative(below, whole if below.share is None else below.share) for below in branch.branches
    )


def _ends(
    branch: _Branch, whole: float, above: list[Named], *, is_relative: bool
) -> Iterator[tuple[list[Named], float]]:
    path = above + branch.names
    remaining = whole
    for below in branch.branches:
        stated = whole if below.share is None else below.share * (whole if is_relative else 1.0)
        taken = min(remaining, stated)
        remaining -= taken
        yield from _ends(below, taken, path, is_relative=is_relative)
    if remaining > ROUNDING / 10 or not branch.branches:
        yield path, remaining
