"""Reprocess stored cases

Readings and evidence keep the version of the code that read them, drafts that of the engine that judged them.
Cached observations have keys of another form, so those that are stored would never be asked for again.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

CHANGE = sa.Enum(
    "lost_match",
    "new_match",
    "suspect_to_match",
    "suspect",
    "headline",
    "none",
    "failed",
    name="change",
    native_enum=False,
    length=20,
)
VERSIONED = (("reading", "reader"), ("evidence", "reader"), ("signature_draft", "engine"))


def upgrade() -> None:
    for table, column in VERSIONED:
        op.add_column(table, sa.Column(column, sa.Text(), server_default="", nullable=False))
    op.create_table(
        "reprocess_run",
        sa.Column(
            "state",
            sa.Enum("running", "done", "cancelled", "failed", name="runstate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("selection", postgresql.JSONB(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("changes", postgresql.JSONB(), nullable=False),
        sa.Column("position", sa.Uuid(), nullable=True),
        sa.Column("current", sa.Uuid(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reprocess_run"),
    )
    op.create_index(
        "uq_reprocess_run_running",
        "reprocess_run",
        ["state"],
        unique=True,
        postgresql_where=sa.text("state = 'running'"),
    )
    op.create_table(
        "reprocessed_case",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("change", CHANGE, nullable=False),
        sa.Column("files_read", sa.Integer(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("verdicts", postgresql.JSONB(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["reprocess_run.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "case_id"),
    )
    op.create_index("ix_reprocessed_case_case_id", "reprocessed_case", ["case_id"])
    op.execute("truncate observation")


def downgrade() -> None:
    op.drop_table("reprocessed_case")
    op.drop_table("reprocess_run")
    for table, column in VERSIONED:
        op.drop_column(table, column)
