"""What is made of text that no format knows."""

from __future__ import annotations

from pathlib import Path

from ingest.formats import text
from ingest.reading import Reading
from ingest.registry import Text

DATA = Path(__file__).parents[2] / "data" / "text"


def test_a_log_line_of_an_application_is_kept_and_not_interpreted():
    lines = (DATA / "app-log.memcached.txt").read_text().splitlines()
    assert text.continues(lines[0])
    assert text.read(Text(lines)) == Reading()
