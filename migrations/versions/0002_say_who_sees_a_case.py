"""Say who sees a case"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "team",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team")),
        sa.UniqueConstraint("name", name=op.f("uq_team_name")),
    )
    op.create_table(
        "team_member",
        sa.Column("team_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_team_member_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_team_member_team_id_team"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("team_id", "account_id", name=op.f("pk_team_member")),
    )
    op.create_index(op.f("ix_team_member_account_id"), "team_member", ["account_id"], unique=False)
    op.create_table(
        "case_link",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_case_link_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["account.id"], name=op.f("fk_case_link_created_by_account"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_link")),
        sa.UniqueConstraint("hash", name=op.f("uq_case_link_hash")),
    )
    op.create_index(op.f("ix_case_link_case_id"), "case_link", ["case_id"], unique=False)
    op.create_table(
        "case_person",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_case_person_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_case_person_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["link_id"], ["case_link.id"], name=op.f("fk_case_person_link_id_case_link"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_person")),
        sa.UniqueConstraint(
            "case_id",
            "account_id",
            "link_id",
            name=op.f("uq_case_person_case_id_account_id_link_id"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_index(op.f("ix_case_person_account_id"), "case_person", ["account_id"], unique=False)
    op.add_column(
        "account",
        sa.Column(
            "role",
            sa.Enum("viewer", "responder", "curator", "admin", name="role", native_enum=False, length=20),
            server_default="viewer",
            nullable=False,
        ),
    )
    op.add_column("account", sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "case",
        sa.Column(
            "visibility",
            sa.Enum("team", "restricted", "link", name="visibility", native_enum=False, length=20),
            server_default="team",
            nullable=False,
        ),
    )
    op.add_column("case", sa.Column("owner_id", sa.Uuid(), nullable=True))
    op.add_column("case", sa.Column("team_id", sa.Uuid(), nullable=True))
    op.create_index(op.f("ix_case_team_id"), "case", ["team_id"], unique=False)
    op.create_foreign_key(
        op.f("fk_case_team_id_team"), "case", "team", ["team_id"], ["id"], ondelete="RESTRICT"
    )
    op.create_foreign_key(
        op.f("fk_case_owner_id_account"), "case", "account", ["owner_id"], ["id"], ondelete="SET NULL"
    )
    # Until now there was one person, and everything was theirs.
    op.execute("update account set role = 'admin' where is_owner")
    op.execute('update "case" set owner_id = (select id from account where is_owner)')


def downgrade() -> None:
    op.drop_constraint(op.f("fk_case_owner_id_account"), "case", type_="foreignkey")
    op.drop_constraint(op.f("fk_case_team_id_team"), "case", type_="foreignkey")
    op.drop_index(op.f("ix_case_team_id"), table_name="case")
    op.drop_column("case", "team_id")
    op.drop_column("case", "owner_id")
    op.drop_column("case", "visibility")
    op.drop_column("account", "disabled_at")
    op.drop_column("account", "role")
    op.drop_index(op.f("ix_case_person_account_id"), table_name="case_person")
    op.drop_table("case_person")
    op.drop_index(op.f("ix_case_link_case_id"), table_name="case_link")
    op.drop_table("case_link")
    op.drop_index(op.f("ix_team_member_account_id"), table_name="team_member")
    op.drop_table("team_member")
    op.drop_table("team")
