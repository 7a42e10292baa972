"""Find functions across cases

Profiles that are there already are weighed by jobs, one for every case: names are in their readings, which a
migration cannot reach. The reaper sends what it finds queued here.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "frame",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_frame")),
    )
    op.create_table(
        "profile_frame",
        sa.Column("frame_id", sa.BigInteger(), nullable=False),
        sa.Column("profile_id", sa.Uuid(), nullable=False),
        sa.Column("total_share", sa.Double(), nullable=False),
        sa.Column("self_share", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["frame_id"], ["frame.id"], name=op.f("fk_profile_frame_frame_id_frame"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["profile_id"],
            ["profile.id"],
            name=op.f("fk_profile_frame_profile_id_profile"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("frame_id", "profile_id", name=op.f("pk_profile_frame")),
    )
    op.create_index(op.f("ix_profile_frame_profile_id"), "profile_frame", ["profile_id"], unique=False)
    op.add_column(
        "profile", sa.Column("has_frames", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.create_index(
        "ix_profile_unindexed",
        "profile",
        ["case_id"],
        unique=False,
        postgresql_where=sa.text("not has_frames"),
    )
    op.execute(
        """
        insert into job (id, kind, key, subject_id, queue, payload, state, attempt, worker, last_error)
        select gen_random_uuid(), 'profiles.index', 'index:' || case_id, case_id, 'light', '{}',
            'queued', 0, '', ''
        from (select distinct case_id from profile) as waiting
        """
    )


def downgrade() -> None:
    op.execute("delete from job where kind = 'profiles.index'")
    op.drop_index("ix_profile_unindexed", table_name="profile", postgresql_where=sa.text("not has_frames"))
    op.drop_column("profile", "has_frames")
    op.drop_index(op.f("ix_profile_frame_profile_id"), table_name="profile_frame")
    op.drop_table("profile_frame")
    op.drop_table("frame")
