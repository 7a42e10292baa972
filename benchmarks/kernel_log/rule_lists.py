"""Expressions that other tools search kernel logs for.

- node-problem-detector: the rules of the monitors of the kernel log, `config/*.json`.
- hotsos: checks and events over `kern.log` in `hotsos/defs`, searches of `hotsos/core/plugins/kernel`.
- insights-client: the filters of `dmesg` and `messages` in `data/.fallback.json`; plain texts.
"""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_KERNEL_LOG = re.compile(r"kern\.log|kernlog|dmesg")


def node_problem_detector(checkout: Path) -> list[str]:
    """Return the expressions of the rules for the kernel log."""
    found = []
    for path in sorted((checkout / "config").glob("*.json")):
        monitor = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(monitor, dict):
            continue
        if monitor.get("plugin") == "kmsg" or "kernel" in str(monitor.get("source", "")):
            found += [rule["pattern"] for rule in monitor.get("rules", ()) if "pattern" in rule]
    return sorted(set(found))


def hotsos(checkout: Path) -> list[str]:
    """Return the expressions of checks, events and searches of the kernel log."""
    found: list[str] = []
    for path in sorted((checkout / "hotsos" / "defs").rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if "tests" not in path.parts and _KERNEL_LOG.search(text):
            found += _checks(yaml.safe_load(text), "")
    for path in sorted((checkout / "hotsos" / "core" / "plugins" / "kernel").rglob("*.py")):
        found += _searches(ast.parse(path.read_text(encoding="utf-8")))
    return sorted(set(found))


def _checks(node: Any, source: str) -> Iterator[str]:
    """Yield the expressions below `node` whose input is the kernel log."""
    if isinstance(node, dict):
        source = json.dumps(node["input"]) if "input" in node else source
        for name, value in node.items():
            if name == "expr" and _KERNEL_LOG.search(source):
                yield from ([value] if isinstance(value, str) else value)
            else:
                yield from _checks(value, source)
    elif isinstance(node, list):
        for value in node:
            yield from _checks(value, source)


def _searches(tree: ast.AST) -> Iterator[str]:
    """Yield what `SearchDef` and `SequenceSearchDef` are given, their prefix of a log line left out."""
    for node in ast.walk(tree):
        name = getattr(getattr(node, "func", None), "id", "") if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and name == "SearchDef" and node.args:
            first = node.args[0]
            for part in first.elts if isinstance(first, ast.List | ast.Tuple) else [first]:
                if re.search(r"[a-z]{3}", text := _text(part)):
                    yield text


def _text(node: ast.AST) -> str:
    """Return the text of a literal or f-string whose names are prefixes of log lines."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    return ""


def insights(fallback: Path) -> list[str]:
    """Return the filters of the kernel log and the system log: plain texts."""
    document = json.loads(fallback.read_text(encoding="utf-8"))
    found: set[str] = set()
    for one in (*document["files"], *document["commands"]):
        source = str(one.get("file") or one.get("command"))
        if "dmesg" in source or source.endswith("/messages"):
            found |= set(one.get("pattern") or ())
    return sorted(found)
