"""Which source lines of the kernel print lines of a log: looked up in a limited child, never stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from backend.core.errors import NotComputedError
from backend.library.schemas_lines import ExplainedLinesRead
from backend.sandbox.envelope import result_of_job
from backend.sandbox.runner import LimitHitError, SandboxCrashError, SandboxLimits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backend.core.settings import Settings

LIMITS = SandboxLimits(cpu_seconds=5, wall_seconds=10.0, memory_bytes=512 << 20, output_bytes=4 << 20)


def explain(settings: Settings, lines: Sequence[str]) -> ExplainedLinesRead:
    """Return what the catalogue of kernel messages knows of each line.

    Raises:
        NotComputedError: The look-up exceeded its limits, or failed.
    """
    limits = replace(LIMITS, policy=settings.sandbox)
    arguments = {"lines": list(lines)}
    try:
        result = result_of_job(settings, "explain lines", arguments, what="look-up", limits=limits)
    except (LimitHitError, SandboxCrashError) as error:
        raise NotComputedError("the lines could not be looked up") from error
    return ExplainedLinesRead.model_validate(result)
