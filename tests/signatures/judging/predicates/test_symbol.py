"""`symbol`: shares in tables."""

from __future__ import annotations

import pytest

from ingest.model.profile import Symbol, SymbolTable
from signatures.judging.observation import State
from tests.signatures.build import ask


def table(*shares, has_header=True):
    symbols = tuple(
        Symbol(f"f{at}", share, None, "", "kernel", "", at + 1) for at, share in enumerate(shares)
    )
    return SymbolTable("cpu-clock", symbols, None, None, has_header)


def test_the_unlisted_share_bounds_absent_functions():
    test = {"symbol": {"any": ["absent"]}, "share": {"at_least": 0.05}}
    assert ask(test, tables=[table(0.60, 0.3885)])[0].state is State.FALSE
    assert ask(test, tables=[table(0.60)])[0].state is State.UNKNOWN


def test_shares_of_several_symbols_add_up():
    (found,) = ask({"symbol": {"any": ["f0", "f1"]}, "share": {"at_least": 0.9}}, tables=[table(0.64, 0.29)])
    assert found.observed == pytest.approx(0.93)


def test_a_table_without_header_is_capped():
    (found,) = ask(
        {"symbol": {"any": ["f0"]}, "share": {"at_least": 0.4}}, tables=[table(0.67, has_header=False)]
    )
    assert found.caps


def test_self_shares_refute_no_total():
    test = {"symbol": {"any": ["f0"], "what": "total"}, "share": {"at_least": 0.5}}
    assert ask(test, tables=[table(0.02, 0.98)])[0].state is State.UNKNOWN
