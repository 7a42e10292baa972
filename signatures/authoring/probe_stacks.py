"""Conditions over stacks as awk: shares of sampled kernel stacks, and threads that wait in a function.

The input is what `perf script` prints, or `/proc/PID/task/TID/stack` of one thread behind the other,
separated by an empty line. Samples are counted, not weighed by their period. The code runs in mawk, gawk and
busybox awk: it uses no interval expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames.names import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.judging.predicates.stack import StackCondition
    from signatures.language.conditions import FrameSet

_PROGRAM = r"""
function name(text) {
    sub(/\+0x[0-9a-f]+.*$/, "", text)
    while (sub(/\.(isra|part|constprop|cold|lto_priv|llvm|localalias)(\.[0-9]+)*$/, "", text)) continue
    sub(/^__(x64|ia32|x32|arm64|s390x|riscv|powerpc|loongarch|se|do)_(compat_)?sys_/, "sys_", text)
    return text
}
function member(set, text,   i) {
    if ((set, text) in known) return 1
    for (i = 1; i <= globs[set]; i++) if (text ~ glob[set, i]) return 1
    return 0
}
function path(from, first, last, within,   set, at) {
    at = from
    for (set = first; set <= last; set++) {
        while (at <= n && !member(set, frame[at])) at++
        if (at > n || (set == first && within && at > from + within - 1)) return 0
        at++
    }
    return 1
}
function anywhere(set,   at) {
    for (at = 1; at <= n; at++) if (member(set, frame[at])) return 1
    return 0
}
function stack_ends() {
    if (!n) return
    stacks++
    all = 1
    busy = !member(IDLE, frame[1])
    kernel_busy = busy && in_kernel
TESTS
    n = 0
}
function add(set, text,   parts, i) { for (i = split(text, parts, " "); i > 0; i--) known[set, parts[i]] = 1 }
BEGIN {
SETS
}
/^$/ { stack_ends(); next }
/^[^\t[]/ {
    stack_ends()
    comm = $0
    sub(/^ +/, "", comm)
    sub(/ +-?[0-9]+(\/[0-9]+)? +(\[[0-9]+\]|[0-9.]+:).*$/, "", comm)
    next
}
{
    is_trace = $1 ~ /^\[</
    if (!n) in_kernel = is_trace || $1 ~ /^ffff/
    frame[++n] = name($2)
}
END {
    stack_ends()
RESULTS
}"""


def program(conditions: Sequence[tuple[str, StackCondition]]) -> str:
    """Return awk code that prints `name value ` for each condition that can be decided."""
    sets: list[FrameSet] = [names_of("idle_leaf")]
    tests, results = [], []
    for at, (name, condition) in enumerate(conditions, start=1):
        matches = []
        if condition.leaf:
            sets.append(condition.leaf)
            matches.append(f"member({len(sets)}, frame[1])")
        if condition.path:
            first = len(sets) + 1
            sets.extend(condition.path)
            start, within = (2, condition.within) if condition.leaf else (1, 0)
            matches.append(f"path({start}, {first}, {len(sets)}, {within})")
        if condition.without:
            sets.append(condition.without)
            matches.append(f"!anywhere({len(sets)})")
        population: str = "all" if condition.is_asleep else condition.of
        if condition.comm:
            sets.append(condition.comm)
            population += f" && member({len(sets)}, comm)"
        tests.append(f"    if ({population}) {{ total[{at}]++; if ({' && '.join(matches)}) hits[{at}]++ }}")
        if condition.is_asleep:
            results.append(f'    printf "{name} %d ", hits[{at}]')
        else:
            least = f"{condition.min_samples:g}"
            results.append(f'    if (total[{at}] >= {least}) printf "{name} %.6f ", hits[{at}] / total[{at}]')
    if any(condition.is_asleep for _, condition in conditions):
        results.append('    printf "blocked %d ", stacks')
    lines = [line for number, frames in enumerate(sets, start=1) for line in _set(number, frames)]
    return (
        _PROGRAM.replace("TESTS", "\n".join(tests))
        .replace("SETS", "\n".join(lines))
        .replace("RESULTS", "\n".join(results))
        .replace("IDLE", "1")
        .strip("\n")
    )


def _set(number: int, frames: FrameSet) -> list[str]:
    exact = [one for one in frames if "*" not in one]
    patterns = [one for one in frames if "*" in one]
    lines = [f'    add({number}, "{" ".join(exact)}")'] if exact else []
    lines += [
        f'    glob[{number}, {at}] = "^{one.replace(".", "[.]").replace("*", ".*")}$"'
        for at, one in enumerate(patterns, start=1)
    ]
    return [*lines, f"    globs[{number}] = {len(patterns)}"] if patterns else lines
