"""Send events to destinations: the outbox, destinations, and the log of deliveries"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0050"
down_revision = "0056"
branch_labels = None
depends_on = None

CHANNEL = sa.Enum("webhook", name="channel", native_enum=False, length=20)
STATE = sa.Enum("pending", "delivered", "failed", name="deliverystate", native_enum=False, length=20)


def upgrade() -> None:
    op.create_table(
        "outbox",
        sa.Column("event_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_outbox_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("event_id", name=op.f("pk_outbox")),
    )
    op.create_table(
        "destination",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("channel", CHANNEL, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("kinds", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("severity", sa.Text(), nullable=True),
        sa.Column("search_id", sa.Uuid(), nullable=True),
        sa.Column("is_enabled", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("disabled_reason", sa.Text(), server_default="", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resume_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("holder", sa.Uuid(), nullable=True),
        sa.Column("busy_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["account.id"], name=op.f("fk_destination_owner_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_destination")),
    )
    op.create_index(op.f("ix_destination_owner_id"), "destination", ["owner_id"])
    op.create_table(
        "delivery",
        sa.Column("destination_id", sa.Uuid(), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", STATE, server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column(
            "next_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("response", sa.Text(), server_default="", nullable=False),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["destination_id"],
            ["destination.id"],
            name=op.f("fk_delivery_destination_id_destination"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_delivery_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery")),
        sa.UniqueConstraint("destination_id", "event_id", name=op.f("uq_delivery_destination_id_event_id")),
    )
    op.create_index(op.f("ix_delivery_destination_id_id"), "delivery", ["destination_id", "id"])
    op.create_index(op.f("ix_delivery_event_id"), "delivery", ["event_id"])
    op.create_index(
        "ix_delivery_due",
        "delivery",
        ["destination_id", "next_at"],
        postgresql_where=sa.text("state = 'pending'"),
    )


def downgrade() -> None:
    for table in ("delivery", "destination", "outbox"):
        op.drop_table(table)
    op.execute("delete from job where kind = 'destinations.send'")
