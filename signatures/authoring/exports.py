"""The exports of a signature as detection, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.authoring.alert_export import prometheus
from signatures.authoring.detection import NotExportableError
from signatures.authoring.node_problem_export import node_problem_detector
from signatures.authoring.probe_export import probe

if TYPE_CHECKING:
    from collections.abc import Callable

    from signatures.language.model import Signature

__all__ = ["EXPORTS", "Export", "NotExportableError", "exports_of", "filename_of"]


class Export(NamedTuple):
    """One export.

    Attributes:
        text: Makes it; raises `NotExportableError`.
        suffix: Of the file name, with the dot.
    """

    title: str
    text: Callable[[Signature], str]
    suffix: str
    media_type: str


EXPORTS = {
    "prometheus": Export("Prometheus rule", prometheus, ".rules.yaml", "application/yaml"),
    "probe": Export("Shell probe", probe, ".probe.sh", "text/x-shellscript"),
    "node-problem-detector": Export(
        "node-problem-detector ConfigMap", node_problem_detector, ".npd.yaml", "application/yaml"
    ),
}


def exports_of(signature: Signature) -> list[str]:
    """Return the names of the exports that a signature has."""
    return [name for name in EXPORTS if _can(name, signature)]


def filename_of(name: str, signature: Signature) -> str:
    """Return the file name of an export."""
    return f"casebook-{signature.id.replace('/', '-')}{EXPORTS[name].suffix}"


def _can(name: str, signature: Signature) -> bool:
    try:
        EXPORTS[name].text(signature)
    except NotExportableError:
        return False
    return True
