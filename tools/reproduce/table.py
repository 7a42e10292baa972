"""What the scenarios recorded, as a page: `python -m tools.reproduce --table`, benchmarks/REPRODUCERS.md.

A recording is a fixture of a signature with positive evidence whose provenance names the virtual machine.
`not_shown.yaml` says of a pathology of a published story without one what was tried, and what limits it.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from signatures.document.catalog import load_catalog
from signatures.document.files import LIBRARY
from tools.reproduce import scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.language.model import Catalog, Signature

NOT_SHOWN = Path(__file__).with_name("not_shown.yaml")

_ABOUT = {"PROVENANCE.md", "expect.yaml"}
_VERDICTS = {"match": "match", "suspect": "suspected", "no_match": "not matched"}
_HEAD = """\
# Reproducers

Written by `make generate-signatures`. `make reproduce SIGNATURE=…` runs a scenario and prints the verdict.
Each is limited: it runs in a guest of qemu without KVM, without a network, with no disk of the host but a
file of 64 MB for the evidence, and with the memory and CPUs that the table names; the guest is ended after
so many seconds. No command of a scenario touches the host. *Evidence* is what is kept of a recording and
judged by the tests; how it was recorded, and what else was tried, is in [RECORDINGS.md](RECORDINGS.md).
"""
_COLUMNS = """\
| pathology | scenario | kernel | evidence recorded | verdict | guard |
| --- | --- | --- | --- | --- | --- |
"""


def written() -> str:
    """Return the page."""
    return "".join(_lines(load_catalog()))


def stories(catalog: Catalog) -> list[tuple[str, Signature]]:
    """Return the published stories that the library began with, and the signatures that each tells of."""
    found = [
        (reference["title"], one)
        for one in catalog.signatures
        for reference in one.references
        if reference["kind"] == "article"
    ]
    return sorted(found, key=lambda pair: (pair[0], pair[1].id))


def recordings(signature: str) -> list[Path]:
    """Return the folders of what scenarios recorded of a signature."""
    folders = [path.parent for path in (LIBRARY / signature / "evidence").glob("pos-*/PROVENANCE.md")]
    return sorted(folder for folder in folders if "virtual machine" in (folder / "PROVENANCE.md").read_text())


def not_shown() -> dict[str, str]:
    """Return what was tried and what limits it, by signature."""
    return yaml.safe_load(NOT_SHOWN.read_text(encoding="utf-8"))


def _lines(catalog: Catalog) -> Iterator[str]:
    yield f"{_HEAD}\n## The published stories\n"
    told = stories(catalog)
    for story, pairs in groupby(told, key=lambda pair: pair[0]):
        yield f"\n### {story}\n\n{_COLUMNS}"
        for _, one in pairs:
            yield _row(one)
    yield f"\n## Other scenarios\n\n{_COLUMNS}"
    of_stories = {one.id for _, one in told}
    for name in scenario.names():
        if name not in of_stories:
            yield _row(catalog.get(name))


def _row(one: Signature) -> str:
    kept = recordings(one.id)
    chosen = scenario.load(one.id) if one.id in scenario.names() else None
    title = kernel = guard = "–"
    if chosen:
        title, kernel = chosen.title, chosen.kernel
        guard = f"{chosen.memory_mb:,} MB, {chosen.cpus} CPUs, {chosen.seconds:,} s"
    evidence = "; ".join(f"`{folder.name}`: {', '.join(_files(folder))}" for folder in kept) or "none"
    verdict = ", ".join(dict.fromkeys(_verdict(folder) for folder in kept))
    if reason := not_shown().get(one.id):
        verdict = f"{verdict or 'not shown'}: {reason}"
    return f"| `{one.id}`: {one.title} | {title} | {kernel} | {evidence} | {verdict} | {guard} |\n"


def _files(folder: Path) -> list[str]:
    return sorted(path.name.removesuffix(".gz") for path in folder.iterdir() if path.name not in _ABOUT)


def _verdict(folder: Path) -> str:
    expected = yaml.safe_load((folder / "expect.yaml").read_text(encoding="utf-8"))
    return _VERDICTS[expected["verdict"]]
