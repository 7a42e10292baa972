"""Measure whether twins are found to be the same: `python -m benchmarks.seen_before [unseen|tuned|rarity]`.

`unseen` writes benchmarks/SEEN_BEFORE.md. `tuned` prints the half that weights and threshold are made with,
`rarity` writes the table of its frequent traits.
"""

from __future__ import annotations

import sys
from collections import Counter
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import yaml

from backend.problems.precision import interval
from backend.search.likeness import LEAST_COMMON, SAME, compare
from backend.search.traits import kind_of
from benchmarks.seen_before.incidents import incidents
from benchmarks.seen_before.observed import Observed, observe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.seen_before.twins import Form

RESULTS = Path(__file__).parent.parent / "SEEN_BEFORE.md"
RARITY = Path("backend/search/trait_rarity.yaml")
MIN_INCIDENTS = 4
"""Incidents of the tuned half from which a trait is in the table."""
THRESHOLDS = (0.4, 0.5, 0.6, SAME, 0.75, 0.85)
FORMS: dict[Form, str] = {
    "log": "log of another writer (dmesg, dmesg -T, journal, syslog)",
    "folded": "folded stacks of a recording",
    "stack": "stacks with the addresses of older kernels",
    "table": "rows with times, as `ts` writes them",
    "quoted": "quoted",
}
HEADER = """\
# Seen before

`python -m benchmarks.seen_before {part}`, {day}: the {part} half of the incidents of the repository
(fixtures of signatures, opened parts of the pool), split by signature. The twin of an incident has another
host, kernel and device, other addresses, offsets and process ids, and the form of another tool. Bounds are
95 % (Wilson).
"""
HEAD = """\
# In how many incidents a trait is, of those that weights are tuned with: a trait that is in few tells much.
# Written by `python -m benchmarks.seen_before rarity`.
"""


class Pair(NamedTuple):
    """The twin of one incident compared with another incident, or with its own."""

    twin: str
    other: str
    is_twin: bool
    is_near: bool
    share: float
    common: float

    def is_same(self, threshold: float = SAME) -> bool:
        """Whether they are shown as the same."""
        return self.share >= threshold and self.common >= LEAST_COMMON


def main() -> None:
    """Measure one half, or write the table of rarities."""
    part = (sys.argv[1:] or ["unseen"])[0]
    is_tuned = part != "unseen"
    observed = [observe(one) for one in incidents() if one.is_tuned is is_tuned]
    if part == "rarity":
        counts = Counter(trait for one in observed for trait in one.traits)
        rows = {trait: count for trait, count in sorted(counts.items()) if count >= MIN_INCIDENTS}
        text = yaml.safe_dump({"incidents": len(observed), "counts": rows}, sort_keys=False, width=110)
        RARITY.write_text(HEAD + text, encoding="utf-8")
        return
    page = "\n".join(_page(part, observed)) + "\n"
    sys.stdout.write(page)
    if not is_tuned:
        RESULTS.write_text(page, encoding="utf-8")
    for pair in sorted(_pairs(observed), key=lambda one: -one.share):
        if is_tuned and pair.is_twin != pair.is_same():
            word = "missed" if pair.is_twin else "wrong"
            sys.stdout.write(f"{word} {pair.share:.2f} {pair.common:.2f} {pair.twin} {pair.other}\n")


def _pairs(observed: Sequence[Observed]) -> Iterator[Pair]:
    """Yield each twin with its incident, and with all others that are not of the same problem.

    Left out: two positive fixtures of one signature, and pairs in which one signature matches both.
    """
    for one, other in product(observed, observed):
        is_twin = one.name == other.name
        if not is_twin and (_is_one_problem(one, other) or one.twin_matches & other.matches):
            continue
        likeness = compare(one.twin, other.traits)
        is_near = any(kind_of(trait) in {"wait", "class"} for trait in one.twin.keys() & other.traits.keys())
        yield Pair(one.name, other.name, is_twin, is_near, likeness.share, likeness.common)


def _is_one_problem(one: Observed, other: Observed) -> bool:
    return one.family == other.family and "/pos-" in one.name and "/pos-" in other.name


def _page(part: str, observed: Sequence[Observed]) -> Iterator[str]:
    pairs = list(_pairs(observed))
    shown = {one.name for one in observed if one.traits}
    forms = {one.name: one.forms for one in observed}
    twins = [one for one in pairs if one.is_twin and one.twin in shown]
    others = [one for one in pairs if not one.is_twin]
    near = [one for one in others if one.is_near]
    yield HEADER.format(part=part, day=datetime.now(UTC).date())
    calm = len(observed) - len(shown)
    yield f"{len(observed)} incidents; {calm} show nothing unusual: none can be seen again."
    yield f"{len(twins)} pairs of twins; {len(others):,} of others, {len(near)} share a class or wait."
    yield ""
    heads = (
        "share from",
        "twins found",
        "others found",
        "of these with a common class or wait",
        "precision",
        "recall",
    )
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for threshold in THRESHOLDS:
        right = sum(one.is_same(threshold) for one in twins)
        wrong = sum(one.is_same(threshold) for one in others)
        wrong_near = sum(one.is_same(threshold) for one in near)
        mark = " (*same*)" if threshold == SAME else ""
        yield (
            f"| {threshold}{mark} | {right} of {len(twins)} | {wrong} of {len(others):,} |"
            f" {wrong_near} of {len(near)} | {_share(right, right + wrong)} | {_share(right, len(twins))} |"
        )
    yield ""
    yield "| form of a file of the twin | twins found at *same* |"
    yield "| --- | --- |"
    for form, says in FORMS.items():
        some = [one for one in twins if form in forms[one.twin]]
        yield f"| {says} | {sum(one.is_same() for one in some)} of {len(some)} |"
    yield ""
    yield "A quoted file is of the same tool: identities differ, and the form of the paste."


def _share(some: int, every: int) -> str:
    if not every:
        return "none"
    low, high = interval(some, every)
    return f"{some / every:.1%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    main()
