"""Bundle manifest: host, boot and phase of the evidence in a handoff from another instance.

`signatures/handoff/bundle.py` writes it:

    {"format": "casebook-bundle", …, "members": [
      {"path": "evidence/07/proc/meminfo", …, "host": "host-q7x3mfka2", "boot": "", "phase": "before"}]}

The sending instance assigned host and phase; the evidence text may state neither. Older bundles lack these
keys and still open.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, cast

from ingest.model.errors import MalformedInputError
from ingest.model.evidence import Phase, Placement

if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFEST = "manifest.json"
MARK = b'"format": "casebook-bundle"'
EVIDENCE = "evidence/"
OWN = "what a handoff says about itself"
"""Files beside the evidence; reading excerpts as evidence would duplicate it."""

PHASES = ("before", "during", "after")
MAX_MANIFEST_BYTES = 64 << 20
MAX_NAME_CHARACTERS = 300


class Unpacking:
    """State while a bundle is unpacked; empty until its manifest is read."""

    def __init__(self) -> None:
        """Begin without a manifest."""
        self.is_begun = False
        self._placements: dict[str, Placement] = {}
        self._copies: Counter[str] = Counter()

    def begin(self, manifest: bytes) -> str:
        """Read the manifest; return the error, "" on success."""
        self.is_begun = True
        try:
            self._placements = placements(manifest)
        except MalformedInputError as error:
            return f"{error}; hosts and phases are those that the evidence states"
        return ""

    def place(self, path: str, content: str) -> tuple[Placement | None, int]:
        """Return the placement of `path`, and the number of copies of `content` so far.

        Two hosts may have the same bytes at the same captured path, which is what `content` names.
        """
        placement = self._placements.get(path)
        self._copies[content] += placement is not None
        return placement, max(1, self._copies[content])


def placements(content: bytes) -> dict[str, Placement]:
    """Return the placements of a manifest by path, without files that have none.

    Raises:
        MalformedInputError: The manifest is not JSON or has another shape.
    """
    try:
        rows = json.loads(content)["members"]
        by_path = {str(row["path"]): placement(row) for row in rows}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MalformedInputError(f"the manifest of this handoff cannot be read: {error}") from error
    return {path: place for path, place in by_path.items() if place is not None}


def placement(row: Mapping[str, object]) -> Placement | None:
    """Return the placement in one row of a manifest, None if it has none.

    Raises:
        MalformedInputError: Host, boot or phase is malformed.
    """
    if not {"host", "boot", "phase"} & row.keys():
        return None
    host, boot, phase = row.get("host"), row.get("boot"), row.get("phase")
    where = f"{str(row.get('path'))[:200]!r} in {MANIFEST}"
    if phase not in PHASES:
        raise MalformedInputError(f"{where} has no phase that there is: {', '.join(PHASES)}")
    for kind, name in (("host", host), ("boot", boot)):
        if not isinstance(name, str) or len(name) > MAX_NAME_CHARACTERS or not name.isprintable():
            raise MalformedInputError(f"{where} has a {kind} that is no name")
    return Placement(str(host), str(boot), cast("Phase", phase))
