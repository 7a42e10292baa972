"""The heaviest functions of stored profiles, for search by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backend.sandbox.computations.results import leave
from ingest.export.heaviest import Weighed, heaviest
from ingest.model import reading_folder
from ingest.model.reading_folder import BrokenFolderError


def weigh_functions(arguments: dict[str, Any], output: Path, _input: int) -> None:
    """Leave the heaviest functions of each of `places`; null where its folder is damaged."""
    leave([_weighed(**place) for place in arguments["places"]], output)


def _weighed(folder: str, ordinal: int) -> list[Weighed] | None:
    try:
        profile, _ = reading_folder.load_profile(Path(folder), ordinal)
    except BrokenFolderError:
        return None
    return heaviest(profile)
