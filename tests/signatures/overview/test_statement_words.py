"""Sentences are made once: but for the rows of headlines, nothing cuts or searches a finished statement."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import causal_chain, first_screen, run, shared_things, symptoms
from signatures.overview.alarm_findings import alarm_findings
from signatures.overview.first_screen import overview_of
from signatures.overview.model import Statement
from signatures.overview.screen_document import headline_document, overview_document
from signatures.overview.short_headline import Short
from tests.signatures.overview import pastes

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
PACKAGES = ("signatures/overview", "signatures/documents", "signatures/handoff", "backend", "cli")
TEXTS = frozenset({"text", "gist", "summary", "headline", "qualifiers"})
"""Fields of statements, headlines and answers that hold sentences or parts of them."""

CUTTING = frozenset(
    {
        *("capitalize", "casefold", "count", "endswith", "find", "index", "lower", "lstrip", "partition"),
        *("removeprefix", "removesuffix", "replace", "rfind", "rindex", "rpartition", "rsplit", "rstrip"),
        *("split", "splitlines", "startswith", "strip", "swapcase", "title", "translate", "upper"),
    }
)
SEARCHING = frozenset({"findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"})
"""Methods of regular expressions."""

NOT_OF_STATEMENTS = frozenset(
    {
        ("backend/stories/from_case.py", "entry.text"),
        ("backend/library/search.py", "ask.text"),
        ("backend/search/conditions.py", "part.text"),
        ("backend/search/conditions.py", "word.text"),
        ("backend/search/language.py", "self.text"),
        ("signatures/overview/calm.py", "answer.summary"),
        # The rows of `headline_grammar.yaml`, `combined.yaml` and `symptoms.yaml` are of whole sentences.
        ("signatures/overview/combined.py", "statement.text"),
        ("signatures/overview/symptoms.py", "one.text"),
        ("signatures/overview/headline_chips.py", "one.text"),
        ("signatures/overview/short_headline.py", "lead.headline.text"),
    }
)
"""What people wrote; a summary that becomes a statement, which has no full stop; rows of whole sentences."""

NEVER_ALARMS = frozenset({"fact", "unclassified"})


class Sealed:
    """A sentence that can be written and compared as a whole, but neither cut nor searched."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


def sources() -> Iterator[tuple[str, ast.Module]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in TEXTS


def readings(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the texts that are cut, searched, sliced, searched in or compared; also those of a local name."""
    held = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and is_text(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def is_read(node: ast.expr) -> bool:
        return is_text(node) or (isinstance(node, ast.Name) and node.id in held)

    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in CUTTING and is_read(node.func.value):
                yield node.func.value
            if node.func.attr in SEARCHING:
                yield from (one for one in node.args if is_read(one))
        elif isinstance(node, ast.Subscript) and is_text(node.value):
            yield node.value


def test_no_text_of_a_statement_is_cut_searched_or_sliced():
    found = {(path, ast.unparse(one)) for path, tree in sources() for one in readings(tree)}
    assert found <= NOT_OF_STATEMENTS


def test_the_first_screen_is_made_without_reading_a_sentence(monkeypatch):
    text = vars(Statement)["text"].fget
    monkeypatch.setattr(Statement, "text", property(lambda one: Sealed(text(one))))
    # Rows of headlines, combinations, symptoms and shared things read sentences: all else does not.
    monkeypatch.setattr(first_screen, "short_of", lambda *_, **__: Short("short"))
    monkeypatch.setattr(causal_chain, "short_words", lambda _: ("short", []))
    monkeypatch.setattr(shared_things, "_names", lambda *_: ())
    monkeypatch.setattr(first_screen, "with_combined", list)
    monkeypatch.setattr(symptoms.Cause, "shown_by", lambda *_: None)
    for name, headline, _ in pastes.ALARMS:
        panels = run(items_of([read_bytes(getattr(pastes, name).encode(), name="paste.txt")]))
        assert not [panel.fault for panel in panels if panel.fault]
        alarms = alarm_findings(panels, [])
        screen = overview_of(panels, [], [], {"kernel-log"})
        document = overview_document(screen)
        assert headline in str(screen.headline.text)
        assert document.headline.statement == 0
        assert headline_document(screen, [], alarms).alarm


def test_every_statement_that_may_be_an_alarm_has_a_subject_or_classes():
    lacking = [
        f"{path}:{call.lineno}"
        for path, tree in sources()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Statement"
        if not {"subject", "log_classes"} & {one.arg for one in call.keywords} and may_alarm(call)
    ]
    assert path_of_builders(lacking) == []


def may_alarm(call: ast.Call) -> bool:
    """Return whether the fourth argument, its kind, may be an alarm: it is, when it is left out."""
    kind = call.args[3] if len(call.args) > 3 else None
    return not (isinstance(kind, ast.Constant) and kind.value in NEVER_ALARMS)


def path_of_builders(places: list[str]) -> list[str]:
    return [one for one in places if one.startswith("signatures/overview/")]


LOGS = {
    "[    1.000000] blk_update_request: I/O error, dev sdk, sector 8 op 0x0:(READ)\n": ("sdk",),
    "[    1.000000] nfs: server nas3 not responding, still trying\n": ("nas3",),
    # Two servers: the sentence names the first only.
    "[    1.000000] nfs: server nas3 not responding, still trying\n"
    "[    2.000000] nfs: server nas4 not responding, still trying\n": ("nas3",),
    # A bus: the class names no device.
    "[    1.000000] pcieport 0000:00:1c.1: AER: Corrected error received: 0000:00:1c.1\n": (),
}


def test_a_statement_knows_the_devices_and_servers_that_its_sentence_names():
    for log, things in LOGS.items():
        panels = run(items_of([read_bytes(log.encode(), name="dmesg.txt")]))
        (stated,) = [one for panel in panels for one in panel.statements if one.log_classes]
        assert stated.things == things, log
        assert all(one in stated.gist for one in things), log
