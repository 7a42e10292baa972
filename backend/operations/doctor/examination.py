"""All checks of an installation, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.operations.doctor import machine, services
from backend.operations.doctor.checks import Checkup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.core.settings import Settings
    from backend.operations.doctor.checks import Check


def examine(settings: Settings) -> Iterator[Check]:
    """Yield the result of every check of the installation of `settings`, once it is there."""
    checkup = Checkup(settings)
    for name, check in (*machine.CHECKS, *services.CHECKS):
        before = len(checkup.checks)
        checkup.run(name, check)
        yield from checkup.checks[before:]
