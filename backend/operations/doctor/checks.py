"""Results of checks, and their collection; a check that fails never keeps the others from running."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from backend.core.settings import Settings

State = Literal["ok", "warning", "problem", "unknown"]


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one check.

    Attributes:
        state: `warning`: the service works, with less; `unknown`: it could not be checked.
        finding: What was found, one sentence.
        remedy: What to do; "" when nothing.
    """

    name: str
    state: State
    finding: str
    remedy: str = ""


@dataclass(slots=True)
class Checkup:
    """The checks of one installation, collected while they run."""

    settings: Settings
    checks: list[Check] = field(default_factory=list)

    def add(self, name: str, state: State, finding: str, remedy: str = "") -> None:
        """Add a result."""
        self.checks.append(Check(name, state, finding, remedy))

    def run(self, name: str, check: Callable[[Checkup], None]) -> None:
        """Run a check; an error that it does not expect is its result."""
        try:
            check(self)
        except Exception as error:  # noqa: BLE001 - the others must run
            text = str(error).strip().partition("\n")[0] or type(error).__name__
            self.add(name, "unknown", f"the check failed: {text}")
