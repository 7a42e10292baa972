"""How much is still written in the form that rows, FORMAT objects and documents replace.

    python -m tests.old_forms        lower the committed numbers to what is there; part of `make generate`

- `readers`: modules of a format that end in no `FORMAT = Lines(…)`, `Table(…)`, `Stream(…)` or `Document(…)`;
- `log_classes`: classes of kernel messages that are calls in Python, not rows;
- `overview_numbers`: thresholds and ranks of the overview that are named numbers in Python, not rows;
- `overview_comparisons`: thresholds that are comparisons with a named or plain number in Python, not rows;
  neither counts in the general engines (`ENGINES`);
- `untyped_mappings`: mappings of texts to anything that are parameters, results, attributes or aliases
  between the judge and the outlets: reports, API, handoff, command. They are documents with named fields
  instead, or `ingest.model.json_value` where nothing here describes them.
"""

from __future__ import annotations

import ast
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
NUMBERS = ROOT / "tests/data/expected/old_forms.yaml"
NEW_FORM = "FORMAT"
MAPPINGS = frozenset({"dict", "Mapping", "MutableMapping"})
ANYTHING = frozenset({"Any", "object"})
OUTLETS = (
    "signatures/case_analysis.py",
    "signatures/judging",
    "signatures/documents",
    "signatures/fixes",
    "signatures/handoff",
    "signatures/overview",
    "signatures/rendering",
    "signatures/reporting",
    "signatures/waits",
    "cli",
    "backend/findings",
    "backend/handoffs",
    "backend/models/case_screen.py",
    "backend/models/finding.py",
    "backend/models/handoff.py",
    "backend/models/observation.py",
    "backend/reprocessing/cases.py",
    "backend/reprocessing/changes.py",
    "backend/sandbox/computations/case_analysis.py",
    "backend/sandbox/computations/handoff.py",
    "backend/sandbox/computations/leaks.py",
    "backend/sandbox/computations/redaction.py",
    "backend/sandbox/computations/results.py",
    "backend/stories/report.py",
)
ENGINES = frozenset(
    {"mechanisms", "quantities", "threads", "measures.py", "catalogued.py", "context_looks.py"}
) | {
    f"{name}.py"
    for name in (
        "measures",
        "catalogued",
        "context_looks",
        "combined",
        "chain_words",
        "headline_words",
        "short_headline",
        "windows",
        "window_rule",
        "window_rules",
        "window_series",
        "program_areas",
        "unclassified",
        "score",
        "healthy_boots",
    )
}
"""General engines over rows: what they compare says how they work, and is of no tool."""
BEFORE_JUDGING = "signatures/judging/predicates/"
"""Conditions as signature files have them; `signatures.language.strict_mapping` checks their keys."""


def counted(root: Path = ROOT) -> dict[str, int]:
    """Return how many there are of each, in the checkout at `root`."""
    readers = chain(_trees(root / "ingest/readers"), _trees(root / "ingest/formats"))
    classes = _trees(root / "ingest/catalogue")
    return {
        "readers": sum("NAME" in names and NEW_FORM not in names for names in map(_names, readers)),
        "log_classes": sum(map(_log_classes, classes)),
        "overview_numbers": sum(map(_numbers, _trees(root / "signatures/overview", ENGINES))),
        "overview_comparisons": sum(map(_comparisons, _trees(root / "signatures/overview", ENGINES))),
        "untyped_mappings": sum(map(_untyped_mappings, _outlets(root))),
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


def _trees(folder: Path, but: frozenset[str] = frozenset()) -> Iterator[ast.Module]:
    for path in sorted(folder.rglob("*.py")):
        if but.isdisjoint(path.relative_to(folder).parts):
            yield ast.parse(path.read_bytes())


def _outlets(root: Path) -> Iterator[ast.Module]:
    for place in OUTLETS:
        path = root / place
        for file in [path] if path.suffix else sorted(path.rglob("*.py")):
            if file.is_file() and not str(file.relative_to(root)).startswith(BEFORE_JUDGING):
                yield ast.parse(file.read_bytes())


def _untyped_mappings(tree: ast.Module) -> int:
    return sum(map(_is_untyped_mapping, chain.from_iterable(map(_subscripts, _types(tree)))))


def _types(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the types of parameters, results and attributes, and what may be an alias."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
            yield node.returns
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            yield node.annotation
        elif isinstance(node, ast.Module | ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, ast.AnnAssign):
                    yield statement.annotation
                if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value:
                    yield statement.value


def _subscripts(type_: ast.expr) -> Iterator[ast.Subscript]:
    """Yield the subscripts of a type, of one that is a string, too."""
    for node in ast.walk(type_):
        if isinstance(node, ast.Subscript):
            yield node
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            with suppress(SyntaxError, ValueError):
                yield from _subscripts(ast.parse(node.value.strip(), mode="eval").body)


def _is_untyped_mapping(node: ast.Subscript) -> bool:
    if not (isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2):
        return False
    key, value = map(_name, node.slice.elts)
    return _name(node.value) in MAPPINGS and key == "str" and value in ANYTHING


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


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


def _comparisons(tree: ast.Module) -> int:
    """Count comparisons by size with a named number, or a plain one other than 0, 1 and 2."""
    return sum(
        any(isinstance(one, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for one in node.ops)
        and any(map(_is_threshold, (node.left, *node.comparators)))
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
    )


def _is_threshold(value: ast.expr) -> bool:
    return any(
        (isinstance(node, ast.Name | ast.Attribute) and _name(node).isupper())
        or (
            isinstance(node, ast.Constant)
            and type(node.value) in {int, float}
            and node.value not in {0, 1, 2}
        )
        for node in ast.walk(value)
    )


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_number(value.left) and _is_number(value.right)
    if isinstance(value, ast.UnaryOp):
        return _is_number(value.operand)
    return isinstance(value, ast.Constant) and type(value.value) in {int, float}


if __name__ == "__main__":
    lower()
