"""Send messages to chat and mail: templates, and the message of each case"""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0060"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("destination", sa.Column("template", sa.Text(), server_default="", nullable=False))
    op.create_table(
        "posted",
        sa.Column("destination_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["destination_id"],
            ["destination.id"],
            name=op.f("fk_posted_destination_id_destination"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_posted_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("destination_id", "case_id", name=op.f("pk_posted")),
    )
    op.create_index(op.f("ix_posted_case_id"), "posted", ["case_id"])


def downgrade() -> None:
    op.drop_table("posted")
    op.execute("delete from destination where channel <> 'webhook'")
    op.drop_column("destination", "template")
