"""Domain events of libraries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class LibraryVersionRequested:
    """A version of a library is to be fetched and read."""

    version_id: UUID
