"""Index rows of real evidence: the fixtures of the library, by the code that indexes cases."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from backend.search.words import PAIR, STRONG, lexemes_of, line_lexemes, pairs_of, stem_of, value_of, words_of
from signatures.document.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINES = 400
MAX_BYTES = 200_000
LIBRARY = Path("signatures/library")


class Seed(NamedTuple):
    """A fixture: what is found in it, its finding, "" for none, and what is found once that is fixed."""

    signature: str
    title: str
    terms: list[str]
    fix_terms: list[str]


def seeds() -> list[Seed]:
    """Return one seed for each fixture of the library with text."""
    signatures = {one.id: one for one in load_catalog().signatures}
    found = []
    for folder in sorted(LIBRARY.glob("*/*/evidence/*")):
        signature = signatures.get(f"{folder.parts[2]}/{folder.parts[3]}")
        if signature is None or not folder.is_dir():
            continue
        is_positive = folder.name.startswith("pos-")
        lines = list(_lines(folder))
        if lines:
            terms = set(line_lexemes(lines))
            if is_positive:
                area, _, name = signature.id.partition("/")
                terms |= {one for word in lexemes_of(signature.title) for one in (word, STRONG + word)}
                terms |= {PAIR + pair for pair in pairs_of(signature.title)}
                terms |= {
                    value_of("finding", one) for one in (signature.id, name, area, f"{signature.id}/match")
                }
                terms |= {value_of("problem", signature.id), value_of("verdict", "match")}
            fix = str(signature.fixes[0]["title"]) if is_positive and signature.fixes else ""
            fix_terms = sorted({value_of("fix", stem_of(word)) for word in words_of(fix)})
            found.append(Seed(signature.id if is_positive else "", signature.title, sorted(terms), fix_terms))
    return found


def functions() -> list[tuple[str, int]]:
    """Return functions of the fixtures with the number of fixtures that name them, by frequency."""
    counts: Counter[str] = Counter()
    for seed in seeds():
        counts.update(term for term in seed.terms if term.isascii() and "_" in term and term.isidentifier())
    return counts.most_common(3000)


def _lines(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if (
            path.is_file()
            and path.name not in {"expect.yaml", "PROVENANCE.md"}
            and path.stat().st_size < MAX_BYTES
        ):
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                continue
            yield from (line[:MAX_LINES] for line in text.splitlines()[:MAX_LINES])
