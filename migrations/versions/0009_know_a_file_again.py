"""Know a file again whose upload was interrupted"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("upload", sa.Column("fingerprint", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("upload", "fingerprint")
