"""Histograms to be read: shares, cumulative shares, percentiles, and where the summed time went.

Example:
    {"scale": "log2", "counts": [3, 1], "cumulative": [0.75, 1], "percentiles": [{"share": 0.5, …}], …}

A percentile is the bucket in which it lies: a histogram has no finer resolution. The sum of the values is
known between two bounds; its parts are estimated from the middle of every bucket.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ingest.export.columns import number

if TYPE_CHECKING:
    from ingest.model.histogram import Histogram

PERCENTILES = (0.5, 0.9, 0.99, 0.999)
SUMMED = frozenset({"ns", "us", "ms", "s", "seconds", "bytes", "kib", "mib"})
"""Units whose sum is meaningful: time spent, memory moved."""


def distribution(histogram: Histogram) -> dict[str, Any]:
    """Return a histogram with what can be read off it."""
    count = math.fsum(histogram.counts)
    running, cumulative = 0.0, []
    for one in histogram.counts:
        running += one
        cumulative.append(running)
    return {
        "name": histogram.name,
        "key": histogram.key,
        "unit": histogram.unit,
        "probe": histogram.probe,
        "scale": scale(histogram),
        "count": number(count),
        "lows": [_bound(low) for low in histogram.lows],
        "highs": [_bound(high) for high in histogram.highs],
        "counts": [number(one) for one in histogram.counts],
        "shares": [_share(one, count) for one in histogram.counts],
        "cumulative": [_share(one, count) for one in cumulative],
        "lines": list(histogram.bucket_lines),
        "percentiles": [_percentile(histogram, cumulative, share) for share in PERCENTILES]
        if count > 0
        else [],
        "sum": _sum(histogram),
        "sum_shares": _sum_shares(histogram),
    }


def scale(histogram: Histogram) -> str:
    """Return `log2` when buckets end at twice their begin, `linear` when all are as wide, else `other`."""
    closed = [
        (low, high)
        for low, high in zip(histogram.lows, histogram.highs, strict=True)
        if math.isfinite(low) and math.isfinite(high)
    ]
    if not closed:
        return "other"
    powers = [(low, high) for low, high in closed if low > 0]
    if powers and all(high == 2 * low or high == low + 1 == 2 for low, high in powers):
        return "log2"
    widths = {round(high - low, 9) for low, high in closed}
    return "linear" if len(widths) == 1 else "other"


def _percentile(histogram: Histogram, cumulative: list[float], share: float) -> dict[str, float | None]:
    wanted = share * cumulative[-1]
    # Sums of whole counts are exact; a share of them may round up by a crumb.
    at = next(at for at, reached in enumerate(cumulative) if reached >= wanted * (1 - 1e-12))
    return {"share": share, "low": _bound(histogram.lows[at]), "high": _bound(histogram.highs[at])}


def _sum(histogram: Histogram) -> dict[str, float | None]:
    """Return the least and the most that all values can sum up to; None where a filled bucket is open."""
    return {
        "low": _weighed(histogram.lows, histogram.counts),
        "high": _weighed(histogram.highs, histogram.counts),
    }


def _weighed(bounds: tuple[float, ...], counts: tuple[float, ...]) -> float | None:
    filled = [(bound, one) for bound, one in zip(bounds, counts, strict=True) if one]
    if any(not math.isfinite(bound) for bound, _ in filled):
        return None
    return number(math.fsum(bound * one for bound, one in filled))


def _sum_shares(histogram: Histogram) -> list[float] | None:
    if histogram.unit not in SUMMED:
        return None
    parts = [
        one * _middle(low, high)
        for low, high, one in zip(histogram.lows, histogram.highs, histogram.counts, strict=True)
    ]
    total = math.fsum(parts)
    return [_share(part, total) for part in parts]


def _middle(low: float, high: float) -> float:
    """Return the middle of a bucket; of an open one the bound that is known; nothing below zero."""
    low = max(low, 0.0)
    return low if not math.isfinite(high) else max(low + high, 0.0) / 2


def _bound(value: float) -> float | None:
    return number(value) if math.isfinite(value) else None


def _share(part: float, whole: float) -> float:
    return round(part / whole, 9) if whole > 0 else 0.0
