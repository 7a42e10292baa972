from __future__ import annotations

import re

import pytest

from signatures.authoring.lint import lint
from signatures.document.catalog import load_catalog
from signatures.document.files import LIBRARY
from signatures.document.parse import signature_of
from signatures.judging.observe import clause_digest
from signatures.language.errors import SignatureError
from signatures.language.model import Catalog

HOT = {"role": "core", "title": "t", "weight": 4, "stack": {"contains": ["f"]}, "share": {"at_least": 0.3}}
GOOD = {
    "schema": 1,
    "id": "mm/x",
    "version": 1,
    "title": "t",
    "severity": "low",
    "status": "draft",
    "clauses": {"hot": HOT},
    "decide": {"require": {"any": ["hot"]}, "suspect": {"score": 2}, "match": {"score": 4}},
}


def with_clause(**changes):
    return GOOD | {"clauses": {"hot": HOT | changes}}


def with_fact(**fact):
    return GOOD | {"clauses": {"hot": {"title": "t", "fact": fact}}}


def with_match(**match):
    return GOOD | {"decide": GOOD["decide"] | {"match": match}}


def test_a_valid_document_parses():
    assert signature_of(GOOD, "f").clause("hot").weight == 4


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (GOOD | {"colour": "red"}, "colour: unknown key"),
        (GOOD | {"severity": "huge"}, "severity: 'huge' is not allowed; write one of critical"),
        (GOOD | {"title": []}, "title: is not a text"),
        (with_clause(wieght=3), "wieght"),
        (with_clause(stack={"contain": ["f"]}), "contain: unknown key; known here: contains"),
        (with_clause(stack={"contains": ["@nothing"]}), "nothing"),
        (with_clause(share={"at_least": "3 lightyears"}), "not a quantity"),
        (with_clause(share={}), "exactly one of share, distinct, seen"),
        (with_clause(role="star"), "role: 'star' is not allowed"),
        (with_clause(rows={"set": "s"}), "names 2 predicates"),
        (with_match(score=4, all=["cold"]), "cold: no such clause"),
        (GOOD | {"next": {"cold": {"run": "true", "cost": "none"}}}, "cold: unknown key; known here: hot"),
        (with_fact(expr="memcg.usage_bytes + 1 * net.x_seconds", at_least=1), "mixes"),
        (with_fact(name="memcg.usage_bytes", at_least="10 s"), "cannot be compared"),
        (with_fact(expr="open('/etc')", at_least=1), "unexpected"),
    ],
)  # fmt: skip
def test_a_parse_error_names_file_key_and_remedy(document, words):
    with pytest.raises(SignatureError) as error:
        signature_of(document, "mm/x/signature.yaml")
    assert str(error.value).startswith("mm/x/signature.yaml: ")
    assert words in str(error.value)
    assert error.value.remedy


def test_a_broken_signature_does_not_affect_others(tmp_path):
    good = (LIBRARY / "mm/memcg-limit-reclaim/signature.yaml").read_text()
    for name, text in {
        "memcg-limit-reclaim": good,
        "broken": "a: [",
        "odd": "schema: 1\nid: mm/odd\nhuh: 1\n",
    }.items():
        (tmp_path / "mm" / name).mkdir(parents=True)
        (tmp_path / "mm" / name / "signature.yaml").write_text(text)
    catalog = load_catalog(tmp_path)
    assert [signature.id for signature in catalog.signatures] == ["mm/memcg-limit-reclaim"]
    assert [problem.file for problem in catalog.problems] == [
        "mm/broken/signature.yaml",
        "mm/odd/signature.yaml",
    ]


def test_a_signature_has_the_name_of_its_folder(tmp_path):
    (tmp_path / "mm" / "other").mkdir(parents=True)
    text = (LIBRARY / "mm/memcg-limit-reclaim/signature.yaml").read_text()
    (tmp_path / "mm/other/signature.yaml").write_text(text)
    assert "write id: mm/other" in str(load_catalog(tmp_path).problems[0])


def test_the_library_loads_and_passes_lint(catalog):
    assert lint(catalog) == []
    folders = sorted("/".join(path.parts[-3:-1]) for path in LIBRARY.glob("*/*/signature.yaml"))
    assert [signature.id for signature in catalog.signatures] == folders


def test_every_signature_of_the_library_says_whether_it_is_a_defect_or_a_condition(catalog):
    silent = [path for path in LIBRARY.glob("*/*/signature.yaml") if "\nkind: " not in path.read_text()]
    assert silent == []
    assert catalog.get("mm/host-oom").kind == "condition"
    assert catalog.get("mm/percpu-rss-drift").kind == "defect"


AFFECTED = {"affected": [{"ecosystem": "kernel.org", "introduced": "6.1"}]}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"kind": "condition", "reason": "a full queue drops"}, ""),
        ({"kind": "defect", **AFFECTED}, ""),
        (AFFECTED, ""),
        ({"kind": "condition", "reason": "a full queue drops", **AFFECTED}, "remove affected"),
        ({"kind": "condition"}, "condition without a reason"),
        ({"kind": "defect", "reason": "a full queue drops"}, "defect with a reason"),
        ({"affected": [{"ecosystem": "kernel.org", "verdict": "by_design"}]}, "that no kernel release has"),
    ],
)
def test_lint_refuses_affected_kernels_of_a_condition(changes, complaint):
    found = [text for text in lint(Catalog((signature_of(GOOD | changes, "f"),), ())) if " is a " in text]
    assert len(found) == bool(complaint)
    assert complaint in "".join(found)


def test_a_digest_depends_only_on_the_conditions():
    same = clause_digest(signature_of(GOOD, "f").clauses[0])
    assert clause_digest(signature_of(with_clause(title="other words"), "f").clauses[0]) == same
    assert clause_digest(signature_of(with_clause(share={"at_least": 0.31}), "f").clauses[0]) != same


def test_no_signature_names_a_sample(catalog):
    files = (path for path in LIBRARY.glob("*/*/evidence/*/**/*") if path.is_file())
    kernel_names = re.compile(r"memory\..*|status|smaps_rollup|sockstat|meminfo|expect\.yaml|PROVENANCE\.md")
    names = {path.name for path in files if not kernel_names.fullmatch(path.name)}
    for signature in catalog.signatures:
        text = (LIBRARY / signature.id / "signature.yaml").read_text()
        assert not [name for name in names if name in text]


def test_every_signature_has_a_story(catalog):
    for signature in catalog.signatures:
        assert len(signature.story.splitlines()) >= 30, signature.id


def test_a_fix_has_the_types_that_stored_findings_have():
    fix = {
        "kind": "setting",
        "title": "t",
        "scope": "runtime",
        "unsafe_if": "it writes",
        "as_of": "2026-11-29",
    }
    (read,) = signature_of(GOOD | {"fixes": [fix]}, "f").fixes
    assert read == fix | {"unsafe_if": ["it writes"]}
    with pytest.raises(SignatureError, match=r"fixes\[0\].unsafe_if: is not a list of texts"):
        signature_of(GOOD | {"fixes": [fix | {"unsafe_if": [["it writes"]]}]}, "f")
    with pytest.raises(SignatureError, match=r"fixes\[0\].title: is not a text"):
        signature_of(GOOD | {"fixes": [fix | {"title": ["t"]}]}, "f")


def test_words_that_no_fix_has_and_evidence_that_no_test_judges_are_reported(tmp_path):
    (tmp_path / "evidence/pos-one").mkdir(parents=True)
    fix = {"kind": "workarund", "title": "t", "scope": "runntime"}
    said = lint(Catalog((signature_of(GOOD | {"fixes": [fix]}, "f", folder=str(tmp_path)),), ()))
    for words in (
        "kind 'workarund' is unknown",
        "scope 'runntime' is unknown",
        "evidence/pos-one has no expect.yaml",
    ):
        assert any(words in one for one in said), said
