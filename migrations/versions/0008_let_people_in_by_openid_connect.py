"""Let people in by openid connect"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "oidc_flow",
        sa.Column("state_hash", sa.Text(), nullable=False),
        sa.Column("browser_hash", sa.Text(), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("verifier", sa.Text(), nullable=False),
        sa.Column("leads_to", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("state_hash", name=op.f("pk_oidc_flow")),
    )
    op.add_column("account", sa.Column("oidc_issuer", sa.Text(), nullable=True))
    op.add_column("account", sa.Column("oidc_subject", sa.Text(), nullable=True))
    op.create_unique_constraint(
        op.f("uq_account_oidc_issuer_oidc_subject"), "account", ["oidc_issuer", "oidc_subject"]
    )


def downgrade() -> None:
    op.drop_constraint(op.f("uq_account_oidc_issuer_oidc_subject"), "account", type_="unique")
    op.drop_column("account", "oidc_subject")
    op.drop_column("account", "oidc_issuer")
    op.drop_table("oidc_flow")
