"""A handoff of another instance, as `backend/handoffs/bundle.py` packs it: what it says about its evidence.

    {"format": "casebook-bundle", …, "members": [
      {"path": "evidence/07/proc/meminfo", …, "host": "host-q7x3mfka2", "boot": "", "phase": "before"}]}

Which host evidence belongs to, and whether it is from before the incident, was decided where it was read:
its text may say neither. Bundles made before that was told have neither key, and open as they did.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, cast

from ingest.model.errors import MalformedInputError
from ingest.model.evidence import Phase, Placement

MANIFEST = "manifest.json"
MARK = b'"format": "casebook-bundle"'
EVIDENCE = "evidence/"
OWN = "what a handoff says about itself"
"""Written beside the evidence; excerpts would be read as evidence again."""

PHASES = ("before", "during", "after")
MAX_MANIFEST_BYTES = 64 << 20
MAX_NAME_CHARACTERS = 300


class Unpacking:
    """What is known of a bundle while its members are read; nothing before its manifest."""

    def __init__(self) -> None:
        """Have seen no manifest."""
        self.is_begun = False
        self._placements: dict[str, Placement] = {}
        self._seen: Counter[str] = Counter()

    def begin(self, manifest: bytes) -> str:
        """Note where what follows belongs; return why that cannot be known, "" when it can."""
        self.is_begun = True
        try:
            self._placements = placements(manifest)
        except MalformedInputError as error:
            return f"{error}; hosts and phases are those that the evidence states"
        return ""

    def place(self, path: str, content: str) -> tuple[Placement | None, int]:
        """Return where evidence at `path` of the bundle belongs, and how many of `content` there are by now.

        Two hosts may have the same bytes at the same captured path, which is what `content` names.
        """
        placed = self._placements.get(path)
        self._seen[content] += placed is not None
        return placed, max(1, self._seen[content])


def placements(content: bytes) -> dict[str, Placement]:
    """Return where each file of a bundle belongs, by its path; nothing of a file that is not told.

    Raises:
        MalformedInputError: The manifest is no JSON, or not of this shape.
    """
    try:
        rows = json.loads(content)["members"]
        told = {str(row["path"]): placement(row) for row in rows}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MalformedInputError(f"the manifest of this handoff cannot be read: {error}") from error
    return {path: place for path, place in told.items() if place is not None}


def placement(row: dict[str, Any]) -> Placement | None:
    """Return what one row of a manifest says, None when it says nothing.

    Raises:
        MalformedInputError: It says something else than a host, a boot and a phase.
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
