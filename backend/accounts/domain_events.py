"""Domain events of accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class AccountDisabled:
    """An account was disabled; what others can open in its name ends.

    Attributes:
        name: Its name.
        by: Name of the admin.
    """

    account_id: UUID
    name: str
    by: str
