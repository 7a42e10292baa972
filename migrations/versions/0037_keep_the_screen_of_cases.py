"""Keep the screen of cases

Overview, panels, wait graphs and comparisons of each case, computed with its judgement instead of with every
request. Those of cases that were judged before are computed by jobs, as alarms were.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

JOBS = """
    insert into job (id, kind, key, subject_id, queue, payload, state, attempt, worker, last_error)
    select gen_random_uuid(), 'findings.screen', 'screen:' || id, id, 'light', '{}', 'queued', 0, '', ''
    from "case" where judged_rev > 0
"""


def upgrade() -> None:
    op.create_table(
        "case_screen",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("evidence_rev", sa.Integer(), nullable=False),
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("overview", postgresql.JSONB(), nullable=False),
        sa.Column("panels", postgresql.JSONB(), nullable=False),
        sa.Column("waits", postgresql.JSONB(), nullable=False),
        sa.Column("comparisons", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("case_id"),
    )
    op.execute("delete from job where kind = 'findings.alarms'")
    op.execute(JOBS)


def downgrade() -> None:
    op.execute("delete from job where kind = 'findings.screen'")
    op.drop_table("case_screen")
