"""The visible part of the script: probes of maps, and duration thresholds of conditions.

Example:
    tracepoint:mmap_lock:mmap_lock_released /@start[tid]/ {
        $d = (nsecs - @start[tid]) / 1000;
        if ($d > 1000000) {
            @[kstack] = count();
        }
    }

A stack counted under `$d > 1000000` with `$d` in µs proves a duration of a second: the condition is evidence.
Its unit is taken from the script alone: nsecs, its divisor, or the variable's own name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate, islice
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern
from ingest.readers.bpf.bpftrace_text.values import unit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_KIND = (
    r"(?:tracepoint|rawtracepoint|kprobe|kretprobe|uprobe|uretprobe|usdt|profile|interval|software|hardware"
    r"|fentry|fexit|kfunc|kretfunc|iter|watchpoint|t|k|kr|u|ur|p|i|s|h)"
)
_PROBE = rf"(?:{_KIND}:[^\s,{{]+|BEGIN|END|begin|end)"
_HEAD = Pattern(rf"(?:^|[^\w:@$])(?P<probes>{_PROBE}(?:\s*,\s*{_PROBE})*)\s*(?P<predicate>/[^{{}}]*/)?\s*$")
"""Text before a brace that opens a block of statements."""
_ASSIGNED = Pattern(r"(?P<map>@\w*)\s*(?P<key>\[[^=;]*?\])?\s*=\s*(?P<function>\w*)\s*\(")
_BOUND = re.compile(r">=?\s*+(?P<bound>\d[\d_]{0,24}(?:e\d{1,2})?)(?!\s*[\w*/+.-])")
_STATEMENT_END = re.compile(r"[;{}]")
_BRACKETS = {"{}": re.compile(r"[{}]"), "()": re.compile(r"[()]")}
_IF = re.compile(r"\bif\s*\(")
_DIVISOR = re.compile(r"/\s*(?P<number>\d[\d_]{0,24}(?:e\d{1,2})?)")
MAX_TESTS = 500
"""Predicates and `if` that are read; of a script with more the rest is not."""

SCOPE = 10_000
"""Characters of a test, of what is done when it holds, and of what is assigned before it."""

_PER_DIVISOR = {1: "ns", 1_000: "us", 1_000_000: "ms", 1_000_000_000: "s"}
_IN_US = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}
RESIDUE = Pattern(
    rf"""(?x) ^\s*(?:
        .*;\s*(?://.*)?$  |  \}}.*$  |  '[\s\w./$-]*$  |  .*\{{\s*$
      | {_PROBE}.*\{{.*
      | //.* | /\*.* | \*/ | \#!/.* | \#include\s.* | \$\ .*
      | {_PROBE}(?:\s*,\s*{_PROBE})*\s*,?\s*(?:/.*)? | /[^/]+/\s*\{{?
    )$"""
)
"""A line of script or shell around it: ends in `;` or `{`, closes a brace, names a probe."""

OPENING = Pattern(
    rf"""(?x) ^\s*(?:
        {_PROBE}(?:\s*,\s*{_PROBE})*\s*(?:/.*/\s*)?\{{.*
      | (?:tracepoint|k(?:ret)?probe|u(?:ret)?probe|usdt|profile|fentry|fexit):[^\s,{{]+\s*,?\s*(?:/.*/\s*)?
      | @\w*\s*(?:\[[^\]]*\])?\s*=\s*\w+\s*\(.*;\s*
      | \#!/usr/bin/.*bpftrace.*
    )$"""
)
"""A line that only a script of bpftrace starts with."""


class Condition(NamedTuple):
    """A lower bound in the condition of a block; `us` is None when the script does not show its unit."""

    number: float
    us: float | None
    maps: tuple[str, ...]
    line: int


@dataclass(slots=True)
class Script:
    """What is known of the script: probes by map, key expressions by map, conditions."""

    probes: dict[str, str] = field(default_factory=dict)
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    conditions: list[Condition] = field(default_factory=list)
    is_cut: bool = False
    is_long: bool = False


def _whole(text: str) -> int:
    """Read `1000000`, `1_000_000` or `1e6`."""
    return int(float(text.replace("_", "")))


def _unit(expression: str, before: str, depth: int = 0) -> str:
    """Return the unit of `expression`, following one variable to its assignment in `before`."""
    if "nsecs" in expression or "elapsed" in expression:
        divided = 1
        for found in _DIVISOR.finditer(expression):
            divided *= _whole(found["number"])
        return _PER_DIVISOR.get(divided, "")
    variable = re.search(r"[$@]\w+", expression)
    if not variable or depth > 2:
        return ""
    if named := unit_of(variable[0]):
        return named
    assigned = Pattern(rf"{re.escape(variable[0])}\s*(?:\[[^\]]*\])?\s*=\s*([^;=][^;]*);").findall(before)
    return _unit(assigned[-1], before, depth + 1) if assigned else ""


def _closings(text: str, pair: str) -> dict[int, int]:
    """Return where each opening bracket of `pair` is closed, by its offset; one that is not is left out."""
    closings: dict[int, int] = {}
    open_at: list[int] = []
    for found in _BRACKETS[pair].finditer(text):
        if found[0] == pair[0]:
            open_at.append(found.start())
        elif open_at:
            closings[open_at.pop()] = found.start()
    return closings


def _conditions(test: str, before: str, scope: str, line: int) -> Iterable[Condition]:
    """Yield the lower bounds on durations in one test; `scope` is what runs when it holds."""
    maps = tuple(dict.fromkeys(found["map"] for found in _ASSIGNED.finditer(scope)))
    for part in re.split(r"&&|\|\|", test):
        if not (found := _BOUND.search(part)):
            continue
        condition_text = _STATEMENT_END.split(part[: found.start()])[-1]
        unit = _unit(condition_text, before)
        if unit in _IN_US:
            number = _whole(found["bound"])
            yield Condition(number, number * _IN_US[unit], maps, line)
        elif re.search(r"(?i)\$(?:d|dur|duration|delta|lat|latency|hold|held|took|t|time)\b", condition_text):
            yield Condition(_whole(found["bound"]), None, maps, line)


def _closes_more_than_it_opens(text: str) -> bool:
    """Return whether the beginning is missing: a brace is closed that was not opened."""
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return True
    return False


def _before_braces(text: str) -> Iterator[tuple[int, int]]:
    """Yield for every opening brace the end of the one before it, and its own offset."""
    start = 0
    while (brace := text.find("{", start)) >= 0:
        yield start, brace
        start = brace + 1


def _tested(
    text: str, blocks: Mapping[int, int], line_at: Callable[[int], int], most: int
) -> Iterator[Condition]:
    """Yield what the first `most` tests of an `if` ask for."""
    brackets = _closings(text, "()")
    for found in islice(_IF.finditer(text), max(most, 0)):
        opening = found.end() - 1
        closing = brackets.get(opening, len(text))
        brace = text.find("{", closing)
        start = brace if brace >= 0 else closing
        scope = text[start : min(blocks.get(brace, len(text)), start + SCOPE)]
        test = text[opening + 1 : min(closing, opening + SCOPE)]
        yield from _conditions(test, text[max(opening - SCOPE, 0) : opening], scope, line_at(found.start()))


def read(lines: Sequence[tuple[int, str]]) -> Script:
    """Read what the numbered residue lines and the command line show of the script."""
    script = Script()
    text = "\n".join(line for _, line in lines)
    starts = [0, *accumulate(len(line) + 1 for _, line in lines)]

    def line_at(offset: int) -> int:
        """Return the line number of an offset of the joined text."""
        return lines[bisect_right(starts, offset) - 1][0]

    blocks = _closings(text, "{}")
    tests = 0
    scanned_to = 0
    for start, brace in _before_braces(text):
        if not (found := _HEAD.search(text[start:brace])):
            continue
        end = blocks.get(brace, len(text))
        probes = ",".join(map(str.strip, found["probes"].split(",")))
        # The enclosing block was scanned already.
        for assigned in _ASSIGNED.finditer(text[max(brace, scanned_to) : end]):
            script.probes.setdefault(assigned["map"], probes)
        scanned_to = max(scanned_to, end)
        if found["predicate"] and (tests := tests + 1) <= MAX_TESTS:
            test = found["predicate"][1:-1]
            line = line_at(start + found.start("predicate"))
            around = text[max(brace - SCOPE, 0) : brace + SCOPE]
            script.conditions.extend(_conditions(test, around, text[brace : min(end, brace + SCOPE)], line))
    for assigned in _ASSIGNED.finditer(text):
        script.functions.setdefault(assigned["map"], assigned["function"])
        if assigned["key"]:
            expressions = tuple(part.strip() for part in assigned["key"][1:-1].split(","))
            script.keys.setdefault(assigned["map"], expressions)
    script.conditions.extend(_tested(text, blocks, line_at, MAX_TESTS - tests))
    script.is_cut = _closes_more_than_it_opens(text)
    script.is_long = tests + len(_IF.findall(text)) > MAX_TESTS
    return script
