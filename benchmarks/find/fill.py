"""Generated cases: each of a real fixture by a Zipf law, with a part of the words of a second one.

Hosts, functions and owners follow Zipf's law, too: the first of 5,000 hosts has one case in nine. Rows are
made by one statement from the number of the case: the same database each time. Nobody has taken three
cases in ten; a resolved one has the first fix of its signature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.orm import Session

from backend.models import Account, Role, Team
from benchmarks.find.pairs import add_pairs
from benchmarks.find.seeds import functions, seeds

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

HOSTS, OWNERS, TEAMS = 5_000, 200, 20

SETUP = """
    create or replace function bench_chance(n bigint, salt int) returns float language sql immutable as
        $$ select ((hashint8extended(n, salt) >> 11) & ((1::bigint << 52) - 1)) / (1::bigint << 52)::float $$;
    create or replace function bench_zipf(chance float, many int) returns int language sql immutable as
        $$ select least(many, floor(exp(chance * ln(many + 1)))::int) $$;
    create table bench_seed (place int primary key, signature text, title text, terms text[],
        fix_terms text[]);
    create table bench_function (place int primary key, name text);
"""

PEOPLE = """
    insert into team_member (team_id, account_id)
        select team.id, account.id from team join account
            on bench_chance(hashtext(account.name), hashtext(team.name)) < 0.15;
    create table bench_person as select row_number() over (order by name) as place, id, name from account;
    create table bench_team as select row_number() over (order by name) as place, id, name from team;
"""

CASES = """
    insert into "case" (id, title, status, severity, visibility, owner_id, team_id, headline, created_at,
        updated_at, evidence_rev, judged_rev, next_captures)
    select gen_random_uuid(), case when bench_chance(n, 9) < 0.5 then 'dmesg.txt' else seed.title end,
        case when bench_chance(n, 3) < 0.6 then 'resolved' else 'investigating' end,
        (array['critical', 'high', 'medium', 'low', null])[1 + floor(bench_chance(n, 4) * 5)::int],
        case when bench_chance(n, 5) < 0.9 then 'team' else 'restricted' end, person.id, team.id,
        jsonb_build_object('kind', 'match', 'text', seed.title, 'title', seed.title,
            'signature', seed.signature),
        now() - n * interval '4 minutes', now() - n * interval '4 minutes', 1, 1, '[]'
    from generate_series(cast(:first as int), cast(:last as int)) n
    join bench_seed seed on seed.place = bench_zipf(bench_chance(n, 1), :seeds)
    join bench_person person on person.place = bench_zipf(bench_chance(n, 6), :owners)
    left join bench_team team on bench_chance(n, 7) < 0.6
        and team.place = bench_zipf(bench_chance(n, 8), :teams);
"""

ROWS = """
    insert into case_search (case_id, number, audience, owner_id, created_at, updated_at, problem, facets,
        terms)
    select made.id, number, audience, owner_id, created_at, updated_at, seed.signature,
        array['host:' || host, 'status:' || status, 'severity:' || coalesce(severity, 'none'),
            'owner:' || assignee, 'kernel:' || kernel]
            || case when seed.signature = '' then '{}'
                else array['finding:' || seed.signature, 'problem:' || seed.signature, 'verdict:match'] end,
        array_to_tsvector(array(
            select distinct left(term, 300) from (
                select unnest(seed.terms) as term
                union all
                select term from unnest(other.terms) as term where bench_chance(hashtext(term), number) < 0.25
                union all
                select unnest(array[host, '^' || host, '=host:' || host, '#' || number, '^#' || number,
                    '=status:' || state, '=status:' || status,
                    '=severity:' || coalesce(severity, 'none'), '=owner:' || assignee,
                    '=kernel:' || kernel])
                union all
                select unnest(seed.fix_terms) where status = 'resolved'
                union all
                select prefix || name from unnest(array['=frame:', '']) prefix, bench_function
                where place in (select bench_zipf(bench_chance(number, 100 + k), :functions)
                    from generate_series(1, 40) k)
            ) as all_terms where term <> ''))
    from (
        select *, 'db-' || bench_zipf(bench_chance(number, 11), :hosts) as host,
            (array['6.1', '5.15', '6.8', '5.14', '5.10', '4.18', '6.12'])[
                bench_zipf(bench_chance(number, 12), 7)] as kernel
        from "case" where number between :first and :last
    ) as made
    join bench_seed seed on seed.place = bench_zipf(bench_chance(number, 1), :seeds)
    join bench_seed other on other.place = bench_zipf(bench_chance(number, 2), :seeds)
    join bench_person person on person.id = made.owner_id
    cross join lateral (
        select case when bench_chance(number, 13) < 0.3 then 'none' else person.name end as assignee
    ) as taken
"""

NUMBERS = """
    insert into case_number (case_id, name, least, greatest)
    select case_id, name, bench_chance(number, salt) * 50, 50 + bench_chance(number, salt + 1) * 50
    from case_search,
        (values ('loadavg.1m', 21), ('memcg.usage_share', 23), ('cpu.steal_share', 25)) as fact(name, salt)
    where number between :first and :last and bench_chance(number, salt + 2) < 0.4
"""


INDEX = "create index ix_case_search_terms on case_search using gin (terms) with (fastupdate = off)"


def set_up(engine: Engine) -> None:
    """Make people, and the tables that cases are made from."""
    with engine.begin() as connection:
        connection.exec_driver_sql(SETUP)
        rows = [{"place": at, **seed._asdict()} for at, seed in enumerate(seeds(), 1)]
        connection.execute(
            text("insert into bench_seed values (:place, :signature, :title, :terms, :fix_terms)"), rows
        )
        names = [{"place": at, "name": name} for at, (name, _) in enumerate(functions(), 1)]
        connection.execute(text("insert into bench_function values (:place, :name)"), names)
    with Session(engine) as session:
        session.add_all(Team(name=f"team {number}") for number in range(1, TEAMS + 1))
        session.add_all(
            Account(name=f"person {number}", role=Role.RESPONDER) for number in range(1, OWNERS + 1)
        )
        session.flush()
        for statement in PEOPLE.split(";\n"):
            if statement.strip():
                session.execute(text(statement))
        session.commit()


def grow(engine: Engine, first: int, last: int) -> None:
    """Add the cases `first` to `last`, and let PostgreSQL count what they hold."""
    with engine.begin() as connection:
        connection.execute(text("set local synchronous_commit = off"))
        connection.execute(text("set local work_mem = '256MB'"))
        # Filled first, the index is built in a tenth of the time.
        connection.execute(text("set local maintenance_work_mem = '512MB'"))
        connection.execute(text("drop index ix_case_search_terms"))
        sizes = _sizes(connection)
        for statement in (CASES, ROWS, NUMBERS):
            connection.execute(text(statement), {"first": first, "last": last, **sizes})
        connection.execute(text(INDEX))
        add_pairs(connection, {"first": first, "last": last, **sizes})
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for table in ('"case"', "case_search", "case_number", "case_traits", "trait_posting", "case_pair"):
            connection.execute(text(f"vacuum analyze {table}"))


def _sizes(connection: Connection) -> dict[str, int]:
    seeds_made = connection.scalar(text("select count(*) from bench_seed"))
    functions_made = connection.scalar(text("select count(*) from bench_function"))
    return {
        "seeds": seeds_made or 1,
        "functions": functions_made or 1,
        "owners": OWNERS,
        "teams": TEAMS,
        "hosts": HOSTS,
    }
