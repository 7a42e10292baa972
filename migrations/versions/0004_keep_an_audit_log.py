"""Keep an audit log"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_entry",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("token_id", sa.Uuid(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("is_refused", sa.Boolean(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit_entry")),
    )
    op.create_index(op.f("ix_audit_entry_case_id_number"), "audit_entry", ["case_id", "number"], unique=False)
    op.create_index(
        op.f("ix_audit_entry_token_id_action_case_id_at"),
        "audit_entry",
        ["token_id", "action", "case_id", "at"],
        unique=False,
    )
    op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_head")),
    )
    op.execute("insert into audit_head (id, number, hash) values (1, 0, repeat('0', 64))")
    op.execute(
        """
        create function audit_entry_is_kept() returns trigger language plpgsql as $$
        begin
            raise exception 'an entry of the audit log is never changed or removed';
        end
        $$
        """
    )
    op.execute(
        "create trigger audit_entry_is_kept before update or delete or truncate on audit_entry"
        " for each statement execute function audit_entry_is_kept()"
    )


def downgrade() -> None:
    op.drop_table("audit_head")
    op.drop_index(op.f("ix_audit_entry_token_id_action_case_id_at"), table_name="audit_entry")
    op.drop_index(op.f("ix_audit_entry_case_id_number"), table_name="audit_entry")
    op.drop_table("audit_entry")
    op.execute("drop function audit_entry_is_kept()")
