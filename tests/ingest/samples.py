"""Committed samples, read as their format reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ingest import fact_catalogue
from ingest.evidence import read_file
from ingest.model.profile import ROOT
from ingest.model.section import Text
from ingest.readers import DOCUMENTS, FILES, FORMATS

DATA = Path(__file__).parents[1] / "data"


def samples_of(format_name: str) -> list[Path]:
    """Return the samples of a format by name: all files below its folder but the note of their origin."""
    found = sorted((DATA / format_name).rglob("*"))
    return [path for path in found if path.is_file() and path.name != "PROVENANCE.md"]


def lines_of(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines()


def read(reader, name: str, **context):
    """Read the sample `name` (below tests/data) with one format."""
    return reader.read(Text(lines_of(name), **context))


def whole(name: str):
    """Read the sample `name` as evidence and return its only reading."""
    (section,) = read_file(DATA / name).sections
    return section.reading


def leaf_first(profile, sample: int) -> list[str]:
    """Return the functions of one sample's stack, innermost first."""
    node, names = int(profile.sample_node[sample]), []
    while node != ROOT:
        names.append(profile.frames[profile.node_frame[node]].name)
        node = int(profile.node_parent[node])
    return names


def values(reading, **labels):
    """Return fact values by name, of facts with exactly these labels."""
    return {fact.name: fact.value for fact in reading.facts if dict(fact.labels) == labels}


def rows(reading, name: str):
    (found,) = [row_set for row_set in reading.row_sets if row_set.name == name]
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def stacks(profile):
    """Return (outermost first, weight) of every sample."""
    stacks_of = []
    for leaf, weight in zip(profile.sample_node.tolist(), profile.sample_weight.tolist(), strict=True):
        names, node = [], leaf
        while node >= 0:
            names.append(profile.frames[profile.node_frame[node]].name)
            node = int(profile.node_parent[node])
        stacks_of.append((names[::-1], weight))
    return stacks_of


def reader_of(format_name: str):
    """Return the reader of a format, of which a test may replace a function."""
    every: tuple[Any, ...] = (*FILES, *FORMATS, *DOCUMENTS)
    return next(one for one in every if format_name == one.NAME)


def catalogue_mistakes(format_name: str, fact) -> set[str]:
    """Return what the catalogue of facts does not say about a fact that a format reads."""
    entry = fact_catalogue.find(fact.name)
    if entry is None:
        return {f"{fact.name}: not there"}
    wrong = {f"{fact.name}: label {label}" for label in fact.labels if label not in entry.labels}
    wrong |= {
        f"{fact.name}: label {name} is no text" for name, one in fact.labels.items() if type(one) is not str
    }
    if fact_catalogue.type_of(fact.value) not in entry.types:
        wrong.add(f"{fact.name}: a {fact_catalogue.type_of(fact.value)}")
    if fact.unit and fact.unit not in entry.units:
        wrong.add(f"{fact.name}: unit {fact.unit}")
    if format_name not in entry.formats:
        wrong.add(f"{fact.name}: read by {format_name}")
    return wrong
