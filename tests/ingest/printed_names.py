"""Generate the names that each format prints, of its samples: `ingest/catalogue/printed_names.yaml`.

The same names are looked for in text that no format reads (`ingest.nearest_format`).
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from ingest import catalogue
from ingest.evidence import read_file
from ingest.former_formats import former_formats
from ingest.nearest_format import plain_name
from ingest.readers.logs import text
from ingest.readers.logs.text.shape import names_in
from tests.ingest.golden import CAPTURED, SAMPLES, captured_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PAGE = Path(catalogue.__file__).parent / "printed_names.yaml"
HEAD = """\
# The names that each format prints as columns and keys, in lower case, the most frequent first; generated
# from its samples (`python -m tests.ingest.golden`). Text of no known format is compared with them.
"""
MOST_LINES = 400
MOST_NAMES = 100
LARGEST = 1 << 20


def printed_names(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Return the names of each format in these samples."""
    found: dict[str, Counter[str]] = {}
    for path in paths:
        for name, words in _of(path):
            found.setdefault(name, Counter()).update(set(words))
    return {name: _commonest(found[name]) for name in sorted(found)}


def _commonest(counted: Counter[str]) -> list[str]:
    return [word for word, _ in sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:MOST_NAMES]]


def _of(path: Path) -> Iterator[tuple[str, list[str]]]:
    if path.stat().st_size > LARGEST:
        return
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return
    former = next((one.name for one in former_formats() if path.name.startswith(f"{one.name}.")), "")
    for section in read_file(path, captured_path=captured_path(path)).sections:
        name = former if section.format == text.NAME else section.format
        if name:
            shown = lines[section.first_line - 1 : section.last_line][:MOST_LINES]
            words = list(filter(None, map(plain_name, names_in(shown))))
            if words:
                yield name, words


def page() -> str:
    """Return the generated file."""
    names = printed_names([*SAMPLES, *CAPTURED])
    rows = "".join(
        f"{name}: {yaml.safe_dump(words, default_flow_style=True, width=10**6)}"
        for name, words in names.items()
    )
    return f"{HEAD}{rows}"


def write() -> None:
    """Write the generated file."""
    PAGE.write_text(page(), encoding="utf-8")
