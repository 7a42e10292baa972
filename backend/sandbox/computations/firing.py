"""Cases of a hunt: matches and suspects of some signatures on their stored readings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.sandbox.computations.results import item_of, leave, noted_faults
from signatures.document.team_library import catalog_with_teams
from signatures.judging.observation_cache import ObservationCache
from signatures.language.model import Catalog
from signatures.reporting.firing import firing

if TYPE_CHECKING:
    from pathlib import Path

    from backend.sandbox.documents import HuntArguments


def hunt(arguments: HuntArguments, output: Path, _input: int) -> None:
    """Judge some signatures on the readings of several cases.

    Leaves `result.json`: for each case what fires, and new observations; faults.
    """
    faults = noted_faults()
    wanted = set(arguments["signatures"])
    whole = catalog_with_teams(arguments["libraries"])
    chosen = Catalog(tuple(one for one in whole.signatures if one.id in wanted), whole.captures)
    results = []
    for case in arguments["cases"]:
        items = [item_of(one) for one in case["items"] if not one["is_provisional"]]
        observations = ObservationCache(case["observations"])
        found = firing(items, chosen, observations)
        results.append({"firing": found, "observations": observations.added()})
    leave({"cases": results, "faults": faults}, output)
