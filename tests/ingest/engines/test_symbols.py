"""Flat profiles of programs: shares by function, and what the functions serve."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes, read_paths
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.ingest.samples import DATA

SAMPLES = DATA / "symbol-list"

BUSY = """\
# Overhead  Command  Shared Object  Symbol
    14.10%  lact     libc.so.6      [.] _int_malloc
    12.30%  lact     libc.so.6      [.] malloc
    11.90%  lact     libc.so.6      [.] _int_free
     2.20%  nginx    libc.so.6      [.] malloc
     3.10%  lact     lact           [.] tick
"""


def said(evidence):
    return [one.text for panel in run(items_of(evidence)) for one in panel.statements]


@pytest.mark.parametrize(
    ("name", "function", "share", "total"),
    [
        ("pprof-top.txt", "runtime.gentraceback", 0.0987, 0.6366),
        ("async-profiler.txt", "java.util.regex.Pattern$CharProperty.match", 0.7121, None),
        ("gprof.txt", "parse_line", 0.8121, None),
        ("callgrind.txt", "_int_malloc", 0.1873, None),
        ("flame-graph.svg.txt", "std::vector<int>::push_back", 0.0, 0.648),
    ],
)
def test_a_function_has_its_share(name, function, share, total):
    (evidence,) = read_paths([SAMPLES / name])
    (table,) = (table for section in evidence.sections for table in section.reading.tables)
    row = next(one for one in table.symbols if one.name == function)
    assert (row.self_share, row.total_share, row.kind) == (pytest.approx(share), pytest.approx(total), "user")


def test_functions_are_summed_by_what_they_serve_and_no_single_one_stands_for_them():
    first = said(read_paths([SAMPLES / "pprof-top.txt"]))[0:2]
    assert any("56.1 % of the time is in unwinding of stacks" in text for text in first)


def test_the_leading_process_of_a_group_is_named():
    (text,) = (one for one in said([read_bytes(BUSY.encode(), name="x")]) if "allocation of memory" in one)
    assert text.startswith("40.5 % of the time")
    assert text.endswith("most of it of lact")


def test_a_share_that_cannot_be_is_no_share():
    head = "  flat  flat%   sum%        cum   cum%\n"
    text = f"{head} 1s 912.5% 1% 1s 1% c.d\n 1s 3% 1% 1s 4% e.f\n 1s 1% 1% 1s 4% g.h\n"
    (evidence,) = [read_bytes(text.encode(), name="x")]
    shares = [one.self_share for part in evidence.sections for t in part.reading.tables for one in t.symbols]
    assert shares == [0.0, 0.03, 0.01]
