"""Export a signature as Prometheus alerting rules; `probe_export` exports shell probes.

Only conditions over facts that exist as metrics or files can be exported; the others are listed in comments,
so that an alert is not mistaken for a finding. Both exports have hysteresis.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from signatures.judging.derived_facts import resolved
from signatures.judging.observe import conditions_of
from signatures.judging.predicates.fact import FactCondition
from signatures.language import expression, units
from signatures.language.expression import Name, Node, Number, Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from signatures.language.conditions import Bound
    from signatures.language.model import Clause, Signature

WINDOW = "5m"
HOLD = "5m"
QUIET = "15m"


class NotExportableError(Exception):
    """A signature has no condition that can be exported."""


@lru_cache(maxsize=1)
def places() -> dict[str, dict[str, Any]]:
    """Return the metric, file and labels of each fact outside Casebook."""
    path = Path(__file__).parent / "metrics.yaml"
    places: dict[str, dict[str, Any]] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return places


def prometheus(signature: Signature) -> str:
    """Return alerting rules as YAML.

    Raises:
        NotExportableError: No condition is over metrics.
    """
    found = list(exported_clauses(signature, _promql))
    if not found:
        raise NotExportableError(
            f"no condition of {signature.id} can be tested on metrics: "
            "it is visible in profiles, logs or traces; try --to probe"
        )
    name = "".join(part.capitalize() for part in signature.id.replace("/", "-").split("-"))
    rules = [
        {
            "alert": f"Casebook{name}",
            "expr": " or ".join(f"({text})" for _, text in found),
            "for": HOLD,
            "keep_firing_for": QUIET,
            "labels": {"severity": signature.severity, "signature": signature.id},
            "annotations": {
                "summary": signature.title,
                "description": "; ".join(clause.title for clause, _ in found),
                "capture_first": _first_capture(signature),
            },
        }
    ]
    lines = [
        f"# {signature.id} version {signature.version}, {signature.status}.",
        "# An alert is a reason to investigate, not a finding.",
        *(
            f"# not tested here: {clause.title}"
            for clause in unexported(signature, [row[0] for row in found])
        ),
        "# keep_firing_for needs Prometheus 2.42.",
        yaml.safe_dump({"groups": [{"name": signature.id, "rules": rules}]}, sort_keys=False, width=1000),
    ]
    return "\n".join(lines)


def _first_capture(signature: Signature) -> str:
    runs = [capture.run for captures in signature.next.values() for capture in captures]
    return runs[0] if runs else "none"


def exported_clauses(
    signature: Signature, export: Callable[[FactCondition], str]
) -> Iterator[tuple[Clause, str]]:
    """Yield each core clause with the first of its conditions that can be exported."""
    for clause in signature.clauses:
        if clause.role != "core":
            continue
        for condition in conditions_of(clause.test):
            # Continuous monitoring always has times.
            if isinstance(condition, FactCondition) and condition.equals is None and not condition.is_untimed:
                text = export(condition)
                if text:
                    yield clause, text
                    break


def unexported(signature: Signature, exported: list[Clause]) -> list[Clause]:
    """Return the core clauses that were not exported."""
    return [clause for clause in signature.clauses if clause.role == "core" and clause not in exported]


def bounds(bound: Bound) -> list[tuple[str, units.Quantity]]:
    """Return comparison operators with their limits."""
    named = ((">=", bound.at_least), ("<", bound.below), ("<=", bound.at_most), ("==", bound.equals))
    return [(sign, limit) for sign, limit in named if limit is not None]


def _promql(condition: FactCondition) -> str:
    node = resolved(condition.expression)
    unit = expression.unit_of(condition.expression)
    text = _promql_node(node, condition)
    parts = [f"{text} {sign} {units.in_unit(limit, unit):g}" for sign, limit in bounds(condition.bound)]
    for least, value in condition.minimum:
        enough = _promql_node(resolved(least), condition)
        parts.append(f"{enough} >= {value.value:g}" if enough else "")
    return " and ".join(parts) if text and all(parts) else ""


def _promql_node(node: Node, condition: FactCondition) -> str:
    if isinstance(node, Number):
        return f"{node.value:g}"
    if isinstance(node, Name):
        # The total of a counter is not a current rate.
        return "" if places().get(node.name, {}).get("counter") else _metric(node.name, condition)
    if isinstance(node, Operation):
        left, right = _promql_node(node.left, condition), _promql_node(node.right, condition)
        return f"({left} {node.op} {right})" if left and right else ""
    argument = node.arguments[0]
    if node.function in ("delta", "rate") and isinstance(argument, Name):
        metric = _metric(argument.name, condition)
        function = "increase" if node.function == "delta" else "rate"
        return f"{function}({metric}[{WINDOW}])" if metric else ""
    return ""


def _metric(name: str, condition: FactCondition) -> str:
    """Return the metric of a fact with its label selector, "" when there is none."""
    place = places().get(name, {})
    labels: dict[str, str] = place.get("labels", {})
    if "metric" not in place or any(label not in labels for label, _ in condition.where):
        return ""
    chosen = ",".join(f'{labels[label]}=~"{"|".join(wanted)}"' for label, wanted in condition.where)
    return f"{place['metric']}{{{chosen}}}" if chosen else str(place["metric"])
