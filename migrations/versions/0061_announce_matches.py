"""Announce matches of saved searches

Which search has found which case, and when the index row of a case was settled: of the cases that exist, so
long ago that no search is older.
"""

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "case_search",
        sa.Column("settled_at", sa.DateTime(timezone=True), server_default="1970-01-01Z", nullable=True),
    )
    op.alter_column("case_search", "settled_at", server_default=None)
    op.create_table(
        "search_match",
        sa.Column("search_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["search_id"],
            ["saved_search.id"],
            name=op.f("fk_search_match_search_id_saved_search"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_search_match_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("search_id", "case_id", name=op.f("pk_search_match")),
    )
    op.create_index(op.f("ix_search_match_case_id"), "search_match", ["case_id"])


def downgrade() -> None:
    op.drop_table("search_match")
    op.drop_column("case_search", "settled_at")
