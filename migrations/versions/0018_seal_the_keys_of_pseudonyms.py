"""Seal the keys of pseudonyms"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Keys that stood here in clear are given up: they may be in copies. Handoffs that were made stay as they
    # are, and the next one of a case begins its pseudonyms anew.
    op.execute("delete from redaction")
    op.drop_column("redaction", "key")
    op.add_column("redaction", sa.Column("sealed_key", sa.Text(), nullable=False))


def downgrade() -> None:
    op.execute("delete from redaction")
    op.drop_column("redaction", "sealed_key")
    op.add_column("redaction", sa.Column("key", sa.Text(), nullable=False))
