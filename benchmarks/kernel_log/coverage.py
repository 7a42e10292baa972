"""Coverage of other tools' expressions by the classes: `python -m benchmarks.kernel_log.coverage`.

    --npd DIR        a checkout of kubernetes/node-problem-detector
    --hotsos DIR     a checkout of canonical/hotsos
    --insights FILE  data/.fallback.json of RedHatInsights/insights-client
    --linux DIR      the kernel's source
    --half HALF      `tune` or `held-out`: the halves by SHA-256 of the expression; both by default
    --list           prints the expressions that no class covers

An expression is covered when the reader takes every example of it as a class or as a line of a report, or
when at least half of the kernel's messages with its longest words have a class; a plain text is searched
whole. One whose words no message of the kernel has is another program's; one whose words only messages below
warnings have is informational: both are counted apart.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.kernel_log import rule_lists
from benchmarks.kernel_log.kernel_messages import messages
from benchmarks.kernel_log.regex_examples import examples
from ingest.readers.logs.kernel_log import oom, trace
from ingest.readers.logs.kernel_log.classes import classify

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.kernel_log.kernel_messages import Message

LITERALS = "insights"
OUTCOMES = ("covered", "open", "informational", "another program's")
LEAST_WORDS = 10
"""Characters of an expression that identify messages."""

_LITERALS = re.compile(r"[A-Za-z][A-Za-z ,.'()-]+[A-Za-z]")


def half_of(expression: str) -> str:
    """Return the half that an expression is in, by the last digit of its digest."""
    return "held-out" if int(hashlib.sha256(expression.encode()).hexdigest()[-1], 16) % 2 else "tune"


def is_read(text: str) -> bool:
    """Return whether a message has a class, or is a line inside a report."""
    message = text.strip()
    return bool(
        classify(message) or oom.BODY.match(message) or trace.BODY.match(text) or trace.frames(message, 0)
    )


def outcome(expression: str, printed: Sequence[Message], *, is_literal: bool) -> str:
    """Return what becomes of an expression; one of `OUTCOMES`."""
    if is_literal:
        text = expression.removeprefix("kernel: ")
        texts = [(text, f"{text.rstrip()} 1")]
    else:
        texts = examples(expression)
    if texts and all(any(is_read(text) for text in pair) for pair in texts):
        return "covered"
    plain = expression if is_literal else re.sub(r"\\.|[+*?^$]", "\0", expression)
    found = _LITERALS.findall(plain.removeprefix("kernel: "))
    words = text if is_literal else max(found, key=len, default="")
    matched = [one for one in printed if len(words) >= LEAST_WORDS and words in one.fixed]
    if not matched:
        return "another program's"
    loud = [one for one in matched if one.is_loud]
    if not loud:
        return "informational"
    if is_literal and is_read(f"driver 0000:00:01.0: {text}"):
        return "covered"
    known = sum(any(is_read(text) for text in one.as_printed()) for one in loud)
    return "covered" if 2 * known >= len(loud) else "open"


def survey(
    name: str, expressions: Iterable[str], printed: Sequence[Message], half: str, *, is_listing: bool
) -> None:
    """Print the figures of one list."""
    for part in ("tune", "held-out"):
        if half not in {"both", part}:
            continue
        found = {
            one: outcome(one, printed, is_literal=name == LITERALS)
            for one in expressions
            if half_of(one) == part
        }
        counts = Counter(found.values())
        base = counts["covered"] + counts["open"]
        share = f"{counts['covered'] / base:.0%}" if base else "none"
        apart = ", ".join(f"{counts[one]} {one}" for one in OUTCOMES[2:])
        sys.stdout.write(f"{name}, {part}: {counts['covered']} of {base} covered ({share}); {apart}\n")
        if is_listing:
            for one, result in sorted(found.items(), key=lambda row: row[1]):
                if result != "covered":
                    sys.stdout.write(f"  {result}: {one}\n")


def main() -> None:
    """Print the coverage of each list."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernel_log.coverage")
    for name in ("npd", "hotsos", "insights", "linux"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--half", choices=("tune", "held-out", "both"), default="both")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    printed = list(messages(given.linux))
    lists = {
        "node-problem-detector": rule_lists.node_problem_detector(given.npd),
        "hotsos": rule_lists.hotsos(given.hotsos),
        "insights": rule_lists.insights(given.insights),
    }
    for name, expressions in lists.items():
        survey(name, expressions, printed, given.half, is_listing=given.list)


if __name__ == "__main__":
    main()
