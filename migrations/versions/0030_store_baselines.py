"""Store baselines

Series of points of benchmarks: what the runs of a build cost, and their merged stacks.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "baseline",
        sa.Column("project", sa.Text(), nullable=False),
        sa.Column("benchmark", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("kernel", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_baseline_team_id_team"), ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_baseline")),
        sa.UniqueConstraint(
            "project",
            "benchmark",
            "machine",
            "kernel",
            "team_id",
            name=op.f("uq_baseline_project_benchmark_machine_kernel_team_id"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_index(op.f("ix_baseline_team_id"), "baseline", ["team_id"])
    op.create_table(
        "baseline_point",
        sa.Column("baseline_id", sa.Uuid(), nullable=False),
        sa.Column("commit", sa.Text(), nullable=False),
        sa.Column("measured_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("is_work_known", sa.Boolean(), nullable=False),
        sa.Column("comms", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("digests", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("measures", postgresql.JSONB(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["baseline_id"],
            ["baseline.id"],
            name=op.f("fk_baseline_point_baseline_id_baseline"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_baseline_point")),
    )
    op.create_index(
        op.f("ix_baseline_point_baseline_id_measured_at_id"),
        "baseline_point",
        ["baseline_id", "measured_at", "id"],
    )


def downgrade() -> None:
    op.drop_table("baseline_point")
    op.drop_table("baseline")
