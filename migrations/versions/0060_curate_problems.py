"""Curate problems

Problems that people make by merging clusters or splitting off cases, and the cluster of each case.
"""

import sqlalchemy as sa
from alembic import op

revision = "0060"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("case_search", sa.Column("cluster", sa.Text(), server_default="", nullable=False))
    op.execute("update case_search set cluster = problem where problem like '%:%'")
    op.create_table(
        "made_problem",
        sa.Column("number", sa.Integer(), sa.Identity(always=True), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_made_problem")),
        sa.UniqueConstraint("number", name=op.f("uq_made_problem_number")),
    )
    op.create_table(
        "problem_part",
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("problem_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["problem_id"],
            ["made_problem.id"],
            name=op.f("fk_problem_part_problem_id_made_problem"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("part", name=op.f("pk_problem_part")),
    )
    op.create_index(op.f("ix_problem_part_problem_id"), "problem_part", ["problem_id"])


def downgrade() -> None:
    for table in ("problem_part", "made_problem"):
        op.drop_table(table)
    op.drop_column("case_search", "cluster")
