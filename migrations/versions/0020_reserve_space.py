"""Reserve space for what is being received, and count what is stored as it changes"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "stored_bytes",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stored_bytes")),
    )
    op.create_table(
        "space_reservation",
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("received_bytes", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_space_reservation")),
    )
    op.create_index("ix_upload_unkept", "upload", ["id"], postgresql_where=sa.text("state <> 'kept'"))
    # Nobody adds or removes blobs between the count and the triggers.
    op.execute("lock table blob in share row exclusive mode")
    op.execute("insert into stored_bytes (size_bytes) select coalesce(sum(size_bytes), 0) from blob")
    op.execute(
        """
        create function count_stored_bytes() returns trigger language plpgsql as $$
        declare
            sign integer := case when tg_op = 'INSERT' then 1 else -1 end;
        begin
            insert into stored_bytes (size_bytes)
            select sign * sum(size_bytes) from changed having sum(size_bytes) > 0;
            return null;
        end
        $$
        """
    )
    for event, rows in (("insert", "new"), ("delete", "old")):
        op.execute(
            f"create trigger blob_{event}_is_counted after {event} on blob"
            f" referencing {rows} table as changed for each statement execute function count_stored_bytes()"
        )


def downgrade() -> None:
    for event in ("insert", "delete"):
        op.execute(f"drop trigger blob_{event}_is_counted on blob")
    op.execute("drop function count_stored_bytes()")
    op.drop_index("ix_upload_unkept", table_name="upload")
    op.drop_table("space_reservation")
    op.drop_table("stored_bytes")
