"""Export a signature as Prometheus alerting rules.

Conditions over facts that exist as metrics become expressions. Where there are none, the rule counts the
positive checks of the signature's probe, which node-problem-detector runs (`node_problem_export`), or the
messages of the kernel log that its log monitor finds. Conditions that are not tested are listed, so that an
alert is not mistaken for a finding. The rules have hysteresis.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import yaml

from signatures.authoring.detection import Language, NotExportableError, bounds, detection_of
from signatures.authoring.node_problem_export import messages_of, reason_of
from signatures.authoring.probe_export import is_probed, places
from signatures.judging.derived_facts import resolved
from signatures.judging.predicates.fact import FactCondition
from signatures.language import expression, units
from signatures.language.expression import Name, Node, Number, Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.authoring.detection import Detection
    from signatures.language.conditions import Condition
    from signatures.language.model import Signature

WINDOW = "5m"
HOLD = "5m"
QUIET = "15m"
PROBED = "15m"


def prometheus(signature: Signature) -> str:
    """Return alerting rules as YAML.

    Raises:
        NotExportableError: No condition is over metrics, and none can be probed.
    """
    found = detection_of(signature, Language(_promql, _any_of, _all_of))
    is_from_probe = is_probed(signature)
    if not found.shown and not is_from_probe and not messages_of(signature):
        raise NotExportableError(
            f"no condition of {signature.id} can be tested on metrics, by a probe or by one message: "
            "it is visible in single recordings only"
        )
    least, counted = (
        (3, "positive checks of the probe") if is_from_probe else (1, "message of the kernel log")
    )
    reason = reason_of(signature)
    either = [_any_of([one.text for one in found.either])] if found.either else []
    joined = _all_of([*(one.text for one in found.joint), *either])
    rule = {
        "alert": reason,
        "expr": joined
        if found.shown
        else f'increase(problem_counter{{reason="{reason}"}}[{PROBED}]) >= {least}',
        "for": HOLD,
        "keep_firing_for": QUIET,
        "labels": {"severity": signature.severity, "signature": signature.id},
        "annotations": {
            "summary": signature.title,
            "description": "; ".join(one.clause.title for one in found.shown)
            or f"{least} {counted} within 15 minutes",
            "capture_first": _first_capture(signature),
        },
    }
    lines = [
        f"# {signature.id} version {signature.version}, {signature.status}.",
        "# An alert is a reason to investigate, not a finding.",
        *_remarks(found, is_from_probe=is_from_probe),
        "# keep_firing_for needs Prometheus 2.42.",
        yaml.safe_dump({"groups": [{"name": signature.id, "rules": [rule]}]}, sort_keys=False, width=1000),
    ]
    return "\n".join(lines)


def _remarks(found: Detection, *, is_from_probe: bool) -> list[str]:
    if not found.shown:
        who = "custom plugin runs the\n# probe" if is_from_probe else "log monitor counts the\n# messages"
        to = "casebook signature export … --to node-problem-detector"
        return [f"# No metric shows it. problem_counter is node-problem-detector's, whose {who}: {to}"]
    text = " ".join(one.text for one in found.shown)
    flags = {
        f"# {place['metric']} needs node_exporter {place['collector']}."
        for place in places().values()
        if "collector" in place and str(place["metric"]) in text
    }
    return [*sorted(flags), *(f"# not tested here: {clause.title}" for clause in found.left_out)]


def _first_capture(signature: Signature) -> str:
    runs = [capture.run for captures in signature.next.values() for capture in captures]
    return runs[0] if runs else "none"


def _any_of(texts: Sequence[str]) -> str:
    return " or ".join(f"({text})" for text in texts)


def _all_of(texts: Sequence[str]) -> str:
    return " and ".join(f"({text})" for text in texts)


@lru_cache(maxsize=512)
def _promql(condition: Condition) -> str:
    # Continuous monitoring always has times, and more than one reading.
    if not isinstance(condition, FactCondition) or condition.is_untimed or condition.is_single:
        return ""
    if condition.equals is not None:
        return ""
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
