"""Exports of profiles in formats of other tools."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Literal

from ingest.export import firefox as firefox_file
from ingest.export import folded as folded_stacks
from ingest.export import selected, svg
from ingest.export import speedscope as speedscope_file

if TYPE_CHECKING:
    from backend.profiles.views import ProfileHandle
    from ingest.model.selection import Selection


def speedscope(handle: ProfileHandle, selection: Selection) -> bytes:
    """Return the selection in the format of speedscope."""
    profile = selected.profile(handle.view(selection))
    document = speedscope_file.document([profile], name=handle.place.evidence_name)
    return json.dumps(document, separators=(",", ":")).encode()


def firefox(handle: ProfileHandle, selection: Selection) -> bytes:
    """Return the selection in the format of the Firefox Profiler."""
    document = firefox_file.document(
        selected.profile(handle.view(selection)), name=handle.place.evidence_name
    )
    return json.dumps(document, separators=(",", ":")).encode()


def picture(handle: ProfileHandle, selection: Selection, **options: Any) -> bytes:
    """Return the call tree of the selection as SVG without script and style sheet."""
    view = handle.view(selection)
    return svg.picture(view, handle.whole(), title=handle.place.evidence_name, **options).encode(
        "utf-8", "replace"
    )


def folded(handle: ProfileHandle, selection: Selection, *, weight: Literal["samples", "period"]) -> bytes:
    """Return the selection as folded stacks."""
    return folded_stacks.fold(selected.profile(handle.view(selection)), weight=weight)


def disposition(handle: ProfileHandle, suffix: str, *, is_download: bool) -> dict[str, str]:
    """Return the download headers, none when the export is shown in the page."""
    if not is_download:
        return {}
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", handle.place.evidence_name).strip("-.") or "profile"
    return {"Content-Disposition": f'attachment; filename="{stem}.{suffix}"'}
