"""Lock spinning in tables without stacks: which function spins is known, whose lock it is is not.

63.9 % of the time spins on a lock (native_queued_spin_lock_slowpath); the table does not show which lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames import is_spin, normalise
from signatures.overview.cpu.spin_words import functions_words, is_timer, is_unlock, spin_words
from signatures.overview.model import Answer, Figure, Place, Statement, place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.profile import Symbol, SymbolTable
    from signatures.judging.scope import Item
    from signatures.overview.first_steps import Topic
    from signatures.overview.scope_evidence import ScopeEvidence

CALLERS = ("perf record -a -g -F 99 -- sleep 30",)
"""What shows the owner of a lock: the same time with callers."""

SHOWN = 8
_SLEEPING = ("osq_lock", "mutex_", "rwsem_")


def spinning(evidence: ScopeEvidence, notable_share: float) -> Answer | None:
    """Return the spinning functions of the table in which they take most time; None when none spins.

    Args:
        evidence: The scope.
        notable_share: Share of all time from which on they are notable.
    """
    tables = [(part, item, table.event) for item, table in _tables(evidence) for part in _parts(table)]
    symbols, item, event = max(tables, key=lambda row: _total(row[0]), default=([], None, ""))
    if not symbols or item is None:
        return None
    share = _total(symbols)
    ranked = sorted(symbols, key=lambda symbol: -symbol.self_share)
    places = tuple(place(item, symbol.line) for symbol in ranked[:3])
    is_notable = share > notable_share
    first = normalise(ranked[0].name)
    label = "counted at an unlock" if is_unlock(first) else "spinning, total"
    figures = [Figure(label, round(share, 4), "share", places, is_notable)]
    figures += [_figure(item, symbol) for symbol in ranked[:SHOWN]]
    shares: dict[str, float] = {}
    for symbol in ranked:
        name = normalise(symbol.name)
        shares[name] = shares.get(name, 0.0) + symbol.self_share
    words = functions_words(shares)
    spins = spin_words(share, "the time", function=words, at_unlock=is_unlock(first), event=event)
    # A call tree of the table shows who takes the lock: that is a statement of the top functions.
    is_shown = any(not one.kind for _, table in _tables(evidence) for one in table.symbols)
    qualifiers = () if is_shown else ("; the table does not show which lock",)
    topic: Topic = "interrupts off" if is_unlock(first) and is_timer(event) else "kernel lock"
    statement = Statement(
        "locks", spins, places, "alarm", topic=topic, qualifiers=qualifiers, subject=f"{label}: {first}"
    )
    return Answer(f"{statement.text}.", tuple(figures), CALLERS, (statement,) if is_notable else ())


def _tables(evidence: ScopeEvidence) -> Iterator[tuple[Item, SymbolTable]]:
    for item in evidence.items:
        yield from ((item, table) for table in item.reading.tables)


def _parts(table: SymbolTable) -> tuple[list[Symbol], list[Symbol]]:
    """Return the symbols that spin, and those that release a lock."""
    found = [symbol for symbol in table.symbols if symbol.self_share and is_spin(normalise(symbol.name))]
    at_unlock = [symbol for symbol in found if is_unlock(normalise(symbol.name))]
    return [symbol for symbol in found if symbol not in at_unlock], at_unlock


def _total(symbols: list[Symbol]) -> float:
    return sum(symbol.self_share for symbol in symbols)


def _figure(item: Item, symbol: Symbol) -> Figure:
    name = normalise(symbol.name)
    at: tuple[Place, ...] = (place(item, symbol.line),)
    return Figure(name, round(symbol.self_share, 4), "share", at, note=_kind(name))


def _kind(name: str) -> str:
    """Return what the name says about the lock."""
    if name.startswith(_SLEEPING):
        return "a mutex or semaphore whose owner runs"
    if is_unlock(name):
        return "a lock taken with interrupts off, or work done while they were off"
    return "a spin lock"
