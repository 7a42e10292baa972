"""Detectors of redaction, as data: patterns per tool, generic patterns, shapes, tables, public names.

`tools/*.yaml` has what single tools print, `detectors.yaml` what any program prints, both identified by the
place of a name; `shapes.yaml` has names that are recognised without a place. In all of them `%host%`,
`%user%`, `%project%` and `%serial%` stand for the usual pattern of such a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
FILE = FOLDER / "detectors.yaml"
SHAPES = FOLDER / "shapes.yaml"
TABLES = FOLDER / "tables.yaml"
_NAME = re.compile(r"%(host|user|project|serial)(_[0-9])?%")
_GROUP = re.compile(r"\(\?P<(\w+)>")
_SHAPE_OF = {
    "host": r"[A-Za-z0-9\x80-\xff](?:[A-Za-z0-9._\x80-\xff-]*[A-Za-z0-9\x80-\xff])?",
    "user": r"[A-Za-z_\x80-\xff][A-Za-z0-9._\x80-\xff-]*",
    "project": r"[A-Za-z0-9\x80-\xff](?:[A-Za-z0-9._@\x80-\xff-]*[A-Za-z0-9\x80-\xff])?",
    "serial": r"[A-Za-z0-9](?:[A-Za-z0-9._:/+-]*[A-Za-z0-9])",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern.

    Attributes:
        name: Description, for people.
        expression: In the syntax of the Rust crate `regex`.
        groups: Names of its groups in order; each is a part of that kind, `_2` at its end does not count.
        group: Kind of the whole match, "" when groups are named.
        check: Additional check, a key of `match_checks.CHECKS`; "" for none.
        learns: A match is a name, replaced wherever it occurs.
        weak: A protected word at this position is not a name.
    """

    name: str
    expression: str
    groups: tuple[str, ...]
    group: str
    check: str
    learns: bool
    weak: bool


@dataclass(frozen=True, slots=True)
class Classes:
    """Content of the files; public names are lower case.

    Attributes:
        rules: Patterns that name a place, those of tools first.
        shapes: Patterns of names without a place, numbered after the rules.
        tables: Columns of tables by title, see `tables.yaml`.
        examples: Lines per file of tools, with their names marked.
    """

    rules: tuple[Rule, ...]
    shapes: tuple[Rule, ...]
    tables: tuple[Table, ...]
    examples: dict[str, tuple[str, ...]]
    files: dict[str, str]
    public_domains: frozenset[str]
    public_hosts: frozenset[str]
    public_users: frozenset[str]
    public_secrets: frozenset[str]
    public_projects: frozenset[str]


@dataclass(frozen=True, slots=True)
class Table:
    """One kind of table: the pattern of its header, and the kind of name in a column by title."""

    name: str
    header: str
    columns: dict[str, str]


@lru_cache(maxsize=1)
def load() -> Classes:
    """Return the classes, read once."""
    document = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    tools = {
        path.stem: yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        for path in sorted((FOLDER / "tools").glob("*.yaml"))
    }
    rows = [*(row for tool in tools.values() for row in tool["patterns"]), *document["patterns"]]
    tables = yaml.load(TABLES.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["tables"]
    shapes = yaml.load(SHAPES.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["patterns"]
    public = {name: frozenset(map(str.lower, words)) for name, words in document["public"].items()}
    return Classes(
        rules=tuple(map(_rule, rows)),
        shapes=tuple(map(_rule, shapes)),
        tables=tuple(Table(row["name"], row["header"], row["columns"]) for row in tables),
        examples={name: tuple(tool["examples"]) for name, tool in tools.items()},
        files={row["path"]: row["group"] for row in document["files"]},
        public_domains=public["domains"],
        public_hosts=public["hosts"],
        public_users=public["users"],
        public_secrets=public["secrets"],
        public_projects=public["projects"],
    )


def _rule(row: dict[str, Any]) -> Rule:
    expression = _NAME.sub(lambda name: f"(?P<{name[1]}{name[2] or ''}>{_SHAPE_OF[name[1]]})", row["pattern"])
    return Rule(
        name=row["name"],
        expression=expression,
        groups=tuple(_GROUP.findall(expression)),
        group=row.get("group", ""),
        check=row.get("check", ""),
        learns=row.get("learns", False),
        weak=row.get("weak", False),
    )
