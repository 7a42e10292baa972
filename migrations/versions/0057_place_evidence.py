"""Place evidence by its folders

Evidence holds what it states about its host and phase beside the host and phase that it has, and on what
basis. Uploads name both.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0057"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("evidence", sa.Column("stated", postgresql.JSONB(), server_default="{}", nullable=False))
    for table, columns in (("evidence", ("host_basis", "phase_basis")), ("upload", ("host", "phase"))):
        for column in columns:
            op.add_column(table, sa.Column(column, sa.Text(), server_default="", nullable=False))
    op.execute("""
        update evidence set host_basis = 'stated', stated = jsonb_build_object(
            'name', host.name, 'machine_id', host.machine_id, 'boot_id', host.boot_id)
        from host where host.id = evidence.host_id
    """)
    op.execute("update evidence set phase_basis = 'set' where phase <> 'during'")


def downgrade() -> None:
    for table, columns in (
        ("upload", ("phase", "host")),
        ("evidence", ("phase_basis", "host_basis", "stated")),
    ):
        for column in columns:
            op.drop_column(table, column)
