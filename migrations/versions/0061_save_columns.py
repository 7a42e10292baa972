"""Save columns

The columns of the list of cases that a saved search shows.
"""

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "saved_search", sa.Column("columns", sa.ARRAY(sa.Text()), server_default="{}", nullable=False)
    )


def downgrade() -> None:
    op.drop_column("saved_search", "columns")
