"""Announce matches of saved searches, and list kernels

Which search has found which case, and when the index row of a case was settled: of the cases that exist, so
long ago that no search is older. Kernels of the hosts of cases, made by jobs, and inventories of hosts.
"""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0050"
branch_labels = None
depends_on = None

JOBS = """
    insert into job (id, kind, key, subject_id, queue, payload, state, attempt, worker, last_error)
    select gen_random_uuid(), 'search.index', 'kernels:' || case_id, case_id, 'light', '{}', 'queued', 0,
        '', ''
    from case_search
"""


def upgrade() -> None:
    op.add_column(
        "case_search",
        sa.Column("settled_at", sa.DateTime(timezone=True), server_default="1970-01-01Z", nullable=True),
    )
    op.alter_column("case_search", "settled_at", server_default=None)
    op.create_table(
        "search_match",
        sa.Column("search_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["search_id"],
            ["saved_search.id"],
            name=op.f("fk_search_match_search_id_saved_search"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_search_match_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("search_id", "case_id", name=op.f("pk_search_match")),
    )
    op.create_index(op.f("ix_search_match_case_id"), "search_match", ["case_id"])
    op.create_table(
        "case_kernel",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("host", "release", "build", "os_id", "distro")
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_case_kernel_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", "host", "release", name=op.f("pk_case_kernel")),
    )
    op.create_table(
        "inventory",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("hosts", sa.Integer(), nullable=False),
        sa.Column("rejected", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_inventory_team_id_team"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inventory")),
        sa.UniqueConstraint(
            "source", "team_id", name=op.f("uq_inventory_source_team_id"), postgresql_nulls_not_distinct=True
        ),
    )
    op.create_index(op.f("ix_inventory_team_id"), "inventory", ["team_id"])
    texts = ("host", "release", "build", "distro", "instance_type", "cluster")
    op.create_table(
        "inventory_host",
        sa.Column("inventory_id", sa.Uuid(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in texts),
        sa.ForeignKeyConstraint(
            ["inventory_id"],
            ["inventory.id"],
            name=op.f("fk_inventory_host_inventory_id_inventory"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("inventory_id", "host", name=op.f("pk_inventory_host")),
    )
    op.create_index(
        op.f("ix_inventory_host_release_inventory_id"), "inventory_host", ["release", "inventory_id"]
    )
    op.execute(JOBS)


def downgrade() -> None:
    op.execute("delete from job where kind = 'search.index' and key like 'kernels:%%'")
    for table in ("inventory_host", "inventory", "case_kernel", "search_match"):
        op.drop_table(table)
    op.drop_column("case_search", "settled_at")
