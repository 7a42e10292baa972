"""Planted secrets of every kind are replaced in every encoding; exceptions are listed."""

from __future__ import annotations

import pytest

from ingest.redact import Redactor
from ingest.redact.leak_scan import Detector
from signatures.document.vocabulary import library_words
from tests.ingest.redact import planted

CASES = ("seen", "unseen")


@pytest.fixture(scope="module", params=CASES)
def case(request):
    return planted.load(request.param)


@pytest.fixture(scope="module")
def redacted(case):
    """The lines after redaction, and what did it."""
    redactor = Redactor(b"k" * 32, words=library_words())
    redactor.learn([case.plain.encode(), case.text.encode()])
    redactor.settle()
    return b"".join(redactor.redact([case.text.encode()])).decode().split("\n"), redactor


def test_there_are_enough_of_them_and_half_are_held_out():
    cases = [planted.load(name) for name in CASES]
    every = [one for case in cases for one in case.planted]
    assert len(every) >= 200
    assert len({one.kind for one in every}) >= 15
    assert len({one.encoded_as for one in every}) >= 12
    assert len(cases[1].planted) >= len(every) / 2


def test_only_the_documented_encodings_remain(case, redacted):
    lines, _ = redacted
    remaining = {one.encoded_as for one, line in zip(case.planted, lines, strict=False) if one.is_in(line)}
    assert remaining == set(case.remaining)


def test_the_leak_scan_finds_no_replaced_name(redacted):
    lines, redactor = redacted
    originals = {name for names in redactor.originals.values() for name in names} - redactor.unreplaced_words
    assert list(Detector(originals).scan("\n".join(lines).encode())) == []


def test_a_second_pass_changes_no_line(redacted):
    lines, _ = redacted
    text = "\n".join(lines).encode()
    again = Redactor(b"k" * 32, words=library_words())
    again.learn([text])
    again.settle()
    assert b"".join(again.redact([text])) == text
