"""Rename imports so that packages can lie below one import package.

    from backend.core import audit  ->  from kernel_casebook.backend.core import audit
    import ingest.model  ->  import kernel_casebook.ingest.model; from kernel_casebook import ingest
    "cli.commands.analyze"  ->  "kernel_casebook.cli.commands.analyze", where there is such a module

`backend`, `cli` and `ingest` are names that other distributions may install too; in the repository they
stay short.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MOVED = ("backend", "cli", "ingest", "signatures")


class _Edit(NamedTuple):
    """Replacement of columns of one line, in bytes of UTF-8; lines are 1-based."""

    line: int
    start: int
    end: int
    text: str


class UnsupportedImportError(Exception):
    """An import is written in a way that is not renamed; the message quotes it."""


def renamed(source: str, package: str, modules: Collection[str]) -> str:
    """Return Python source with its imports below `package`.

    Args:
        source: Of one module.
        package: Import package to put in front.
        modules: Dotted names of every module that moves.

    Raises:
        UnsupportedImportError: A plain import shares its line with another.
    """
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    for edit in sorted(_edits(ast.parse(source), package, modules), reverse=True):
        line = lines[edit.line - 1]
        lines[edit.line - 1] = line[: edit.start] + edit.text.encode() + line[edit.end :]
    return b"".join(lines).decode()


def _edits(tree: ast.Module, package: str, modules: Collection[str]) -> Iterator[_Edit]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and _moves(node.module or ""):
            at = node.col_offset + len("from ")
            yield _Edit(node.lineno, at, at, f"{package}.")
        elif isinstance(node, ast.Import) and any(_moves(one.name) for one in node.names):
            yield _plain(node, package)
        elif isinstance(node, ast.Constant) and _names_module(node.value, modules):
            at = node.col_offset + 1
            yield _Edit(node.lineno, at, at, f"{package}.")


def _plain(node: ast.Import, package: str) -> _Edit:
    if len(node.names) != 1 or node.lineno != node.end_lineno:
        raise UnsupportedImportError(f"line {node.lineno}: import one module of ours by itself")
    (one,) = node.names
    text = f"import {package}.{one.name}"
    if one.asname:
        text += f" as {one.asname}"
    else:
        text += f"; from {package} import {one.name.partition('.')[0]}"
    return _Edit(node.lineno, node.col_offset, node.end_col_offset or 0, text)


def _names_module(value: object, modules: Collection[str]) -> bool:
    """Return whether a text is the dotted name of a module; names without a dot are other things, too."""
    return isinstance(value, str) and "." in value and value in modules


def _moves(module: str) -> bool:
    return module.partition(".")[0] in MOVED
