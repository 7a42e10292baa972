"""The search index holds the shipped library, is synchronised at every start, and skips unchanged entries."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select, update

from backend.findings import library
from backend.library import documents, index
from backend.library.recognise import recognise
from backend.models.library_entry import LibraryEntry
from ingest.readers.perf import perf_table


def signature(name: str):
    found = library.catalog().get(name)
    assert found is not None
    return found


def entry(session, key: str) -> LibraryEntry:
    return session.scalars(select(LibraryEntry).where(LibraryEntry.key == key)).one()


def test_every_signature_is_an_entry_and_filling_again_writes_nothing(session):
    shipped = {one.id for one in library.catalog().signatures}
    assert index.fill_session(session) == len(shipped)
    assert set(session.scalars(select(LibraryEntry.key))) == shipped
    before = dict(session.execute(select(LibraryEntry.key, LibraryEntry.id)).all())
    assert index.fill_session(session) == 0
    assert dict(session.execute(select(LibraryEntry.key, LibraryEntry.id)).all()) == before


def test_changed_entries_are_updated_and_removed_ones_deleted(session):
    index.fill_session(session)
    session.execute(
        update(LibraryEntry).where(LibraryEntry.key == "mm/memcg-oom").values(digest="", title="")
    )
    retired = replace(signature("mm/memcg-oom"), id="mm/of-yesterday")
    index.put(session, documents.of_signature(retired))
    assert index.fill_session(session) == 1
    assert entry(session, "mm/memcg-oom").title == signature("mm/memcg-oom").title
    assert session.scalar(select(LibraryEntry.id).where(LibraryEntry.key == "mm/of-yesterday")) is None


def test_stories_stay_when_the_library_is_filled(session):
    story = replace(documents.of_signature(signature("mm/memcg-oom")), kind="story", key="a-night")
    index.put(session, story)
    index.fill_session(session)
    assert entry(session, "a-night").kind == "story"
    index.remove(session, "story", "a-night")
    index.remove(session, "story", "a-night")
    assert session.scalar(select(LibraryEntry.id).where(LibraryEntry.key == "a-night")) is None


def test_entry_functions_come_from_supporting_conditions():
    frames = set(documents.frames_of(signature("mm/shrink-lruvec-livelock")))
    assert {"shrink_lruvec", "lru_note_cost", "try_to_free_mem_cgroup_pages"} <= frames
    assert not any("*" in name for name in frames)
    rivals = set(documents.frames_of(signature("mm/memcg-stat-show-stall")))
    assert "cgroup_rstat_flush_locked" not in rivals


def test_indexed_text_of_a_story_omits_diagrams():
    document = documents.of_signature(signature("mm/memcg-oom"))
    assert document.headline == "Killed with twenty gigabytes free"
    assert "flowchart" not in document.body
    assert "task_memcg" in document.body
    assert "```" not in document.body
    assert "**" not in document.body


def test_markdown_is_indexed_as_plain_text():
    text = (
        "# A night\n\nSee [the *patch*](https://example.org/) and `memcg_stat_show`.\n\n```sh\nps aux\n```\n"
    )
    assert documents.plain(text) == "A night\n\nSee the patch and memcg_stat_show.\n\nps aux"
    assert documents.headings_of(text) == ["A night"]
    assert documents.functions_in(text) == ["memcg_stat_show"]


def test_formats_have_the_titles_of_their_readers(app_settings):
    pasted = "    64.28%  [kernel]       [k] shrink_lruvec\n    28.81%  [kernel]       [k] lru_note_cost\n"
    (piece,) = recognise(app_settings, pasted).pieces
    assert (piece.format, piece.title) == (perf_table.NAME, perf_table.TITLE)


def test_plain_text_drops_markup_and_keeps_code():
    text = (
        "## What *hangs* ##\n\n> It reads `/proc/<pid>/cmdline`,\n> and `__mutex_lock` *waits*.\n\n"
        "```mermaid\na --> b\n```\n\n```\nps | grep -c _D_\n```\n\n| a | [b](http://c) |\n"
    )
    assert documents.plain(text).split("\n\n") == [
        "What hangs",
        "It reads /proc/<pid>/cmdline, and __mutex_lock waits.",
        "ps | grep -c _D_",
        "a b",
    ]
