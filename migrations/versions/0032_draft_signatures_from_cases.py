"""Draft signatures from cases

Folders of the library drafted from closed cases.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "signature_draft",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column(
            "state",
            sa.Enum("drafting", "ready", "failed", name="draftstate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("signature_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("replacements", postgresql.JSONB(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("progress_share", sa.Double(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("report", postgresql.JSONB(), nullable=False),
        sa.Column("zip_sha256", sa.Text(), nullable=True),
        sa.Column("zip_bytes", sa.Integer(), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_signature_draft_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signature_draft")),
    )
    op.create_index(op.f("ix_signature_draft_case_id"), "signature_draft", ["case_id"])


def downgrade() -> None:
    op.drop_table("signature_draft")
