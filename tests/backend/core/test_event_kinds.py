"""Every recorded kind of event lists the resources it changes, and each resource exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from backend.core.event_kinds import CHANGES, EVERYTHING
from backend.handoffs.service import MOVES
from tests.backend.applications import api_schema

BACKEND = Path(__file__).parents[3] / "backend"
# Events of stories belong to no case, but for one that a file of evidence became.
KIND = re.compile(r"(alert|capture|case|evidence|findings|handoff|label|note|upload)\.[a-z_-]+")
RECORDERS = {"record", "_tell", "_forget", "tell"}


def recorded() -> set[str]:
    """Return the kinds that calls of what records events name."""
    found = {f"handoff.{state.value}" for state in MOVES}
    for path in BACKEND.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in RECORDERS:
                for part in ast.walk(node):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        found |= {part.value} if KIND.fullmatch(part.value) else set()
    return found


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def test_every_recorded_kind_says_what_it_changed():
    assert recorded() - set(CHANGES) == set()


def test_every_resource_is_a_path_below_the_case():
    paths = api_schema()["paths"]
    prefix = "/api/v1/cases/{case_id}"
    served = {path.removeprefix(f"{prefix}/").partition("/")[0] for path in paths if path.startswith(prefix)}
    assert set(EVERYTHING) - served - {"case"} == set()
