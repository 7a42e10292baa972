"""Index cases by functions and facts

An inverted index, and counts for each audience and for all, filled from what was read before; indexes of
lists that grow.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

AUDIENCE = (
    "case when deleted_at is not null then null::uuid"
    " when visibility = 'team' then coalesce(team_id, '00000000-0000-0000-0000-000000000000'::uuid)"
    " else 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid end"
)

FUNCTIONS = """
create function move_case_index() returns trigger language plpgsql as $$
begin
    if tg_op in ('UPDATE', 'DELETE') and old.audience is not null then
        insert into frame_count_change (audience, frames, change) values (old.audience, '{0}', -1);
    end if;
    if tg_op in ('INSERT', 'UPDATE') and new.audience is not null then
        insert into frame_count_change (audience, frames, change) values (new.audience, '{0}', 1);
    end if;
    if tg_op = 'UPDATE' then
        update case_frame set audience = new.audience where case_id = new.id;
        update case_fact set audience = new.audience where case_id = new.id;
    end if;
    return null;
end $$;

create function count_case_frames() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into frame_count_change (audience, frames, change)
        select audience, array_agg(frame_id), 1 from added where audience is not null group by audience;
    elsif tg_op = 'DELETE' then
        insert into frame_count_change (audience, frames, change)
        select audience, array_agg(frame_id), -1 from removed where audience is not null group by audience;
    else
        insert into frame_count_change (audience, frames, change)
        select audience, array_agg(frame_id), change
        from (
            select audience, frame_id, sum(change) as change
            from (
                select audience, frame_id, 1 as change from added
                union all
                select audience, frame_id, -1 from removed
            ) as changed
            where audience is not null
            group by audience, frame_id
            having sum(change) <> 0
        ) as moved
        group by audience, change;
    end if;
    return null;
end $$;
"""

TRIGGERS = """
create trigger case_index_added after insert on "case" for each row execute function move_case_index();
create trigger case_index_removed after delete on "case" for each row execute function move_case_index();
create trigger case_index_moved after update on "case" for each row
    when (old.audience is distinct from new.audience) execute function move_case_index();
create trigger case_frame_added after insert on case_frame
    referencing new table as added for each statement execute function count_case_frames();
create trigger case_frame_removed after delete on case_frame
    referencing old table as removed for each statement execute function count_case_frames();
create trigger case_frame_changed after update on case_frame
    referencing new table as added old table as removed
    for each statement execute function count_case_frames();
"""

FILL = (
    """
    insert into case_frame (case_id, frame_id, audience, has_weights, total_share, weight)
    select profile.case_id, profile_frame.frame_id, "case".audience, bool_or(profile.has_weights),
        coalesce(max(total_share) filter (where profile.has_weights), max(total_share)),
        max(0.2 * total_share + 0.8 * self_share)
    from profile_frame
    join profile on profile.id = profile_frame.profile_id
    join reading on reading.id = profile.reading_id
    join section on section.id = reading.section_id
    join evidence on evidence.id = section.evidence_id
    join "case" on "case".id = profile.case_id
    where reading.is_current and evidence.deleted_at is null
    group by profile.case_id, profile_frame.frame_id, "case".audience
    order by profile.case_id
    """,
    """
    insert into case_fact (case_id, token, audience)
    select distinct fact.case_id, hashtextextended(fact.name || chr(31) || fact.text, 0), "case".audience
    from fact
    join reading on reading.id = fact.reading_id
    join section on section.id = reading.section_id
    join evidence on evidence.id = section.evidence_id
    join "case" on "case".id = fact.case_id
    where reading.is_current and evidence.deleted_at is null and fact.text is not null
    """,
    """
    insert into frame_count (frame_id, audience, cases)
    select frame_id, audience, count(*) from case_frame where audience is not null group by frame_id, audience
    """,
    """
    insert into frame_count (frame_id, audience, cases)
    select 0, audience, count(*) from "case" where audience is not null group by audience
    """,
    """
    insert into frame_count (frame_id, audience, cases)
    select frame_id, '00000000-0000-0000-0000-000000000001', sum(cases) from frame_count group by frame_id
    """,
)

INDEXES = (
    ("ix_evidence_case_id", "evidence", ["case_id", "created_at", "id"]),
    ("ix_evidence_host_id", "evidence", ["host_id"]),
    ("ix_case_owner_id", "case", ["owner_id", "audience", "id"]),
    ("ix_case_title", "case", ["title", "id"]),
    ("ix_upload_actor", "upload", ["actor", "state", "updated_at", "id"]),
)


def upgrade() -> None:
    op.execute(f'alter table "case" add column audience uuid generated always as ({AUDIENCE}) stored')
    op.create_table(
        "case_frame",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("frame_id", sa.BigInteger(), nullable=False),
        sa.Column("audience", sa.Uuid(), nullable=True),
        sa.Column("has_weights", sa.Boolean(), nullable=False),
        sa.Column("total_share", sa.Double(), nullable=False),
        sa.Column("weight", sa.Double(), nullable=False),
    )
    op.create_table(
        "case_fact",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("audience", sa.Uuid(), nullable=True),
    )
    op.create_table(
        "frame_count",
        sa.Column("frame_id", sa.BigInteger(), nullable=False),
        sa.Column("audience", sa.Uuid(), nullable=False),
        sa.Column("cases", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("frame_id", "audience", name=op.f("pk_frame_count")),
    )
    op.create_table(
        "frame_count_change",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("audience", sa.Uuid(), nullable=False),
        sa.Column("frames", sa.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("change", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_frame_count_change")),
    )
    for query in FILL:
        op.execute(query)
    # What is filled first is indexed faster.
    for table, key in (("case_frame", "frame_id"), ("case_fact", "token")):
        op.create_primary_key(op.f(f"pk_{table}"), table, ["case_id", key])
        op.create_foreign_key(
            op.f(f"fk_{table}_case_id_case"), table, "case", ["case_id"], ["id"], ondelete="CASCADE"
        )
    op.create_index(
        "ix_case_frame_posting",
        "case_frame",
        ["frame_id", "audience", "has_weights", "total_share", "case_id"],
        postgresql_include=["weight"],
    )
    op.create_index("ix_case_fact_posting", "case_fact", ["token", "audience", "case_id"])
    op.execute(FUNCTIONS)
    op.execute(TRIGGERS)
    for name, table, columns in INDEXES:
        op.create_index(name, table, columns)
    op.create_index(
        "ix_case_title_words",
        "case",
        ["title"],
        postgresql_using="gin",
        postgresql_ops={"title": "gin_trgm_ops"},
    )


def downgrade() -> None:
    op.drop_index("ix_case_title_words", table_name="case")
    for name, table, _ in INDEXES:
        op.drop_index(name, table_name=table)
    for name in ("case_index_added", "case_index_removed", "case_index_moved"):
        op.execute(f'drop trigger {name} on "case"')
    for table in ("frame_count_change", "frame_count", "case_fact", "case_frame"):
        op.drop_table(table)
    op.execute("drop function count_case_frames()")
    op.execute("drop function move_case_index()")
    op.drop_column("case", "audience")
