"""Let people in by password"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sign_in_attempts",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_sign_in_attempts")),
    )
    op.create_table(
        "invitation",
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column(
            "role",
            sa.Enum("viewer", "responder", "curator", "admin", name="role", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["created_by"], ["account.id"], name=op.f("fk_invitation_created_by_account"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_invitation_team_id_team"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("hash", name=op.f("uq_invitation_hash")),
    )
    op.add_column("account", sa.Column("password_hash", sa.Text(), nullable=True))
    op.add_column("account", sa.Column("totp_secret", sa.Text(), nullable=True))
    op.add_column(
        "account", sa.Column("totp_is_on", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.add_column(
        "account", sa.Column("totp_step", sa.BigInteger(), server_default=sa.text("0"), nullable=False)
    )


def downgrade() -> None:
    op.drop_column("account", "totp_step")
    op.drop_column("account", "totp_is_on")
    op.drop_column("account", "totp_secret")
    op.drop_column("account", "password_hash")
    op.drop_table("invitation")
    op.drop_table("sign_in_attempts")
