"""How many stacks without weight show a share of time: one task is always somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.observation import Reason, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.judging.observation import Observation

SEVERAL = 5
"""Stacks without weight from which on they show that many threads do something: any thread is somewhere."""

UNWEIGHED = "stacks, and no weight"
"""How the reason ends for stacks that show a condition and are too few."""


def is_unweighed(reason: str) -> bool:
    """Return whether stacks show the condition of an UNKNOWN with this reason, but too few of them."""
    return reason.endswith(UNWEIGHED)


def too_few(observations: Sequence[Observation]) -> str:
    """Return the reason when fewer than `SEVERAL` stacks or threads show a condition, "" for enough."""
    shown = [one.match_result for one in observations if one.match_result.state is State.TRUE]
    named = {name for one in shown for name in one.threads}
    count = len(named) + sum(one.stacks - len(one.threads) for one in shown)
    return "" if count >= SEVERAL else f"{Reason.TOO_FEW}: {count:.0f} of {SEVERAL} {UNWEIGHED}"
