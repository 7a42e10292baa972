"""Index what cases are filtered by

Hosts by name, kernel releases by their beginning, log records by class.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_host_name_case_id", "host", ["name", "case_id"])
    op.create_index("ix_log_record_kind_case_id", "log_record", ["kind", "case_id"])
    op.create_index(
        "ix_fact_kernel_release",
        "fact",
        ["text", "case_id"],
        postgresql_where=sa.text("name = 'kernel.release'"),
        postgresql_ops={"text": "text_pattern_ops"},
    )


def downgrade() -> None:
    op.drop_index("ix_fact_kernel_release", "fact")
    op.drop_index("ix_log_record_kind_case_id", "log_record")
    op.drop_index("ix_host_name_case_id", "host")
