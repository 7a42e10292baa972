"""Note which captures were run"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "capture_run",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("capture", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("settles", postgresql.JSONB(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("ran_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_capture_run_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_capture_run")),
    )
    op.create_index(op.f("ix_capture_run_case_id"), "capture_run", ["case_id"], unique=False)
    op.create_table(
        "capture_result",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("evidence_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["capture_run.id"],
            name=op.f("fk_capture_result_run_id_capture_run"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["evidence_id"],
            ["evidence.id"],
            name=op.f("fk_capture_result_evidence_id_evidence"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "evidence_id", name=op.f("pk_capture_result")),
    )
    op.create_index(op.f("ix_capture_result_evidence_id"), "capture_result", ["evidence_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_capture_result_evidence_id"), table_name="capture_result")
    op.drop_table("capture_result")
    op.drop_index(op.f("ix_capture_run_case_id"), table_name="capture_run")
    op.drop_table("capture_run")
