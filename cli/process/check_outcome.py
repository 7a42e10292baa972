"""Exit status of a check for a build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.process import exits

if TYPE_CHECKING:
    from signatures.rendering.check import Outcome


def status_of(outcome: Outcome) -> int:
    """Return the exit status; 0 only when every file is read."""
    if outcome.hits:
        return exits.CHECK_FAILED
    states = [one.state for one in outcome.unread]
    if any(state != "rejected" for state in states):
        return exits.SERVICE_FAILED
    return exits.INCOMPLETE if states else 0
