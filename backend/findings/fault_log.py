"""Log of faults: parts of an analysis that raised, with the number that the case shows and the traceback."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from signatures import faults

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

logger = logging.getLogger(__name__)


def install() -> None:
    """Log every fault of this process; a second call changes nothing."""
    if _log not in faults.observers:
        faults.observers.append(_log)


def log_noted(noted: Iterable[Mapping[str, str]]) -> None:
    """Log the faults that a computation noted in its process."""
    for fault in noted:
        words = "%s could not be evaluated, reported as %s: %s\n%s"
        logger.error(words, fault["part"], fault["number"], fault["detail"], fault["traceback"])


def _log(fault: faults.Fault, error: BaseException) -> None:
    logger.error("%s %s: %s", fault.part, fault.words, fault.detail, exc_info=error)
