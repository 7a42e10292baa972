"""`kubectl describe pod` and `kubectl describe node`: states, limits, conditions and events.

Example:
    Name:         memory-demo-2
    Namespace:    mem-example
    Containers:
      memory-demo-2-ctr:
        Last State:     Terminated
          Reason:       OOMKilled
          Exit Code:    137
        Restart Count:  4
        Limits:
          memory:  100Mi

    Name:               kube-worker-1
    Roles:              <none>
    Conditions:
      Type             Status  LastHeartbeatTime                 …
      MemoryPressure   True    Thu, 17 Feb 2022 17:12:40 -0500   …
    Allocated resources:
      memory             456Mi (24%)  256Mi (13%)

Lines that state a killed container are also outcomes, as in text. The rest, such as labels, volumes and
tolerations, is counted as skipped.
Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go in kubernetes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing import outcomes
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.kubernetes_quantity import QUANTITY, quantity
from ingest.parsing.protocols import Start
from ingest.parsing.series import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "kubectl-describe"
VERSION = 1
TITLE = "kubectl describe"
COMMAND = "kubectl describe pod NAME"
EXAMPLE = (
    "Name:         memory-demo-2\n"
    "Namespace:    mem-example\n"
    "Priority:     0\n"
    "Containers:\n"
    "  memory-demo-2-ctr:\n"
    "    Restart Count:  4"
)

LOOK_AHEAD = 400
"""Lines within which a pod has its containers, or a node its conditions: labels come first."""

_NAME = Pattern(r"^\s{0,2}Name:\s+(?P<name>[a-z0-9][a-z0-9.-]*)\s*$")
_SECOND = re.compile(r"^\s{0,2}(?:Namespace|Roles):\s")
_PROOF = re.compile(r"^\s{0,2}(?:Containers|Conditions|Init Containers):\s*$")
_NAMESPACE = Pattern(r"^\s{0,2}Namespace:\s+(?P<namespace>[a-z0-9][a-z0-9-]*)\s*$")
_TOP = re.compile(r"^(?P<key>[A-Z][A-Za-z0-9 ()./-]{0,60}):(?:\s|$)")
_INDENTED = re.compile(r"^(?: {2}|\t)\s*\S")
_CONTAINER = Pattern(r"^ {2}(?P<container>[a-z0-9][a-z0-9-]*):\s*$")
_FIELD = Pattern(r"^\s{4,}(?P<key>State|Last State|Reason|Exit Code|Restart Count):\s+(?P<value>\S.*?)\s*$")
_AMOUNTS = Pattern(r"^ {4}(?P<what>Limits|Requests):\s*$")
_AMOUNT = Pattern(rf"^ {{6,}}(?P<resource>cpu|memory):\s+(?P<amount>{QUANTITY})\s*$")
_CONDITION = Pattern(
    r"^ {2}(?P<condition>MemoryPressure|DiskPressure|PIDPressure|NetworkUnavailable|Ready)\s+"
    r"(?P<status>True|False|Unknown)\s"
)
_ALLOCATED = Pattern(
    rf"^ {{2}}(?P<resource>cpu|memory)\s+{QUANTITY} \((?P<requests>[0-9]{{1,6}})%\)\s+"
    rf"{QUANTITY} \((?P<limits>[0-9]{{1,6}})%\)\s*$"
)
_KERNEL = Pattern(r"^ {2}Kernel Version:\s+(?P<release>\S+)\s*$")
_EVENT = Pattern(
    r"^ {2,}(?P<type>Normal|Warning)\s+(?P<reason>[A-Z][A-Za-z0-9]+)\s+"
    r"(?P<age>\S+|\S+ \(x[0-9]{1,9} over \S+\))\s+"
    r"(?P<source>[a-z][A-Za-z0-9.,{} _-]*?)\s{2,}(?P<message>\S.*)$"
)
_TIMES = Pattern(r"\(x(?P<count>[0-9]{1,9}) over ")

STARTS = (Start((r"\s{0,2}Name:\s+[a-z0-9]",), near=(r"\s{0,2}(?:Namespace|Roles):\s",), within=2),)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a pod or a node begins at `lines[at]`: its name, then its namespace or roles."""
    if not _NAME.match(lines[at]):
        return False
    if not any(_SECOND.match(line) for line in lines[at + 1 : at + 3]):
        return False
    return any(_PROOF.match(line) for line in lines[at + 2 : at + LOOK_AHEAD])


def continues(line: str) -> bool:
    """Return whether `line` can occur in a description: a key at the margin, or an indented line."""
    return bool(_INDENTED.match(line) or _TOP.match(line))


class _Object:
    """The pod or node that is described where the reader stands, and the block of it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.namespace = ""
        self.is_node = False
        self.block = ""
        self.container = ""
        self.what = ""
        self.state = ""

    @property
    def labels(self) -> dict[str, str]:
        """Return the labels of the container."""
        labels = {"pod": self.name, "container": self.container}
        return {**labels, "namespace": self.namespace} if self.namespace else labels


def read(text: Text) -> Reading:
    """Read restarts and limits of containers, conditions and allocation of nodes, and events."""
    reader = FactReader(text)
    events = Rows("kubernetes_events")
    described = _Object("")
    for line, entry in enumerate(text.lines, start=text.first_line):
        if not entry.strip():
            continue
        if named := _NAME.match(entry):
            described = _Object(named["name"])
        elif namespace := _NAMESPACE.match(entry):
            described.namespace = namespace["namespace"]
        elif top := _TOP.match(entry):
            described.block, described.container, described.what = top["key"], "", ""
            described.is_node |= top["key"] == "Roles"
        elif not _read_line(reader, events, described, entry, line):
            reader.skips.add("a part of the description that is not read", line)
    reading = reader.result()
    return replace(reading, facts=(*reading.facts, *outcomes.read(text).facts), row_sets=events.sets())


def _read_line(reader: FactReader, events: Rows, described: _Object, entry: str, line: int) -> bool:
    """Read one line of a block; False when it says nothing that is kept."""
    if described.is_node and described.block == "Conditions" and (condition := _CONDITION.match(entry)):
        _condition(reader, described.name, condition, line)
    elif described.block == "Allocated resources" and (allocated := _ALLOCATED.match(entry)):
        for key in ("requests", "limits"):
            labels = {"node": described.name, "resource": allocated["resource"]}
            share = float(allocated[key]) / 100
            reader.add(f"kubernetes.node.{key}_share", share, line, "share", labels)
    elif described.block == "System Info" and (kernel := _KERNEL.match(entry)):
        reader.add("kubernetes.node.kernel_release", kernel["release"], line, "", {"node": described.name})
    elif described.block == "Events" and (event := _EVENT.match(entry)):
        times = _TIMES.search(event["age"])
        keys = ("type", "reason", "age", "source", "message")
        events.add(line, {"object": described.name, **{key: event[key].strip() for key in keys}})
        labels = {"type": event["type"], "reason": event["reason"], "object": described.name}
        reader.add("kubernetes.events", float(times["count"]) if times else 1.0, line, "count", labels)
    elif described.block in {"Containers", "Init Containers"}:
        return _container(reader, described, entry, line)
    else:
        return False
    return True


def _condition(reader: FactReader, node: str, condition: re.Match[str], line: int) -> None:
    """Add 1 for a node that is not ready or reports pressure, 0 for one that does not; nothing if unknown."""
    labels = {"node": node}
    name, status = condition["condition"].lower(), condition["status"]
    if name == "ready":
        reader.add("kubernetes.node.not_ready", float(status != "True"), line, "count", labels)
    elif status != "Unknown":
        reader.add(f"kubernetes.node.condition.{name}", float(status == "True"), line, "count", labels)


def _container(reader: FactReader, described: _Object, entry: str, line: int) -> bool:
    """Read one line of a container; False when it says nothing that is kept."""
    if container := _CONTAINER.match(entry):
        described.container, described.what, described.state = container["container"], "", ""
    elif amounts := _AMOUNTS.match(entry):
        described.what = amounts["what"].lower().removesuffix("s")
    elif described.container and described.what and (amount := _AMOUNT.match(entry)):
        resource = "cpus" if amount["resource"] == "cpu" else "memory_bytes"
        value, unit = quantity(amount["amount"]), "count" if resource == "cpus" else "bytes"
        if value is not None:
            name = f"kubernetes.container.{described.what}.{resource}"
            reader.add(name, value, line, unit, described.labels)
    elif described.container and (field := _FIELD.match(entry)):
        described.what = ""
        if field["key"] == "Restart Count" and field["value"].isdecimal():
            restarts = float(field["value"][:9])
            reader.add("kubernetes.container.restarts", restarts, line, "count", described.labels)
        elif field["key"] in {"State", "Last State"}:
            described.state = field["key"].lower().replace(" ", "_")
            reader.add(f"kubernetes.container.{described.state}", field["value"], line, "", described.labels)
        elif field["key"] == "Reason" and described.state:
            name = f"kubernetes.container.{described.state}_reason"
            reader.add(name, field["value"], line, "", described.labels)
    else:
        return False
    return True
