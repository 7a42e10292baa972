"""Log of faults: parts of an analysis that raised, with the number that the case shows and the traceback."""

from __future__ import annotations

import logging

from signatures import faults

logger = logging.getLogger(__name__)


def install() -> None:
    """Log every fault of this process; a second call changes nothing."""
    if _log not in faults.observers:
        faults.observers.append(_log)


def _log(fault: faults.Fault, error: BaseException) -> None:
    logger.error("%s %s: %s", fault.part, fault.words, fault.detail, exc_info=error)
