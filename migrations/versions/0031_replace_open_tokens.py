"""Replace open tokens

Open tokens of a handoff that its sender chose to replace.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "handoff",
        sa.Column("replacements", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False),
    )
    op.alter_column("handoff", "replacements", server_default=None)


def downgrade() -> None:
    op.drop_column("handoff", "replacements")
