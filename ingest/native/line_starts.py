r"""Which of many conditions each line of a text meets, in one pass.

    starts = LineStarts([(0, [r"\s*MemTotal:"], [], 0), (1, [r"\s+\w"], [r"\s+\d+$"], 140)])
    starts.scan(["MemTotal: 1 kB", "  frame", "  7"])  ->  ([0, 1, 2], [[0], [1], [1]])

Expressions match from the first character on; the second condition also needs a line that `\s+\d+$` matches
at most 140 lines below. With the literals that each expression requires (`required_literals`), a short text
compiles those only that may match. The syntax is that of the Rust crate `regex`: no look-around. `LineRuns`
tells how many lines in a row match, `LineKinds` which of several shapes each line has.
"""

from __future__ import annotations

from ingest.native._core import LineKinds, LineRuns, LineStarts

__all__ = ["LineKinds", "LineRuns", "LineStarts"]
