"""Costs of a run as a JSON document, as baselines store them.

    {"event": "cpu-clock", "unit": "ns", "weight": 2.4e9, "samples": 2400, "functions": {"user.main": [0, 9,
    3]}, …}

A function is its own cost, its total cost and its first line. Functions below a thousandth of the weight are
left out; a comparison tests none of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ingest.comparison.costs import Conditions, Costs, FunctionCost

if TYPE_CHECKING:
    from collections.abc import Mapping

LEAST_SHARE = 0.001


class CostsDocumentError(ValueError):
    """A document is not one of costs; the message names the field."""


def to_document(costs: Costs) -> dict[str, Any]:
    """Return `costs` as JSON values."""
    conditions = costs.conditions
    least = LEAST_SHARE * costs.weight
    return {
        "event": costs.event,
        "unit": costs.unit,
        "weight": costs.weight,
        "samples": costs.samples,
        "counters": dict(costs.counters),
        "functions": {
            name: [one.own, one.total, one.line]
            for name, one in costs.functions.items()
            if one.total >= least
        },
        "conditions": {**conditions._asdict(), "losses": list(conditions.losses)},
    }


def from_document(document: Mapping[str, Any]) -> Costs:
    """Return the costs that `to_document` wrote.

    Raises:
        CostsDocumentError: A field is missing, of another type, negative or not finite.
    """
    try:
        conditions = dict(document["conditions"])
        made = Costs(
            event=_text(document["event"]),
            unit=_text(document["unit"]),
            weight=_number(document["weight"]),
            samples=_number(document["samples"]),
            functions={
                _text(name): FunctionCost(_number(own), _number(total), int(_number(line)))
                for name, (own, total, line) in document["functions"].items()
            },
            counters={_text(name): _number(value) for name, value in document["counters"].items()},
            conditions=Conditions(
                host=_text(conditions["host"]),
                kernel=_text(conditions["kernel"]),
                cpu_model=_text(conditions["cpu_model"]),
                cpus=int(_number(conditions["cpus"])),
                frequency_hz=_number(conditions["frequency_hz"]),
                started_at=None if conditions["started_at"] is None else _number(conditions["started_at"]),
                duration_seconds=_number(conditions["duration_seconds"]),
                losses=tuple(_text(reason) for reason in conditions["losses"]),
            ),
        )
    except KeyError as error:
        raise CostsDocumentError(f"the costs of a run have no field {error}") from None
    except (AttributeError, TypeError, ValueError) as error:
        raise CostsDocumentError(f"these are not the costs of a run: {error}") from None
    if not made.weight or not made.samples:
        raise CostsDocumentError("the costs of a run have no samples")
    return made


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number")
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"{value!r} is negative or not finite")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value
