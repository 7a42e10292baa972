"""The only interface to the Rust core: text in, profiles out, and questions to all nodes of a tree at once.

Everything here takes and gives numpy arrays; `_core` itself speaks bytes.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.native.index import Paths, StackIndex, WeighedSamples
    from ingest.native.measure import longest_runs, sums, totals, weight_by_node
    from ingest.native.parsers import FoldedText, PerfScriptText, parse_folded, parse_perf_script

__all__ = [
    "FoldedText",
    "Paths",
    "PerfScriptText",
    "StackIndex",
    "WeighedSamples",
    "longest_runs",
    "parse_folded",
    "parse_perf_script",
    "sums",
    "totals",
    "weight_by_node",
]

_MODULES = {
    "Paths": "index",
    "StackIndex": "index",
    "WeighedSamples": "index",
    "longest_runs": "measure",
    "sums": "measure",
    "totals": "measure",
    "weight_by_node": "measure",
}


def __getattr__(name: str) -> Any:
    """Import on first use: `ingest.native.linear` needs no numpy, which takes 0.1 s."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(importlib.import_module(f"{__name__}.{_MODULES.get(name, 'parsers')}"), name)
