"""Take files in pieces"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "upload",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("evidence_id", sa.Uuid(), nullable=True),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("captured_path", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("offset_bytes", sa.BigInteger(), nullable=False),
        sa.Column("writer_epoch", sa.Integer(), nullable=False),
        sa.Column(
            "state",
            sa.Enum("sending", "sent", "kept", "failed", name="uploadstate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_upload_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["evidence_id"], ["evidence.id"], name=op.f("fk_upload_evidence_id_evidence"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload")),
    )
    op.create_index(op.f("ix_upload_case_id"), "upload", ["case_id"], unique=False)
    op.create_index(op.f("ix_upload_updated_at"), "upload", ["updated_at"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_upload_updated_at"), table_name="upload")
    op.drop_index(op.f("ix_upload_case_id"), table_name="upload")
    op.drop_table("upload")
