"""Detectors of redaction, as data: patterns, files whose content is a name, and public names.

`detectors.yaml` documents each of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("detectors.yaml")


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern.

    Attributes:
        name: Description, for people.
        expression: In the syntax that RE2 and Python share.
        pattern: The same for Python; each named group is a part of that kind.
        group: Kind of the whole match, "" when groups are named.
        check: Additional check, a key of `match_checks.CHECKS`; "" for none.
        learns: A match is a name, replaced wherever it occurs.
        weak: A protected word at this position is not a name.
    """

    name: str
    expression: str
    pattern: re.Pattern[bytes]
    group: str
    check: str
    learns: bool
    weak: bool


@dataclass(frozen=True, slots=True)
class Classes:
    """Content of `detectors.yaml`; public names are lower case."""

    rules: tuple[Rule, ...]
    files: dict[str, str]
    public_domains: frozenset[str]
    public_hosts: frozenset[str]
    public_users: frozenset[str]
    public_secrets: frozenset[str]


@lru_cache(maxsize=1)
def load() -> Classes:
    """Return the classes, read once."""
    document = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    public = {name: frozenset(map(str.lower, words)) for name, words in document["public"].items()}
    return Classes(
        rules=tuple(
            Rule(
                name=row["name"],
                expression=row["pattern"],
                pattern=re.compile(row["pattern"].encode("ascii")),
                group=row.get("group", ""),
                check=row.get("check", ""),
                learns=row.get("learns", False),
                weak=row.get("weak", False),
            )
            for row in document["patterns"]
        ),
        files={row["path"]: row["group"] for row in document["files"]},
        public_domains=public["domains"],
        public_hosts=public["hosts"],
        public_users=public["users"],
        public_secrets=public["secrets"],
    )
