"""Words, functions and pasted evidence find their story, with reasons."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from backend.library import index
from backend.library.schemas import SearchQuery
from backend.library.search import search

QUESTIONS = yaml.safe_load(Path("tests/data/library/questions.yaml").read_text())
HELD_OUT = yaml.safe_load(Path("tests/data/library/heldout.yaml").read_text())
STACK = Path("tests/data/published/vanishing-cpu/stack.shrink_lruvec.txt").read_text()
PERF_TOP = Path("tests/data/perf-table/perf-top.shrink_lruvec.txt").read_text()
LIVELOCK = "mm/shrink-lruvec-livelock"


@pytest.fixture
def library(session):
    index.fill_session(session)
    return session


@pytest.fixture
def ask(library, app_settings):
    def asked(text: str, **narrowed: object):
        return search(library, app_settings, SearchQuery(text=text, **narrowed))

    return asked


def keys(body) -> list[str]:
    return [one.key for one in body.items]


def body(parts) -> str:
    return "".join(part.text for part in parts)


def test_every_kind_has_forty_queries_with_an_expected_story(ask):
    every = set(keys(ask("")))
    for asked in (QUESTIONS, HELD_OUT):
        assert len(asked) >= 40
        assert {row["right"] for row in asked} <= every
        assert {key for row in asked for key in row.get("also", [])} <= every


def test_no_query_is_in_both_halves():
    def asked(rows: list[dict[str, object]]) -> set[object]:
        return {row.get("asks") or (row["file"], str(row.get("lines", ""))) for row in rows}

    assert asked(QUESTIONS) & asked(HELD_OUT) == set()


def test_the_expected_story_of_a_clear_query_is_first(ask):
    wrong = {}
    for row in QUESTIONS:
        asked = row["asks"] if "asks" in row else Path(row["file"]).read_text()
        if row.get("is_clear") and keys(ask(asked))[0] not in {row["right"], *row.get("also", [])}:
            wrong[asked[:60]] = keys(ask(asked))[:3]
    assert wrong == {}


def test_a_pasted_stack_is_recognised_and_judged(ask):
    found = ask(STACK)
    assert [piece.format for piece in found.recognised] == ["bare-stack"]
    assert (found.recognised[0].first_line, found.recognised[0].last_line) == (1, 17)
    assert "shrink_lruvec" in found.functions
    best = found.items[0]
    assert best.key == LIVELOCK
    assert best.verdict in {"match", "suspect", "unknown"}
    assert best.met, "the conditions that the stack meets"
    assert best.reasons[0].kind == "judged"
    assert best.reasons[0].share == max(reason.share for reason in best.reasons)


def test_the_score_parts_add_up_to_the_score(ask):
    for text in ("ps aux hangs", STACK, PERF_TOP):
        for one in ask(text).items:
            assert sum(reason.share for reason in one.reasons) == pytest.approx(1, abs=0.01)


def test_words_beside_a_stack_count_too(ask):
    found = ask("the service hangs since the upgrade\n\n" + STACK)
    best = found.items[0]
    assert best.key == LIVELOCK
    assert {reason.kind for reason in best.reasons} >= {"judged", "functions", "words"}


def test_a_sentence_about_a_hanging_tool_is_judged(ask):
    best = ask("ps aux hangs").items[0]
    assert best.key == "mm/mmap-lock-held-in-reclaim"
    assert "judged" in {reason.kind for reason in best.reasons}


def test_hits_are_marked_in_title_and_text(ask):
    best = ask("wrong process OOM").items[0]
    assert best.key == "mm/percpu-rss-drift"
    assert {part.text.lower() for part in best.title if part.is_hit} >= {"wrong", "process", "oom"}
    assert any(part.is_hit for part in best.snippet)
    assert "\x02" not in body(best.snippet) + body(best.title)


def test_synonyms_are_highlighted_only_without_a_literal_hit(ask):
    marked = {
        one.key: {part.text.lower() for part in [*one.title, *one.snippet] if part.is_hit}
        for one in ask("ps hangs").items
    }
    assert "hang" in marked["mm/mmap-lock-held-in-reclaim"]
    assert marked["mm/mmap-lock-held-in-reclaim"] <= {"ps", "hang", "hangs", "hung", "hanging"}
    assert any(words - {"ps", "hang", "hangs", "hung", "hanging"} for words in marked.values())


def test_an_unmatched_recording_is_searched_by_its_words(ask):
    found = ask(Path("tests/data/published/network-stalls/hping3-icmp-rtt.txt").read_text())
    assert [piece.format for piece in found.recognised] != []
    assert found.items


def test_prefixes_match_the_last_word(ask):
    typing, typed = ask("retransm"), ask("retransm ")
    assert keys(typing)[0] == keys(typed)[0] == "net/tcp-retransmission"
    assert "net/listen-overflow" in keys(typing)[:5]
    assert typing.did_you_mean is None
    assert typed.did_you_mean == "retransmits", "a blank ends the word"


def test_a_misspelled_function_is_corrected(ask):
    found = ask("shrink_lruvc")
    assert found.did_you_mean == "shrink_lruvec"
    assert keys(found)[0] == LIVELOCK


def test_a_misspelled_word_is_corrected(ask):
    found = ask("livelok of the memory cgroup")
    assert found.did_you_mean == "livelock of the memory cgroup"
    assert keys(found)[0] == LIVELOCK


def test_an_unknown_topic_has_no_results(ask):
    found = ask("zzyzx qwfpg")
    assert (found.count, found.items, found.did_you_mean) == (0, [], None)


def test_an_empty_query_lists_the_library_by_severity(ask):
    found = ask("")
    ranks = [("critical", "high", "medium", "low").index(one.severity) for one in found.items]
    assert ranks == sorted(ranks)
    assert found.count == len(found.items) > 20
    assert all(body(one.snippet) for one in found.items)


def test_stop_words_are_ignored(ask):
    assert keys(ask("why does the ps hang and what is it"))[0] == keys(ask("ps hang"))[0]


@pytest.mark.parametrize("text", ["' | & ! ( :* <->", "a:b & !c", "\x02\x03", "\\", "100 %", "\u202e"])
def test_query_operators_are_plain_characters(ask, text):
    assert ask(text).count >= 0


def test_a_paste_without_evidence_is_a_text_query(ask):
    found = ask("dear all,\nthe OOM killer took the wrong process again\nregards\n")
    assert found.recognised == []
    assert "mm/percpu-rss-drift" in keys(found)[:3]


def test_a_search_stores_nothing(ask, app_settings):
    ask(STACK)
    assert list(app_settings.scratch_dir.iterdir()) == []
