"""Whatever strangers send is matched in time linear in its length.

Every pattern of the packages is tried with strings made against it; every recogniser, every reader and what
else takes text, with lines that people and attackers write. `CASEBOOK_GROWTH=long` tries more: `make growth`.
"""

from __future__ import annotations

import contextlib
import re
from collections import deque
from functools import partial

import pytest

from ingest.evidence import read_bytes
from ingest.model.errors import IngestError
from ingest.model.section import Text
from ingest.native.linear import VIEW, Pattern, view
from ingest.redact import match_checks
from ingest.sections.recognise import RECOGNISED, spans
from tests import growing, patterns, redaction_growth
from tests.attacks import attacks, some_attacks
from tests.growth import FOURFOLD, grows, is_linear, seconds
from tests.redaction_growth import against, redacted, repeated

OURS = {
    "ingest.generated_parts._PART": "applied to a page of the documentation",
    "ingest.code_versions._TYPES_ONLY": "applied to our own modules",
    "ingest.code_versions._IMPORT": "applied to our own modules",
    "cli.service.instance.SIGN_IN": "applied to what our own server prints",
}
"""Patterns that see nothing a stranger sends."""


def run_of(used: patterns.Used, text: str):
    """Return the call that applies a pattern to a text as the packages do."""
    subject = text.encode() if isinstance(used.pattern.pattern, bytes) else text
    if used.method == "finditer":
        return lambda: deque(used.pattern.finditer(subject), maxlen=0)
    method = getattr(used.pattern, used.method)
    return lambda: method(subject)


def growth_of(used: patterns.Used) -> str:
    """Return the first attack that a pattern's time grows on, "" when there is none."""
    for attack in attacks(used.pattern, is_long=True) if growing.IS_LONG else some_attacks(used.pattern):
        if report := grows(lambda size, attack=attack: run_of(used, attack.text(size))):
            return f"{used.name}.{used.method} on {attack}: {report}"
    return ""


@pytest.mark.parametrize("package", patterns.PACKAGES)
def test_no_pattern_takes_more_than_linear_time(package):
    slow = [
        report
        for used in patterns.all_patterns()
        if used.name.startswith(package) and used.name not in OURS and (report := growth_of(used))
    ]
    assert slow == []


def test_every_pattern_is_found():
    assert patterns.hidden() == []
    found = {used.name for used in patterns.all_patterns()}
    assert found >= {
        "ingest.readers.sysstat.pidstat._HEAD",
        "ingest.readers.commands.time_command._ZSH",
        "ingest.parsing.call_lines._CALL",
        "ingest.readers.perf.perf_table.header._EVENT",
        "ingest.readers.logs.kernel_log.prefix._DMESG",
        *OURS,
    }


def test_a_quadratic_pattern_is_found():
    used = patterns.Used("quadratic", re.compile(r"^(?P<value>\S.*?)\s*$"), "match")
    assert growth_of(used)
    assert not growth_of(used._replace(pattern=Pattern(used.pattern.pattern)))


OLD = {
    "ingest.readers.sysstat.pidstat._HEAD": (
        r"^\s*(?P<time>#\s*Time|\d{1,2}:\d\d:\d\d(?: [AP]M)?|[^\W\d]\w*\.?\s?:)?\s+"
        r"(?P<columns>(?:(?:UID|USER)\s+)?(?:PID|TGID)\s+.*\bCommand)\s*$"
    ),
    "ingest.parsing.call_lines._CALL": (
        r"^(?:\[pid )?\d*\]?\s*(?:[\d:.]+\s+)?(?P<call>(?:\w[\w.]*->)?[A-Za-z_][\w.:~@]*)\(.*(?:="
        r" .+|\.\.\.>)\s*$"
    ),
    "ingest.readers.perf.perf_diff._ROW": (
        r"^\s*(?:(?P<base>\d+[.,]\d+)%)?\s+(?P<delta>[+-]\d+[.,]\d+)%\s+(?P<module>\S+)\s+(?:\["
        r"(?P<kind>.)\] )?(?P<name>\S.*?)\s*$"
    ),
    "ingest.readers.perf.perf_table.header._EVENT": (
        r"\[\s*(?:\d+(?:Hz)?(?:/\d+)?\s+)?(?P<event>[^\]\s][^\]]*?)\s*\]"
    ),
    "ingest.readers.bpf.bpftrace_text.rows._PAIR": r"(?P<key>[A-Za-z_][\w.]*)=(?P<value>[^\s,;]+)",
}
"""Patterns that backtrack, and their location."""


@pytest.mark.parametrize("name", OLD)
def test_a_pattern_that_backtracks_is_reported_where_it_stands(name, monkeypatch):
    module, _, attribute = name.rpartition(".")
    monkeypatch.setattr(patterns.modules()[module], attribute, re.compile(OLD[name]))
    reported = [
        report
        for used in patterns.collected()
        if used.name.startswith(module) and (report := growth_of(used))
    ]
    assert len(reported) == 1
    assert reported[0].startswith(f"{name}.")


@pytest.mark.parametrize("reader", RECOGNISED, ids=lambda one: one.NAME)
def test_no_reader_takes_more_than_linear_time_for_a_long_line(reader):
    calls = {
        "begins": lambda line: reader.begins([line, line], 0),
        "continues": reader.continues,
        "read": lambda line: _try(reader.read, Text([line])),
    }
    slow = [
        f"{name} on {shape!r}: {report}"
        for name, call in calls.items()
        for shape in growing.LINES
        if (report := grows(lambda size, shape=shape, call=call: lambda: call(growing.line(shape, size))))
    ]
    assert slow == []


def _try(read, *arguments):
    """Read what may be no evidence; a refusal takes time too."""
    with contextlib.suppress(IngestError, ValueError):
        return read(*arguments)


@pytest.mark.parametrize("name", growing.CALLS)
def test_no_part_takes_more_than_linear_time_for_a_long_text(name):
    call = growing.CALLS[name]
    slow = [
        f"{shape!r}: {report}"
        for shape in growing.LINES
        for text in (growing.line, growing.paragraph)
        if (
            report := grows(
                lambda size, shape=shape, text=text: partial(_try, call, text(shape, size)),
                screened=(1000,),
            )
        )
    ]
    assert slow == []


def test_no_pattern_and_no_table_of_redaction_takes_more_than_linear_time():
    made = [one for name, shape in redaction_growth.patterns().items() for one in against(name, shape)]
    assert len(made) > 1000
    redacted("x")
    tried = made if growing.IS_LONG else made[::2]
    slow = map(redaction_growth.growth_of, (*tried, *redaction_growth.tables()))
    assert [report for report in slow if report] == []


@pytest.mark.parametrize(
    "unit", redaction_growth.UNITS + (redaction_growth.MORE_UNITS if growing.IS_LONG else ())
)
@pytest.mark.parametrize("text", [growing.line, growing.paragraph])
def test_redacting_rows_of_a_unit_takes_linear_time(unit, text):
    once, fourfold = (partial(growing.redaction, text(unit, size)) for size in redaction_growth.SIZES)
    (taken,) = seconds(fourfold, rounds=1)
    assert taken < redaction_growth.SHORT * FOURFOLD or is_linear(once, fourfold)


@pytest.mark.skipif(not growing.IS_LONG, reason="make growth")
@pytest.mark.parametrize("names", redaction_growth.NAMES)
def test_redacting_many_names_takes_linear_time(names):
    made = redaction_growth.Made(names, redaction_growth.of_names(redaction_growth.NAMES[names]))
    assert not redaction_growth.growth_of(made)


def test_a_check_that_joins_all_ends_of_a_name_is_reported(monkeypatch):
    def is_public(name):
        labels = name.split(".")
        return any(".".join(labels[at:]) == "kernel.org" for at in range(len(labels)))

    made = repeated(".a.com", prefix="a")
    assert not redaction_growth.growth_of(made, 500, 0)
    monkeypatch.setattr(match_checks, "is_public_domain", is_public)
    assert redaction_growth.growth_of(made, 500, 0)


@pytest.mark.parametrize("shape", growing.LINES)
def test_a_paste_of_one_long_line_takes_linear_time(shape):
    assert not grows(lambda size: lambda: read_bytes(growing.line(shape, size).encode(), name="paste"), 0.01)


@pytest.mark.parametrize("unit", growing.UNITS)
def test_a_paste_of_many_lines_takes_linear_time(unit):
    def made(size: int):
        text = (unit * (size // len(unit) + 1)).encode()
        return lambda: read_bytes(text, name="paste")

    assert not grows(made, 0.005, growing.MANY)


@pytest.mark.parametrize("name", growing.DOCUMENTS)
def test_a_document_takes_linear_time(name):
    def made(size: int):
        content = growing.DOCUMENTS[name](size)
        return lambda: _try(lambda: read_bytes(content, name=name))

    assert not grows(made, 0.005, growing.MANY)


def test_recognisers_see_the_beginning_and_the_end_of_a_long_line():
    line = "main;" + "a" * 3 * VIEW + " 42"
    assert len(view(line)) == VIEW
    assert view(line).startswith("main;aaa")
    assert view(line).endswith("aaa 42")
    assert view("short") == "short"
    [span] = spans([line, line])
    assert span.format is not None
    assert span.format.NAME == "folded"
