"""Let guests paste"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("case", sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_case_expires_at"), "case", ["expires_at"])
    op.add_column(
        "account", sa.Column("is_guest", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.create_index(
        "uq_account_is_guest", "account", ["is_guest"], unique=True, postgresql_where=sa.text("is_guest")
    )


def downgrade() -> None:
    op.drop_index("uq_account_is_guest", table_name="account")
    op.drop_column("account", "is_guest")
    op.drop_index(op.f("ix_case_expires_at"), table_name="case")
    op.drop_column("case", "expires_at")
