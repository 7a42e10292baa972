"""State alarms of cases

Alarms and the headline of each case. Those of cases that were judged before are filled by jobs.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

HEADLINES = """
    update "case" set headline = best.headline
    from (
        select distinct on (case_id) case_id, jsonb_build_object(
            'kind', verdict, 'text', coalesce(nullif(document->>'headline', ''), title), 'title', title,
            'signature', signature, 'alarm', '', 'suspicion', '', 'host', host,
            'verdict', verdict, 'severity', severity,
            'level', case severity when 'critical' then 'outage' when 'high' then 'failure'
                when 'medium' then 'degraded' else 'notable' end,
            'confidence', confidence, 'coverage', coverage
        ) as headline
        from finding
        where verdict in ('match', 'suspect') and not is_provisional and document->>'superseded_by' = ''
        order by case_id, verdict, coalesce(document->>'caused_by', '') <> '',
            array_position(array['critical', 'high', 'medium', 'low'], severity),
            confidence desc nulls last, coverage desc, id
    ) as best
    where best.case_id = "case".id
"""
"""The headlines that need no reading, at once; `match` sorts before `suspect`."""

JOBS = """
    insert into job (id, kind, key, subject_id, queue, payload, state, attempt, worker, last_error)
    select gen_random_uuid(), 'findings.alarms', 'alarms:' || id, id, 'light', '{}', 'queued', 0, '', ''
    from "case" where judged_rev > 0
"""


def upgrade() -> None:
    op.add_column(
        "case",
        sa.Column("headline", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
    )
    op.add_column(
        "case",
        sa.Column("alarms", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False),
    )
    op.execute(HEADLINES)
    op.execute(JOBS)


def downgrade() -> None:
    op.execute("delete from job where kind = 'findings.alarms'")
    op.drop_column("case", "alarms")
    op.drop_column("case", "headline")
