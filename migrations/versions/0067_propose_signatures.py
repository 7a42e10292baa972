"""Propose signatures

Signatures that people propose for a library, with the text that they changed and the decision.
"""

import sqlalchemy as sa
from alembic import op

revision = "0067"
down_revision = "0062"
branch_labels = None
depends_on = None


def upgrade() -> None:
    now = sa.text("now()")
    op.create_table(
        "signature_proposal",
        sa.Column("library", sa.Text(), nullable=False),
        sa.Column("signature_id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signature_proposal")),
    )
    op.create_index(op.f("ix_signature_proposal_signature_id"), "signature_proposal", ["signature_id"])
    op.create_index(op.f("ix_signature_proposal_state_id"), "signature_proposal", ["state", "id"])


def downgrade() -> None:
    op.drop_table("signature_proposal")
