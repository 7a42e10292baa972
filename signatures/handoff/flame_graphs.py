"""Flame graphs of a handoff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.export import svg
from ingest.export.whole import whole
from ingest.native.views import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.handoff.contents import BundleFile
    from signatures.judging.scope import Item

MAX_PICTURES = 3
MIN_SHARE = 0.001


def of_items(items: Sequence[Item], files: Sequence[BundleFile]) -> list[tuple[str, str]]:
    """Return flame graphs of the recordings with most samples, as title and SVG."""
    names = {file.evidence_id: file.name for file in files}
    profiles = [(profile, item) for item in items for profile in item.reading.profiles if profile.samples > 0]
    profiles.sort(key=lambda one: (-one[0].samples, names[one[1].evidence], one[1].section))
    drawings = []
    for profile, item in profiles[:MAX_PICTURES]:
        title = f"{profile.event or 'stacks'} of {names[item.evidence]}"
        drawn = svg.picture(
            View(profile), whole(profile, item.reading.quality), title=title, min_share=MIN_SHARE
        )
        drawings.append((title, drawn))
    return drawings
