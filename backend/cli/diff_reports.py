"""Reports of a profile diff: text, Markdown, JSON, JUnit, SARIF."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from backend.cli import ci
from backend.cli.output import bare
from backend.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.export.growth import Growth, Limit, Overgrown
    from ingest.native.views import View

MOST_ROWS = 15
NOTHING = "No function changed by more than chance explains."
RULE = "max-growth"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A diff of two recordings with exceeded limits.

    Attributes:
        base: Path of the baseline recording.
        found: Every function, largest growth first.
        over: Functions above a limit.
        is_strict: Growth within noise fails as well.
    """

    base: str
    new: str
    before: View
    after: View
    limits: tuple[Limit, ...]
    found: tuple[Growth, ...]
    over: tuple[Overgrown, ...]
    is_strict: bool

    @property
    def failures(self) -> tuple[Overgrown, ...]:
        """Functions that fail the check."""
        return tuple(one for one in self.over if one.is_sure or self.is_strict)

    @property
    def doubts(self) -> tuple[Overgrown, ...]:
        """Functions above a limit but within noise."""
        return tuple(one for one in self.over if not (one.is_sure or self.is_strict))


def written(comparison: Comparison, shape: str) -> str:
    """Return the comparison in the format `shape`."""
    if shape == "json":
        return json.dumps(_document(comparison), indent=2) + "\n"
    if shape == "sarif":
        return _sarif(comparison)
    if shape == "junit":
        return _junit(comparison)
    lines = _markdown(comparison) if shape == "markdown" else _text(comparison)
    return "".join(f"{line}\n" for line in lines)


def _text(comparison: Comparison) -> Iterator[str]:
    yield _sides(comparison)
    yield ""
    rows = _rows(comparison)
    yield f"{'base':>8} {'new':>8} {'growth':>8}  95 % interval      function" if rows else NOTHING
    for growth in rows:
        interval = f"{_points(growth.low)} to {_points(growth.high)}"
        yield (
            f"{_share(growth.base):>8} {_share(growth.new):>8} {_points(growth.new - growth.base):>8}"
            f"  {interval:<17}  {bare(growth.function)}"
        )
    yield ""
    yield _verdict(comparison)
    for one in (*comparison.failures, *comparison.doubts):
        yield f"  {_sentence(one)}"


def _markdown(comparison: Comparison) -> Iterator[str]:
    yield f"## {'❌' if comparison.failures else '✅'} {_verdict(comparison)}"
    yield ""
    for one in (*comparison.failures, *comparison.doubts):
        yield f"- {_sentence(one)}"
    if comparison.over:
        yield ""
    yield _sides(comparison)
    yield ""
    rows = _rows(comparison)
    if not rows:
        yield NOTHING
        return
    yield "| function | base | new | growth | 95 % interval |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for growth in rows:
        name = bare(growth.function).replace("|", r"\|").replace("`", "'")
        yield (
            f"| `{name}` | {_share(growth.base)} | {_share(growth.new)} "
            f"| {_points(growth.new - growth.base)} | {_points(growth.low)} to {_points(growth.high)} |"
        )


def _document(comparison: Comparison) -> dict[str, Any]:
    """Return the JSON report; shares are 0..1."""
    return {
        "engine": VERSION,
        "event": comparison.after.profile.event,
        "unit": comparison.after.unit,
        "base": {"path": comparison.base, "samples": comparison.before.total_samples},
        "new": {"path": comparison.new, "samples": comparison.after.total_samples},
        "limits": [limit.text for limit in comparison.limits],
        "failed": bool(comparison.failures),
        "beyond": [
            {"function": one.growth.function, "limit": one.limit.text, "is_sure": one.is_sure}
            for one in comparison.over
        ],
        "functions": [
            {
                "function": growth.function,
                "base_share": growth.base,
                "new_share": growth.new,
                "base_own_share": growth.base_own,
                "new_own_share": growth.new_own,
                "low": growth.low,
                "high": growth.high,
                "line": growth.line or None,
            }
            for growth in comparison.found
        ],
    }


def _junit(comparison: Comparison) -> str:
    """Return one test case per limit; without limits one that passes."""
    checks = []
    for name in [limit.text for limit in comparison.limits] or ["comparison"]:
        over = [_sentence(one) for one in comparison.failures if one.limit.text == name]
        doubts = [_sentence(one) for one in comparison.doubts if one.limit.text == name]
        lines = (_sides(comparison), *doubts)
        checks.append(ci.Check("casebook.diff", name, RULE, failures=tuple(over), output=lines))
    return ci.junit("casebook diff", checks)


def _sarif(comparison: Comparison) -> str:
    """Return one result per function above a limit, located at its first line in the new recording."""
    results = [
        {
            "ruleId": RULE,
            "level": "error" if one in comparison.failures else "warning",
            "message": {"text": _sentence(one)},
            "locations": [
                {
                    "physicalLocation": ci.place(comparison.new, one.growth.line, one.growth.line),
                    "logicalLocations": [
                        {"fullyQualifiedName": bare(one.growth.function), "kind": "function"}
                    ],
                }
            ],
        }
        for one in comparison.over
    ]
    says = "A function takes more of the recording than it may."
    return ci.sarif([{"id": RULE, "shortDescription": {"text": says}}], results)


def _rows(comparison: Comparison) -> list[Growth]:
    """Return the largest changes, significant ones first."""
    changed = [growth for growth in comparison.found if growth.low > 0 or growth.high < 0]
    most = sorted(changed, key=lambda one: -abs(one.new - one.base))[:MOST_ROWS]
    return sorted(most, key=lambda one: one.base - one.new)


def _sides(comparison: Comparison) -> str:
    event = comparison.after.profile.event or "unnamed event"
    return (
        f"{bare(event)}: {comparison.before.total_samples:,.0f} samples in {bare(comparison.base)}, "
        f"{comparison.after.total_samples:,.0f} in {bare(comparison.new)}"
    )


def _verdict(comparison: Comparison) -> str:
    if not comparison.limits:
        return "No limit was given, so none is exceeded"
    if comparison.failures:
        return f"{_count(len(comparison.failures))} than allowed"
    if comparison.doubts:
        return "No function surely grew more than allowed; some may have"
    return "No function grew more than allowed"


def _count(functions: int) -> str:
    return "1 function grew more" if functions == 1 else f"{functions} functions grew more"


def _sentence(one: Overgrown) -> str:
    growth = one.growth
    chance = "" if one.is_sure else " (may be chance: too few samples)"
    return (
        f"{bare(growth.function)}: {_share(growth.base)} -> {_share(growth.new)}, "
        f"{_points(growth.new - growth.base)} points; allowed {bare(one.limit.text)}{chance}"
    )


def _share(share: float) -> str:
    return f"{share * 100:.1f} %"


def _points(share: float) -> str:
    return f"{share * 100:+.1f}"
