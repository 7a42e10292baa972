"""Redaction of the corpus: plants left and other words replaced, in the tuned and in the unseen half."""

from __future__ import annotations

import hashlib

import pytest

from tests.ingest.redact import corpus
from tests.ingest.redact.test_tools import redacted

LEFT = {
    "tuned": 0,
    "unseen": 0,
    "held_out": 44,
    "held_out_2": 44,
    "held_out_3": 47,
    "held_out_4": 57,
    "held_out_5": 92,
    "held_out_6": 180,
    "held_out_7": 91,
    "held_out_8": 560,
}
REPLACED = {
    "tuned": 8,
    "unseen": 29,
    "held_out": 47,
    "held_out_2": 9,
    "held_out_3": 17,
    "held_out_4": 22,
    "held_out_5": 33,
    "held_out_6": 114,
    "held_out_7": 124,
    "held_out_8": 320,
}


def test_the_corpus_is_large_and_split_by_digest():
    halves = {half: corpus.load(half) for half in corpus.HALVES}
    plants = [plant for half in halves.values() for one in half for row in one.lines for plant in row.plants]
    assert len(plants) >= 400
    assert len({plant.kind for plant in plants}) >= 60
    assert [one.title for half, samples in halves.items() for one in samples if one.half != half] == []


@pytest.mark.parametrize("part", corpus.HELD_OUT)
def test_held_out_samples_are_of_other_tools_and_unchanged_since_they_were_recorded(part: str):
    content = (corpus.FOLDER / f"{part}.txt").read_bytes()
    recorded = (corpus.FOLDER / f"{part}.sha256").read_text().split()[0]
    assert hashlib.sha256(content).hexdigest() == recorded
    held_out = corpus.load(part)
    plants = [plant for one in held_out for row in one.lines for plant in row.plants]
    assert len(plants) >= 250
    assert len({plant.kind for plant in plants}) >= 60
    earlier = [*corpus.HALVES, *corpus.HELD_OUT[: corpus.HELD_OUT.index(part)]]
    used = {one.title for name in earlier for one in corpus.load(name)}
    assert {one.title for one in held_out if one.title in used} == corpus.REPEATED.get(part, set())


@pytest.mark.parametrize("half", [*corpus.HALVES, *corpus.HELD_OUT])
def test_no_more_plants_are_left_and_no_more_words_replaced_than_recorded(half: str):
    results = [corpus.measure(sample, redacted) for sample in corpus.load(half)]
    left = [(one.title, *plant) for one in results for plant in one.left]
    replaced = [(one.title, word) for one in results for word in one.replaced]
    assert (len(left) <= LEFT[half], len(replaced) <= REPLACED[half]) == (True, True), (left, replaced)
    assert [one.title for one in results if not one.lines] == []
