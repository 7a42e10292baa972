"""Search cases

A row of words and values per case, with the numbers of its facts, and saved searches. Rows of the cases that
exist are made by jobs.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

# The row is read for visibility, order and facets: what the index answers is stored out of line.
STORAGE = """
    alter table case_search alter column facets set storage main;
    alter table case_search set (toast_tuple_target = 128);
"""

MOVE = """
create function move_case_search() returns trigger language plpgsql as $$
begin
    update case_search set audience = new.audience, owner_id = new.owner_id where case_id = new.id;
    return null;
end $$;
create trigger case_search_moved after update on "case" for each row
    when (old.audience is distinct from new.audience or old.owner_id is distinct from new.owner_id)
    execute function move_case_search();
"""

JOBS = """
    insert into job (id, kind, key, subject_id, queue, payload, state, attempt, worker, last_error)
    select gen_random_uuid(), 'search.index', 'index:' || id, id, 'light', '{}', 'queued', 0, '', ''
    from "case"
"""


def upgrade() -> None:
    op.add_column(
        "case", sa.Column("cleared", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False)
    )
    op.create_table(
        "case_search",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("audience", sa.Uuid(), nullable=True),
        sa.Column("owner_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("facets", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("terms", postgresql.TSVECTOR(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_case_search_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", name=op.f("pk_case_search")),
    )
    op.execute(STORAGE)
    op.create_index(
        "ix_case_search_terms",
        "case_search",
        ["terms"],
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
    op.create_index(op.f("ix_case_search_created_at_case_id"), "case_search", ["created_at", "case_id"])
    op.create_index(
        op.f("ix_case_search_problem_created_at_case_id"), "case_search", ["problem", "created_at", "case_id"]
    )
    op.create_table(
        "case_number",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("least", sa.Double(), nullable=False),
        sa.Column("greatest", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_case_number_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", "name", name=op.f("pk_case_number")),
    )
    for end in ("greatest", "least"):
        op.create_index(op.f(f"ix_case_number_name_{end}_case_id"), "case_number", ["name", end, "case_id"])
    op.create_table(
        "saved_search",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["account.id"], name=op.f("fk_saved_search_owner_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_saved_search_team_id_team"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_search")),
    )
    for column in ("owner_id", "team_id"):
        op.create_index(op.f(f"ix_saved_search_{column}"), "saved_search", [column])
    op.execute(MOVE)
    op.execute(JOBS)
    # The words of titles are in the index.
    op.drop_index("ix_case_title_words", table_name="case")


def downgrade() -> None:
    op.create_index(
        "ix_case_title_words",
        "case",
        ["title"],
        postgresql_using="gin",
        postgresql_ops={"title": "gin_trgm_ops"},
    )
    op.execute("delete from job where kind = 'search.index'")
    op.execute('drop trigger case_search_moved on "case"')
    op.execute("drop function move_case_search()")
    for table in ("saved_search", "case_number", "case_search"):
        op.drop_table(table)
    op.drop_column("case", "cleared")
