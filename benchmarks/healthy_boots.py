"""Alarms on healthy boots: logs of machines that the prior does not have, and what is stated of them.

    python -m benchmarks.healthy_boots DIR… [--half heldout] [--write]

Each folder has logs and a BOOTS.tsv, as for `tools.healthy_boots`. Every alarm is printed with its line; the
page holds counts only. A log that is counted in the prior is refused.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cli.evidence.analysis import analyse
from signatures.judging.decide import MATCH
from signatures.overview.kernel_log.healthy_boots import DATA, prior
from tools.healthy_boots import MEASURING, TRAINING, boots_of

if TYPE_CHECKING:
    from signatures.overview.model import Statement
    from tools.healthy_boots import Boot

PAGE = Path(__file__).parent / "HEALTHY_BOOTS.md"
BLIND = Path(__file__).parent / "healthy_boots_blind.md"
"""What was measured on logs that nobody had looked at; written once, by hand."""


class Measured(NamedTuple):
    """What is stated about the kernel log of one boot."""

    boot: Boot
    of_classes: tuple[Statement, ...]
    unclassified: tuple[Statement, ...]
    notable: tuple[Statement, ...]
    matches: tuple[str, ...]


def measured(boot: Boot) -> Measured:
    """Return the statements about the log of a boot."""
    analysis = analyse([str(boot.path)])
    about = [one for panel in analysis.panels for one in panel.statements if one.question == "kernel-log"]
    derived = [one for one in about if one.engine == "catalogue"]
    return Measured(
        boot,
        tuple(one for one in about if one.kind == "alarm"),
        tuple(one for one in derived if one.kind == "unclassified"),
        tuple(one for one in derived if one.kind == "fact"),
        tuple(one.signature.id for one in analysis.findings if one.verdict == MATCH),
    )


def page_of(found: list[Measured]) -> str:
    """Return the page: counts, no line of a log."""
    physical = [one for one in found if one.boot.kind == "physical"]
    machines = len({one.boot.machine for one in found})
    vendors = len({one.boot.vendor for one in physical})
    known = prior()
    unclassified = sum(len(one.unclassified) for one in found)
    logs = sum(bool(one.unclassified) for one in found)
    notable = sum(len(one.notable) for one in found)
    classes = Counter(name for one in found for alarm in one.of_classes for name in alarm.log_classes[:1])
    matches = Counter(name for one in found for name in one.matches)
    quiet = sum(not one.of_classes and not one.unclassified and not one.matches for one in found)
    return "\n".join(
        (
            "# Healthy boots",
            "",
            "Written by `make bench-healthy-boots`, from logs that are not kept.",
            "",
            f"- The prior: {len(known.logs)} boots of {known.machines} machines,",
            f"  {len(known.counts):,} messages, {DATA.stat().st_size:,} bytes.",
            f"- Held out, no machine of them in the prior: {len(found)} boots of {machines} machines;",
            f"  {len(physical)} on physical hardware of {vendors} vendors;",
            f"  kernels {_releases(found)}.",
            f"- Errors of no known class that are stated: {unclassified}, in {logs} boots.",
            f"- Messages of which it is stated that they may be errors: {notable}.",
            f"- Alarms of known classes: {sum(classes.values())}{_named(classes)}.",
            f"- Signatures that match: {sum(matches.values())}{_named(matches)}.",
            f"- Boots without any alarm or match: {quiet} of {len(found)}.",
            "",
        )
    )


def _named(counts: Counter[str]) -> str:
    """Return ` (a 2, b 1)`; "" of nothing."""
    names = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    return f" ({names})" if names else ""


def _releases(found: list[Measured]) -> str:
    """Return the oldest and the newest release."""
    parts = (one.boot.release.split(".")[:2] for one in found)
    numbers = sorted(
        (int(first), int("".join(filter(str.isdigit, second.split("-")[0]))))
        for first, second in parts
        if first.isdigit()
    )
    (first, second), (third, fourth) = numbers[0], numbers[-1]
    return f"{first}.{second} to {third}.{fourth}"


def main() -> None:
    """Measure, print every alarm, and write the page when asked for it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.healthy_boots")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--half", choices=(TRAINING, MEASURING), default=MEASURING)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    boots = [boot for folder in given.folders for boot in boots_of(folder, given.half)]
    counted = [boot.path.name for boot in boots if boot.digest in prior().logs]
    if counted and given.write:
        parser.error(f"{counted[0]} is counted in the prior")
    found = []
    for boot in boots:
        one = measured(boot)
        found.append(one)
        for kind in ("unclassified", "of_classes", "notable"):
            for statement in getattr(one, kind):
                sys.stdout.write(f"{kind:12} {boot.path.name[:36]:36} {statement.text[:240]}\n")
        for name in one.matches:
            sys.stdout.write(f"{'match':12} {boot.path.name[:36]:36} {name}\n")
    text = page_of(found)
    sys.stdout.write(text)
    if given.write:
        PAGE.write_text(f"{text}\n{BLIND.read_text(encoding='utf-8')}", encoding="utf-8")


if __name__ == "__main__":
    main()
