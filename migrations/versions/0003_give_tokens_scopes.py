"""Give tokens scopes"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "account", sa.Column("is_service", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.add_column(
        "token", sa.Column("scopes", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False)
    )
    op.add_column("token", sa.Column("case_id", sa.Uuid(), nullable=True))
    op.add_column("token", sa.Column("client", sa.Text(), server_default="", nullable=False))
    op.add_column("token", sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_token_case_id"), "token", ["case_id"], unique=False)
    op.create_foreign_key(
        op.f("fk_token_case_id_case"), "token", "case", ["case_id"], ["id"], ondelete="CASCADE"
    )
    # Until now a token could do all that its owner could.
    op.execute("""update token set scopes = '["read", "evidence", "write", "admin"]' where kind = 'api'""")


def downgrade() -> None:
    op.drop_constraint(op.f("fk_token_case_id_case"), "token", type_="foreignkey")
    op.drop_index(op.f("ix_token_case_id"), table_name="token")
    op.drop_column("token", "last_used_at")
    op.drop_column("token", "client")
    op.drop_column("token", "case_id")
    op.drop_column("token", "scopes")
    op.drop_column("account", "is_service")
