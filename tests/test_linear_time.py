"""Whatever strangers send is matched in time linear in its length.

Every pattern of the packages is tried with strings made against it, every recogniser and reader with lines
that people and attackers write. `CASEBOOK_GROWTH=long` tries more of both.
"""

from __future__ import annotations

import os
import re
from collections import deque

import pytest

from ingest.evidence import read_bytes
from ingest.linear import VIEW, Pattern, view
from ingest.recognise import RECOGNISED, spans
from ingest.registry import Text
from tests import patterns
from tests.attacks import SHAPES, attacks
from tests.growth import grows

IS_LONG = os.environ.get("CASEBOOK_GROWTH") == "long"

OURS = {
    "signatures.page._BLOCK": "applied to a page of the documentation",
    "backend.cli.instance.SIGN_IN": "applied to what our own server prints",
}
"""Patterns that see nothing a stranger sends."""


def run_of(used: patterns.Used, text: str):
    """Return the call that applies a pattern to a text as the packages do."""
    given = text.encode() if isinstance(used.pattern.pattern, bytes) else text
    if used.method == "finditer":
        return lambda: deque(used.pattern.finditer(given), maxlen=0)
    method = getattr(used.pattern, used.method)
    return lambda: method(given)


def growth_of(used: patterns.Used) -> str:
    """Return the first attack that a pattern's time grows on, "" when there is none."""
    for attack in attacks(used.pattern, is_long=IS_LONG):
        if told := grows(lambda size, attack=attack: run_of(used, attack.text(size))):
            return f"{used.name}.{used.method} on {attack}: {told}"
    return ""


@pytest.mark.parametrize("package", patterns.PACKAGES)
def test_no_pattern_takes_more_than_linear_time(package):
    slow = [
        told
        for used in patterns.all_patterns()
        if used.name.startswith(package) and used.name not in OURS and (told := growth_of(used))
    ]
    assert slow == []


def test_every_pattern_is_found():
    assert patterns.hidden() == []
    found = {used.name for used in patterns.all_patterns()}
    assert found >= {
        "ingest.formats.pidstat._HEAD",
        "ingest.formats.time_command._ZSH",
        "ingest.call_lines._CALL",
        "ingest.formats.perf_table.header._EVENT",
        "ingest.formats.kernel_log.kinds._COMPILED",
        *OURS,
    }


def test_a_quadratic_pattern_is_found():
    used = patterns.Used("quadratic", re.compile(r"^(?P<value>\S.*?)\s*$"), "match")
    assert growth_of(used)
    assert not growth_of(used._replace(pattern=Pattern(used.pattern.pattern)))


LINES = SHAPES if IS_LONG else (" ", "0", "0.", "a ", "a=", '\\"', "(", "<", "[", ":", "0f", "0, ", "a_", "-")


@pytest.mark.parametrize("reader", RECOGNISED, ids=lambda one: one.NAME)
def test_no_reader_takes_more_than_linear_time_for_a_long_line(reader):
    calls = {
        "begins": lambda line: reader.begins([line, line], 0),
        "continues": reader.continues,
        "read": lambda line: reader.read(Text([line])),
    }
    slow = [
        f"{name} on {shape!r}: {told}"
        for name, call in calls.items()
        for shape in LINES
        if (told := grows(lambda size, shape=shape, call=call: lambda: call(_line(shape, size))))
    ]
    assert slow == []


def _line(shape: str, size: int) -> str:
    return shape * (size // len(shape)) + "!"


@pytest.mark.parametrize("shape", LINES)
def test_a_paste_of_one_long_line_takes_linear_time(shape):
    assert not grows(lambda size: lambda: read_bytes(_line(shape, size).encode(), name="paste"), 0.01)


def test_recognisers_see_the_beginning_and_the_end_of_a_long_line():
    line = "main;" + "a" * 3 * VIEW + " 42"
    assert len(view(line)) == VIEW
    assert view(line).startswith("main;aaa")
    assert view(line).endswith("aaa 42")
    assert view("short") == "short"
    [span] = spans([line, line])
    assert span.format is not None
    assert span.format.NAME == "folded"
