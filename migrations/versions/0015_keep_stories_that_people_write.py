"""Keep stories that people write"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "story",
        sa.Column("number", sa.Integer(), sa.Identity(always=True), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("published_revision", sa.Integer(), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("published_by", sa.Text(), nullable=False),
        sa.Column("offered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"], ["account.id"], name=op.f("fk_story_author_id_account"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_story_team_id_team"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_story")),
        sa.UniqueConstraint("number", name=op.f("uq_story_number")),
    )
    op.create_index(op.f("ix_story_author_id"), "story", ["author_id"], unique=False)
    op.create_index(op.f("ix_story_team_id"), "story", ["team_id"], unique=False)
    op.create_table(
        "story_revision",
        sa.Column("story_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("editor", sa.Text(), nullable=False),
        sa.Column("sitting", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("area", sa.Text(), nullable=False),
        sa.Column("symptoms", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("signatures", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("cases", sa.ARRAY(sa.Integer()), nullable=False),
        sa.Column("fix", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["story_id"], ["story.id"], name=op.f("fk_story_revision_story_id_story"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_story_revision")),
        sa.UniqueConstraint("story_id", "number", name=op.f("uq_story_revision_story_id_number")),
    )


def downgrade() -> None:
    op.drop_table("story_revision")
    op.drop_index(op.f("ix_story_team_id"), table_name="story")
    op.drop_index(op.f("ix_story_author_id"), table_name="story")
    op.drop_table("story")
