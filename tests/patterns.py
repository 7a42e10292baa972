"""Every regular expression of the three packages, with the methods it is used with.

Compiled patterns are found by walking the imported modules; patterns that are in a call of `re` are found
in the sources. A pattern that neither way finds is an error: nothing would measure it.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from ingest.catalogue.log_classes import CLASSES
from ingest.native.linear import Pattern
from ingest.parsing.shapes import TextShape
from ingest.readers import import_all
from signatures.overview.rules.rule import panel_of

ROOT = Path(__file__).parents[1]
PACKAGES = ("ingest", "signatures", "backend", "cli")
METHODS = {"match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split"}
SCANNING = {"findall", "finditer", "sub", "subn", "split"}

_USES = re.compile(
    r"\bre\.\w|\bPattern\b|\.(?:match|fullmatch|search|findall|finditer|subn?)\(|[A-Z]\.split\("
)

BUILT = {
    ("ingest.fact_catalogue", "re.escape(entry.name).replace(re.escape(KEY), '.*')"): "one wildcard",
    (
        "ingest.sections.captured_files",
        "'|'.join(map(translate, file.HINTS))",
    ): "globs, on the name of a file",
    (
        "ingest.folders.names",
        "f'(?:(?:{word})[-_. ])?(?P<name>.*?)(?:[-_. ](?:{word}))?'",
    ): "words of a table around one run",
    ("ingest.containers.binary_kinds", "b'|'.join(begins)"): "constant bytes at a constant place",
    ("ingest.opening", "document.HEAD.encode('ascii')"): "one class, or blanks and a bracket",
    (
        "signatures.overview.kernel_log.deciding_fields",
        "text",
    ): "of a row of the table, compiled by the Rust crate",
    (
        "signatures.overview.decided_steps",
        "f'(?im){source}'",
    ): "of a row of the table, compiled by the Rust crate",
    (
        "ingest.engines.quantities.meanings",
        "row.get('subject', '.*')",
    ): "of a row of `quantities.yaml`: names of devices, on one word",
    ("ingest.engines.threads.forms", "text"): "of a row of `forms.yaml`, compiled by the Rust crate",
    ("ingest.readers.commands.host_text", "pattern"): "one of `BY_COMMAND`",
    (
        "ingest.redact.tables",
        "b'(?<![^\\\\s|])' + re.escape(title.encode()) + b'(?![^\\\\s|])'",
    ): "a literal",
    (
        "ingest.readers.logs.text.unread_values",
        "f\"(?<![\\\\w/.-])(?:{'|'.join(row['words'])})(?![\\\\w/-])\"",
    ): "literals and bounded runs of `unread_topics.yaml`, on lines that have a bound",
    ("ingest.redact.redactor", "b'(?<!\\\\w)' + shape + b'(?!\\\\w)'"): "bounded runs between literals",
    ("ingest.paste.transcript", "_OPTION.format(name=re.escape(name))"): "a literal before one bounded run",
    (
        "signatures.language.patterns",
        "f'{first}{middle}.*{last}'",
    ): "atomic groups; `tests/signatures/judging/test_name_index.py`",
    ("signatures.language.kernel_releases", "shape"): "one of `_SHAPES`",
    ("signatures.overview.rules.values", "rule.matching"): "of a row of rules, which is measured",
    ("backend.library.search", "f'({HIT_BEGINS}[^{HIT_ENDS}]*{HIT_ENDS})'"): "two marks that we set",
}
"""Calls of `re` whose pattern is made when it is needed, and why each is linear."""

WRITTEN = {"COMMANDS": "fullmatch", "BY_COMMAND": "fullmatch"}
"""Module attributes that hold patterns as strings, and what they are used with."""


class Used(NamedTuple):
    """One pattern and one way it is used."""

    name: str
    pattern: re.Pattern | Pattern
    method: str


class Call(NamedTuple):
    """One call of `re` in the sources; `pattern` is None when it is no literal."""

    module: str
    line: int
    method: str
    pattern: str | bytes | None
    flags: int
    written: str
    is_global: bool


@cache
def modules() -> dict[str, ModuleType]:
    """Import every module of the packages."""
    import_all()
    found = {}
    for package in PACKAGES:
        root = importlib.import_module(package)
        found[package] = root
        for one in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not one.name.endswith("__main__"):
                found[one.name] = importlib.import_module(one.name)
    return found


@cache
def trees() -> dict[str, ast.Module]:
    """Parse the source of every module that may use a pattern."""
    found = {}
    for name, module in modules().items():
        path = Path(module.__file__ or "")
        if path.suffix == ".py" and _USES.search(source := path.read_text(encoding="utf-8")):
            found[name] = ast.parse(source)
    return found


def within(value: object, seen: set[int]):
    """Yield every compiled pattern that `value` is or contains."""
    if id(value) in seen:
        return
    if isinstance(value, re.Pattern | Pattern):
        yield value
        return
    seen.add(id(value))
    if isinstance(value, dict):
        value = (*value.keys(), *value.values())
    if isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from within(part, seen)
    elif isinstance(value, type):
        if value.__module__.split(".")[0] in PACKAGES:
            for part in list(vars(value).values()):
                yield from within(part, seen)
    elif type(value).__module__.split(".")[0] in PACKAGES:
        names = [*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())]
        for name in names:
            yield from within(getattr(value, name, None), seen)


@cache
def uses() -> dict[str, set[str]]:
    """For every name, and for every module as a whole, the pattern methods used on it."""
    found = defaultdict(set)
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute) or node.attr not in METHODS:
                continue
            owner = node.value
            while isinstance(owner, ast.Subscript | ast.Call):
                owner = owner.value if isinstance(owner, ast.Subscript) else owner.func
            name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
            if name == "re":
                continue
            if name.isupper():
                found[f"{module}:{name}" if name.startswith("_") else name].add(node.attr)
            elif node.attr != "split":
                found[module].add(node.attr)
    return found


def methods_of(module: str, name: str) -> set[str]:
    """Return how the pattern in a module's `name` is used; every way when nothing says."""
    found_uses = uses().get(f"{module}:{name}" if name.startswith("_") else name)
    return found_uses or uses().get(module) or {"match", "search"}


@cache
def calls() -> list[Call]:
    """Return every call of a function of `re` with its pattern."""
    return [
        _call(module, node, is_global=is_global)
        for module, tree in trees().items()
        for node, is_global in _walked(tree, is_global=True)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in {*METHODS, "compile"}
    ]


def _walked(node: ast.AST, *, is_global: bool):
    """Yield every part of a module, and whether it is at module level."""
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for part in ast.iter_child_nodes(node):
        is_outside = is_global and not (is_function and isinstance(part, ast.stmt))
        yield part, is_outside
        yield from _walked(part, is_global=is_outside)


def _call(module: str, node: ast.Call, *, is_global: bool) -> Call:
    """Return a call of `re` with its pattern and flags."""
    first = node.args[0]
    flags = 0
    for argument in (*node.args[1:], *(keyword.value for keyword in node.keywords)):
        for part in ast.walk(argument):
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                flags |= getattr(re, part.attr, 0) if part.value.id == "re" else 0
    literal = first.value if isinstance(first, ast.Constant) else None
    assert isinstance(node.func, ast.Attribute)
    return Call(module, node.lineno, node.func.attr, literal, int(flags), ast.unparse(first), is_global)


@cache
def all_patterns() -> list[Used]:
    """Return what `collected` does, collected once."""
    return collected()


def collected() -> list[Used]:
    """Return every pattern with every method it is used with, each pair once."""
    found: dict[tuple[str | bytes, int, str], Used] = {}

    def add(name: str, pattern: re.Pattern | Pattern, methods: set[str]) -> None:
        for method in methods:
            kind = "finditer" if method in SCANNING else method
            flags = getattr(pattern, "flags", "linear")
            found.setdefault((pattern.pattern, flags, kind), Used(name, pattern, kind))

    for module, loaded in modules().items():
        for name, value in list(vars(loaded).items()):
            if isinstance(value, ModuleType) or name.startswith("__"):
                continue
            if isinstance(value, type) and value.__module__ != module:
                continue
            for pattern in within(value, set()):
                add(f"{module}.{name}", pattern, methods_of(module, name))
            if name in WRITTEN:
                for text in value:
                    add(f"{module}.{name}", Pattern(text), {WRITTEN[name]})
            if isinstance(value, TextShape):
                for text in value.commands:
                    add(f"{module}.{name}", Pattern(text), {"fullmatch"})
    for one in CLASSES:
        add(f"ingest.catalogue.log_classes.{one.name}", Pattern(one.pattern), {"search"})
    for path in sorted((ROOT / "signatures/overview/rules").glob("*.yaml")):
        for rule in panel_of(path.stem).rules:
            if rule.matching:
                add(f"signatures.overview.rules.{path.stem}", re.compile(rule.matching), {"fullmatch"})
    for call in calls():
        if call.method != "compile" and call.pattern is not None:
            add(f"{call.module}:{call.line}", re.compile(call.pattern, call.flags), {call.method})
        elif call.method != "compile" and isinstance(named := _named(call), str | bytes):
            add(f"{call.module}.{call.written}", re.compile(named, call.flags), {call.method})
    return list(found.values())


def _named(call: Call) -> object:
    """Return what the module holds by the name that a call gives as its pattern."""
    return getattr(modules()[call.module], call.written, None)


def hidden() -> list[str]:
    """Return the calls whose pattern is neither a literal, nor a module attribute, nor in `BUILT`."""
    return [
        f"{call.module}:{call.line}: {call.written}"
        for call in calls()
        if (call.pattern is None or call.method == "compile")
        and not call.is_global
        and not isinstance(_named(call), str | bytes | re.Pattern | Pattern)
        and (call.module, call.written) not in BUILT
    ]
