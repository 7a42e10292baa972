"""Thresholds of analyses: the rows of `thresholds.yaml`.

LIMITS = thresholds_of("nfs")
LIMITS["slow_ms"]  ->  100.0
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Mapping

_TABLE = Path(__file__).parent / "thresholds.yaml"


def thresholds_of(analysis: str) -> Mapping[str, float]:
    """Return the numbers of an analysis by name; the file states their units."""
    found: Mapping[str, float] = table(_TABLE)[analysis]
    return found
