"""Suggested spellings equal those of PostgreSQL's trigrams, on the current library."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text

from backend.findings import library
from backend.library import documents, index
from backend.library.queries import vocabularies
from backend.library.spelling import NEAR, near_spellings, trigrams

WORDS = (
    "livelok",
    "shrink_lruvc",
    "try_charge_memcq",
    "checkout",
    "reclame",
    "ams",
    "sirq",
    "ösmetics",
    "a1",
)


@pytest.fixture
def session(session):
    index.fill_session(session)
    return session


def test_trigrams_equal_those_of_postgresql(session):
    spellings = sorted({word for one in vocabularies(session) for word in one.split()})
    asked = text(
        "select word, spelling, similarity(word, spelling) from unnest(cast(:words as text[])) as word"
        " cross join unnest(cast(:spellings as text[])) as spelling"
    )
    rows = session.execute(asked, {"words": list(WORDS), "spellings": spellings}).all()
    assert len(rows) > 1000
    for word, spelling, similarity in rows:
        mine, other = trigrams(word), trigrams(spelling)
        shared = len(mine & other) / len(mine | other)
        assert shared == pytest.approx(similarity, abs=1e-6), (word, spelling)


def test_the_best_correction_equals_that_of_postgresql(session):
    asked = text(
        "select distinct on (word) word, spelling, similarity(word, spelling) as near"
        " from unnest(cast(:words as text[])) as word, library_entry"
        " cross join unnest(string_to_array(vocabulary, ' ')) as spelling"
        ' order by word, near desc, spelling collate "C"'
    )
    nearest = session.execute(asked, {"words": list(WORDS)}).all()
    corrections = {word: spelling for word, spelling, near in nearest if near >= NEAR and word != spelling}
    assert {"livelok", "shrink_lruvc"} <= corrections.keys()
    assert near_spellings(session, WORDS) == corrections


def test_a_new_text_is_searchable_at_once(session):
    assert near_spellings(session, ["quixotic_lok"]) == {}
    shipped = documents.of_signature(library.catalog().signatures[0])
    index.put(session, replace(shipped, kind="story", key="1", vocabulary="quixotic_lock"))
    assert near_spellings(session, ["quixotic_lok"]) == {"quixotic_lok": "quixotic_lock"}
