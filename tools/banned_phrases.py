"""Check for phrases that paraphrase a standard term: `python -m tools.banned_phrases [--counts] [PATH…]`.

It reads the documents, docstrings and comments of Python packages, texts of the front end and descriptions in
`frontend/openapi.json`. `docs/glossary.md` defines the terms. The exit status is 1 when a phrase is found.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PACKAGES = ("backend", "benchmarks", "cli", "docker", "ingest", "migrations", "signatures", "tests", "tools")
GENERATED = ("node_modules", "__pycache__", "peers", "target")

BANNED = {
    r"told": "reported, shown, stated",
    r"(?:is|are) given anew": "is set again",
    r"who may come in": "members",
    r"(?:may|might|can) come in": "can sign in",
    r"(?:a|the|this|our|its) house": "package, product",
    r"(?<!Math\.)(?<!math\.)(?<!noise )floors?": "layer",
    r"(?:front |back |four )?doors?": "interface, intake",
    r"veils?": "overlay",
    r"rooms? of (?:its|their) own": "module",
    r"letting go": "release",
    r"holds? against": "excludes, contradicts",
    r"held against": "compared with",
    r"what came": "the received bytes",
    r"who came by": "the visitor",
    r"nothing is said": "there is no message",
    r"by an address that is (?:shown|said) once": "by a single-use link",
    r"sent twice, done once": "idempotent retries",
    r"what (?:can|could) not be said": "undecided",
    r"(?:the|our|its) walls": "confinement, sandbox",
    r"is nobody's": "belongs to no account",
    r"may be seen": "is visible",
    r"who (?:asks|is asking)": "the principal",
    r"kept as it came": "stored unchanged",
    r"a word for a program": "an error code",
    r"on its way in": "being uploaded",
    r"what is over is": "excess requests are",
    r"the gravest": "the most severe",
    r"held back": "limited",
}
"""A regular expression of whole words, in lower case, and what to write instead."""


class Allowed(NamedTuple):
    """A phrase that may stand in some files, with the reason."""

    path: str
    phrase: str
    reason: str


EXCEPTIONS = (
    Allowed("tools/banned_phrases.py", "*", "the list itself"),
    Allowed("tests/test_banned_phrases.py", "*", "tests of the list"),
    Allowed("CHANGELOG.md", "*", "entries describe the product at the time they were written"),
    Allowed("benchmarks/oddities.py", "*", "generated inputs"),
)


class Text(NamedTuple):
    """A piece of prose with its place."""

    path: str
    line: int
    content: str


class Hit(NamedTuple):
    """A banned phrase with its place."""

    path: str
    line: int
    phrase: str
    instead: str


_PATTERNS = [
    (re.compile(rf"(?<![\w.-])(?:{pattern})(?![\w-])", re.IGNORECASE), pattern) for pattern in BANNED
]


_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def hits(text: Text) -> Iterator[Hit]:
    """Yield every banned phrase in `text` that no exception allows."""
    for pattern, key in _PATTERNS:
        for match in pattern.finditer(text.content):
            phrase = match[0].lower()
            if not any(
                fnmatch(text.path, one.path) and fnmatch(phrase, one.phrase.lower()) for one in EXCEPTIONS
            ):
                line = text.line + text.content.count("\n", 0, match.start())
                yield Hit(text.path, line, match[0], BANNED[key])


def python_texts(path: str, source: str) -> Iterator[Text]:
    """Yield the docstrings and comments of a Python module."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield Text(path, node.lineno, node.value.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text(path, token.start[0], token.string)


def schema_texts(path: str, document: object) -> Iterator[Text]:
    """Yield every description, summary and title of an OpenAPI document."""
    if isinstance(document, dict):
        for key, value in document.items():
            if key in {"description", "summary", "title"} and isinstance(value, str):
                yield Text(path, 1, value)
            elif key not in {"example", "examples"}:
                yield from schema_texts(path, value)
    elif isinstance(document, list):
        for value in document:
            yield from schema_texts(path, value)


def prose(content: str) -> str:
    """Return Markdown with fenced code blanked, so that line numbers stay."""
    return re.sub(
        r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), content, flags=re.MULTILINE | re.DOTALL
    )


def texts() -> Iterator[Text]:
    """Yield all text that the check covers, with paths from the root of the repository."""
    for file in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]):
        name = file.relative_to(ROOT).as_posix()
        yield Text(name, 1, prose(file.read_text(encoding="utf-8")))
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            if not set(GENERATED).intersection(file.parts):
                yield from python_texts(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))
    for file in sorted((ROOT / "frontend/src").rglob("*.ts*")):
        if not file.name.endswith(".gen.ts"):
            yield Text(file.relative_to(ROOT).as_posix(), 1, file.read_text(encoding="utf-8"))
    schema: Any = json.loads((ROOT / "frontend/openapi.json").read_text(encoding="utf-8"))
    yield from schema_texts("frontend/openapi.json", schema)


def main(arguments: list[str]) -> int:
    """Print every hit below the given paths, or with `--counts` their number by directory."""
    below = tuple(one.rstrip("/") for one in arguments if not one.startswith("--"))
    found = [hit for text in texts() if not below or text.path.startswith(below) for hit in hits(text)]
    if "--counts" in arguments:
        counts = Counter("/".join(hit.path.split("/")[:2]) if "/" in hit.path else hit.path for hit in found)
        for folder, count in sorted(counts.items()):
            sys.stdout.write(f"{count:6} {folder}\n")
    else:
        for hit in found:
            sys.stdout.write(f"{hit.path}:{hit.line}: '{hit.phrase}': write {hit.instead}\n")
    sys.stdout.write(f"{len(found)} banned phrases\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
