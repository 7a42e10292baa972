"""Writing the catalogue: `make message-catalogue CACHE=DIR [CORPUS=DIR]`.

--cache DIR    archives, and the messages found in them; outside of the repository
--corpus DIR   logs of services and text, to count words in; without it the committed counts are used
--output FILE  the catalogue; ingest/native/src/messages/catalogue.bin by default
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from tools.message_catalogue.bits import Counts, pairs_of
from tools.message_catalogue.catalogue import catalogue_of
from tools.message_catalogue.extraction import Source, extracted
from tools.message_catalogue.fetching import archive_of
from tools.message_catalogue.pack import packed
from tools.message_catalogue.text_corpus import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools.message_catalogue.catalogue import Entry
    from tools.message_catalogue.extraction import Extracted

HERE = Path(__file__).parent
OUTPUT = HERE.parents[1] / "ingest" / "native" / "src" / "messages" / "catalogue.bin"
COUNTS = HERE / "user_space_counts.json.gz"

LEAST_BITS = 12
"""A warning or error of fewer bits tells nothing, not even inside of a kernel log."""

LEAST_BITS_OF_NOTICES = 22
"""There are too many to keep them all, and their place matters less."""

_WARNINGS = 0b11111


def sources() -> list[Source]:
    """Return the source packages, the oldest first."""
    rows = yaml.safe_load((HERE / "sources.yaml").read_text(encoding="utf-8"))
    return [_source(**row) for row in rows]


def _source(name: str, release: str, kind: str, archive: str, folders: Iterable[str] = ()) -> Source:
    url, _, digest = archive.partition("@sha256:")
    return Source(name, release, kind, url, digest, tuple(folders))


def main() -> None:
    """Write the catalogue, and print how large it is."""
    parser = argparse.ArgumentParser(prog="python -m tools.message_catalogue")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--only", nargs="*", default=())
    given = parser.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)
    wanted = [one for one in sources() if not given.only or one.name in given.only]
    catalogue = catalogue_of(_all(wanted, given.cache))
    vocabulary = {word for entry in catalogue.entries for word in entry.words}
    if given.corpus:
        Counts.of(lines_of(given.corpus), vocabulary, pairs_of(catalogue.entries)).save(COUNTS)
    counts = Counts.load(COUNTS)
    bits = {number: counts.bits(entry) for number, entry in enumerate(catalogue.entries)}
    kept = {number: own for number, own in bits.items() if own >= _least(catalogue.entries[number])}
    about = {"sources": [{"release": one.release, "kind": one.kind} for one in wanted]}
    data = packed(catalogue, kept, about)
    given.output.write_bytes(data)
    sizes = Counter(own // 8 * 8 for own in bits.values())
    sys.stdout.write(
        f"{len(bits)} messages, {len(kept)} kept, {len(data):,} bytes; by bits: {sorted(sizes.items())}\n"
    )


def _least(entry: Entry) -> int:
    return LEAST_BITS if entry.levels & _WARNINGS else LEAST_BITS_OF_NOTICES


def _all(wanted: list[Source], cache: Path) -> Iterator[tuple[Source, Extracted]]:
    for source in wanted:
        found = extracted(source, archive_of(source, cache), cache)
        sys.stdout.write(f"{source.name}: {len(found.messages)} calls\n")
        yield source, found


if __name__ == "__main__":
    main()
