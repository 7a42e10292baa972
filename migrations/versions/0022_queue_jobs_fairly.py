"""Queue jobs fairly"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job", sa.Column("sender", sa.Text(), server_default="system", nullable=False))
    op.add_column("job", sa.Column("cost_ms", sa.Double(), server_default=sa.text("100"), nullable=False))
    op.add_column("job", sa.Column("virtual_start", sa.Double(), server_default=sa.text("0"), nullable=False))
    op.create_index(
        "ix_job_queued",
        "job",
        ["queue", "sender", "run_after", "id"],
        postgresql_where=sa.text("state = 'queued'"),
    )
    op.create_table(
        "queue_clock",
        sa.Column("queue", sa.Text(), nullable=False),
        sa.Column("virtual_time", sa.Double(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("queue", name=op.f("pk_queue_clock")),
    )
    op.execute("insert into queue_clock (queue) values ('light'), ('heavy')")
    op.create_table(
        "queue_sender",
        sa.Column("queue", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("virtual_time", sa.Double(), server_default=sa.text("0"), nullable=False),
        sa.Column("slow_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("queue", "sender", name=op.f("pk_queue_sender")),
    )
    op.add_column("upload", sa.Column("sender", sa.Text(), server_default="system", nullable=False))


def downgrade() -> None:
    op.drop_column("upload", "sender")
    op.drop_table("queue_sender")
    op.drop_table("queue_clock")
    op.drop_index("ix_job_queued", table_name="job")
    op.drop_column("job", "virtual_start")
    op.drop_column("job", "cost_ms")
    op.drop_column("job", "sender")
