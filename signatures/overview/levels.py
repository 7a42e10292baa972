"""The order of the first screen: by level, and within a level by what is measured.

    sorted(statements, key=rank)

The levels are those of findings (`signatures.documents.levels`). Within one level:

0. what explains alarms of the log (`is_cause`);
1. alarms, then errors of no known class, then facts, notable ones first;
2. what says what is wrong, before a sum over the machine (`is_summary`): a load average, the largest of
   values that are all small;
3. the value against its threshold (`ratio`), the highest first; 1 where none is stated: a share of a
   limit, or of slow values, is not further beyond than another one;
4. questions in the order of the first screen; then the order of analyses, and of their evidence.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, get_args

from ingest.catalogue.log_classes import SEVERITIES, classes_by_name
from signatures.documents.levels import LEVELS
from signatures.overview.model import QuestionName, StatementKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from signatures.documents.levels import Level
    from signatures.overview.model import Statement

AT_THRESHOLD = 1.0

_KINDS: tuple[StatementKind, ...] = get_args(StatementKind)
_QUESTIONS: tuple[QuestionName, ...] = get_args(QuestionName)
_BY_SEVERITY: Mapping[str, Level] = {"critical": "outage", "error": "failure", "warning": "degraded"}


def rank(statement: Statement) -> tuple[int, bool, int, bool, bool, float, int]:
    """Return the sort key of a statement; what leads is smallest."""
    ratio = AT_THRESHOLD if statement.ratio is None else statement.ratio
    return (
        -LEVELS.index(statement.level),
        not statement.is_cause,
        _KINDS.index(statement.kind),
        not statement.is_notable,
        statement.is_summary,
        -ratio,
        _QUESTIONS.index(statement.question),
    )


def first_of(statements: Iterable[Statement]) -> Statement | None:
    """Return the statement that leads; None without any."""
    return min(statements, key=rank, default=None)


def ratio_of(value: float, threshold: float) -> float | None:
    """Return a value against its threshold; None where the quotient is no finite number."""
    quotient = value / threshold if threshold else math.nan
    return quotient if math.isfinite(quotient) else None


def level_of_classes(names: Iterable[str]) -> Level:
    """Return the level of classes of the kernel log: that of the worst alarm among them."""
    found = [one for name in names if (one := classes_by_name()[name]).is_alarming]
    return _BY_SEVERITY[min((one.severity for one in found), key=SEVERITIES.index)]
