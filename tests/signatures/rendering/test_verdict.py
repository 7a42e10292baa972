"""Headline and certainty say what the evidence supports, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from signatures.document.files import LIBRARY
from signatures.judging.judge import judge
from signatures.language.errors import SignatureError
from signatures.language.model import Catalog
from signatures.reporting.report import finding_document
from tests.signatures.build import fact, item, profile
from tests.signatures.evidence import judge_folder, judge_text

TEXT = """
fixes: [{kind: workaround, title: Restart it, scope: runtime}]
clauses:
  hot: {title: f is hot, role: core, stack: {contains: [f]}, share: {at_least: 0.3}, weight: 4}
  full: {title: the group is full, role: core, fact: {name: memcg.usage_share, at_least: 0.98}, weight: 4}
  other: {title: g takes it, role: rival, fact: {name: memcg.failcnt, at_least: 10}, weight: 4}
decide: {require: {any: [hot, full]}, suspect: {score: 3}, match: {score: 8, all: [hot, full]}}
"""
HOT = item("e", profiles=[profile([("a;f", 300), ("a;b", 300)])])
FULL = item("f", facts=[fact("memcg.usage_bytes", 100.0), fact("memcg.limit_bytes", 100.0)])
FEW = item("h", profiles=[profile([("a;f", 3)])])
DECIDED = f"{TEXT}next:\n  other: [{{title: t, run: cat memory.failcnt, cost: none, reads: [a]}}]\n"
CALM = item("g", facts=[fact("memcg.failcnt", 0.0)])


def one(catalog, *items):
    (finding,) = judge(items, catalog)
    return finding


@pytest.mark.parametrize(
    ("items", "headline", "why"),
    [
        ((HOT, FULL, CALM), "A test", "every distinguishing condition is met, and no alternative is open"),
        ((HOT, FULL), "May be: A test", "not decided: g takes it"),
        ((HOT, CALM), "May be: A test", "not decided: the group is full"),
        ((CALM,), "Not looked at: A test", "No distinguishing sign found"),
        ((FEW,), "Not decided: A test", "No distinguishing sign found; too few samples"),
    ],
)
def test_headline_and_certainty_say_what_is_decided(catalog_of, items, headline, why):
    found = one(catalog_of(TEXT), *items)
    assert finding_document(found).headline == headline
    assert why in finding_document(found).certainty


def test_a_suspicion_names_the_command_that_decides_it(catalog_of):
    found = one(catalog_of(DECIDED), HOT, FULL)
    assert finding_document(found).headline == "May be: A test. Decides: `cat memory.failcnt`."
    unsafe = DECIDED.replace("cost: none", "cost: none, unsafe_if: [a/other]")
    assert finding_document(one(catalog_of(unsafe), HOT, FULL)).headline == "May be: A test"
    assert finding_document(one(catalog_of(DECIDED), HOT, FULL, CALM)).headline == "A test"


UNTESTED = (
    "  old: {title: it is old, role: context, fact: {name: host.uptime_seconds, at_least: 9}, weight: 0}\n"
)
KILLED = """\
[  518.050606] Out of memory: Killed process 15784 (python3) total-vm:11964kB, anon-rss:4288kB, file-rss:3028kB, shmem-rss:0kB
[  518.061172] Out of memory: Killed process 15925 ((resolved)) total-vm:168424kB, anon-rss:4064kB, file-rss:3584kB, shmem-rss:0kB
"""  # noqa: E501 - lines of the kernel are long
"""An excerpt that somebody published: neither the task table nor what memory was used for."""

HUNG = """\
[  725.795102] INFO: task bcache-register:2330 blocked for more than 120 seconds.
[  726.146000]       Not tainted 4.15.0-176-generic #185
[  726.771988] bcache-register D    0  2330   2328 0x00000320
[  726.771991] Call Trace:
[  726.771997]  __schedule+0x24e/0x890
[  726.771999]  schedule+0x2c/0x80
[  726.772024]  closure_sync+0x18/0x90 [bcache]
[  726.772031]  bch_journal+0x123/0x380 [bcache]
[  726.772042]  bch_journal_meta+0x47/0x70 [bcache]
[  726.772057]  bch_btree_set_root+0x1c2/0x1f0 [bcache]
"""


@pytest.mark.parametrize(
    ("text", "signature", "question"),
    [
        (KILLED, "mm/host-oom", "who holds the memory"),
        (HUNG, "sched/hung-tasks", "who holds the lock, or what the event waits for"),
    ],
)
def test_a_match_without_an_owner_says_what_is_not_decided(catalog, text, signature, question):
    found = judge_text(text, catalog)[signature]
    assert found.verdict == "match"
    assert finding_document(found).certainty.endswith(
        f"every distinguishing condition is met; not decided: {question}."
    )


def test_a_question_that_one_condition_answers_is_not_asked(catalog_of):
    answered = TEXT.replace("role: core, fact", "answers: what fills it, role: core, fact")
    assert "not decided" not in finding_document(one(catalog_of(answered), HOT, FULL, CALM)).certainty
    asked = answered.replace(
        "decide:", UNTESTED.replace("role: context", "role: context, answers: who") + "decide:"
    )
    words = "Very likely: every distinguishing condition is met; not decided: who."
    assert finding_document(one(catalog_of(asked), HOT, FULL, CALM)).certainty == words


def test_undecided_conditions_are_counted_and_alternatives_that_no_one_lists_are_not_denied(catalog_of):
    undecided = TEXT.replace("decide:", UNTESTED + "decide:")
    words = "Very likely: every distinguishing condition is met, and no alternative is open"
    found = finding_document(one(catalog_of(undecided), HOT, FULL, CALM)).certainty
    assert found == f"{words}; 1 further condition is not decided."
    without = "".join(line for line in TEXT.splitlines(keepends=True) if "rival" not in line)
    words = "Very likely: every distinguishing condition is met."
    assert finding_document(one(catalog_of(without), HOT, FULL)).certainty == words


def test_an_alternative_answers_nothing(catalog_of):
    with pytest.raises(SignatureError, match="other is a rival"):
        catalog_of(TEXT.replace("role: rival", "role: rival, answers: who"))


def test_a_draft_says_that_it_is_one(catalog_of):
    (signature,) = catalog_of(TEXT).signatures
    draft = Catalog((replace(signature, status="draft"),), ())
    assert finding_document(one(draft, HOT, FULL, CALM)).headline == "A test (draft signature)"
    assert finding_document(one(draft, HOT, CALM)).headline == "May be (draft signature): A test"


def test_a_capped_suspect_shows_no_fix(catalog):
    folder = LIBRARY / "mm" / "mglru-evict-folios-lru-lock" / "evidence" / "pos-published"
    found = judge_folder(folder, catalog)["mm/mglru-evict-folios-lru-lock"]
    document = finding_document(found)
    assert (document.verdict, document.fixes) == ("suspect", ())
    assert document.next
    assert "rests on weak readings alone" in document.certainty


def test_an_uncapped_suspect_shows_its_fixes(catalog_of):
    assert [fix.title for fix in finding_document(one(catalog_of(TEXT), HOT, CALM)).fixes] == ["Restart it"]
