"""How much is still written in the form that rows and FORMAT objects replace.

    python -m tests.old_forms        lower the committed numbers to what is there; part of `make generate`

- `readers`: modules of a format that end in no `FORMAT = Lines(…)`, `Table(…)`, `Stream(…)` or `Document(…)`;
- `log_classes`: classes of kernel messages that are calls in Python, not rows;
- `overview_numbers`: thresholds and ranks of the overview that are named numbers in Python, not rows.
"""

from __future__ import annotations

import ast
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
NUMBERS = ROOT / "tests/data/expected/old_forms.yaml"
NEW_FORM = "FORMAT"


def counted(root: Path = ROOT) -> dict[str, int]:
    """Return how many there are of each, in the checkout at `root`."""
    readers = chain(_trees(root / "ingest/readers"), _trees(root / "ingest/formats"))
    classes = _trees(root / "ingest/catalogue")
    return {
        "readers": sum("NAME" in names and NEW_FORM not in names for names in map(_names, readers)),
        "log_classes": sum(map(_log_classes, classes)),
        "overview_numbers": sum(map(_numbers, _trees(root / "signatures/overview"))),
    }


def committed() -> dict[str, int]:
    """Return the numbers that may only fall."""
    numbers: dict[str, int] = yaml.safe_load(NUMBERS.read_text(encoding="utf-8"))
    return numbers


def lower() -> None:
    """Write what fell; a number that rose stays, and the test fails."""
    now, before = counted(), committed()
    lowest = {name: min(count, before.get(name, count)) for name, count in now.items()}
    NUMBERS.write_text(yaml.safe_dump(lowest, sort_keys=False), encoding="utf-8")


def _trees(folder: Path) -> Iterator[ast.Module]:
    for path in sorted(folder.rglob("*.py")):
        yield ast.parse(path.read_bytes())


def _names(tree: ast.Module) -> set[str]:
    return {target.id for target, _ in _assigned(tree)}


def _assigned(tree: ast.Module) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Yield the names of a module with what they are."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            yield from ((one, statement.value) for one in statement.targets if isinstance(one, ast.Name))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target, statement.value or ast.Constant(None)


def _log_classes(tree: ast.Module) -> int:
    return sum(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "LogClass"
        for node in ast.walk(tree)
    )


def _numbers(tree: ast.Module) -> int:
    """Count the names of a module that stand for one number, or for arithmetic on numbers."""
    return sum(_is_number(value) for _, value in _assigned(tree))


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_number(value.left) and _is_number(value.right)
    if isinstance(value, ast.UnaryOp):
        return _is_number(value.operand)
    return isinstance(value, ast.Constant) and type(value.value) in {int, float}


if __name__ == "__main__":
    lower()
