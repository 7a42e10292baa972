"""Amounts as text: costs with their unit, growth as a signed percentage."""

from __future__ import annotations

import math


def percent(share: float) -> str:
    """Return a signed percentage."""
    return f"{share * 100:+.1f} %" if math.isfinite(share) else "–"


def cost(value: float, unit: str) -> str:
    """Return a cost with its unit; nanoseconds in the unit that fits."""
    if unit != "ns":
        return f"{value:,.4g}" if value < 10_000 else f"{value:,.0f}"
    for size, name in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if value >= size:
            return f"{value / size:.4g} {name}"
    return f"{value:.4g} ns"
