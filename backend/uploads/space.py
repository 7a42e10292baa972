"""Whether there is room: asked before the first byte, so that nobody sends for an hour and is refused."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.core.errors import NoSpaceError, TooLargeError
from backend.uploads import queries

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

_LOCK = 0x7570_6C6F_6164


def require(session: Session, settings: Settings, size_bytes: int, *, together_bytes: int = 0) -> None:
    """Refuse an upload that is too long or that would not fit; until the commit nobody else is promised room.

    Args:
        session: Its transaction makes the promise.
        settings: Limits and places.
        size_bytes: Length of the file.
        together_bytes: Length of all files that are about to come, this one included; 0 when it is alone.

    Raises:
        TooLargeError: It is longer than one evidence may be.
        NoSpaceError: The disk, or what all evidence together may take, does not hold it.
    """
    if size_bytes > settings.max_evidence_bytes:
        raise TooLargeError(
            f"one file may have {settings.max_evidence_bytes:,} bytes; this one has {size_bytes:,}: "
            "compress it or send less"
        )
    size_bytes = max(size_bytes, together_bytes)
    session.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    promised = queries.promised_bytes(session)
    free = shutil.disk_usage(settings.uploads_dir).free - promised - settings.min_free_bytes
    if size_bytes > free:
        raise NoSpaceError(
            f"there is no room for {size_bytes:,} bytes, only for {max(0, free):,}: "
            "compress the file, or have somebody make room on the server"
        )
    if settings.quota_bytes:
        left = settings.quota_bytes - queries.kept_bytes(session) - promised
        if size_bytes > left:
            raise NoSpaceError(
                f"all evidence together may take {settings.quota_bytes:,} bytes, and {max(0, left):,} are "
                f"left for these {size_bytes:,}: compress it, or have somebody raise the limit"
            )
