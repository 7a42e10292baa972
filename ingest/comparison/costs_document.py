"""Costs of a run as a JSON document, as baselines store them.

    {"event": "cpu-clock", "unit": "ns", "weight": 2.4e9, "samples": 2400, "functions": {"user.main": [0, 9,
    3]}, …}

A function is its own cost, its total cost and its first line. Functions below a thousandth of the weight are
left out; a comparison tests none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingest.comparison.costs import Conditions, Costs, FunctionCost
from ingest.comparison.document_values import column, number, symbol, text

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
            function: [one.own, one.total, one.line]
            for function, one in costs.functions.items()
            if one.total >= least
        },
        "conditions": {**conditions._asdict(), "losses": list(conditions.losses)},
        "foreign": costs.foreign,
    }


def from_document(document: Mapping[str, Any]) -> Costs:
    """Return the costs that `to_document` wrote.

    Raises:
        CostsDocumentError: A field is missing, of another type or out of range.
    """
    try:
        conditions = dict(document["conditions"])
        made = Costs(
            event=text(document["event"]),
            unit=text(document["unit"]),
            weight=number(document["weight"]),
            samples=number(document["samples"]),
            functions={
                symbol(function): FunctionCost(number(own), number(total), int(number(line)))
                for function, (own, total, line) in document["functions"].items()
            },
            counters={text(event): number(value) for event, value in document["counters"].items()},
            conditions=Conditions(
                host=text(conditions["host"]),
                kernel=text(conditions["kernel"]),
                cpu_model=text(conditions["cpu_model"]),
                cpus=int(number(conditions["cpus"])),
                frequency_hz=number(conditions["frequency_hz"]),
                started_at=None if conditions["started_at"] is None else number(conditions["started_at"]),
                duration_seconds=number(conditions["duration_seconds"]),
                losses=tuple(text(reason) for reason in column(conditions["losses"], str)),
            ),
            # 0.1 did not tell interrupts from functions.
            foreign=number(document.get("foreign", 0.0)),
        )
    except KeyError as error:
        raise CostsDocumentError(f"the costs of a run have no field {error}") from None
    except (AttributeError, TypeError, ValueError) as error:
        raise CostsDocumentError(f"these are not the costs of a run: {error}") from None
    if not made.weight or not made.samples:
        raise CostsDocumentError("the costs of a run have no samples")
    return made
