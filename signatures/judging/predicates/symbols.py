"""`symbol`: share of functions in a symbol table (perf top, perf report).

The unlisted remainder bounds absent functions: in a table whose rows add up to 98.85 %, a missing function
has at most 1.15 %.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames import normalise
from signatures.judging.observation import (
    MAX_EXEMPLARS,
    Cited,
    MatchResult,
    Reason,
    State,
    number_result,
    unknown,
)
from signatures.language.patterns import is_any

if TYPE_CHECKING:
    from ingest.model.profile import Symbol, SymbolTable
    from signatures.language.conditions import SymbolCondition

NO_HEADER = "no table header: population and event unknown"


def observe(condition: SymbolCondition, table: SymbolTable) -> MatchResult:
    """Return the result for one table."""
    rows = [row for row in table.symbols if is_any(normalise(row.name), condition.names)]
    share = _share(condition, rows)
    caps = () if table.has_header else (NO_HEADER,)
    heaviest = sorted(rows, key=lambda row: -row.self_share)[:MAX_EXEMPLARS]
    citations = tuple(Cited(row.line, row.line) for row in heaviest)
    residual = _unlisted(condition, rows, table)
    low = condition.bound.at_least
    if low is not None and share < low.value <= share + residual:
        return unknown(
            Reason.EXCERPT,
            f"{residual:.1%} of the table is not listed",
            observed=share,
            threshold=low.value,
            unit="share",
            citations=citations,
        )
    found = number_result(
        share,
        condition.bound,
        "share",
        caps=caps,
        citations=citations,
        note=f"{condition.what} share in a table",
    )
    if found.state is State.FALSE and not rows and table.symbols:
        span = Cited(table.symbols[0].line, table.symbols[-1].line)
        return number_result(share, condition.bound, "share", caps=caps, citations=(span,), note="not listed")
    return found


def _unlisted(condition: SymbolCondition, rows: list[Symbol], table: SymbolTable) -> float:
    """Return the maximum unlisted share; totals include unlisted rows."""
    totals = [row.total_share for row in table.symbols if row.total_share is not None]
    if condition.what == "self" or not totals:
        return table.residual_share
    return 0.0 if rows else min(totals)


def _share(condition: SymbolCondition, rows: list[Symbol]) -> float:
    if condition.what == "self":
        return sum(row.self_share for row in rows)
    by_name: dict[str, float] = {}
    for row in rows:
        total = row.self_share if row.total_share is None else row.total_share
        by_name[row.name] = by_name.get(row.name, 0.0) + total
    return max(by_name.values(), default=0.0)
