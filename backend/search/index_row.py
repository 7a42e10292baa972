"""The index row of a case: written as the case, its findings, notes or labels change."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Text as SqlText
from sqlalchemy import cast, delete, func, literal
from sqlalchemy.dialects.postgresql import ARRAY, insert

from backend.core.db.base import clean_text
from backend.models.case_search import CaseNumber, CaseSearch
from backend.search import pairs, queries_problems
from backend.search.clusters import cluster_of, is_cluster
from backend.search.fields import COUNTED
from backend.search.queries_content import content_of
from backend.search.words import (
    NUMBER,
    PAIR,
    STRONG,
    facet_of,
    lexemes_of,
    line_lexemes,
    pairs_of,
    stem_of,
    value_of,
    words_of,
)
from signatures.document.catalog import load_catalog
from signatures.judging.observe import conditions_of
from signatures.language.kernel_families import kernel_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.models.case import Case
    from backend.search.queries_content import Content

HEAVY_WEIGHT = 0.05
"""From this weight on a function is one of the heaviest."""
WORD_FUNCTIONS = 200
MAX_FACETS = 60
MAX_LEXEMES = 20_000
MAX_STATEMENTS = 60
MAX_LEXEME_BYTES = 400
NONE = "none"


def refresh(session: Session, case_id: UUID) -> Case | None:
    """Write the index row of a case, its numbers and its pairs, as of this transaction.

    Returns:
        The case if all of its evidence is judged.

    The caller holds the lock of the derived rows of the case (`backend.core.derived_rows`).
    """
    content = content_of(session, case_id)
    if content is None:
        return None
    case, is_settled = content.case, _is_settled(content)
    queries_problems.hold_shared(session)
    problems = problems_of(content)
    cluster = problems[0] if problems and is_cluster(problems[0]) else ""
    if cluster:
        problems = [queries_problems.problem_of(session, case_id, cluster)]
    values = list(dict.fromkeys(values_of(content, problems)))
    lexemes = {one for one in _lexemes(content) if len(one.encode()) <= MAX_LEXEME_BYTES}
    terms = sorted({value_of(field, value) for field, value in values} | set(sorted(lexemes)[:MAX_LEXEMES]))
    facets = [
        facet_of(field, value) for field, value in values if field in COUNTED and _is_facet(field, value)
    ]
    row = {
        "number": case.number,
        "audience": case.audience,
        "owner_id": case.owner_id,
        "created_at": case.created_at,
        "updated_at": case.updated_at,
        "problem": problems[0] if problems else "",
        "cluster": cluster,
        "facets": [clean_text(facet) for facet in facets[:MAX_FACETS]],
        "terms": func.array_to_tsvector(
            cast(literal([clean_text(one) for one in terms], ARRAY(SqlText)), ARRAY(SqlText))
        ),
        "settled_at": func.now() if is_settled else None,
    }
    written = insert(CaseSearch).values(case_id=case_id, **row)
    replaced = {name: written.excluded[name] for name in row}
    session.execute(written.on_conflict_do_update(index_elements=["case_id"], set_=replaced))
    _write_numbers(session, content)
    pairs.refresh(session, content)
    return case if is_settled else None


def _is_settled(content: Content) -> bool:
    """Return whether all evidence is judged."""
    case = content.case
    return case.judged_rev == case.evidence_rev and (case.evidence_rev > 0 or not content.files)


def problems_of(content: Content) -> list[str]:
    """Return the signatures that match, else the cluster of the case."""
    matching = list(dict.fromkeys(one for one, _, verdict in content.findings if verdict == "match"))
    if matching:
        headline = content.case.headline
        first = headline.signature if headline else ""
        return sorted(matching, key=lambda one: one != first)
    cluster = cluster_of(content)
    return [cluster] if cluster else []


def values_of(content: Content, problems: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the values of fields of a case."""
    case = content.case
    yield from (("problem", one) for one in problems)
    for signature, _, verdict in content.findings:
        area, _, name = signature.partition("/")
        yield from (
            ("finding", one) for one in (signature, f"{signature}/{verdict}", name or signature, area)
        )
        yield "verdict", verdict
    yield from (("host", host) for host in content.hosts)
    yield from _kernels(content)
    yield "severity", case.severity or NONE
    yield "status", case.status.value
    yield "status", case.state
    yield from (("tag", tag) for tag in case.tags)
    yield "owner", content.owner or NONE
    yield "team", content.team or NONE
    for signature, opinion in content.labels:
        yield from (("label", one) for one in (opinion, f"{signature}/{opinion}"))
    yield from (("class", one) for one in content.classes)
    for name, weight in content.functions:
        yield "frame", name
        if weight >= HEAVY_WEIGHT:
            yield "function", name
    for signature in case.cleared:
        yield from (("cleared", one) for one in (signature, signature.rpartition("/")[2]))
    for path in content.files:
        yield from (("file", one) for one in {path, path.rpartition("/")[2]})
    yield from (("fix", stem_of(word)) for word in words_of(case.fix))
    yield from _facts(content)


def _lexemes(content: Content) -> Iterator[str]:
    case = content.case
    yield f"{NUMBER}{case.number}"
    yield f"{STRONG}{NUMBER}{case.number}"
    for text in _strong_texts(content):
        yield from _of_text(text)
        yield from (STRONG + one for one in lexemes_of(text))
    for text in _texts(content):
        yield from _of_text(text)
    yield from line_lexemes(content.lines)
    yield from (name.lower() for name, _ in content.functions[:WORD_FUNCTIONS])


def _strong_texts(content: Content) -> Iterator[str]:
    case = content.case
    yield case.title
    yield from content.hosts
    if case.headline is not None:
        yield from (case.headline.title, case.headline.text)
    for signature, title, verdict in content.findings:
        if verdict == "match":
            yield from (title, signature, *_names_of_signatures().get(signature, ()))


def _texts(content: Content) -> Iterator[str]:
    case = content.case
    yield from (case.cause, case.fix, case.cause_signature)
    yield from content.notes
    yield from content.files
    yield from content.classes
    yield from content.log_values
    for signature, title, _ in content.findings:
        yield from (title, signature, *_names_of_signatures().get(signature, ()))
        yield from _symptoms().get(signature, ())
    for alarm in case.alarms:
        yield from (alarm.title, alarm.headline)
    if content.overview is not None:
        yield content.overview.headline.text
        yield from (one.text for one in content.overview.statements[:MAX_STATEMENTS])
    yield from (one.sentence for graph in content.waits for one in graph.roots)
    yield from (name for graph in content.waits for node in graph.nodes for name in node.frames)


def _of_text(text: str) -> Iterator[str]:
    yield from lexemes_of(text)
    yield from (PAIR + pair for pair in pairs_of(text))


def _kernels(content: Content) -> Iterator[tuple[str, str]]:
    texts = {fact.name: fact.texts or [] for fact in content.facts}
    for release in texts.get("kernel.release", ()):
        yield "kernel", release
        yield from (("kernel", release[: found.start()]) for found in re.finditer(r"[-.+]", release))
        kernel = kernel_of(release)
        if kernel is not None and kernel.ecosystem not in {"local", "kernel.org"}:
            yield "distro", kernel.ecosystem
    for name in ("os.id", "os.pretty_name"):
        yield from (("distro", one) for one in texts.get(name, ()))


def _facts(content: Content) -> Iterator[tuple[str, str]]:
    """Yield names and texts of the facts that signatures ask for."""
    used = used_facts()
    for fact in content.facts:
        if fact.name in used:
            yield "fact", fact.name
            yield from (("fact", f"{fact.name}={text}") for text in (fact.texts or [])[:20])


def _write_numbers(session: Session, content: Content) -> None:
    case_id, used = content.case.id, used_facts()
    rows = [
        {"case_id": case_id, "name": fact.name, "least": fact.least, "greatest": fact.greatest}
        for fact in content.facts
        if fact.least is not None and fact.name in used
    ]
    if content.has_numbers:
        session.execute(
            delete(CaseNumber).where(
                CaseNumber.case_id == case_id, CaseNumber.name.not_in([row["name"] for row in rows])
            )
        )
    if rows:
        written = insert(CaseNumber)
        values = {name: written.excluded[name] for name in ("least", "greatest")}
        session.execute(written.on_conflict_do_update(index_elements=["case_id", "name"], set_=values), rows)


def _is_facet(field: str, value: str) -> bool:
    """Return whether facets count a value: of findings whole ids, of kernels the series."""
    if field == "status":
        return value not in {"open", "closed"}
    if field in {"finding", "label"}:
        return value.count("/") == (1 if field == "finding" else 0)
    return field != "kernel" or (value.count(".") == 1 and "-" not in value)


@cache
def used_facts() -> frozenset[str]:
    """Return the facts that conditions of signatures ask for, and those of kernels and distributions."""
    conditions = (
        condition
        for signature in load_catalog().signatures
        for clause in signature.clauses
        for condition in conditions_of(clause.test)
    )
    named = {name for condition in conditions for name in condition.fact_names}
    return frozenset(named | {"kernel.release", "os.id", "os.version_id", "os.pretty_name"})


@cache
def _names_of_signatures() -> dict[str, tuple[str, ...]]:
    """Return title and other names of each signature."""
    return {one.id: (one.title, *one.aliases) for one in load_catalog().signatures}


@cache
def _symptoms() -> dict[str, tuple[str, ...]]:
    """Return the symptoms of each signature, in the words of those who see them."""
    return {one.id: tuple(one.symptoms) for one in load_catalog().signatures}
