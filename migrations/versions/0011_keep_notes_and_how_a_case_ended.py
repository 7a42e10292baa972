"""Keep notes, and how a case ended"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "note",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("editor", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_note_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
    )
    op.create_index(op.f("ix_note_case_id"), "note", ["case_id"], unique=False)
    op.add_column("case", sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True))
    for name in ("cause", "cause_signature", "fix"):
        op.add_column("case", sa.Column(name, sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    for name in ("fix", "cause_signature", "cause", "closed_at"):
        op.drop_column("case", name)
    op.drop_index(op.f("ix_note_case_id"), table_name="note")
    op.drop_table("note")
