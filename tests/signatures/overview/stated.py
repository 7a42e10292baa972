"""What the general analyses state of a text, and the files of one machine to try it on."""

from __future__ import annotations

from pathlib import Path

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run

MACHINE = Path(__file__).parents[2] / "data/files/machine"


def statements(text, name="x"):
    """Return the sentences of rules; those that look at what rules leave are tested in `test_context`."""
    return [
        one.text
        for panel in run(items_of([read_bytes(text.encode(), name=name)]))
        for one in panel.statements
        if one.engine != "quantities"
    ]


def changed(text, before, after):
    assert text.count(before) == 1, before
    return text.replace(before, after)
