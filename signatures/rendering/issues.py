"""Issues for pipelines: annotations of GitHub, code quality of GitLab, metrics of GitLab.

    ::error title=mm/memcg-limit-reclaim::high: mm/memcg-limit-reclaim on db7: …
    [{"description": "…", "check_name": "…", "fingerprint": "…", "severity": "critical", "location": …}]
    casebook_cpu_per_unit{build="new"} 0.0123

Sources: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands,
https://docs.gitlab.com/ci/testing/code_quality/ and https://docs.gitlab.com/ci/testing/metrics_reports/
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
SEVERITIES = {"error": "critical", "warning": "major", "note": "info"}
_NAME = re.compile(r"[^a-zA-Z0-9_]")


@dataclass(frozen=True, slots=True)
class Issue:
    """One finding or growth.

    Attributes:
        rule: Signature, alarm, or the kind of growth.
        level: `error`, `warning` or `note`.
        path: Evidence that shows it.
        line: 1-based.
        fingerprint: The same in the next build when the issue is the same.
        function: Function that it is about, "" for none.
    """

    rule: str
    level: str
    message: str
    path: str
    line: int
    fingerprint: str
    function: str = ""


class Metric(NamedTuple):
    """One sample of a metric, with its labels."""

    name: str
    labels: Mapping[str, str]
    value: float


def workflow_commands(
    issues: Sequence[Issue], notices: Sequence[str], *, summary: str, report_at: str
) -> str:
    """Return workflow commands, errors first.

    Args:
        issues: All of them.
        notices: What could not be checked.
        summary: What is said where there is nothing else: an empty file would look like one not written.
        report_at: File of the repository that they point at, "" for none.
    """
    order = list(COMMANDS)
    rows = []
    for one in sorted(issues, key=lambda one: order.index(one.level)):
        file = f"file={_property(report_at)}," if report_at else ""
        rows.append(f"::{COMMANDS[one.level]} {file}title={_property(one.rule)}::{_text(one.message)}\n")
    rows += [f"::warning title=casebook::{_text(notice)}\n" for notice in notices]
    return "".join(rows) or f"::notice title=casebook::{_text(summary)}\n"


def code_quality(issues: Sequence[Issue], *, report_at: str) -> str:
    """Return a code quality report; issues of one fingerprint count as one between builds.

    `report_at` is the file of the repository that they point at, "" for the evidence.
    """
    rows = [
        {
            "description": bare(one.message),
            "check_name": one.rule,
            "fingerprint": one.fingerprint,
            "severity": SEVERITIES[one.level],
            "location": {
                "path": report_at or bare(one.path),
                "lines": {"begin": 1 if report_at else one.line},
            },
        }
        for one in issues
    ]
    return json.dumps(rows, indent=2) + "\n"


def metrics(samples: Sequence[Metric]) -> str:
    """Return metrics in the text format of OpenMetrics."""
    rows = []
    for one in samples:
        labels = ",".join(f'{name}="{_label(value)}"' for name, value in one.labels.items())
        rows.append(
            f"casebook_{_NAME.sub('_', one.name)}{f'{{{labels}}}' if labels else ''} {one.value:.6g}\n"
        )
    return "".join(rows) + "# EOF\n"


def _text(message: str) -> str:
    return bare(message).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _text(value).replace(":", "%3A").replace(",", "%2C")


def _label(value: str) -> str:
    return bare(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
