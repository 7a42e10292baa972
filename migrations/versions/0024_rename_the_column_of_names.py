"""Rename the column of names in the search index of the library

`telling` held the title, the symptoms and the other names of an entry; the column that is generated from it
follows the new name by itself.
"""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("library_entry", "telling", new_column_name="names")


def downgrade() -> None:
    op.alter_column("library_entry", "names", new_column_name="telling")
