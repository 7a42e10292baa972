"""Let people label findings"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "label",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column(
            "opinion",
            sa.Enum("right", "wrong", "unsure", name="opinion", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("misled_clause", sa.Text(), nullable=False),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_label_account_id_account"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_label_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label")),
        sa.UniqueConstraint(
            "case_id",
            "signature",
            "host",
            "phase",
            "account_id",
            name=op.f("uq_label_case_id_signature_host_phase_account_id"),
        ),
    )


def downgrade() -> None:
    op.drop_table("label")
