"""Traits and pairs of generated cases, and what it costs to find the pairs of a case that is judged."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import select, text

from backend.models.case_pair import CaseTraits
from backend.search import pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection
    from sqlalchemy.orm import Session, sessionmaker

JUDGED = 60
"""Cases whose pairs are found."""

TRAITS = """
    insert into case_traits (case_id, digest, traits)
    select case_id, number, (
        select jsonb_object_agg(trait, weight) from (
            select 'class:' || seed.place as trait, 1.0 as weight
            union all
            select 'signature:' || seed.signature, 1.0 where seed.signature <> ''
            union all
            select 'function:' || name, 0.8 from bench_function
            where place in (
                select bench_zipf(bench_chance(number, 200 + k), :functions) from generate_series(1, 10) k
            )
            union all
            select 'statement:' || word, 1.0 from (
                select distinct bench_zipf(bench_chance(number, 300 + k), 300) as word
                from generate_series(1, 12) k
            ) as words
        ) as shown
    )
    from case_search join bench_seed seed on seed.place = bench_zipf(bench_chance(number, 1), :seeds)
    where number between :first and :last;
    insert into trait_posting (case_id, token, audience)
    select case_traits.case_id, hashtextextended(trait, 0), audience
    from case_traits join case_search using (case_id) cross join lateral jsonb_object_keys(traits) as trait
    where number between :first and :last and (trait not like 'statement:%' or hashtext(trait) % 3 = 0)
    on conflict do nothing;
    insert into case_pair (case_id, other_id, other_digest, share)
    select own.case_id, near.case_id, near.number, 0.9
    from case_search own cross join lateral (
        select other.case_id, other.number from case_search other
        where other.problem = own.problem and other.created_at < own.created_at
        order by other.created_at desc limit 20
    ) as near
    where own.number between :first and :last and own.problem <> ''
"""


def add_pairs(connection: Connection, parameters: dict[str, int]) -> None:
    """Give the cases `first` to `last` traits, and each pairs with up to 20 cases of the same problem."""
    for statement in TRAITS.split(";\n"):
        connection.execute(text(statement), parameters)


def finding_ms(sessions: sessionmaker[Session]) -> Iterator[float]:
    """Yield the milliseconds that it takes to find the pairs of each of some cases."""
    with sessions() as session:
        query = select(CaseTraits.case_id, CaseTraits.traits).order_by(CaseTraits.digest).limit(JUDGED)
        for case_id, traits in session.execute(query).all():
            began = time.perf_counter()
            pairs.find(session, case_id, traits)
            yield (time.perf_counter() - began) * 1000
