"""Version of the rows that the judged part of a view is made of: each write of one of them changes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

# A write gives a row another transaction (`xmin`), and within one transaction another place (`ctid`).
_VERSION = text("""
    select concat_ws(' ', c.xmin, c.ctid, f.xmin, f.ctid, s.xmin, s.ctid, e.rows, h.rows, r.rows)
    from "case" c
    join case_findings f on f.case_id = c.id
    join case_screen s on s.case_id = c.id
    cross join lateral (
        select bool_or(state in ('received', 'reading')) as waits,
            md5(string_agg(concat(xmin, ctid), ' ' order by id)) as rows
        from evidence where case_id = c.id
    ) e
    cross join lateral (
        select md5(string_agg(concat(xmin, ctid), ' ' order by id)) as rows from host where case_id = c.id
    ) h
    cross join lateral (
        select md5(string_agg(concat(xmin, ctid), ' ' order by id)) as rows from reading where case_id = c.id
    ) r
    where c.id = :case_id and c.judged_rev >= c.evidence_rev and not coalesce(e.waits, false)
""")


def version_of(session: Session, case_id: UUID) -> str | None:
    """Return the version of a case that was judged and whose evidence is all read; None of another."""
    found: str | None = session.scalar(_VERSION, {"case_id": case_id})
    return found
