"""The heaviest functions of a profile by name, for search across recordings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.export.whole import UNKNOWN
from ingest.frames.normalise import normalise
from ingest.native.views import View

if TYPE_CHECKING:
    from ingest.model.profile import Profile

NAMES_PER_PROFILE = 500


class Weighed(NamedTuple):
    """A normalised name with its shares of the whole profile."""

    name: str
    total_share: float
    self_share: float


def heaviest(profile: Profile) -> list[Weighed]:
    """Return the functions with the largest shares, at most `NAMES_PER_PROFILE`.

    Names that differ in compiler suffixes are merged; a sample that passes through several counts once.
    """
    view = View(profile)
    if view.total_weight <= 0:
        return []
    own, total, is_there = view.by_name
    spellings: dict[str, list[int]] = {}
    for at in np.flatnonzero(is_there).tolist():
        name = normalise(view.names[at])
        if name and name != UNKNOWN:
            spellings.setdefault(name, []).append(at)
    found = []
    for name, spelled in spellings.items():
        weight = float(total[spelled[0]]) if len(spelled) == 1 else _passing(view, spelled)
        self_weight = float(own[spelled].sum())
        found.append(Weighed(name, weight / view.total_weight, self_weight / view.total_weight))
    return sorted(found, key=lambda one: (-one.total_share, one.name))[:NAMES_PER_PROFILE]


def _passing(view: View, spelled: list[int]) -> float:
    names = np.zeros(len(view.names), dtype=np.uint8)
    names[spelled] = 1
    return float(view.core.passing(names[view.name_of_frame].tobytes()))
