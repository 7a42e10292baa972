"""Confirm sign-ins, throttle by client, end links with their maker's account

A browser session states when its person last proved who they are. Failed attempts were counted by name alone:
those counts go. The link of a handoff states the account that made it, not just its name. Links of disabled
accounts end.
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("token", sa.Column("authenticated_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("update token set authenticated_at = created_at where kind = 'session'")
    op.add_column(
        "oidc_flow",
        sa.Column("is_confirmation", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.execute("delete from sign_in_attempts")
    op.create_index(op.f("ix_sign_in_attempts_last_at"), "sign_in_attempts", ["last_at"])
    op.add_column("share", sa.Column("created_by_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_share_created_by_id_account"),
        "share",
        "account",
        ["created_by_id"],
        ["id"],
        ondelete="SET NULL",
    )
    op.create_index(op.f("ix_share_created_by_id"), "share", ["created_by_id"])
    op.create_index(op.f("ix_case_link_created_by"), "case_link", ["created_by"])
    op.execute(
        "update share set created_by_id = account.id from account where account.name = share.created_by"
    )
    op.execute(
        "update share set revoked_at = now() from account where account.id = share.created_by_id"
        " and account.disabled_at is not null and share.revoked_at is null"
    )
    op.execute(
        "update case_link set revoked_at = now() from account where account.id = case_link.created_by"
        " and account.disabled_at is not null and case_link.revoked_at is null"
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_case_link_created_by"), table_name="case_link")
    op.drop_index(op.f("ix_share_created_by_id"), table_name="share")
    op.drop_constraint(op.f("fk_share_created_by_id_account"), "share", type_="foreignkey")
    op.drop_column("share", "created_by_id")
    op.drop_index(op.f("ix_sign_in_attempts_last_at"), table_name="sign_in_attempts")
    op.drop_column("oidc_flow", "is_confirmation")
    op.execute("delete from token where kind = 'device'")
    op.drop_column("token", "authenticated_at")
