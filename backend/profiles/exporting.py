"""Profiles for other programs, as bytes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Literal

from ingest.export import firefox as firefox_file
from ingest.export import folded as folded_stacks
from ingest.export import selected, svg
from ingest.export import speedscope as speedscope_file

if TYPE_CHECKING:
    from backend.profiles.views import Kept
    from ingest.model.selection import Selection


def speedscope(kept: Kept, selection: Selection) -> bytes:
    """Return the selection as a speedscope file."""
    profile = selected.profile(kept.view(selection))
    document = speedscope_file.document([profile], name=kept.place.evidence_name)
    return json.dumps(document, separators=(",", ":")).encode()


def firefox(kept: Kept, selection: Selection) -> bytes:
    """Return the selection as a file of the Firefox Profiler."""
    document = firefox_file.document(selected.profile(kept.view(selection)), name=kept.place.evidence_name)
    return json.dumps(document, separators=(",", ":")).encode()


def picture(kept: Kept, selection: Selection, **asked: Any) -> bytes:
    """Return the call tree of the selection as SVG without script and style."""
    view = kept.view(selection)
    return svg.picture(view, kept.whole(), title=kept.place.evidence_name, **asked).encode("utf-8", "replace")


def folded(kept: Kept, selection: Selection, *, weight: Literal["samples", "period"]) -> bytes:
    """Return the selection as folded stacks."""
    return folded_stacks.fold(selected.profile(kept.view(selection)), weight=weight)


def disposition(kept: Kept, suffix: str, *, is_download: bool) -> dict[str, str]:
    """Return the headers that have a browser keep the answer as a file, none when it is to be shown."""
    if not is_download:
        return {}
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", kept.place.evidence_name).strip("-.") or "profile"
    return {"Content-Disposition": f'attachment; filename="{stem}.{suffix}"'}
