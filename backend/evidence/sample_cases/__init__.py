"""Evidence of incidents that comes with Casebook: sample cases of a new instance, and `analyze --demo`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

SAMPLES = Path(__file__).parent
NOT_EVIDENCE = frozenset({"PROVENANCE.md"})


class Sample(NamedTuple):
    """One folder of evidence and the title of its case."""

    folder: str
    title: str


ALL = (
    Sample("vanishing-cpu", "Sample: the vanishing CPU (published)"),
    Sample("reclaim-at-the-limit", "Sample: reclaim at the limit (recorded)"),
)
