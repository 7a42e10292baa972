"""Pair cases

Traits of each case, pairs of cases that are the same problem, and what people say of pairs. Traits and pairs
of the cases that exist are made by jobs.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None

MOVE = """
create function move_trait_posting() returns trigger language plpgsql as $$
begin
    update trait_posting set audience = new.audience where case_id = new.id;
    return null;
end $$;
create trigger trait_posting_moved after update on "case" for each row
    when (old.audience is distinct from new.audience)
    execute function move_trait_posting();
"""

JOBS = """
    insert into job (id, kind, key, subject_id, queue, payload, state, attempt, worker, last_error)
    select gen_random_uuid(), 'search.index', 'index:' || id, id, 'light', '{}', 'queued', 0, '', ''
    from "case" where not exists (select from job where key = 'index:' || "case".id)
"""


def upgrade() -> None:
    op.create_table(
        "case_traits",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.BigInteger(), nullable=False),
        sa.Column("traits", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_case_traits_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", name=op.f("pk_case_traits")),
    )
    op.create_table(
        "trait_posting",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("audience", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_trait_posting_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", "token", name=op.f("pk_trait_posting")),
    )
    op.create_index("ix_trait_posting_token", "trait_posting", ["token", "audience", "case_id"])
    op.create_table(
        "case_pair",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("other_id", sa.Uuid(), nullable=False),
        sa.Column("other_digest", sa.BigInteger(), nullable=False),
        sa.Column("share", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_case_pair_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["other_id"], ["case.id"], name=op.f("fk_case_pair_other_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", "other_id", name=op.f("pk_case_pair")),
    )
    op.create_index(op.f("ix_case_pair_other_id"), "case_pair", ["other_id"])
    op.create_table(
        "pair_label",
        sa.Column("later_id", sa.Uuid(), nullable=False),
        sa.Column("earlier_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column(
            "opinion",
            sa.Enum("same", "different", name="pairopinion", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("kinds", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_pair_label_account_id_account"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["earlier_id"], ["case.id"], name=op.f("fk_pair_label_earlier_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["later_id"], ["case.id"], name=op.f("fk_pair_label_later_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pair_label")),
        sa.UniqueConstraint(
            "later_id",
            "earlier_id",
            "account_id",
            name=op.f("uq_pair_label_later_id_earlier_id_account_id"),
        ),
    )
    for column in ("account_id", "earlier_id"):
        op.create_index(op.f(f"ix_pair_label_{column}"), "pair_label", [column])
    op.execute(MOVE)
    op.execute(JOBS)


def downgrade() -> None:
    op.execute('drop trigger trait_posting_moved on "case"')
    op.execute("drop function move_trait_posting()")
    for table in ("pair_label", "case_pair", "trait_posting", "case_traits"):
        op.drop_table(table)
