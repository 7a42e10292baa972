"""Hunt in stored cases

Retro-hunts of versions of libraries, and the cases whose verdicts they change.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None


def upgrade() -> None:
    now = sa.text("now()")
    counts = ("total", "done", "judged", "gained", "lost", "failed")
    op.create_table(
        "hunt",
        sa.Column("version_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("applies", sa.Boolean(), nullable=False),
        sa.Column("signatures", postgresql.JSONB(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in counts),
        sa.Column("position", sa.Uuid(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["library_version.id"],
            name=op.f("fk_hunt_version_id_library_version"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hunt")),
    )
    op.create_index(op.f("ix_hunt_version_id"), "hunt", ["version_id"])
    op.create_index(
        "uq_hunt_running", "hunt", ["state"], unique=True, postgresql_where=sa.text("state = 'running'")
    )
    op.create_table(
        "hunted_case",
        sa.Column("hunt_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("change", sa.String(20), nullable=False),
        sa.Column("verdicts", postgresql.JSONB(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(
            ["hunt_id"], ["hunt.id"], name=op.f("fk_hunted_case_hunt_id_hunt"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_hunted_case_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hunt_id", "case_id", name=op.f("pk_hunted_case")),
    )
    op.create_index(op.f("ix_hunted_case_case_id"), "hunted_case", ["case_id"])


def downgrade() -> None:
    for table in ("hunted_case", "hunt"):
        op.drop_table(table)
