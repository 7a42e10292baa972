"""Classify log records

Level, subsystem and severity of each; records read before have none until their evidence is read again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("log_record", sa.Column("level", sa.SmallInteger(), nullable=True))
    op.add_column("log_record", sa.Column("subsystem", sa.Text(), server_default="", nullable=False))
    op.add_column("log_record", sa.Column("severity", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("log_record", "severity")
    op.drop_column("log_record", "subsystem")
    op.drop_column("log_record", "level")
