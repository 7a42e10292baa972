"""Find stories by words, functions and evidence

The table is filled from the shipped library when the service starts, and after `casebook migrate`.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def weighed(column: str, weight: str) -> str:
    words = f"regexp_replace({column}, '[^[:alnum:]]+', ' ', 'g')"
    return f"setweight(to_tsvector('english', {words}), '{weight}')"


def upgrade() -> None:
    op.execute("create extension if not exists pg_trgm")
    words = " || ".join(
        weighed(*pair) for pair in zip(("telling", "headings", "conditions", "body"), "ABCD", strict=True)
    )
    op.create_table(
        "library_entry",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("headline", sa.Text(), nullable=False),
        sa.Column("area", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("has_fix", sa.Boolean(), nullable=False),
        sa.Column("symptoms", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("groups", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("frames", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("signatures", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("telling", sa.Text(), nullable=False),
        sa.Column("headings", sa.Text(), nullable=False),
        sa.Column("conditions", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("vocabulary", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("words", postgresql.TSVECTOR(), sa.Computed(words, persisted=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_library_entry")),
        sa.UniqueConstraint("kind", "key", name=op.f("uq_library_entry_kind_key")),
    )
    op.create_index("ix_library_entry_words", "library_entry", ["words"], postgresql_using="gin")
    op.create_index("ix_library_entry_frames", "library_entry", ["frames"], postgresql_using="gin")
    op.create_index(
        "ix_library_entry_vocabulary",
        "library_entry",
        ["vocabulary"],
        postgresql_using="gin",
        postgresql_ops={"vocabulary": "gin_trgm_ops"},
    )


def downgrade() -> None:
    op.drop_table("library_entry")
