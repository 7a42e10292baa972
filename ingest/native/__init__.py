"""The only interface to the Rust core: text in, profiles out, and questions to all nodes of a tree at once.

Everything here takes and gives numpy arrays; `_core` itself speaks bytes.
"""

from __future__ import annotations

from ingest.native.index import StackIndex
from ingest.native.measure import totals, weight_by_node
from ingest.native.parsers import FoldedText, PerfScriptText, parse_folded, parse_perf_script

__all__ = [
    "FoldedText",
    "PerfScriptText",
    "StackIndex",
    "parse_folded",
    "parse_perf_script",
    "totals",
    "weight_by_node",
]
