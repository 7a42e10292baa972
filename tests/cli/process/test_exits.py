"""Exit statuses: one meaning each, in all commands."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from cli.process import exits

ROOT = Path(__file__).parents[3]
COMMANDS = ROOT / "backend" / "cli"
STATUSES = {name: value for name, value in vars(exits).items() if isinstance(value, int)}


def numbers_of(path: Path) -> list[object]:
    """Return the statuses that a module exits with as bare numbers other than 0."""
    found: list[object] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr in {"exit", "_exit"}:
            for value in node.args:
                found += [
                    one.value for one in ast.walk(value) if isinstance(one, ast.Constant) and one.value != 0
                ]
    return found


def test_no_two_statuses_have_the_same_number():
    assert sorted(STATUSES.values()) == list(range(1, len(STATUSES) + 1))


def test_commands_exit_with_named_statuses_only():
    assert {path.name: numbers for path in COMMANDS.glob("*.py") if (numbers := numbers_of(path))} == {}


def test_the_table_of_the_manual_lists_every_status_once():
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    section = text.split("\n## Exit statuses\n", 1)[1].split("\n## ", 1)[0]
    listed = [int(number) for number in re.findall(r"(?m)^\| ([0-9]+) \|", section)]
    assert listed == [0, *sorted(STATUSES.values())]
    assert text.count("| exit status | meaning") == 1
