"""Receive alerts

Groups of alerts by their key, each with the case it opened, and a bounded number of their alerts.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0055"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alert_group",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("group_key", sa.Text(), nullable=False),
        sa.Column("key_digest", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=True),
        sa.Column("previous_case_id", sa.Uuid(), nullable=True),
        sa.Column("mitigated_event_id", sa.Uuid(), nullable=True),
        sa.Column("severity", sa.Text(), nullable=True),
        sa.Column("beyond", sa.BigInteger(), nullable=False),
        sa.Column("beyond_firing", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_alert_group_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_alert_group_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["previous_case_id"],
            ["case.id"],
            name=op.f("fk_alert_group_previous_case_id_case"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["mitigated_event_id"],
            ["incident_event.id"],
            name=op.f("fk_alert_group_mitigated_event_id_incident_event"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_group")),
    )
    op.create_index(
        op.f("ix_alert_group_account_id_key_digest_id"), "alert_group", ["account_id", "key_digest", "id"]
    )
    op.create_index(op.f("ix_alert_group_case_id"), "alert_group", ["case_id"])
    op.create_index(op.f("ix_alert_group_previous_case_id"), "alert_group", ["previous_case_id"])
    op.create_index(op.f("ix_alert_group_mitigated_event_id"), "alert_group", ["mitigated_event_id"])
    op.create_table(
        "alert",
        sa.Column("group_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=True),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("labels", postgresql.JSONB(), nullable=False),
        sa.Column("links", postgresql.JSONB(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_fired", sa.Boolean(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"], ["alert_group.id"], name=op.f("fk_alert_group_id_alert_group"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_alert_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert")),
        sa.UniqueConstraint(
            "group_id", "fingerprint", "starts_at", name=op.f("uq_alert_group_id_fingerprint_starts_at")
        ),
    )
    op.create_index(op.f("ix_alert_case_id"), "alert", ["case_id"])


def downgrade() -> None:
    op.drop_table("alert")
    op.drop_table("alert_group")
