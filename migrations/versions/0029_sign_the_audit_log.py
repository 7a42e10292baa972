"""Sign the audit log

From here on the hash of an entry is keyed (HMAC), so whoever can write to the database cannot make a valid
one. Entries of before keep their plain hashes; the first keyed one follows them. The head names the key.
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "audit_entry", sa.Column("is_keyed", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.add_column("audit_head", sa.Column("key_id", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("audit_head", "key_id")
    op.drop_column("audit_entry", "is_keyed")
