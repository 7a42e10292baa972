"""Formats whose readers a general engine replaces keep their names in stored readings and links."""

from __future__ import annotations

import pytest

from backend.evidence.titles import title_of
from ingest.evidence import read_file
from ingest.format_versions import version_of_format
from ingest.former_formats import former_formats
from ingest.readers import DOCUMENTS, FILES, FORMATS
from tests.ingest.samples import DATA

READERS = {one.NAME for one in FORMATS} | {one.NAME for one in FILES} | {one.NAME for one in DOCUMENTS}


@pytest.mark.parametrize("former", former_formats(), ids=lambda one: one.name)
def test_a_stored_reading_has_its_title_and_is_read_again_as_text(former):
    assert former.name not in READERS
    assert title_of(former.name) == former.title
    assert version_of_format(former.name) == version_of_format("text")
    samples = sorted((DATA / "text").glob(f"{former.name}.*"))
    assert samples
    for sample in samples:
        names = {rows.name for one in read_file(sample).sections for rows in one.reading.row_sets}
        assert former.rows in names, sample.name
