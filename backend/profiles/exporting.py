"""Names of exported files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backend.profiles.views import ProfileHandle


def disposition(handle: ProfileHandle, suffix: str, *, is_download: bool) -> dict[str, str]:
    """Return the download headers, none when the export is shown in the page."""
    if not is_download:
        return {}
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", handle.place.evidence_name).strip("-.") or "profile"
    return {"Content-Disposition": f'attachment; filename="{stem}.{suffix}"'}
