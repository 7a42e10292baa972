"""Fence the job table

Jobs are claimed by workers of this instance and version. Workers of versions before this one state no
generation, so their claims fail.
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "instance",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("generation", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_instance")),
    )
    op.add_column("job", sa.Column("generation", sa.Uuid(), nullable=True))
    # Attempts that run already may end.
    op.execute("update job set generation = gen_random_uuid() where state = 'running'")
    op.create_check_constraint(op.f("ck_job_fenced"), "job", "state <> 'running' or generation is not null")


def downgrade() -> None:
    op.drop_constraint(op.f("ck_job_fenced"), "job")
    op.drop_column("job", "generation")
    op.drop_table("instance")
