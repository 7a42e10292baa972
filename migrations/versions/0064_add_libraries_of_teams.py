"""Add libraries of teams

Libraries by Git URL, upload or draft, their versions, and what versions in shadow found.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0064"
down_revision = "0061"
branch_labels = None
depends_on = None


def upgrade() -> None:
    now = sa.text("now()")
    op.create_table(
        "team_library",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("source", sa.String(20), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("ref", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team_library")),
        sa.UniqueConstraint("name", name=op.f("uq_team_library_name")),
    )
    op.create_table(
        "library_version",
        sa.Column("library_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("commit", sa.Text(), nullable=False),
        sa.Column("draft_id", sa.Uuid(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("messages", postgresql.JSONB(), nullable=False),
        sa.Column("signatures", postgresql.JSONB(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("activated_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(
            ["library_id"],
            ["team_library.id"],
            name=op.f("fk_library_version_library_id_team_library"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_library_version")),
    )
    op.create_index(op.f("ix_library_version_library_id_id"), "library_version", ["library_id", "id"])
    for state in ("pulling", "shadow", "active"):
        op.create_index(
            f"uq_library_version_{state}",
            "library_version",
            ["library_id"],
            unique=True,
            postgresql_where=sa.text(f"state = '{state}'"),
        )
    op.create_table(
        "shadow_finding",
        sa.Column("version_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("lines", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["library_version.id"],
            name=op.f("fk_shadow_finding_version_id_library_version"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_shadow_finding_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(
            "version_id", "case_id", "signature", "host", "phase", name=op.f("pk_shadow_finding")
        ),
    )
    op.create_index(op.f("ix_shadow_finding_case_id"), "shadow_finding", ["case_id"])


def downgrade() -> None:
    for table in ("shadow_finding", "library_version", "team_library"):
        op.drop_table(table)
