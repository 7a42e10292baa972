"""Say which evidence a story was"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("story", sa.Column("evidence_id", sa.Uuid(), nullable=True))
    op.create_unique_constraint(op.f("uq_story_evidence_id"), "story", ["evidence_id"])
    op.create_foreign_key(
        op.f("fk_story_evidence_id_evidence"),
        "story",
        "evidence",
        ["evidence_id"],
        ["id"],
        ondelete="SET NULL",
    )


def downgrade() -> None:
    op.drop_constraint(op.f("fk_story_evidence_id_evidence"), "story", type_="foreignkey")
    op.drop_constraint(op.f("uq_story_evidence_id"), "story", type_="unique")
    op.drop_column("story", "evidence_id")
