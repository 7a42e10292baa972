"""Candidates of similarity: cases within reach that share functions or facts; findings of the case."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from backend.cases import stored_findings
from backend.core.db.base import array_text
from signatures.documents.codec import wire_name
from signatures.judging.several_stacks import UNWEIGHED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.reach import Reach
    from backend.similarity.queries_cases import FactValue, Function
    from ingest.model.json_value import JsonObject
    from signatures.documents.finding import FindingDocument

_CANDIDATES = text("""
    with own as (
        select * from unnest(
            cast(:frames as bigint[]), cast(:shares as float[]), cast(:weights as float[]),
            cast(:rarities as float[])
        ) as own(frame_id, share, weight, rarity)
    ),
    counted as (
        select frame_id, audience, least(sum(cases), 4 * :each) as postings
        from (
            select frame_id, audience, cases from frame_count
            where frame_id = any(cast(:frames as bigint[])) and audience = any(:audiences)
            union all
            select frame_id, audience, change
            from frame_count_change cross join lateral unnest(frames) as frame_id
            where frame_id = any(cast(:frames as bigint[])) and audience = any(:audiences)
        ) as kept
        group by frame_id, audience
        having sum(cases) > 0
    ),
    list as (
        select own.*, counted.audience, counted.postings, row_number() over by_rarity as place,
            sum(counted.postings) over by_rarity as until
        from own join counted using (frame_id)
        window by_rarity as (
            order by own.rarity * own.weight desc, own.frame_id, counted.audience
            rows between unbounded preceding and current row
        )
    ),
    asked as materialized (
        select * from list where place <= :lists and until - postings < :postings
    ),
    posting as (
        select near.case_id, asked.rarity * least(asked.weight, near.weight) as score
        from asked cross join (values (true), (false)) as kind(has_weights)
        cross join lateral (
            (
                select case_id, weight from case_frame
                where frame_id = asked.frame_id and audience = asked.audience
                    and has_weights = kind.has_weights and total_share <= asked.share
                order by total_share desc, case_id desc limit :each
            )
            union all
            (
                select case_id, weight from case_frame
                where frame_id = asked.frame_id and audience = asked.audience
                    and has_weights = kind.has_weights and total_share > asked.share
                order by total_share, case_id limit :each
            )
        ) as near
        union all
        select case_frame.case_id, own.rarity * least(own.weight, case_frame.weight)
        from own
        -- All of these cases by the primary key: `offset` keeps their functions out of the condition.
        join (select * from case_frame where case_id = any(:single) offset 0) as case_frame using (frame_id)
    )
    select case_id from posting
    where case_id <> :own
    group by case_id order by sum(score) desc, case_id desc limit :most
""")

_SAME_FACTS = text("""
    with asked as (
        select hashtextextended(name || chr(31) || words, 0) as token
        from unnest(cast(:names as text[]), cast(:words as text[])) as asked(name, words)
    ),
    posting as (
        select recent.case_id
        from asked cross join unnest(cast(:audiences as uuid[])) as reached(audience)
        cross join lateral (
            select case_id from case_fact
            where case_fact.token = asked.token and case_fact.audience = reached.audience
            order by case_id desc limit :each
        ) as recent
        union all
        select case_fact.case_id
        from asked join case_fact on case_fact.token = asked.token and case_fact.case_id = any(:single)
    )
    select case_id from posting
    where case_id <> :own
    group by case_id order by count(*) desc, case_id desc limit :most
""")

NEAREST = 20
"""Cases read on each side of the share of each function, weighted and unweighted."""

MOST_LISTS, MOST_POSTINGS = 200, 2000
"""Limits of functions and postings read, most distinctive functions first."""

NEWEST = 80
"""Cases read of each fact."""

MOST_BY_FUNCTIONS, MOST_BY_FACTS = 32, 16
"""Maximum number of candidates to compare."""


def sharing_functions(
    session: Session,
    reach: Reach,
    case_id: UUID,
    functions: Mapping[int, Function],
    rare: Mapping[int, float],
) -> list[UUID]:
    """Return cases within `reach` sharing the most of `functions`, by weight and rarity.

    Cost is bounded: heavy and rare functions first, per audience, and for a common function only the cases
    with the closest shares. Single cases are compared by every function.
    """
    parameters = {
        "frames": array_text(functions),
        "shares": array_text(function.total_share for function in functions.values()),
        "weights": array_text(function.weight for function in functions.values()),
        "rarities": array_text(rare[frame] for frame in functions),
        "audiences": reach.audiences,
        "single": reach.cases,
        "own": case_id,
    }
    most = {"each": NEAREST, "lists": MOST_LISTS, "postings": MOST_POSTINGS, "most": MOST_BY_FUNCTIONS}
    return list(session.scalars(_CANDIDATES, parameters | most))


def sharing_facts(session: Session, reach: Reach, case_id: UUID, facts: Sequence[FactValue]) -> list[UUID]:
    """Return cases within `reach` with the most equal text facts, newest first."""
    texts = [(fact.name, fact.text) for fact in facts if fact.text is not None]
    parameters = {
        "names": [name for name, _ in texts],
        "words": [words for _, words in texts],
        "audiences": reach.audiences,
        "single": reach.cases,
        "own": case_id,
        "each": NEWEST,
        "most": MOST_BY_FACTS,
    }
    return list(session.scalars(_SAME_FACTS, parameters)) if texts else []


def findings_of(session: Session, case_id: UUID) -> list[FindingDocument]:
    """Return matches, suspected findings and those that a stack names, most certain first."""
    found = stored_findings.load(session, case_id, RECOGNISED)
    return sorted(found, key=lambda one: (one.verdict, -one.score))


def _is_recognised(document: JsonObject) -> bool:
    """Return whether a finding fires, or too few stacks show a required condition of an undecided one."""
    if document.get("verdict") != "unknown":
        return stored_findings.FIRED.is_chosen(document)
    conditions: Any = document.get(wire_name("conditions"), ())
    return any(
        one.get("role") == "core" and str(one.get("reason", "")).endswith(UNWEIGHED) for one in conditions
    )


RECOGNISED = stored_findings.Choice(
    (*stored_findings.FIRED.texts, f"{json.dumps(UNWEIGHED)[1:]}".encode()), _is_recognised
)
