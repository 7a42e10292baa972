"""`symbol`: share of functions in a symbol table (perf top, perf report).

The unlisted remainder bounds absent functions: in a table whose rows add up to 98.85 %, a missing function
has at most 1.15 %. Functions that many paths end in, such as a spin lock's slow path, show no path: a second
condition beside it (`all`) tests a row of the path itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ingest.frames import normalise
from signatures.judging.condition_bases import ReadingCondition
from signatures.judging.observation import (
    MAX_EXEMPLARS,
    Cited,
    MatchResult,
    Reason,
    State,
    number_result,
    unknown,
)
from signatures.language.condition_words import bound_words, names_words
from signatures.language.conditions import Bound, ConditionText, FrameSet
from signatures.language.keyword import Form, Keyword
from signatures.language.patterns import expand, is_any
from signatures.language.schema_parts import BOUND, CAP, TEXTS, Schema, object_of, one_of
from signatures.language.strict_mapping import BOUNDS, Keys, bound_of, cap_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.model.profile import Symbol, SymbolTable
    from ingest.model.reading import Reading
    from signatures.judging.condition_bases import Span
    from signatures.judging.profile_index import Trees

NO_HEADER = "population and event unknown: no `Samples` line above the table"
_WHAT = ("self", "total")

_KEYS: dict[str, Schema] = {"any": TEXTS, "what": one_of(*_WHAT), "not_comm": TEXTS}
_BESIDE = {"share": BOUND, "cap": CAP}


@dataclass(frozen=True, slots=True)
class SymbolCondition(ReadingCondition):
    """Share of symbols in a table without stacks; `what` is `self` or `total`.

    Attributes:
        not_comm: Rows of these commands do not count.
    """

    PARTS: ClassVar[tuple[str, ...]] = ("tables",)

    names: FrameSet
    what: Literal["self", "total"]
    bound: Bound
    not_comm: FrameSet = ()

    @property
    def is_tabular(self) -> bool:
        """Its rows have no callers."""
        return True

    @property
    def functions(self) -> tuple[str, ...]:
        """The symbols."""
        return self.names

    def observe(self, reading: Reading, trees: Trees, span: Span | None) -> Iterator[MatchResult]:
        """Yield one result per table."""
        del trees, span
        for table in reading.tables:
            yield _observe(self, table)

    def describe(self) -> ConditionText:
        """Return the symbols and their share."""
        names = names_words(self.names)
        others = f", not of {names_words(self.not_comm)}" if self.not_comm else ""
        return ConditionText("table", f"{names}{others}, {bound_words(self.bound, 'share')} {self.what} time")


def _observe(condition: SymbolCondition, table: SymbolTable) -> MatchResult:
    rows = [
        row
        for row in table.symbols
        if is_any(normalise(row.name), condition.names) and not is_any(row.comm, condition.not_comm)
    ]
    share = _share(condition, rows)
    caps = () if table.has_header else (NO_HEADER,)
    heaviest = sorted(rows, key=lambda row: -row.self_share)[:MAX_EXEMPLARS]
    citations = tuple(Cited(row.line, row.line) for row in heaviest)
    residual = _unlisted(condition, rows, table)
    low = condition.bound.at_least
    has_totals = any(row.total_share is not None for row in table.symbols)
    if low is not None and share < low.value and condition.what == "total" and not has_totals:
        return unknown(
            Reason.LOW_QUALITY,
            "a table of self shares: what a function calls is not in its row",
            observed=share,
            threshold=low.value,
            unit="share",
            citations=citations,
        )
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
    totals = [row.total_share for row in table.symbols if row.total_share is not None and row.kind]
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


def _parse(file: str, path: str, document: Mapping[str, Any]) -> SymbolCondition:
    Keys(file, path, document, ["symbol", *_BESIDE])
    keys = Keys(file, f"{path}.symbol", document["symbol"], _KEYS)
    share = Keys(file, f"{path}.share", document.get("share", {}), BOUNDS)
    what = keys.one_of("what", _WHAT, default="self")
    return SymbolCondition(
        expand(keys.texts("any")),
        what,
        bound_of(share),
        not_comm=keys.texts("not_comm"),
        cap=cap_of(file, path, document),
    )


KEYWORDS = {"symbol": Keyword(_parse, (Form(object_of(_KEYS, ["any"]), _BESIDE),))}
