"""Lint rejects names that nothing yields, each with the nearest known name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ingest.evidence import read_bytes
from signatures.authoring.draft import draft
from signatures.authoring.lint import lint
from signatures.document import known_names
from signatures.judging.scope import items_of
from signatures.language.errors import SignatureError

SIGNATURE = """
clauses:
  c:
    title: t
    role: core
    weight: 4
    {}
decide: {{require: {{any: [c]}}, suspect: {{score: 2}}, match: {{score: 4}}}}
"""


def complaints(catalog_of, condition):
    return [text for text in lint(catalog_of(SIGNATURE.format(condition))) if "clause c" in text]


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (
            "log: {class: hung_tasks, at_least: 1}",
            "no log record has the class hung_tasks; did you mean hung_task?",
        ),
        ("log: {class: other, at_least: 1}", "class other is every message without a class; name its text"),
        (
            "log: {class: hung_task, fields: {blockr: x}, at_least: 1}",
            "no log record has the field blockr; did you mean blocker?",
        ),
        (
            "log: {class: soft_lockup, max: second, at_least: 20}",
            "no log record has the field second; did you mean seconds?",
        ),
        (
            "fact: {name: memcg.usage_bites, at_least: 1}",
            "nothing yields the fact memcg.usage_bites; did you mean",
        ),
        (
            "fact: {expr: memcg.usage_bytes / memcg.limit_byte, at_least: 1}",
            "nothing yields the fact memcg.limit_byte; did you mean memcg.limit_bytes?",
        ),
        (
            "fact: {name: memcg.usage_share, at_least: 1, min: {memcg.current: 1}}",
            "nothing yields the fact memcg.current",
        ),
        (
            "stack: {contains: [shrink_lruvecs]}\n    share: {at_least: 0.3}",
            "no known function is called shrink_lruvecs; did you mean shrink_lruvec?",
        ),
        (
            "leaf: {any: [_raw_spin_lock]}\n    share: {at_least: 0.3}",
            "a spin share without caller; add called_from",
        ),
        (
            "stack: {contains: [shrink_lruvec]}\n    share: {at_least: 30}",
            "a share is at most 1, so 30 is never reached; write 30 %",
        ),
        ("log: {class: hung_task, at_least: 0}", "at_least 0 is met by everything"),
    ],
)
def test_lint_names_what_nothing_yields(catalog_of, condition, words):
    (found,) = complaints(catalog_of, condition)
    assert words in found


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("stack: {contains: ['@mglr']}\n    share: {at_least: 0.3}", "did you mean @mglru?"),
        ("log: {fields: {comm: x}, at_least: 1}", "name a class, or the text"),
        ("log: {text: '.*', at_least: 1}", "matches every message"),
        ("fact: {name: memcg.usage_share, at_lest: 1}", "unknown key"),
        (r"log: {text: '(\w{200}){50} hung', at_least: 1}", "takes more than 10 MiB of memory"),
        ("log: {text: 'a{1,100000} hung', at_least: 1}", "has more than 1,000 repeats"),
        (f"log: {{text: '{'ring hung ' * 101}', at_least: 1}}", "has more than 1,000 characters"),
        ("log: {text: 'ring (hung', at_least: 1}", "is not a regular expression"),
    ],
)
def test_the_parser_rejects_nonsense(catalog_of, condition, words):
    with pytest.raises(SignatureError, match=words.replace("?", r"\?")):
        catalog_of(SIGNATURE.format(condition))


def test_an_unknown_capture_names_the_nearest(catalog, catalog_of):
    text = SIGNATURE.format("log: {class: hung_task, at_least: 1}") + "next: {c: kernel_stack}\n"
    with pytest.raises(SignatureError, match="no capture named 'kernel_stack'"):
        catalog_of(text)
    assert "kernel_stacks" in {capture.name for capture in catalog.captures}


def test_fields_that_the_text_names_are_known(catalog_of):
    condition = "log: {text: 'ring (?P<ring>\\d+) hung', max: ring, at_least: 1}"
    assert complaints(catalog_of, condition) == []


def test_facts_that_the_signature_implies_are_known(catalog_of):
    implied = "implies: [{frame: ['@mglru'], fact: my.feature, is: true}]\n"
    condition = SIGNATURE.format("fact: {name: my.feature, is: true}")
    assert [text for text in lint(catalog_of(implied + condition)) if "my.feature" in text] == []


def test_the_library_uses_only_known_names(catalog):
    assert lint(replace(catalog, captures=())) == []


def test_a_draft_has_no_condition_on_messages_without_a_class():
    text = b"[    1.000000] mydrv: link is up\n[    2.000000] mydrv: link is down\n"
    with pytest.raises(ValueError, match="no feature that a condition could test"):
        draft("net/mine", items_of([read_bytes(text, name="dmesg")]))
    hung = b"[  200.100000] INFO: task df:1177107 blocked for more than 120 seconds.\n"
    drafted = draft("net/mine", items_of([read_bytes(text + hung, name="dmesg")]))
    assert "class: hung_task" in drafted
    assert 'title: "Kernel log: ' in drafted
    assert "other" not in drafted


def test_names_that_differ_by_their_prefix_are_not_misspelt():
    assert known_names.misspelt("__try_charge_memcg") == ""
    assert known_names.misspelt("try_charge_memcgg") == "try_charge_memcg"


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (
            'references: [{kind: doc, title: d, url: "http://docs.kernel.org/x"}]',
            "http://docs.kernel.org/x is not canonical",
        ),
        (
            'references: [{kind: bug, title: b, url: "https://example.com/1"}]',
            "https://example.com/1 is not canonical",
        ),
        ("references: [{kind: commit, title: c}]", "a commit without id"),
        ("references: [{kind: commit, title: c, id: 0123456789ab}]", "not verified; state in `status`"),
        ("references: [{kind: article, title: a}]", "neither a link nor a status"),
        (
            'references: [{kind: doc, title: d, url: "https://docs.kernel.org/x"}]',
            "x was not checked; read the page",
        ),
        (
            'references: [{kind: doc, title: d, url: "https://docs.kernel.org/x", checked: "2026-11-26"}]',
            "states checked without copy, words",
        ),
        (
            "references: [{kind: doc, url: 'https://docs.kernel.org/x', checked: today, copy: c, words: w}]",
            "'today' is not a day",
        ),
        (
            'fixes: [{kind: upgrade, title: u, fixed_in: "6.99", scope: reboot, risk: r, undo: u}]',
            "names a release without a record of the fix",
        ),
        (
            'fixes: [{kind: upgrade, title: u, fixed_in: "6.7", records: [vma-lock], risk: r, undo: u}]',
            "vma-lock: no such record of a fix",
        ),
        (
            "fixes: [{kind: procedure, title: u, only_with: [ghost], scope: runtime, risk: r, undo: u}]",
            "only_with names no condition: ghost",
        ),
    ],
)
def test_lint_asks_for_links_that_were_verified(catalog_of, part, words):
    catalog = catalog_of(SIGNATURE.format("log: {class: hung_task, at_least: 1}") + part + "\n")
    assert any(words in text for text in lint(catalog)), lint(catalog)
