"""The index of the logs of a scope selects what a look at every record selects."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes, read_file
from signatures.document import condition_parser
from signatures.document.catalog import load_catalog
from signatures.judging import scope_logs
from signatures.judging.condition_bases import LogRecordsCondition
from signatures.judging.observe import conditions_of, observe_logs
from signatures.judging.scope import items_of
from signatures.judging.scope_logs import ScopeLogs
from signatures.judging.states import outcome_of
from tests.ingest.samples import samples_of


@pytest.fixture(scope="module")
def conditions():
    clauses = [clause for one in load_catalog().signatures for clause in one.clauses]
    tests = [test for clause in clauses for test in (clause.test, clause.refuted_by)]
    found = {condition for test in tests for condition in conditions_of(test)}
    return [one for one in found if isinstance(one, LogRecordsCondition)]


@pytest.fixture(scope="module")
def items():
    return items_of(read_file(path) for path in samples_of("kernel-log"))


@pytest.mark.parametrize("few", [0, 10**9], ids=["all messages at once", "one by one"])
def test_a_state_is_that_of_all_records_of_all_readings(conditions, items, few, monkeypatch):
    monkeypatch.setattr(scope_logs, "FEW", few)
    logs, whole = ScopeLogs(items), EveryRecord(items)
    states = set()
    for condition in conditions:
        found, expected = (
            outcome_of(condition, lambda one, index=index: observe_logs(one, index, None))
            for index in (logs, whole)
        )
        assert found == expected, condition
        states.add(found.state)
    assert len(states) > 1


class EveryRecord:
    """Selects every record of every reading."""

    def __init__(self, items):
        self._items = [item for item in items if item.reading.log_records]

    def selected(self, _):
        return [scope_logs.Selected(item, item.reading.log_records) for item in self._items]


def log_of(*messages):
    text = "".join(f"[{at:5}.000000] {message}\n" for at, message in enumerate(messages))
    return items_of([read_bytes(text.encode(), name="dmesg.txt")])


@pytest.mark.parametrize(
    ("text", "messages", "count"),
    [
        (r"^usb \S+: new", ["usb 1-1: new device", "hub: usb 1-1: new device"], 1),
        (r"port [^x]+ down", ["eth0: port 1 down", "eth0: port", "eth1: down"], 1),
        (r"(?i)STRASSE|straße", ["an der STRAẞE", "an der Straße", "an der Strasse", "x"], 3),
        (r"\w+ck failed", ["blöck failed", "block failed", "failed"], 2),
        (r"\Aeth0: up\z", ["eth0: up", "xeth0: up", "eth0: up now"], 1),
    ],
)
def test_a_text_is_found_in_all_messages_at_once_as_in_each(text, messages, count, monkeypatch):
    items = log_of(*messages)
    condition = condition_parser.test_of("f", "c", {"log": {"text": text, "at_least": 1}})
    found = {}
    for few in (0, 10**9):
        monkeypatch.setattr(scope_logs, "FEW", few)
        found[few] = outcome_of(condition, lambda one: observe_logs(one, ScopeLogs(items), None))
    assert found[0] == found[10**9]
    assert found[0].observed == count


def test_thousands_of_logs_that_show_nothing_are_looked_at_as_one(conditions):
    text = "".join(
        f"root@web12:~# dmesg | tail -1\n[{9000 - at}.000000] eth0: Link is Up\n" for at in range(2000)
    )
    items = items_of([read_bytes(text.encode(), name="session.txt")])
    assert len(items) == 2000
    one, all_of_them = ScopeLogs(items[:1]), ScopeLogs(items)
    for condition in conditions:
        if not condition.is_absence and not next(iter(one.selected(condition))).records:
            assert len(list(all_of_them.selected(condition))) == 1
