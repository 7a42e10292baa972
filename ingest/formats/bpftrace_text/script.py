"""What the text shows of the script: probes of maps, and the duration a condition asks for.

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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ingest.formats.bpftrace_text.values import unit_of
from ingest.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KIND = (
    r"(?:tracepoint|rawtracepoint|kprobe|kretprobe|uprobe|uretprobe|usdt|profile|interval|software|hardware"
    r"|fentry|fexit|kfunc|kretfunc|iter|watchpoint|t|k|kr|u|ur|p|i|s|h)"
)
_PROBE = rf"(?:{_KIND}:[^\s,{{]+|BEGIN|END|begin|end)"
_SHORT = rf"(?:{_KIND}:[^\s,{{]{{1,128}}+|BEGIN|END|begin|end)"
_BLOCK = re.compile(
    rf"(?<![\w:@$])(?P<probes>{_SHORT}(?:\s{{0,99}}+,\s{{0,99}}+{_SHORT}){{0,31}})\s{{0,99}}+"
    r"(?P<predicate>/[^{}]{0,999}?/)?\s{0,99}+(?P<brace>\{)"
)
"""Every part is bounded: a search begins anew at every word of a text that holds no script."""
_ASSIGNED = Pattern(r"(?P<map>@\w*)\s*(?P<key>\[[^=;]*?\])?\s*=\s*(?P<function>\w*)\s*\(")
_BOUND = re.compile(r">=?\s*+(?P<bound>\d[\d_]{0,24}(?:e\d{1,2})?)(?!\s*[\w*/+.-])")
_STATEMENT_END = re.compile(r"[;{}]")
_IF = re.compile(r"\bif\s*\(")
_DIVISOR = re.compile(r"/\s*(?P<number>\d[\d_]{0,24}(?:e\d{1,2})?)")
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
    """A lower bound some block asks for; `us` is None when the script does not show its unit."""

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


def _closing(text: str, opening: int, pair: str) -> int:
    """Return the offset of the bracket that closes the one at `opening`, or the end of the text."""
    depth = 0
    for offset in range(opening, len(text)):
        depth += (text[offset] == pair[0]) - (text[offset] == pair[1])
        if depth == 0:
            return offset
    return len(text)


def _conditions(test: str, before: str, scope: str, line: int) -> Iterable[Condition]:
    """Yield the lower bounds on durations in one test; `scope` is what runs when it holds."""
    maps = tuple(dict.fromkeys(found["map"] for found in _ASSIGNED.finditer(scope)))
    for part in re.split(r"&&|\|\|", test):
        if not (found := _BOUND.search(part)):
            continue
        left = _STATEMENT_END.split(part[: found.start()])[-1]
        unit = _unit(left, before)
        if unit in _IN_US:
            number = _whole(found["bound"])
            yield Condition(number, number * _IN_US[unit], maps, line)
        elif re.search(r"(?i)\$(?:d|dur|duration|delta|lat|latency|hold|held|took|t|time)\b", left):
            yield Condition(_whole(found["bound"]), None, maps, line)


def _closes_more_than_it_opens(text: str) -> bool:
    """Say whether the beginning is missing: a brace is closed that was not opened."""
    depth = 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if depth < 0:
            return True
    return False


def read(lines: Sequence[tuple[int, str]]) -> Script:
    """Read what the numbered residue lines and the command line show of the script."""
    script = Script()
    text = "\n".join(line for _, line in lines)
    starts = [0]
    for _, line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def line_at(offset: int) -> int:
        """Return the line number of an offset of the joined text."""
        index = next(row for row, start in enumerate(starts[1:]) if offset < start)
        return lines[index][0]

    blocks = list(_BLOCK.finditer(text))
    script.is_cut = _closes_more_than_it_opens(text)
    for found in blocks:
        end = _closing(text, found.start("brace"), "{}")
        body = text[found.start("brace") : end]
        probes = ",".join(map(str.strip, found["probes"].split(",")))
        for assigned in _ASSIGNED.finditer(body):
            script.probes.setdefault(assigned["map"], probes)
        if found["predicate"]:
            test = found["predicate"][1:-1]
            script.conditions.extend(_conditions(test, text, body, line_at(found.start("predicate"))))
    for assigned in _ASSIGNED.finditer(text):
        script.functions.setdefault(assigned["map"], assigned["function"])
        if assigned["key"]:
            expressions = tuple(part.strip() for part in assigned["key"][1:-1].split(","))
            script.keys.setdefault(assigned["map"], expressions)
    for found in _IF.finditer(text):
        opening = found.end() - 1
        closing = _closing(text, opening, "()")
        brace = text.find("{", closing)
        scope = text[brace : _closing(text, brace, "{}")] if brace >= 0 else text[closing:]
        test = text[opening + 1 : closing]
        script.conditions.extend(_conditions(test, text[:opening], scope, line_at(found.start())))
    return script
