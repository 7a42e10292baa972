"""`kubectl get pods`, `get nodes` and `get events`: states, restarts and what the cluster reported.

Examples:
    NAME            READY   STATUS      RESTARTS      AGE
    memory-demo-2   0/1     OOMKilled   1 (21s ago)   37s

    NAME            STATUS     ROLES    AGE   VERSION
    kube-worker-1   NotReady   <none>   1h    v1.23.3

    LAST SEEN   TYPE      REASON      OBJECT              MESSAGE
    4m2s        Warning   BackOff     pod/memory-demo-2   Back-off restarting failed container

With `-A` the namespace comes first, with `-o wide` addresses and versions last. Lines that state a killed
container are also outcomes, as in text.
Source: pkg/printers/internalversion/printers.go and staging/src/k8s.io/kubectl/pkg/cmd/events in kubernetes.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.native.linear import Pattern
from ingest.parsing import outcomes
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.series import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "kubectl-get"
VERSION = 1
TITLE = "kubectl get"
COMMAND = "kubectl get pods --all-namespaces"
EXAMPLE = (
    "NAME            READY   STATUS      RESTARTS   AGE\nmemory-demo-2   0/1     OOMKilled   1          37s"
)

_AGE = r"(?:(?:[0-9]+[ydhms]){1,3}|<unknown>|<invalid>)"
_NAME = r"(?:[a-z]+/)?[A-Za-z0-9][A-Za-z0-9.:_-]*"
_PODS = re.compile(r"^\s*(?P<namespace>NAMESPACE\s+)?NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE(?:\s|$)")
_NODES = re.compile(r"^\s*NAME\s+STATUS\s+ROLES\s+AGE\s+VERSION(?:\s|$)")
_EVENTS = re.compile(
    r"^\s*(?P<namespace>NAMESPACE\s+)?LAST SEEN\s+TYPE\s+REASON\s+OBJECT\s+(?:SUBOBJECT\s+SOURCE\s+)?"
    r"MESSAGE(?:\s|$)"
)
_POD = Pattern(
    rf"^\s*(?:(?P<namespace>{_NAME})\s+)?(?P<pod>{_NAME})\s+(?P<ready>[0-9]{{1,4}})/(?P<containers>[0-9]{{1,4}})\s+"
    rf"(?P<status>[A-Z][A-Za-z:0-9/-]+)\s+(?P<restarts>[0-9]{{1,9}})(?: \({_AGE} ago\))?\s+"
    rf"(?P<age>{_AGE})(?:\s.*)?$"
)
_NODE = Pattern(
    rf"^\s*(?P<node>{_NAME})\s+(?P<status>(?:NotReady|Ready|Unknown)(?:,[A-Za-z]+)*)\s+(?P<roles>\S+)\s+"
    rf"(?P<age>{_AGE})\s+(?P<version>v[0-9]\S+)(?:\s.*)?$"
)
_EVENT = Pattern(
    rf"^\s*(?:(?P<namespace>{_NAME})\s+)?(?P<seen>{_AGE})\s+(?P<type>Normal|Warning)\s+(?P<reason>[A-Z][A-Za-z0-9]+)\s+"
    r"(?P<object>[a-z]+/\S+)\s+(?P<message>\S.*)$"
)

STARTS = (r"\s*(?:NAMESPACE\s+)?NAME\s+(?:READY\s+)?STATUS\s", r"\s*(?:NAMESPACE\s+)?LAST SEEN\s+TYPE\s")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of a table is at `lines[at]`."""
    return any(head.match(lines[at]) for head in (_PODS, _NODES, _EVENTS))


def continues(line: str) -> bool:
    """Return whether `line` is a head or a row."""
    return any(shape.match(line) for shape in (_PODS, _NODES, _EVENTS, _POD, _NODE, _EVENT))


def read(text: Text) -> Reading:
    """Count pods and nodes by state and events by reason; restarts are of each pod that has any."""
    reader = FactReader(text)
    tables = {name: Rows(f"kubernetes_{name}") for name in ("pods", "nodes", "events")}
    counts: Counter[tuple[str, tuple[tuple[str, str], ...]]] = Counter()
    lines: dict[tuple[str, tuple[tuple[str, str], ...]], Lines] = {}

    def count(name: str, line: int, **labels: str) -> None:
        key = (name, tuple(labels.items()))
        counts[key] += 1
        lines[key] = Lines(lines[key].first if key in lines else line, line)

    for line, entry in reader.lines():
        if pod := _POD.match(entry):
            cells = {key: pod[key] for key in ("namespace", "pod", "status", "age")}
            numbers = {key: float(pod[key]) for key in ("ready", "containers", "restarts")}
            tables["pods"].add(line, {**cells, **numbers})
            count("kubernetes.pods", line, status=pod["status"])
            if numbers["restarts"]:
                labels = {key: pod[key] for key in ("namespace", "pod") if pod[key]}
                reader.add("kubernetes.pod.restarts", numbers["restarts"], line, "count", labels)
        elif node := _NODE.match(entry):
            tables["nodes"].add(
                line, {key: node[key] for key in ("node", "status", "roles", "age", "version")}
            )
            count("kubernetes.nodes", line, status=node["status"].partition(",")[0])
        elif event := _EVENT.match(entry):
            keys = ("namespace", "seen", "type", "reason", "object", "message")
            tables["events"].add(line, {key: event[key] for key in keys})
            count("kubernetes.events", line, type=event["type"], reason=event["reason"])
        elif not any(head.match(entry) for head in (_PODS, _NODES, _EVENTS)):
            reader.skips.add("not a pod, a node or an event", line)
    counted = tuple(
        Fact(name, float(number), lines[name, labels], "count", dict(labels))
        for (name, labels), number in counts.items()
    )
    reading = reader.result()
    return replace(
        reading,
        facts=(*counted, *reading.facts, *outcomes.read(text).facts),
        row_sets=tuple(made for rows in tables.values() for made in rows.sets()),
    )
