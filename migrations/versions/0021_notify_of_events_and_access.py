"""Notify of case events and of revoked access

Row triggers with a condition cost nothing where it does not hold: `case` and `token` are updated all the time
(counts of evidence, the minute of last use), and access to a case changes rarely.
"""

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

ACCESS = {
    "account": ("account", "id", ("role", "disabled_at")),
    "token": ("token", "id", ("account_id", "kind", "scopes", "case_id", "expires_at", "revoked_at")),
    "case": ("case", "id", ("visibility", "owner_id", "team_id", "deleted_at")),
    "case_person": ("case", "case_id", ("case_id", "account_id", "link_id")),
    "case_link": ("case", "case_id", ("case_id", "expires_at", "revoked_at")),
    "team_member": ("account", "account_id", ("account_id", "team_id")),
}
"""By table: what is notified of, the column with its id, and the columns whose change counts."""


def upgrade() -> None:
    op.execute("""
        create function notify_case_event() returns trigger language plpgsql as $$
        begin
            perform pg_notify('casebook_event', case_id || ' ' || max(id))
            from written where case_id is not null group by case_id;
            return null;
        end $$
    """)
    op.execute("""
        create trigger notify_case_event after insert on event
        referencing new table as written
        for each statement execute function notify_case_event()
    """)
    op.execute("""
        create function notify_case_access() returns trigger language plpgsql as $$
        begin
            perform pg_notify('casebook_access', tg_argv[0] || ' ' || (to_jsonb(old) ->> tg_argv[1]));
            return null;
        end $$
    """)
    for table, (subject, column, columns) in ACCESS.items():
        differs = " or ".join(f"old.{name} is distinct from new.{name}" for name in columns)
        call = f"execute function notify_case_access('{subject}', '{column}')"
        op.execute(
            f'create trigger notify_case_access_update after update on "{table}" '
            f"for each row when ({differs}) {call}"
        )
        op.execute(f'create trigger notify_case_access_delete after delete on "{table}" for each row {call}')


def downgrade() -> None:
    for table in ACCESS:
        op.execute(f'drop trigger notify_case_access_update on "{table}"')
        op.execute(f'drop trigger notify_case_access_delete on "{table}"')
    op.execute("drop function notify_case_access()")
    op.execute("drop trigger notify_case_event on event")
    op.execute("drop function notify_case_event()")
