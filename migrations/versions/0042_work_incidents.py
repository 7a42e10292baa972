"""Work incidents: status, assignee, tags, events, versions of notes, and the team of events

The state of a case becomes its status: an open one is investigated, a closed one resolved.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

STATUS = sa.Enum("investigating", "mitigated", "resolved", name="status", native_enum=False, length=20)
KIND = sa.Enum(
    "started",
    "detected",
    "action",
    "mitigated",
    "resolved",
    name="incidenteventkind",
    native_enum=False,
    length=20,
)
STATE = "case when status = 'resolved' then 'closed' else 'open' end"


def upgrade() -> None:
    op.alter_column("case", "state", new_column_name="status", type_=STATUS, server_default="investigating")
    op.execute("""
        update "case" set status = case when status = 'closed' then 'resolved' else 'investigating' end
    """)
    op.add_column("case", sa.Column("assignee_id", sa.Uuid(), nullable=True))
    op.add_column("case", sa.Column("tags", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False))
    op.add_column("case", sa.Column("state", sa.Text(), sa.Computed(STATE, persisted=True), nullable=False))
    op.create_foreign_key(
        op.f("fk_case_assignee_id_account"), "case", "account", ["assignee_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index(op.f("ix_case_assignee_id"), "case", ["assignee_id"])
    op.add_column("event", sa.Column("team_id", sa.Uuid(), nullable=True))
    op.execute("""
        update event set team_id = "case".team_id from "case"
        where "case".id = event.case_id and "case".team_id is not null
    """)
    op.create_table(
        "note_version",
        sa.Column("note_id", sa.Uuid(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("editor", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["note_id"], ["note.id"], name=op.f("fk_note_version_note_id_note"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note_version")),
        sa.UniqueConstraint("note_id", "revision", name=op.f("uq_note_version_note_id_revision")),
    )
    # Earlier versions were not kept.
    op.execute("""
        insert into note_version (id, note_id, revision, editor, text, created_at)
        select gen_random_uuid(), id, revision, editor, text, updated_at from note
    """)
    op.create_table(
        "incident_event",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("kind", KIND, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("editor", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_incident_event_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_incident_event")),
    )
    op.create_index(op.f("ix_incident_event_case_id_at"), "incident_event", ["case_id", "at"])


def downgrade() -> None:
    op.drop_table("incident_event")
    op.drop_table("note_version")
    op.drop_column("event", "team_id")
    op.drop_column("case", "state")
    op.drop_column("case", "tags")
    op.drop_column("case", "assignee_id")
    op.execute("""
        update "case" set status = case when status = 'resolved' then 'closed' else 'open' end
    """)
    op.alter_column("case", "status", new_column_name="state", type_=sa.Text(), server_default=None)
