"""What committed evidence holds is described: facts in the catalogue, the rest on the page of formats."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ingest.evidence import read_paths
from tests.ingest.samples import catalogue_mistakes
from tests.signatures.evidence import DATA, fixtures, read_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.evidence import Evidence, Section


def _sections(evidence: Evidence) -> Iterator[Section]:
    yield from evidence.sections
    for member in evidence.members:
        yield from _sections(member)


OF_RELEASES = "releases"
"""The folder of databases, backups and a wheel, which are no evidence; reading them takes 24 CPU seconds."""


class Committed(NamedTuple):
    """What all committed evidence holds."""

    mistakes: set[str]
    facts: set[str]
    documented: set[str]


@pytest.fixture(scope="module")
def committed() -> Committed:
    """Read all committed evidence once; that of the library is read for the other tests of it, too."""
    found = Committed(set(), set(), set())
    of_library = chain.from_iterable(read_folder(folder) for _, folder, *_ in fixtures())
    others = [folder for folder in sorted(DATA.iterdir()) if folder.name != OF_RELEASES]
    for evidence in chain(of_library, read_paths(others)):
        for section in _sections(evidence):
            reading = section.reading
            # Of facts with the same name, type, unit and labels the catalogue says the same.
            alike = {(one.name, type(one.value), one.unit, *sorted(one.labels)): one for one in reading.facts}
            for fact in alike.values():
                found.mistakes.update(catalogue_mistakes(section.format, fact))
                found.facts.add(fact.name)
            found.documented.update(rows.name for rows in reading.row_sets if ":" not in rows.name)
            found.documented.update(record.kind for record in reading.log_records)
            found.documented.update(reading.quality_names)
    return found


def test_every_fact_is_in_the_catalogue_with_its_type_unit_labels_and_format(committed: Committed):
    assert sorted(committed.mistakes) == []
    assert len(committed.facts) > 1000


def test_every_row_set_kind_of_record_and_quality_is_documented(committed: Committed):
    page = Path("docs/formats.md").read_text()
    assert committed.documented
    assert [name for name in sorted(committed.documented) if f"`{name}`" not in page] == []
