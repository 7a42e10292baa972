"""Causes of growth: significant functions without those that grew only because they call one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.comparison.callers import growth_below
from ingest.comparison.results import Finding, Growth, is_failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.comparison.costs import Run
    from ingest.comparison.rules import Rules

MOST = 20
EXPLAINED = 0.5
"""Part of a caller's growth that its callees must account for."""


def causes(
    runs: Sequence[Run], is_new: Sequence[bool], functions: Sequence[Growth], total: Growth, rules: Rules
) -> tuple[Finding, ...]:
    """Return at most 20 causes, largest increase first.

    Args:
        runs: Of both sides.
        is_new: Which are of the new build.
        functions: Own and total costs of functions.
        total: CPU time of a unit of work.
        rules: What fails.
    """
    significant = [one for one in functions if is_failure(one, rules)]
    inclusive = {one.measure.name: one for one in functions if one.measure.kind == "inclusive"}
    own = sorted((one for one in significant if one.measure.kind == "own"), key=lambda one: -one.increase)
    whole = sorted((one for one in significant if one.measure.kind == "inclusive"), key=lambda one: one.new)
    found: dict[str, Growth] = {}
    callers: dict[str, dict[str, Growth]] = {}
    for one in (*own, *whole):
        name = one.measure.name
        if name in found or len(found) == MOST:
            continue
        callee = _explains(runs, is_new, name, inclusive, found)
        if callee is None:
            found[name], callers[name] = one, {}
        else:
            callers[callee][name] = one
    findings = [
        Finding(
            one,
            tuple(callers[name]),
            is_offset=all(_is_offset(member, total) for member in (one, *callers[name].values())),
        )
        for name, one in found.items()
    ]
    return tuple(sorted(findings, key=lambda one: -one.growth.increase))


def _explains(
    runs: Sequence[Run],
    is_new: Sequence[bool],
    name: str,
    inclusive: dict[str, Growth],
    found: dict[str, Growth],
) -> str | None:
    """Return the cause that accounts for most of the growth of a caller, None where causes do not."""
    views = [run.view for run in runs if run.view is not None]
    if not found or len(views) < len(runs) or name not in inclusive:
        return None
    work = [run.work for run in runs]
    least = EXPLAINED * inclusive[name].increase
    if growth_below(views, work, is_new, set(found)).get(name, 0.0) < least:
        return None
    parts = {cause: growth_below(views, work, is_new, {cause}).get(name, 0.0) for cause in found}
    return max(parts, key=lambda cause: parts[cause])


def _is_offset(growth: Growth, total: Growth) -> bool:
    """Return whether the total excludes this growth: as much was saved elsewhere."""
    # By the lower end of the interval the base cost at most this; a new function cost nothing.
    base = growth.new / (1 + growth.low)
    return growth.new - base > total.base * total.high
