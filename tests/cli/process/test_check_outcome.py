"""The exit status of a report."""

from __future__ import annotations

import pytest

from cli.process import exits
from cli.process.check_outcome import status_of
from signatures.rendering.check import Outcome, Sent


@pytest.mark.parametrize(
    ("states", "status"),
    [
        ((), 0),
        (("read", "read"), 0),
        (("read", "rejected"), exits.INCOMPLETE),
        (("rejected", "failed"), exits.SERVICE_FAILED),
        (("read", "received"), exits.SERVICE_FAILED),
        (("reading",), exits.SERVICE_FAILED),
    ],
)
def test_only_a_report_over_read_files_succeeds(states, status):
    evidence = tuple(Sent(f"{number}.txt", state, "") for number, state in enumerate(states))
    assert status_of(Outcome("case 1", "", (), evidence)) == status
