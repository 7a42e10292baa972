"""`kubectl top`: CPU time and memory that pods, their containers and nodes use.

Examples:
    NAME       CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%
    minikube   166m         8%     1234Mi          15%

    NAMESPACE     POD                       NAME      CPU(cores)   MEMORY(bytes)
    kube-system   coredns-787d4945fb-2xqzs  coredns   3m           14Mi

`166m` is 0.166 of a CPU. Shares of a node are of what its pods may use (Allocatable). `<unknown>` stands for
a node that the metrics server has no values of.
Source: staging/src/k8s.io/kubectl/pkg/metricsutil/metrics_printer.go in kubernetes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.kubernetes_quantity import QUANTITY, quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "kubectl-top"
VERSION = 1
TITLE = "kubectl top"
COMMAND = "kubectl top pods --all-namespaces --containers"
EXAMPLE = (
    "NAME       CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%\n"
    "minikube   166m         8%     1234Mi          15%"
)

_NODES = re.compile(r"^\s*NAME\s+CPU\(cores\)\s+CPU(?:%|\(%\))\s+MEMORY\(bytes\)\s+MEMORY(?:%|\(%\))(?:\s|$)")
_PODS = re.compile(
    r"^\s*(?P<namespace>NAMESPACE\s+)?(?P<pod>POD\s+)?NAME\s+CPU\(cores\)\s+MEMORY\(bytes\)(?:\s|$)"
)
_NAME = r"[a-z0-9][a-z0-9.-]*"
_AMOUNT = rf"(?:{QUANTITY}|<unknown>)"
_PERCENT = r"(?:[0-9]{1,4}%|<unknown>)"
_NODE = Pattern(
    rf"^\s*(?P<node>{_NAME})\s+(?P<cpus>{_AMOUNT})\s+(?P<cpu_share>{_PERCENT})\s+(?P<memory>{_AMOUNT})\s+"
    rf"(?P<memory_share>{_PERCENT})(?:\s.*)?$"
)
_POD = Pattern(
    rf"^\s*(?P<names>{_NAME}(?:\s+{_NAME}){{0,2}})\s+(?P<cpus>{QUANTITY})\s+(?P<memory>{QUANTITY})(?:\s.*)?$"
)

STARTS = (r"\s*(?:NAMESPACE\s+)?(?:POD\s+)?NAME\s+CPU\(cores\)\s",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of a table is at `lines[at]`."""
    return bool(_NODES.match(lines[at]) or _PODS.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a head, a node or a pod."""
    return any(shape.match(line) for shape in (_NODES, _PODS, _NODE, _POD))


def read(text: Text) -> Reading:
    """Read what each node, pod and container uses."""
    reader = FactReader(text)
    columns: tuple[str, ...] = ()
    for line, entry in reader.lines():
        if _NODES.match(entry):
            columns = ()
        elif head := _PODS.match(entry):
            columns = ("namespace",) if head["namespace"] else ()
            columns += ("pod", "container") if head["pod"] else ("pod",)
        elif columns and (pod := _POD.match(entry)):
            names = pod["names"].split()
            if len(names) != len(columns):
                reader.skips.add("not as many names as columns", line)
                continue
            labels = dict(zip(columns, names, strict=True))
            _add(reader, "kubernetes.pod", pod, line, labels)
        elif not columns and (node := _NODE.match(entry)):
            labels = {"node": node["node"]}
            _add(reader, "kubernetes.node", node, line, labels)
            for key in ("cpu_share", "memory_share"):
                if node[key].endswith("%"):
                    share = float(node[key].rstrip("%")) / 100
                    reader.add(f"kubernetes.node.{key}", share, line, "share", labels)
        else:
            reader.skips.add("not a node or a pod", line)
    return reader.result()


def _add(reader: FactReader, prefix: str, row: re.Match[str], line: int, labels: dict[str, str]) -> None:
    """Add the CPUs and the memory of one row, as far as they are known."""
    for key, unit, printed in (("cpus", "count", row["cpus"]), ("memory_bytes", "bytes", row["memory"])):
        value = quantity(printed)
        if value is not None:
            reader.add(f"{prefix}.{key}", value, line, unit, labels)
