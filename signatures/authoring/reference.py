"""Generated tables of `docs/signatures.md`.

`make generate-signatures` writes them between `<!-- made: NAME -->` and `<!-- end -->`; a test compares them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ingest.frames.aliases import all_aliases
from ingest.generated_parts import with_parts
from signatures.authoring.exports import EXPORTS, exports_of
from signatures.authoring.node_problem_export import messages_of
from signatures.language.kernel_releases import ECOSYSTEMS, example_of

if TYPE_CHECKING:
    from signatures.language.model import Catalog


def written(page: str, catalog: Catalog) -> str:
    """Return the page with regenerated tables."""
    parts = {
        "library": _library(catalog),
        "captures": _captures(catalog),
        "aliases": _aliases(),
        "exports": _exports(catalog),
        "releases": _releases(),
    }
    return with_parts(page, parts)


def _library(catalog: Catalog) -> str:
    rows = [f"| `{one.id}` | {one.title} | {one.severity} | {one.status} |" for one in catalog.signatures]
    return "\n".join(["| id | what | severity | status |", "| --- | --- | --- | --- |", *rows, ""])


def _captures(catalog: Catalog) -> str:
    rows = [
        f"| `{one.name}` | {one.title} | {one.cost} | {', '.join(one.needs) or '–'} |"
        for one in catalog.captures
    ]
    return "\n".join(["| capture | what | cost | needs |", "| --- | --- | --- | --- |", *rows, ""])


def _aliases() -> str:
    rows = [
        f"| `@{name}` | {', '.join(f'`{frame}`' for frame in frames[:4])}{' …' if len(frames) > 4 else ''} |"
        for name, frames in sorted(all_aliases().items())
    ]
    return "\n".join(["| set | functions |", "| --- | --- |", *rows, ""])


def _exports(catalog: Catalog) -> str:
    made = Counter(name for one in catalog.signatures for name in exports_of(one))
    patterns = sum(len(messages_of(one)) for one in catalog.signatures)
    rows = [f"| `{name}` | {export.title} | {made[name]} |" for name, export in EXPORTS.items()]
    count = len(catalog.signatures)
    head = f"Signatures that have an export, of {count}; their log monitors have {patterns} patterns:\n"
    return "\n".join([head, "| export | what | signatures |", "| --- | --- | --- |", *rows, ""])


def _releases() -> str:
    shown = {name: f"`{example_of(name)}`" for name in ECOSYSTEMS if example_of(name)}
    rows = [f"| `{name}` | {shown.get(name, 'any text; displayed, not judged')} |" for name in ECOSYSTEMS]
    return "\n".join(["| ecosystem | a release |", "| --- | --- |", *rows, ""])
